//! Flat structs that derive `Deserialize`, out of validated fragments.

use crate::json::{Elements, JsonKind, JsonStr, Members, RawJson, walk};
use core::fmt::Display;
use serde::de::{self, Deserialize, DeserializeSeed, IntoDeserializer, Visitor};

/// Containers that a fragment may have nested in it to be read into a type: each is a
/// level of recursion.
pub const MAX_NESTED: u8 = 16;

/// Longest text, in bytes, of a member's name that holds an escape and is handed out
/// without room to resolve it in.
const NAME: usize = 64;

/// What stands for a name that has no text: no UTF-8, so no field and no variant is
/// called so.
const NO_TEXT: &[u8] = b"\xff";

/// Why a fragment was not read into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromJsonError {
    /// The fragment does not have the shape that the type asks for: another type of
    /// value, a number out of range, a member missing or standing twice.
    Mismatch,
    /// A string holds an escape, so its text does not stand in the fragment, and there is
    /// no room to unescape it: see [`RawJson::deserialize_in`].
    Escaped,
    /// More than [`MAX_NESTED`] containers are nested.
    TooDeep,
}

impl Display for FromJsonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            FromJsonError::Mismatch => "the JSON does not have the shape that the type asks for",
            FromJsonError::Escaped => "a string holds an escape and there is no room to resolve it",
            FromJsonError::TooDeep => "too many containers are nested",
        })
    }
}

impl core::error::Error for FromJsonError {}

impl de::Error for FromJsonError {
    fn custom<T: Display>(_: T) -> Self {
        FromJsonError::Mismatch
    }
}

impl<'a> RawJson<'a> {
    /// Reads the value into a type that derives `Deserialize`: arguments of a call into a
    /// flat struct, say.
    ///
    /// Members that the type does not name are passed over, whatever they hold. Numbers
    /// are taken by value, so an integer may be spelled `1.0`; one that the field's type
    /// cannot hold is an error, as is a float's overflow. Names of fields and variants
    /// are compared by meaning, however long they are and whatever escapes they hold. The
    /// names that a map takes for keys are handed out by meaning too: one that holds an
    /// escape has at most 64 bytes of text, or is [`FromJsonError::Escaped`]. Keys are read as
    /// strings alone: a type that asks for an integer or an enum there is
    /// [`FromJsonError::Mismatch`].
    ///
    /// ```
    /// use wireline::encode::FromJsonError;
    /// use wireline::json::RawJson;
    ///
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// struct Led<'a> { name: &'a str, on: bool, level: Option<u8> }
    ///
    /// let raw = RawJson::validate(br#"{"name": "left", "on": true, "why": ["\n"]}"#).unwrap();
    /// assert_eq!(raw.deserialize(), Ok(Led { name: "left", on: true, level: None }));
    ///
    /// let raw = RawJson::validate(br#"{"name": "a\nb", "on": true}"#).unwrap();
    /// assert_eq!(raw.deserialize::<Led>(), Err(FromJsonError::Escaped));
    /// ```
    ///
    /// # Errors
    ///
    /// [`FromJsonError`]. A string that holds an escape is [`FromJsonError::Escaped`]
    /// wherever the type looks at it.
    pub fn deserialize<T: Deserialize<'a>>(&self) -> Result<T, FromJsonError> {
        self.deserialize_in(&mut [])
    }

    /// Reads the value as [`deserialize`](Self::deserialize) does, with room to resolve
    /// escapes in: as many bytes as the strings that hold escapes are long, the keys of
    /// maps among them.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// let raw = RawJson::validate(br#"["plain", "a\u00e9b"]"#).unwrap();
    /// let mut room = [0; 16];
    /// assert_eq!(raw.deserialize_in(&mut room), Ok(("plain", "aéb")));
    /// ```
    ///
    /// # Errors
    ///
    /// [`FromJsonError`]; [`FromJsonError::Escaped`], if there is too little room or a
    /// string holds an unpaired surrogate.
    pub fn deserialize_in<T: Deserialize<'a>>(
        &self,
        mut room: &'a mut [u8],
    ) -> Result<T, FromJsonError> {
        if walk::is_deeper(self.as_bytes(), MAX_NESTED) {
            return Err(FromJsonError::TooDeep);
        }
        T::deserialize(Value {
            raw: *self,
            room: &mut room,
        })
    }
}

type Read<T> = Result<T, FromJsonError>;

