//! pgn-reader: a streaming visitor over tokens; shakmaty replays the games.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::{Pgn, Rival};
use crate::race::Job;

pub(crate) const PGN_READER: Rival = Rival {
    name: "pgn-reader",
    perft: None,
    san: None,
    fen: None,
    pgn: Some(Pgn { tokens: None, parse, replay }),
};

fn parse(text: Rc<[u8]>) -> Job {
    Box::new(move |output| {
        let mut tokens = Tokens::default();
        Reader::new(&*text).visit_all_games(&mut tokens).expect("memory does not fail");
        output.numbers.extend([
            tokens.games,
            tokens.tags,
            tokens.moves,
            tokens.comments,
            tokens.variations,
        ]);
    })
}

/// Counts tokens, including variations.
#[derive(Default)]
struct Tokens {
    games: u64,
    tags: u64,
    moves: u64,
    comments: u64,
    variations: u64,
}

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<()> {
        self.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        black_box(san);
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), _comment: RawComment<'_>) -> ControlFlow<()> {
        self.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.variations += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_game(&mut self, (): ()) {
        self.games += 1;
    }
}

fn replay(text: Rc<[u8]>) -> Job {
    Box::new(move |output| {
        let mut board = Board::default();
        Reader::new(&*text).visit_all_games(&mut board).expect("memory does not fail");
        output.numbers.extend([board.games, board.plies, board.pieces]);
    })
}

/// Plays the main line of each game.
#[derive(Default)]
struct Board {
    games: u64,
    plies: u64,
    pieces: u64,
}

impl Visitor for Board {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    /// Looks for a FEN tag, as any replay must, though no generated game has one.
    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("the FEN can be read");
            *start = Some(fen.into_position(CastlingMode::Chess960).expect("it is legal"));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let m = san.san.to_move(position).expect("generated games are legal");
        position.play_unchecked(m);
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, position: Chess) {
        self.games += 1;
        self.pieces += position.board().occupied().count() as u64;
    }
}
