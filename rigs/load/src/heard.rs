//! What a player hears, read as far as a player needs it.
//!
//! The whole types of the protocol cost five times as much to read, on the processor that the
//! server shall have. The tests read what the protocol's own types write.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A message of the server.
#[derive(Debug)]
pub enum Heard<'a> {
    /// The answer to hello.
    Welcome(Welcome<'a>),
    /// Everything.
    Snapshot(Snapshot<'a>),
    /// Something has happened.
    Event(Event<'a>),
    /// It is one's turn.
    Turn(Turn<'a>),
    /// A command is done.
    Ack(Ack<'a>),
    /// A command is not done.
    Refused(Refused<'a>),
    /// Presence, beats, goodbyes.
    Other,
}

/// The answer to hello.
#[derive(Deserialize, Debug)]
pub struct Welcome<'a> {
    /// The last event.
    pub seq: u64,
    /// Where one sits.
    #[serde(borrow)]
    pub seat: Option<Cow<'a, str>>,
}

/// Everything.
#[derive(Deserialize, Debug)]
pub struct Snapshot<'a> {
    /// The last event.
    pub seq: u64,
    /// Where the game stands.
    pub phase: Cow<'a, str>,
    /// The moves.
    #[serde(borrow)]
    pub plies: Vec<Ply<'a>>,
    /// What is on offer.
    #[serde(borrow)]
    pub offers: Vec<Offered<'a>>,
    /// The next game.
    #[serde(default)]
    pub next: Option<Cow<'a, str>>,
}

/// A move of a snapshot.
#[derive(Deserialize, Debug)]
pub struct Ply<'a> {
    /// As UCI writes it.
    #[serde(borrow)]
    pub uci: Cow<'a, str>,
}

/// Something on offer.
#[derive(Deserialize, Debug)]
pub struct Offered<'a> {
    /// What.
    #[serde(borrow)]
    pub what: Cow<'a, str>,
    /// By which side.
    #[serde(borrow)]
    pub by: Cow<'a, str>,
}

/// Something has happened.
#[derive(Debug)]
pub struct Event<'a> {
    /// The entry as it was written: the log has the same bytes.
    pub written: &'a str,
    /// What of it a player acts on.
    pub entry: Entry<'a>,
}

/// An entry of the log.
#[derive(Deserialize, Debug)]
pub struct Entry<'a> {
    /// Its number.
    pub seq: u64,
    /// What happened.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The next game.
    #[serde(default, borrow)]
    pub next: Option<Cow<'a, str>>,
    /// What was offered.
    #[serde(default, borrow)]
    pub what: Option<Cow<'a, str>>,
    /// By which side.
    #[serde(default, borrow)]
    pub by: Option<Cow<'a, str>>,
}

/// It is one's turn.
#[derive(Deserialize, Debug)]
pub struct Turn<'a> {
    /// After which event.
    pub seq: u64,
    /// Where one may go.
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

/// A map, as a list.
#[derive(Debug, Default)]
struct Pairs<'a>(Vec<(&'a str, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<'a>, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of texts")
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
    /// One of the moves, each as likely as any other; nothing when there is none.
    pub fn any(&self, random: &mut fastrand::Rng) -> Option<String> {
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

/// A command is done.
#[derive(Deserialize, Debug)]
pub struct Ack<'a> {
    /// Which.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// Its last event.
    pub seq: u64,
}

/// A command is not done.
#[derive(Deserialize, Debug)]
pub struct Refused<'a> {
    /// Which.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// Why.
    #[serde(borrow)]
    pub refusal: Why<'a>,
}

/// Why a command is not done.
#[derive(Deserialize, Debug)]
pub struct Why<'a> {
    /// A short name.
    #[serde(borrow)]
    pub code: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Happened<'a> {
    #[serde(borrow)]
    entry: &'a RawValue,
}

impl Heard<'_> {
    /// Reads a message.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn read(text: &str) -> serde_json::Result<Heard<'_>> {
        // The server writes the kind first; that it does is what the test below holds.
        let kind = text.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split('"').next());
        Ok(match kind {
            Some("event") => {
                let written = serde_json::from_str::<Happened<'_>>(text)?.entry.get();
                Heard::Event(Event { written, entry: serde_json::from_str(written)? })
            }
            Some("turn") => Heard::Turn(serde_json::from_str(text)?),
            Some("ack") => Heard::Ack(serde_json::from_str(text)?),
            Some("refused") => Heard::Refused(serde_json::from_str(text)?),
            Some("welcome") => Heard::Welcome(serde_json::from_str(text)?),
            Some("snapshot") => Heard::Snapshot(serde_json::from_str(text)?),
            _ => {
                serde_json::from_str::<IgnoredAny>(text)?;
                Heard::Other
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
        let written = serde_json::to_string(&entry).unwrap();
        let happened = wire::Happened { entry, san: None, board: None, ticking: None };
        let message = text(&wire::ServerMessage::Event(Box::new(happened)));
        let Ok(Heard::Event(event)) = Heard::read(&message) else { panic!("{message}") };
        assert_eq!(event.written, written);
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
        let Ok(Heard::Turn(turn)) = Heard::read(&message) else { panic!("{message}") };
        let mut random = fastrand::Rng::with_seed(1);
        let drawn: BTreeSet<_> = (0..500).filter_map(|_| turn.any(&mut random)).collect();
        let all = ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e2e3", "e2e4", "g1f3", "g1h3"];
        assert_eq!(drawn, all.map(str::to_owned).into());
    }

    #[test]
    fn answers_are_told_apart() {
        let ack = text(&wire::ServerMessage::Ack { id: "m1".into(), seq: 4 });
        assert!(matches!(Heard::read(&ack), Ok(Heard::Ack(ack)) if ack.id == "m1" && ack.seq == 4));
        let refusal = wire::Refusal {
            code: "busy".into(),
            squares: vec![],
            by: vec![],
            text: "\"later\"".into(),
        };
        let refused = text(&wire::ServerMessage::Refused { id: "m1".into(), seq: 4, refusal });
        assert!(
            matches!(Heard::read(&refused), Ok(Heard::Refused(no)) if no.refusal.code == "busy")
        );
        let beat = text(&wire::ServerMessage::Beat { seq: 4, now: Millis(5) });
        assert!(matches!(Heard::read(&beat), Ok(Heard::Other)));
        assert!(Heard::read("{\"type\":\"ack\"").is_err());
    }
}
