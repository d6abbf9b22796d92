//! URI templates of level 1 (RFC 6570): `{name}` and nothing else.

use crate::json::JsonStr;

/// Variables of one template, at most.
pub const MAX_VARIABLES: usize = 4;

/// What is wrong with a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateError {
    /// It holds a character that no URI has, or a brace that is not part of `{name}`.
    Syntax,
    /// It begins with no scheme.
    Scheme,
    /// It uses an operator or a modifier, which are of a level above 1.
    Level,
    /// It has no variable, or more than [`MAX_VARIABLES`].
    Count,
    /// Two variables have the same name.
    Duplicate,
    /// Two variables stand side by side, so that it is open where the first one ends.
    Adjacent,
}

impl TemplateError {
    /// What is wrong, as a phrase.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            TemplateError::Syntax => "the URI template is not well formed",
            TemplateError::Scheme => "the URI template begins with no scheme",
            TemplateError::Level => "the URI template is of a level above 1",
            TemplateError::Count => "a URI template has one to four variables",
            TemplateError::Duplicate => "two variables of the URI template have the same name",
            TemplateError::Adjacent => "two variables of the URI template stand side by side",
        }
    }
}

/// A character that may stand in a URI: RFC 3986, `%` included.
const fn in_uri(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b';' | b'=' | b'?'..=b'[' | b']' | b'_' | b'a'..=b'z' | b'~')
}

/// Whether the text is of characters that a URI has, and begins with a scheme.
pub(super) const fn is_uri(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [byte, more @ ..] = rest {
        if !in_uri(*byte) {
            return false;
        }
        rest = more;
    }
    has_scheme(text.as_bytes())
}

const fn has_scheme(text: &[u8]) -> bool {
    let [first, rest @ ..] = text else {
        return false;
    };
    let mut rest = rest;
    while let [byte, more @ ..] = rest {
        if matches!(byte, b':') {
            return first.is_ascii_alphabetic();
        }
        if !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'-' | b'.') {
            return false;
        }
        rest = more;
    }
    false
}

/// What comes first in a template, and what is left of it.
enum Part<'t> {
    Literal(u8),
    Variable(&'t [u8]),
}

/// Takes the first part off; `None` at the end or at a brace that does not fit.
const fn part<'t>(rest: &mut &'t [u8]) -> Option<Part<'t>> {
    let [first, more @ ..] = *rest else {
        return None;
    };
    if *first != b'{' {
        *rest = more;
        return Some(Part::Literal(*first));
    }
    let mut length = 0usize;
    let mut look = more;
    while let [byte, further @ ..] = look {
        look = further;
        if *byte == b'}' {
            *rest = further;
            return match more.split_at_checked(length) {
                Some((name, _)) => Some(Part::Variable(name)),
                None => None,
            };
        }
        length = length.wrapping_add(1);
    }
    None
}

/// Whether the template is one that can be matched.
pub(super) const fn check(template: &str) -> Result<(), TemplateError> {
    let mut rest = template.as_bytes();
    let mut count = 0usize;
    let mut beside = false;
    while let Some(next) = part(&mut rest) {
        match next {
            Part::Literal(byte) => {
                if !in_uri(byte) {
                    return Err(TemplateError::Syntax);
                }
                beside = false;
            }
            Part::Variable(name) => {
                if beside {
                    return Err(TemplateError::Adjacent);
                }
                beside = true;
                if let Err(error) = check_name(name) {
                    return Err(error);
                }
                if stands(template.as_bytes(), name) > 1 {
                    return Err(TemplateError::Duplicate);
                }
                count = count.wrapping_add(1);
            }
        }
    }
    if !rest.is_empty() {
        return Err(TemplateError::Syntax);
    }
    if count == 0 || count > MAX_VARIABLES {
        return Err(TemplateError::Count);
    }
    if !has_scheme(template.as_bytes()) {
        return Err(TemplateError::Scheme);
    }
    Ok(())
}

const fn check_name(name: &[u8]) -> Result<(), TemplateError> {
    let mut rest = name;
    if rest.is_empty() {
        return Err(TemplateError::Syntax);
    }
    while let [byte, more @ ..] = rest {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => {}
            // An operator, a modifier, or a list of variables.
            b'+' | b'#' | b'.' | b'/' | b';' | b'?' | b'&' | b',' | b':' | b'*' => {
                return Err(TemplateError::Level);
            }
            _ => return Err(TemplateError::Syntax),
        }
        rest = more;
    }
    Ok(())
}

/// How often a variable stands in the template.
const fn stands(template: &[u8], name: &[u8]) -> usize {
    let mut rest = template;
    let mut count = 0usize;
    while let Some(next) = part(&mut rest) {
        if let Part::Variable(other) = next
            && super::table::same_bytes(other, name)
        {
            count = count.wrapping_add(1);
        }
    }
    count
}

