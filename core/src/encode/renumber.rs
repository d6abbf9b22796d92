//! A received message with other ids.

use super::{OutId, Pieces, ToJson, WriteError, Writer, line_len, write_line};
use crate::envelope::Field;
use crate::json::{JsonKind, JsonStr, walk};
use crate::message::{Kind, Message};
use crate::text::Text;

const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A received message, to be passed on with its id, or ids inside it, replaced.
///
/// What a proxy between many peers needs: each peer numbers its own requests, so that
/// numbers must be translated where streams are joined. Every other byte passes as it
/// came, in the order in which it came; only raw CR and LF between tokens are left out.
///
/// ```
/// use wireline::{Limits, parse};
/// let line = br#"{"method":"tools/call","params":{"_meta":{"progressToken":3}, "name":"x"},"jsonrpc":"2.0","id":"3"}"#;
/// let message = parse(line, &Limits::HOST).unwrap();
/// let mut out = [0; 128];
/// let n = message.renumber().id(70).progress_token("p-70").write(&mut out).unwrap();
/// assert_eq!(
///     &out[..n],
///     b"{\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":\"p-70\"}, \"name\":\"x\"},\"jsonrpc\":\"2.0\",\"id\":70}\n",
/// );
/// ```
///
/// Asking for a member to be replaced that the message does not have is
/// [`WriteError::NoMember`]: look with [`Message::id`] and [`Message::meta`] first.
#[derive(Clone, Copy, Debug)]
pub struct Renumber<'a, 'i> {
    message: Message<'a>,
    edits: [Option<Edit<'i>>; 4],
    error: Option<WriteError>,
}

/// A token to be replaced, and what by.
#[derive(Clone, Copy, Debug)]
struct Edit<'i> {
    begin: usize,
    end: usize,
    id: OutId<'i>,
}

impl<'a> Message<'a> {
    /// The message with ids replaced.
    #[must_use]
    pub fn renumber<'i>(&self) -> Renumber<'a, 'i> {
        Renumber {
            message: *self,
            edits: [None; 4],
            error: None,
        }
    }

    /// Writes the message as a line with another id and all else unchanged: see
    /// [`Renumber`].
    ///
    /// # Errors
    ///
    /// [`WriteError::TooSmall`] with the bytes needed; [`WriteError::NoMember`], if the
    /// message has no id; [`WriteError::BadId`], if the new id may not be sent.
    pub fn write_with_id<'i>(
        &self,
        id: impl Into<OutId<'i>>,
        out: &mut [u8],
    ) -> Result<usize, WriteError> {
        self.renumber().id(id).write(out)
    }
}

impl<'a, 'i> Renumber<'a, 'i> {
    /// Replaces the message's own id.
    #[must_use]
    pub fn id(self, id: impl Into<OutId<'i>>) -> Self {
        let kind = self.message.kind();
        let span = match self.message.id() {
            Some(_) => self.message.span(Field::ID),
            None => None,
        };
        self.edit(0, span, id.into(), kind)
    }

    /// Replaces `params.requestId`, the request that a cancellation names.
    #[must_use]
    pub fn request_id(self, id: impl Into<OutId<'i>>) -> Self {
        let span = self.message.span(Field::REQUEST_ID);
        self.edit(1, span, id.into(), Kind::Result)
    }

    /// Replaces `params._meta.progressToken` of a request, `params.progressToken` of a
    /// notification.
    #[must_use]
    pub fn progress_token(self, token: impl Into<OutId<'i>>) -> Self {
        let span = self.message.span(match self.message.kind() {
            Kind::Request => Field::META_PROGRESS_TOKEN,
            _ => Field::PROGRESS_TOKEN,
        });
        self.edit(2, span, token.into(), Kind::Result)
    }