/// Reads one value.
struct Value<'r, 'de> {
    raw: RawJson<'de>,
    /// Where escapes are resolved.
    room: &'r mut &'de mut [u8],
}

impl<'r, 'de> Value<'r, 'de> {
    fn of_kind(&self, kind: JsonKind) -> Read<()> {
        if self.raw.kind() == kind {
            Ok(())
        } else {
            Err(FromJsonError::Mismatch)
        }
    }

    fn signed(&self) -> Read<i64> {
        let number = self.raw.as_number().and_then(|number| number.as_i64());
        number.ok_or(FromJsonError::Mismatch)
    }

    fn unsigned(&self) -> Read<u64> {
        let number = self.raw.as_number().and_then(|number| number.as_u64());
        number.ok_or(FromJsonError::Mismatch)
    }

    fn float<F: core::str::FromStr>(&self, finite: fn(&F) -> bool) -> Read<F> {
        let number = self.raw.as_number().and_then(|n| n.as_str().parse().ok());
        number.filter(finite).ok_or(FromJsonError::Mismatch)
    }

    fn text(self) -> Read<&'de str> {
        let text = self.raw.as_json_str().ok_or(FromJsonError::Mismatch)?;
        match text.as_str() {
            Some(text) => Ok(text),
            None => resolve(text, self.room),
        }
    }

    fn members(self, known: Option<Names>) -> Read<MapAccess<'r, 'de>> {
        self.of_kind(JsonKind::Object)?;
        Ok(MapAccess {
            known,
            members: self.raw.members(),
            value: None,
            room: self.room,
        })
    }

    fn elements(self) -> Read<SeqAccess<'r, 'de>> {
        self.of_kind(JsonKind::Array)?;
        Ok(SeqAccess {
            elements: self.raw.elements(),
            room: self.room,
        })
    }
}

/// Resolves a string's escapes in the front of the room, which becomes shorter by that.
fn resolve<'de>(text: JsonStr<'de>, room: &mut &'de mut [u8]) -> Read<&'de str> {
    // Text is never longer than what it is written as.
    let length = text.raw().len();
    if room.len() < length {
        return Err(FromJsonError::Escaped);
    }
    let (mine, rest) = core::mem::take(room)
        .split_at_mut_checked(length)
        .unwrap_or_default();
    *room = rest;
    text.unescape_into(mine).map_err(|_| FromJsonError::Escaped)
}

