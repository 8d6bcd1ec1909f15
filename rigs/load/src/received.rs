//! The server's messages, parsed as far as a player needs them.
//!
//! Parsing the complete types of the protocol costs five times as much, on the processor that the
//! server shall have. The tests parse what the protocol's own types write.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A message of the server.
#[derive(Debug)]
pub enum Received<'a> {
    /// The answer to `hello`.
    Welcome(Welcome<'a>),
    /// A snapshot of the game.
    Snapshot(Snapshot<'a>),
    /// An event of the game.
    Event(Event<'a>),
    /// This client's turn, with its legal moves.
    Turn(Turn<'a>),
    /// A command was done.
    Ack(Ack<'a>),
    /// A command was refused.
    Refused(Refused<'a>),
    /// Presence, beats, goodbyes: nothing a player acts on.
    Other,
}

/// The answer to `hello`.
#[derive(Deserialize, Debug)]
pub struct Welcome<'a> {
    /// The number of the last event.
    pub seq: u64,
    /// The client's seat; `None` for a spectator.
    #[serde(borrow)]
    pub seat: Option<Cow<'a, str>>,
}

/// A snapshot of the game.
#[derive(Deserialize, Debug)]
pub struct Snapshot<'a> {
    /// The number of the last event.
    pub seq: u64,
    /// The phase as the protocol names it.
    pub phase: Cow<'a, str>,
    /// The moves.
    #[serde(borrow)]
    pub plies: Vec<Ply<'a>>,
    /// The open offers.
    #[serde(borrow)]
    pub offers: Vec<OpenOffer<'a>>,
    /// The next game.
    #[serde(default)]
    pub next: Option<Cow<'a, str>>,
}

/// A move of a snapshot.
#[derive(Deserialize, Debug)]
pub struct Ply<'a> {
    /// The move in UCI notation.
    #[serde(borrow)]
    pub uci: Cow<'a, str>,
}

/// An open offer.
#[derive(Deserialize, Debug)]
pub struct OpenOffer<'a> {
    /// What is offered, as the protocol names it.
    #[serde(borrow)]
    pub what: Cow<'a, str>,
    /// By which side.
    #[serde(borrow)]
    pub by: Cow<'a, str>,
}

/// An event of the game.
#[derive(Debug)]
pub struct Event<'a> {
    /// The entry's JSON text: the log has the same bytes.
    pub raw_entry: &'a str,
    /// The fields of the entry that a player needs.
    pub entry: EntryFields<'a>,
}

/// The fields of a log entry that a player needs.
#[derive(Deserialize, Debug)]
pub struct EntryFields<'a> {
    /// The event's number.
    pub seq: u64,
    /// The event's type.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The next game.
    #[serde(default, borrow)]
    pub next: Option<Cow<'a, str>>,
    /// What was offered, in offers.
    #[serde(default, borrow)]
    pub what: Option<Cow<'a, str>>,
    /// By which side.
    #[serde(default, borrow)]
    pub by: Option<Cow<'a, str>>,
}

/// This client's turn, with its legal moves.
#[derive(Deserialize, Debug)]
pub struct Turn<'a> {
    /// The number of the event before this turn.
    pub seq: u64,
    /// The legal moves.
    #[serde(borrow)]
    moves: Moves<'a>,
}

#[derive(Deserialize, Debug)]
struct Moves<'a> {
    #[serde(borrow)]
    targets: Pairs<'a>,
    #[serde(default, borrow)]
    special: Pairs<'a>,
}

/// A JSON map of strings, parsed into a list.
#[derive(Debug, Default)]
struct Pairs<'a>(Vec<(&'a str, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<'a>, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::with_capacity(16);
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(List)
    }
}

impl Turn<'_> {
    /// A random move, each with the same probability; `None` when there is none.
    pub fn random_move(&self, random: &mut fastrand::Rng) -> Option<String> {
        let count: usize = self.moves.targets.0.iter().map(|(_, to)| to.len() / 2).sum();
        if count == 0 {
            return None;
        }
        let mut chosen = random.usize(..count);
        for (from, to) in &self.moves.targets.0 {
            if let Some(to) = to.get(2 * chosen..2 * chosen + 2) {
                let squares = format!("{from}{to}");
                let promotes = self.moves.special.0.contains(&(&squares, "promotion"));
                let piece = if promotes { ["q", "r", "b", "n"][random.usize(..4)] } else { "" };
                return Some(squares + piece);
            }
            chosen -= to.len() / 2;
        }
        None
    }
}

