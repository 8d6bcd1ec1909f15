//! One table over one log that answers at once: for whoever wants to put anything to a game and see
//! the laws held, a fuzzer above all.

use std::collections::HashMap;

use hansu_chess::Color;
use hansu_live::{Asked, Asker, CommandKey, Effect, Effects, Hello, LiveGame, Room};
use hansu_play::{
    Actor, Command, Event, Millis, Moment, Sides, Source, Spectators, Start, State, TimeControl,
    decide, stamp,
};
use hansu_protocol::{Snapshot, Wish};
use hansu_records::{Append, Appended, GameId, Holder, Once, Seat, Side};
use hansu_words::Lang;

use crate::client::Client;
use crate::follow;
use crate::laws::{Broken, Kept, Law, hold};
use crate::log::{Log, VISIBILITY};
use crate::plan::Person;
use crate::queue::{Inbox, queue};
use crate::referee::{Author, Referee};
use crate::world::{EPOCH, message};

/// A table, its log, and somebody who watches it all.
pub struct Desk {
    table: LiveGame,
    log: Log,
    referee: Referee,
    watcher: Client,
    inbox: Inbox,
    now: Millis,
    asked: u64,
    /// Who asked for what, by the command's name: the table may do it later.
    wishes: HashMap<String, (Actor, Wish)>,
}

impl Desk {
    /// A game that begins.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn new(time: TimeControl) -> Result<Desk, Broken> {
        let broken = |how: &str| Broken { law: Law::Log, how: how.to_owned() };
        let game: GameId = "desk00000000".parse().map_err(|_| broken("no id"))?;
        let start = Start {
            names: Sides { white: "White".to_owned(), black: "Black".to_owned() },
            time: time.clone(),
            source: Source::Online,
            spectators: Spectators::Chat,
            ..Start::between("", "")
        };
        let now = Millis(EPOCH);
        let none = State::default();
        let events = decide(&none, Actor::System, &Command::Start(start), now)
            .map_err(|refusal| broken(refusal.code()))?;
        let entries = stamp(&none, events, now);
        let state = State::replay(&entries).map_err(|misfit| broken(&misfit.to_string()))?;
        let events = entries.iter().map(hansu_journal::written).collect::<Result<_, _>>();
        let append = Append {
            game,
            expected: 1,
            client: None,
            events: events.map_err(|error| broken(&error.to_string()))?,
            row: hansu_journal::summary(&state, VISIBILITY).into(),
            begins: None,
            next: None,
        };
        let seats = [(Side::White, 1), (Side::Black, 2)]
            .map(|(side, n)| Seat { side, holder: Holder([n; 32]) });
        let room = Room::new(game, VISIBILITY, state, now);
        let table = LiveGame::new(game, room, None, seats.to_vec(), Default::default(), now);
        let (outbox, inbox) = queue();
        let mut desk = Desk {
            table,
            log: Log::new(game),
            referee: Referee::new(time),
            watcher: Client::new(0, Person::Watcher),
            inbox,
            now,
            asked: 0,
            wishes: HashMap::new(),
        };
        desk.keep(&append)?;
        let hello = Hello { id: u64::MAX, actor: Actor::Spectator, seq: 0, outbox };
        let effects = desk.table.join(hello, now);
        desk.run(effects)?;
        Ok(desk)
    }

    /// What everybody sees.
    pub fn snapshot(&self) -> Snapshot {
        self.table.snapshot()
    }

    /// Somebody wants something, so long after what came before.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn say(&mut self, actor: Actor, wish: Wish, after: Millis) -> Result<(), Broken> {
        self.now = self.now.plus(after);
        let fresh: Option<GameId> = "desk00000001".parse().ok();
        let Some(fresh) = fresh else { return Ok(()) };
        let command = hansu_view::command(wish.clone(), actor, || Some(fresh.to_string()));
        let Ok(command) = command else { return Ok(()) };
        self.asked += 1;
        let key = CommandKey::new(actor, "", &self.asked.to_string());
        self.wishes.insert(key.to_string(), (actor, wish));
        let asked = Asked {
            by: Some(Asker { id: self.asked, lang: Lang::En, since: 0 }),
            actor,
            command,
            moment: Moment::at(self.now),
            key: Some(key),
            begins: None,
        };
        let effects = self.table.ask(asked, self.now);
        self.run(effects)
    }

    /// The server looks at the clock.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn tick(&mut self, after: Millis) -> Result<(), Broken> {
        self.now = self.now.plus(after);
        let due = self.table.is_due(self.now);
        let effects = self.table.tick(self.now);
        hold(Law::Rest, due || effects.is_empty(), || "the table was not due".to_owned())?;
        self.run(effects)
    }

    fn run(&mut self, effects: Effects) -> Kept {
        let mut open: Vec<Effect> = effects.into_iter().collect();
        while let Some(effect) = open.pop() {
            match effect {
                Effect::Write(append) => {
                    let answer = self.keep(&append)?;
                    open.extend(self.table.wrote(Ok(answer), self.now));
                }
                Effect::Read { after } => {
                    let entries = self.log.after(after);
                    open.extend(self.table.read(Ok(entries), self.now));
                }
                Effect::LookUp { to, key, refused } => {
                    let known = self.log.answered(&key.to_string());
                    hold(Law::Refused, known.is_none(), || format!("{key} was done"))?;
                    open.extend(self.table.looked_up(to, &key, Ok(known), refused));
                }
                Effect::Answered { .. } | Effect::Think(_) | Effect::Changed | Effect::Here(_) => {}
            }
        }
        let same = self.table.look(|room| room.state() == self.log.state(self.log.last()));
        hold(Law::Node, same, || "the table is wrong".to_owned())?;
        while let Ok(text) = self.inbox.try_recv() {
            self.watcher.hear(message(&text)?, 0);
        }
        self.is_seen()
    }

    fn is_seen(&mut self) -> Kept {
        let last = self.log.last();
        let Some(view) = self.watcher.shown() else {
            return hold(Law::View, false, || "nothing to see".to_owned());
        };
        let mut truth = self.log.snapshot(last).clone();
        truth.chat = follow::chat(self.log.entries(), &view.start);
        hold(Law::View, truth == view, || format!("{view:?} instead of {truth:?}"))
    }

    fn keep(&mut self, append: &Append) -> Result<Appended, Broken> {
        let before = self.log.last();
        // What the table adds of its own carries no name.
        let asked = append.client.as_ref().map(|name| self.wishes.get(name));
        let (author, one_screen) = match asked {
            None => (Author::Server, false),
            Some(Some((actor, wish))) => {
                let to_move = self.log.state(before).turn();
                (author(*actor, wish, to_move), *actor == Actor::Both)
            }
            Some(None) => {
                return Err(Broken { law: Law::Seat, how: format!("nobody asked: {append:?}") });
            }
        };
        let answer = self.log.append(append, 0, 0)?;
        let Ok(Appended { seq, once: Once::First }) = answer else {
            return Err(Broken { law: Law::Log, how: format!("{answer:?}") });
        };
        for number in before + 1..=seq {
            let Some(entry) = self.log.entry(number).cloned() else { continue };
            let state = self.log.state(number - 1).clone();
            let author = match entry.event {
                // One screen offers and answers for either side.
                Event::Offered { by, .. } | Event::Declined { by, .. } if one_screen => {
                    Author::Seated(by)
                }
                _ => author,
            };
            self.referee.take(&state, &entry, author)?;
        }
        Ok(Appended { seq, once: Once::First })
    }
}

