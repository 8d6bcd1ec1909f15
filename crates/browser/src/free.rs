//! The free board: positions and games with variations, without seats and clocks.
//!
//! A [`Tree`] is a flat list in which every move has the index of its parent, so that a game of
//! 1,000 moves needs no deep nesting. The first child of a move continues its line; further
//! children begin variations.

use hansu_chess::pgn::{GameResult, Line, MAX_DEPTH, Ply, Reader, Record, Tags};
use hansu_chess::{FenError, Move, Position, UciMove, Variant};
use hansu_protocol::{Board, Kind, Language, LegalMoves, Refusal};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use serde::{Deserialize, Serialize};

/// A request of the free board: `{"moves":{"fen":"…"}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeRequest {
    /// Asks for the legal moves of a position, or what is wrong with it.
    Moves {
        /// The position as FEN.
        fen: String,
        /// The chess variant.
        #[serde(default)]
        variant: Kind,
        /// The language of errors.
        #[serde(default)]
        lang: Language,
    },
    /// Plays a move.
    Play {
        /// The position as FEN.
        fen: String,
        /// The chess variant.
        #[serde(default)]
        variant: Kind,
        /// The move in UCI notation.
        r#move: String,
        /// The language of a refusal.
        #[serde(default)]
        lang: Language,
    },
    /// Reads a FEN, or the first game of a PGN.
    Read {
        /// The FEN or PGN.
        text: String,
        /// The language of errors.
        #[serde(default)]
        lang: Language,
    },
    /// Writes a tree as PGN.
    Write {
        /// The tree.
        tree: Tree,
        /// The language of errors.
        #[serde(default)]
        lang: Language,
    },
}

/// The response to a [`FreeRequest`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeResponse {
    /// The legal moves of a position.
    Moves(LegalMoves),
    /// The played move.
    Played(Branch),
    /// The game or position that was read.
    Tree(Tree),
    /// The written PGN.
    Pgn(String),
}

/// A game with variations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tree {
    /// The chess variant.
    pub variant: Kind,
    /// The start position as FEN.
    pub start: String,
    /// The square of the king that is in check in the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// PGN tags: names and values.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves; a parent comes before its children.
    pub branches: Vec<Branch>,
}

/// A move of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Index of the move before it in [`Tree::branches`]; `None` for a first move.
    #[serde(default)]
    pub parent: Option<usize>,
    /// The move in UCI notation.
    pub uci: String,
    /// The move in algebraic notation; ignored in a request.
    #[serde(default)]
    pub san: String,
    /// The board after the move; ignored in a request.
    #[serde(default = "empty_board")]
    pub board: Board,
    /// Numeric annotation glyphs of PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Comments before it, where it begins a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Comments after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
}

fn empty_board() -> Board {
    Board { fen: String::new(), check: None }
}

