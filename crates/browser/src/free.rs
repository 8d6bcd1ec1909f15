//! The free board: positions and games with variations, without seats and clocks.
//!
//! A [`Tree`] is a list in which every move names the one before it, so that a game of a thousand
//! moves is not deeper than one of ten. The first move that names a parent is its main line.

use hansu_chess::pgn::{GameResult, Line, MAX_DEPTH, Ply, Reader, Record, Tags};
use hansu_chess::{FenError, Move, Position, UciMove, Variant};
use hansu_protocol::{Board, Kind, Language, LegalMoves, Refusal};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use serde::{Deserialize, Serialize};

/// What the free board asks: `{"moves":{"fen":"…"}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeRequest {
    /// Where one may go from a position, or what is wrong with it.
    Moves {
        /// The position.
        fen: String,
        /// By which rules.
        #[serde(default)]
        variant: Kind,
        /// The language of what is wrong.
        #[serde(default)]
        lang: Language,
    },
    /// Plays a move.
    Play {
        /// The position.
        fen: String,
        /// By which rules.
        #[serde(default)]
        variant: Kind,
        /// The move, as UCI writes it.
        r#move: String,
        /// The language of a refusal.
        #[serde(default)]
        lang: Language,
    },
    /// Reads a FEN, or the first game of a PGN.
    Read {
        /// Either.
        text: String,
        /// The language of what is wrong.
        #[serde(default)]
        lang: Language,
    },
    /// Writes a tree as PGN.
    Write {
        /// The tree.
        tree: Tree,
        /// The language of what is wrong.
        #[serde(default)]
        lang: Language,
    },
}

/// What the free board is answered; one of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeAnswer {
    /// The legal moves of a position.
    Moves(LegalMoves),
    /// A move that was played.
    Played(Branch),
    /// What was read.
    Tree(Tree),
    /// What was written.
    Pgn(String),
}

/// A game with variations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tree {
    /// By which rules.
    pub variant: Kind,
    /// Where it starts.
    pub start: String,
    /// The square of the king that is in check there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Names and values of PGN.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves, each behind the one that it follows.
    pub branches: Vec<Branch>,
}

/// A move of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The move before it, by its place in the list; none for a first move.
    #[serde(default)]
    pub parent: Option<usize>,
    /// As UCI writes it.
    pub uci: String,
    /// As people write it.
    #[serde(default)]
    pub san: String,
    /// The board after it. A writer may leave it out.
    #[serde(default = "nowhere")]
    pub board: Board,
    /// Signs, as PGN numbers them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What is said before it, where it begins a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// What is said about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
}

fn nowhere() -> Board {
    Board { fen: String::new(), check: None }
}

/// Answers a question of the free board.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(crate) fn answer(request: FreeRequest) -> Result<FreeAnswer, Refusal> {
    match request {
        FreeRequest::Moves { fen, variant, lang } => {
            let (variant, lang) = (view::variant(variant), view::lang(lang));
            let position = view::position(Some(fen.trim()), variant, lang)?;
            Ok(FreeAnswer::Moves(view::legal_moves(&position, variant)))
        }
        FreeRequest::Play { fen, variant, r#move, lang } => {
            let (variant, lang) = (view::variant(variant), view::lang(lang));
            let position = view::position(Some(fen.trim()), variant, lang)?;
            let (step, _) = play(&position, &r#move, lang)?;
            Ok(FreeAnswer::Played(branch(&position, step, variant, None)))
        }
        FreeRequest::Read { text, lang } => read(text.trim(), view::lang(lang)),
        FreeRequest::Write { tree, lang } => write(&tree, view::lang(lang)),
    }
}

fn play(position: &Position, uci: &str, lang: Lang) -> Result<(Move, Position), Refusal> {
    let bad = || view::server_refusal(ServerRefusal::BadMove, lang);
    let step = uci.parse::<UciMove>().map_err(|_| bad())?.to_move(position).map_err(|_| bad())?;
    Ok((step, position.play(step)))
}

fn branch(position: &Position, step: Move, variant: Variant, parent: Option<usize>) -> Branch {
    Branch {
        parent,
        uci: step.uci(variant).to_string(),
        san: position.san(step).to_string(),
        board: view::board(&position.play(step)),
        nags: Vec::new(),
        before: Vec::new(),
        comments: Vec::new(),
    }
}

fn refused(code: &str, text: String) -> Refusal {
    Refusal { code: code.to_owned(), squares: Vec::new(), by: Vec::new(), text }
}

