//! What a monitor forgets, and that it accuses nobody then.

use wireline::Rule;
use wireline::mcp::{Capability, Revision, Side};
use wireline::monitor::{Monitor, MonitorSlots, Phase};

use super::{D, discovered, opened, watch};

fn ping(id: usize) -> String {
    format!("> {{@J,\"id\":{id},\"method\":\"ping\"}}\n")
}

fn pong(id: usize) -> String {
    format!("< {{@J,\"id\":{id},\"result\":{{}}}}\n")
}

#[test]
fn a_full_table_is_said_and_accuses_nobody() {
    let mut monitor = Monitor::new(MonitorSlots::<3, 0, 120>::new());
    let told = watch(&mut monitor, &opened(D, "{}", "{}"));
    assert!(
        told.iter()
            .all(|(_, finding)| finding.violations.is_empty() && !finding.lost_track)
    );
    let mut session: String = (1..=4).map(ping).collect();
    session.extend((1..=4).map(pong));
    session.push_str("< {@J,\"id\":99,\"result\":{}}\n>.\n<.");
    let told = watch(&mut monitor, &session);
    assert!(
        told.iter()
            .all(|(_, finding)| finding.violations.is_empty()),
        "{told:?}"
    );
    let lost: Vec<_> = told
        .iter()
        .filter(|it| it.1.lost_track)
        .map(|it| it.0)
        .collect();
    assert_eq!(lost, [4, 5, 6, 7, 8, 9]);
    assert_eq!(monitor.tally().untracked, 1);
    // What it still knows it still judges.
    let told = watch(
        &mut monitor,
        &format!("{}{}", ping(10), pong(10).replace("{}", "{\"a\":1}")),
    );
    assert!(told[1].1.violations.contains(Rule::R61));
    assert_eq!(told[1].1.request.unwrap().at, 1);
    assert_eq!(told[1].1.request.unwrap().from, Side::Client);
}

#[test]
fn slots_are_used_again() {
    let mut monitor = Monitor::new(MonitorSlots::<2, 0, 80>::new());
    watch(&mut monitor, &opened(D, "{}", "{}"));
    for id in 1..1000 {
        let told = watch(&mut monitor, &format!("{}{}", ping(id), pong(id)));
        assert!(
            told.iter()
                .all(|(_, finding)| finding.violations.is_empty())
        );
    }
    assert!(!monitor.lost_track());
    // One that is remembered is a second answer, one that is not is one to nothing.
    assert!(
        watch(&mut monitor, &pong(999))[0]
            .1
            .violations
            .contains(Rule::R28)
    );
    assert!(
        watch(&mut monitor, &pong(5))[0]
            .1
            .violations
            .contains(Rule::R18)
    );
    // A cancellation of one that is forgotten may cross its answer; one of what was never
    // asked crosses nothing.
    let mut cancel = |id: &str| {
        let text = format!(
            "> {{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id}}}}}"
        );
        watch(&mut monitor, &text)[0].1.violations
    };
    assert!(cancel("5").is_empty());
    assert!(cancel("1000").contains(Rule::R107));
}

