//! Reading JSON that has been found valid.

use core::ffi::c_void;

use wireline::json::{Elements, JsonKind, JsonStr, Members, Number, RawJson, UnescapeError};

use crate::args::{Out, bytes, room, wireline_slice, wireline_string};
use crate::handle::{begin, get_mut, handle};
use crate::message::{fault_code, wireline_fault};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_JSON, WIRELINE_ERR_NOT_FOUND, WIRELINE_ERR_RANGE,
    WIRELINE_ERR_TOO_SMALL, WIRELINE_ERR_TYPE, run, wireline_status,
};

/// The type of a JSON value: one of the `WIRELINE_JSON_` codes.
pub type wireline_json_kind = u32;
/// `null`
pub const WIRELINE_JSON_NULL: wireline_json_kind = 1;
/// `true` or `false`
pub const WIRELINE_JSON_BOOL: wireline_json_kind = 2;
/// A number.
pub const WIRELINE_JSON_NUMBER: wireline_json_kind = 3;
/// A string.
pub const WIRELINE_JSON_STRING: wireline_json_kind = 4;
/// An array.
pub const WIRELINE_JSON_ARRAY: wireline_json_kind = 5;
/// An object.
pub const WIRELINE_JSON_OBJECT: wireline_json_kind = 6;

fn kind_code(kind: JsonKind) -> wireline_json_kind {
    match kind {
        JsonKind::Null => WIRELINE_JSON_NULL,
        JsonKind::Bool => WIRELINE_JSON_BOOL,
        JsonKind::Number => WIRELINE_JSON_NUMBER,
        JsonKind::String => WIRELINE_JSON_STRING,
        JsonKind::Array => WIRELINE_JSON_ARRAY,
        JsonKind::Object => WIRELINE_JSON_OBJECT,
    }
}

/// Why text is not one JSON value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_invalid {
    /// NOT_JSON, SYNTAX, UTF8, CUT, TRAILING or TOO_DEEP of the `WIRELINE_FAULT_` codes.
    pub fault: wireline_fault,
    /// Where, in bytes from the start.
    pub offset: usize,
}

/// Takes text that is one JSON value, nested no deeper than 127, with white space around
/// it. `*value` gets it without that space; the other calls of this chapter take it then.
/// On `WIRELINE_ERR_JSON`, `*why`, which may be NULL, gets what is wrong and where.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_validate(
    text: *const c_void,
    length: usize,
    value: *mut wireline_slice,
    why: *mut wireline_invalid,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let text = bytes(text, length)?;
        let value = Out::new(value)?;
        let why = match why.is_null() {
            true => None,
            false => Some(Out::new(why)?),
        };
        match RawJson::validate(text) {
            Ok(valid) => {
                value.set(wireline_slice::json(Some(valid)));
                Ok(())
            }
            Err(invalid) => {
                if let Some(why) = why {
                    why.set(wireline_invalid {
                        fault: fault_code(invalid.kind),
                        offset: invalid.offset,
                    });
                }
                Err(Failed(WIRELINE_ERR_JSON))
            }
        }
    })
}

/// The type of a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_kind_of(
    value: wireline_slice,
    kind: *mut wireline_json_kind,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let value = value.known()?;
        Out::new(kind)?.set(kind_code(value.kind()));
        Ok(())
    })
}

fn typed(value: RawJson<'_>, kind: JsonKind) -> Outcome<RawJson<'_>> {
    if value.kind() == kind {
        Ok(value)
    } else {
        Err(Failed(WIRELINE_ERR_TYPE))
    }
}

fn found<'a>(value: Option<RawJson<'a>>, out: Out<wireline_slice>) -> Outcome {
    let value = value.ok_or(Failed(WIRELINE_ERR_NOT_FOUND))?;
    out.set(wireline_slice::json(Some(value)));
    Ok(())
}

/// The member of this name; the first, if the name stands twice. Names are compared by
/// meaning, so that an escaped name is found. Errors: TYPE, if the value is no object;
/// NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_member(
    object: wireline_slice,
    name: wireline_slice,
    value: *mut wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let object = typed(object.known()?, JsonKind::Object)?;
        let name = name.text()?;
        found(object.get(name), Out::new(value)?)
    })
}

/// The element of this index, from 0. To read them all, iterate. Errors: TYPE, if the value
/// is no array; NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_element(
    array: wireline_slice,
    index: usize,
    value: *mut wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let array = typed(array.known()?, JsonKind::Array)?;
        found(array.elements().nth(index), Out::new(value)?)
    })
}

/// How many members an object or elements an array has. Errors: TYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_count(
    container: wireline_slice,
    count: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let container = container.known()?;
        let number = match container.kind() {
            JsonKind::Object => container.members().count(),
            JsonKind::Array => container.elements().count(),
            _ => return Err(Failed(WIRELINE_ERR_TYPE)),
        };
        Out::new(count)?.set(number);
        Ok(())
    })
}

unsafe fn number<'a>(value: wireline_slice) -> Outcome<Number<'a>> {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    let value = unsafe { value.known() }?;
    value.as_number().ok_or(Failed(WIRELINE_ERR_TYPE))
}

