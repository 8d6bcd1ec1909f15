//! Laws that hold in every game, checked in many thousands of random games: random commands of all
//! actors at random times, often one millisecond before or after a deadline.

use std::collections::BTreeMap;
use std::sync::Mutex;

use hansu_chess::{Claim, Color, Variant};
use hansu_play::{
    ABSENCE, Actor, Bonus, Claimed, Clocks, Command, Decision, Entry, Event, GIFT, LAG_PER_MOVE,
    Millis, Moment, Offer, Phase, Reason, Refusal, Spectators, Stage, Start, State, TimeControl,
    act, apply, decide, stamp,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::fixture::cases;

/// The number of games. `PROPTEST_CASES` sets another number; with fewer games, the test does not
/// check that every kind of event came up.
const GAMES: u32 = 100_000;

/// One step of a script: kind of command, its choices, time, lag, delay of the commit.
type Step = (u8, u16, u16, u16, u8);

fn controls() -> [TimeControl; 10] {
    let stage = |moves, time, bonus| Stage { moves, time: Millis(time), bonus };
    [
        TimeControl::Unlimited,
        TimeControl::sudden_death(Millis::seconds(20)),
        TimeControl::fischer(Millis::seconds(15), Millis::seconds(2)),
        TimeControl::bronstein(Millis::seconds(15), Millis::seconds(3)),
        TimeControl::delay(Millis::seconds(15), Millis::seconds(3)),
        TimeControl::Clock {
            stages: vec![
                stage(Some(3), 15_000, Bonus::Increment(Millis(500))),
                stage(Some(2), 5_000, Bonus::Delay(Millis(700))),
                stage(None, 4_000, Bonus::Bronstein(Millis(900))),
            ],
        },
        TimeControl::Clock { stages: vec![stage(Some(2), 9_000, Bonus::None)] },
        TimeControl::Correspondence { days: 1 },
        TimeControl::sudden_death(Millis::seconds(1)),
        TimeControl::Odds {
            white: vec![
                stage(Some(2), 9_000, Bonus::Increment(Millis(400))),
                stage(None, 3_000, Bonus::None),
            ],
            black: vec![stage(None, 30_000, Bonus::Delay(Millis(600)))],
        },
    ]
}

const POSITIONS: [Option<&str>; 8] = [
    None,
    // Near mate, stalemate or a dead position.
    Some("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"),
    Some("4k3/8/8/8/8/8/4n3/R3K3 b - - 0 1"),
    Some("4k3/8/8/8/8/8/8/R3K3 w - - 96 70"),
    Some("4k3/8/8/8/8/8/8/R3K3 b - - 146 90"),
    Some("k5q1/8/8/8/8/8/8/K6N w - - 0 1"),
    Some("r3k2r/pP4pp/8/8/8/8/PP4pP/R3K2R w KQkq - 0 1"),
    // One move locks the pawns.
    Some("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1"),
];

/// Counts what came up in all games, so that no law holds only because its case never came up.
type Seen = Mutex<BTreeMap<String, u64>>;

fn count(seen: &Seen, what: String) {
    *seen.lock().expect("no panic while counting").entry(what).or_default() += 1;
}

/// A game with its log, and what a takeback has to restore at every ply.
struct Trial {
    state: State,
    log: Vec<Entry>,
    turns: Vec<(String, Option<Clocks>, usize, Option<Claim>)>,
    forgiven: [Millis; 2],
    ends: u32,
}

impl Trial {
    fn turn(state: &State) -> (String, Option<Clocks>, usize, Option<Claim>) {
        let game = state.game();
        (game.position().fen(), state.clocks(), game.repetitions(), game.claim())
    }

    /// When the clock of the side to move reaches zero, computed without the crate's code.
    fn zero(&self) -> Option<Millis> {
        let state = &self.state;
        if state.phase() != Phase::Playing {
            return None;
        }
        let left = state.clocks()?[state.turn()];
        let most = match &state.start()?.time {
            TimeControl::Unlimited => return None,
            TimeControl::Correspondence { .. } => left,
            TimeControl::Clock { .. } | TimeControl::Odds { .. } if state.plies() < 2 => {
                Millis::minutes(1)
            }
            TimeControl::Clock { stages } => left.plus(self.delay(stages)),
            TimeControl::Odds { white, .. } if state.turn() == Color::White => {
                left.plus(self.delay(white))
            }
            TimeControl::Odds { black, .. } => left.plus(self.delay(black)),
        };
        Some(state.since().plus(most))
    }

    fn delay(&self, stages: &[Stage]) -> Millis {
        match self.stage(stages).bonus {
            Bonus::Delay(delay) => delay,
            Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => Millis::ZERO,
        }
    }

    /// The stage of the side to move, counted move by move, unlike in the crate.
    fn stage(&self, stages: &[Stage]) -> Stage {
        let (mut number, mut made) = (0, 0);
        for _ in 0..self.state.plies() / 2 {
            made += 1;
            if stages[number].moves == Some(made) {
                number = (number + 1).min(stages.len() - 1);
                made = 0;
            }
        }
        stages[number]
    }

    /// The most that a move can add to a clock.
    fn most_gain(&self, us: Color) -> Millis {
        match self.state.start().map(|start| start.time.stages(us)) {
            Some(stages @ [_, ..]) => stages.iter().fold(Millis::ZERO, |most, stage| {
                let bonus = match stage.bonus {
                    Bonus::None | Bonus::Delay(_) => Millis::ZERO,
                    Bonus::Increment(size) | Bonus::Bronstein(size) => size,
                };
                most.max(stage.time.plus(bonus))
            }),
            _ => Millis::days(1),
        }
    }

    /// Decides a command, applies its events, and checks all laws.
    fn act(
        &mut self,
        actor: Actor,
        command: &Command,
        now: Moment,
        committed: Millis,
        seen: &Seen,
    ) {
        let before = self.state.clone();
        let zero = self.zero();
        let decided = decide(&before, actor, command, now);
        let acted = act(&before, actor, command, now, committed);
        let legal_move = match (command, before.phase()) {
            (Command::Move { uci }, Phase::Playing) => {
                let seated = actor == Actor::Both || actor == Actor::seat(before.turn());
                seated && before.game().judge(uci.from, uci.to, uci.promotion).is_ok()
            }
            _ => false,
        };
        let events = match decided {
            Ok(events) => events,
            Err(refusal) => {
                assert_eq!(acted, Err(refusal));
                assert!(!legal_move, "a legal move was refused: {refusal:?}");
                if let Refusal::Move(_) = refusal {
                    count(seen, "refused move".to_owned());
                } else {
                    count(seen, format!("refused {}", refusal.code()));
                }
                return;
            }
        };
        assert!(!events.is_empty());
        if legal_move && zero.is_none_or(|zero| now.received < zero) {
            assert!(matches!(events[0], Event::Moved { .. }), "in time, but {events:?}");
        }
        let entries = stamp(&before, events, committed);
        for entry in &entries {
            self.happen(entry, now, zero, seen);
        }
        // `act` gives the same as `decide`, `stamp` and `apply`.
        let acted = acted.expect("the same");
        assert_eq!(acted.after.game().position(), self.state.game().position());
        assert_eq!(acted.after.game().outcome(), self.state.game().outcome());
        assert_eq!(acted, Decision { entries, after: self.state.clone() });
    }

    fn happen(&mut self, entry: &Entry, now: Moment, zero: Option<Millis>, seen: &Seen) {
        let before = self.state.clone();
        apply(&mut self.state, entry).expect("what was decided fits");
        let state = &self.state;
        let text = serde_json::to_string(entry).expect("an entry can be written");
        let kind = text.split("\"type\":\"").nth(1).and_then(|rest| rest.split('"').next());
        count(seen, kind.expect("a type").to_owned());

        match &entry.event {
            &Event::Moved { received, lag, clocks, .. } => {
                self.check_move(&before, received, lag, clocks, now);
                self.turns.push(Trial::turn(&self.state));
            }
            Event::TakenBack { .. } => {
                assert!(state.plies() < before.plies());
                self.turns.truncate(state.plies() + 1);
                let (expected, found) = (self.turns.last(), Trial::turn(state));
                assert_eq!(expected, Some(&found), "a takeback restores");
            }
            Event::Adjourned { clocks } => {
                let (old, new) = (before.clocks(), *clocks);
                let charged = old
                    .zip(new)
                    .map(|(old, new)| old.white.minus(new.white).plus(old.black.minus(new.black)));
                let elapsed = now.received.minus(before.since());
                assert!(charged.is_none_or(|charged| charged <= elapsed));
            }
            Event::Ended { ending, .. } => {
                self.ends += 1;
                count(seen, format!("end {}", ending.reason.code()));
                if matches!(ending.reason, Reason::Timeout | Reason::TimeoutDraw) {
                    let zero = zero.expect("only a clock flags");
                    assert!(now.received >= zero, "flagged before its time was over");
                    assert_eq!(state.clocks().map(|c| c[before.turn()]), Some(Millis::ZERO));
                }
                assert_eq!(state.deadline(), None);
            }
            Event::Chatted { .. } | Event::Left { .. } | Event::Returned { .. } => {}
            Event::Offered { what: Offer::Rematch, .. }
            | Event::Declined { what: Offer::Rematch, .. }
            | Event::RematchAgreed { .. } => assert_eq!(self.ends, 1, "rematch before the end"),
            Event::Started(_)
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::Resumed
            | Event::Credited { .. } => assert_eq!(self.ends, 0, "{entry:?} after the end"),
            &Event::TimeGiven { to, time } => {
                assert_eq!(self.ends, 0, "{entry:?} after the end");
                self.check_gift(&before, to, time);
            }
        }
        assert!(self.ends <= 1);
        assert_eq!(self.ends == 1, self.state.ending().is_some());
        assert!(self.state.since() <= entry.at || self.state.since() == before.since());
        self.check_ticking(seen);
        self.log.push(entry.clone());
    }

    /// A gift changes only one clock, by its time, and the deadline with it. A takeback to any earlier
    /// turn keeps it.
    fn check_gift(&mut self, before: &State, to: Color, time: Millis) {
        assert_eq!(time, GIFT);
        let (old, new) = (before.clocks().expect("clocks"), self.state.clocks().expect("clocks"));
        assert_eq!((new[to], new[!to]), (old[to].plus(time), old[!to]));
        assert_eq!(self.state.since(), before.since());
        let later = if to == before.turn() && before.plies() >= 2 { time } else { Millis::ZERO };
        let deadline = |state: &State| state.deadline().expect("a running clock");
        let (side, at) = deadline(before);
        assert_eq!(deadline(&self.state), (side, at.plus(later)));
        for ply in 0..before.plies() {
            assert_eq!(self.state.clocks_after(ply), before.clocks_after(ply));
        }
        for (_, clocks, ..) in &mut self.turns {
            let clocks = clocks.as_mut().expect("clocks");
            clocks[to] = clocks[to].plus(time);
        }
    }

    /// `ticking`, `clocks_at` and `deadline` agree.
    fn check_ticking(&self, seen: &Seen) {
        let state = &self.state;
        let us = state.turn();
        let Some(ticking) = state.ticking() else {
            assert_eq!(state.deadline(), None);
            assert_eq!(state.clocks_at(state.at().plus(Millis::days(1))), state.clocks());
            return;
        };
        count(seen, format!("ticking {}", ticking.from.is_some()));
        assert_eq!(state.deadline(), Some((us, ticking.until)));
        let clocks = state.clocks().expect("a clock that ticks");
        assert_eq!(ticking.left, clocks[us]);
        let moments = [Some(state.since()), ticking.from, Some(ticking.until)];
        for moment in moments.into_iter().flatten() {
            for now in [moment.minus(Millis(1)), moment, moment.plus(Millis(1))] {
                let ran = ticking.from.map_or(Millis::ZERO, |from| now.minus(from));
                let shown = state.clocks_at(now).expect("a clock that ticks");
                assert_eq!(shown[us], ticking.left.minus(ran), "{ticking:?} at {now}");
                assert_eq!(shown[!us], clocks[!us]);
            }
        }
        if let Some(from) = ticking.from {
            // The clock is at zero before the game ends by it; the time between is the lag.
            let lag = ticking.until.minus(from.plus(ticking.left));
            assert!(from.plus(ticking.left).plus(lag) == ticking.until && lag <= LAG_PER_MOVE);
        }
    }

    fn check_move(
        &mut self,
        before: &State,
        received: Millis,
        lag: Millis,
        clocks: Option<Clocks>,
        now: Moment,
    ) {
        assert_eq!(self.ends, 0, "a move after the end");
        let us = before.turn();
        assert!(lag <= now.lag && lag <= LAG_PER_MOVE);
        let forgiven = &mut self.forgiven[us as usize];
        *forgiven = forgiven.plus(lag);
        let start = before.start().expect("started");
        assert!(*forgiven <= start.time.lag_budget(us));
        assert_eq!(before.deadline().is_some(), clocks.is_some());
        let (Some(old), Some(new)) = (before.clocks(), clocks) else {
            return;
        };
        let (_, deadline) = before.deadline().expect("a running clock");
        assert!(now.received < deadline, "a flagged side moved");
        let elapsed = received.minus(before.since());
        assert!(lag <= elapsed);
        assert_eq!(new[!us], old[!us], "the other clock stands");
        assert!(old[us].minus(new[us]) <= elapsed.minus(lag), "charged more than was used");
        assert!(new[us] <= old[us].plus(self.most_gain(us)), "a gain out of nothing");
        assert!(new[us] > Millis::ZERO, "a clock at zero is flagged");
    }
}

/// The actor, command and time of a step of a script, in the present state.
fn interpret(trial: &Trial, step: Step, clock: Millis) -> (Actor, Command, Moment) {
    let (what, which, when, lag, _) = step;
    let state = &trial.state;
    let which = usize::from(which);
    let everybody =
        [Actor::White, Actor::Black, Actor::Both, Actor::System, Actor::Spectator, Actor::White];
    let players = [Actor::White, Actor::Black, Actor::Both, Actor::White, Actor::Black];
    let offer = Offer::ALL[which % 5];
    let side = Color::ALL[which % 2];
    let mut actor = players[which / 5 % 5];
    let game = state.game();
    let moves = game.position().legal_moves();
    // Often a piece goes back to where it came from, to get repetitions.
    let back = state.plies().checked_sub(2).and_then(|ply| {
        let last = game.moves()[ply];
        game.judge(last.to(), last.from(), None).ok()
    });
    let step = match back {
        Some(back) if which % 3 > 0 => Some(back),
        _ => moves.get(which % moves.len().max(1)).copied(),
    };
    let nonsense = "a1a1".parse().expect("a move");
    let uci = step.map_or(nonsense, |step| step.uci(game.variant()));
    let command = match what {
        0..=119 => {
            actor = if which % 11 == 0 { Actor::Both } else { Actor::seat(state.turn()) };
            Command::Move { uci }
        }
        120..=129 => {
            actor = everybody[which % 6];
            Command::Move { uci }
        }
        130..=134 => {
            let text = ["e2e5", "a1a1", "e7e8q", "h1h8", "e1g1"][which % 5];
            Command::Move { uci: text.parse().expect("a move") }
        }
        135..=164 => Command::Offer { what: offer, next: None },
        165..=184 => Command::Accept { what: offer, next: Some("next".to_owned()) },
        185..=192 => Command::Decline { what: offer },
        193..=202 => {
            actor = Actor::seat(state.turn());
            Command::ClaimDraw { with: (which % 3 > 0).then_some(uci) }
        }
        203..=208 => {
            let result = if which % 2 == 0 { Claimed::Win } else { Claimed::Draw };
            Command::ClaimAbsence { result }
        }
        209..=214 => {
            actor = everybody[which / 5 % 6];
            Command::Flag
        }
        215..=217 => {
            actor = everybody[which / 5 % 6];
            Command::Abort
        }
        253 | 254 => Command::GiveTime { to: side },
        218 if which % 2 == 0 => Command::Resign,
        218..=225 => {
            actor = everybody[which % 6];
            Command::Chat { text: "안녕 \"{}\"\\".to_owned(), name: Some("Ara".to_owned()) }
        }
        226..=238 => {
            actor = if which % 7 == 0 { everybody[which / 7 % 6] } else { Actor::System };
            Command::Leave { side }
        }
        239..=245 => {
            actor = if which % 7 == 0 { everybody[which / 7 % 6] } else { Actor::System };
            Command::Return { side }
        }
        246..=252 => {
            actor = if which % 7 == 0 { everybody[which / 7 % 6] } else { Actor::System };
            Command::Credit { time: Millis(u64::from(lag) * 3) }
        }
        255 => Command::Start(Start::between("Mina", "Jun")),
    };
    // Mostly a little later; sometimes around the zero of the clock or the deadline.
    let around = |moment: Option<Millis>| {
        moment.map_or(clock, |moment| Millis((moment.0 + u64::from(when % 3)).saturating_sub(1)))
    };
    let received = match when % 64 {
        0 => around(trial.zero()),
        1 => around(state.deadline().map(|(_, deadline)| deadline)),
        2 => clock.minus(Millis(u64::from(when))),
        4 => around(state.away_since(!state.turn()).map(|left| left.plus(ABSENCE))),
        3 => clock.plus(Millis(u64::from(when) * 20)),
        _ => clock.plus(Millis(u64::from(when / 64))),
    };
    (actor, command, Moment::at(received).lagging(Millis(u64::from(lag % 800))))
}

fn run(control: usize, position: usize, script: &[Step], seen: &Seen) {
    let mut trial = Trial {
        state: State::default(),
        log: Vec::new(),
        turns: Vec::new(),
        forgiven: [Millis::ZERO; 2],
        ends: 0,
    };
    let start = Command::Start(Start {
        variant: if position == 6 { Variant::Chess960 } else { Variant::Standard },
        fen: POSITIONS[position].map(str::to_owned),
        time: controls()[control].clone(),
        spectators: Spectators::Chat,
        ..Start::between("Mina", "Jun")
    });
    let mut clock = Millis::seconds(1_000);
    trial.act(Actor::System, &start, Moment::at(clock), clock, seen);
    assert_eq!(trial.state.phase(), Phase::Playing);
    trial.turns.push(Trial::turn(&trial.state));
    for &step in script {
        let (actor, command, now) = interpret(&trial, step, clock);
        let committed = now.received.plus(Millis(u64::from(step.4)));
        trial.act(actor, &command, now, committed, seen);
        clock = clock.max(committed);
    }
    assert_eq!(State::replay(&trial.log).as_ref(), Ok(&trial.state), "replaying");
    let text = serde_json::to_string(&trial.log).expect("a log can be written");
    let log: Vec<Entry> = serde_json::from_str(&text).expect("a log can be read");
    assert_eq!(log, trial.log);
    count(seen, "games".to_owned());
    for _ in &trial.log {
        count(seen, "entries".to_owned());
    }
}

#[test]
fn all_laws_hold_in_random_games() {
    let seen = Seen::default();
    let step = (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), any::<u8>());
    let script = (0..controls().len(), 0..POSITIONS.len(), vec(step, 1..48));
    let config = cases(GAMES);
    let games = config.cases;
    TestRunner::new(config)
        .run(&script, |(control, position, script)| {
            run(control, position, &script, &seen);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));

    let seen = seen.into_inner().expect("no panic while counting");
    println!("{seen:#?}");
    assert!(seen["games"] >= u64::from(games));
    if games < GAMES {
        return;
    }
    for kind in [
        "started",
        "moved",
        "offered",
        "declined",
        "taken_back",
        "adjourned",
        "resumed",
        "left",
        "returned",
        "credited",
        "time_given",
        "chatted",
        "rematch_agreed",
        "ended",
    ] {
        assert!(seen.get(kind).is_some_and(|&times| times >= 100), "too little of {kind}");
    }
    for kind in ["ticking true", "ticking false"] {
        assert!(seen.get(kind).is_some_and(|&times| times >= 10_000), "too little of {kind}");
    }
    for reason in Reason::all() {
        // Five repetitions are too rare at random; `seats` plays them.
        if reason != hansu_chess::Reason::FivefoldRepetition.into() {
            let end = format!("end {}", reason.code());
            assert!(seen.get(&end).is_some_and(|&times| times >= 10), "too little of {end}");
        }
    }
}
