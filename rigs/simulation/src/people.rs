//! The clients, and the network between them and the nodes.

use hansu_live::CommandKey;
use hansu_protocol::{ClientMessage, Wish};

use crate::client::Action;
use crate::laws::{Law, LawResult, check};
use crate::plan::{Person, Time};
use crate::referee::Author;
use crate::world::{Happening, IssuedCommand, Link, World, holder, message};

/// A player to move must get its targets within this time.
const FORGOTTEN: Time = 2_500;

impl World {
    /// The part of a spectator's command keys that identifies the spectator.
    pub(crate) fn holder_name(&self, client: usize) -> String {
        let holder = holder(self.clients[client].person, client);
        holder.0[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The key of a client's command in the log.
    pub(crate) fn command_key(&self, client: usize, id: &str) -> String {
        let seat = self.clients[client].seat();
        let actor = seat.map_or(hansu_play::Actor::Spectator, hansu_play::Actor::seat);
        CommandKey::new(actor, &self.holder_name(client), id).to_string()
    }

    /// A client wakes up: connects, acts on timeouts, sends a command.
    pub(crate) fn wake(&mut self, client: usize) -> LawResult {
        let pace = self.plan.pace;
        let next = self.random.between(pace / 2 + 5, 2 * pace);
        self.schedule(next, Happening::Wake { client });
        if self.now < self.clients[client].offline_until {
            return Ok(());
        }
        let Some(link) = self.clients[client].link else {
            self.connect(client);
            return Ok(());
        };
        self.check_targets(client, link)?;
        let now = self.now;
        let own = &self.clients[client];
        let quiet = now >= self.plan.quiet;
        let wish = match (own.welcomed, quiet) {
            (false, _) => None,
            (true, true) => own.final_wish(),
            (true, false) if now < own.idle_until => None,
            (true, false) => own.wish(&mut self.random),
        };
        if let Some(wish) = wish {
            self.want(client, wish);
        }
        let heard = self.clients[client].due_actions(now);
        self.perform(client, heard)
    }

    fn want(&mut self, client: usize, wish: Wish) {
        let seat = self.clients[client].seat();
        let author = seat.map_or(Author::Watcher, |seat| Author::of(seat, &wish));
        let id = self.clients[client].want(wish.clone(), self.now);
        let name = self.command_key(client, &id);
        self.trace_line(|_| format!("client {client} wants {name}: {wish:?}"));
        let stamps = Vec::new();
        let command =
            IssuedCommand { author, wish, client, stamps, acked: None, refused: None, links: 0 };
        self.issued.insert(name, command);
    }

    /// Checks that a player to move on a healthy connection has its targets.
    fn check_targets(&self, client: usize, link: usize) -> LawResult {
        let own = &self.links[link];
        let (node, waits) = (own.node, self.clients[client].without_targets(self.now));
        let healthy = self.clients[client].welcomed
            && !own.cut
            && own.at_node
            && own.epoch == self.nodes[node].epoch
            && own.stalled + FORGOTTEN < self.now
            && (self.plan.network.loose == 0 || self.now - waits > self.plan.peace + FORGOTTEN);
        check(Law::Turn, !healthy || waits < FORGOTTEN, || {
            format!("client {client} is to move and has no targets for {waits} ms")
        })
    }

    fn connect(&mut self, client: usize) {
        let node = self.random.index(self.nodes.len());
        let partitioned =
            self.partitions.get(&(client, node)).is_some_and(|&until| self.now < until);
        if partitioned || !self.nodes[node].up {
            return;
        }
        let link = self.links.len();
        self.links.push(Link {
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
        let hello = self.clients[client].hello(link, self.now);
        self.trace_line(|_| format!("client {client} calls node {node} on link {link}: {hello:?}"));
        self.send_to_node(link, &hello);
    }

    /// A client gives a connection up.
    pub(crate) fn hang_up(&mut self, client: usize) {
        let Some(link) = self.clients[client].link else { return };
        self.trace_line(|_| format!("client {client} hangs up link {link}"));
        self.clients[client].hang_up();
        let own = &mut self.links[link];
        own.at_client = false;
        if !own.cut {
            let after = self.random.delay(self.plan.network.usual, self.plan.network.most);
            self.schedule(after, Happening::NodeLost { link });
        }
    }

    pub(crate) fn client_lost(&mut self, link: usize) {
        let client = self.links[link].client;
        if self.links[link].at_client {
            self.links[link].at_client = false;
            if self.clients[client].link == Some(link) {
                self.clients[client].hang_up();
            }
        }
    }

    fn perform(&mut self, client: usize, heard: Vec<Action>) -> LawResult {
        for heard in heard {
            match heard {
                Action::Send(message) => {
                    if let Some(link) = self.clients[client].link {
                        self.send_to_node(link, &message);
                    }
                }
                Action::Answer { id, answer } => self.handle_answer(client, &id, answer)?,
                Action::CheckView => self.check_view(client)?,
                Action::Close => self.hang_up(client),
            }
        }
        Ok(())
    }

    /// A server's message arrives.
    pub(crate) fn receive_at_client(&mut self, link: usize, text: &str) -> LawResult {
        let own = &self.links[link];
        if own.cut || !own.at_client {
            return Ok(());
        }
        let client = own.client;
        self.trace_line(|_| {
            format!("link {link} to client {client}: {}", &text[..text.len().min(120)])
        });
        let heard = self.clients[client].handle(message(text)?, self.now);
        self.perform(client, heard)
    }

    /// When a message arrives: once, twice or never. Also the new time of the last arrival in
    /// order.
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
            // Late: other messages overtake it.
            _ => (vec![other], last),
        }
    }

    fn send_to_node(&mut self, link: usize, message: &ClientMessage) {
        let Ok(text) = serde_json::to_string(message) else { return };
        if self.links[link].cut {
            return;
        }
        let (arrivals, last) = self.arrivals(self.links[link].last_up);
        self.links[link].last_up = last;
        for at in arrivals {
            self.schedule(
                at.saturating_sub(self.now),
                Happening::NodeFrame { link, text: text.clone() },
            );
        }
    }

    pub(crate) fn send_text_to_client(&mut self, link: usize, text: &str) {
        if self.links[link].cut {
            return;
        }
        let (arrivals, last) = self.arrivals(self.links[link].last_down);
        self.links[link].last_down = last;
        for at in arrivals {
            self.schedule(
                at.saturating_sub(self.now),
                Happening::ClientFrame { link, text: text.to_owned() },
            );
        }
    }

    /// The presence when all clients are connected.
    pub(crate) fn all_present(&self) -> (bool, bool, u32) {
        let watch = |person: &&Person| !matches!(person, Person::Player(_));
        let watching = self.plan.people.iter().filter(watch).count();
        (true, true, u32::try_from(watching).unwrap_or(u32::MAX))
    }
}
