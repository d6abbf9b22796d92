//! What a client has beside a session: literal bytes in, literal bytes out.

use wireline::client::{List, ListError, Listing, Pending, Turn, Update};
use wireline::json::{RawJson, from_fn};
use wireline::mcp::write::{
    Argument, CallToolParams, CompleteParams, GetPromptParams, Pairs, ReadResourceParams, Reference,
};
use wireline::session::{
    Client, Config, Ended, Event, Implementation, Memory, Options, Send, Session, SessionError,
    State,
};
use wireline::{Limits, parse};

type Host = Session<'static, Client, Memory<1, 2, 64>>;

static CONFIG: Config<'_> = Config::new(Implementation::new("c", "0"));

fn sent(send: &Send<'_>) -> String {
    let mut out = vec![0; send.len().unwrap()];
    let n = send.write(&mut out).unwrap();
    String::from_utf8(out[..n].to_vec()).unwrap()
}

/// Feeds a line, and looks at its event.
fn feed<T>(session: &mut Host, line: &str, look: impl FnOnce(&Event<'_>) -> T) -> T {
    let step = session.receive(&parse(line.as_bytes(), &Limits::HOST), 0);
    assert!(step.broken.is_empty(), "{line}: {:?}", step.broken);
    look(&step.event)
}

const ALL: &str = r#"{"tools":{},"resources":{},"prompts":{},"completions":{}}"#;

/// A session of the legacy era with a server that can do this.
fn legacy(capabilities: &str) -> Host {
    use wireline::mcp::Revisions;
    static LEGACY: Config<'_> =
        Config::new(Implementation::new("c", "0")).with_revisions(Revisions::LEGACY);
    let mut session = Session::new(&LEGACY, Memory::new());
    session.connect(0).unwrap();
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{{"name":"s","version":"0"}}}}}}"#
    );
    feed(&mut session, &line, |_| {});
    assert!(matches!(session.state(), State::Ready(_)));
    session
}

/// A session of the modern era.
fn modern() -> Host {
    let mut session = Session::new(&CONFIG, Memory::new());
    session.connect(0).unwrap();
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{ALL},"ttlMs":0,"cacheScope":"private"}}}}"#
    );
    feed(&mut session, &line, |_| {});
    assert!(matches!(session.state(), State::Ready(_)));
    session
}