    /// Replaces `_meta["io.modelcontextprotocol/subscriptionId"]` in the parameters or
    /// the result.
    #[must_use]
    pub fn subscription_id(self, id: impl Into<OutId<'i>>) -> Self {
        let span = match self.message.span(Field::RESULT) {
            Some((result, _)) => {
                let text = self.message.as_bytes();
                member(text, result, "_meta")
                    .and_then(|(meta, _)| member(text, meta, SUBSCRIPTION_ID))
            }
            None => self.message.span(Field::SUBSCRIPTION_ID),
        };
        self.edit(3, span, id.into(), Kind::Result)
    }

    fn edit(
        mut self,
        index: usize,
        span: Option<(usize, usize)>,
        id: OutId<'i>,
        kind: Kind,
    ) -> Self {
        let text = self.message.as_bytes();
        let is_id = |(begin, _): &(usize, usize)| {
            matches!(text.get(*begin), Some(b'"' | b'-' | b'0'..=b'9'))
        };
        let error = match (span.filter(is_id), id.check(kind)) {
            (None, _) => WriteError::NoMember,
            (_, Err(error)) => error,
            (Some((begin, end)), Ok(())) => {
                if let Some(place) = self.edits.get_mut(index) {
                    *place = Some(Edit { begin, end, id });
                }
                return self;
            }
        };
        self.error.get_or_insert(error);
        self
    }

    /// Writes the line, LF included, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`WriteError::TooSmall`] with the bytes needed; [`WriteError::NoMember`];
    /// [`WriteError::BadId`].
    pub fn write(&self, out: &mut [u8]) -> Result<usize, WriteError> {
        write_line(self, out)
    }

    /// The line's length in bytes, LF included.
    ///
    /// # Errors
    ///
    /// As [`write`](Renumber::write), but never `TooSmall`.
    pub fn line_len(&self) -> Result<usize, WriteError> {
        line_len(self)
    }

    /// The line in pieces, for a buffer of any size. Linear in the line's length.
    ///
    /// # Errors
    ///
    /// As [`line_len`](Renumber::line_len); no byte has left then.
    pub fn pieces(&self) -> Result<Pieces<Self>, WriteError> {
        Pieces::line(*self)
    }
}

/// The message's text without a line end.
impl ToJson for Renumber<'_, '_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        if let Some(error) = self.error {
            w.fail(error);
        }
        if !w.lead(JsonKind::Object) {
            return;
        }
        let text = self.message.as_bytes();
        // Alone it is as deep as it was when it came.
        if !w.is_empty() {
            w.check_depth(text.trim_ascii_start());
        }
        let mut at = 0;
        loop {
            // The edits are few and stand in the order of their kinds, not of the text.
            let edits = self.edits.iter().flatten();
            let next = edits
                .filter(|edit| edit.begin >= at)
                .min_by_key(|edit| edit.begin);
            let end = next.map_or(text.len(), |edit| edit.begin);
            w.sink().json(text.get(at..end).unwrap_or(&[]));
            match next {
                Some(edit) => {
                    edit.id.put(w.sink());
                    at = edit.end;
                }
                None => return,
            }
        }
    }
}

/// Where the value of a member stands, if the value at `at` is an object that has exactly
/// one of this name.
fn member(text: &[u8], at: usize, name: &str) -> Option<(usize, usize)> {
    if text.get(at) != Some(&b'{') {
        return None;
    }
    let mut found = None;
    let mut at = walk::skip_space(text, at.saturating_add(1));
    while text.get(at) == Some(&b'"') {
        let name_end = walk::skip_string(text, at);
        let key = JsonStr::from_token(Text::found(text.get(at..name_end)?)?)?;
        let colon = walk::skip_space(text, name_end);
        let begin = walk::skip_space(text, colon.saturating_add(1));
        let end = walk::skip_value(text, begin);
        if key == *name {
            if found.is_some() {
                return None;
            }
            found = Some((begin, end));
        }
        let comma = walk::skip_space(text, end);
        at = walk::skip_space(text, comma.saturating_add(1));
    }
    found
}
