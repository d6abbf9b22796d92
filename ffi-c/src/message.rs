//! What a decoder hands out: messages, and lines that are none.

use core::mem::MaybeUninit;
use core::ptr;

use wireline::{FaultKind, Head, Kind, Message, Part, Rejected};

use crate::args::{Out, Sized32, input, sized_out, wireline_slice, wireline_string};
use crate::status::{Failed, Outcome, WIRELINE_ERR_ITEM, run, wireline_status};

/// What an item is: one of the `WIRELINE_ITEM_` codes.
pub type wireline_item_type = u32;
/// Nothing: all input is used, and more is needed.
pub const WIRELINE_ITEM_NONE: wireline_item_type = 0;
/// A message.
pub const WIRELINE_ITEM_MESSAGE: wireline_item_type = 1;
/// A line that is no message. The next one is read as if it had not been.
pub const WIRELINE_ITEM_FAULT: wireline_item_type = 2;
/// Of a stream decoder: a body begins. What is known of the message so far is not final.
pub const WIRELINE_ITEM_HEAD: wireline_item_type = 3;
/// Of a stream decoder: a piece of a body, in `text`; `part` says whose.
pub const WIRELINE_ITEM_BODY: wireline_item_type = 4;
/// Of a stream decoder: the message is complete and valid.
pub const WIRELINE_ITEM_END: wireline_item_type = 5;

/// The kind of a message: one of the `WIRELINE_KIND_` codes.
pub type wireline_kind = u32;
/// None, or not known yet.
pub const WIRELINE_KIND_NONE: wireline_kind = 0;
/// A method and an id: it is owed an answer.
pub const WIRELINE_KIND_REQUEST: wireline_kind = 1;
/// A method and no id: it is never answered.
pub const WIRELINE_KIND_NOTIFICATION: wireline_kind = 2;
/// An answer with a result.
pub const WIRELINE_KIND_RESULT: wireline_kind = 3;
/// An answer with an error.
pub const WIRELINE_KIND_ERROR: wireline_kind = 4;

/// Which member a body is the value of: one of the `WIRELINE_PART_` codes.
pub type wireline_part = u32;
/// None.
pub const WIRELINE_PART_NONE: wireline_part = 0;
/// `params`
pub const WIRELINE_PART_PARAMS: wireline_part = 1;
/// `result`
pub const WIRELINE_PART_RESULT: wireline_part = 2;
/// `error`
pub const WIRELINE_PART_ERROR: wireline_part = 3;

/// In `flags`: `params` was null and counts as absent.
pub const WIRELINE_FLAG_NULL_PARAMS: u32 = 0x0001;
/// In `flags`: a byte order mark stood at the start of the stream.
pub const WIRELINE_FLAG_BOM: u32 = 0x0002;
/// In `flags`: it is an element of a batch, the one of `batch_index`.
pub const WIRELINE_FLAG_BATCH: u32 = 0x0004;
/// In `flags`: it is the batch's last element.
pub const WIRELINE_FLAG_BATCH_LAST: u32 = 0x0008;
/// In `flags`: the slices lie in the caller's chunk, not in the decoder's buffer, and stay
/// valid as long as the chunk does.
pub const WIRELINE_FLAG_IN_CHUNK: u32 = 0x0010;
/// In `flags` of a fault: `jsonrpc` is there and is "2.0".
pub const WIRELINE_FLAG_HAS_JSONRPC: u32 = 0x0100;
/// In `flags` of a fault: `method` is there.
pub const WIRELINE_FLAG_HAS_METHOD: u32 = 0x0200;
/// In `flags` of a fault: `result` is there.
pub const WIRELINE_FLAG_HAS_RESULT: u32 = 0x0400;
/// In `flags` of a fault: `error` is there.
pub const WIRELINE_FLAG_HAS_ERROR: u32 = 0x0800;

