//! One game on this node: commands in, what is to be done out.
//!
//! Pure, so that a simulation can drive it through every misfortune: no sockets, no store, no
//! clock of its own. The rule it keeps: nothing is told to anybody before the log has it, and the
//! log, not the room, says what has happened. One append is under way at a time; what comes
//! meanwhile waits in the order in which it came.

use std::collections::VecDeque;

use hansu_chess::Color;
use hansu_ledger::{summary, written};
use hansu_play::{
    Actor, Command, Entry, Millis, Moment, Phase, Refusal, Sides, Source, State, apply, decide,
    stamp,
};
use hansu_records::{Append, Appended, Begins, Error, GameId, Once, Visibility};

use crate::view;

/// Commands that may wait for one game; the next is answered "busy".
pub const MOST_WAITING: usize = 64;
/// How often a command is decided anew because somebody else was first.
const MOST_TRIES: u8 = 4;
/// A player who is gone for so long has left.
pub const GRACE: Millis = Millis::seconds(8);
/// A flag falls this much later than its moment, so that a move that was received in time and is
/// still on its way through the server comes first.
pub const FLAG_GRACE: Millis = Millis(50);
/// A commit that takes longer than this is given back to the clock that ran meanwhile; less is
/// within what lag compensation forgives.
const SLOW_COMMIT: Millis = Millis(500);

/// A command and whom to answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whom to answer; nobody when the server itself asks.
    pub by: Option<u64>,
    /// As whom.
    pub actor: Actor,
    /// What.
    pub command: Command,
    /// When it was received.
    pub moment: Moment,
    /// The name the client gave it.
    pub client: Option<String>,
    /// For the start of a game: who sits down.
    pub begins: Option<Begins>,
}

/// Something to be done by whoever holds the room.
#[derive(Debug)]
pub enum Act {
    /// Write this; the answer goes to [`Room::wrote`].
    Write(Box<Append>),
    /// Read the events after this one; the answer goes to [`Room::read`].
    Read {
        /// The last event that is known here.
        after: u64,
    },
    /// Show this to everybody here.
    Share(Box<hansu_protocol::Happened>),
    /// Answer somebody.
    Tell {
        /// Whom.
        to: u64,
        /// What was asked, by the client's name for it.
        client: Option<String>,
        /// The answer.
        told: Told,
    },
}

/// What became of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// It is in the log, up to this event.
    Done(u64),
    /// It is refused.
    Refused(Refusal),
    /// It was not kept; nothing has happened.
    Failed(Error),
}

/// What the room waits for.
#[derive(Debug)]
enum Pending {
    Nothing,
    /// The log, to write.
    Written {
        asked: Asked,
        tries: u8,
        entries: Vec<Entry>,
        next: Box<State>,
    },
    /// The log, to read; then the command is decided anew.
    Read {
        again: Option<(Asked, u8)>,
    },
}

/// How many are connected here, and since when a side has nobody.
#[derive(Clone, Copy, Debug, Default)]
struct People {
    seated: Sides<u32>,
    watching: u32,
    gone: Sides<Option<Millis>>,
}

/// One game on this node.
#[derive(Debug)]
pub struct Room {
    game: GameId,
    visibility: Visibility,
    state: State,
    pending: Pending,
    waiting: VecDeque<Asked>,
    people: People,
}

impl Room {
    /// A game as the log has it.
    pub fn new(game: GameId, visibility: Visibility, state: State, now: Millis) -> Room {
        Room {
            game,
            visibility,
            state,
            pending: Pending::Nothing,
            waiting: VecDeque::new(),
            people: People { gone: Sides::both(Some(now)), ..People::default() },
        }
    }

