//! A live game over a log that answers at once, checked against the laws after every command; for
//! fuzzing.

use std::collections::HashMap;

use hansu_chess::Color;
use hansu_live::{Asker, CommandKey, CommandRequest, Effect, Effects, Hello, LiveGame, Room};
use hansu_play::{
    Actor, Command, Event, Millis, Moment, Sides, Source, Spectators, Start, State, TimeControl,
    decide, stamp,
};
use hansu_protocol::{Snapshot, Wish};
use hansu_records::{Append, Appended, GameId, Holder, Once, Seat, Side};
use hansu_words::Lang;

use crate::client::Client;
use crate::follow;
use crate::laws::{BrokenLaw, Law, LawResult, check};
use crate::log::{Log, VISIBILITY};
use crate::plan::Person;
use crate::queue::{Inbox, queue};
use crate::referee::{Author, Referee};
use crate::world::{EPOCH, message};

/// A live game, its log, and a spectator.
pub struct CheckedGame {
    live_game: LiveGame,
    log: Log,
    referee: Referee,
    watcher: Client,
    inbox: Inbox,
    now: Millis,
    asked: u64,
    /// The wishes by command key: the live game may do them later.
    wishes: HashMap<String, (Actor, Wish)>,
}

impl CheckedGame {
    /// Starts a game.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn new(time: TimeControl) -> Result<CheckedGame, BrokenLaw> {
        let broken = |how: &str| BrokenLaw { law: Law::Log, how: how.to_owned() };
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
        let events = entries.iter().map(hansu_journal::to_event).collect::<Result<_, _>>();
        let append = Append {
            game,
            expected: 1,
            command_key: None,
            events: events.map_err(|error| broken(&error.to_string()))?,
            row: hansu_journal::summary(&state, VISIBILITY).into(),
            begins: None,
            next: None,
        };
        let seats = [(Side::White, 1), (Side::Black, 2)]
            .map(|(side, n)| Seat { side, holder: Holder([n; 32]) });
        let room = Room::new(game, VISIBILITY, state, now);
        let live_game = LiveGame::new(game, room, None, seats.to_vec(), Default::default(), now);
        let (outbox, inbox) = queue();
        let mut game = CheckedGame {
            live_game,
            log: Log::new(game),
            referee: Referee::new(time),
            watcher: Client::new(0, Person::Watcher),
            inbox,
            now,
            asked: 0,
            wishes: HashMap::new(),
        };
        game.commit(&append)?;
        let hello = Hello { id: u64::MAX, actor: Actor::Spectator, seq: 0, outbox };
        let effects = game.live_game.join(hello, now);
        game.run(effects)?;
        Ok(game)
    }

    /// The game as clients see it.
    pub fn snapshot(&self) -> Snapshot {
        self.live_game.snapshot()
    }

    /// Sends a wish of an actor, this long after the step before.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn send(&mut self, actor: Actor, wish: Wish, after: Millis) -> Result<(), BrokenLaw> {
        self.now = self.now.plus(after);
        let fresh: Option<GameId> = "desk00000001".parse().ok();
        let Some(fresh) = fresh else { return Ok(()) };
        let command = hansu_view::command(wish.clone(), actor, || Some(fresh.to_string()));
        let Ok(command) = command else { return Ok(()) };
        self.asked += 1;
        let key = CommandKey::new(actor, "", &self.asked.to_string());
        self.wishes.insert(key.to_string(), (actor, wish));
        let asked = CommandRequest {
            by: Some(Asker { id: self.asked, lang: Lang::En, since: 0 }),
            actor,
            command,
            moment: Moment::at(self.now),
            key: Some(key),
            begins: None,
        };
        let effects = self.live_game.ask(asked, self.now);
        self.run(effects)
    }

    /// Ticks the game, as the server does, this long after the step before.
    ///
    /// # Errors
    ///
    /// When a law breaks.
    pub fn tick(&mut self, after: Millis) -> Result<(), BrokenLaw> {
        self.now = self.now.plus(after);
        let due = self.live_game.is_due(self.now);
        let effects = self.live_game.tick(self.now);
        check(Law::Rest, due || effects.is_empty(), || "the live game was not due".to_owned())?;
        self.run(effects)
    }

    fn run(&mut self, effects: Effects) -> LawResult {
        let mut open: Vec<Effect> = effects.into_iter().collect();
        while let Some(effect) = open.pop() {
            match effect {
                Effect::Write(append) => {
                    let answer = self.commit(&append)?;
                    open.extend(self.live_game.finish_write(Ok(answer), self.now));
                }
                Effect::Read { after } => {
                    let entries = self.log.entries_after(after);
                    open.extend(self.live_game.finish_read(Ok(entries), self.now));
                }
                Effect::LookUp { to, key, refused } => {
                    let known = self.log.find_command(&key.to_string());
                    check(Law::Refused, known.is_none(), || format!("{key} was done"))?;
                    open.extend(self.live_game.finish_look_up(to, &key, Ok(known), refused));
                }
                Effect::Answered { .. }
                | Effect::Think(_)
                | Effect::Changed
                | Effect::Connections(_) => {}
            }
        }
        let same = self.live_game.look(|room| room.state() == self.log.state(self.log.last()));
        check(Law::Node, same, || "the live game is wrong".to_owned())?;
        while let Ok(text) = self.inbox.try_recv() {
            self.watcher.handle(message(&text)?, 0);
        }
        self.check_view()
    }

    fn check_view(&mut self) -> LawResult {
        let last = self.log.last();
        let Some(view) = self.watcher.snapshot() else {
            return check(Law::View, false, || "nothing to see".to_owned());
        };
        let mut truth = self.log.snapshot(last).clone();
        truth.chat = follow::chat(self.log.entries(), &view.start);
        check(Law::View, truth == view, || format!("{view:?} instead of {truth:?}"))
    }

    fn commit(&mut self, append: &Append) -> Result<Appended, BrokenLaw> {
        let before = self.log.last();
        // An append of the live game's own has no command key.
        let asked = append.command_key.as_ref().map(|name| self.wishes.get(name));
        let (author, one_screen) = match asked {
            None => (Author::Server, false),
            Some(Some((actor, wish))) => {
                let to_move = self.log.state(before).turn();
                (author(*actor, wish, to_move), *actor == Actor::Both)
            }
            Some(None) => {
                return Err(BrokenLaw { law: Law::Seat, how: format!("nobody asked: {append:?}") });
            }
        };
        let answer = self.log.append(append, 0, 0)?;
        let Ok(Appended { seq, once: Once::First }) = answer else {
            return Err(BrokenLaw { law: Law::Log, how: format!("{answer:?}") });
        };
        for number in before + 1..=seq {
            let Some(entry) = self.log.entry(number).cloned() else { continue };
            let state = self.log.state(number - 1).clone();
            let author = match entry.event {
                // A client with both seats offers and answers for either side.
                Event::Offered { by, .. } | Event::Declined { by, .. } if one_screen => {
                    Author::Seated(by)
                }
                _ => author,
            };
            self.referee.check_entry(&state, &entry, author)?;
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
    fn a_checked_game_obeys_the_laws() {
        let mut game =
            CheckedGame::new(TimeControl::sudden_death(Millis::seconds(5))).expect("a game");
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
            game.send(actor, wish, Millis(100)).expect("the laws hold");
        }
        assert_eq!(game.snapshot().plies.len(), 3);
        for _ in 0..3 {
            game.tick(Millis::seconds(9)).expect("the laws hold");
        }
        assert_eq!(game.snapshot().phase, hansu_protocol::Phase::Ended);
    }

    #[test]
    fn a_command_that_waits_for_the_grace_is_done_for_its_own_actor() {
        let mut game =
            CheckedGame::new(TimeControl::sudden_death(Millis::seconds(5))).expect("a game");
        let step = |uci: &str| Wish::Move { uci: uci.to_owned() };
        let chat = Wish::Chat { text: "hm".to_owned(), name: None };
        game.send(Actor::White, step("e2e4"), Millis(100)).expect("the laws hold");
        game.send(Actor::Black, step("e7e5"), Millis(100)).expect("the laws hold");
        // White's time is over; Black's resignation must wait until that is certain.
        game.send(Actor::Black, Wish::Resign, Millis(5_510)).expect("the laws hold");
        game.send(Actor::Spectator, chat, Millis::seconds(9)).expect("the laws hold");
        let snapshot = game.snapshot();
        assert_eq!(snapshot.phase, hansu_protocol::Phase::Ended);
        assert_eq!(snapshot.ending.map(|ending| ending.reason), Some(hansu_play::Reason::Timeout));
    }
}
