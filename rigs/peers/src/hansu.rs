//! hansu-chess, the library that is compared with the rivals.

use std::hint::black_box;
use std::rc::Rc;

use hansu_chess::pgn::{GameResult, PgnReason, Raw, RawSan, Reader, Visitor};
use hansu_chess::{Move, Position, San, SanError, Variant, perft};

use crate::games::Sample;
use crate::race::Job;
use crate::rivals::{Notation, Perft, Pgn, Rival, Walk, squares};

pub(crate) const HANSU: Rival = Rival {
    name: "hansu",
    perft: Some(Perft { bulk, leaves }),
    san: Some(Notation {
        read: read_san,
        read_strictly: Some(read_san_strictly),
        write: write_san,
    }),
    fen: Some(Notation { read: read_fen, read_strictly: None, write: write_fen }),
    pgn: Some(Pgn {
        tokens: Some(parse_pgn::<false>),
        parse: parse_pgn::<true>,
        replay: replay_pgn,
    }),
};

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn bulk(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| perft(&position, depth))
}

fn leaves(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| {
        let mut count = 0;
        walk(&position, depth, &mut count);
        count
    })
}

fn walk(position: &Position, depth: u32, count: &mut u64) {
    if depth == 1 {
        position.each_successor(|_, next| {
            black_box(next);
            *count += 1;
        });
    } else {
        position.each_successor(|_, next| walk(next, depth - 1, count));
    }
}

fn read_san(samples: &[Sample]) -> Job {
    reading_san(samples, San::lenient)
}

fn read_san_strictly(samples: &[Sample]) -> Job {
    reading_san(samples, str::parse)
}

fn reading_san(samples: &[Sample], parse: impl Fn(&str) -> Result<San, SanError> + 'static) -> Job {
    let tasks: Vec<(Position, String)> =
        samples.iter().map(|sample| (position(&sample.fen), sample.san.clone())).collect();
    Box::new(move |output| {
        for (position, text) in &tasks {
            let m = parse(text)
                .expect("samples are well formed")
                .to_move(position)
                .expect("samples are legal");
            output.numbers.push(squares(m.from().index() as u64, m.to().index() as u64));
        }
    })
}

fn write_san(samples: &[Sample]) -> Job {
    let tasks: Vec<(Position, Move)> = samples
        .iter()
        .map(|sample| {
            let position = position(&sample.fen);
            let san: San = sample.san.parse().expect("samples are well formed");
            (position, san.to_move(&position).expect("samples are legal"))
        })
        .collect();
    Box::new(move |output| {
        for (position, m) in &tasks {
            position.san(*m).push_to(&mut output.text);
            output.text.push('\n');
        }
    })
}

fn read_fen(samples: &[Sample]) -> Job {
    let texts: Vec<String> = samples.iter().map(|sample| sample.fen.clone()).collect();
    Box::new(move |output| {
        for text in &texts {
            black_box(&position(text));
        }
        output.numbers.push(texts.len() as u64);
    })
}

fn write_fen(samples: &[Sample]) -> Job {
    let positions: Vec<Position> = samples.iter().map(|sample| position(&sample.fen)).collect();
    Box::new(move |output| {
        for position in &positions {
            output.text.push_str(&position.fen());
            output.text.push('\n');
        }
    })
}

fn parse_pgn<const SYNTAX: bool>(text: Rc<[u8]>) -> Job {
    Box::new(move |output| {
        let mut tokens = Tokens::<SYNTAX>::default();
        let mut reader = Reader::new(&*text);
        while let Some(game) = reader.visit(&mut tokens) {
            game.expect("generated games are well formed");
        }
        output.numbers.extend([
            tokens.games,
            tokens.tags,
            tokens.moves,
            tokens.comments,
            tokens.variations,
        ]);
    })
}

/// Counts tokens, including variations; parses the syntax of moves if `SYNTAX` is true.
#[derive(Default)]
struct Tokens<const SYNTAX: bool> {
    games: u64,
    tags: u64,
    moves: u64,
    comments: u64,
    variations: u64,
}

impl<const SYNTAX: bool> Visitor for Tokens<SYNTAX> {
    fn tag(&mut self, _name: &[u8], _value: Raw<'_>) -> Result<(), PgnReason> {
        self.tags += 1;
        Ok(())
    }

    fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
        if SYNTAX {
            black_box(text.read().expect("generated moves are well formed"));
        } else {
            black_box(text.bytes());
        }
        self.moves += 1;
        Ok(())
    }

    fn comment(&mut self, _text: Raw<'_>) -> Result<(), PgnReason> {
        self.comments += 1;
        Ok(())
    }

    fn open(&mut self) -> Result<(), PgnReason> {
        self.variations += 1;
        Ok(())
    }

    fn end(&mut self, _result: Option<GameResult>) -> Result<(), PgnReason> {
        self.games += 1;
        Ok(())
    }
}

fn replay_pgn(text: Rc<[u8]>) -> Job {
    Box::new(move |output| {
        let (mut games, mut plies, mut pieces) = (0, 0, 0);
        let mut reader = Reader::new(&*text);
        while let Some(game) = reader.next_replay() {
            let game = game.expect("generated games are legal");
            games += 1;
            plies += u64::from(game.plies);
            pieces += u64::from(game.position.board().occupied().len());
        }
        output.numbers.extend([games, plies, pieces]);
    })
}