#[test]
fn an_id_that_does_not_fit_is_not_tracked() {
    let mut monitor = Monitor::new(MonitorSlots::<2, 0, 16>::new());
    let long = "> {@J,\"id\":\"0123456789\",\"method\":\"ping\"}\n< {@J,\"id\":\"0123456789\",\"result\":{}}";
    let told = watch(&mut monitor, long);
    assert!(told[0].1.lost_track && told[1].1.violations.is_empty());
    // Nor is progress that does not fit; it is not judged until it does.
    let mut monitor = Monitor::new(MonitorSlots::<1, 0, 4>::new());
    let session =
        "> {@J,\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":{\"progressToken\":1}}}\n";
    let told = |value: &str| {
        format!(
            "< {{@J,\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":1,\"progress\":{value}}}}}\n"
        )
    };
    let session = format!(
        "{session}{}{}{}{}",
        told("5"),
        told("1000"),
        told("7"),
        told("7")
    );
    let found = watch(&mut monitor, &session);
    let broken: Vec<_> = found
        .iter()
        .filter(|it| !it.1.violations.is_empty())
        .map(|it| it.0)
        .collect();
    assert_eq!(broken, [5]);
}

#[test]
fn no_slots_at_all() {
    let mut monitor = Monitor::new(MonitorSlots::<0, 0, 0>::new());
    let told = watch(
        &mut monitor,
        &format!("{}\n{}{}\n>.\n<.", opened(D, "{}", "{}"), ping(1), pong(1)),
    );
    assert!(
        told.iter()
            .all(|(_, finding)| finding.violations.is_empty() && finding.lost_track)
    );
    assert!(
        watch(&mut monitor, "< hello")[0]
            .1
            .violations
            .contains(Rule::R3)
    );
}

#[test]
fn what_is_missing_is_held_against_nobody() {
    let mut slots = MonitorSlots::<8, 0, 400>::new();
    let mut monitor = Monitor::new(&mut slots);
    watch(&mut monitor, &opened(D, "{}", r#"{"tools":{}}"#));
    watch(&mut monitor, &ping(1));
    monitor.gap(Side::Server);
    assert!(monitor.lost_track());
    assert_eq!(monitor.revision(), Some(Revision::V2025_11_25));
    let told = watch(&mut monitor, &format!("{}{}{}", pong(1), pong(7), ping(1)));
    assert!(
        told.iter()
            .all(|(_, finding)| finding.violations.is_empty()),
        "{told:?}"
    );
    let told = watch(&mut monitor, "> {@J,\"id\":2,\"method\":\"prompts/list\"}");
    assert!(
        told[0].1.violations.contains(Rule::R63),
        "what was agreed on stays"
    );

    for cut in 0..3 {
        let mut monitor = Monitor::new(MonitorSlots::<8, 0, 400>::new());
        let handshake = opened(D, r#"{"roots":{}}"#, r#"{"tools":{}}"#);
        for line in handshake.lines().take(cut) {
            watch(&mut monitor, line);
        }
        monitor.gap(Side::Client);
        let rest = "> {@J,\"id\":2,\"method\":\"tools/list\"}\n< {@J,\"id\":3,\"method\":\"roots/list\"}\n";
        let told = watch(&mut monitor, &format!("{}{}{rest}", ping(1), pong(1)));
        assert!(
            told.iter()
                .all(|(_, finding)| finding.violations.is_empty()),
            "{told:?}"
        );
    }
}

#[test]
fn the_state_can_be_asked_for() {
    let mut monitor = Monitor::new(MonitorSlots::<8, 0, 400>::new()).with_crossing_time(5);
    assert_eq!((monitor.phase(), monitor.revision()), (Phase::Idle, None));
    let handshake = opened(D, r#"{"roots":{}}"#, r#"{"tools":{}}"#);
    let phases = [Phase::Sent, Phase::Answered, Phase::Ready];
    for (line, phase) in handshake.lines().zip(phases) {
        watch(&mut monitor, line);
        assert_eq!(monitor.phase(), phase);
    }
    assert_eq!(monitor.revision(), Some(Revision::V2025_11_25));
    assert!(monitor.capabilities(Side::Client).has(Capability::Roots));
    assert!(monitor.capabilities(Side::Server).has(Capability::Tools));
    assert_eq!(monitor.tally().messages, 3);
    monitor.reset();
    assert_eq!((monitor.phase(), monitor.revision()), (Phase::Idle, None));
    assert_eq!(monitor.tally().messages, 3);
    watch(&mut monitor, &discovered(r#"{"prompts":{}}"#));
    assert_eq!(monitor.revision(), Some(Revision::V2026_07_28));
    assert!(monitor.capabilities(Side::Server).has(Capability::Prompts));
}
