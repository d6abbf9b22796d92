//! Values that derive `Serialize`, as JSON.

use crate::json::{self, ToJson, WriteError, Writer};
use core::fmt::Display;
use serde::Serialize;
use serde::ser::{self, Impossible};

/// A value that is written by its `Serialize`.
///
/// It serves wherever a [`ToJson`] does, as the payload of a message for example. Enums
/// are written as `serde_json` writes them: `"Unit"`, `{"Newtype":…}`, `{"Tuple":[…]}`,
/// `{"Struct":{…}}`; map keys that are integers or characters become strings. A float
/// that is not finite is [`WriteError::BadNumber`]; a value that JSON has no form for, a
/// map key that is no string for one, [`WriteError::Unsupported`].
///
/// ```
/// use wireline::encode::{Outgoing, Serde, WriteError};
///
/// #[derive(serde::Serialize)]
/// struct Reading<'a> { sensor: &'a str, celsius: f32 }
///
/// let mut line = [0; 96];
/// let reading = Serde(&Reading { sensor: "left", celsius: 21.5 });
/// let n = Outgoing::result(1, &reading).write(&mut line).unwrap();
/// assert_eq!(
///     &line[..n],
///     b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"sensor\":\"left\",\"celsius\":21.5}}\n",
/// );
///
/// let broken = Serde(&Reading { sensor: "right", celsius: f32::NAN });
/// assert_eq!(Outgoing::result(1, &broken).write(&mut line), Err(WriteError::BadNumber));
/// ```
#[derive(Debug)]
pub struct Serde<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Clone for Serde<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Serde<'_, T> {}

impl<T: Serialize + ?Sized> ToJson for Serde<'_, T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        if let Err(Error(error)) = self.0.serialize(Value(w)) {
            w.fail(error);
        }
    }
}

/// Writes a value by its `Serialize` into `buffer` and returns its text: see [`Serde`].
///
/// ```
/// use wireline::encode::{WriteError, write_json};
/// let mut buffer = [0; 16];
/// assert_eq!(write_json(&(1, "a", 0.5), &mut buffer), Ok(&br#"[1,"a",0.5]"#[..]));
/// assert_eq!(write_json(&(1, "a", 0.5), &mut []), Err(WriteError::TooSmall { needed: 11 }));
/// assert_eq!(write_json(&f64::INFINITY, &mut buffer), Err(WriteError::BadNumber));
/// ```
///
/// # Errors
///
/// [`WriteError::TooSmall`] with the bytes needed, [`WriteError::BadNumber`],
/// [`WriteError::Unsupported`], [`WriteError::TooDeep`].
pub fn write_json<'b, T: Serialize + ?Sized>(
    value: &T,
    buffer: &'b mut [u8],
) -> Result<&'b [u8], WriteError> {
    json::write(&Serde(value), buffer)
}

/// A [`WriteError`] that `serde` takes.
#[derive(Debug)]
struct Error(WriteError);

impl Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: Display>(_: T) -> Self {
        UNSUPPORTED
    }
}

const UNSUPPORTED: Error = Error(WriteError::Unsupported);

/// Longer than any finite float's shortest text.
const FLOAT: usize = 32;

/// Writes one value.
struct Value<'w, 'b>(&'w mut Writer<'b>);

impl<'w, 'b> Value<'w, 'b> {
    fn float(self, value: impl Serialize) -> Result<(), Error> {
        let mut text = [0; FLOAT];
        let text = serde_json_core::to_slice(&value, &mut text)
            .ok()
            .and_then(|len| text.get(..len))
            .and_then(|text| core::str::from_utf8(text).ok());
        // What is not finite comes as something that is no number, which is refused.
        self.0.decimal(text.unwrap_or_default());
        Ok(())
    }

    fn array(self) -> Compound<'w, 'b> {
        self.0.begin_array();
        Compound {
            w: self.0,
            variant: false,
        }
    }

    fn object(self) -> Compound<'w, 'b> {
        self.0.begin_object();
        Compound {
            w: self.0,
            variant: false,
        }
    }

    /// Opens the object around an enum variant's content.
    fn variant(self, name: &str) -> Self {
        self.0.begin_object().key(name);
        self
    }
}

macro_rules! write_with {
    ($($name:ident($type:ty) = |$w:ident, $value:ident| $body:expr;)*) => {$(
        fn $name(self, $value: $type) -> Result<(), Error> {
            let $w = self.0;
            $body;
            Ok(())
        }
    )*};
}