/// A whole number, however it is spelled: `1`, `1.0` and `10e-1` are all 1. Errors: TYPE, if
/// the value is no number; RANGE, if it is not whole, or does not fit. Any other number is
/// its text, which is the value itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_integer(
    value: wireline_slice,
    integer: *mut i64,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let number = number(value)?.as_i64();
        let out = Out::new(integer)?;
        out.set(number.ok_or(Failed(WIRELINE_ERR_RANGE))?);
        Ok(())
    })
}

/// A whole number that is not negative, however it is spelled. Errors as of
/// `wireline_json_integer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_unsigned(
    value: wireline_slice,
    integer: *mut u64,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let number = number(value)?.as_u64();
        let out = Out::new(integer)?;
        out.set(number.ok_or(Failed(WIRELINE_ERR_RANGE))?);
        Ok(())
    })
}

/// `true` or `false`. Errors: TYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_bool(
    value: wireline_slice,
    boolean: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let value = value.known()?.as_bool();
        let out = Out::new(boolean)?;
        out.set(value.ok_or(Failed(WIRELINE_ERR_TYPE))?);
        Ok(())
    })
}

/// The inside of a string, for `wireline_string_equals` and `wireline_string_unescape`.
/// Errors: TYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_string(
    value: wireline_slice,
    string: *mut wireline_string,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let value = value.known()?.as_json_str();
        let out = Out::new(string)?;
        out.set(wireline_string::of(Some(
            value.ok_or(Failed(WIRELINE_ERR_TYPE))?,
        )));
        Ok(())
    })
}

/// Whether two ids or tokens mean the same: of one type, and equal as numbers or as text.
/// `1.0` is `1`, `"\u0041"` is `"A"`, `1` is not `"1"`. What is no id is equal to nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_id_equals(
    one: wireline_slice,
    other: wireline_slice,
    equal: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let (one, other) = (one.bytes()?, other.bytes()?);
        let out = Out::new(equal)?;
        let one = wireline::Id::parse(one);
        out.set(one.is_some() && one == wireline::Id::parse(other));
        Ok(())
    })
}

/// Whether a string means this text, escapes resolved. An absent string equals nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_string_equals(
    string: wireline_string,
    text: wireline_slice,
    equal: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let text = text.text()?;
        let out = Out::new(equal)?;
        out.set(!string.ptr.is_null() && string.known()? == *text);
        Ok(())
    })
}

/// Writes a string's text, escapes resolved, and `*length` gets its bytes, or on TOO_SMALL
/// how many are needed. It is never longer than the string; no NUL is added. Errors:
/// TOO_SMALL, LONE_SURROGATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_string_unescape(
    string: wireline_string,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let string: JsonStr<'_> = string.known()?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        match string.unescape_into(out) {
            Ok(text) => length.set(text.len()),
            Err(UnescapeError::TooSmall(needed)) => {
                length.set(needed);
                return Err(Failed(WIRELINE_ERR_TOO_SMALL));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    })
}

/// Writes a value without white space between its tokens, and `*length` gets its bytes, or
/// on TOO_SMALL how many are needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_compact(
    value: wireline_slice,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let value = value.known()?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        match value.compact_into(out) {
            Ok(compact) => length.set(compact.as_bytes().len()),
            Err(error) => {
                length.set(error.needed);
                return Err(Failed(WIRELINE_ERR_TOO_SMALL));
            }
        }
        Ok(())
    })
}

/// Goes over the members of an object or the elements of an array, once, in linear time.
#[repr(C)]
pub struct wireline_json_iter {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 6],
}

#[derive(Clone)]
pub(crate) enum Iter {
    Members(Members<'static>),
    Elements(Elements<'static>),
}

handle!(wireline_json_iter, Iter, 0x574c_0003);

/// Begins to go over the members of an object or the elements of an array. Write
/// `WIRELINE_SELF(iter)` for the first three arguments. Errors: TYPE, if it is neither.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_iter_init(
    iter: *mut wireline_json_iter,
    size: usize,
    version: u32,
    container: wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the value
    // lasts as long as the iterator.
    run(|| unsafe {
        let new = begin(iter, size, version)?;
        let container = container.known()?;
        new.put(match container.kind() {
            JsonKind::Object => Iter::Members(container.members()),
            JsonKind::Array => Iter::Elements(container.elements()),
            _ => return Err(Failed(WIRELINE_ERR_TYPE)),
        });
        Ok(())
    })
}

/// The next member or element. `*more` gets whether there was one; if so, `*value` gets
/// it, and `*name` a member's name. `name` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_iter_next(
    iter: *mut wireline_json_iter,
    more: *mut bool,
    name: *mut wireline_string,
    value: *mut wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let iter = get_mut(iter)?;
        let (more, out) = (Out::new(more)?, Out::new(value)?);
        let out_name = match name.is_null() {
            true => None,
            false => Some(Out::new(name)?),
        };
        let (name, value) = match iter {
            Iter::Members(members) => match members.next() {
                Some((name, value)) => (Some(name), Some(value)),
                None => (None, None),
            },
            Iter::Elements(elements) => (None, elements.next()),
        };
        more.set(value.is_some());
        if value.is_some() {
            out.set(wireline_slice::json(value));
            if let Some(out) = out_name {
                out.set(wireline_string::of(name));
            }
        }
        Ok(())
    })
}
