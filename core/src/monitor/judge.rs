//! What one message or one of its parts breaks by itself, whoever looks at it.

use super::grammar::{self, Key};
use super::memory::Filter;
use crate::json::{JsonKind, RawJson};
use crate::mcp::{Capabilities, Capability, Method, Revision, code, meta};
use crate::message::{ErrorObject, Message};
use crate::rules::{Rule, Violations};

/// What a message breaks in its envelope, and at the top of what it carries.
pub(crate) fn envelope(message: &Message<'_>) -> Violations {
    let mut broken = Violations::NONE;
    if message.flags().null_params {
        broken.add(Rule::R26);
    }
    if meta_of(message).is_some_and(|meta| meta.kind() != JsonKind::Object) {
        broken.add(Rule::R27);
    }
    broken
}

/// The `_meta` of a message's parameters or result.
pub(crate) fn meta_of<'a>(message: &Message<'a>) -> Option<RawJson<'a>> {
    message.params().or(message.result())?.get("_meta")
}

/// What the keys of `_meta` break, and the values of those that other standards define.
pub(crate) fn meta_keys(object: RawJson<'_>, revision: Revision) -> Violations {
    let mut broken = Violations::NONE;
    if !Rule::R38.revisions().contains(revision) {
        return broken;
    }
    for (name, value) in object.members() {
        match grammar::key(name, revision) {
            Key::Bad => broken.add(Rule::R38),
            Key::Reserved if revision == Revision::V2025_06_18 => broken.add(Rule::R39),
            Key::Reserved => broken.add(Rule::R40),
            Key::Good { prefixed: true } => continue,
            Key::Good { prefixed: false } => {}
        }
        if revision != Revision::V2026_07_28 {
            continue;
        }
        let good = match value.as_json_str() {
            Some(text) if name == "traceparent" => grammar::is_traceparent(text),
            Some(text) if name == "tracestate" || name == "baggage" => grammar::is_pairs(text),
            None if name == "traceparent" || name == "tracestate" || name == "baggage" => false,
            _ => true,
        };
        if !good {
            broken.add(Rule::R48);
        }
    }
    broken
}

/// Whether the identifiers of extensions in a capabilities object are in order.
pub(crate) fn extensions(capabilities: RawJson<'_>, revision: Revision) -> Violations {
    let Some(extensions) = capabilities.get("extensions") else {
        return Violations::NONE;
    };
    let good = |key| {
        matches!(
            grammar::key(key, revision),
            Key::Good { prefixed: true } | Key::Reserved
        )
    };
    match extensions.members().all(|(name, _)| good(name)) {
        true => Violations::NONE,
        false => Violations::from(Rule::R49),
    }
}

/// Whether it is an object with a string `name` and a string `version`.
pub(crate) fn is_implementation(value: RawJson<'_>) -> bool {
    let text = |name| {
        value
            .get(name)
            .is_some_and(|it| it.kind() == JsonKind::String)
    };
    text("name") && text("version")
}

/// Whether every member that is asked for is there and of its type.
pub(crate) fn has_all(object: RawJson<'_>, required: &[(&str, JsonKind)]) -> bool {
    required
        .iter()
        .all(|(name, kind)| object.get(name).is_some_and(|value| value.kind() == *kind))
}

/// What the `_meta` of a modern request breaks; what it breaks of [`meta_keys`] apart.
pub(crate) fn request_meta(object: Option<RawJson<'_>>) -> Violations {
    let mut broken = Violations::NONE;
    let get = |name| object.and_then(|object| object.get(name));
    if get(meta::PROTOCOL_VERSION).is_none_or(|it| it.kind() != JsonKind::String) {
        broken.add(Rule::R42);
    }
    match get(meta::CLIENT_CAPABILITIES) {
        Some(declared) if declared.kind() == JsonKind::Object => {
            broken = broken.or(extensions(declared, Revision::V2026_07_28));
        }
        _ => broken.add(Rule::R43),
    }
    if get(meta::CLIENT_INFO).is_none_or(|it| !is_implementation(it)) {
        broken.add(Rule::R44);
    }
    broken
}