/// A message, or a line that is none, as slices of what was received.
///
/// Set `size` before the first call; every call of a decoder writes the rest. The slices
/// are valid until the next call on the decoder that gave them; with
/// `WIRELINE_FLAG_IN_CHUNK`, as long as the chunk. An item may be copied. An item that is
/// used too late speaks of other bytes, and does no other harm.
#[repr(C)]
pub struct wireline_item {
    /// `sizeof(wireline_item)`.
    pub size: u32,
    /// What it is. Of `WIRELINE_ITEM_NONE` nothing else is written.
    pub r#type: wireline_item_type,
    /// The kind of a message, and of a head once it is complete.
    pub kind: wireline_kind,
    /// What is wrong with a line that is no message; else `WIRELINE_FAULT_NONE`.
    pub fault: wireline_fault,
    /// Whose piece a body is.
    pub part: wireline_part,
    /// `WIRELINE_FLAG_` bits.
    pub flags: u32,
    /// Of an element of a batch: its index, from 0.
    pub batch_index: u32,
    /// 0.
    pub reserved: u32,
    /// Of a message, its own bytes without the line end; of a fault, the first bytes of the
    /// line, at most 48; of a body, the piece.
    pub text: wireline_slice,
    /// The id's token as it was received. Of a fault: the id that an answer may carry.
    pub id: wireline_slice,
    /// Of a fault: the id that was seen, for diagnostics; an answer must not carry it.
    pub id_hint: wireline_slice,
    /// The method of a request or notification. Of a fault: one that was seen.
    pub method: wireline_string,
    /// The parameters of a request or notification; absent if they are null.
    pub params: wireline_slice,
    /// The result of an answer.
    pub result: wireline_slice,
    /// The error of an answer, a JSON object: see `wireline_item_error`.
    pub error: wireline_slice,
    /// Of a fault: where it is, in bytes from the first byte of the line, or of the
    /// batch's element.
    pub offset: u64,
    /// Bytes of the line or element without LF and one CR before it; of a head, so far.
    pub length: u64,
    /// Of a fault: the ceiling that was passed, in bytes, or levels; 0 for none.
    pub limit: u64,
    /// The library's.
    pub words: [usize; 30],
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_item {}

/// What an item holds for other calls to take.
#[repr(C)]
struct Held {
    tag: u32,
    value: Value,
}

#[repr(C)]
union Value {
    message: MaybeUninit<Message<'static>>,
    rejected: MaybeUninit<Rejected<'static>>,
    head: MaybeUninit<Head<'static>>,
}

const NOTHING: u32 = 0;
const MESSAGE: u32 = 0x5749_0001;
const REJECTED: u32 = 0x5749_0002;
const HEAD: u32 = 0x5749_0003;

const _: () = {
    assert!(size_of::<Held>() <= size_of::<[usize; 30]>());
    assert!(align_of::<Held>() <= align_of::<usize>());
};

pub(crate) fn kind_code(kind: Kind) -> wireline_kind {
    match kind {
        Kind::Request => WIRELINE_KIND_REQUEST,
        Kind::Notification => WIRELINE_KIND_NOTIFICATION,
        Kind::Result => WIRELINE_KIND_RESULT,
        Kind::Error => WIRELINE_KIND_ERROR,
    }
}

pub(crate) fn part_code(part: Part) -> wireline_part {
    match part {
        Part::Params => WIRELINE_PART_PARAMS,
        Part::Result => WIRELINE_PART_RESULT,
        Part::Error => WIRELINE_PART_ERROR,
    }
}

/// The flag, if it is so.
const fn bit(is: bool, flag: u32) -> u32 {
    if is { flag } else { 0 }
}

fn place(batch: Option<wireline::BatchPlace>) -> (u32, u32) {
    match batch {
        Some(place) => (
            WIRELINE_FLAG_BATCH | bit(place.last, WIRELINE_FLAG_BATCH_LAST),
            place.index,
        ),
        None => (0, 0),
    }
}

fn tolerated(flags: wireline::Flags) -> u32 {
    bit(flags.null_params, WIRELINE_FLAG_NULL_PARAMS) | bit(flags.bom, WIRELINE_FLAG_BOM)
}

/// The members of an item that C reads.
struct Fields {
    r#type: wireline_item_type,
    kind: wireline_kind,
    fault: wireline_fault,
    part: wireline_part,
    flags: u32,
    batch_index: u32,
    text: wireline_slice,
    id: wireline_slice,
    id_hint: wireline_slice,
    method: wireline_string,
    params: wireline_slice,
    result: wireline_slice,
    error: wireline_slice,
    offset: u64,
    length: u64,
    limit: u64,
}

impl Fields {
    const NONE: Fields = Fields {
        r#type: WIRELINE_ITEM_NONE,
        kind: WIRELINE_KIND_NONE,
        fault: WIRELINE_FAULT_NONE,
        part: WIRELINE_PART_NONE,
        flags: 0,
        batch_index: 0,
        text: wireline_slice::ABSENT,
        id: wireline_slice::ABSENT,
        id_hint: wireline_slice::ABSENT,
        method: wireline_string {
            ptr: ptr::null(),
            len: 0,
        },
        params: wireline_slice::ABSENT,
        result: wireline_slice::ABSENT,
        error: wireline_slice::ABSENT,
        offset: 0,
        length: 0,
        limit: 0,
    };
}

impl Out<wireline_item> {
    /// Nothing.
    #[inline]
    pub(crate) fn nothing(self) {
        let item = self.ptr();
        // SAFETY: `Out` vouches for the pointer.
        unsafe {
            (&raw mut (*item).r#type).write(WIRELINE_ITEM_NONE);
            (*held(item)).tag = NOTHING;
        }
    }

    #[inline(always)]
    fn fields(&self, fields: Fields, tag: u32) {
        let item = self.ptr();
        // SAFETY: `Out` vouches for the pointer; every member but the last is written.
        unsafe {
            (&raw mut (*item).r#type).write(fields.r#type);
            (&raw mut (*item).kind).write(fields.kind);
            (&raw mut (*item).fault).write(fields.fault);
            (&raw mut (*item).part).write(fields.part);
            (&raw mut (*item).flags).write(fields.flags);
            (&raw mut (*item).batch_index).write(fields.batch_index);
            (&raw mut (*item).reserved).write(0);
            (&raw mut (*item).text).write(fields.text);
            (&raw mut (*item).id).write(fields.id);
            (&raw mut (*item).id_hint).write(fields.id_hint);
            (&raw mut (*item).method).write(fields.method);
            (&raw mut (*item).params).write(fields.params);
            (&raw mut (*item).result).write(fields.result);
            (&raw mut (*item).error).write(fields.error);
            (&raw mut (*item).offset).write(fields.offset);
            (&raw mut (*item).length).write(fields.length);
            (&raw mut (*item).limit).write(fields.limit);
            (*held(item)).tag = tag;
        }
    }

    /// A message.
    #[cfg_attr(feature = "std", inline(always))]
    pub(crate) fn message(self, message: &Message<'_>, flags: u32) {
        let kind = message.kind();
        let (batch, batch_index) = place(message.batch());
        let text = message.as_bytes();
        let mut method = wireline_string::of(None);
        let (mut params, mut result, mut error) = (
            wireline_slice::ABSENT,
            wireline_slice::ABSENT,
            wireline_slice::ABSENT,
        );
        match kind {
            Kind::Request | Kind::Notification => {
                method = wireline_string::of(message.method());
                params = wireline_slice::json(message.params());
            }
            Kind::Result => result = wireline_slice::json(message.result()),
            Kind::Error => error = wireline_slice::json(message.error().map(|it| it.raw())),
        }
        let id = match kind {
            Kind::Notification => wireline_slice::ABSENT,
            _ => wireline_slice::id(message.id()),
        };
        let item = self.ptr();
        // Member by member, since this is done for every message.
        // SAFETY: `Out` vouches for the pointer, and `Held` fits.
        unsafe {
            (&raw mut (*held(item)).value)
                .cast::<Message<'_>>()
                .write(*message);
            (*held(item)).tag = MESSAGE;
            (&raw mut (*item).r#type).write(WIRELINE_ITEM_MESSAGE);
            (&raw mut (*item).kind).write(kind_code(kind));
            (&raw mut (*item).fault).write(WIRELINE_FAULT_NONE);
            (&raw mut (*item).part).write(WIRELINE_PART_NONE);
            (&raw mut (*item).flags).write(flags | batch | tolerated(message.flags()));
            (&raw mut (*item).batch_index).write(batch_index);
            (&raw mut (*item).reserved).write(0);
            (&raw mut (*item).text).write(wireline_slice::of(text));
            (&raw mut (*item).id).write(id);
            (&raw mut (*item).id_hint).write(wireline_slice::ABSENT);
            (&raw mut (*item).method).write(method);
            (&raw mut (*item).params).write(params);
            (&raw mut (*item).result).write(result);
            (&raw mut (*item).error).write(error);
            (&raw mut (*item).offset).write(0);
            (&raw mut (*item).length).write(text.len() as u64);
            (&raw mut (*item).limit).write(0);
        }
    }

    /// A line that is no message.
    #[cfg_attr(feature = "std", cold)]
    pub(crate) fn rejected(self, rejected: &Rejected<'_>, flags: u32) {
        let (batch, batch_index) = place(rejected.batch());
        let shape = rejected.shape();
        self.fields(
            Fields {
                r#type: WIRELINE_ITEM_FAULT,
                fault: fault_code(rejected.kind()),
                flags: flags
                    | batch
                    | bit(shape.jsonrpc, WIRELINE_FLAG_HAS_JSONRPC)
                    | bit(shape.method, WIRELINE_FLAG_HAS_METHOD)
                    | bit(shape.result, WIRELINE_FLAG_HAS_RESULT)
                    | bit(shape.error, WIRELINE_FLAG_HAS_ERROR),
                batch_index,
                text: wireline_slice::of(rejected.excerpt()),
                id: wireline_slice::id(rejected.id()),
                id_hint: wireline_slice::id(rejected.id_hint()),
                method: wireline_string::of(rejected.method()),
                offset: rejected.offset(),
                length: rejected.length(),
                limit: rejected.limit().unwrap_or(0),
                ..Fields::NONE
            },
            REJECTED,
        );
        // SAFETY: `Out` vouches for the pointer, and `Held` fits.
        unsafe {
            let place = (&raw mut (*held(self.ptr())).value).cast::<Rejected<'_>>();
            place.write(*rejected);
        }
    }

    /// One or the other.
    #[cfg_attr(feature = "std", inline(always))]
    pub(crate) fn item(self, item: &Result<Message<'_>, Rejected<'_>>, flags: u32) {
        match item {
            Ok(message) => self.message(message, flags),
            Err(rejected) => self.rejected(rejected, flags),
        }
    }

    /// What is known of a message whose text is not kept.
    pub(crate) fn head(self, head: &Head<'_>) {
        self.fields(
            Fields {
                r#type: if head.is_final() {
                    WIRELINE_ITEM_END
                } else {
                    WIRELINE_ITEM_HEAD
                },
                kind: head.kind().map_or(WIRELINE_KIND_NONE, kind_code),
                flags: tolerated(head.flags()),
                id: wireline_slice::id(head.id()),
                method: wireline_string::of(head.method()),
                length: head.length(),
                ..Fields::NONE
            },
            HEAD,
        );
        // SAFETY: `Out` vouches for the pointer, and `Held` fits.
        unsafe {
            let place = (&raw mut (*held(self.ptr())).value).cast::<Head<'_>>();
            place.write(*head);
        }
    }

    /// A piece of a body.
    pub(crate) fn body(self, part: Part, bytes: &[u8]) {
        self.fields(
            Fields {
                r#type: WIRELINE_ITEM_BODY,
                part: part_code(part),
                text: wireline_slice::of(bytes),
                ..Fields::NONE
            },
            NOTHING,
        );
    }
}

fn held(item: *mut wireline_item) -> *mut Held {
    // SAFETY: no memory is read; the callers vouch for the pointer.
    unsafe { (&raw mut (*item).words).cast() }
}

/// What of an item a call takes.
pub(crate) enum Content<'a> {
    Message(&'a Message<'static>),
    Rejected(&'a Rejected<'static>),
    Head(&'a Head<'static>),
    Nothing,
}

pub(crate) unsafe fn content<'a>(item: *const wireline_item) -> Outcome<Content<'a>> {
    // SAFETY: the caller vouches for the pointer; the tag tells which value was written.
    unsafe {
        let item = input(item)?;
        let held = &*(&raw const item.words).cast::<Held>();
        Ok(match held.tag {
            MESSAGE => Content::Message(held.value.message.assume_init_ref()),
            REJECTED => Content::Rejected(held.value.rejected.assume_init_ref()),
            HEAD => Content::Head(held.value.head.assume_init_ref()),
            _ => Content::Nothing,
        })
    }
}

/// The message of an item.
pub(crate) unsafe fn message<'a>(item: *const wireline_item) -> Outcome<&'a Message<'static>> {
    // SAFETY: as above.
    match unsafe { content(item) }? {
        Content::Message(message) => Ok(message),
        _ => Err(Failed(WIRELINE_ERR_ITEM)),
    }
}

/// The head of an item.
pub(crate) unsafe fn head<'a>(item: *const wireline_item) -> Outcome<&'a Head<'static>> {
    // SAFETY: as above.
    match unsafe { content(item) }? {
        Content::Head(head) => Ok(head),
        _ => Err(Failed(WIRELINE_ERR_ITEM)),
    }
}