macro_rules! read_with {
    ($($name:ident => $visit:ident, |$value:ident| $body:expr;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            let $value = self;
            visitor.$visit($body)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Value<'_, 'de> {
    type Error = FromJsonError;

    read_with! {
        deserialize_bool => visit_bool, |v| v.raw.as_bool().ok_or(FromJsonError::Mismatch)?;
        deserialize_i8 => visit_i64, |v| v.signed()?;
        deserialize_i16 => visit_i64, |v| v.signed()?;
        deserialize_i32 => visit_i64, |v| v.signed()?;
        deserialize_i64 => visit_i64, |v| v.signed()?;
        deserialize_u8 => visit_u64, |v| v.unsigned()?;
        deserialize_u16 => visit_u64, |v| v.unsigned()?;
        deserialize_u32 => visit_u64, |v| v.unsigned()?;
        deserialize_u64 => visit_u64, |v| v.unsigned()?;
        deserialize_f32 => visit_f32, |v| v.float(|float: &f32| float.is_finite())?;
        deserialize_f64 => visit_f64, |v| v.float(|float: &f64| float.is_finite())?;
        deserialize_char => visit_borrowed_str, |v| v.text()?;
        deserialize_str => visit_borrowed_str, |v| v.text()?;
        deserialize_string => visit_borrowed_str, |v| v.text()?;
        deserialize_identifier => visit_borrowed_str, |v| v.text()?;
        deserialize_seq => visit_seq, |v| v.elements()?;
        deserialize_map => visit_map, |v| v.members(None)?;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.raw.kind() {
            JsonKind::Null => visitor.visit_unit(),
            JsonKind::Bool => self.deserialize_bool(visitor),
            JsonKind::String => self.deserialize_str(visitor),
            JsonKind::Array => self.deserialize_seq(visitor),
            JsonKind::Object => self.deserialize_map(visitor),
            JsonKind::Number => match (self.signed(), self.unsigned()) {
                (Ok(value), _) => visitor.visit_i64(value),
                (_, Ok(value)) => visitor.visit_u64(value),
                _ => self.deserialize_f64(visitor),
            },
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, _: V) -> Read<V::Value> {
        Err(FromJsonError::Mismatch)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.raw.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.of_kind(JsonKind::Null)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Read<V::Value> {
        if self.raw.elements().count() != len {
            return Err(FromJsonError::Mismatch);
        }
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: Names,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_map(self.members(Some(fields))?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: Names,
        visitor: V,
    ) -> Read<V::Value> {
        if let Some(text) = self.raw.as_json_str() {
            return match variants.iter().find(|known| text == **known) {
                Some(known) => visitor.visit_enum((*known).into_deserializer()),
                None => visitor.visit_enum(self.text()?.into_deserializer()),
            };
        }
        let mut members = self.members(Some(variants))?;
        match (members.members.next(), members.members.next()) {
            (Some((name, value)), None) => visitor.visit_enum(Variant {
                name,
                variants,
                value: Value {
                    raw: value,
                    room: members.room,
                },
            }),
            _ => Err(FromJsonError::Mismatch),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }
}

/// Hands out the elements of an array.
struct SeqAccess<'r, 'de> {
    elements: Elements<'de>,
    room: &'r mut &'de mut [u8],
}

impl<'de> de::SeqAccess<'de> for SeqAccess<'_, 'de> {
    type Error = FromJsonError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        let Some(raw) = self.elements.next() else {
            return Ok(None);
        };
        let room = &mut *self.room;
        seed.deserialize(Value { raw, room }).map(Some)
    }
}

/// Hands out the members of an object.
struct MapAccess<'r, 'de> {
    known: Option<Names>,
    members: Members<'de>,
    value: Option<RawJson<'de>>,
    room: &'r mut &'de mut [u8],
}

impl<'de> de::MapAccess<'de> for MapAccess<'_, 'de> {
    type Error = FromJsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let Some((name, value)) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        let (known, room) = (self.known, &mut *self.room);
        seed.deserialize(Name { name, known, room }).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        let raw = self.value.take().ok_or(FromJsonError::Mismatch)?;
        let room = &mut *self.room;
        seed.deserialize(Value { raw, room })
    }
}

/// Names that the type has for its members or its variants.
type Names = &'static [&'static str];

/// Reads a member's name.
struct Name<'r, 'de> {
    name: JsonStr<'de>,
    /// The names among which it is looked for; none, if any name will do.
    known: Option<Names>,
    room: &'r mut &'de mut [u8],
}

impl<'de> de::Deserializer<'de> for Name<'_, 'de> {
    type Error = FromJsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let Name { name, known, room } = self;
        if let Some(name) = name.as_str() {
            return visitor.visit_borrowed_str(name);
        }
        let same = |known: &&&'static str| name == ***known;
        if let Some(name) = known.and_then(|names| names.iter().find(same)) {
            return visitor.visit_borrowed_str(name);
        }
        // Unknown names of a struct are passed over, and take no room.
        if known.is_none()
            && room.len() >= name.raw().len()
            && let Ok(name) = resolve(name, room)
        {
            return visitor.visit_borrowed_str(name);
        }
        let mut buffer = [0; NAME];
        match (name.unescape_into(&mut buffer), known) {
            (Ok(name), _) => visitor.visit_str(name),
            (Err(_), Some(_)) => visitor.visit_bytes(NO_TEXT),
            (Err(_), None) => Err(FromJsonError::Escaped),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum
        identifier
    }
}

/// Hands out an enum's variant that has content.
struct Variant<'r, 'de> {
    name: JsonStr<'de>,
    variants: Names,
    value: Value<'r, 'de>,
}

impl<'r, 'de> de::EnumAccess<'de> for Variant<'r, 'de> {
    type Error = FromJsonError;
    type Variant = Value<'r, 'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Read<(V::Value, Self::Variant)> {
        let Variant {
            name,
            variants,
            value,
        } = self;
        let known = Some(variants);
        let room = &mut *value.room;
        let variant = seed.deserialize(Name { name, known, room })?;
        Ok((variant, value))
    }
}

impl<'de> de::VariantAccess<'de> for Value<'_, 'de> {
    type Error = FromJsonError;

    fn unit_variant(self) -> Read<()> {
        de::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Read<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Read<V::Value> {
        de::Deserializer::deserialize_tuple(self, len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: Names, visitor: V) -> Read<V::Value> {
        visitor.visit_map(self.members(Some(fields))?)
    }
}