impl<'w, 'b> ser::Serializer for Value<'w, 'b> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'w, 'b>;
    type SerializeTuple = Compound<'w, 'b>;
    type SerializeTupleStruct = Compound<'w, 'b>;
    type SerializeTupleVariant = Compound<'w, 'b>;
    type SerializeMap = Compound<'w, 'b>;
    type SerializeStruct = Compound<'w, 'b>;
    type SerializeStructVariant = Compound<'w, 'b>;

    write_with! {
        serialize_bool(bool) = |w, value| w.bool(value);
        serialize_i8(i8) = |w, value| w.int(value.into());
        serialize_i16(i16) = |w, value| w.int(value.into());
        serialize_i32(i32) = |w, value| w.int(value.into());
        serialize_i64(i64) = |w, value| w.int(value);
        serialize_u8(u8) = |w, value| w.uint(value.into());
        serialize_u16(u16) = |w, value| w.uint(value.into());
        serialize_u32(u32) = |w, value| w.uint(value.into());
        serialize_u64(u64) = |w, value| w.uint(value);
        serialize_char(char) = |w, value| w.string(value.encode_utf8(&mut [0; 4]));
        serialize_str(&str) = |w, value| w.string(value);
        serialize_unit_struct(&'static str) = |w, _name| w.null();
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.float(value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.write_json(self.0);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.0.null();
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.0.null();
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.0.string(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Value(w) = self.variant(variant);
        value.serialize(Value(w))?;
        w.end_object();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w, 'b>, Error> {
        Ok(self.array())
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'w, 'b>, Error> {
        Ok(self.array())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'w, 'b>, Error> {
        Ok(self.array())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, 'b>, Error> {
        let mut compound = self.variant(variant).array();
        compound.variant = true;
        Ok(compound)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'w, 'b>, Error> {
        Ok(self.object())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'w, 'b>, Error> {
        Ok(self.object())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, 'b>, Error> {
        let mut compound = self.variant(variant).object();
        compound.variant = true;
        Ok(compound)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.0.display(&value);
        Ok(())
    }
}

/// Writes what is inside an array or an object.
struct Compound<'w, 'b> {
    w: &'w mut Writer<'b>,
    /// An object stands around it that holds an enum variant's name.
    variant: bool,
}

impl Compound<'_, '_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.w.value(&Serde(value));
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.w.key(name);
        self.element(value)
    }

    fn close(self, object: bool) -> Result<(), Error> {
        if object {
            self.w.end_object();
        } else {
            self.w.end_array();
        }
        if self.variant {
            self.w.end_object();
        }
        Ok(())
    }
}

macro_rules! compound {
    ($($trait:ident, $method:ident($($name:ident)?), $object:expr;)*) => {$(
        impl ser::$trait for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Result<(), Error> {
                compound!(@ self, value $(, $name)?)
            }

            fn end(self) -> Result<(), Error> {
                self.close($object)
            }
        }
    )*};
    (@ $self:ident, $value:ident) => { $self.element($value) };
    (@ $self:ident, $value:ident, $name:ident) => { $self.field($name, $value) };
}

compound! {
    SerializeSeq, serialize_element(), false;
    SerializeTuple, serialize_element(), false;
    SerializeTupleStruct, serialize_field(), false;
    SerializeTupleVariant, serialize_field(), false;
    SerializeStruct, serialize_field(name), true;
    SerializeStructVariant, serialize_field(name), true;
}

impl ser::SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(Key(self.w))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.element(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close(true)
    }
}

/// Writes a map's key.
struct Key<'w, 'b>(&'w mut Writer<'b>);

impl Key<'_, '_> {
    fn integer(self, negative: bool, magnitude: u64) -> Result<(), Error> {
        let mut text = [0; 21];
        let mut sink = json::Sink::new(&mut text, None);
        sink.integer(negative, magnitude);
        match core::str::from_utf8(sink.into_stored()) {
            Ok(text) => self.serialize(text),
            Err(_) => Err(UNSUPPORTED),
        }
    }

    fn serialize(self, name: &str) -> Result<(), Error> {
        self.0.key(name);
        Ok(())
    }
}

macro_rules! key {
    ($($name:ident($type:ty);)*) => {$(
        fn $name(self, value: $type) -> Result<(), Error> {
            #[allow(unused_comparisons, reason = "one text for both kinds of integers")]
            self.integer(value < 0, value.unsigned_abs().into())
        }
    )*};
}

macro_rules! unsupported {
    ($($name:ident($($arg:ty),*) -> $ok:ty;)*) => {$(
        fn $name(self, $(_: $arg),*) -> Result<$ok, Error> {
            Err(UNSUPPORTED)
        }
    )*};
}

impl ser::Serializer for Key<'_, '_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    key! {
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.integer(false, value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.integer(false, value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.integer(false, value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.integer(false, value)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.serialize(value)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    unsupported! {
        serialize_bool(bool) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Error> {
        Err(UNSUPPORTED)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(UNSUPPORTED)
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), Error> {
        Err(UNSUPPORTED)
    }
}