/// A message or a fault, in the form that a session takes.
pub(crate) unsafe fn received<'a>(
    item: *const wireline_item,
) -> Outcome<Result<Message<'a>, Rejected<'a>>> {
    // SAFETY: as above.
    match unsafe { content(item) }? {
        Content::Message(message) => Ok(Ok(*message)),
        Content::Rejected(rejected) => Ok(Err(*rejected)),
        _ => Err(Failed(WIRELINE_ERR_ITEM)),
    }
}

/// What else of a message a protocol's state depends on. What is not there, or of another
/// type, is absent.
#[repr(C)]
pub struct wireline_meta {
    /// `sizeof(wireline_meta)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Of a request `params._meta.progressToken`, of a notification
    /// `params.progressToken`: a string or an integer.
    pub progress_token: wireline_slice,
    /// `params.requestId`: a string or an integer.
    pub request_id: wireline_slice,
    /// `params.progress`: a number.
    pub progress: wireline_slice,
    /// `params._meta`: an object.
    pub object: wireline_slice,
    /// `params._meta["io.modelcontextprotocol/protocolVersion"]`, or else
    /// `result.protocolVersion`.
    pub protocol_version: wireline_string,
    /// `params._meta["io.modelcontextprotocol/clientCapabilities"]`: an object.
    pub client_capabilities: wireline_slice,
    /// `params._meta["io.modelcontextprotocol/logLevel"]`.
    pub log_level: wireline_string,
    /// `params._meta["io.modelcontextprotocol/subscriptionId"]`: a string or an integer.
    pub subscription_id: wireline_slice,
    /// `result.resultType`.
    pub result_type: wireline_string,
    /// `error.data.supported`: an array.
    pub supported: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_meta {}

/// Reads what else of a message, or of the head of one, a protocol's state depends on. Of a
/// head, plain tokens that its memory had room for. Set `meta->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_item_meta(
    item: *const wireline_item,
    meta: *mut wireline_meta,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let content = content(item)?;
        let out = sized_out(meta)?;
        let meta = match content {
            Content::Message(message) => message.meta(),
            Content::Head(head) => head.meta(),
            _ => return Err(Failed(WIRELINE_ERR_ITEM)),
        };
        out.set(wireline_meta {
            size: wireline_meta::SIZE,
            reserved: 0,
            progress_token: wireline_slice::id(meta.progress_token()),
            request_id: wireline_slice::id(meta.request_id()),
            progress: wireline_slice::maybe(meta.progress().as_ref().map(|it| it.as_bytes())),
            object: wireline_slice::json(meta.object_in_params()),
            protocol_version: wireline_string::of(meta.protocol_version()),
            client_capabilities: wireline_slice::json(meta.client_capabilities()),
            log_level: wireline_string::of(meta.log_level()),
            subscription_id: wireline_slice::id(meta.subscription_id()),
            result_type: wireline_string::of(meta.result_type()),
            supported: wireline_slice::json(meta.supported()),
        });
        Ok(())
    })
}

