//! The envelope, judged the same way for every peer that only gives members.

use crate::sum::{Kind, Sum};

/// What a member holds, as far as the envelope asks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Shape {
    #[default]
    Absent,
    Null,
    Object,
    Other,
}

impl Shape {
    /// From a valid value's first byte.
    #[inline]
    pub fn of(raw: &str) -> Self {
        match raw.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'n') => Self::Null,
            _ => Self::Other,
        }
    }
}

/// An id.
#[derive(Clone, Copy, Default)]
pub enum IdOf<'a> {
    #[default]
    Absent,
    Null,
    Number(i64),
    Text(&'a str),
    Bad,
}

impl<'a> IdOf<'a> {
    /// From a number's text.
    #[inline]
    pub fn number(raw: &str) -> Self {
        match raw.parse::<i64>() {
            Ok(n) => Self::Number(n),
            Err(_) => Self::whole(raw),
        }
    }

    /// `1.0` is 1; `1.5` is no id.
    #[cold]
    fn whole(raw: &str) -> Self {
        match raw.parse::<f64>() {
            Ok(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => Self::Number(x as i64),
            _ => Self::Bad,
        }
    }
}

/// The members of a message.
#[derive(Clone, Copy, Default)]
pub struct Envelope<'a> {
    pub version: bool,
    pub id: IdOf<'a>,
    pub method: Option<&'a str>,
    pub params: Shape,
    pub result: Shape,
    pub error: Shape,
}

impl Envelope<'_> {
    /// Counts the message, or the fault.
    #[inline]
    pub fn judge(&self, sum: &mut Sum) {
        let Some(kind) = self.kind() else {
            return sum.fault();
        };
        sum.kind(kind);
        match self.id {
            IdOf::Number(n) => sum.id_number(n),
            IdOf::Text(s) => sum.id_text(s),
            IdOf::Absent | IdOf::Null | IdOf::Bad => {}
        }
        if let Some(method) = self.method {
            sum.method(method);
        }
    }

    #[inline]
    fn kind(&self) -> Option<Kind> {
        use Shape::{Absent, Null, Object};
        if !self.version || matches!(self.id, IdOf::Bad) {
            return None;
        }
        let named = matches!(self.id, IdOf::Number(_) | IdOf::Text(_));
        let none = |shape| matches!(shape, Absent | Null);
        match self.method {
            Some(_) => {
                if !none(self.result)
                    || !none(self.error)
                    || !matches!(self.params, Absent | Null | Object)
                {
                    return None;
                }
                match self.id {
                    IdOf::Absent => Some(Kind::Notification),
                    _ if named => Some(Kind::Request),
                    _ => None,
                }
            }
            None => match (self.result, self.error) {
                (Object, Absent | Null) if named => Some(Kind::Result),
                (Absent | Null, Object) => Some(Kind::Error),
                _ => None,
            },
        }
    }
}
