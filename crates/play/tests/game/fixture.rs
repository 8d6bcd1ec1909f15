//! A game for tests: a state, its log, and a time that the test passes.

use hansu_chess::Color;
use hansu_play::{
    Actor, Bonus, Clocks, Command, Entry, Event, Millis, Moment, Offer, Refusal, Stage, Start,
    State, TimeControl, apply, decide, stamp,
};
use proptest::prelude::ProptestConfig;

/// The configuration for this number of cases, unless `PROPTEST_CASES` sets another number.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: usual, ..config },
    }
}

#[derive(Clone)]
pub(crate) struct GameFixture {
    pub(crate) state: State,
    pub(crate) log: Vec<Entry>,
}

impl GameFixture {
    pub(crate) fn empty() -> GameFixture {
        GameFixture { state: State::default(), log: Vec::new() }
    }

    /// A game started at moment 0.
    pub(crate) fn with(start: Start) -> GameFixture {
        let mut game = GameFixture::empty();
        game.act(Actor::System, &Command::Start(start), 0).expect("a start");
        game
    }

    pub(crate) fn timed(time: TimeControl) -> GameFixture {
        GameFixture::with(Start { time, ..Start::between("Mina", "Jun") })
    }

    /// A timed game in which both sides have made their free first move at moment 0.
    pub(crate) fn under_way(time: TimeControl) -> GameFixture {
        let mut game = GameFixture::timed(time);
        game.play("e2e4", 0).expect("a move");
        game.play("e7e5", 0).expect("a move");
        game
    }

    pub(crate) fn from_fen(fen: &str, time: TimeControl) -> GameFixture {
        GameFixture::with(Start {
            time,
            fen: Some(fen.to_owned()),
            ..Start::between("Mina", "Jun")
        })
    }

    /// Decides a command and applies its events; it is committed when it is received.
    pub(crate) fn act(
        &mut self,
        actor: Actor,
        command: &Command,
        now: u64,
    ) -> Result<Vec<Event>, Refusal> {
        self.act_at(actor, command, Moment::at(Millis(now)), Millis(now))
    }

    pub(crate) fn act_at(
        &mut self,
        actor: Actor,
        command: &Command,
        now: Moment,
        committed: Millis,
    ) -> Result<Vec<Event>, Refusal> {
        let events = decide(&self.state, actor, command, now)?;
        for entry in stamp(&self.state, events.clone(), committed) {
            apply(&mut self.state, &entry).expect("what was decided fits");
            self.log.push(entry);
        }
        Ok(events)
    }

    /// The side to move plays.
    pub(crate) fn play(&mut self, uci: &str, now: u64) -> Result<Vec<Event>, Refusal> {
        self.play_lagging(uci, now, 0)
    }

    pub(crate) fn play_lagging(
        &mut self,
        uci: &str,
        now: u64,
        lag: u64,
    ) -> Result<Vec<Event>, Refusal> {
        let actor = Actor::seat(self.state.turn());
        let moment = Moment::at(Millis(now)).lagging(Millis(lag));
        self.act_at(actor, &step(uci), moment, Millis(now))
    }

    /// Both sides move their knights out or back, without using time.
    pub(crate) fn shuffle(&mut self, now: u64) {
        for (out, back) in [("g1f3", "f3g1"), ("g8f6", "f6g8")] {
            if self.play(out, now).is_err() {
                self.play(back, now).expect("the knight goes out or back");
            }
        }
    }

    pub(crate) fn clocks(&self) -> Clocks {
        self.state.clocks().expect("a clock")
    }

    pub(crate) fn left(&self, color: Color) -> u64 {
        self.clocks()[color].0
    }

    /// The ending as `winner reason`, or `-`.
    pub(crate) fn ending(&self) -> String {
        self.state.ending().map_or("-".to_owned(), |ending| {
            let winner = ending.winner.map_or("nobody".to_owned(), |w| w.to_string());
            format!("{winner} {}", ending.reason.code())
        })
    }
}

pub(crate) fn step(uci: &str) -> Command {
    Command::Move { uci: uci.parse().expect("a move") }
}

pub(crate) fn offer(what: Offer) -> Command {
    Command::Offer { what, next: None }
}

pub(crate) fn accept(what: Offer) -> Command {
    Command::Accept { what, next: None }
}

pub(crate) fn decline(what: Offer) -> Command {
    Command::Decline { what }
}

pub(crate) fn seconds(seconds: u64) -> Millis {
    Millis::seconds(seconds)
}

pub(crate) fn stage(moves: u16, time: u64, increment: u64) -> Stage {
    Stage {
        moves: (moves > 0).then_some(moves),
        time: Millis(time),
        bonus: match increment {
            0 => Bonus::None,
            _ => Bonus::Increment(Millis(increment)),
        },
    }
}
