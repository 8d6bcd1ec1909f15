//! The format of stored entries: versions, and how older formats are converted.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, forward_to_deserialize_any};

use crate::{Entry, Event, Millis};

/// The version of the format in which events are written now.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct EntryRef<'a> {
    v: u32,
    seq: u64,
    at: Millis,
    #[serde(flatten)]
    event: &'a Event,
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        EntryRef { v: VERSION, seq: self.seq, at: self.at, event: &self.event }.serialize(to)
    }
}

/// An entry as it is written, for TypeScript and OpenAPI.
#[cfg(any(feature = "ts", feature = "openapi"))]
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Entry"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Entry))]
pub struct EntryShape {
    /// The version of the event's format.
    pub v: u32,
    /// Its number in the log, counted from 1.
    pub seq: u64,
    /// When it was committed.
    pub at: Millis,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// The version is read before the event, whatever the order of the fields, so that an event of a
/// newer program gives an error about its version and not about one of its fields.
#[derive(Deserialize)]
struct EntryFields {
    v: u32,
    seq: u64,
    at: Millis,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Entry, D::Error> {
        let EntryFields { v, seq, at, rest } = EntryFields::deserialize(from)?;
        let fields = up_to_date(v, rest).map_err(D::Error::custom)?;
        let event = Event::deserialize(ValueDeserializer::<D::Error>::from(Value::Map(fields)))?;
        Ok(Entry { seq, at, event })
    }
}

/// The fields of an event in the present format. When the format changes, `VERSION` goes up and the
/// old number gets an arm here that converts its fields; stored events are never rewritten on disk.
fn up_to_date(v: u32, fields: BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, String> {
    match v {
        VERSION => Ok(fields),
        0 => Err("events have versions from 1".to_owned()),
        newer => Err(format!(
            "an event of version {newer}, written by a newer program; this one reads up to {VERSION}"
        )),
    }
}

/// Any value of a self-describing format, held until the version is known.
enum Value {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E: Error>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Signed(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                Ok(Value::Unsigned(value))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Float(value))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Value::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
                let mut map = BTreeMap::new();
                while let Some((name, value)) = fields.next_entry()? {
                    map.insert(name, value);
                }
                Ok(Value::Map(map))
            }
        }
        from.deserialize_any(Any)
    }
}

/// Deserialises a [`Value`] with the error type of its format. The code for both is then compiled
/// once, which makes the WebAssembly that a page loads 14 kB smaller (compressed).
struct ValueDeserializer<E>(Value, PhantomData<E>);

impl<E> From<Value> for ValueDeserializer<E> {
    fn from(value: Value) -> ValueDeserializer<E> {
        ValueDeserializer(value, PhantomData)
    }
}

impl<'de, E: Error> Deserializer<'de> for ValueDeserializer<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Signed(value) => visitor.visit_i64(value),
            Value::Unsigned(value) => visitor.visit_u64(value),
            Value::Float(value) => visitor.visit_f64(value),
            Value::Text(text) => visitor.visit_string(text),
            Value::List(list) => {
                let items = list.into_iter().map(ValueDeserializer::<E>::from);
                visitor.visit_seq(SeqDeserializer::new(items))
            }
            Value::Map(map) => {
                let fields = map
                    .into_iter()
                    .map(|(name, value)| (name, ValueDeserializer::<E>::from(value)));
                visitor.visit_map(MapDeserializer::new(fields))
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<E: Error> IntoDeserializer<'_, E> for ValueDeserializer<E> {
    type Deserializer = ValueDeserializer<E>;

    fn into_deserializer(self) -> ValueDeserializer<E> {
        self
    }
}
