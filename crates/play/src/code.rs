//! Serialises values of the rules library, which itself does not use serde, as short names.

use std::fmt;
use std::marker::PhantomData;

use hansu_chess::{Color, UciMove, Variant};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

/// Reads a value that is written as a string.
pub(crate) fn read<'de, D: Deserializer<'de>, T>(
    from: D,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct Text<T, P>(&'static str, P, PhantomData<T>);
    impl<T, P: Fn(&str) -> Option<T>> Visitor<'_> for Text<T, P> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
    from.deserialize_str(Text(expected, parse, PhantomData))
}

fn color_named(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color_name(*color) == text)
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A side: `white` or `black`.
pub(crate) mod color {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(color: &Color, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(color_name(*color))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Color, D::Error> {
        read(from, "white or black", color_named)
    }
}

/// A side or none: `white`, `black` or `none`. Always a string, so that no store confuses a draw with
/// an unknown winner.
pub(crate) mod optional_color {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        color: &Option<Color>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(color.map_or("none", color_name))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Color>, D::Error> {
        read(from, "white, black or none", |text| match text {
            "none" => Some(None),
            _ => color_named(text).map(Some),
        })
    }
}

/// `standard` or `chess960`.
pub(crate) mod variant {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(variant: &Variant, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match variant {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Variant, D::Error> {
        read(from, "standard or chess960", |text| match text {
            "standard" => Some(Variant::Standard),
            "chess960" => Some(Variant::Chess960),
            _ => None,
        })
    }
}

/// A move as UCI writes it: `e2e4`.
pub(crate) mod uci {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(step: &UciMove, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(step)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<UciMove, D::Error> {
        read(from, "a move such as e2e4", |text| text.parse().ok())
    }
}

/// A move or none.
pub(crate) mod optional_uci {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct UciText(#[serde(with = "super::uci")] UciMove);

    pub(crate) fn serialize<S: Serializer>(
        step: &Option<UciMove>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        step.map(UciText).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<UciMove>, D::Error> {
        Ok(Option::<UciText>::deserialize(from)?.map(|written| written.0))
    }
}
