//! Runs a race: two rooms over one log, checked against the laws.

use hansu_chess::Color;
use hansu_live::{
    Asker, CommandError, CommandRequest, CommandResult, Effect, Effects, FLAG_GRACE, Notice, Room,
};
use hansu_play::{Actor, Command, Event, Millis, Moment, State, decide};
use hansu_records::{Append, Appended, Error, Once};

use super::{Race, RaceGame, Racer, RacerCommand, actor, author, command, key, offer_of};
use crate::flags::is_by_time;
use crate::laws::{BrokenLaw, Law, LawResult, check};
use crate::log::{Log, VISIBILITY};
use crate::referee::{Author, Limit, Referee};

/// A running race.
pub(super) struct RaceRun {
    pub(super) log: Log,
    referee: Referee,
    rooms: [Room; 2],
    writing: [Option<Box<Append>>; 2],
    reading: [Option<u64>; 2],
    now: Millis,
    limit: Limit,
    /// The last entry before the race.
    first: u64,
    authors: Vec<Author>,
    told: Vec<Vec<CommandResult>>,
    asked: Vec<Option<(CommandRequest, Millis)>>,
    /// The room that committed a flag.
    flagged: Option<usize>,
}

impl RaceRun {
    pub(super) fn new(base: &RaceGame, race: &Race) -> RaceRun {
        let state = base.log.state(base.log.last());
        let now = Millis(base.limit.zero.0 - 10);
        let rooms = [0, 1].map(|_| {
            let mut room = Room::new(base.log.game(), VISIBILITY, state.clone(), now);
            room.arrive(Actor::Both);
            room
        });
        let count = race.racers.len();
        RaceRun {
            log: base.log.clone(),
            referee: base.referee.clone(),
            rooms,
            writing: [None, None],
            reading: [None, None],
            now,
            limit: base.limit,
            first: base.log.last(),
            authors: race.racers.iter().map(author).collect(),
            told: vec![Vec::new(); count],
            asked: vec![None; count],
            flagged: None,
        }
    }

    pub(super) fn run(&mut self, race: &Race) -> LawResult {
        for (place, &racer) in race.order.iter().enumerate() {
            self.ask(race, racer)?;
            match race.between[place] {
                0 => {}
                1 => self.flush(0)?,
                2 => self.flush(1)?,
                _ => self.tick(race.racers[racer].room)?,
            }
        }
        let order = if race.first == 0 { [0, 1] } else { [1, 0] };
        // Completes all open operations.
        for _ in 0..6 {
            for room in order {
                self.flush(room)?;
            }
        }
        self.now = self.now.max(self.limit.deadline.plus(FLAG_GRACE));
        for _ in 0..6 {
            // Credits and moves change the deadline.
            self.now = self.now.plus(Millis::seconds(1));
            for room in order {
                self.tick(room)?;
                self.flush(room)?;
            }
        }
        self.finish(race)
    }

    fn ask(&mut self, race: &Race, number: usize) -> LawResult {
        let racer = race.racers[number];
        let Some(command) = command(race, number) else { return Ok(()) };
        let received = Millis(self.limit.zero.0.saturating_add_signed(racer.stamp));
        self.now = self.now.max(received.plus(Millis(racer.delay)));
        let asked = CommandRequest {
            by: Some(Asker { id: number as u64, lang: hansu_words::Lang::En, since: 0 }),
            actor: actor(race, number),
            command,
            moment: Moment::at(received),
            key: Some(key(race, number)),
            begins: None,
        };
        self.asked[number] = Some((asked.clone(), self.now));
        let mut effects = Effects::default();
        self.rooms[racer.room].ask(asked, self.now, &mut effects);
        self.perform(racer.room, effects)
    }

    fn tick(&mut self, room: usize) -> LawResult {
        let mut effects = Effects::default();
        self.rooms[room].tick(self.now, &mut effects);
        self.perform(room, effects)
    }

    /// Lets the log do the operation that a room waits for.
    fn flush(&mut self, room: usize) -> LawResult {
        let mut effects = Effects::default();
        if let Some(append) = self.writing[room].take() {
            let answer = self.keep(room, &append)?;
            self.rooms[room].finish_write(answer, self.now, &mut effects);
        } else if let Some(after) = self.reading[room].take() {
            let entries = self.log.entries_after(after);
            self.rooms[room].finish_read(Ok(entries), self.now, &mut effects);
        }
        self.perform(room, effects)
    }

    fn keep(&mut self, room: usize, append: &Append) -> Result<Result<Appended, Error>, BrokenLaw> {
        let client = append.command_key.as_deref();
        let number = client.and_then(|name| name.split_once(":r")?.1.parse::<usize>().ok());
        // An append without a racer's key is the room's own.
        let author = number.and_then(|number| self.authors.get(number).copied());
        let author = author.unwrap_or(Author::Server);
        let answer = self.log.append(append, room, 0)?;
        if let Ok(Appended { seq, once: Once::First }) = answer {
            for number in append.expected..=seq {
                let Some(entry) = self.log.entry(number).cloned() else { continue };
                let before = self.log.state(number - 1).clone();
                self.referee.check_entry(&before, &entry, author)?;
                if is_by_time(&entry.event, author) {
                    self.flagged = Some(room);
                }
            }
        }
        Ok(answer)
    }

