//! A series of games between two players, on several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use hansu_chess::{Color, Move};
use hansu_engine::{Engine, Evaluator, Settings, Signals};

use crate::game::{Ending, Pace, draw_fair_opening, play};
use crate::player::{Player, PlayerError};
use crate::sprt::{Pairs, Sprt};
use crate::uci::Fault;

/// The stack of a thread that plays: a search goes deep.
const STACK: usize = 16 << 20;

/// A match of two players: each opening is played twice, with both colours.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// The players' names: `own`, `hand`, a net's file, `level:4`,
    /// `strength:NODES/DEPTH/LINES/ERROR/BLINDNESS`, `cmd:PROGRAM,OPTION=VALUE`.
    pub players: [&'a str; 2],
    /// The limit for each move.
    pub pace: Pace,
    /// How many games at the most; an odd number is rounded up.
    pub games: u64,
    /// How many games at once.
    pub threads: usize,
    /// The openings follow from it.
    pub seed: u64,
    /// The match ends when it is decided.
    pub test: Option<Sprt>,
}

/// A game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The number of the pair, from 0; both games of it have the same opening.
    pub pair: u64,
    /// Which player had White: 0 or 1.
    pub white: usize,
    /// All moves, the opening's first.
    pub moves: &'a [Move],
    /// How it ended.
    pub ending: Ending,
}

impl PlayedGame<'_> {
    /// Points of a player in halves: 0, 1 or 2.
    pub fn points(&self, player: usize) -> usize {
        if player == self.white { self.ending.points } else { 2 - self.ending.points }
    }

    /// The player of a colour: 0 or 1.
    pub fn player(&self, color: Color) -> usize {
        if color == Color::White { self.white } else { 1 - self.white }
    }
}

/// Results of a match, for the first player. Only pairs that were played to their end count.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The results of the pairs.
    pub pairs: Pairs,
    /// Games won, drawn and lost.
    pub results: [u64; 3],
    /// Who lost a game without having lost it on the board, and why.
    pub faults: Vec<(usize, Fault)>,
}

impl Series<'_> {
    /// Plays the match; returns early when the test is decided, or when `signals` say stop (the
    /// games under way do not count then). `seen` is called after each pair, with its two games.
    ///
    /// # Errors
    ///
    /// If a player cannot be started.
    pub fn run(
        &self,
        signals: &Signals,
        seen: &(dyn Fn(&[PlayedGame<'_>; 2], &Tally) + Sync),
    ) -> Result<Tally, PlayerError> {
        let tally = Mutex::new(Tally::default());
        let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let play_pairs = || -> Result<(), PlayerError> {
            let mut duel = Duel::new(self)?;
            while !over.load(Relaxed) && !signals.stop.load(Relaxed) {
                let pair = next.fetch_add(1, Relaxed);
                if pair >= self.games.div_ceil(2) {
                    break;
                }
                let Some(games) = duel.play_pair(pair, signals)? else { break };
                let games = games.each_ref().map(DuelGame::played);
                let so_far = {
                    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                    tally.add(&games);
                    tally.clone()
                };
                if self.test.is_some_and(|test| test.verdict(&so_far.pairs).is_some()) {
                    over.store(true, Relaxed);
                }
                seen(&games, &so_far);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1))
                .filter_map(|_| {
                    let builder = std::thread::Builder::new().stack_size(STACK);
                    builder.spawn_scoped(scope, play_pairs).ok()
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })?;
        Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Tally {
    fn add(&mut self, games: &[PlayedGame<'_>; 2]) {
        self.pairs.0[games[0].points(0) + games[1].points(0)] += 1;
        for game in games {
            self.results[2 - game.points(0)] += 1;
            if let Some(fault) = &game.ending.fault {
                let loser = usize::from(game.points(0) > 0);
                self.faults.push((loser, fault.clone()));
            }
        }
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

/// A game that was just played.
struct DuelGame {
    pair: u64,
    white: usize,
    moves: Vec<Move>,
    ending: Ending,
}

impl DuelGame {
    fn played(&self) -> PlayedGame<'_> {
        let DuelGame { pair, white, ref moves, ref ending } = *self;
        PlayedGame { pair, white, moves, ending: ending.clone() }
    }
}

/// Both players of one thread, and the engine that judges openings.
struct Duel<'a> {
    series: &'a Series<'a>,
    players: [Player; 2],
    judge: Engine,
}

impl<'a> Duel<'a> {
    fn new(series: &'a Series<'a>) -> Result<Duel<'a>, PlayerError> {
        let [a, b] = series.players;
        let settings = Settings { megabytes: 4, threads: 1, evaluator: Evaluator::best() };
        Ok(Duel {
            series,
            players: [Player::new(a)?, Player::new(b)?],
            judge: Engine::new(settings),
        })
    }

    /// Both games of a pair; `None` if the match was stopped meanwhile.
    fn play_pair(
        &mut self,
        pair: u64,
        signals: &Signals,
    ) -> Result<Option<[DuelGame; 2]>, PlayerError> {
        let Some(first) = self.play_game(pair, 0, signals)? else { return Ok(None) };
        Ok(self.play_game(pair, 1, signals)?.map(|second| [first, second]))
    }

    fn play_game(
        &mut self,
        pair: u64,
        white: usize,
        signals: &Signals,
    ) -> Result<Option<DuelGame>, PlayerError> {
        // The opening depends on the pair only, not on the thread that plays it.
        let number = self.series.seed.wrapping_mul(1_000_003).wrapping_add(pair);
        let mut line = draw_fair_opening(number, white, &mut self.judge);
        let [a, b] = &mut self.players;
        let mut players = if white == 0 { [a, b] } else { [b, a] };
        let Some(ending) = play(&mut players, &mut line, self.series.pace, signals) else {
            return Ok(None);
        };
        if ending.fault.is_some() {
            // A program that failed is started again; the other one is not known to be idle.
            let [a, b] = self.series.players;
            self.players = [Player::new(a)?, Player::new(b)?];
        }
        Ok(Some(DuelGame { pair, white, moves: line.moves, ending }))
    }
}
