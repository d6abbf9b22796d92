//! Text that leaves in pieces.

use super::{Place, Sink, ToJson, WriteError, Writer};

/// A value's text, taken in pieces of any size, down to one byte.
///
/// It needs no buffer of its own. The value is written again for every piece, and what has
/// left already is passed over: strings, fragments and base64 at once, however long they
/// are, everything else call by call. So a long text costs its length and, for every
/// piece, the calls that write it.
///
/// ```
/// use wireline::json::{self, Pieces};
/// let mut pieces = Pieces::new(["one", "two"])?;
/// assert_eq!(pieces.remaining(), 13);
/// let (mut text, mut buffer) = (Vec::new(), [0; 4]);
/// loop {
///     let n = pieces.fill(&mut buffer)?;
///     if n == 0 {
///         break;
///     }
///     text.extend_from_slice(&buffer[..n]);
/// }
/// assert_eq!(text, br#"["one","two"]"#);
/// # Ok::<(), json::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pieces<T> {
    value: T,
    inner: Inner,
}

/// What is the same whatever the value is.
#[derive(Clone, Copy, Debug)]
struct Inner {
    place: Place,
    total: usize,
    /// A line: LF follows the text.
    line: bool,
    /// The value changed; a begun line is still to be ended.
    torn: bool,
}

impl<T: ToJson> Pieces<T> {
    /// The text alone.
    ///
    /// # Errors
    ///
    /// What is wrong with the value. Nothing has left then.
    pub fn new(value: T) -> Result<Self, WriteError> {
        Pieces::begin(value, false)
    }

    /// The text as a line, LF at its end.
    ///
    /// # Errors
    ///
    /// What is wrong with the value. Nothing has left then.
    pub fn line(value: T) -> Result<Self, WriteError> {
        Pieces::begin(value, true)
    }

    fn begin(value: T, line: bool) -> Result<Self, WriteError> {
        let total = super::measure(&value)?.saturating_add(usize::from(line));
        Ok(Pieces {
            value,
            inner: Inner {
                place: Place::START,
                total,
                line,
                torn: false,
            },
        })
    }

    /// Fills `out` with the next bytes and returns how many there are. Fewer than `out`
    /// has room for are the last; 0 means that nothing is left (or that `out` is empty).
    ///
    /// # Errors
    ///
    /// [`WriteError::Changed`], if the value now writes other text than at first. Bytes
    /// may have left already; of a line, the next call then gives the LF that ends what
    /// was begun, so that the receiver rejects it and reads the next line as it should.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<usize, WriteError> {
        self.inner.fill(&self.value, out)
    }
}

impl<T> Pieces<T> {
    /// Bytes still to come.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.inner.total.saturating_sub(self.inner.place.at)
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.remaining() == 0
    }
}

impl Inner {
    fn fill(&mut self, value: &dyn ToJson, out: &mut [u8]) -> Result<usize, WriteError> {
        let begin = self.place.at;
        if begin >= self.total {
            return Ok(0);
        }
        if self.torn {
            return Ok(match out.first_mut() {
                Some(byte) => {
                    *byte = b'\n';
                    self.place.at = self.total;
                    1
                }
                None => 0,
            });
        }
        let mut writer = Writer::over(Sink::new(out, Some(self.place)));
        value.write_json(&mut writer);
        if self.line {
            writer.sink().put(b"\n");
        }
        let checked = writer.check();
        let sink = writer.into_sink();
        let next = sink.next_place();
        // Where no copy was cut short, the text's length is known, and known before its
        // last bracket leaves.
        let same = checked.is_ok()
            && if sink.is_cut() {
                next.at < self.total
            } else {
                sink.at() == self.total
            };
        if same {
            self.place = next;
            return Ok(next.at.saturating_sub(begin));
        }
        self.torn = true;
        self.total = begin.saturating_add(usize::from(self.line && begin > 0));
        Err(WriteError::Changed)
    }
}
