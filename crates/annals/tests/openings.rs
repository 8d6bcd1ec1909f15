//! The names of openings, compared with the package that carries them.

use hansu_annals::openings;
use hansu_chess::{Game, Position};

fn game(moves: &str) -> Game {
    let mut game = Game::start();
    for step in moves.split_whitespace() {
        game.play_san(step).expect("a legal move");
    }
    game
}

fn name(moves: &str) -> Option<(&'static str, &'static str)> {
    openings::classify(&game(moves)).map(|opening| (opening.eco, opening.name))
}

#[test]
fn all_names_of_the_package_are_here() {
    assert_eq!(openings::count(), esca::openings::count());
    assert!(openings::count() > 3_000);
    assert!((20..60).contains(&openings::deepest()));
}

#[test]
fn the_last_named_position_counts() {
    assert_eq!(name(""), None);
    assert_eq!(name("e4"), Some(("B00", "King's Pawn Game")));
    assert_eq!(name("e4 c5"), Some(("B20", "Sicilian Defense")));
    // A position without a name keeps the last name.
    assert_eq!(name("e4 e5 Nf3 Nc6 Bb5 a6"), name("e4 e5 Nf3 Nc6 Bb5 a6 h3 h6 a3 a5"));
}

#[test]
fn transpositions_have_the_same_name() {
    let one = name("d4 Nf6 c4 e6 Nc3 Bb4");
    assert!(one.is_some_and(|(eco, _)| eco.starts_with('E')), "{one:?}");
    assert_eq!(one, name("c4 e6 Nc3 Nf6 d4 Bb4"));
    // Two moves later than the line of the table.
    let late = name("Nf3 Nf6 Ng1 Ng8 d4 Nf6 c4 e6 Nc3 Bb4");
    assert_eq!(one, late);
}

#[test]
fn other_starts_have_no_opening() {
    let start: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a position");
    let mut game = Game::from_position(start, hansu_chess::Variant::Standard);
    game.play_san("e4").expect("a legal move");
    assert_eq!(openings::classify(&game), None);
}

/// Random games: the package and this table name the same positions.
#[test]
fn random_games_are_named_alike() {
    let mut seed = 1_u64;
    let mut named = 0;
    for _ in 0..400 {
        let mut game = Game::start();
        let mut theirs = esca::Game::new(esca::classic());
        for ply in 0..16 {
            let moves = game.position().legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Mostly moves to named positions, so that games follow the lines deeply.
            let known = moves
                .iter()
                .filter(|&&step| openings::lookup(&game.position().play(step)).is_some());
            let known: Vec<_> = known.collect();
            let pick = |from: usize| (seed >> 33) as usize % from.max(1);
            let step = match known.get(pick(known.len())) {
                Some(&&step) if ply < 12 => step,
                _ => moves[pick(moves.len())],
            };
            let san = game.position().san(step).to_string();
            game.play(step.from(), step.to(), step.promotion()).expect("a legal move");
            theirs.play_san(&san).expect("a legal move");
            let opening = theirs.opening().map(|opening| (opening.eco, opening.name));
            let ours = openings::classify(&game).map(|opening| (opening.eco, opening.name));
            assert_eq!(ours, opening, "{san}");
            named += usize::from(ours.is_some());
            if game.outcome().is_some() {
                break;
            }
        }
    }
    assert!(named > 4_000, "{named}");
}
