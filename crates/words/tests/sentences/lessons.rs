//! Every sentence about a move is true on the board: the test parses each sentence and checks its
//! claim with other code than the code that found it.

use hansu_chess::{Move, Position, Role, SanError, Square, exchange_value};
use hansu_engine::{Fact, Judgement, Phase, lesson};
use hansu_words::{AnalysisNote, Lang};

use super::{check, sentences};

/// The number of positions to check.
const POSITIONS: usize = 10_000;

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        (self.0 >> 33) as usize % sides
    }
}

fn role(name: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|role| Lang::En.role(*role) == name)
}

/// The pieces that a sentence names: "the knight on c3".
fn named(sentence: &str) -> Vec<(Role, Square)> {
    let words: Vec<&str> =
        sentence.split([' ', ',', '.']).filter(|word| !word.is_empty()).collect();
    let found = words.windows(3).filter(|three| three[1] == "on");
    found.filter_map(|three| Some((role(three[0])?, three[2].parse().ok()?))).collect()
}

/// Returns true if a piece attacks a square.
fn attacks(position: &Position, by: Square, at: Square) -> bool {
    let us = position.piece_at(by).expect("a piece").color;
    let board = position.board();
    board.attackers(at, us, board.occupied()).contains(by)
}

/// The same when a square is emptied.
fn attacks_without(position: &Position, gone: Square, by: Square, at: Square) -> bool {
    let us = position.piece_at(by).expect("a piece").color;
    let mut board = *position.board();
    board.set(gone, None);
    board.attackers(at, us, board.occupied()).contains(by)
}

/// What the side to move wins by legal captures on a square, where each side may stop.
fn won_at(position: &Position, at: Square) -> i32 {
    let takes = position.legal_moves().into_iter().filter(|take| take.to() == at);
    let worth = |take: Move| position.taken(take).map(exchange_value);
    let won = takes.filter_map(|take| Some(worth(take)? - won_at(&position.play(take), at)));
    won.max().unwrap_or(0).max(0)
}

/// Returns true if what a sentence says about a move is true.
fn is_true(sentence: &str, before: &Position, step: Move) -> bool {
    let next = before.play(step);
    let (us, them) = (before.turn(), next.turn());
    let pieces = named(sentence);
    let stand = |position: &Position, color, pieces: &[(Role, Square)]| {
        pieces.iter().all(|&(role, at)| position.piece_at(at) == Some(role.of(color)))
    };
    let captures = |position: &Position, at: Square| {
        position.legal_moves().into_iter().any(|take| take.to() == at && position.is_capture(take))
    };
    if sentence.starts_with("It is checkmate") {
        let rank = next.king(them).index() / 8;
        let back = !sentence.contains("back rank") || rank == 0 || rank == 7;
        return next.is_check() && next.legal_moves().is_empty() && back;
    }
    if sentence.ends_with("worth less") {
        let with = sentence.split(" with a ").nth(1).and_then(|rest| rest.split(',').next());
        let with = with.and_then(role).expect("what takes");
        let [(taken, at)] = pieces[..] else { return false };
        // The usual values of the pieces.
        let order = |role: Role| match role {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 100,
        };
        return stand(before, them, &pieces)
            && next.piece_at(at) == Some(with.of(us))
            && order(taken) > order(with);
    }
    if sentence.starts_with("It takes") {
        return pieces.len() == 1
            && stand(before, them, &pieces)
            && next.piece_at(pieces[0].1).is_some_and(|piece| piece.color == us)
            && !captures(&next, pieces[0].1);
    }
    if sentence.ends_with("at once") {
        let (by, targets) = (pieces[0].1, &pieces[1..]);
        return stand(&next, us, &pieces[..1])
            && targets.len() >= 2
            && stand(&next, them, targets)
            && targets.iter().all(|&(_, at)| attacks(&next, by, at));
    }
    if sentence.contains(" then pins ") {
        let [(_, by), (_, pinned), (Role::King, king)] = pieces[..] else { return false };
        return stand(&next, us, &pieces[..1])
            && stand(&next, them, &pieces[1..])
            && attacks(&next, by, pinned)
            && !attacks(&next, by, king)
            && attacks_without(&next, pinned, by, king);
    }
    if sentence.contains(" and through it ") {
        let [(_, by), (_, front), (_, behind)] = pieces[..] else { return false };
        return stand(&next, us, &pieces[..1])
            && stand(&next, them, &pieces[1..])
            && attacks(&next, by, front)
            && !attacks(&next, by, behind)
            && attacks_without(&next, front, by, behind);
    }
    if sentence.starts_with("It opens") {
        let [(_, by), (_, target)] = pieces[..] else { return false };
        return stand(&next, us, &pieces[..1])
            && stand(&next, them, &pieces[1..])
            && attacks(&next, by, target)
            && before.piece_at(by) == next.piece_at(by)
            && !attacks(before, by, target);
    }
    if sentence.ends_with("no safe square to go to") {
        let [(_, at)] = pieces[..] else { return false };
        let away = next.legal_moves().into_iter().filter(|step| step.from() == at);
        return stand(&next, them, &pieces)
            && !next.is_check()
            && !next.board().attackers(at, us, next.board().occupied()).is_empty()
            && away.into_iter().all(|step| won_at(&next.play(step), step.to()) > 0);
    }
    false
}

