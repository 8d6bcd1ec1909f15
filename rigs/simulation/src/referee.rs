//! Checks every entry of the log with its own clock: the rules of time are implemented here a
//! second time, in the simplest way.

use hansu_chess::Color;
use hansu_play::{
    Bonus, Clocks, Entry, Event, GIFT, LAG_PER_MOVE, Millis, Phase, Reason, Sides, Stage, State,
    TimeControl,
};
use hansu_protocol::Wish;

use crate::laws::{Law, LawResult, check};

/// The author of an entry, as far as the log knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Author {
    /// The server itself.
    Server,
    /// The server, for the time of an outage.
    Outage,
    /// A player that aborts the game.
    Aborts(Color),
    /// A player that moves or claims a draw.
    Moves(Color),
    /// A player with any other command.
    Seated(Color),
    /// A spectator.
    Watcher,
}

impl Author {
    /// A player with a wish.
    pub(crate) fn of(seat: Color, wish: &Wish) -> Author {
        match wish {
            Wish::Abort => Author::Aborts(seat),
            Wish::Move { .. } | Wish::ClaimDraw { .. } => Author::Moves(seat),
            _ => Author::Seated(seat),
        }
    }

    fn seat(self) -> Option<Color> {
        match self {
            Author::Aborts(color) | Author::Moves(color) | Author::Seated(color) => Some(color),
            Author::Server | Author::Outage | Author::Watcher => None,
        }
    }
}

/// The expected clocks.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    time: TimeControl,
    clocks: Option<Clocks>,
    /// The clocks at the beginning of every turn.
    turns: Vec<Option<Clocks>>,
    since: Millis,
    at: Millis,
    lag: Sides<Millis>,
    ended: bool,
}

/// When the clock of the side to move reaches zero, and the deadline from which no lag can save a
/// move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limit {
    pub(crate) zero: Millis,
    pub(crate) deadline: Millis,
}

impl Referee {
    pub(crate) fn new(time: TimeControl) -> Referee {
        Referee {
            time,
            clocks: None,
            turns: Vec::new(),
            since: Millis::ZERO,
            at: Millis::ZERO,
            lag: Sides::default(),
            ended: false,
        }
    }

    /// The stage of the side to move, and the time that its clock gets if this move completes it.
    fn stage(&self, stages: &[Stage]) -> (Stage, Millis) {
        let made = (self.turns.len() - 1) / 2;
        let (mut number, mut in_stage) = (0, 0);
        for _ in 0..made {
            in_stage += 1;
            if stages[number].moves == Some(in_stage) {
                (number, in_stage) = ((number + 1).min(stages.len() - 1), 0);
            }
        }
        let stage = stages[number];
        let next = stages[(number + 1).min(stages.len() - 1)].time;
        let completes = stage.moves == Some(in_stage + 1);
        (stage, if completes { next } else { Millis::ZERO })
    }

    fn is_first_move(&self) -> bool {
        let counts = matches!(self.time, TimeControl::Clock { .. } | TimeControl::Odds { .. });
        counts && self.turns.len() <= 2
    }

    /// How long the side to move may take, without lag.
    pub(crate) fn allowance(&self, us: Color) -> Option<Millis> {
        let left = self.clocks?[us];
        match &self.time {
            TimeControl::Unlimited => None,
            TimeControl::Correspondence { .. } => Some(left),
            // All games here are short: a tenth of the first stage is less than a minute.
            TimeControl::Clock { .. } | TimeControl::Odds { .. } => Some(if self.is_first_move() {
                Millis::minutes(1)
            } else {
                left.plus(self.stage(self.time.stages(us)).0.bonus.delay())
            }),
        }
    }

    pub(crate) fn limit(&self, us: Color) -> Option<Limit> {
        let zero = self.since.plus(self.allowance(us)?);
        let deadline = match &self.time {
            TimeControl::Unlimited | TimeControl::Correspondence { .. } => zero,
            _ if self.is_first_move() => zero,
            TimeControl::Clock { .. } | TimeControl::Odds { .. } => zero.plus(self.most_lag(us)),
        };
        Some(Limit { zero, deadline })
    }

    fn most_lag(&self, us: Color) -> Millis {
        let [first, ..] = self.time.stages(us) else { return Millis::ZERO };
        let budget = Millis(first.time.0 / 6).min(Millis::seconds(10));
        LAG_PER_MOVE.min(budget.minus(self.lag[us]))
    }

