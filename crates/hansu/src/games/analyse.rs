//! `hansu analyse`: analyses a game with the engine.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use hansu_chess::pgn::{PgnReason, Reader, Record};
use hansu_chess::{Color, Move, Position, Variant};
use hansu_engine::{Analysis, Engine, Judgement, Phase, Settings, Signals, Study};
use hansu_records::{GameId, KeptAnalysis, Status, dates, to_pgn};
use hansu_teacher::{annotate, format_score, lesson_text, restore, to_text, to_wire};
use hansu_words::{AnalysisNote, Lang};
use indicatif::{ProgressBar, ProgressStyle};

use super::command_error::CommandError;
use super::text_table::{self, Side, padded};
use super::words::Sentence;
use super::{Log, LogArgs, exit_status};
use crate::INTERRUPTED;

/// Nodes per position without `--nodes`: about 0.1 s.
const NODES: u64 = 100_000;
/// The size of the transposition table, in MiB.
const TABLE_MIB: usize = 64;
/// A running analysis is saved this often.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);
/// The most moves of a better line that are shown.
const SHOWN_MOVES: usize = 8;

/// Analyse a game: scores, win chances, mistakes and why, accuracy
///
/// A move that loses a tenth of the win chance is an inaccuracy, from a fifth on a mistake, from
/// three tenths on a blunder; accuracy is what a side's moves kept of it. Exit status: 0 if all went
/// well, 1 if something failed or a game of the file is broken, 2 if the input cannot be used.
/// What is found in a game of the log is kept there: an interrupted analysis goes on where it was,
/// and a second call shows the first one's, unless it asks for more nodes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu analyse 3fK2
  hansu analyse --nodes 1000000 --threads 4 game.pgn
  hansu analyse --pgn game.pgn > annotated.pgn")]
pub(crate) struct Analyse {
    /// The ID of a finished game or the beginning of it, or a PGN file; - reads standard input
    #[arg(value_name = "GAME")]
    target: String,

    /// Nodes to search in each position [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Write the game as PGN, with [%eval], ?!, ?, ?? and better lines
    #[arg(long, conflicts_with = "json")]
    pgn: bool,

    /// Write {"nodes":…,"positions":[…],"moves":[…],"accuracy":{…}}, a line a game
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    log: LogArgs,
}

/// Saves the analysis of a game into the log.
struct AnalysisSaver<'a> {
    log: &'a Log,
    game: GameId,
    nodes: u64,
    variant: Variant,
    /// True if the log has a complete analysis of the game already.
    has_complete: bool,
}

impl AnalysisSaver<'_> {
    fn write(&self, study: &Study) -> Result<(), CommandError> {
        let analysis = KeptAnalysis {
            nodes: self.nodes,
            done: study.done() as u64,
            total: study.total() as u64,
            at: dates::now(),
            body: to_text(study, self.variant),
        };
        Ok(self.log.store.keep_analysis(self.game, analysis)?)
    }
}

/// An engine, its node limit, and the signals that stop it.
struct Search {
    engine: Engine,
    nodes: u64,
    signals: Arc<Signals>,
}

impl Analyse {
    pub(crate) fn run(self, locale: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let lang = self.log.lang.unwrap_or(locale);
        let path = Path::new(&self.target);
        let is_file = self.target == "-"
            || self.target.to_ascii_lowercase().ends_with(".pgn")
            || path.is_file();
        let done = if is_file { self.file(lang, out) } else { self.game(lang, out) };
        exit_status(done, lang, out)
    }

    fn search(&self) -> Search {
        let signals = Arc::new(Signals::default());
        let seen = Arc::clone(&signals);
        // If no handler can be set, Ctrl-C ends the program at once, which the log survives.
        drop(ctrlc::set_handler(move || seen.stop.store(true, Ordering::Relaxed)));
        let threads = usize::from(self.threads);
        let settings = Settings { megabytes: TABLE_MIB, threads, ..Settings::default() };
        Search { engine: Engine::new(settings), nodes: self.nodes.unwrap_or(NODES), signals }
    }