    /// The game as far as it is known here.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who may watch.
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        matches!(self.pending, Pending::Nothing) && self.waiting.is_empty()
    }

    /// Whether a side is connected here.
    pub fn is_here(&self, color: Color) -> bool {
        self.people.seated[color] > 0
    }

    /// How many watch here.
    pub fn watching(&self) -> u32 {
        self.people.watching
    }

    /// Whether nobody is connected here.
    pub fn is_deserted(&self) -> bool {
        self.people.watching == 0 && Color::ALL.into_iter().all(|color| !self.is_here(color))
    }

    /// Somebody connects.
    pub fn arrive(&mut self, actor: Actor) {
        for color in seats(actor) {
            self.people.seated[color] += 1;
            self.people.gone[color] = None;
        }
        if seats(actor).next().is_none() {
            self.people.watching += 1;
        }
    }

    /// Somebody disconnects.
    pub fn depart(&mut self, actor: Actor, now: Millis) {
        for color in seats(actor) {
            let seated = &mut self.people.seated[color];
            *seated = seated.saturating_sub(1);
            if *seated == 0 {
                self.people.gone[color] = Some(now);
            }
        }
        if seats(actor).next().is_none() {
            self.people.watching = self.people.watching.saturating_sub(1);
        }
    }

    /// Somebody wants something.
    pub fn ask(&mut self, asked: Asked, now: Millis, acts: &mut Vec<Act>) {
        if self.waiting.len() >= MOST_WAITING {
            tell(&asked, Told::Failed(Error::Busy), acts);
            return;
        }
        self.waiting.push_back(asked);
        self.go_on(now, acts);
    }

    /// What the server itself has to do about the game at this moment: flags, ends that the rules
    /// demand, players who left or came back.
    pub fn tick(&mut self, now: Millis, acts: &mut Vec<Act>) {
        if !self.is_idle() {
            return;
        }
        if let Some(command) = self.due(now) {
            let moment = Moment::at(now);
            let actor = Actor::System;
            self.ask(
                Asked { by: None, actor, command, moment, client: None, begins: None },
                now,
                acts,
            );
        }
    }

    fn due(&self, now: Millis) -> Option<Command> {
        if self.state.phase() != Phase::Playing {
            return None;
        }
        let fallen = |(_, at): (_, Millis)| at.plus(FLAG_GRACE) <= now;
        if self.state.deadline().is_some_and(fallen) || self.state.game().outcome().is_some() {
            return Some(Command::Flag);
        }
        if self.state.start().is_some_and(|start| start.source != Source::Online) {
            return None;
        }
        Color::ALL.into_iter().find_map(|side| {
            let left = self.state.left(side).is_some();
            let gone = self.people.gone[side].is_some_and(|since| since.plus(GRACE) <= now);
            match (left, gone) {
                (false, true) => Some(Command::Leave { side }),
                (true, _) if self.is_here(side) => Some(Command::Return { side }),
                _ => None,
            }
        })
    }

    /// The log has answered.
    pub fn wrote(&mut self, answer: Result<Appended, Error>, now: Millis, acts: &mut Vec<Act>) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Written { asked, tries, entries, next } = pending else {
            self.pending = pending;
            return;
        };
        match answer {
            Ok(Appended { seq, once: Once::First }) => {
                self.state = *next;
                for entry in &entries {
                    acts.push(Act::Share(Box::new(view::happened(&self.state, entry))));
                }
                tell(&asked, Told::Done(seq), acts);
                self.give_back_slow_commit(now);
            }
            Ok(Appended { seq, once: Once::Again }) => {
                tell(&asked, Told::Done(seq), acts);
                if seq > self.state.seq() {
                    self.reread(None, acts);
                    return;
                }
            }
            Err(Error::Conflict { .. }) if tries < MOST_TRIES => {
                self.reread(Some((asked, tries + 1)), acts);
                return;
            }
            Err(error) => tell(&asked, Told::Failed(error), acts),
        }
        self.go_on(now, acts);
    }

    /// What the log had after the last event that was known here.
    pub fn read(&mut self, answer: Result<Vec<Entry>, Error>, now: Millis, acts: &mut Vec<Act>) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Read { again } = pending else {
            self.pending = pending;
            return;
        };
        let caught_up = answer.and_then(|entries| {
            let known = self.state.seq();
            for entry in entries.iter().filter(|entry| entry.seq > known) {
                apply(&mut self.state, entry).map_err(|_| Error::Damaged)?;
                acts.push(Act::Share(Box::new(view::happened(&self.state, entry))));
            }
            Ok(())
        });
        if let Some((asked, tries)) = again {
            match caught_up {
                Ok(()) => self.try_one(asked, tries, now, acts),
                Err(error) => tell(&asked, Told::Failed(error), acts),
            }
        }
        self.go_on(now, acts);
    }

    /// Somebody has heard that the log knows more.
    pub fn hint(&mut self, seq: u64, acts: &mut Vec<Act>) {
        if seq > self.state.seq() && matches!(self.pending, Pending::Nothing) {
            self.reread(None, acts);
        }
    }

    fn reread(&mut self, again: Option<(Asked, u8)>, acts: &mut Vec<Act>) {
        self.pending = Pending::Read { again };
        acts.push(Act::Read { after: self.state.seq() });
    }

    /// The clock that ran while the disk was slow gets its time back.
    fn give_back_slow_commit(&mut self, now: Millis) {
        let late = now.minus(self.state.at());
        if late >= SLOW_COMMIT && self.state.ticking().is_some() {
            self.waiting.push_front(Asked {
                by: None,
                actor: Actor::System,
                command: Command::Credit { time: late },
                moment: Moment::at(now),
                client: None,
                begins: None,
            });
        }
    }

    /// Decides what waits until something has to be written.
    fn go_on(&mut self, now: Millis, acts: &mut Vec<Act>) {
        while matches!(self.pending, Pending::Nothing) {
            let Some(asked) = self.waiting.pop_front() else { return };
            self.try_one(asked, 0, now, acts);
        }
    }

    fn try_one(&mut self, asked: Asked, tries: u8, now: Millis, acts: &mut Vec<Act>) {
        let events = match decide(&self.state, asked.actor, &asked.command, asked.moment) {
            Ok(events) => events,
            Err(refusal) => return tell(&asked, Told::Refused(refusal), acts),
        };
        let entries = stamp(&self.state, events, now);
        match self.prepare(&asked, &entries) {
            Ok((append, next)) => {
                self.pending = Pending::Written { asked, tries, entries, next: Box::new(next) };
                acts.push(Act::Write(Box::new(append)));
            }
            Err(error) => tell(&asked, Told::Failed(error), acts),
        }
    }

    fn prepare(&self, asked: &Asked, entries: &[Entry]) -> Result<(Append, State), Error> {
        let mut next = self.state.clone();
        for entry in entries {
            // What was just decided fits; if it did not, nothing shall be kept of it.
            apply(&mut next, entry).map_err(|_| Error::Damaged)?;
        }
        let events = entries.iter().map(written).collect::<Result<_, _>>()?;
        let append = Append {
            game: self.game,
            expected: self.state.seq() + 1,
            client: asked.client.clone(),
            events,
            summary: summary(&next, self.visibility),
            begins: asked.begins.clone(),
        };
        Ok((append, next))
    }
}

/// The seats that somebody takes.
fn seats(actor: Actor) -> impl Iterator<Item = Color> {
    Color::ALL.into_iter().filter(move |&color| actor == Actor::Both || actor == Actor::seat(color))
}

fn tell(asked: &Asked, told: Told, acts: &mut Vec<Act>) {
    if let Some(to) = asked.by {
        acts.push(Act::Tell { to, client: asked.client.clone(), told });
    }
}