    /// Checks an entry that was committed after the state `before`.
    pub(crate) fn check_entry(
        &mut self,
        before: &State,
        entry: &Entry,
        author: Author,
    ) -> LawResult {
        let wrong = |what: &str| format!("{what}: {entry:?} by {author:?} after {self:?}");
        check(Law::Clock, entry.at >= self.at, || wrong("time goes back"))?;
        check(Law::Seat, is_allowed(before, &entry.event, author), || wrong("not theirs"))?;
        let us = before.turn();
        match &entry.event {
            Event::Started(_) => {
                self.clocks = self.time.initial();
                self.turns = vec![self.clocks];
                self.since = entry.at;
            }
            &Event::Moved { received, lag, clocks, .. } => {
                let expected = self.clocks_after_move(us, received, lag);
                let sound = received >= self.since && received <= entry.at;
                check(Law::Clock, sound, || wrong("received before the turn"))?;
                check(Law::Clock, Some(clocks) == expected, || {
                    wrong(&format!("clocks should be {expected:?}"))
                })?;
                self.lag[us] = self.lag[us].plus(lag);
                (self.clocks, self.since) = (clocks, entry.at);
                self.turns.push(clocks);
            }
            // A gift also counts for every turn that a takeback can return to.
            &Event::TimeGiven { to, time } => {
                check(Law::Clock, time == GIFT, || wrong("another gift"))?;
                let all = self.turns.iter_mut().chain([&mut self.clocks]);
                for clocks in all.flatten() {
                    clocks[to] = clocks[to].plus(time);
                }
            }
            &Event::TakenBack { plies, clocks } => {
                let turns = self.turns.len().saturating_sub(usize::from(plies));
                let expected = self.turns[..turns].last().copied();
                check(Law::Clock, expected == Some(clocks), || wrong("clocks of another turn"))?;
                self.turns.truncate(turns);
                (self.clocks, self.since) = (clocks, entry.at);
            }
            &Event::Adjourned { clocks } => {
                self.check_stopped_clocks(us, clocks, entry.at, &wrong)?;
                self.clocks = clocks;
            }
            Event::Resumed => self.since = entry.at,
            &Event::Credited { time } => self.since = self.since.plus(time).min(entry.at),
            &Event::Ended { ending, clocks } => {
                check(Law::End, !self.ended, || wrong("a second end"))?;
                if before.phase() == Phase::Playing {
                    self.check_stopped_clocks(us, clocks, entry.at, &wrong)?;
                }
                let timed = match ending.reason {
                    Reason::Timeout => ending.winner == Some(!us),
                    Reason::TimeoutDraw => true,
                    Reason::Abort => !matches!(author, Author::Aborts(_)),
                    Reason::Chess(_) | Reason::Abandonment => false,
                };
                if timed {
                    self.check_flag(us, entry.at, &wrong)?;
                }
                self.ended = true;
            }
            Event::Offered { .. }
            | Event::Declined { .. }
            | Event::Left { .. }
            | Event::Returned { .. }
            | Event::Chatted { .. }
            | Event::RematchAgreed { .. } => {}
        }
        self.at = entry.at;
        Ok(())
    }

    /// The clocks after a move; `None` when it is too late.
    fn clocks_after_move(
        &self,
        us: Color,
        received: Millis,
        lag: Millis,
    ) -> Option<Option<Clocks>> {
        let Some(mut clocks) = self.clocks else { return Some(None) };
        let left = clocks[us];
        let elapsed = received.minus(self.since);
        clocks[us] = match &self.time {
            TimeControl::Unlimited => return None,
            &TimeControl::Correspondence { days } => {
                let full = Millis::days(u64::from(days));
                (lag == Millis::ZERO && elapsed < left).then_some(full)?
            }
            TimeControl::Clock { .. } | TimeControl::Odds { .. } => {
                let (stage, gift) = self.stage(self.time.stages(us));
                if self.is_first_move() {
                    (elapsed < Millis::minutes(1) && lag == Millis::ZERO).then_some(())?;
                    left.plus(gift)
                } else {
                    let used = elapsed.minus(lag);
                    let sound = lag <= self.most_lag(us) && lag <= elapsed;
                    (sound && used < left.plus(stage.bonus.delay())).then_some(())?;
                    let (cost, back) = match stage.bonus {
                        Bonus::None => (used, Millis::ZERO),
                        Bonus::Increment(more) => (used, more),
                        Bonus::Bronstein(most) => (used, used.min(most)),
                        Bonus::Delay(delay) => (used.minus(delay), Millis::ZERO),
                    };
                    Millis(left.0 - cost.0).plus(back).plus(gift)
                }
            }
        };
        Some(Some(clocks))
    }

    /// Checks the clocks when the game stops in the middle of a turn: neither side gains time, and
    /// the side to move loses at most the elapsed time.
    fn check_stopped_clocks(
        &self,
        us: Color,
        clocks: Option<Clocks>,
        at: Millis,
        wrong: &dyn Fn(&str) -> String,
    ) -> LawResult {
        let sound = match (self.clocks, clocks) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                let least = before[us].minus(at.minus(self.since));
                after[!us] == before[!us] && (least..=before[us]).contains(&after[us])
            }
            _ => false,
        };
        check(Law::Clock, sound, || wrong("clocks at the end of the turn"))
    }

    fn check_flag(&self, us: Color, at: Millis, wrong: &dyn Fn(&str) -> String) -> LawResult {
        let fell = self.limit(us).is_some_and(|limit| at >= limit.deadline);
        check(Law::Flag, fell, || wrong("a flag before its time"))
    }
}

/// Returns true if an author may cause an event.
fn is_allowed(before: &State, event: &Event, author: Author) -> bool {
    let server = matches!(author, Author::Server | Author::Outage);
    match event {
        Event::Started(_) | Event::Left { .. } | Event::Returned { .. } => author == Author::Server,
        Event::Credited { .. } => server,
        Event::Moved { .. } => author == Author::Moves(before.turn()),
        Event::TimeGiven { to, .. } => author.seat() == Some(!*to),
        Event::Offered { by, .. } | Event::Declined { by, .. } => author.seat() == Some(*by),
        Event::TakenBack { .. }
        | Event::Adjourned { .. }
        | Event::Resumed
        | Event::RematchAgreed { .. } => author.seat().is_some(),
        Event::Chatted { .. } => !server,
        Event::Ended { .. } => author == Author::Server || author.seat().is_some(),
    }
}
