//! Findings of the engine as messages of the protocol.

use hansu_chess::{Color, Move, Position, Variant};
use hansu_engine::{Analysis, Judgement, Phase, PlyAnalysis, Study, lesson, win_chance};
use hansu_play::Sides;
use hansu_protocol as wire;
use hansu_words::Lang;

use crate::score::{WhiteScore, for_white};

/// Sentences about what was wrong with a move and what was better; empty for a fine move.
pub fn lesson_text(found: &PlyAnalysis, position: &Position, lang: Lang) -> String {
    if found.judgement == Judgement::Fine {
        return String::new();
    }
    let lesson = lesson(position, found.played, found.best, found.reply);
    lang.lesson(&lesson, position, found.played)
}

/// The whole analysis of a game; `None` while it is incomplete. `nodes` are those of each position.
pub fn to_wire(study: &Study, variant: Variant, nodes: u64, lang: Lang) -> Option<wire::Analysis> {
    let analysis = study.analysis();
    if !analysis.complete {
        return None;
    }
    let positions = study.positions().iter().enumerate();
    let seen = positions.map(|(ply, position)| seen_position(study, ply, position, variant));
    let moves =
        analysis.plies.iter().zip(study.positions()).map(|(found, position)| wire::JudgedMove {
            grade: grade(found.judgement),
            lost: thousandths(found.lost()),
            text: lesson_text(found, position, lang),
        });
    Some(wire::Analysis {
        nodes,
        positions: seen.collect::<Option<_>>()?,
        moves: moves.collect(),
        accuracy: Sides {
            white: accuracy(&analysis, Color::White),
            black: accuracy(&analysis, Color::Black),
        },
    })
}

fn seen_position(
    study: &Study,
    ply: usize,
    position: &Position,
    variant: Variant,
) -> Option<wire::SeenPosition> {
    let finding = study.finding(ply)?;
    let wire::BestLine { chance, score, mate, best, line, .. } =
        best_line(position, finding.score, &finding.line, variant);
    Some(wire::SeenPosition { chance, score, mate, best, line })
}

/// A line of a position as the protocol has it. `score` is for the side to move.
pub fn best_line(
    position: &Position,
    score: i32,
    line: &[Move],
    variant: Variant,
) -> wire::BestLine {
    let chance = win_chance(score);
    let (score, mate) = match WhiteScore::of(for_white(score, position.turn())) {
        WhiteScore::Centipawns(score) => (Some(score), None),
        WhiteScore::Mate(moves) => (None, Some(moves)),
        WhiteScore::Mated => (None, Some(0)),
    };
    let line = &line[..line.len().min(crate::KEPT_LINE)];
    let mut here = *position;
    let sans = line.iter().map(|&step| {
        let san = here.san(step).to_string();
        here = here.play(step);
        san
    });
    let sans = sans.collect();
    let moves: Vec<String> = line.iter().map(|step| step.uci(variant).to_string()).collect();
    wire::BestLine {
        chance: thousandths(if position.turn() == Color::White { chance } else { 1.0 - chance }),
        score,
        mate,
        best: moves.first().cloned(),
        line: sans,
        moves,
    }
}

const fn grade(judgement: Judgement) -> wire::Grade {
    match judgement {
        Judgement::Fine => wire::Grade::Fine,
        Judgement::Inaccuracy => wire::Grade::Inaccuracy,
        Judgement::Mistake => wire::Grade::Mistake,
        Judgement::Blunder => wire::Grade::Blunder,
    }
}

/// A share from 0 to 1 in thousandths.
fn thousandths(part: f64) -> u16 {
    (part.clamp(0.0, 1.0) * 1000.0).round() as u16
}

fn accuracy(analysis: &Analysis, side: Color) -> wire::Accuracy {
    let percent = |phase| analysis.accuracy(side, phase).map(|kept| kept.round() as u8);
    wire::Accuracy {
        all: percent(None),
        opening: percent(Some(Phase::Opening)),
        middlegame: percent(Some(Phase::Middlegame)),
        endgame: percent(Some(Phase::Endgame)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{analyse, fools_mate};

    #[test]
    fn a_game_is_told_whole_or_not_at_all() {
        let (start, moves) = fools_mate();
        let study = Study::new(&start, &moves);
        assert_eq!(to_wire(&study, Variant::Standard, 3_000, Lang::En), None);
        let study = analyse(&start, &moves, 3_000);
        let told = to_wire(&study, Variant::Standard, 3_000, Lang::En).expect("all of it");
        assert_eq!((told.positions.len(), told.moves.len()), (5, 4));
        assert_eq!(told.moves[2].grade, wire::Grade::Blunder);
        assert!(told.moves[2].text.contains("checkmate") && told.moves[3].text.is_empty());
        let mated = &told.positions[4];
        assert_eq!((mated.chance, mated.mate, mated.best.as_deref()), (0, Some(0), None));
        let before = &told.positions[3];
        assert_eq!((before.mate, before.best.as_deref()), (Some(-1), Some("d8h4")));
        assert_eq!(before.line, ["Qh4#"]);
        assert_eq!(told.accuracy.black.all, Some(100));
        assert_eq!(told.accuracy.white.endgame, None);
        let korean = to_wire(&study, Variant::Standard, 3_000, Lang::Ko).expect("all of it");
        assert_ne!(korean.moves[2].text, told.moves[2].text);
    }

    #[test]
    fn a_game_without_moves_has_one_position() {
        let study = analyse(&Position::start(), &[], 500);
        let told = to_wire(&study, Variant::Standard, 500, Lang::En).expect("all of it");
        assert_eq!((told.positions.len(), told.moves.len()), (1, 0));
        assert_eq!(told.accuracy.white.all, None);
    }
}
