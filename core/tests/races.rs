//! Races that the model and the simulation found, in the fewest lines that show them.

use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Revision, Revisions};
use wireline::session::{
    Client, Config, Event, Filter, Ignored, Implementation, Memory, Options, Server, Session, Step,
};
use wireline::{Limits, parse};

static MODERN: Config<'static> = Config::new(Implementation::new("c", "1"))
    .with_revisions(Revisions::MODERN)
    .with_timeouts(1_000, 5_000);

fn modern_client() -> Session<'static, Client, Memory<1, 2, 64>> {
    let mut session = Session::new(&MODERN, Memory::new());
    let tools = Capabilities::NONE.with(Capability::Tools);
    session.assume(Revision::V2026_07_28, tools).unwrap();
    session
}

fn take<'m>(session: &mut Session<'static, Client, Memory<1, 2, 64>>, line: &'m str) -> Step<'m> {
    session.receive(&parse(line.as_bytes(), &Limits::HOST), 0)
}

#[test]
fn progress_after_a_demand_for_input_starts_no_clock() {
    let mut session = modern_client();
    let params = RawJson::validate(br#"{"name":"t"}"#).unwrap();
    let options = Options::new().with_progress();
    session.request("tools/call", params, options, 0).unwrap();
    let asks =
        r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","requestState":"s"}}"#;
    let step = take(&mut session, asks);
    assert!(matches!(step.event, Event::InputRequired { .. }));
    assert_eq!(session.poll_timeout(), None);
    let late = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}}"#;
    let step = take(&mut session, late);
    assert!(matches!(step.event, Event::Ignored(Ignored::UnknownTarget)));
    assert!(step.broken.is_empty());
    assert_eq!(
        session.poll_timeout(),
        None,
        "the host gathers input, in its own time"
    );
}

#[test]
fn nothing_is_asked_or_told_after_the_end() {
    let mut session = modern_client();
    while session.close().is_some() {}
    assert!(session.listen(Filter::default(), 0).is_err());
    assert!(session.notify("custom/x", None).is_err());
    assert_eq!(session.in_flight(), (0, 0));

    static LEGACY: Config<'static> =
        Config::new(Implementation::new("s", "1")).with_revisions(Revisions::LEGACY);
    let mut session: Session<Server, Memory<1, 1, 64>> = Session::new(&LEGACY, Memory::new());
    while session.close().is_some() {}
    assert!(session.ping(0).is_err());
    assert_eq!(session.in_flight(), (0, 0));
}

#[test]
fn never_does_not_come_at_the_last_millisecond() {
    let mut session = modern_client();
    let options = Options::new().with_timeouts(0, 0);
    session.request("custom/x", None, options, 0).unwrap();
    assert_eq!(session.poll_timeout(), None);
    assert!(session.expire(u64::MAX).is_none());
}
