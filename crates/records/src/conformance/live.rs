//! Live games: whatever a store writes later, it must read back what it was given.

use hansu_chess::{Game, Variant};

use super::{Case, Dice, anna_and_ben, append, event};
use crate::store::Store;
use crate::{
    Append, Appended, Error, Filter, Once, Page, Played as More, Row, Score, Status, Summary,
};

pub(super) const CASES: &[Case] = &[
    ("a game reads back as it was given, after every event", |store| {
        for seed in 1..=6 {
            play(&[store], seed, 120);
        }
    }),
    ("games that are played side by side do not mix", |store| {
        let mut games: Vec<Played> = (0..40).map(|_| Played::begin(store)).collect();
        let mut dice = Dice(77);
        for _ in 0..1_200 {
            let at = dice.roll(games.len());
            games[at].go_on(store, &mut dice);
        }
        for played in &games {
            played.reads_back(store);
        }
    }),
    ("moves are added to a game that is being played, and to no other", |store| {
        let mut summary = anna_and_ben();
        let game = super::begin(store, &summary);
        let mut board = Game::start();
        board.play_san("e4").expect("a legal move");
        let played = |game, expected| Append {
            row: Row::Played(More::since(&board, 0, None)),
            ..append(game, expected, &anna_and_ben())
        };
        assert_eq!(store.append(played(super::id(), 1)), Err(Error::Damaged));
        assert_eq!(store.append(played(game, 3)), Err(Error::Conflict { last_seq: 1 }));
        summary.status = Status::Adjourned;
        store.append(append(game, 2, &summary)).expect("an adjournment");
        assert_eq!(store.append(played(game, 3)), Err(Error::Damaged));
        summary.status = Status::Live;
        store.append(append(game, 3, &summary)).expect("an event");
        store.append(played(game, 4)).expect("a move");
        summary.follow(&board);
        assert_eq!(
            store.record(game).map(|found| found.map(|game| game.summary)),
            Ok(Some(summary))
        );
    }),
];

/// Plays a game; each event is written through one of several stores on the same log.
pub(crate) fn play(stores: &[&dyn Store], seed: u64, events: usize) {
    let mut dice = Dice(seed * 0x9e37_79b9);
    let mut played = Played::begin(stores[0]);
    for _ in 0..events {
        let store = dice.pick(stores);
        played.go_on(store, &mut dice);
        for store in stores {
            played.reads_back(*store);
        }
    }
    let store = dice.pick(stores);
    played.end(store);
    for store in stores {
        played.reads_back(*store);
    }
}

/// A game, and what the log must return for it.
struct Played {
    game: crate::GameId,
    board: Game,
    summary: Summary,
    last_seq: u64,
    /// The latest append with a command key, and its number.
    named: Option<(Append, u64)>,
}

impl Played {
    fn begin(store: &dyn Store) -> Played {
        let mut summary = anna_and_ben();
        summary.started = Some(5);
        let game = super::begin(store, &summary);
        let board = Game::start();
        Played { game, board, summary, last_seq: 1, named: None }
    }

    /// Mostly a move; sometimes chat, a takeback, another deadline, a resend, or an append of
    /// another process.
    fn go_on(&mut self, store: &dyn Store, dice: &mut Dice) {
        let mut events = vec![event("one")];
        let (plies, mut plain) = (self.summary.plies(), true);
        match dice.roll(40) {
            0..3 => {}
            4 => self.summary.deadline = None,
            5 => self.summary.deadline = Some(dice.roll(1 << 40) as i64),
            kind @ (3 | 6..9) => {
                plain = false;
                self.change(kind, dice);
            }
            9 => events.extend([event("two"), event("three")]),
            _ => self.step(dice),
        }
        if let Some(deadline) = &mut self.summary.deadline {
            *deadline += dice.roll(9_000) as i64;
        }
        let command_key = (dice.roll(4) > 0).then(|| format!("c{}", self.last_seq));
        let mut append =
            Append { command_key, events, ..append(self.game, self.last_seq + 1, &self.summary) };
        if plain && self.summary.status == Status::Live && dice.roll(8) > 0 {
            append.row = Row::Played(More::since(&self.board, plies, self.summary.deadline));
        }
        self.last_seq += append.events.len() as u64;
        let first = Appended { seq: self.last_seq, once: Once::First };
        assert_eq!(store.append(append.clone()), Ok(first));
        if append.command_key.is_some() {
            self.named = Some((append, self.last_seq));
        }
        if let Some((append, seq)) = &self.named
            && dice.roll(6) == 0
            && self.last_seq - seq < 8
        {
            // As first sent, or decided again.
            let expected = dice.pick(&[append.expected, self.last_seq + 1]);
            let again = Appended { seq: *seq, once: Once::Again };
            assert_eq!(store.append(Append { expected, ..append.clone() }), Ok(again));
        }
        if dice.roll(8) == 0 {
            let expected = dice.pick(&[self.last_seq, self.last_seq + 2]);
            let late = super::append(self.game, expected, &anna_and_ben());
            let conflict = Error::Conflict { last_seq: self.last_seq };
            assert_eq!(store.append(late), Err(conflict));
        }
    }