/// What an error of the modern era breaks by its code and what must come with that.
pub(crate) fn modern_error(error: ErrorObject<'_>) -> Violations {
    let mut broken = Violations::NONE;
    let data = error.data();
    let Some(number) = error.code().as_i64() else {
        return broken;
    };
    match number {
        code::RESOURCE_NOT_FOUND | code::URL_ELICITATION_REQUIRED => broken.add(Rule::R34),
        code::UNSUPPORTED_PROTOCOL_VERSION => {
            let texts = data
                .and_then(|data| data.get("supported"))
                .is_some_and(|list| {
                    list.kind() == JsonKind::Array
                        && list.elements().all(|it| it.kind() == JsonKind::String)
                });
            let requested = data.and_then(|data| data.get("requested"));
            if !texts || requested.is_none_or(|it| it.kind() != JsonKind::String) {
                broken.add(Rule::R65);
            }
        }
        code::MISSING_CLIENT_CAPABILITY => {
            let needed = data.and_then(|data| data.get("requiredCapabilities"));
            if needed.is_none_or(|it| it.kind() != JsonKind::Object) {
                broken.add(Rule::R84);
            }
        }
        code::HEADER_MISMATCH => {}
        -32099..=-32020 => broken.add(Rule::R33),
        -32019..=-32000 => broken.add(Rule::R35),
        code::PARSE_ERROR | code::INVALID_REQUEST => {}
        code::METHOD_NOT_FOUND | code::INVALID_PARAMS | code::INTERNAL_ERROR => {}
        -32768..=-32100 => broken.add(Rule::R37),
        _ => {}
    }
    broken
}

/// What the members of a complete result break that its method gives a meaning to.
pub(crate) fn result(method: Method, result: RawJson<'_>) -> Violations {
    let mut broken = Violations::NONE;
    if !has_all(result, method.required_result()) {
        broken.add(match method {
            Method::Initialize => Rule::R54,
            _ => Rule::R104,
        });
    }
    match method {
        Method::Initialize if !result.get("serverInfo").is_some_and(is_implementation) => {
            broken.add(Rule::R54);
        }
        Method::Ping if result.members().any(|(name, _)| name != "_meta") => {
            broken.add(Rule::R61);
        }
        Method::Complete => match result.get("completion").and_then(|it| it.get("values")) {
            Some(values) if values.kind() == JsonKind::Array => {
                if values.elements().nth(100).is_some() {
                    broken.add(Rule::R105);
                }
            }
            _ => broken.add(Rule::R104),
        },
        Method::RootsList => broken = broken.or(roots(result)),
        Method::ToolsCall => broken = broken.or(contents(result.get("content"))),
        Method::ResourcesRead => broken = broken.or(contents(result.get("contents"))),
        Method::PromptsGet => {
            for message in result
                .get("messages")
                .into_iter()
                .flat_map(|it| it.elements())
            {
                broken = broken.or(block(message.get("content")));
            }
        }
        Method::CreateMessage => {
            if result.get("content").is_none() {
                broken.add(Rule::R104);
            }
            broken = broken
                .or(contents(result.get("content")))
                .or(block(result.get("content")));
        }
        _ => {}
    }
    broken
}

fn roots(result: RawJson<'_>) -> Violations {
    let files = |root: RawJson<'_>| {
        let uri = root.get("uri").and_then(|uri| uri.as_json_str());
        uri.is_some_and(|uri| {
            let scheme = uri.chars().map(|c| c.unwrap_or_default());
            "file://".chars().eq(scheme.take(7))
        })
    };
    let mut all = result.get("roots").into_iter().flat_map(|it| it.elements());
    match all.all(files) {
        true => Violations::NONE,
        false => Violations::from(Rule::R178),
    }
}

/// Whether the base64 of a list of contents is base64.
fn contents(list: Option<RawJson<'_>>) -> Violations {
    let blocks = list.into_iter().flat_map(|it| it.elements());
    blocks.fold(Violations::NONE, |broken, it| broken.or(block(Some(it))))
}

fn block(content: Option<RawJson<'_>>) -> Violations {
    let Some(content) = content else {
        return Violations::NONE;
    };
    let kind = content.get("type").and_then(|it| it.as_json_str());
    let is = |name: &str| kind.is_some_and(|kind| kind == *name);
    let data = match kind {
        _ if is("image") || is("audio") => content.get("data"),
        _ if is("resource") => content.get("resource").and_then(|it| it.get("blob")),
        None => content.get("blob"),
        Some(_) => None,
    };
    match data {
        Some(data) if !data.as_json_str().is_some_and(grammar::is_base64) => {
            Violations::from(Rule::R179)
        }
        _ => Violations::NONE,
    }
}

/// What the answer to an elicitation breaks. `form`: it asked for one, so content may come.
pub(crate) fn elicited(result: RawJson<'_>, form: bool) -> Violations {
    let action = result.get("action").and_then(|it| it.as_json_str());
    let accepts = action.is_some_and(|action| action == "accept");
    let known = accepts || action.is_some_and(|action| action == "decline" || action == "cancel");
    let content = result
        .get("content")
        .is_some_and(|content| !content.is_null());
    match known && (!content || accepts && form) {
        true => Violations::NONE,
        false => Violations::from(Rule::R106),
    }
}

