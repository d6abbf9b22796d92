//! What a program answers with.

use crate::json::{JsonKind, ToJson, Writer};
use crate::mcp::{Method, write};

/// A result of one of the methods that the program answers: see
/// [`Service::finish`](super::Service::finish).
///
/// It is written straight into the line, so what it borrows is not copied anywhere: a blob
/// of any size leaves as base64 through a buffer of any size.
pub trait Answer: ToJson {
    /// The method that it is a result of.
    const METHOD: Method;
}

/// The result of a tool that has nothing to say but some text: a `&str`, a
/// [`JsonStr`](crate::json::JsonStr) that was received, or [`format_args!`], which is put
/// together when it is written and must say the same every time.
///
/// ```
/// use wireline::json;
/// use wireline::server::Done;
/// let celsius = 21.5;
/// assert_eq!(
///     json::write(&Done(format_args!("{celsius} °C")), &mut [0; 80]).unwrap(),
///     r#"{"content":[{"type":"text","text":"21.5 °C"}]}"#.as_bytes(),
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done<T>(pub T);

/// The result of a tool that has failed, with what the model should know of it: text as in
/// [`Done`].
///
/// ```
/// use wireline::json;
/// use wireline::server::Failed;
/// assert_eq!(
///     json::write(&Failed("no answer from the sensor"), &mut [0; 120]).unwrap(),
///     br#"{"content":[{"type":"text","text":"no answer from the sensor"}],"isError":true}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed<T>(pub T);

/// The bit that stands for strings.
const STRING: u8 = 1u8.wrapping_shl(JsonKind::String as u32);

fn write_text(text: &dyn ToJson, failed: bool, w: &mut Writer<'_>) {
    w.begin_object().key("content").begin_array().begin_object();
    w.member("type", &"text").key("text").payload(text, STRING);
    w.end_object().end_array();
    if failed {
        w.member("isError", &true);
    }
    w.end_object();
}

impl<T: ToJson> ToJson for Done<T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        write_text(&self.0, false, w);
    }
}

impl<T: ToJson> ToJson for Failed<T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        write_text(&self.0, true, w);
    }
}

impl<T: ToJson> Answer for Done<T> {
    const METHOD: Method = Method::ToolsCall;
}

impl<T: ToJson> Answer for Failed<T> {
    const METHOD: Method = Method::ToolsCall;
}

/// Values of a completion that are sent, at most.
pub const MAX_COMPLETIONS: usize = 100;

/// The result of `completion/complete`. No more than [`MAX_COMPLETIONS`] values are sent;
/// if there are more, the result says so.
///
/// ```
/// use wireline::json;
/// use wireline::server::Completions;
/// assert_eq!(
///     json::write(&Completions::new(&["high", "low"]), &mut [0; 80]).unwrap(),
///     br#"{"completion":{"values":["high","low"],"total":2,"hasMore":false}}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Completions<'p> {
    values: &'p [&'p str],
    total: Option<u32>,
    more: bool,
}

impl<'p> Completions<'p> {
    /// All the values that there are.
    #[must_use]
    pub const fn new(values: &'p [&'p str]) -> Self {
        Completions {
            values,
            total: Some(values.len() as u32),
            more: false,
        }
    }

    /// Some of the values; how many there are in all, if that is known.
    #[must_use]
    pub const fn some_of(values: &'p [&'p str], total: Option<u32>) -> Self {
        Completions {
            values,
            total,
            more: true,
        }
    }
}

impl ToJson for Completions<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().key("completion").begin_object();
        w.key("values").begin_array();
        for value in self.values.iter().take(MAX_COMPLETIONS) {
            w.string(value);
        }
        w.end_array();
        if let Some(total) = self.total {
            w.member("total", &total);
        }
        let more = self.more || self.values.len() > MAX_COMPLETIONS;
        w.member("hasMore", &more).end_object().end_object();
    }
}

impl Answer for Completions<'_> {
    const METHOD: Method = Method::Complete;
}

/// As [`mcp::write`](crate::mcp::write) has it.
macro_rules! answers {
    ($($result:ident, $method:ident;)*) => {$(
        impl<T> Answer for write::$result<'_, T>
        where
            Self: ToJson,
        {
            const METHOD: Method = Method::$method;
        }
    )*};
}

answers! {
    CallToolResult, ToolsCall;
    ReadResourceResult, ResourcesRead;
    GetPromptResult, PromptsGet;
}
