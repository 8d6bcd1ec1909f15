//! The forms before a game: clocks, Chess960, positions.

use hansu_chess::{Position, Variant};
use hansu_play::{Bonus, Millis, Stage as ClockStage, TimeControl};
use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;

use super::*;

/// The form for two, with the cursor on a row counted from 0.
fn two(row: usize) -> Stage {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.key(KeyCode::Enter);
    stage.keys(&vec![KeyCode::Down; row]);
    stage
}

const OWN_CLOCK: usize = 4;
const VARIANT: usize = 5;
const SETUP: usize = 6;

fn begin(stage: &mut Stage) -> String {
    stage.keys(&[KeyCode::Home, KeyCode::Enter]);
    stage.text()
}

/// The white pieces on the lowest rank.
fn first_rank(text: &str) -> String {
    let line = text.lines().find(|line| line.starts_with("1 ")).expect("a first rank");
    line.chars().filter(|c| ('♔'..='♙').contains(c)).collect()
}

#[test]
fn chess960_begins_from_a_number() {
    let mut stage = two(VARIANT);
    stage.keys(&[KeyCode::Right, KeyCode::Down]);
    stage.type_text("0");
    let text = begin(&mut stage);
    // Number 0 is BBQNNRKR.
    assert_eq!(first_rank(&text), "♗♗♕♘♘♖♔♖", "{text}");
    // The rook moves away, and the king castles without leaving its square.
    stage.play(&["h4", "h5", "Nf3", "Nf6", "Re1", "Re8", "O-O"]);
    assert!(stage.text().contains("4.  O-O"), "{}", stage.text());
}

#[test]
fn chess960_without_a_number_is_any_of_them() {
    let mut seen = std::collections::HashSet::new();
    for _ in 0..12 {
        let mut stage = two(VARIANT);
        stage.key(KeyCode::Right);
        let rank = first_rank(&begin(&mut stage));
        let figures = [("K", "♔"), ("Q", "♕"), ("R", "♖"), ("B", "♗"), ("N", "♘")];
        let is_one = (0..960).filter_map(Position::chess960).any(|position| {
            let fen = position.fen();
            let placed = fen.split(' ').next().and_then(|board| board.rsplit('/').next());
            let placed = figures.iter().fold(placed.expect("a rank").to_owned(), |text, figure| {
                text.replace(figure.0, figure.1)
            });
            placed == rank
        });
        assert!(is_one, "{rank}");
        seen.insert(rank);
    }
    // Twelve equal numbers of 960 are practically impossible.
    assert!(seen.len() > 1, "{seen:?}");
}

#[test]
fn what_is_no_number_and_no_position_is_explained() {
    let mut stage = two(VARIANT);
    stage.keys(&[KeyCode::Right, KeyCode::Down]);
    stage.type_text("960");
    let text = begin(&mut stage);
    assert!(text.contains("Numbers from 0 to 959"), "{text}");
    let mut stage = two(SETUP);
    stage.type_text("518");
    let text = begin(&mut stage);
    assert!(text.contains("Choose it under Rules"), "{text}");
    let mut stage = two(SETUP);
    stage.type_text("8/8/8 w");
    let text = begin(&mut stage);
    assert!(text.contains("Begin") && text.contains("rank"), "{text}");
    let mut stage = two(SETUP);
    stage.type_text("8/8/8/8/8/8/8/4K3 w - - 0 1");
    let text = begin(&mut stage);
    assert!(text.contains("Begin") && text.contains("king"), "{text}");
}

#[test]
fn a_game_begins_from_a_fen_and_is_kept_with_it() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.key(KeyCode::Enter);
    stage.keys(&[KeyCode::Down; SETUP]);
    let fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1";
    stage.type_text(fen);
    let text = begin(&mut stage);
    assert!(text.contains("Black to move."), "{text}");
    stage.play(&["Kd7", "O-O-O+"]);
    assert!(stage.text().contains("O-O-O+"), "{}", stage.text());
    let games = log.list(&hansu_records::Filter::default(), &hansu_records::Page::default());
    let games = games.expect("listed").games;
    assert_eq!(games[0].summary.start_fen.as_deref(), Some(fen));
    assert_eq!(games[0].summary.variant, Variant::Standard);
    // The same once more.
    stage.keys(&[KeyCode::Char('r'), KeyCode::Char('y'), KeyCode::Char('p')]);
    assert!(stage.text().contains("Black to move."), "{}", stage.text());
}

#[test]
fn the_computer_plays_chess960_from_a_number() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.keys(&[KeyCode::Down, KeyCode::Enter]);
    stage.keys(&[KeyCode::Down; 7]);
    stage.keys(&[KeyCode::Right, KeyCode::Down]);
    stage.type_text("959");
    let text = begin(&mut stage);
    // Number 959 is RKRNNQBB.
    assert_eq!(first_rank(&text), "♖♔♖♘♘♕♗♗", "{text}");
    stage.play(&["h4"]);
    let is_asked = |effect: &Effect| match effect {
        Effect::Think(thinking) => thinking.state.game().variant() == Variant::Chess960,
        _ => false,
    };
    assert!(stage.effects.iter().any(is_asked), "{:?}", stage.effects);
}

#[test]
fn the_computer_resigns_a_lost_game_if_that_is_chosen() {
    for (presses, resigns) in [(0, false), (1, true)] {
        let mut stage = Stage::new(Lang::En, BARE, (80, 24));
        stage.keys(&[KeyCode::Down, KeyCode::Enter]);
        stage.keys(&[KeyCode::Down; 6]);
        stage.keys(&[KeyCode::Right].repeat(presses));
        begin(&mut stage);
        stage.play(&["e4"]);
        let is_asked = |effect: &Effect| match effect {
            Effect::Think(thinking) => {
                let start = thinking.state.start().expect("a start");
                start.computer.is_some_and(|computer| computer.resigns == resigns)
            }
            _ => false,
        };
        assert!(stage.effects.iter().any(is_asked), "{:?}", stage.effects);
    }
}

#[test]
fn a_clock_of_ones_own_stands_before_the_chosen_one() {
    let mut stage = two(OWN_CLOCK);
    stage.type_text("7d4");
    assert!(begin(&mut stage).contains("7:00"), "{}", stage.text());
    let mut stage = two(OWN_CLOCK);
    stage.type_text("7:4");
    let text = begin(&mut stage);
    assert!(text.contains("minutes and seconds: 7, 7+4"), "{text}");
}

#[test]
fn an_invitation_carries_clock_and_variant() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    stage.type_text("http://a:1");
    // Side, clock, own clock and variant come after the buttons for a link.
    stage.keys(&[KeyCode::Down; 6]);
    stage.type_text("7d4");
    stage.keys(&[KeyCode::Down, KeyCode::Right, KeyCode::Home]);
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    let asked = stage.effects.iter().find_map(|effect| match effect {
        Effect::Network { request, .. } => Some(request.clone()),
        _ => None,
    });
    let bonus = Bonus::Delay(Millis::seconds(4));
    let stages = vec![ClockStage { moves: None, time: Millis::minutes(7), bonus }];
    let Some(hansu_console::screen::NetworkRequest::Invite { time, variant, .. }) = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(time, TimeControl::Clock { stages });
    assert_eq!(variant, hansu_protocol::Kind::Chess960);
    // Days come after the clocks: one before the first is the last.
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    stage.keys(&[KeyCode::Down; 5]);
    stage.key(KeyCode::Left);
    assert!(stage.text().contains("7 days a move"), "{}", stage.text());
}