    /// Changes a column that no move changes.
    fn change(&mut self, kind: usize, dice: &mut Dice) {
        match kind {
            6 => self.summary.time_control = dice.pick(&[None, Some("300+3")]).map(str::to_owned),
            7 => self.summary.final_fen = "what the writer says".to_owned(),
            8 => self.summary.status = dice.pick(&[Status::Live, Status::Adjourned]),
            _ => self.undo(),
        }
    }

    fn step(&mut self, dice: &mut Dice) {
        let moves = self.board.position().legal_moves();
        let moves: Vec<_> = moves.iter().collect();
        if self.board.outcome().is_none() && !moves.is_empty() {
            let step = moves[dice.roll(moves.len())].uci(Variant::Standard);
            self.board.play(step.from, step.to, step.promotion).expect("a legal move");
        }
        self.follow();
    }

    fn undo(&mut self) {
        let moves = self.board.moves();
        let kept: Vec<_> = moves[..moves.len().saturating_sub(2)].to_vec();
        self.board = Game::start();
        for step in kept {
            let step = step.uci(Variant::Standard);
            self.board.play(step.from, step.to, step.promotion).expect("it was legal");
        }
        self.follow();
    }

    /// The row follows the board, but the game continues even if the rules end it.
    fn follow(&mut self) {
        self.summary.follow(&self.board);
        (self.summary.score, self.summary.reason) = (Score::Open, None);
    }

    fn end(&mut self, store: &dyn Store) {
        self.summary.status = Status::Finished;
        self.summary.score = Score::White;
        self.summary.deadline = None;
        self.follow();
        self.last_seq += 1;
        store.append(append(self.game, self.last_seq, &self.summary)).expect("an end");
    }

    fn reads_back(&self, store: &dyn Store) {
        let record = store.record(self.game).expect("a log").expect("a game");
        assert_eq!((record.last_seq, &record.summary), (self.last_seq, &self.summary));
        let nobody = super::id();
        let last = store.last_events(&[nobody, self.game]);
        assert_eq!(last, Ok(vec![(self.game, self.last_seq)]));
        let events = store.events(self.game, self.last_seq - 1, 10).expect("events");
        assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [self.last_seq]);
        let plies = u32::try_from(self.summary.plies()).expect("a number");
        let long = Filter { shortest: Some(plies), longest: Some(plies), ..Filter::default() };
        for filter in [
            long.clone(),
            Filter { status: Some(self.summary.status), ..Filter::default() },
            Filter { player: Some("Anna".to_owned()), ..long },
        ] {
            let page = Page { limit: Page::MOST, ..Page::default() };
            let listed = store.list(&filter, &page).expect("a list").games;
            assert!(listed.contains(&record), "{filter:?}: {listed:?}");
            assert_eq!(store.count(&filter), Ok(listed.len() as u64));
        }
        let due = |now| {
            let due = store.overdue(now, 1_000).expect("a list");
            due.into_iter().find(|(game, _)| *game == self.game).map(|(_, at)| at)
        };
        assert_eq!(due(i64::MAX), self.summary.deadline);
        if let Some(deadline) = self.summary.deadline {
            assert_eq!((due(deadline - 1), due(deadline)), (None, Some(deadline)));
        }
    }
}
