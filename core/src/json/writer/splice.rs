//! Values whose brackets are left out, so that their members join an open object.

use super::{Next, WriteError, Writer};
use crate::json::{JsonKind, JsonStr, RawJson, ToJson};

/// A value whose members are being written into an object that was open before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Splice {
    /// Names that its members may not have.
    taken: &'static [&'static str],
    /// At which depth its members stand, once its opening bracket has come.
    open: Option<u8>,
    /// What it does at each step. A pointer, so that nothing of this is linked where no
    /// value is spliced.
    step: fn(&mut Writer<'_>, Splice, Step<'_>) -> bool,
}

/// What is about to be written.
pub(super) enum Step<'s> {
    /// A value of any type.
    Value,
    /// A container.
    Open(JsonKind),
    /// The bracket of the object that was opened last.
    Close,
    Name(&'s str),
    /// A name as it was received.
    Received(JsonStr<'s>),
    Raw(RawJson<'s>),
}

impl Writer<'_> {
    /// Whether a spliced value has dealt with a step, so that nothing is left to do.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(super) fn spliced(&mut self, step: Step<'_>) -> bool {
        match self.splice {
            None => false,
            Some(splice) => (splice.step)(self, splice, step),
        }
    }

    /// Writes the members of an object value into the object that is open. A member whose
    /// name is among `taken`, or a value that is no object, is
    /// [`WriteError::BadPayload`].
    pub(crate) fn members(
        &mut self,
        value: &dyn ToJson,
        taken: &'static [&'static str],
    ) -> &mut Self {
        if !self.is_in(true) || !matches!(self.next, Next::First | Next::More) {
            self.fail(WriteError::Misplaced);
            return self;
        }
        let floor = core::mem::replace(&mut self.floor, self.depth.saturating_sub(1));
        let splice = Splice {
            taken,
            open: None,
            step: |writer, splice, step| writer.splice_step(splice, step),
        };
        let outer = self.splice.replace(splice);
        value.write_json(self);
        if self.splice.is_some() || self.depth.checked_sub(self.floor) != Some(0) {
            self.fail(WriteError::Unfinished);
        }
        self.splice = outer;
        self.floor = floor;
        self
    }

    fn splice_step(&mut self, splice: Splice, step: Step<'_>) -> bool {
        let taken = splice.taken;
        let Some(depth) = splice.open else {
            match step {
                Step::Open(JsonKind::Object) => {
                    self.splice = Some(Splice {
                        open: Some(self.depth),
                        ..splice
                    });
                }
                Step::Raw(fragment) => self.splice_raw(fragment, taken),
                Step::Value => self.fail(WriteError::BadPayload),
                _ => return false,
            }
            return true;
        };
        if depth != self.depth {
            return false;
        }
        let bad = match step {
            Step::Close => {
                self.splice = None;
                self.floor = self.depth;
                return true;
            }
            Step::Name(name) => taken.contains(&name),
            Step::Received(name) => taken.iter().any(|it| name == *it),
            _ => false,
        };
        if bad {
            self.fail(WriteError::BadPayload);
        }
        bad
    }

    /// The members of a fragment.
    fn splice_raw(&mut self, fragment: RawJson<'_>, taken: &[&str]) {
        let inner = match fragment.as_bytes() {
            [b'{', inner @ .., b'}'] => inner.trim_ascii(),
            _ => return self.fail(WriteError::BadPayload),
        };
        if taken.iter().any(|name| fragment.get(name).is_some()) {
            return self.fail(WriteError::BadPayload);
        }
        // Its own brackets are left out.
        self.depth = self.depth.wrapping_sub(1);
        self.check_depth(fragment.as_bytes());
        self.depth = self.depth.wrapping_add(1);
        if self.next == Next::Nothing {
            return;
        }
        if !inner.is_empty() {
            if self.next == Next::More {
                self.sink.put(b",");
            }
            self.sink.json(inner);
            self.next = Next::More;
        }
        self.splice = None;
        self.floor = self.depth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_fn;

    fn spliced(value: &dyn ToJson) -> Result<std::string::String, WriteError> {
        let mut buffer = [0; 128];
        let mut w = Writer::new(&mut buffer);
        w.begin_object().member("a", &1u8);
        w.members(value, &["_meta"]);
        w.member("z", &2u8).end_object();
        w.finish()
            .map(|text| std::str::from_utf8(text).unwrap().into())
    }

    #[test]
    fn members_join_the_open_object() {
        let raw = RawJson::validate(br#"{ "b":{"_meta":1} }"#).unwrap();
        assert_eq!(spliced(&raw).unwrap(), r#"{"a":1,"b":{"_meta":1},"z":2}"#);
        let empty = RawJson::validate(b"{ }").unwrap();
        assert_eq!(spliced(&empty).unwrap(), r#"{"a":1,"z":2}"#);
        let value = from_fn(|w| {
            w.begin_object()
                .key("b")
                .begin_object()
                .member("_meta", &true);
            w.end_object()
                .member("c", &RawJson::EMPTY_OBJECT)
                .end_object();
        });
        assert_eq!(
            spliced(&value).unwrap(),
            r#"{"a":1,"b":{"_meta":true},"c":{},"z":2}"#
        );
        let nothing = from_fn(|w| {
            w.begin_object().end_object();
        });
        assert_eq!(spliced(&nothing).unwrap(), r#"{"a":1,"z":2}"#);
    }

    #[test]
    fn what_cannot_join_is_refused() {
        let taken = RawJson::validate(br#"{"\u005fmeta":1}"#).unwrap();
        assert_eq!(spliced(&taken), Err(WriteError::BadPayload));
        assert_eq!(spliced(&1u8), Err(WriteError::BadPayload));
        let array = RawJson::validate(b"[]").unwrap();
        assert_eq!(spliced(&array), Err(WriteError::BadPayload));
        let named = from_fn(|w| {
            w.begin_object().member("_meta", &1u8).end_object();
        });
        assert_eq!(spliced(&named), Err(WriteError::BadPayload));
        for wrong in [0, 1, 2] {
            let value = from_fn(move |w| {
                match wrong {
                    0 => w.begin_object(),
                    1 => w.begin_object().end_object().end_object(),
                    _ => w.begin_object().end_object().member("b", &1u8),
                };
            });
            assert!(spliced(&value).is_err(), "{wrong}");
        }
    }
}