    fn perform(&mut self, room: usize, mut effects: Effects) -> LawResult {
        for notice in effects.take_notices() {
            match notice {
                Notice::Share(happened) => {
                    let seq = happened.entry.seq;
                    let kept = self.log.entry(seq) == Some(&happened.entry);
                    check(Law::View, kept, || format!("{seq} is shown and not kept"))?;
                }
                Notice::Tell { to, key, result: told } => {
                    let known = key.and_then(|key| self.log.find_command(&key.to_string()));
                    // As the live game does: a refused resend is looked up in the log.
                    let told = match (told, known) {
                        (CommandResult::NotDone(CommandError::Refused(_)), Some(seq)) => {
                            CommandResult::Done(seq)
                        }
                        (told, _) => told,
                    };
                    if let CommandResult::Done(seq) = told {
                        check(Law::Ack, known == Some(seq), || format!("{seq} but {known:?}"))?;
                    }
                    self.told[to.id as usize].push(told);
                }
            }
        }
        for effect in effects {
            match effect {
                Effect::Write(append) => self.writing[room] = Some(append),
                Effect::Read { after } => self.reading[room] = Some(after),
                other => {
                    let how = format!("a room does not do {other:?}");
                    return Err(BrokenLaw { law: Law::Node, how });
                }
            }
        }
        let state = self.rooms[room].state();
        check(Law::Node, state == self.log.state(state.seq()), || {
            format!("room {room} is wrong about {}", state.seq())
        })
    }

    fn finish(&self, race: &Race) -> LawResult {
        let last = self.log.last();
        for (number, told) in self.told.iter().enumerate() {
            let Some((asked, at)) = &self.asked[number] else { continue };
            check(Law::Rest, told.len() == 1, || format!("racer {number} is told {told:?}"))?;
            let known = self.log.find_command(&key(race, number).to_string());
            let done = matches!(told[..], [CommandResult::Done(_)]);
            let twice = race.racers.iter().any(|racer| racer.racing == RacerCommand::Again);
            check(Law::Refused, done == known.is_some() || twice, || {
                format!("racer {number} is told {told:?} and is at {known:?}")
            })?;
            self.fair(race, number, asked, *at, done)?;
        }
        for (number, room) in self.rooms.iter().enumerate() {
            let (idle, seq) = (room.is_idle(), room.state().seq());
            check(Law::Rest, idle, || format!("room {number} is busy at {seq} of {last}"))?;
        }
        self.check_agreement(race)
    }

    /// Checks that a room does not flag a move in time that reaches it within the grace.
    fn fair(
        &self,
        race: &Race,
        number: usize,
        asked: &CommandRequest,
        at: Millis,
        done: bool,
    ) -> LawResult {
        let base = self.log.state(self.first);
        let moves = decide(base, asked.actor, &asked.command, asked.moment);
        let in_time = asked.moment.received < self.limit.zero
            && at < self.limit.deadline.plus(FLAG_GRACE)
            && matches!(moves.as_deref(), Ok([Event::Moved { .. }, ..]));
        let own = self.flagged == Some(race.racers[number].room);
        let next = self.log.entry(self.first + 1);
        let flag = next.is_some_and(|entry| is_by_time(&entry.event, Author::Server));
        check(Law::Fair, !(in_time && own && flag && !done), || {
            format!("racer {number} moved in time and was flagged")
        })
    }

    /// Checks that two equal offers lead to an agreement if nothing else happens.
    fn check_agreement(&self, race: &Race) -> LawResult {
        let offers = |color: Color| {
            let offers = |racer: &Racer| {
                racer.racing == RacerCommand::Offer && racer.actor == Actor::seat(color)
            };
            race.racers.iter().position(offers)
        };
        let (Some(white), Some(black)) = (offers(Color::White), offers(Color::Black)) else {
            return Ok(());
        };
        if race.racers.len() > 2 {
            return Ok(());
        }
        let both =
            [white, black].map(|number| matches!(self.told[number][..], [CommandResult::Done(_)]));
        let before = self.log.state(self.first);
        let in_time = race.racers.iter().all(|racer| racer.stamp < 0) || before.ticking().is_none();
        let expected =
            in_time && before.offered(offer_of(race)).is_none() && !before_refuses(before, race);
        check(Law::Ack, !expected || both == [true, true], || {
            format!("both offered: {:?}", self.told)
        })
    }
}

/// Returns true if one of the two could not have offered before the race.
fn before_refuses(before: &State, race: &Race) -> bool {
    let what = offer_of(race);
    [Actor::White, Actor::Black].into_iter().any(|actor| {
        decide(before, actor, &Command::Offer { what, next: None }, before.at()).is_err()
    })
}