/// The move that a sentence ends in or names before a comma.
fn move_in(sentence: &str, begins: &str, position: &Position) -> Option<Move> {
    let san = sentence.strip_prefix(begins)?.split(',').next()?;
    let read: Result<Move, SanError> =
        san.parse::<hansu_chess::San>().and_then(|san| san.to_move(position));
    Some(read.unwrap_or_else(|error| panic!("{san} in {}: {error:?}", position.fen())))
}

/// Parses a whole lesson and checks it.
fn check_lesson(text: &str, before: &Position, played: Move, at: &mut [usize; 10]) {
    let next = before.play(played);
    let mut last: Option<(&Position, Move)> = None;
    for sentence in sentences(text) {
        let us = Lang::En.color(next.turn());
        let allowed = move_in(sentence, &format!("{us} can now play "), &next);
        let threat = move_in(sentence, &format!("{us} was threatening "), &next);
        let better = move_in(sentence, "Better was ", before);
        if let Some(step) = threat {
            // A threat: if the player had passed, it would be mate.
            let passed = before.pass();
            let mated = passed.play(step);
            assert!(passed.legal_moves().contains(&step), "{text} {before}");
            assert!(mated.is_check() && mated.legal_moves().is_empty(), "{text} {before}");
            at[9] += 1;
        }
        if let Some(step) = allowed.or(threat) {
            last = Some((&next, step));
        } else if let Some(step) = better {
            assert_ne!(step, played);
            last = Some((before, step));
        } else {
            let (position, step) = last.expect("a move before its fact");
            assert!(is_true(sentence, position, step), "{sentence:?} {position} {step:?}");
        }
    }
}

fn kind(fact: &Fact) -> usize {
    match fact {
        Fact::Mate { back_rank: false } => 0,
        Fact::Mate { back_rank: true } => 1,
        Fact::TakesUndefended { .. } => 2,
        Fact::Fork { .. } => 3,
        Fact::Pin { .. } => 4,
        Fact::Skewer { .. } => 5,
        Fact::Discovers { .. } => 6,
        Fact::Traps { .. } => 7,
        Fact::TakesDearer { .. } => 8,
    }
}

/// The squares that a text names, in order of the alphabet.
fn squares(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.parse::<Square>().is_ok())
        .map(str::to_owned)
        .collect();
    found.sort();
    found
}