    /// Analyses all games of a file.
    fn file(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let name = &self.target;
        let unreadable = |why: &dyn std::fmt::Display| {
            CommandError::Input(Sentence::CannotRead(name, &why.to_string()).text(lang))
        };
        let source: Box<dyn Read> = if name == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(name).map_err(|error| unreadable(&error))?)
        };
        let mut reader = Reader::new(source).lenient();
        let mut search = self.search();
        let (mut games, mut status) = (0, ExitCode::SUCCESS);
        while let Some(read) = reader.next_game() {
            let mut record = match read {
                Ok(record) => record,
                Err(error) => {
                    if let PgnReason::Read(kind) = error.reason {
                        return Err(unreadable(&kind));
                    }
                    status = ExitCode::FAILURE;
                    let text = lang.pgn_reason(error.reason);
                    // The output for earlier games comes first.
                    out.flush()?;
                    let _ = writeln!(io::stderr(), "{name}:{}: {text}", error.line);
                    continue;
                }
            };
            let moves: Vec<Move> = record.moves().collect();
            let mut study = Study::new(&record.start, &moves);
            search.engine.clear();
            let bar = progress_bar(&study, lang)?;
            while study.step(&mut search.engine, search.nodes, &search.signals) {
                bar.set_position(study.done() as u64);
            }
            bar.finish_and_clear();
            if !study.is_complete() {
                writeln!(out, "{}", lang.analysis(AnalysisNote::Dropped))?;
                return Ok(ExitCode::from(INTERRUPTED));
            }
            if games > 0 && !self.pgn && !self.json {
                writeln!(out)?;
            }
            games += 1;
            self.write(&mut record, &study, search.nodes, lang, out)?;
            out.flush()?;
        }
        if games == 0 && status == ExitCode::SUCCESS {
            return Err(CommandError::Input(lang.analysis(AnalysisNote::NoGame(name))));
        }
        Ok(status)
    }

    /// Analyses a game of the log.
    fn game(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let log = Log::open(self.log.clone(), lang)?;
        let record = log.game(&self.target)?;
        if matches!(record.summary.status, Status::Live | Status::Adjourned) {
            return Err(CommandError::Input(lang.analysis(AnalysisNote::StillPlayed)));
        }
        let unplayable =
            || CommandError::Failure(log.text(Sentence::Unplayable(record.id.as_str())));
        let text = to_pgn(&record)?;
        let game = Reader::new(text.as_bytes()).next_game();
        let mut game = game.and_then(Result::ok).ok_or_else(unplayable)?;
        let moves: Vec<Move> = game.moves().collect();
        let mut study = Study::new(&game.start, &moves);
        let kept = log.store.analysis(record.id)?;
        let nodes = self.nodes.or(kept.as_ref().map(|kept| kept.nodes)).unwrap_or(NODES);
        // A saved analysis with fewer nodes than requested cannot be continued.
        let usable =
            |kept: &&KeptAnalysis| kept.nodes == nodes || kept.is_complete() && kept.nodes >= nodes;
        let usable = kept.as_ref().filter(usable);
        if let Some(kept) = usable {
            restore(&mut study, &kept.body);
        }
        let nodes = usable.map_or(nodes, |kept| kept.nodes);
        if !study.is_complete() {
            // A complete analysis is replaced only by a complete one.
            let has_complete = kept.is_some_and(|kept| kept.is_complete());
            let saver = AnalysisSaver {
                log: &log,
                game: record.id,
                nodes,
                variant: game.variant,
                has_complete,
            };
            self.resume(&mut study, &saver)?;
        }
        if !study.is_complete() {
            let (done, total) = (study.done(), study.total());
            writeln!(out, "{}", lang.analysis(AnalysisNote::Paused { done, total }))?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
        self.write(&mut game, &study, nodes, lang, out)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Analyses the remaining positions and saves the result from time to time.
    fn resume(&self, study: &mut Study, saver: &AnalysisSaver<'_>) -> Result<(), CommandError> {
        let mut search = self.search();
        let bar = progress_bar(study, saver.log.lang)?;
        let mut last = Instant::now();
        while study.step(&mut search.engine, saver.nodes, &search.signals) {
            bar.set_position(study.done() as u64);
            if last.elapsed() >= SAVE_INTERVAL && !saver.has_complete {
                saver.write(study)?;
                last = Instant::now();
            }
        }
        bar.finish_and_clear();
        if study.is_complete() || !saver.has_complete { saver.write(study) } else { Ok(()) }
    }

    /// Writes an analysis as PGN, as JSON or as text.
    fn write(
        &self,
        record: &mut Record,
        study: &Study,
        nodes: u64,
        lang: Lang,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        if self.pgn {
            annotate(record, study, lang);
            // An empty line separates two games of a file.
            writeln!(out, "{}", record.to_string().trim_end())?;
            writeln!(out)?;
        } else if self.json {
            writeln!(
                out,
                "{}",
                serde_json::to_string(&to_wire(study, record.variant, nodes, lang))?
            )?;
        } else {
            let name = |tag: &str| record.tags.value(tag).unwrap_or("?").to_owned();
            let title = format!("{} – {}  {}", name("White"), name("Black"), record.result.text());
            writeln!(out, "{}", text_table::fitted(&title, text_table::line_width()))?;
            write_moves(study, lang, out)?;
            write_accuracy(&study.analysis(), lang, out)?;
            writeln!(out, "{}", lang.analysis(AnalysisNote::Thoroughness { nodes }))?;
        }
        Ok(())
    }
}

/// A progress bar on standard error; hidden unless that is a terminal.
fn progress_bar(study: &Study, lang: Lang) -> Result<ProgressBar, CommandError> {
    let style = ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {eta}")
        .map_err(|error| CommandError::Failure(error.to_string()))?;
    let bar = ProgressBar::new(study.total() as u64).with_style(style);
    Ok(bar.with_prefix(lang.analysis(AnalysisNote::Positions)))
}

/// Writes a line for each move, and under a bad move what was wrong with it.
fn write_moves(study: &Study, lang: Lang, out: &mut impl Write) -> Result<(), CommandError> {
    const MOVE: usize = 18;
    const FIGURE: usize = 9;
    let heading = |note| padded(&lang.analysis(note), FIGURE, Side::Right);
    let (score, chance) = (heading(AnalysisNote::Score), heading(AnalysisNote::Chance));
    writeln!(out, "{}{score}{chance}", " ".repeat(MOVE))?;
    for (found, position) in study.analysis().plies.iter().zip(study.positions()) {
        let sign = match found.judgement {
            Judgement::Fine => "",
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        };
        let caption = format!("{}{sign}", numbered(position, found.played));
        let score = padded(&format_score(found.scores[1]), FIGURE, Side::Right);
        let white = match found.mover {
            Color::White => found.chances[1],
            Color::Black => 1.0 - found.chances[1],
        };
        let chance = padded(&format!("{:.0} %", white * 100.0), FIGURE, Side::Right);
        let word = lang.judgement(found.judgement);
        let line = format!("{}{score}{chance}  {word}", padded(&caption, MOVE, Side::Left));
        writeln!(out, "{}", line.trim_end())?;
        let mut text = lesson_text(found, position, lang);
        if !text.is_empty() && found.best != Some(found.played) {
            text = format!("{text} ({})", line_text(position, &found.line));
        }
        for line in wrapped(&text, text_table::line_width().saturating_sub(4)) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// `12. Nf3`, `12... Nc6`.
fn numbered(position: &Position, step: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{:>3}{dots} {}", position.fullmoves(), position.san(step))
}

/// A variation in notation: `12... Nc6 13. Bb5 a6`.
fn line_text(position: &Position, line: &[Move]) -> String {
    let mut here = *position;
    let mut words = Vec::new();
    for &step in line.iter().take(SHOWN_MOVES) {
        let text = numbered(&here, step);
        let bare = here.turn() == Color::Black && !words.is_empty();
        words.push(if bare { here.san(step).to_string() } else { text.trim().to_owned() });
        here = here.play(step);
    }
    words.join(" ")
}

/// Breaks a text between words into lines of at most `places` columns.
fn wrapped(text: &str, places: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_table::width(line) + 1 + text_table::width(word) <= places => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Writes the accuracy of both sides, in the whole game and in each phase.
fn write_accuracy(
    analysis: &Analysis,
    lang: Lang,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    const NAME: usize = 12;
    const FIGURE: usize = 12;
    let phases = [None, Some(Phase::Opening), Some(Phase::Middlegame), Some(Phase::Endgame)];
    let title = |phase: Option<Phase>| match phase {
        None => lang.analysis(AnalysisNote::WholeGame),
        Some(phase) => lang.game_phase(phase).to_owned(),
    };
    writeln!(out)?;
    let mut line = padded(&lang.analysis(AnalysisNote::Accuracy), NAME, Side::Left);
    for phase in phases {
        line.push_str(&padded(&title(phase), FIGURE, Side::Right));
    }
    writeln!(out, "{line}")?;
    for side in [Color::White, Color::Black] {
        let mut line = padded(lang.color(side), NAME, Side::Left);
        for phase in phases {
            let kept = analysis.accuracy(side, phase);
            let text = kept.map_or_else(|| "–".to_owned(), |kept| format!("{kept:.1} %"));
            line.push_str(&padded(&text, FIGURE, Side::Right));
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_between_words_and_hangul_is_two_places_wide() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("하나 둘 셋", 7), ["하나 둘", "셋"]);
        assert_eq!(wrapped("immeasurable", 3), ["immeasurable"]);
        assert!(wrapped("", 10).is_empty());
    }

    #[test]
    fn a_line_is_numbered_where_white_moves() {
        let start = Position::start();
        let (mut here, mut line) = (start, Vec::new());
        for _ in 0..3 {
            line.push(here.legal_moves()[0]);
            here = here.play(line[line.len() - 1]);
        }
        let text = line_text(&start, &line);
        assert!(text.starts_with("1. ") && text.contains(" 2. ") && !text.contains("1..."));
        assert!(line_text(&start.play(line[0]), &line[1..]).starts_with("1... "));
    }
}
