//! What the payloads of lines are made of, and how each of them is written.

use super::config::{Cache, Config, Implementation};
use super::line::{Filter, InputRequest, Line, Progress, Reply};
use crate::encode::Payload;
use crate::json::{JsonKind, JsonStr, RawJson, ToJson, Writer};
use crate::mcp::{Capabilities, Era, LogLevel, Revision, Revisions, meta};
use crate::server::{Done, Failed};

/// Writes the members of a line's payload. There is a function for each payload, and not one
/// with a branch for each: what a program never sends is not linked into it then.
type Write = fn(&Line<'_>, &mut Writer<'_>);

/// A line's payload.
#[derive(Clone, Copy)]
pub(crate) struct Body<'p> {
    /// `None` for what the host gave, as it is.
    write: Option<Write>,
    data: Data<'p>,
}

/// What a payload is made of.
#[derive(Clone, Copy)]
enum Data<'p> {
    Payload(Payload<'p>),
    Request(Request<'p>),
    Filter(Filter<'p>),
    /// A result, and whether it says how long it may be kept.
    Result(Reply<'p>, bool),
    Input(&'p [InputRequest<'p>], Option<&'p str>),
    Text(Option<&'p str>),
    /// What a tool says, or, if it failed, what went wrong.
    Said(&'p str, bool),
    /// What can be left out is.
    Brief,
    JsonStr(Option<JsonStr<'p>>),
    Capabilities(Capabilities),
    Progress(Progress<'p>),
    Log(LogLevel, Option<&'p str>, Payload<'p>),
    /// A name, and up to two numbers.
    Details(&'static str, Long, Long),
}

/// A number of 64 bits in words: what holds it is copied in words.
#[derive(Clone, Copy)]
pub(crate) struct Long(u32, u32);

impl Long {
    pub(crate) const ZERO: Long = Long(0, 0);

    pub(crate) const fn new(value: u64) -> Self {
        Long(value.wrapping_shr(32) as u32, value as u32)
    }

    pub(crate) const fn get(self) -> u64 {
        (self.0 as u64).wrapping_shl(32) | self.1 as u64
    }
}

/// The parameters of a request.
#[derive(Clone, Copy)]
pub(crate) struct Request<'p> {
    pub(crate) payload: Payload<'p>,
    /// Members for `_meta`.
    pub(crate) meta: Payload<'p>,
    /// A progress token that equals the id.
    pub(crate) token: bool,
    pub(crate) level: Option<LogLevel>,
    /// Input that was asked for, and the state that came with it.
    pub(crate) answers: Payload<'p>,
    pub(crate) state: Option<JsonStr<'p>>,
}

impl<'p> Body<'p> {
    // Functions, and not constants, of which a chip would keep a copy each.

    /// Nothing.
    #[inline]
    pub(crate) const fn none() -> Self {
        Body::host(Payload::None)
    }

    /// The parameters of `initialize`.
    #[inline]
    pub(crate) const fn initialize() -> Self {
        Body::plain(initialize)
    }

    /// The result of `initialize`.
    #[inline]
    pub(crate) const fn initialized() -> Self {
        Body::plain(initialized)
    }

    /// The result of `server/discover`.
    #[inline]
    pub(crate) const fn discovered() -> Self {
        Body::plain(discovered)
    }

    /// An empty result of the legacy era.
    #[inline]
    pub(crate) const fn empty() -> Self {
        Body::plain(|_, _| {})
    }

    /// The result of a subscription.
    #[inline]
    pub(crate) const fn unsubscribed() -> Self {
        Body::plain(unsubscribed)
    }

    /// The parameters of a notification of a subscription.
    #[inline]
    pub(crate) const fn changed() -> Self {
        Body::plain(subscription)
    }

    const fn new(write: Write, data: Data<'p>) -> Self {
        Body {
            write: Some(write),
            data,
        }
    }

    const fn plain(write: Write) -> Self {
        Body::new(write, Data::Payload(Payload::None))
    }

    /// What the host gives.
    pub(crate) const fn host(payload: Payload<'p>) -> Self {
        Body {
            write: None,
            data: Data::Payload(payload),
        }
    }

    /// The parameters of a request, left out if there are none.
    pub(crate) fn request(request: Request<'p>, era: Era) -> Self {
        let bare = era == Era::Legacy
            && !request.token
            && [&request.payload, &request.meta]
                .iter()
                .all(|it| matches!(it, Payload::None));
        if bare {
            return Body::none();
        }
        Body::new(request_members, Data::Request(request))
    }

    /// The parameters of `subscriptions/listen`.
    pub(crate) const fn listen(filter: Filter<'p>) -> Self {
        Body::new(listen, Data::Filter(filter))
    }

    /// A result, which says how long it may be kept if it is cached.
    pub(crate) const fn result(reply: Reply<'p>, cached: bool) -> Self {
        Body::new(result, Data::Result(reply, cached))
    }

    /// The result of a tool that is nothing but a text: what it says, or, if it failed, what
    /// went wrong.
    pub(crate) const fn said(text: &'p str, failed: bool) -> Self {
        Body::new(said, Data::Said(text, failed))
    }

    /// Leaves out what may make an answer of the session's own long: what the peer wrote, of
    /// which an empty text is left where there has to be one, and our instructions.
    pub(crate) const fn shorten(&mut self) {
        match self.data {
            Data::JsonStr(_) | Data::Payload(Payload::None) => self.data = Data::Brief,
            _ => *self = Body::none(),
        }
    }

    /// Sets another result.
    pub(crate) fn set_result(&mut self, payload: Payload<'p>) {
        if let Data::Result(reply, _) = &mut self.data {
            reply.payload = payload;
            reply.result_type = None;
        }
    }

    /// A result that asks for input.
    pub(crate) const fn input(requests: &'p [InputRequest<'p>], state: Option<&'p str>) -> Self {
        Body::new(input_required, Data::Input(requests, state))
    }

    /// The parameters of `notifications/cancelled`.
    pub(crate) const fn cancelled(reason: Option<&'p str>) -> Self {
        Body::new(cancelled, Data::Text(reason))
    }

    /// The parameters of `notifications/progress`.
    pub(crate) const fn progress(progress: Progress<'p>) -> Self {
        Body::new(progress_members, Data::Progress(progress))
    }

    /// The parameters of `notifications/message`.
    pub(crate) const fn log(level: LogLevel, logger: Option<&'p str>, data: Payload<'p>) -> Self {
        Body::new(log, Data::Log(level, logger, data))
    }

    /// The parameters of `notifications/subscriptions/acknowledged`.
    pub(crate) const fn acknowledged(filter: Filter<'p>) -> Self {
        Body::new(subscription, Data::Filter(filter))
    }

    /// The parameters of `notifications/resources/updated`.
    pub(crate) const fn updated(uri: &'p str) -> Self {
        Body::new(updated, Data::Text(Some(uri)))
    }

    /// The data of -32022.
    pub(crate) const fn supported(requested: Option<JsonStr<'p>>) -> Self {
        Body::new(supported, Data::JsonStr(requested))
    }

    /// The data of -32021.
    pub(crate) const fn required(capabilities: Capabilities) -> Self {
        Body::new(required, Data::Capabilities(capabilities))
    }

    /// The data of what is over a ceiling.
    pub(crate) const fn too_long(limit: &'static str, max: u64, length: u64) -> Self {
        Body::new(
            too_long,
            Data::Details(limit, Long::new(max), Long::new(length)),
        )
    }

    /// The data of what is no valid request.
    pub(crate) const fn fault(fault: &'static str, offset: u64) -> Self {
        Body::new(
            at_fault,
            Data::Details(fault, Long::new(offset), Long::ZERO),
        )
    }

    /// The data of a full table.
    pub(crate) const fn full(limit: usize) -> Self {
        Body::new(full, Data::Details("", Long::new(limit as u64), Long::ZERO))
    }

    /// The data of wrong parameters: the member.
    pub(crate) const fn member(name: &'static str) -> Self {
        Body::new(member, Data::Details(name, Long::ZERO, Long::ZERO))
    }

    /// Writes the payload as a member of the object that is open.
    pub(crate) fn write(&self, name: &str, line: &Line<'_>, w: &mut Writer<'_>) {
        match (self.write, &self.data) {
            (Some(write), _) => {
                w.key(name).begin_object();
                write(line, w);
                w.end_object();
            }
            (None, Data::Payload(Payload::None)) => {}
            (None, Data::Payload(given)) => {
                // An error's data is any value, all else is an object.
                let object = 1u8.wrapping_shl(JsonKind::Object as u32);
                let kinds = if name == "data" { u8::MAX } else { object };
                w.key(name).payload(value(given), kinds);
            }
            _ => {}
        }
    }
}

/// A payload as a value.
fn value<'v>(payload: &'v Payload<'_>) -> &'v dyn ToJson {
    match payload {
        Payload::None => &RawJson::EMPTY_OBJECT,
        Payload::Raw(raw) => raw,
        Payload::Value(value) => *value,
    }
}

/// A payload's members, into the object that is open.
fn join(payload: &Payload<'_>, taken: &'static [&'static str], w: &mut Writer<'_>) {
    w.members(value(payload), taken);
}

const fn is_none(payload: &Payload<'_>) -> bool {
    matches!(payload, Payload::None)
}

/// A member that is an object.
fn object(name: &str, given: &Payload<'_>, w: &mut Writer<'_>) {
    let kinds = 1u8.wrapping_shl(JsonKind::Object as u32);
    w.key(name).payload(value(given), kinds);
}

/// A member that is a string.
fn text(name: &str, text: &str, w: &mut Writer<'_>) {
    w.key(name).string(text);
}

/// A member that is a string, if there is one.
fn optional(name: &str, given: Option<&str>, w: &mut Writer<'_>) {
    if let Some(given) = given {
        text(name, given, w);
    }
}

/// A member that is a number.
fn number(name: &str, number: u64, w: &mut Writer<'_>) {
    w.key(name).uint(number);
}

fn info(name: &str, info: &Implementation<'_>, w: &mut Writer<'_>) {
    w.key(name).begin_object();
    text("name", info.name, w);
    text("version", info.version, w);
    optional("title", info.title, w);
    w.end_object();
}

fn capabilities(name: &str, config: &Config<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.key(name).begin_object();
    config.offered(revision).write_members(w);
    if let Some(extra) = &config.extra_capabilities {
        w.members(extra, &[]);
    }
    w.end_object();
}

fn cache(cache: Cache, w: &mut Writer<'_>) {
    number("ttlMs", u64::from(cache.ttl_ms), w);
    text("cacheScope", cache.scope.name(), w);
}

fn revisions(name: &str, revisions: Revisions, w: &mut Writer<'_>) {
    w.key(name).begin_array();
    for revision in revisions.iter() {
        w.string(revision.name());
    }
    w.end_array();
}

/// `_meta` with the id of a subscription.
fn subscription_meta(line: &Line<'_>, w: &mut Writer<'_>) {
    w.key("_meta").begin_object().key(meta::SUBSCRIPTION_ID);
    line.id.put(w);
    w.end_object();
}

/// What every result of the modern era begins with.
fn complete(line: &Line<'_>, kind: &str, more: &Payload<'_>, ends: bool, w: &mut Writer<'_>) {
    text("resultType", kind, w);
    w.key("_meta").begin_object();
    if let Some(config) = line.config {
        info(meta::SERVER_INFO, &config.info, w);
    }
    if ends {
        w.key(meta::SUBSCRIPTION_ID);
        line.id.put(w);
    }
    join(more, &[meta::SERVER_INFO, meta::SUBSCRIPTION_ID], w);
    w.end_object();
}

/// What every request of the modern era says of its client.
fn client_meta(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Some(config) = line.config {
        text(meta::PROTOCOL_VERSION, line.revision.name(), w);
        capabilities(meta::CLIENT_CAPABILITIES, config, line.revision, w);
        info(meta::CLIENT_INFO, &config.info, w);
    }
}

fn request_members(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Request(request) = &line.body.data else {
        return;
    };
    let modern = line.revision.era() == Era::Modern;
    if modern || request.token || !is_none(&request.meta) {
        w.key("_meta").begin_object();
        if modern {
            client_meta(line, w);
            optional(meta::LOG_LEVEL, request.level.map(LogLevel::name), w);
        }
        if request.token {
            w.key(meta::PROGRESS_TOKEN);
            line.id.put(w);
        }
        join(
            &request.meta,
            &[
                meta::PROTOCOL_VERSION,
                meta::CLIENT_CAPABILITIES,
                meta::CLIENT_INFO,
                meta::LOG_LEVEL,
                meta::PROGRESS_TOKEN,
            ],
            w,
        );
        w.end_object();
    }
    let taken = &["_meta", "inputResponses", "requestState"];
    join(&request.payload, taken, w);
    if !is_none(&request.answers) {
        object("inputResponses", &request.answers, w);
    }
    if let Some(state) = request.state {
        w.key("requestState").json_str(state);
    }
}

fn listen(line: &Line<'_>, w: &mut Writer<'_>) {
    w.key("_meta").begin_object();
    client_meta(line, w);
    w.end_object();
    notifications(line, w);
}

/// What a subscription covers.
fn notifications(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Filter(filter) = &line.body.data {
        w.key("notifications");
        filter.write_json(w);
    }
}

/// `protocolVersion`, capabilities, and who we are.
fn introduction(who: &str, line: &Line<'_>, w: &mut Writer<'_>) {
    text("protocolVersion", line.revision.name(), w);
    if let Some(config) = line.config {
        capabilities("capabilities", config, line.revision, w);
        info(who, &config.info, w);
    }
}

fn initialize(line: &Line<'_>, w: &mut Writer<'_>) {
    introduction("clientInfo", line, w);
}

fn initialized(line: &Line<'_>, w: &mut Writer<'_>) {
    introduction("serverInfo", line, w);
    instructions(line, w);
}

fn instructions(line: &Line<'_>, w: &mut Writer<'_>) {
    let config = line
        .config
        .filter(|_| !matches!(line.body.data, Data::Brief));
    optional(
        "instructions",
        config.and_then(|config| config.instructions),
        w,
    );
}

fn discovered(line: &Line<'_>, w: &mut Writer<'_>) {
    complete(line, "complete", &Payload::None, false, w);
    if let Some(config) = line.config {
        let modern = config.revisions.and(Revisions::MODERN);
        revisions("supportedVersions", modern, w);
        capabilities("capabilities", config, line.revision, w);
        instructions(line, w);
        cache(config.cache, w);
    }
}

fn result(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Result(reply, cached) = &line.body.data else {
        return;
    };
    if line.revision.era() == Era::Legacy {
        if !is_none(&reply.meta) {
            object("_meta", &reply.meta, w);
        }
        join(&reply.payload, &["_meta"], w);
        return;
    }
    let kind = reply.result_type.unwrap_or("complete");
    complete(line, kind, &reply.meta, false, w);
    let taken = &["_meta", "resultType", "ttlMs", "cacheScope"];
    join(&reply.payload, taken, w);
    if let (true, Some(config)) = (*cached, line.config) {
        cache(reply.cache.unwrap_or(config.cache), w);
    }
}

fn said(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Said(text, failed) = &line.body.data else {
        return;
    };
    if line.revision.era() == Era::Modern {
        complete(line, "complete", &Payload::None, false, w);
    }
    match failed {
        true => w.members(&Failed(*text), &[]),
        false => w.members(&Done(*text), &[]),
    };
}

fn unsubscribed(line: &Line<'_>, w: &mut Writer<'_>) {
    complete(line, "complete", &Payload::None, true, w);
}

fn input_required(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Input(requests, state) = line.body.data else {
        return;
    };
    complete(line, "input_required", &Payload::None, false, w);
    if !requests.is_empty() {
        w.key("inputRequests").begin_object();
        for request in requests {
            w.key(request.key).begin_object();
            text("method", request.method.name(), w);
            object("params", &request.params, w);
            w.end_object();
        }
        w.end_object();
    }
    optional("requestState", state, w);
}

fn cancelled(line: &Line<'_>, w: &mut Writer<'_>) {
    w.key("requestId");
    line.id.put(w);
    if let Data::Text(reason) = line.body.data {
        optional("reason", reason, w);
    }
}

fn progress_members(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Progress(progress) = &line.body.data else {
        return;
    };
    w.key("progressToken");
    line.id.put(w);
    let number = JsonKind::Number;
    w.key("progress").copy(number, progress.progress.as_bytes());
    if let Some(total) = progress.total {
        w.key("total").copy(number, total.as_bytes());
    }
    // 2024-11-05 does not know it.
    let message = progress.message;
    let known = line.revision != Revision::V2024_11_05;
    optional("message", message.filter(|_| known), w);
}

fn log(line: &Line<'_>, w: &mut Writer<'_>) {
    let Data::Log(level, logger, data) = &line.body.data else {
        return;
    };
    text("level", level.name(), w);
    optional("logger", *logger, w);
    w.key("data");
    match data {
        Payload::None => {
            w.null();
        }
        data => value(data).write_json(w),
    }
}

fn subscription(line: &Line<'_>, w: &mut Writer<'_>) {
    subscription_meta(line, w);
    notifications(line, w);
}

fn updated(line: &Line<'_>, w: &mut Writer<'_>) {
    if line.revision.era() == Era::Modern {
        subscription_meta(line, w);
    }
    if let Data::Text(uri) = line.body.data {
        optional("uri", uri, w);
    }
}

fn supported(line: &Line<'_>, w: &mut Writer<'_>) {
    // As `server/discover` has it: what can be asked for by `_meta`.
    let ours = line.config.map_or(Revisions::NONE, |it| it.revisions);
    revisions("supported", ours.and(Revisions::MODERN), w);
    // It is required, whether something was asked for and can be repeated or not.
    w.key("requested");
    match line.body.data {
        Data::JsonStr(Some(requested)) => w.json_str(requested),
        _ => w.string(""),
    };
}

fn required(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Capabilities(required) = line.body.data {
        w.key("requiredCapabilities");
        required.write_json(w);
    }
}

fn too_long(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Details(limit, max, length) = line.body.data {
        text("limit", limit, w);
        number("max", max.get(), w);
        number("length", length.get(), w);
    }
}

fn at_fault(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Details(fault, offset, _) = line.body.data {
        text("fault", fault, w);
        number("offset", offset.get(), w);
    }
}

fn full(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Details(_, limit, _) = line.body.data {
        number("limit", limit.get(), w);
    }
}

fn member(line: &Line<'_>, w: &mut Writer<'_>) {
    if let Data::Details(name, ..) = line.body.data {
        text("member", name, w);
    }
}