/// The names of a template's variables, in their order.
pub(super) fn names(template: &str) -> impl Iterator<Item = &str> {
    let mut rest = template.as_bytes();
    core::iter::from_fn(move || {
        loop {
            if let Part::Variable(name) = part(&mut rest)? {
                return core::str::from_utf8(name).ok();
            }
        }
    })
}

/// What the variables of a resource template stand for in the URI that was asked for.
///
/// A value is what stands in the URI, so it may hold `%` escapes; [`decode`](Self::decode)
/// resolves them.
#[derive(Clone, Copy, Debug)]
pub struct Variables<'m> {
    template: &'m str,
    values: [JsonStr<'m>; MAX_VARIABLES],
}

/// Why a variable's value could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The template has no such variable.
    Unknown,
    /// A `%` is not followed by two hexadecimal digits, or what comes out is not UTF-8.
    Invalid,
    /// The buffer is too small.
    TooSmall,
}

impl core::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            DecodeError::Unknown => "there is no such variable",
            DecodeError::Invalid => "the value is not the escaped form of text",
            DecodeError::TooSmall => "the buffer is too small",
        })
    }
}

impl core::error::Error for DecodeError {}

impl<'m> Variables<'m> {
    /// The names and values, in the template's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'m str, JsonStr<'m>)> {
        names(self.template).zip(self.values)
    }

    /// The value of the variable of this name, as it stands in the URI.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<JsonStr<'m>> {
        self.iter()
            .find(|(variable, _)| *variable == name)
            .map(|(_, value)| value)
    }

    /// Writes the value of the variable of this name into `buffer`, its `%` escapes
    /// resolved. It may then hold any character, `/` and `.` among them: whoever makes a
    /// path of it has to look.
    ///
    /// # Errors
    ///
    /// See [`DecodeError`]. What was in the buffer may be overwritten.
    pub fn decode<'b>(&self, name: &str, buffer: &'b mut [u8]) -> Result<&'b str, DecodeError> {
        let value = self.get(name).ok_or(DecodeError::Unknown)?;
        let mut length = 0usize;
        let mut chars = value.chars();
        let mut put = |byte: u8| {
            let slot = buffer.get_mut(length).ok_or(DecodeError::TooSmall)?;
            *slot = byte;
            length = length.wrapping_add(1);
            Ok(())
        };
        while let Some(character) = chars.next() {
            let character = character.map_err(|_| DecodeError::Invalid)?;
            if character == '%' {
                let mut digit = || {
                    let digit = chars.next()?.ok()?.to_digit(16)?;
                    u8::try_from(digit).ok()
                };
                let high = digit().ok_or(DecodeError::Invalid)?;
                let low = digit().ok_or(DecodeError::Invalid)?;
                put(high.wrapping_shl(4) | low)?;
            } else {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    put(byte)?;
                }
            }
        }
        core::str::from_utf8(buffer.get(..length).unwrap_or(&[])).map_err(|_| DecodeError::Invalid)
    }
}

/// Matches a URI against a template that is in order.
///
/// A variable takes one or more characters, none of them `/`, `?` or `#`, and as few as it
/// can. That loses no match: what a variable leaves to the next one is made of characters
/// that this one may take, too.
pub(super) fn matches<'m>(template: &'m str, uri: JsonStr<'m>) -> Option<Variables<'m>> {
    let mut values = [uri; MAX_VARIABLES];
    let mut slots = values.iter_mut();
    let mut rest = template.as_bytes();
    let mut at = 0usize;
    loop {
        let before = rest;
        match part(&mut rest) {
            Some(Part::Literal(byte)) => {
                let (character, next) = character(uri, at)?;
                if character != char::from(byte) {
                    return None;
                }
                at = next;
            }
            Some(Part::Variable(_)) => {
                let begin = at;
                loop {
                    let (character, next) = character(uri, at)?;
                    if matches!(character, '/' | '?' | '#') {
                        return None;
                    }
                    at = next;
                    if literal(rest, uri, at) {
                        break;
                    }
                }
                *slots.next()? = uri.part(begin, at)?;
            }
            None => {
                let whole = at == uri.raw_bytes().len() && before.is_empty();
                return whole.then_some(Variables { template, values });
            }
        }
    }
}

/// Whether the URI goes on with the literal that the template goes on with; at the
/// template's end, whether the URI ends, too.
fn literal(template: &[u8], uri: JsonStr<'_>, mut at: usize) -> bool {
    let mut rest = template;
    loop {
        match part(&mut rest) {
            Some(Part::Literal(byte)) => match character(uri, at) {
                Some((character, next)) if character == char::from(byte) => at = next,
                _ => return false,
            },
            Some(Part::Variable(_)) => return true,
            // The last literal has to end where the URI ends.
            None => return at == uri.raw_bytes().len(),
        }
    }
}

/// The character at a place in the token, and the place after it.
fn character(uri: JsonStr<'_>, at: usize) -> Option<(char, usize)> {
    uri.char_at(at)
}