#[test]
fn every_sentence_about_a_move_is_true_on_the_board() {
    let mut dice = Dice(11);
    let (mut looked, mut seen) = (0, [0; 10]);
    let mut position = Position::start();
    while looked < POSITIONS {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() > 40 || position.is_dead() {
            position = Position::start();
            continue;
        }
        looked += 1;
        let played = moves[dice.roll(moves.len())];
        let next = position.play(played);
        // Few moves of a position have facts: try those, and one at random.
        let replies = next.legal_moves();
        let best = moves[dice.roll(moves.len())];
        let telling = |at: &Position, steps: &[Move]| -> Vec<Option<Move>> {
            let found = steps.iter().filter(|&&step| !hansu_engine::facts(at, step).is_empty());
            found.map(|&step| Some(step)).chain([None]).collect()
        };
        let bests = telling(&position, &moves).into_iter().chain([Some(best)]);
        let replies = telling(&next, &replies);
        for (turn, best) in bests.enumerate() {
            let reply = replies[turn % replies.len()];
            let found = lesson(&position, played, best, reply);
            let facts = [&found.allows, &found.better].into_iter().flatten();
            for fact in facts.filter_map(|told| told.fact.as_ref()) {
                seen[kind(fact)] += 1;
            }
            let (english, korean) = (
                Lang::En.lesson(&found, &position, played),
                Lang::Ko.lesson(&found, &position, played),
            );
            assert_eq!(english.is_empty(), korean.is_empty());
            if english.is_empty() {
                continue;
            }
            check(Lang::En, &english);
            check(Lang::Ko, &korean);
            check_lesson(&english, &position, played, &mut seen);
            assert_eq!(squares(&english), squares(&korean), "{english} {korean}");
        }
        position = next;
    }
    // The positions are the same in every run; back-rank mates and mate threats are rare in them.
    let usual = [0, 2, 3, 4, 5, 6, 7, 8].map(|kind| seen[kind]);
    assert!(usual.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn a_sentence_that_is_not_true_is_noticed() {
    let position: Position = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1".parse().expect("a position");
    let step = position.judge(Square::D5, Square::C7, None).expect("legal");
    let fork = "The knight on c7 then attacks the rook on a8 and the king on e8 at once";
    assert!(is_true(fork, &position, step));
    for wrong in [
        "The knight on c7 then attacks the queen on a8 and the king on e8 at once",
        "The knight on d5 then attacks the rook on a8 and the king on e8 at once",
        "It is checkmate",
        "It takes the rook on a8, and nothing can take back",
        "It takes the rook on c7 with a knight, which is worth less",
        "The knight on c7 then pins the rook on a8 to the king on e8",
        "The rook on a8 is then attacked and has no safe square to go to",
        "Nothing of the kind",
    ] {
        assert!(!is_true(wrong, &position, step), "{wrong}");
    }
}

#[test]
fn a_mate_that_was_threatened_is_said_to_have_been() {
    let before: Position = "rnbqkbnr/pppp1ppp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3"
        .parse()
        .expect("a position");
    let played = before.judge(Square::A7, Square::A6, None).expect("legal");
    let reply = before.play(played).judge(Square::H5, Square::F7, None).expect("legal");
    let found = lesson(&before, played, None, Some(reply));
    let english = Lang::En.lesson(&found, &before, played);
    assert_eq!(
        english,
        "White was threatening Qxf7#, and this move does not stop it. It is checkmate."
    );
    check_lesson(&english, &before, played, &mut [0; 10]);
    let korean = Lang::Ko.lesson(&found, &before, played);
    check(Lang::Ko, &korean);
    assert_eq!(korean, "백이 Qxf7# 수를 노리고 있었는데, 이 수로는 막지 못해요. 체크메이트예요.");
}

#[test]
fn judgements_and_phases_have_names_in_both_languages() {
    for lang in Lang::ALL {
        assert_eq!(lang.judgement(Judgement::Fine), "");
        let mut names = vec![
            lang.judgement(Judgement::Inaccuracy),
            lang.judgement(Judgement::Mistake),
            lang.judgement(Judgement::Blunder),
            lang.game_phase(Phase::Opening),
            lang.game_phase(Phase::Middlegame),
            lang.game_phase(Phase::Endgame),
        ];
        assert!(names.iter().all(|name| !name.is_empty()));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 6);
    }
}

#[test]
fn what_is_said_around_an_analysis_is_good() {
    for lang in Lang::ALL {
        for note in [
            AnalysisNote::Paused { done: 3, total: 80 },
            AnalysisNote::Dropped,
            AnalysisNote::StillPlayed,
            AnalysisNote::NoGame("3.pgn"),
            AnalysisNote::Thoroughness { nodes: 100_000 },
        ] {
            check(lang, &lang.analysis(note));
        }
    }
}