/// The error of an answer.
#[repr(C)]
pub struct wireline_error {
    /// `sizeof(wireline_error)`.
    pub size: u32,
    /// 1: the code fits into `code`. 0: it does not, and `code` is 0.
    pub has_code: u32,
    /// The code.
    pub code: i64,
    /// The code as it was written, a whole number of any size.
    pub code_text: wireline_slice,
    /// The message for people.
    pub message: wireline_string,
    /// Whatever else the peer says of it.
    pub data: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_error {}

/// Reads the error of a message of kind `WIRELINE_KIND_ERROR`. Set `error->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_item_error(
    item: *const wireline_item,
    error: *mut wireline_error,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let found = message(item)?.error();
        let out = sized_out(error)?;
        let error = found.ok_or(Failed(WIRELINE_ERR_ITEM))?;
        let code = error.code();
        out.set(wireline_error {
            size: wireline_error::SIZE,
            has_code: code.as_i64().is_some().into(),
            code: code.as_i64().unwrap_or(0),
            code_text: wireline_slice::of(code.as_bytes()),
            message: wireline_string::of(Some(error.message())),
            data: wireline_slice::json(error.data()),
        });
        Ok(())
    })
}

/// What is wrong with a line: one of the `WIRELINE_FAULT_` codes.
pub type wireline_fault = u32;
/// Nothing.
pub const WIRELINE_FAULT_NONE: wireline_fault = 0;
/// The line does not begin like JSON: a banner, a log line, an escape sequence.
pub const WIRELINE_FAULT_NOT_JSON: wireline_fault = 1;
/// The grammar of RFC 8259 is broken at the offset.
pub const WIRELINE_FAULT_SYNTAX: wireline_fault = 2;
/// A string holds bytes that are not UTF-8; the offset is the sequence's first byte.
pub const WIRELINE_FAULT_UTF8: wireline_fault = 3;
/// The line ends before its JSON text does; the offset is the line's length.
pub const WIRELINE_FAULT_CUT: wireline_fault = 4;
/// Bytes follow the JSON text; the offset is the first of them.
pub const WIRELINE_FAULT_TRAILING: wireline_fault = 5;
/// The message is longer than its ceiling; the offset is the ceiling.
pub const WIRELINE_FAULT_TOO_LONG: wireline_fault = 6;
/// Containers are nested deeper than the ceiling; the offset is the bracket.
pub const WIRELINE_FAULT_TOO_DEEP: wireline_fault = 7;
/// The id's token is longer than its ceiling; the offset is its first byte.
pub const WIRELINE_FAULT_ID_TOO_LONG: wireline_fault = 8;
/// The method's token is longer than its ceiling; the offset is its first byte.
pub const WIRELINE_FAULT_METHOD_TOO_LONG: wireline_fault = 9;
/// Valid JSON, but not an object.
pub const WIRELINE_FAULT_NOT_OBJECT: wireline_fault = 10;
/// `jsonrpc` is missing or is not "2.0".
pub const WIRELINE_FAULT_BAD_VERSION: wireline_fault = 11;
/// The id is missing where one is owed, or is neither a string nor an integer.
pub const WIRELINE_FAULT_BAD_ID: wireline_fault = 12;
/// `method` is not a string, or holds an unpaired surrogate escape.
pub const WIRELINE_FAULT_BAD_METHOD: wireline_fault = 13;
/// `params` has a type that the profile does not take.
pub const WIRELINE_FAULT_BAD_PARAMS: wireline_fault = 14;
/// `result` has a type that the profile does not take.
pub const WIRELINE_FAULT_BAD_RESULT: wireline_fault = 15;
/// `error` is not an object with an integer `code` and a string `message`.
pub const WIRELINE_FAULT_BAD_ERROR: wireline_fault = 16;
/// Both `result` and `error`, or `method` beside one of them.
pub const WIRELINE_FAULT_CONFLICT: wireline_fault = 17;
/// None of `method`, `result` and `error`.
pub const WIRELINE_FAULT_NO_KIND: wireline_fault = 18;
/// A member that decides what the message means stands twice.
pub const WIRELINE_FAULT_DUPLICATE: wireline_fault = 19;
/// A member name holds an unpaired surrogate escape; the offset is its backslash.
pub const WIRELINE_FAULT_LONE_SURROGATE: wireline_fault = 20;
/// A batch without elements.
pub const WIRELINE_FAULT_EMPTY_BATCH: wireline_fault = 21;
/// A batch where batches are not taken.
pub const WIRELINE_FAULT_BATCH: wireline_fault = 22;
/// The input ends inside a line; the offset is the line's length.
pub const WIRELINE_FAULT_TRUNCATED: wireline_fault = 23;
/// Bytes came with no room left, because complete lines had not been taken out.
pub const WIRELINE_FAULT_OVERRUN: wireline_fault = 24;
/// More bytes than `max_discard` came without a line end. The decoder is closed.
pub const WIRELINE_FAULT_RUNAWAY: wireline_fault = 25;

