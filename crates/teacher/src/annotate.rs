//! Annotations of a PGN record: `[%eval]`, `?!`, `?` and `??`, sentences, better lines.

use hansu_chess::pgn::{Line, Ply, Record};
use hansu_engine::{Judgement, Study};
use hansu_words::Lang;

use crate::score::format_eval;
use crate::wire::lesson_text;

/// The largest number of moves of a better line that are written.
const LINE: usize = 8;

/// Annotates a record, if the analysis is complete. Comments stay; earlier evaluations and the
/// signs `?!`, `?` and `??` are replaced.
pub fn annotate(record: &mut Record, study: &Study, lang: Lang) {
    let analysis = study.analysis();
    if !analysis.complete {
        return;
    }
    for ((ply, found), position) in
        record.main.plies.iter_mut().zip(&analysis.plies).zip(study.positions())
    {
        for comment in &mut ply.comments {
            *comment = without_eval(comment);
        }
        ply.comments.retain(|comment| !comment.is_empty());
        let glyphs = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
        ply.nags.retain(|nag| !glyphs.iter().any(|judgement| judgement.glyph() == Some(*nag)));
        ply.nags.extend(found.judgement.glyph());
        let text = lesson_text(found, position, lang);
        let eval = format_eval(found.scores[1]).map(|eval| format!("[%eval {eval}]"));
        let comment: Vec<&str> = eval.iter().chain([&text]).map(String::as_str).collect();
        let comment = comment.join(" ").trim().to_owned();
        if !comment.is_empty() {
            ply.comments.insert(0, comment);
        }
        if text.is_empty() {
            continue;
        }
        let better: Vec<Ply> = found.line.iter().take(LINE).map(|&step| step.into()).collect();
        if found.best != Some(found.played) && !better.is_empty() {
            let is_same = |line: &Line| {
                line.plies.first().map(|first| first.step) == found.line.first().copied()
            };
            if !ply.variations.iter().any(is_same) {
                ply.variations.push(Line { comments: Vec::new(), plies: better });
            }
        }
    }
}

/// A comment without its first `[%eval …]`.
fn without_eval(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once("[%eval ") else { return comment.to_owned() };
    let Some((_, after)) = rest.split_once(']') else { return comment.to_owned() };
    format!("{} {}", before.trim_end(), after.trim_start()).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_chess::pgn::Reader;
    use hansu_engine::{Engine, Settings, Signals};

    #[test]
    fn a_record_gets_evaluations_signs_and_sentences_and_keeps_what_people_wrote() {
        let text = "1. f3 {[%eval 9.99] Why? [%clk 0:05:00]} e5 2. g4 Qh4# 0-1";
        let read = |text: &str| Reader::new(text.as_bytes()).next_game().expect("one").expect("it");
        let mut record = read(text);
        let moves: Vec<_> = record.moves().collect();
        let mut study = Study::new(&record.start, &moves);
        let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
        // An incomplete analysis changes nothing.
        let before = record.clone();
        annotate(&mut record, &study, Lang::En);
        assert_eq!(record, before);
        while study.step(&mut engine, 3_000, &Signals::default()) {}
        annotate(&mut record, &study, Lang::En);
        let plies = &record.main.plies;
        assert!(plies[0].comments[0].starts_with("[%eval -"), "{:?}", plies[0]);
        assert_eq!(plies[0].comments[1], "Why? [%clk 0:05:00]");
        assert_eq!(plies[2].nags, [4]);
        let said = "[%eval #-1] Black can now play Qh4#. It is checkmate.";
        assert!(plies[2].comments[0].starts_with(said), "{:?}", plies[2]);
        assert_eq!(plies[2].variations.len(), 1);
        assert!(plies[3].comments.is_empty(), "{:?}", plies[3]);
        // The result is valid PGN.
        let again = read(&record.to_string());
        assert_eq!(again.main, record.main);
    }

    #[test]
    fn only_the_evaluation_is_taken_out_of_a_comment() {
        assert_eq!(without_eval("[%eval 0.3]"), "");
        assert_eq!(without_eval("a [%eval #3] b"), "a b");
        assert_eq!(without_eval("a [%eval 0.3"), "a [%eval 0.3");
        assert_eq!(without_eval("plain"), "plain");
    }
}