fn read(text: &str, lang: Lang) -> Result<FreeAnswer, Refusal> {
    // A FEN is one line with at least seven slashes; a PGN does not look like that.
    if text.lines().count() == 1 && text.matches('/').count() == 7 && !text.contains('[') {
        let usual = Position::from_fen(text, Variant::Standard);
        // Castling with rooks elsewhere is written, and possible, in Chess960 alone.
        let (position, variant) = match (usual, Position::from_fen(text, Variant::Chess960)) {
            (Ok(position), _) => (position, Variant::Standard),
            (Err(_), Ok(position)) => (position, Variant::Chess960),
            (Err(error), Err(_)) => return Err(bad_position(error, lang)),
        };
        let record = Record { variant, start: position, ..Record::default() };
        return Ok(FreeAnswer::Tree(tree(&record)));
    }
    match Reader::new(text.as_bytes()).next_lenient_game() {
        Some(Ok(record)) => Ok(FreeAnswer::Tree(tree(&record))),
        Some(Err(error)) => Err(refused("bad_pgn", lang.pgn_reason(error.reason))),
        None => Err(bad_position(FenError::Board, lang)),
    }
}

fn bad_position(error: FenError, lang: Lang) -> Refusal {
    refused("bad_position", lang.fen_error(error))
}

fn tree(record: &Record) -> Tree {
    let Board { fen, check } = view::board(&record.start);
    let mut tree = Tree {
        variant: view::kind(record.variant),
        start: fen,
        check,
        tags: record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        result: record.result.text().to_owned(),
        comments: record.main.comments.clone(),
        branches: Vec::new(),
    };
    grow(&mut tree.branches, &record.main, &record.start, record.variant, None);
    tree
}

/// Adds a line. No deeper than variations are, which the reader limits.
fn grow(
    branches: &mut Vec<Branch>,
    line: &Line,
    start: &Position,
    variant: Variant,
    parent: Option<usize>,
) {
    let (mut here, mut parent) = (*start, parent);
    for ply in &line.plies {
        let at = branches.len();
        branches.push(Branch {
            nags: ply.nags.clone(),
            comments: ply.comments.clone(),
            ..branch(&here, ply.step, variant, parent)
        });
        for variation in &ply.variations {
            let first = branches.len();
            grow(branches, variation, &here, variant, parent);
            if let Some(first) = branches.get_mut(first) {
                first.before.clone_from(&variation.comments);
            }
        }
        here = here.play(ply.step);
        parent = Some(at);
    }
}

fn write(tree: &Tree, lang: Lang) -> Result<FreeAnswer, Refusal> {
    let variant = view::variant(tree.variant);
    let start = view::position(Some(&tree.start), variant, lang)?;
    let mut tags = Tags::new();
    for (name, value) in &tree.tags {
        // What cannot be written as a tag is left out.
        let _ = tags.set(name, value);
    }
    let mut children = vec![Vec::new(); tree.branches.len() + 1];
    for (at, branch) in tree.branches.iter().enumerate() {
        let parent = branch.parent.map_or(0, |parent| parent + 1);
        // A move follows one that stands before it: so there are no circles.
        if parent > at {
            return Err(view::server_refusal(ServerRefusal::BadRequest, lang));
        }
        children[parent].push(at);
    }
    let pen = Pen { tree, children, lang };
    let mut main = pen.line(&start, None, 0)?;
    main.comments.clone_from(&tree.comments);
    let result = GameResult::ALL.into_iter().find(|result| result.text() == tree.result);
    let result = result.unwrap_or_default();
    let record = Record { line: 0, tags, variant, start, main, result };
    Ok(FreeAnswer::Pgn(record.to_string()))
}

/// A tree that is being written.
struct Pen<'a> {
    tree: &'a Tree,
    /// What follows the start, and then each move.
    children: Vec<Vec<usize>>,
    lang: Lang,
}

impl Pen<'_> {
    /// The line that begins with a move, or the main line.
    fn line(&self, start: &Position, first: Option<usize>, depth: usize) -> Result<Line, Refusal> {
        if depth > MAX_DEPTH {
            return Err(view::server_refusal(ServerRefusal::TooLarge, self.lang));
        }
        let mut line = Line::default();
        let mut here = *start;
        let mut at = first.or_else(|| self.children[0].first().copied());
        // The first move of a variation stands beside others, which are told elsewhere.
        let mut beside: &[usize] =
            if first.is_some() { &[] } else { self.children[0].get(1..).unwrap_or_default() };
        while let Some(now) = at {
            let branch = &self.tree.branches[now];
            let (step, next) = play(&here, &branch.uci, self.lang)?;
            let mut ply = Ply::from(step);
            ply.nags.clone_from(&branch.nags);
            ply.comments.clone_from(&branch.comments);
            for &other in beside {
                let mut variation = self.line(&here, Some(other), depth + 1)?;
                variation.comments.clone_from(&self.tree.branches[other].before);
                ply.variations.push(variation);
            }
            line.plies.push(ply);
            here = next;
            let then = &self.children[now + 1];
            at = then.first().copied();
            beside = then.get(1..).unwrap_or_default();
        }
        Ok(line)
    }
}