// The codes are the library's promise, and must not follow the order of an enum unseen.
const _: () = {
    const CODES: &[(FaultKind, wireline_fault)] = &[
        (FaultKind::NotJson, WIRELINE_FAULT_NOT_JSON),
        (FaultKind::Syntax, WIRELINE_FAULT_SYNTAX),
        (FaultKind::Utf8, WIRELINE_FAULT_UTF8),
        (FaultKind::Cut, WIRELINE_FAULT_CUT),
        (FaultKind::Trailing, WIRELINE_FAULT_TRAILING),
        (FaultKind::TooLong, WIRELINE_FAULT_TOO_LONG),
        (FaultKind::TooDeep, WIRELINE_FAULT_TOO_DEEP),
        (FaultKind::IdTooLong, WIRELINE_FAULT_ID_TOO_LONG),
        (FaultKind::MethodTooLong, WIRELINE_FAULT_METHOD_TOO_LONG),
        (FaultKind::NotObject, WIRELINE_FAULT_NOT_OBJECT),
        (FaultKind::BadVersion, WIRELINE_FAULT_BAD_VERSION),
        (FaultKind::BadId, WIRELINE_FAULT_BAD_ID),
        (FaultKind::BadMethod, WIRELINE_FAULT_BAD_METHOD),
        (FaultKind::BadParams, WIRELINE_FAULT_BAD_PARAMS),
        (FaultKind::BadResult, WIRELINE_FAULT_BAD_RESULT),
        (FaultKind::BadError, WIRELINE_FAULT_BAD_ERROR),
        (FaultKind::Conflict, WIRELINE_FAULT_CONFLICT),
        (FaultKind::NoKind, WIRELINE_FAULT_NO_KIND),
        (FaultKind::Duplicate, WIRELINE_FAULT_DUPLICATE),
        (FaultKind::LoneSurrogate, WIRELINE_FAULT_LONE_SURROGATE),
        (FaultKind::EmptyBatch, WIRELINE_FAULT_EMPTY_BATCH),
        (FaultKind::Batch, WIRELINE_FAULT_BATCH),
        (FaultKind::Truncated, WIRELINE_FAULT_TRUNCATED),
        (FaultKind::Overrun, WIRELINE_FAULT_OVERRUN),
        (FaultKind::Runaway, WIRELINE_FAULT_RUNAWAY),
    ];
    let mut rest = CODES;
    while let [(kind, code), more @ ..] = rest {
        assert!(*kind as u32 + 1 == *code);
        rest = more;
    }
    assert!(CODES.len() == FaultKind::ALL.len());
};

pub(crate) const fn fault_code(kind: FaultKind) -> wireline_fault {
    (kind as u32).wrapping_add(1)
}

pub(crate) fn fault_kind(code: wireline_fault) -> Option<FaultKind> {
    FaultKind::ALL.get(code.checked_sub(1)? as usize).copied()
}
