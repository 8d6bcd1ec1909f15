//! A client at the model server over a bad connection, one random step after the other, with a
//! referee of its own for what must be pending.

use std::collections::VecDeque;

use hansu_client::{Notice, View, ViewOutput};
use hansu_play::{Event, Millis};
use hansu_protocol::{ClientMessage, Language, Seat, ServerMessage, Wish};

use crate::model::{Random, Server};

/// One input of a view.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Hear(ServerMessage, Millis),
    Wish(Wish),
}

pub(crate) struct Run {
    pub(crate) random: Random,
    pub(crate) server: Server,
    pub(crate) view: View,
    /// On the way to the client.
    queue: VecDeque<ServerMessage>,
    /// The referee's list: commands that were issued and neither acknowledged nor refused.
    open: Vec<(String, Wish)>,
}

impl Run {
    pub(crate) fn new(seed: u64) -> Run {
        let mut random = Random(seed);
        let seats = [Some(Seat::White), Some(Seat::Black), Some(Seat::Both), None];
        let seat = seats[[0, 0, 0, 1, 1, 1, 2, 3][random.below(8)]];
        let server = Server::new(seat, &mut random);
        let (queue, open) = (VecDeque::new(), Vec::new());
        let mut run = Run { random, server, view: View::new("m"), queue, open };
        run.connect();
        run
    }

    /// A new connection: what was on the way is lost.
    fn connect(&mut self) {
        self.queue = self.server.hear(self.view.hello(Language::En)).into();
    }

    fn send(&mut self, messages: Vec<ClientMessage>, loss: usize) {
        for message in messages {
            if !self.random.chance(loss) {
                self.queue.extend(self.server.hear(message));
            }
        }
    }

    /// Gives the view an input, checks it with the referee, and sends what the view sends.
    fn give(&mut self, input: &Input, loss: usize) -> ViewOutput {
        let heard = match input {
            Input::Wish(wish) => {
                let sent = self.view.wish(wish.clone());
                let ClientMessage::Command { id, command } = &sent else {
                    panic!("a wish is sent as a command: {sent:?}")
                };
                assert!(self.open.iter().all(|(open, _)| open != id), "{id} is used twice");
                self.open.push((id.clone(), command.clone()));
                ViewOutput { notices: Vec::new(), send: vec![sent] }
            }
            Input::Hear(message, now) => {
                let plies = self.view.game().plies.len();
                let heard = self.view.hear(message.clone(), *now);
                self.judge(message, plies, &heard);
                heard
            }
        };
        let unacknowledged: Vec<&str> = self
            .view
            .pending()
            .open()
            .iter()
            .filter(|command| command.acked.is_none())
            .map(|command| command.id.as_str())
            .collect();
        let expected: Vec<&str> = self.open.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(unacknowledged, expected, "after {input:?}");
        self.send(heard.send.clone(), loss);
        heard
    }

    fn judge(&mut self, message: &ServerMessage, plies: usize, heard: &ViewOutput) {
        match message {
            ServerMessage::Ack { id, .. } | ServerMessage::Refused { id, .. } => {
                self.open.retain(|(open, _)| open != id);
            }
            ServerMessage::Event(happened) if self.view.game().plies.len() > plies => {
                if let Event::Moved { uci, .. } = &happened.entry.event {
                    let played = Wish::Move { uci: uci.to_string() };
                    self.open.retain(|(_, wish)| *wish != played);
                }
            }
            ServerMessage::Welcome { .. } => {
                let commands = heard.send.iter().filter_map(|sent| match sent {
                    ClientMessage::Command { id, command } => Some((id.clone(), command.clone())),
                    _ => None,
                });
                let resent: Vec<(String, Wish)> = commands.collect();
                assert_eq!(resent, self.open, "resent under the same ids, in the same order");
            }
            _ => {}
        }
    }

    /// The client's clock is 3 s behind the server's, and messages take up to 60 ms.
    fn arrival(&mut self) -> Millis {
        Millis(self.server.now - 3_000 + self.random.below(60) as u64)
    }

    /// One random step; `None` when it does not concern the view.
    pub(crate) fn step(&mut self) -> Option<(Input, ViewOutput)> {
        let input = match self.random.below(100) {
            0..=44 => self.next_message()?,
            45..=64 => {
                let messages = self.server.random_event(&mut self.random);
                self.queue.extend(messages);
                return None;
            }
            65..=82 => Input::Wish(self.server.random_wish(&mut self.random)),
            83..=86 => {
                self.connect();
                return None;
            }
            87..=89 => {
                let message =
                    ServerMessage::Beat { seq: self.server.seq(), now: Millis(self.server.now) };
                Input::Hear(message, self.arrival())
            }
            90..=92 => {
                self.queue.pop_front();
                return None;
            }
            93 => Input::Hear(self.server.snapshot(), self.arrival()),
            94 => Input::Hear(self.unfitting()?, self.arrival()),
            95 => {
                let reason = self.random.pick(&["restart", "slow", "version", "gone"]).to_owned();
                Input::Hear(ServerMessage::Bye { reason }, self.arrival())
            }
            96 => {
                let (id, seq) = ("unknown".to_owned(), self.server.seq());
                Input::Hear(ServerMessage::Ack { id, seq }, self.arrival())
            }
            97 => {
                let spectators = self.random.below(5) as u32;
                let message = ServerMessage::Presence { white: true, black: false, spectators };
                Input::Hear(message, self.arrival())
            }
            _ => Input::Hear(self.server.turn()?, self.arrival()),
        };
        let heard = self.give(&input, 20);
        Some((input, heard))
    }

    /// The next message; now and then twice, or one that was sent after it.
    fn next_message(&mut self) -> Option<Input> {
        let at = if self.queue.len() > 1 && self.random.chance(5) { 1 } else { 0 };
        let message = self.queue.get(at)?.clone();
        if !self.random.chance(8) {
            self.queue.remove(at);
        }
        let now = self.arrival();
        Some(Input::Hear(message, now))
    }

    /// The next event without what a board needs, or with more moves taken back than there are.
    fn unfitting(&mut self) -> Option<ServerMessage> {
        let next = self.view.game().seq + 1;
        let mut event = self.server.events.iter().find(|event| event.entry.seq == next)?.clone();
        if self.random.chance(50) {
            event.board = None;
            event.san = None;
        } else {
            event.entry.event = Event::TakenBack { plies: 200, clocks: None };
        }
        Some(ServerMessage::Event(Box::new(event)))
    }

    /// The connection is good from now on: everything arrives.
    pub(crate) fn settle(&mut self) -> Vec<Notice> {
        self.connect();
        let mut notices = Vec::new();
        while let Some(message) = self.queue.pop_front() {
            let now = self.arrival();
            notices.extend(self.give(&Input::Hear(message, now), 0).notices);
        }
        notices
    }
}