/// What a required input breaks, given what its request declared: its kind and mode.
pub(crate) fn input(request: RawJson<'_>, declared: Capabilities) -> Violations {
    let mut broken = Violations::NONE;
    if request.get("jsonrpc").is_some() || request.get("id").is_some() {
        broken.add(Rule::R94);
    }
    let name = request.get("method").and_then(|it| it.as_json_str());
    let params = request.get("params").unwrap_or(RawJson::EMPTY_OBJECT);
    let needed = match name.and_then(Method::from_json_str) {
        Some(Method::Elicit) => Capability::Elicitation,
        Some(Method::CreateMessage) => Capability::Sampling,
        Some(Method::RootsList) => Capability::Roots,
        _ => return broken.with(Rule::R94),
    };
    if !declared.has(needed) {
        return broken.with(Rule::R95);
    }
    if needed == Capability::Elicitation && !mode_declared(params, declared) {
        broken = broken.with(Rule::R95).with(Rule::R78);
    }
    if needed == Capability::Sampling && !tools_declared(params, declared) {
        broken = broken.with(Rule::R95).with(Rule::R80);
    }
    broken
}

/// Whether an elicitation asks for a URL to be visited; else it asks for a form.
pub(crate) fn is_url_mode(params: RawJson<'_>) -> bool {
    params
        .get("mode")
        .and_then(|it| it.as_json_str())
        .is_some_and(|mode| mode == "url")
}

/// Whether the client takes elicitations in the mode that `params` asks for.
pub(crate) fn mode_declared(params: RawJson<'_>, declared: Capabilities) -> bool {
    declared.has(match is_url_mode(params) {
        true => Capability::ElicitationUrl,
        false => Capability::ElicitationForm,
    })
}

/// Whether the client takes samplings with tools, if `params` has any.
pub(crate) fn tools_declared(params: RawJson<'_>, declared: Capabilities) -> bool {
    declared.has(Capability::SamplingTools)
        || params.get("tools").is_none() && params.get("toolChoice").is_none()
}

/// The scope of a cacheable result: 1 public, 2 private; and what its hints break.
pub(crate) fn cache_hints(result: RawJson<'_>) -> (u8, Violations) {
    let ttl = result.get("ttlMs").and_then(|it| it.as_number());
    let ttl = ttl.is_some_and(|ttl| ttl.is_integer() && !ttl.as_bytes().starts_with(b"-"));
    let scope = result.get("cacheScope").and_then(|it| it.as_json_str());
    let scope = match scope {
        Some(scope) if scope == "public" => 1,
        Some(scope) if scope == "private" => 2,
        _ => 0,
    };
    let broken = match ttl && scope != 0 {
        true => Violations::NONE,
        false => Violations::from(Rule::R101),
    };
    (scope, broken)
}

/// The bits of a [`Filter`].
pub(crate) const TOOLS: u8 = 1;
pub(crate) const PROMPTS: u8 = 2;
pub(crate) const RESOURCES: u8 = 4;
pub(crate) const UPDATES: u8 = 8;

/// What a subscription filter covers.
pub(crate) fn filter(notifications: Option<RawJson<'_>>) -> Filter {
    let mut filter = Filter::default();
    let Some(wanted) = notifications else {
        return filter;
    };
    for (name, bit) in [
        ("toolsListChanged", TOOLS),
        ("promptsListChanged", PROMPTS),
        ("resourcesListChanged", RESOURCES),
    ] {
        if wanted.get(name).and_then(|it| it.as_bool()) == Some(true) {
            filter.bits |= bit;
        }
    }
    for uri in wanted
        .get("resourceSubscriptions")
        .into_iter()
        .flat_map(|it| it.elements())
    {
        filter.bits |= UPDATES;
        filter.uris = filter.uris.saturating_add(1);
        filter.uris_print = filter.uris_print.wrapping_add(grammar::value_print(uri));
    }
    filter
}

/// Whether `granted` is no more than `asked`, as far as their prints tell.
pub(crate) fn is_within(granted: Filter, asked: Filter) -> bool {
    granted.bits & !asked.bits == 0
        && granted.uris <= asked.uris
        && (granted.uris < asked.uris || granted.uris_print == asked.uris_print)
}

/// Whether an error has this code.
pub(crate) fn is_code(error: ErrorObject<'_>, number: i64) -> bool {
    error.code().as_i64() == Some(number)
}