/// Answers a request of the free board.
///
/// # Errors
///
/// What is wrong with the request, as a sentence.
pub(crate) fn answer(request: FreeRequest) -> Result<FreeResponse, Refusal> {
    match request {
        FreeRequest::Moves { fen, variant, lang } => {
            let (variant, lang) = (view::variant(variant), view::lang(lang));
            let position = view::position(Some(fen.trim()), variant, lang)?;
            Ok(FreeResponse::Moves(view::legal_moves(&position, variant)))
        }
        FreeRequest::Play { fen, variant, r#move, lang } => {
            let (variant, lang) = (view::variant(variant), view::lang(lang));
            let position = view::position(Some(fen.trim()), variant, lang)?;
            let (step, _) = play(&position, &r#move, lang)?;
            Ok(FreeResponse::Played(branch(&position, step, variant, None)))
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

fn refusal(code: &str, text: String) -> Refusal {
    Refusal { code: code.to_owned(), squares: Vec::new(), by: Vec::new(), text }
}

fn read(text: &str, lang: Lang) -> Result<FreeResponse, Refusal> {
    // A FEN is one line with seven slashes; a PGN is not.
    if text.lines().count() == 1 && text.matches('/').count() == 7 && !text.contains('[') {
        let usual = Position::from_fen(text, Variant::Standard);
        // Castling with rooks on other files exists only in Chess960.
        let (position, variant) = match (usual, Position::from_fen(text, Variant::Chess960)) {
            (Ok(position), _) => (position, Variant::Standard),
            (Err(_), Ok(position)) => (position, Variant::Chess960),
            (Err(error), Err(_)) => return Err(bad_position(error, lang)),
        };
        let record = Record { variant, start: position, ..Record::default() };
        return Ok(FreeResponse::Tree(to_tree(&record)));
    }
    match Reader::new(text.as_bytes()).next_lenient_game() {
        Some(Ok(record)) => Ok(FreeResponse::Tree(to_tree(&record))),
        Some(Err(error)) => Err(refusal("bad_pgn", lang.pgn_reason(error.reason))),
        None => Err(bad_position(FenError::Board, lang)),
    }
}

fn bad_position(error: FenError, lang: Lang) -> Refusal {
    refusal("bad_position", lang.fen_error(error))
}

fn to_tree(record: &Record) -> Tree {
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
    add_line(&mut tree.branches, &record.main, &record.start, record.variant, None);
    tree
}

/// Adds a line and its variations. The recursion is as deep as the variations; the reader limits
/// that.
fn add_line(
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
            add_line(branches, variation, &here, variant, parent);
            if let Some(first) = branches.get_mut(first) {
                first.before.clone_from(&variation.comments);
            }
        }
        here = here.play(ply.step);
        parent = Some(at);
    }
}

fn write(tree: &Tree, lang: Lang) -> Result<FreeResponse, Refusal> {
    let variant = view::variant(tree.variant);
    let start = view::position(Some(&tree.start), variant, lang)?;
    let mut tags = Tags::new();
    for (name, value) in &tree.tags {
        // Tags that are not valid are left out.
        let _ = tags.set(name, value);
    }
    let mut children = vec![Vec::new(); tree.branches.len() + 1];
    for (at, branch) in tree.branches.iter().enumerate() {
        let parent = branch.parent.map_or(0, |parent| parent + 1);
        // A parent must come before its children, so there are no cycles.
        if parent > at {
            return Err(view::server_refusal(ServerRefusal::BadRequest, lang));
        }
        children[parent].push(at);
    }
    let writer = TreeWriter { tree, children, lang };
    let mut main = writer.line(&start, None, 0)?;
    main.comments.clone_from(&tree.comments);
    let result = GameResult::ALL.into_iter().find(|result| result.text() == tree.result);
    let result = result.unwrap_or_default();
    let record = Record { line: 0, tags, variant, start, main, result };
    Ok(FreeResponse::Pgn(record.to_string()))
}

/// Converts a tree to lines of a PGN record.
struct TreeWriter<'a> {
    tree: &'a Tree,
    /// Indices of the children: of the start position first, then of each move.
    children: Vec<Vec<usize>>,
    lang: Lang,
}

impl TreeWriter<'_> {
    /// The line that begins with the move `first`, or the main line.
    fn line(&self, start: &Position, first: Option<usize>, depth: usize) -> Result<Line, Refusal> {
        if depth > MAX_DEPTH {
            return Err(view::server_refusal(ServerRefusal::TooLarge, self.lang));
        }
        let mut line = Line::default();
        let mut here = *start;
        let mut at = first.or_else(|| self.children[0].first().copied());
        // The siblings of a variation's first move belong to the line that it leaves.
        let mut siblings: &[usize] =
            if first.is_some() { &[] } else { self.children[0].get(1..).unwrap_or_default() };
        while let Some(now) = at {
            let branch = &self.tree.branches[now];
            let (step, next) = play(&here, &branch.uci, self.lang)?;
            let mut ply = Ply::from(step);
            ply.nags.clone_from(&branch.nags);
            ply.comments.clone_from(&branch.comments);
            for &other in siblings {
                let mut variation = self.line(&here, Some(other), depth + 1)?;
                variation.comments.clone_from(&self.tree.branches[other].before);
                ply.variations.push(variation);
            }
            line.plies.push(ply);
            here = next;
            let next_moves = &self.children[now + 1];
            at = next_moves.first().copied();
            siblings = next_moves.get(1..).unwrap_or_default();
        }
        Ok(line)
    }
}
