//! Results that ask for input first (2026-07-28).

use super::*;

views! {
    /// A result that asks for input: of `tools/call`, `prompts/get` or `resources/read`
    /// (2026-07-28).
    ///
    /// The client makes the same request again, with the answers and the state.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Method, ResultType, view::{ElicitParams, InputRequiredResult}};
    /// let result = br#"{
    ///     "resultType":"input_required","requestState":"s",
    ///     "inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}
    /// }"#;
    /// let result = InputRequiredResult::new(RawJson::validate(result).unwrap());
    /// assert_eq!(result.result_type(), Some(ResultType::InputRequired));
    /// let (key, asked) = result.input_requests().next().unwrap();
    /// assert_eq!(key, "who");
    /// assert_eq!(asked.method().and_then(Method::from_json_str), Some(Method::Elicit));
    /// let form = ElicitParams::new(asked.params().unwrap());
    /// assert_eq!(form.message().unwrap(), "Who?");
    /// ```
    InputRequiredResult [result] {
        /// What is asked for, by the keys that the answers carry.
        pub fn input_requests() -> map(InputRequest<'a>) = "inputRequests";
        /// What the next request must carry as it is, and a client must not look into.
        pub fn request_state() -> str = "requestState";
    }

    /// One of the things that a result asks for (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::InputRequest;
    /// let asked = InputRequest::new(RawJson::validate(br#"{"method":"roots/list"}"#).unwrap());
    /// assert_eq!(asked.method().unwrap(), "roots/list");
    /// assert!(asked.params().is_none());
    /// ```
    InputRequest {
        /// What is asked: `elicitation/create`, `sampling/createMessage` or `roots/list`.
        pub fn method() -> str = "method", required;
        /// The particulars: those of a request of this method.
        pub fn params() -> object = "params";
    }
}
