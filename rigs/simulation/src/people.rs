//! The people and the network between them and the machines.

use hansu_live::CommandKey;
use hansu_protocol::{ClientMessage, Wish};

use crate::client::Heard;
use crate::laws::{Kept, Law, hold};
use crate::plan::{Person, Time};
use crate::referee::Author;
use crate::world::{Given, Happening, Line, World, holder, message};

/// One who is to move and is not told where to for so long was forgotten.
const FORGOTTEN: Time = 2_500;

impl World {
    /// How somebody who watches is called in the log.
    pub(crate) fn who(&self, client: usize) -> String {
        let holder = holder(self.clients[client].person, client);
        holder.0[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of a client's command in the log.
    pub(crate) fn name(&self, client: usize, id: &str) -> String {
        let seat = self.clients[client].seat();
        let actor = seat.map_or(hansu_play::Actor::Spectator, hansu_play::Actor::seat);
        CommandKey::new(actor, &self.who(client), id).to_string()
    }

    /// A client looks at the screen: connects, remembers, wants something.
    pub(crate) fn wake(&mut self, client: usize) -> Kept {
        let pace = self.plan.pace;
        let next = self.random.between(pace / 2 + 5, 2 * pace);
        self.soon(next, Happening::Wake { client });
        if self.now < self.clients[client].away {
            return Ok(());
        }
        let Some(line) = self.clients[client].line else {
            self.connect(client);
            return Ok(());
        };
        self.is_told_where_to(client, line)?;
        let now = self.now;
        let own = &self.clients[client];
        let quiet = now >= self.plan.quiet;
        let wish = match (own.welcomed, quiet) {
            (false, _) => None,
            (true, true) => own.gives_up(),
            (true, false) if now < own.thinks => None,
            (true, false) => own.wish(&mut self.random),
        };
        if let Some(wish) = wish {
            self.want(client, wish);
        }
        let heard = self.clients[client].remember(now);
        self.heard(client, heard)
    }

    fn want(&mut self, client: usize, wish: Wish) {
        let seat = self.clients[client].seat();
        let author = seat.map_or(Author::Watcher, |seat| Author::of(seat, &wish));
        let id = self.clients[client].want(wish.clone(), self.now);
        let name = self.name(client, &id);
        self.tell(|_| format!("client {client} wants {name}: {wish:?}"));
        let stamps = Vec::new();
        let given = Given { author, wish, client, stamps, acked: None, refused: None, lines: 0 };
        self.given.insert(name, given);
    }

    /// On a line that keeps its promises nobody who is to move has to ask where to.
    fn is_told_where_to(&self, client: usize, line: usize) -> Kept {
        let own = &self.lines[line];
        let (node, waits) = (own.node, self.clients[client].without_targets(self.now));
        let healthy = self.clients[client].welcomed
            && !own.cut
            && own.at_node
            && own.epoch == self.nodes[node].epoch
            && own.stalled + FORGOTTEN < self.now
            && (self.plan.network.loose == 0 || self.now - waits > self.plan.peace + FORGOTTEN);
        hold(Law::Turn, !healthy || waits < FORGOTTEN, || {
            format!("client {client} is to move and has no targets for {waits} ms")
        })
    }

    fn connect(&mut self, client: usize) {
        let node = self.random.index(self.nodes.len());
        let walled = self.walls.get(&(client, node)).is_some_and(|&until| self.now < until);
        if walled || !self.nodes[node].up {
            return;
        }
        let line = self.lines.len();
        self.lines.push(Line {
            client,
            node,
            epoch: self.nodes[node].epoch,
            joined: None,
            at_node: true,
            at_client: true,
            cut: false,
            stalled: 0,
            node_heard: self.now,
            last_up: self.now,
            last_down: self.now,
            last_ask: self.now,
        });
        let hello = self.clients[client].hello(line, self.now);
        self.tell(|_| format!("client {client} calls node {node} on line {line}: {hello:?}"));
        self.up(line, &hello);
    }

    /// A client gives a connection up.
    pub(crate) fn hang_up(&mut self, client: usize) {
        let Some(line) = self.clients[client].line else { return };
        self.tell(|_| format!("client {client} hangs up line {line}"));
        self.clients[client].hang_up();
        let own = &mut self.lines[line];
        own.at_client = false;
        if !own.cut {
            let after = self.random.delay(self.plan.network.usual, self.plan.network.most);
            self.soon(after, Happening::NodeLost { line });
        }
    }

    pub(crate) fn client_lost(&mut self, line: usize) {
        let client = self.lines[line].client;
        if self.lines[line].at_client {
            self.lines[line].at_client = false;
            if self.clients[client].line == Some(line) {
                self.clients[client].hang_up();
            }
        }
    }

    fn heard(&mut self, client: usize, heard: Vec<Heard>) -> Kept {
        for heard in heard {
            match heard {
                Heard::Say(message) => {
                    if let Some(line) = self.clients[client].line {
                        self.up(line, &message);
                    }
                }
                Heard::Answer { id, answer } => self.answered(client, &id, answer)?,
                Heard::Shown => self.is_true(client)?,
                Heard::Closed => self.hang_up(client),
            }
        }
        Ok(())
    }

    /// A server's message arrives.
    pub(crate) fn told(&mut self, line: usize, text: &str) -> Kept {
        let own = &self.lines[line];
        if own.cut || !own.at_client {
            return Ok(());
        }
        let client = own.client;
        self.tell(|_| format!("line {line} to client {client}: {}", &text[..text.len().min(120)]));
        let heard = self.clients[client].hear(message(text)?, self.now);
        self.heard(client, heard)
    }

    /// When a message arrives, once or twice or never.
    fn arrivals(&mut self, last: Time) -> (Vec<Time>, Time) {
        let network = self.plan.network;
        let most = if self.is_peace() { network.usual.max(50) } else { network.most };
        let after = self.random.delay(network.usual, most);
        let at = (self.now + after).max(last + 1);
        let loose = if self.is_peace() { 0 } else { network.loose };
        if !self.random.permille(loose) {
            return (vec![at], at);
        }
        let other = self.now + self.random.delay(network.usual, 2 * network.most);
        match self.random.below(3) {
            0 => (Vec::new(), last),
            1 => (vec![at, other], at),
            // Late: others overtake it.
            _ => (vec![other], last),
        }
    }

    fn up(&mut self, line: usize, message: &ClientMessage) {
        let Ok(text) = serde_json::to_string(message) else { return };
        if self.lines[line].cut {
            return;
        }
        let (arrivals, last) = self.arrivals(self.lines[line].last_up);
        self.lines[line].last_up = last;
        for at in arrivals {
            self.soon(at.saturating_sub(self.now), Happening::Frame { line, text: text.clone() });
        }
    }

    pub(crate) fn carry_down(&mut self, line: usize, text: &str) {
        if self.lines[line].cut {
            return;
        }
        let (arrivals, last) = self.arrivals(self.lines[line].last_down);
        self.lines[line].last_down = last;
        for at in arrivals {
            self.soon(at.saturating_sub(self.now), Happening::Told { line, text: text.to_owned() });
        }
    }

    /// Who is there, when everybody is.
    pub(crate) fn everybody(&self) -> (bool, bool, u32) {
        let watch = |person: &&Person| !matches!(person, Person::Player(_));
        let watching = self.plan.people.iter().filter(watch).count();
        (true, true, u32::try_from(watching).unwrap_or(u32::MAX))
    }
}