/// A command was done.
#[derive(Deserialize, Debug)]
pub struct Ack<'a> {
    /// The command's id.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// The number of its last event.
    pub seq: u64,
}

/// A command was refused.
#[derive(Deserialize, Debug)]
pub struct Refused<'a> {
    /// The command's id.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// The reason.
    #[serde(borrow)]
    pub refusal: Refusal<'a>,
}

/// The reason of a refusal.
#[derive(Deserialize, Debug)]
pub struct Refusal<'a> {
    /// The refusal's code.
    #[serde(borrow)]
    pub code: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Happened<'a> {
    #[serde(borrow)]
    entry: &'a RawValue,
}

impl Received<'_> {
    /// Parses a message.
    ///
    /// # Errors
    ///
    /// When it is not a valid message.
    pub fn parse(text: &str) -> serde_json::Result<Received<'_>> {
        // The server writes the type first; the tests below check that it does.
        let kind = text.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split('"').next());
        Ok(match kind {
            Some("event") => {
                let raw_entry = serde_json::from_str::<Happened<'_>>(text)?.entry.get();
                Received::Event(Event { raw_entry, entry: serde_json::from_str(raw_entry)? })
            }
            Some("turn") => Received::Turn(serde_json::from_str(text)?),
            Some("ack") => Received::Ack(serde_json::from_str(text)?),
            Some("refused") => Received::Refused(serde_json::from_str(text)?),
            Some("welcome") => Received::Welcome(serde_json::from_str(text)?),
            Some("snapshot") => Received::Snapshot(serde_json::from_str(text)?),
            _ => {
                serde_json::from_str::<IgnoredAny>(text)?;
                Received::Other
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_play::Millis;
    use hansu_protocol as wire;
    use std::collections::{BTreeMap, BTreeSet};

    fn text(message: &wire::ServerMessage) -> String {
        serde_json::to_string(message).unwrap()
    }

    #[test]
    fn an_event_keeps_the_bytes_of_its_entry() {
        let event = hansu_play::Event::RematchAgreed { next: "abc".into() };
        let entry = hansu_play::Entry { seq: 7, at: Millis(12), event };
        let raw_entry = serde_json::to_string(&entry).unwrap();
        let happened = wire::Happened { entry, san: None, board: None, ticking: None };
        let message = text(&wire::ServerMessage::Event(Box::new(happened)));
        let Ok(Received::Event(event)) = Received::parse(&message) else { panic!("{message}") };
        assert_eq!(event.raw_entry, raw_entry);
        assert_eq!((event.entry.seq, event.entry.next.as_deref()), (7, Some("abc")));
        assert_eq!(event.entry.kind, "rematch_agreed");
    }

    #[test]
    fn every_move_is_drawn_some_time() {
        let targets = [("a7", "a8"), ("e2", "e3e4"), ("g1", "f3h3")];
        let targets: BTreeMap<_, _> =
            targets.into_iter().map(|(from, to)| (from.to_owned(), to.to_owned())).collect();
        let special = BTreeMap::from([("a7a8".to_owned(), wire::Special::Promotion)]);
        let moves = wire::Moves { targets, special, claim: None };
        let message = text(&wire::ServerMessage::Turn { seq: 3, moves });
        let Ok(Received::Turn(turn)) = Received::parse(&message) else { panic!("{message}") };
        let mut random = fastrand::Rng::with_seed(1);
        let drawn: BTreeSet<_> = (0..500).filter_map(|_| turn.random_move(&mut random)).collect();
        let all = ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e2e3", "e2e4", "g1f3", "g1h3"];
        assert_eq!(drawn, all.map(str::to_owned).into());
    }

    #[test]
    fn answers_are_told_apart() {
        let ack = text(&wire::ServerMessage::Ack { id: "m1".into(), seq: 4 });
        assert!(
            matches!(Received::parse(&ack), Ok(Received::Ack(ack)) if ack.id == "m1" && ack.seq == 4)
        );
        let refusal = wire::Refusal {
            code: "busy".into(),
            squares: vec![],
            by: vec![],
            text: "\"later\"".into(),
        };
        let refused = text(&wire::ServerMessage::Refused { id: "m1".into(), seq: 4, refusal });
        assert!(
            matches!(Received::parse(&refused), Ok(Received::Refused(no)) if no.refusal.code == "busy")
        );
        let beat = text(&wire::ServerMessage::Beat { seq: 4, now: Millis(5) });
        assert!(matches!(Received::parse(&beat), Ok(Received::Other)));
        assert!(Received::parse("{\"type\":\"ack\"").is_err());
    }
}
