//! What a decoder gave, copied out of it so that it can be compared.

use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

use crate::fault::{FaultKind, Rejected, Shape};
use crate::id::Id;
use crate::json::{JsonStr, Number, RawJson};
use crate::message::{BatchPlace, Flags, Kind, Message, Meta};

/// One item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) line: u64,
    pub(super) position: u64,
    pub(super) what: Result<Kind, FaultKind>,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) id: Option<String>,
    pub(super) hint: Option<String>,
    pub(super) method: Option<String>,
    pub(super) params: Option<String>,
    pub(super) result: Option<String>,
    pub(super) error: Option<[Option<String>; 4]>,
    pub(super) tokens: Tokens,
    /// Captured members that are objects or arrays.
    pub(super) objects: [Option<String>; 3],
    pub(super) flags: Flags,
    pub(super) shape: Shape,
    pub(super) limit: Option<u64>,
    pub(super) batch: Option<BatchPlace>,
    /// A message's own bytes.
    pub(super) text: Vec<u8>,
    pub(super) excerpt: Vec<u8>,
}

/// Captured members that are plain tokens.
pub(super) type Tokens = [Option<String>; 8];

pub(super) fn tokens(meta: &Meta<'_>) -> Tokens {
    let id = |id: Option<Id<'_>>| id.map(|id| id.as_raw().to_owned());
    let text = |text: Option<JsonStr<'_>>| text.map(|text| text.raw().to_owned());
    let number = |number: Option<Number<'_>>| number.map(|number| number.as_str().to_owned());
    [
        id(meta.request_id()),
        id(meta.progress_token()),
        number(meta.progress()),
        text(meta.protocol_version()),
        text(meta.log_level()),
        id(meta.subscription_id()),
        text(meta.result_type()),
        number(meta.error_code()),
    ]
}

fn raw(value: Option<RawJson<'_>>) -> Option<String> {
    value.map(|value| value.as_str().to_owned())
}

impl Seen {
    pub(super) fn of(item: &Result<Message<'_>, Rejected<'_>>) -> Seen {
        match item {
            Ok(message) => Seen::message(message),
            Err(rejected) => Seen::rejected(rejected),
        }
    }

    fn blank(what: Result<Kind, FaultKind>) -> Seen {
        Seen {
            line: 0,
            position: 0,
            what,
            offset: 0,
            length: 0,
            id: None,
            hint: None,
            method: None,
            params: None,
            result: None,
            error: None,
            tokens: Tokens::default(),
            objects: Default::default(),
            flags: Flags::default(),
            shape: Shape::default(),
            limit: None,
            batch: None,
            text: Vec::new(),
            excerpt: Vec::new(),
        }
    }

    pub(super) fn message(message: &Message<'_>) -> Seen {
        let meta = message.meta();
        Seen {
            length: message.as_bytes().len() as u64,
            id: message.id().map(|id| id.as_raw().to_owned()),
            method: message.method().map(|method| method.raw().to_owned()),
            params: raw(message.params()),
            result: raw(message.result()),
            error: message.error().map(|error| {
                [
                    raw(Some(error.raw())),
                    Some(error.code().as_str().to_owned()),
                    Some(error.message().raw().to_owned()),
                    raw(error.data()),
                ]
            }),
            tokens: tokens(&meta),
            objects: [
                raw(meta.object_in_params()),
                raw(meta.client_capabilities()),
                raw(meta.supported()),
            ],
            flags: message.flags(),
            batch: message.batch(),
            text: message.as_bytes().to_vec(),
            ..Seen::blank(Ok(message.kind()))
        }
    }

    pub(super) fn rejected(rejected: &Rejected<'_>) -> Seen {
        Seen {
            offset: rejected.offset(),
            length: rejected.length(),
            id: rejected.id().map(|id| id.as_raw().to_owned()),
            hint: rejected.id_hint().map(|id| id.as_raw().to_owned()),
            method: rejected.method().map(|method| method.raw().to_owned()),
            shape: rejected.shape(),
            limit: rejected.limit(),
            batch: rejected.batch(),
            excerpt: rejected.excerpt().to_vec(),
            ..Seen::blank(Err(rejected.kind()))
        }
    }
}
