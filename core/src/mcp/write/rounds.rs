//! Results that ask for input first, and the answers (2026-07-28).

use super::*;
use crate::json::JsonStr;

writers! {
    /// A result that asks for input: of `tools/call`, `prompts/get` or `resources/read`
    /// (2026-07-28). At least one of its members must be given.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{InputRequest, InputRequiredResult};
    /// let asked = [InputRequest::new("dirs", "roots/list")];
    /// let result = InputRequiredResult::new().input_requests(&asked).request_state("s");
    /// assert_eq!(
    ///     json::write(&result, &mut [0; 128]),
    ///     Ok(&br#"{"resultType":"input_required","inputRequests":{"dirs":{"method":"roots/list"}},"requestState":"s"}"#[..]),
    /// );
    /// ```
    InputRequiredResult: const [noted] ("resultType" = "input_required") {
        /// What is asked for. Each needs a key of its own.
        pub fn input_requests() -> requests = "inputRequests";
        /// What the next request is to carry as it is. Anybody may change it on the way.
        pub fn request_state() -> text = "requestState";
    }
}

/// One of the things that a result asks for: the key that the answer carries, the method
/// (`elicitation/create`, `sampling/createMessage` or `roots/list`), and its params.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::{ElicitUrlParams, InputRequest, InputRequiredResult};
/// let login = ElicitUrlParams::new("Log in", "https://x/");
/// let asked = [InputRequest::new("login", "elicitation/create").params(&login)];
/// assert_eq!(
///     json::write(&InputRequiredResult::new().input_requests(&asked), &mut [0; 180]),
///     Ok(&br#"{"resultType":"input_required","inputRequests":{"login":{"method":"elicitation/create","params":{"mode":"url","message":"Log in","url":"https://x/"}}}}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'a> {
    key: &'a str,
    method: &'a str,
    params: Option<Json<'a>>,
}

impl<'a> InputRequest<'a> {
    /// With what must be there.
    #[must_use]
    pub const fn new(key: &'a str, method: &'a str) -> Self {
        InputRequest {
            key,
            method,
            params: None,
        }
    }

    /// The particulars, an object: the params of a request of this method.
    #[must_use]
    pub const fn params(mut self, params: &'a dyn ToJson) -> Self {
        self.params = Some(Json(params));
        self
    }

    /// The key that the answer carries.
    #[must_use]
    pub const fn key(&self) -> &'a str {
        self.key
    }

    /// What is asked.
    #[must_use]
    pub const fn method(&self) -> &'a str {
        self.method
    }
}

/// Writes the requests by their keys.
pub(super) fn put_requests(requests: &[InputRequest<'_>], w: &mut Writer<'_>) {
    w.begin_object();
    for request in requests {
        w.key(request.key).begin_object();
        value::put_str(w, "method", request.method);
        if let Some(Json(params)) = request.params {
            value::put_json(w, "params", params, value::OBJECT);
        }
        w.end_object();
    }
    w.end_object();
}

/// The answers to what a result asked for: a key, as the result gave it, and the answer,
/// which is the result of such a request ([`ElicitResult`], [`CreateMessageResult`],
/// [`ListRootsResult`]).
///
/// ```
/// use wireline::json::{self, RawJson};
/// use wireline::mcp::{ElicitAction, view};
/// use wireline::mcp::write::{CallToolParams, ElicitResult, InputResponses};
/// let asked = br#"{"inputRequests":{"login":{"method":"elicitation/create"}}}"#;
/// let asked = view::InputRequiredResult::new(RawJson::validate(asked).unwrap());
/// let (key, _) = asked.input_requests().next().unwrap();
/// let answer = ElicitResult::new(ElicitAction::Decline);
/// assert_eq!(
///     json::write(
///         &CallToolParams::new("mail")
///             .input_responses(&InputResponses::new(&[(key, &answer)]))
///             .request_state("s"),
///         &mut [0; 128],
///     ),
///     Ok(&br#"{"name":"mail","inputResponses":{"login":{"action":"decline"}},"requestState":"s"}"#[..]),
/// );
/// ```
#[derive(Clone, Copy)]
pub struct InputResponses<'a>(&'a [(JsonStr<'a>, &'a dyn ToJson)]);

impl<'a> InputResponses<'a> {
    /// Keys and answers.
    #[must_use]
    pub const fn new(answers: &'a [(JsonStr<'a>, &'a dyn ToJson)]) -> Self {
        InputResponses(answers)
    }
}

impl core::fmt::Debug for InputResponses<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(key, _)| key))
            .finish()
    }
}

impl ToJson for InputResponses<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (key, answer) in self.0 {
            w.key_as_received(*key).payload(*answer, value::OBJECT);
        }
        w.end_object();
    }
}