/// The result of a list.
fn page(id: u32, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// What a turn says, for comparing.
fn told(turn: Option<Turn<'_>>) -> String {
    match turn {
        Some(Turn::Page { entries, last, .. }) => {
            let names: Vec<String> = entries.map(|it| it.to_string()).collect();
            format!("{} {}", names.join(","), if last { "last" } else { "more" })
        }
        Some(Turn::Failed(ListError::Ended(why))) => format!("ended: {}", why.name()),
        Some(Turn::Failed(why)) => format!("{why:?}"),
        Some(other) => format!("{other:?}"),
        None => "not ours".into(),
    }
}

fn next<const N: usize>(listing: &mut Listing<N>, session: &mut Host) -> String {
    match listing.next(session, 0).unwrap() {
        Some(send) => sent(&send),
        None => String::new(),
    }
}

/// Shows R123.
#[test]
fn a_list_is_fetched_to_its_end() {
    for (list, method, key) in [
        (List::Tools, "tools/list", "tools"),
        (List::Resources, "resources/list", "resources"),
        (
            List::ResourceTemplates,
            "resources/templates/list",
            "resourceTemplates",
        ),
        (List::Prompts, "prompts/list", "prompts"),
    ] {
        let mut session = legacy(ALL);
        let mut listing = Listing::<16>::new(list);
        assert_eq!(
            (listing.list().method().name(), listing.list().key()),
            (method, key)
        );
        assert_eq!(
            next(&mut listing, &mut session),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\"}}\n"),
        );
        assert!(listing.handle().is_some());
        // One page at a time.
        assert_eq!(next(&mut listing, &mut session), "");
        let line = page(1, &format!(r#"{{"{key}":[1,2],"nextCursor":"\u0061\/b"}}"#));
        let turn = feed(&mut session, &line, |event| told(listing.take(event)));
        assert_eq!(turn, "1,2 more");
        // A cursor goes back as it came.
        assert_eq!(
            next(&mut listing, &mut session),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"{method}\",\"params\":{{\"cursor\":\"\\u0061\\/b\"}}}}\n"
            ),
        );
        let line = page(2, &format!(r#"{{"{key}":[]}}"#));
        let turn = feed(&mut session, &line, |event| told(listing.take(event)));
        assert_eq!(turn, " last");
        assert!(listing.is_over());
        assert_eq!(next(&mut listing, &mut session), "");
    }
}

/// Shows R124: an empty cursor is a cursor. In the modern era, `_meta` goes with it.
#[test]
fn an_empty_cursor_is_not_the_end() {
    let mut session = modern();
    let mut listing = Listing::<0>::new(List::Tools);
    next(&mut listing, &mut session);
    let line = page(
        1,
        r#"{"resultType":"complete","tools":[1],"nextCursor":"","ttlMs":0,"cacheScope":"private"}"#,
    );
    let turn = feed(&mut session, &line, |event| told(listing.take(event)));
    assert_eq!(turn, "1 more");
    assert_eq!(
        next(&mut listing, &mut session),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"0\"}},\"cursor\":\"\"}}\n",
    );
}

/// Feeds pages with these cursors until something else than a page comes.
fn run(mut listing: Listing<8>, cursors: &mut dyn Iterator<Item = String>) -> (usize, String) {
    let mut session = legacy(ALL);
    let mut pages = 0;
    for (id, cursor) in (1..).zip(cursors) {
        assert!(!next(&mut listing, &mut session).is_empty());
        let line = page(id, &format!(r#"{{"tools":[],"nextCursor":"{cursor}"}}"#));
        let turn = feed(&mut session, &line, |event| told(listing.take(event)));
        if turn != " more" {
            assert!(listing.is_over());
            return (pages, turn);
        }
        pages += 1;
    }
    (pages, "no end".into())
}

#[test]
fn a_list_that_does_not_end_is_given_up() {
    let new = || Listing::new(List::Tools);
    // The same cursor again; circles of any length, before which there may be other pages.
    let (pages, why) = run(new(), &mut std::iter::repeat("x".into()));
    assert_eq!((pages, &*why), (1, "RepeatedCursor"));
    for (before, circle) in [(0, 2), (1, 3), (5, 7), (40, 100)] {
        let mut cursors = (0..before)
            .map(|it| format!("b{it}"))
            .chain((0..circle).map(|it| format!("c{it}")).cycle());
        let (pages, why) = run(new(), &mut cursors);
        assert_eq!(why, "RepeatedCursor", "{before} {circle}");
        assert!(pages <= 4 * (before + circle), "{pages}");
    }
    // Ever new ones.
    let mut cursors = (0..).map(|it| it.to_string());
    assert_eq!(run(new(), &mut cursors), (999, "TooManyPages".into()));
    let mut cursors = (0..).map(|it| it.to_string());
    assert_eq!(
        run(new().with_max_pages(3), &mut cursors),
        (2, "TooManyPages".into())
    );
    let mut cursors = ["12345678", "123456789"].map(String::from).into_iter();
    assert_eq!(run(new(), &mut cursors), (1, "CursorTooLong".into()));
}

#[test]
fn different_cursors_do_not_count_as_repeated() {
    let mut cursors = ["a", "\\u0062", "ab", "ba", ""]
        .map(String::from)
        .into_iter();
    assert_eq!(
        run(Listing::new(List::Tools), &mut cursors),
        (5, "no end".into())
    );
    // The same one with other escapes does.
    let mut cursors = ["a", "\\u0061"].map(String::from).into_iter();
    assert_eq!(
        run(Listing::new(List::Tools), &mut cursors),
        (1, "RepeatedCursor".into())
    );
}

#[test]
fn an_answer_that_is_no_page_ends_the_list() {
    for (result, why) in [
        (r#"{}"#, "BadPage"),
        (r#"{"tools":{}}"#, "BadPage"),
        (r#"{"tools":null}"#, "BadPage"),
        (r#"{"tools":[],"nextCursor":3}"#, "BadPage"),
        (r#"{"tools":[],"nextCursor":null}"#, " last"),
    ] {
        let mut session = legacy(ALL);
        let mut listing = Listing::<8>::new(List::Tools);
        next(&mut listing, &mut session);
        let line = page(1, result);
        let step = session.receive(&parse(line.as_bytes(), &Limits::HOST), 0);
        assert_eq!(told(listing.take(&step.event)), why, "{result}");
        assert!(listing.is_over());
    }
}

#[test]
fn a_cursor_that_the_server_forgot_begins_the_list_again_once() {
    let mut session = legacy(ALL);
    let mut listing = Listing::<8>::new(List::Tools);
    let mut id = 0;
    let mut turn = |listing: &mut Listing<8>, answer: &str| {
        let asked = next(listing, &mut session);
        id += 1;
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#);
        let turn = feed(&mut session, &line, |event| told(listing.take(event)));
        (asked.contains("cursor"), turn)
    };
    let first = r#""result":{"tools":[1],"nextCursor":"a"}"#;
    let forgot = r#""error":{"code":-32602,"message":"Invalid cursor"}"#;
    assert_eq!(turn(&mut listing, first), (false, "1 more".into()));
    assert_eq!(turn(&mut listing, forgot), (true, "Restart".into()));
    assert_eq!(turn(&mut listing, first), (false, "1 more".into()));
    assert_eq!(turn(&mut listing, forgot), (true, "ended: error".into()));
    assert!(listing.is_over());
}

/// B116: no request for what the server has not declared, and -32601 is an empty list.
#[test]
fn b116_a_list_that_is_not_there_is_empty() {
    let mut session = legacy(r#"{"tools":{}}"#);
    let mut listing = Listing::<8>::new(List::Prompts);
    assert!(matches!(
        listing.next(&mut session, 0),
        Err(SessionError::Gate(_))
    ));
    let mut session = legacy(ALL);
    next(&mut listing, &mut session);
    let line = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"error"}}"#;
    let turn = feed(&mut session, line, |event| told(listing.take(event)));
    assert_eq!(turn, "Absent");
    assert!(matches!(session.state(), State::Ready(_)));
    assert!(listing.is_over());
}

#[test]
fn two_lists_and_a_call_go_on_at_once() {
    let mut session = legacy(ALL);
    let mut tools = Listing::<8>::new(List::Tools);
    let mut prompts = Listing::<8>::new(List::Prompts);
    next(&mut tools, &mut session);
    next(&mut prompts, &mut session);
    // No slot is left; nothing has changed.
    let mut third = Listing::<8>::new(List::Resources);
    assert!(matches!(
        third.next(&mut session, 0),
        Err(SessionError::TableFull)
    ));
    assert!(third.handle().is_none() && !third.is_over());
    let line = page(2, r#"{"prompts":["p"]}"#);
    feed(&mut session, &line, |event| {
        assert_eq!(told(tools.take(event)), "not ours");
        assert_eq!(told(prompts.take(event)), "\"p\" last");
    });
    assert!(next(&mut third, &mut session).contains("resources/list"));
    let line = page(1, r#"{"tools":["t"]}"#);
    let turn = feed(&mut session, &line, |event| told(tools.take(event)));
    assert_eq!(turn, "\"t\" last");
}

#[test]
fn a_listing_ends_with_its_connection() {
    let mut session = legacy(ALL);
    let mut listing = Listing::<8>::new(List::Tools);
    next(&mut listing, &mut session);
    let step = session.close().unwrap();
    assert_eq!(told(listing.take(&step.event)), "ended: closed");
}

/// What an update says, for comparing.
fn update<V: std::fmt::Debug>(update: Option<Update<'_, V>>) -> String {
    match update {
        Some(Update::Progress(it)) => format!("progress {}", it.progress().unwrap().as_str()),
        Some(Update::Result(view)) => format!("{view:?}"),
        Some(Update::Error(error)) => format!("error {}", error.code().as_str()),
        Some(Update::BadResult(bad, _)) => bad.to_string(),
        Some(Update::Ended(why)) => why.name().into(),
        Some(other) => format!("{other:?}"),
        None => "not ours".into(),
    }
}

#[test]
fn a_call_gets_on_and_has_its_result() {
    let mut session = legacy(ALL);
    let arguments = from_fn(|w| {
        w.begin_object().member("on", &true).end_object();
    });
    let params = CallToolParams::new("led_set").arguments(&arguments);
    let options = Options::new().with_progress();
    let (call, send) = session.call(&params, options, 0).unwrap();
    assert_eq!(
        sent(&send),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":1},\"name\":\"led_set\",\"arguments\":{\"on\":true}}}\n",
    );
    for value in ["1", "2.5"] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{value},"total":3}}}}"#
        );
        feed(&mut session, &line, |event| {
            let it = call.take(event).unwrap();
            assert!(!it.is_last());
            assert_eq!(update(Some(it)), format!("progress {value}"));
        });
    }
    let line = page(
        1,
        r#"{"content":[{"type":"text","text":"on"}],"isError":false}"#,
    );
    feed(&mut session, &line, |event| {
        let Some(Update::Result(result)) = call.take(event) else {
            panic!("{event:?}")
        };
        assert!(!result.is_error());
        assert_eq!(result.content().next().unwrap().as_text().unwrap(), "on");
    });
}

/// The first line that a request sends, and the last that is said of it.
macro_rules! ends {
    ($session:expr, $params:expr, $answer:expr) => {{
        let (mut session, params) = ($session, $params);
        let (pending, send) = session.call(&params, Options::new(), 0).unwrap();
        let line = sent(&send);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,{}}}"#, $answer);
        let step = session.receive(&parse(answer.as_bytes(), &Limits::HOST), 0);
        let last = pending
            .take(&step.event)
            .unwrap_or_else(|| panic!("{answer} {:?}", step.event));
        assert!(last.is_last());
        (line, update(Some(last)))
    }};
}

#[test]
fn reads_gets_and_completes() {
    let (line, last) = ends!(
        legacy(ALL),
        ReadResourceParams::new("x:a"),
        r#""result":{"contents":[]}"#
    );
    assert_eq!(
        line,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"x:a\"}}\n",
    );
    assert_eq!(last, r#"ReadResourceResult({"contents":[]})"#);
    let arguments = Pairs(&[("pin", "3")]);
    let (line, last) = ends!(
        legacy(ALL),
        GetPromptParams::new("explain").arguments(&arguments),
        r#""error":{"code":-32602,"message":"no"}"#
    );
    assert_eq!(
        line,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"explain\",\"arguments\":{\"pin\":\"3\"}}}\n",
    );
    assert_eq!(last, "error -32602");
    let (line, last) = ends!(
        legacy(ALL),
        CompleteParams::new(
            Reference::Prompt("explain".into()),
            Argument::new("pin", "")
        ),
        r#""result":{"completion":7}"#
    );
    assert_eq!(
        line,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"explain\"},\"argument\":{\"name\":\"pin\",\"value\":\"\"}}}\n",
    );
    assert_eq!(last, "`completion` is not an object");
    let (_, last) = ends!(legacy(ALL), CallToolParams::new("t"), r#""result":{}"#);
    assert_eq!(last, "`content` is missing");
}

/// B160: cancelling a call says so and no more; the next one works.
#[test]
fn b160_a_call_is_cancelled_and_the_session_goes_on() {
    let mut session = legacy(ALL);
    let params = CallToolParams::new("sleep");
    let (call, _) = session.call(&params, Options::new(), 0).unwrap();
    let step = session.cancel(call.handle(), None).unwrap();
    assert_eq!(
        sent(&step.send),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n",
    );
    let last = call.take(&step.event).unwrap();
    assert!(matches!(last, Update::Ended(Ended::Cancelled)));
    let (pending, _) = session.call(&params, Options::new(), 0).unwrap();
    let line = page(2, r#"{"content":[]}"#);
    feed(&mut session, &line, |event| {
        assert!(call.take(event).is_none());
        assert!(matches!(pending.take(event), Some(Update::Result(_))));
    });
}

#[test]
fn a_call_is_retried_with_the_input_it_asked_for() {
    let mut session = modern();
    let params = CallToolParams::new("t");
    let (call, _): (Pending<CallToolParams<'_>>, _) =
        session.call(&params, Options::new(), 0).unwrap();
    let line = page(
        1,
        r#"{"resultType":"input_required","requestState":"s\/1"}"#,
    );
    let message = parse(line.as_bytes(), &Limits::HOST);
    let step = session.receive(&message, 0);
    let Some(Update::InputRequired(wants)) = call.take(&step.event) else {
        panic!("{:?}", step.event)
    };
    let answers = RawJson::EMPTY_OBJECT;
    let state = wants.request_state();
    let options = Options::new();
    let send = session.retry(call.handle(), &params, answers, state, options, 0);
    let line = sent(&send.unwrap());
    assert!(
        line.starts_with("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\""),
        "{line}"
    );
    assert!(
        line.ends_with("\"name\":\"t\",\"inputResponses\":{},\"requestState\":\"s\\/1\"}}\n"),
        "{line}"
    );
    let line = page(2, r#"{"resultType":"complete","content":[]}"#);
    let last = feed(&mut session, &line, |event| {
        call.take(event).unwrap().is_last()
    });
    assert!(last);
}