fn author(actor: Actor, wish: &Wish, to_move: Color) -> Author {
    let seat = match actor {
        Actor::White => Color::White,
        Actor::Black => Color::Black,
        Actor::Both => to_move,
        Actor::System | Actor::Spectator => return Author::Watcher,
    };
    Author::of(seat, wish)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_play::Offer;

    #[test]
    fn a_game_at_a_desk_goes_by_the_laws() {
        let mut desk = Desk::new(TimeControl::sudden_death(Millis::seconds(5))).expect("a game");
        let step = |uci: &str| Wish::Move { uci: uci.to_owned() };
        let draw = Wish::Offer { what: Offer::Draw };
        let chat = Wish::Chat { text: "hm".to_owned(), name: None };
        for (actor, wish) in [
            (Actor::White, step("e2e4")),
            (Actor::Spectator, step("e7e5")),
            (Actor::Black, step("e7e5")),
            (Actor::White, draw),
            (Actor::Spectator, chat),
            (Actor::Both, step("g1f3")),
        ] {
            desk.say(actor, wish, Millis(100)).expect("the laws hold");
        }
        assert_eq!(desk.snapshot().plies.len(), 3);
        for _ in 0..3 {
            desk.tick(Millis::seconds(9)).expect("the laws hold");
        }
        assert_eq!(desk.snapshot().phase, hansu_protocol::Phase::Ended);
    }

    #[test]
    fn what_waits_for_the_grace_is_done_in_the_name_of_whoever_asked() {
        let mut desk = Desk::new(TimeControl::sudden_death(Millis::seconds(5))).expect("a game");
        let step = |uci: &str| Wish::Move { uci: uci.to_owned() };
        let chat = Wish::Chat { text: "hm".to_owned(), name: None };
        desk.say(Actor::White, step("e2e4"), Millis(100)).expect("the laws hold");
        desk.say(Actor::Black, step("e7e5"), Millis(100)).expect("the laws hold");
        // Too late for White; Black's resignation must wait until that is certain.
        desk.say(Actor::Black, Wish::Resign, Millis(5_510)).expect("the laws hold");
        desk.say(Actor::Spectator, chat, Millis::seconds(9)).expect("the laws hold");
        let snapshot = desk.snapshot();
        assert_eq!(snapshot.phase, hansu_protocol::Phase::Ended);
        assert_eq!(snapshot.ending.map(|ending| ending.reason), Some(hansu_play::Reason::Timeout));
    }
}
