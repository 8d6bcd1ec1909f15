//! PGN: two files of generated games, bare and commented, read from memory by all libraries.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use crate::arguments::Options;
use crate::games::{Random, choose};
use crate::race::{Contestant, race};
use crate::report::{Better, Columns, FigureTable};
use crate::rivals::RIVALS;

/// Version of the generator, a part of the file names: raise it when the output changes.
const GENERATOR: u32 = 1;

/// The format of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The export format: seven tags, moves, lines of 80 columns.
    Bare,
    /// The format that large servers publish: more tags, an evaluation and a clock after every
    /// move, some comments, annotation glyphs and variations, all on one line.
    Commented,
}

impl Style {
    const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Commented => "commented",
        }
    }
}

/// How far the games are processed.
#[derive(Debug, Clone, Copy)]
enum Depth {
    Tokens,
    Parse,
    Replay,
}

impl Depth {
    const ALL: [Self; 3] = [Self::Tokens, Self::Parse, Self::Replay];

    const fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Parse => "parse",
            Self::Replay => "replay",
        }
    }
}

pub(crate) fn table(options: &Options) -> Result<FigureTable> {
    let megabytes = if options.quick { 10 } else { 200 };
    let mut table =
        FigureTable::new("PGN, parsed and replayed", "MB/s", Better::More, Columns::Different);
    for style in [Style::Bare, Style::Commented] {
        let path = file(style, megabytes)?;
        let text: Rc<[u8]> =
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?.into();
        for depth in Depth::ALL {
            let contestants = RIVALS
                .iter()
                .filter_map(|rival| {
                    let pgn = rival.pgn?;
                    let prepare = match depth {
                        Depth::Tokens => pgn.tokens?,
                        Depth::Parse => pgn.parse,
                        Depth::Replay => pgn.replay,
                    };
                    Some(Contestant { name: rival.name, job: prepare(Rc::clone(&text)) })
                })
                .collect();
            let case = format!("{} {}", style.name(), depth.name());
            let finish = race(contestants, options.rounds, Duration::ZERO)
                .with_context(|| format!("PGN, {case}"))?;
            let bytes = text.len() as f64;
            table.column(case, &finish.figures(|seconds| bytes / seconds / 1e6));
        }
    }
    Ok(table)
}

/// The path of the generated file, which the first call writes.
fn file(style: Style, megabytes: u64) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join("hansu-peers");
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(format!("{}-{megabytes}-{GENERATOR}.pgn", style.name()));
    if !path.exists() {
        eprintln!("writing {megabytes} MB of games to {} ...", path.display());
        // Renamed when complete, so that an interrupted run leaves no partial file.
        let part = folder.join(format!("{}-{}.part", style.name(), std::process::id()));
        write(&part, style, megabytes * 1_000_000)
            .and_then(|()| fs::rename(&part, &path))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(path)
}

fn write(path: &Path, style: Style, bytes: u64) -> std::io::Result<()> {
    let mut file = BufWriter::new(fs::File::create(path)?);
    let mut random = Random::new(style as u64 + 1);
    let mut written = 0;
    let mut round = 0;
    while written < bytes {
        round += 1;
        let game = game(&mut random, style, round);
        file.write_all(game.as_bytes())?;
        written += game.len() as u64;
    }
    file.flush()
}

/// One game with its tags, ending in an empty line.
fn game(random: &mut Random, style: Style, round: u32) -> String {
    let mut moves = Movetext::default();
    let mut position = Chess::default();
    let limit = 40 + random.below(120);
    for ply in 0..limit {
        let legal = position.legal_moves();
        if legal.is_empty() || position.is_insufficient_material() {
            break;
        }
        let before = position.clone();
        let m = choose(random, &legal);
        moves.number(ply, position.turn(), style);
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        moves.token(&san.to_string());
        if style == Style::Commented {
            annotate(&mut moves, random, ply);
            if random.one_in(60) {
                variation(&mut moves, random, before, ply);
            }
        }
    }
    let result = result(random, &position);
    moves.token(result);
    let tags = tags(random, style, round, result);
    let text = match style {
        Style::Bare => wrap_lines(&moves.text),
        Style::Commented => moves.text,
    };
    format!("{tags}\n{text}\n\n")
}

/// Tokens with single spaces between them.
#[derive(Default)]
struct Movetext {
    text: String,
}

impl Movetext {
    fn token(&mut self, token: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text.push_str(token);
    }

    fn number(&mut self, ply: usize, turn: Color, style: Style) {
        let number = ply / 2 + 1;
        if turn == Color::White {
            self.token(&format!("{number}."));
        } else if style == Style::Commented {
            self.token(&format!("{number}..."));
        }
    }
}

fn annotate(moves: &mut Movetext, random: &mut Random, ply: usize) {
    if random.one_in(20) {
        moves.token(&format!("${}", 1 + random.below(6)));
    }
    let pawns = random.below(1000) as f64 / 100.0 - 5.0;
    let seconds = 600_usize.saturating_sub(ply * 3 + random.below(4));
    moves.token(&format!(
        "{{ [%eval {pawns:.2}] [%clk 0:{:02}:{:02}] }}",
        seconds / 60,
        seconds % 60
    ));
    if random.one_in(50) {
        moves.token("{ White keeps the bishop pair; (Nf3) and [e5] were worth a thought. }");
    }
}

/// Writes a variation that replaces the last move.
fn variation(moves: &mut Movetext, random: &mut Random, mut position: Chess, from: usize) {
    moves.token("(");
    for ply in from..=from + random.below(5) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        // Later moves have no comments in between, so Black's need no number.
        let style = if ply == from { Style::Commented } else { Style::Bare };
        moves.number(ply, position.turn(), style);
        let m = choose(random, &legal);
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        moves.token(&san.to_string());
    }
    moves.text.push(')');
}

/// The result on the board, or a random one if the game is not over.
fn result(random: &mut Random, position: &Chess) -> &'static str {
    match position.outcome() {
        Outcome::Known(known) => known.as_str(),
        Outcome::Unknown => {
            let ends = [
                KnownOutcome::from_winner(Some(Color::White)),
                KnownOutcome::from_winner(Some(Color::Black)),
                KnownOutcome::from_winner(None),
            ];
            ends[random.below(ends.len())].as_str()
        }
    }
}

fn tags(random: &mut Random, style: Style, round: u32, result: &str) -> String {
    let (year, month, day) = (1990 + random.below(36), 1 + random.below(12), 1 + random.below(28));
    let (white, black) = (random.below(10_000), random.below(10_000));
    let mut tags = format!(
        "[Event \"Random games\"]\n[Site \"Nowhere\"]\n[Date \"{year}.{month:02}.{day:02}\"]\n\
         [Round \"{round}\"]\n[White \"Player {white}\"]\n[Black \"Player {black}\"]\n\
         [Result \"{result}\"]\n"
    );
    if style == Style::Commented {
        let (ours, theirs) = (1200 + random.below(1400), 1200 + random.below(1400));
        tags.push_str(&format!(
            "[WhiteElo \"{ours}\"]\n[BlackElo \"{theirs}\"]\n[TimeControl \"600+0\"]\n\
             [Opening \"The \\\"Random\\\" Opening\"]\n[Termination \"Normal\"]\n"
        ));
    }
    tags
}

/// Breaks at spaces so that lines stay below 80 columns.
fn wrap_lines(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + 8);
    let mut column = 0;
    for token in text.split(' ') {
        if column > 0 && column + 1 + token.len() >= 80 {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(token);
        column += token.len();
    }
    lines
}
