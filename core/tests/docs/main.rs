//! `docs/rules.md`, `docs/transitions.md` and the tests that `docs/decisions.md` names follow
//! from tables and from the names of tests. `WIRELINE_WRITE=1` writes them anew.
//!
//! What has to be shown by a test and is not yet stands in `pending.txt`, which only shrinks.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]
#![allow(unreachable_pub, reason = "the modules are this program's own")]

mod evidence;
mod handling;
mod transitions;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use evidence::{Evidence, GROUPS, Shown, collect, mark, root, tests};
use handling::{Handling, SECTIONS, handling};
use transitions::{DIAGRAMS, MACHINES, Row};
use wireline::mcp::{Revision, Side};
use wireline::{FaultKind, Level, Limits, Rule, Violations, parse};

const AGAIN: &str = "WIRELINE_WRITE=1 cargo test -p wireline --test docs";

fn writing() -> bool {
    std::env::var_os("WIRELINE_WRITE").is_some()
}

/// Holds what stands between two comments of a document against what should stand there.
fn check(document: &str, section: &str, new: impl FnOnce(&str) -> String) {
    let path = root().join("docs").join(document);
    let text = fs::read_to_string(&path).expect("the document");
    let begin = format!("<!-- {section}:begin -->\n");
    let end = format!("<!-- {section}:end -->");
    let (head, rest) = text.split_once(&begin).expect("the section's begin");
    let (old, tail) = rest.split_once(&end).expect("the section's end");
    let new = new(old);
    if old == new {
        return;
    }
    assert!(writing(), "docs/{document} is not current: {AGAIN}");
    fs::write(&path, format!("{head}{begin}{new}{end}{tail}")).expect("the document, written");
}

fn cell(evidence: &Evidence, mark: &str) -> String {
    evidence.get(mark).map(Shown::cell).unwrap_or_default()
}

fn revisions(rule: Rule) -> String {
    let all: Vec<_> = rule.revisions().iter().collect();
    let (first, last) = (all[0], all[all.len() - 1]);
    match (
        first == Revision::ALL[0],
        Some(&last) == Revision::ALL.last(),
    ) {
        (true, true) => "all".into(),
        (true, false) if first == last => first.name().into(),
        (true, false) => format!("to {last}"),
        (false, true) => format!("{first} on"),
        (false, false) if first == last => first.name().into(),
        (false, false) => format!("{first} to {last}"),
    }
}

fn level(rule: Rule) -> String {
    let strictest = rule.level();
    let strict = |it: &Revision| rule.level_in(*it) == Some(strictest);
    let first = rule.revisions().iter().next().expect("a revision");
    match Revision::ALL.iter().find(|it| strict(it)) {
        Some(since) if *since != first => {
            let softer = rule.level_in(first).map_or("", Level::name);
            format!("{softer}, {} from {since} on", strictest.name())
        }
        _ => strictest.name().into(),
    }
}

fn rules(evidence: &Evidence) -> String {
    let mut text = String::from("\n");
    let mut counts = [0usize; 6];
    let kinds = [
        "enforced, detected, or both",
        "monitor",
        "host",
        "HTTP, not yet",
        "outside",
        "with a test or a vector",
    ];
    let mut table = String::new();
    let mut rows = Rule::all().peekable();
    for (title, last) in SECTIONS {
        write!(
            table,
            "## {title}\n\n| rule | level | revisions | whose | duty | handled | shown by |\n|---|---|---|---|---|---|---|\n"
        )
        .unwrap();
        while let Some(rule) = rows.next_if(|rule| rule.number() <= *last) {
            let handled = handling(rule);
            counts[match handled {
                Handling::Enforced | Handling::Detected | Handling::Both | Handling::Watched => 0,
                Handling::Monitor => 1,
                Handling::Host(_) => 2,
                Handling::Http => 3,
                Handling::Outside(_) => 4,
            }] += 1;
            let shown = cell(evidence, &rule.to_string());
            counts[5] += usize::from(!shown.is_empty());
            writeln!(
                table,
                "| {rule} | {} | {} | {} | {} | {} | {shown} |",
                level(rule),
                revisions(rule),
                rule.who().name(),
                rule.text(),
                handled.cell(),
            )
            .unwrap();
        }
        table.push('\n');
    }
    assert!(rows.next().is_none(), "a rule is in no section");
    text.push_str("| handled | rules |\n|---|---:|\n");
    for (kind, count) in kinds.iter().zip(counts) {
        writeln!(text, "| {kind} | {count} |").unwrap();
    }
    text.push('\n');
    text + &table
}

/// A line for each kind of fault that a rule may forbid, and for each of its rows.
const FAULTS: &[(FaultKind, &str)] = &[
    (FaultKind::NotJson, "Listening on 3000"),
    (FaultKind::Syntax, r#"{"jsonrpc":"2.0",}"#),
    (FaultKind::Utf8, "{\"jsonrpc\":\"\u{7f}\"}"),
    (FaultKind::Cut, r#"{"jsonrpc":"2.0""#),
    (FaultKind::Trailing, r#"{"jsonrpc":"2.0","method":"x"} {}"#),
    (FaultKind::TooLong, ""),
    (FaultKind::TooDeep, ""),
    (FaultKind::IdTooLong, ""),
    (FaultKind::MethodTooLong, ""),
    (FaultKind::NotObject, "7"),
    (FaultKind::BadVersion, r#"{"id":7,"method":"x"}"#),
    (
        FaultKind::BadId,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#,
    ),
    (
        FaultKind::BadId,
        r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
    ),
    (
        FaultKind::BadId,
        r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
    ),
    (FaultKind::BadId, r#"{"jsonrpc":"2.0","result":{}}"#),
    (FaultKind::BadId, r#"{"jsonrpc":"2.0","id":1.5}"#),
    (
        FaultKind::BadId,
        r#"{"jsonrpc":"2.0","id":"\ud800","method":"x"}"#,
    ),
    (
        FaultKind::BadMethod,
        r#"{"jsonrpc":"2.0","id":7,"method":5}"#,
    ),
    (
        FaultKind::BadMethod,
        r#"{"jsonrpc":"2.0","id":7,"method":"\ud800"}"#,
    ),
    (
        FaultKind::BadParams,
        r#"{"jsonrpc":"2.0","id":7,"method":"x","params":[]}"#,
    ),
    (
        FaultKind::BadResult,
        r#"{"jsonrpc":"2.0","id":7,"result":5}"#,
    ),
    (
        FaultKind::BadError,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":1}}"#,
    ),
    (
        FaultKind::Conflict,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}"#,
    ),
    (FaultKind::NoKind, r#"{"jsonrpc":"2.0","id":7}"#),
    (FaultKind::NoKind, r#"{"jsonrpc":"2.0"}"#),
    (
        FaultKind::Duplicate,
        r#"{"jsonrpc":"2.0","id":7,"method":"x","id":8}"#,
    ),
    (
        FaultKind::LoneSurrogate,
        r#"{"jsonrpc":"2.0","id":7,"method":"x","\ud800":1}"#,
    ),
    (FaultKind::EmptyBatch, "[]"),
    (FaultKind::Batch, r#"[{"jsonrpc":"2.0","method":"x"}]"#),
    (FaultKind::Truncated, ""),
    (FaultKind::Overrun, ""),
    (FaultKind::Runaway, ""),
];

/// What lines break that are no messages, by what is agreed on.
fn faults() -> String {
    let mut text = String::from("\n| fault | line | nothing agreed on |");
    let columns: Vec<_> = std::iter::once(None)
        .chain(Revision::ALL.iter().copied().map(Some))
        .collect();
    for revision in Revision::ALL {
        write!(text, " {revision} |").unwrap();
    }
    text.push_str("\n|---|---|---|---|---|---|---|---|\n");
    for (kind, line) in FAULTS {
        if line.is_empty() {
            writeln!(
                text,
                "| `{kind}` | | – | – | – | – | – | – |",
                kind = kind.name()
            )
            .unwrap();
            continue;
        }
        let bytes = line.replace('\u{7f}', "\u{1}").into_bytes();
        let bytes: Vec<u8> = bytes
            .iter()
            .map(|&b| if b == 1 { 0xff } else { b })
            .collect();
        let bad = parse(&bytes, &Limits::HOST).expect_err("a fault");
        assert_eq!(bad.kind(), *kind, "{line}");
        write!(
            text,
            "| `{}` | `{}` |",
            kind.name(),
            line.replace('\u{7f}', "\\xff")
        )
        .unwrap();
        for revision in &columns {
            let of = |side| Violations::of_fault(&bad, Some(side), *revision);
            let (client, server) = (of(Side::Client), of(Side::Server));
            let cell = match client == server {
                true if client.is_empty() => "–".to_owned(),
                true => client.to_string(),
                // Whoever sent it.
                false => client.to_string().replace("R4", "R3 or R4"),
            };
            write!(text, " {cell} |").unwrap();
        }
        text.push('\n');
    }
    for kind in FaultKind::ALL {
        assert!(FAULTS.iter().any(|(it, _)| it == kind), "{kind:?}");
    }
    text.push('\n');
    text
}

/// What a diagram may hold: no code marks, and no second colon or semicolon.
fn plain(text: &str) -> String {
    text.replace('`', "").replace([':', ';', '#'], ",")
}

fn diagram(rows: &[&Row], start: &str) -> String {
    let mut text = format!("```mermaid\nstateDiagram-v2\n    [*] --> {start}\n");
    if rows.iter().any(|row| row.state == "any") {
        text.push_str("    state \"any state\" as AnyState\n");
    }
    let mut staying: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in rows.iter().filter(|row| !row.next.is_empty()) {
        for state in row.state.split(", ") {
            let from = if state == "any" { "AnyState" } else { state };
            if row.next == "same" {
                match staying.iter_mut().find(|(state, _)| *state == from) {
                    Some((_, ids)) => ids.push(row.id),
                    None => staying.push((from, vec![row.id])),
                }
            } else {
                let event = plain(row.event);
                writeln!(text, "    {from} --> {}: {} {event}", row.next, row.id).unwrap();
            }
        }
    }
    for (state, ids) in staying {
        writeln!(text, "    {state} --> {state}: {}", ids.join(", ")).unwrap();
    }
    text.push_str("```\n");
    text
}

fn machines(evidence: &Evidence) -> String {
    let mut text = String::from("\n");
    for machine in MACHINES {
        write!(text, "## {}\n\n{}\n\n", machine.title, machine.about).unwrap();
        for picture in DIAGRAMS.iter().filter(|it| it.groups[0] == machine.group) {
            let groups = MACHINES
                .iter()
                .filter(|it| picture.groups.contains(&it.group));
            let rows: Vec<_> = groups.flat_map(|it| it.rows).collect();
            let drawn = diagram(&rows, picture.start);
            if picture.title != machine.title {
                write!(text, "{}:\n\n", picture.title).unwrap();
            }
            writeln!(text, "{drawn}").unwrap();
        }
        text.push_str("| row | state | event | next | what is done | by | shown by |\n|---|---|---|---|---|---|---|\n");
        for row in machine.rows {
            let next = if row.next.is_empty() { "–" } else { row.next };
            writeln!(
                text,
                "| {} | {} | {} | {next} | {} | {} | {} |",
                row.id,
                row.state,
                row.event,
                row.reaction,
                row.who.cell(),
                cell(evidence, row.id),
            )
            .unwrap();
        }
        text.push('\n');
    }
    text
}

/// The rows of a section of `decisions.md`: their marks, and whether a test has to show them.
fn decided(section: &str) -> Vec<(String, bool)> {
    let mut rows = Vec::new();
    for line in section.lines() {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        let Some(Ok(mark)) = cells.next().and_then(mark) else {
            continue;
        };
        let by = cells.nth(2).expect("who decides it");
        assert!(
            ["core", "host", "HTTP, not yet", "not applicable"].contains(&by),
            "{mark}: {by}"
        );
        rows.push((mark, by == "core"));
    }
    rows
}

/// The same section with the tests in the last cell of each row.
fn with_tests(section: &str, evidence: &Evidence) -> String {
    let mut text = String::new();
    for line in section.lines() {
        let first = line.trim_matches('|').split(" | ").next().map(str::trim);
        match first.and_then(mark) {
            Some(Ok(mark)) => {
                let line = line.trim_end_matches(['|', ' ']);
                let cells: Vec<_> = line.split(" | ").take(4).collect();
                let shown = cell(evidence, &mark);
                writeln!(text, "{} | {shown} |", cells.join(" | ")).unwrap();
            }
            _ => writeln!(text, "{line}").unwrap(),
        }
    }
    text
}

fn section<'a>(text: &'a str, name: &str) -> &'a str {
    let (_, rest) = text
        .split_once(&format!("<!-- {name}:begin -->\n"))
        .expect("its begin");
    rest.split_once(&format!("<!-- {name}:end -->"))
        .expect("its end")
        .0
}

/// Everything that has a row, and whether a test has to show it. A vector shows a decision,
/// but that a rule is kept takes a test: what the decoder says is not yet what is reported.
fn owed() -> Vec<(String, bool)> {
    let mut all: Vec<_> = Rule::all()
        .map(|rule| (rule.to_string(), handling(rule).needs_a_test()))
        .collect();
    let rows = MACHINES.iter().flat_map(|machine| machine.rows);
    all.extend(rows.map(|row| (row.id.to_owned(), row.who.needs_a_test())));
    let decisions = fs::read_to_string(root().join("docs/decisions.md")).expect("the decisions");
    all.extend(decided(section(&decisions, "ambiguities")));
    all.extend(decided(section(&decisions, "silences")));
    all
}

#[test]
fn documents_are_current() {
    let evidence = collect();
    check("rules.md", "faults", |_| faults());
    check("rules.md", "rules", |_| rules(&evidence));
    check("transitions.md", "transitions", |_| machines(&evidence));
    for section in ["ambiguities", "silences"] {
        check("decisions.md", section, |old| with_tests(old, &evidence));
    }
}

#[test]
fn every_name_has_one_row() {
    let names = owed();
    let mut expected = Vec::new();
    for (group, count) in GROUPS {
        expected.extend((1..=*count).map(|number| format!("{group}{number}")));
    }
    let found: Vec<_> = names.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_must_be_shown_is_shown_or_pending() {
    let evidence = collect();
    let path = root().join("core/tests/docs/pending.txt");
    let text = fs::read_to_string(&path).expect("the list of what is pending");
    let pending: BTreeSet<&str> = text.lines().collect();
    let names = owed();
    let shown = |name: &str| match evidence.get(name) {
        Some(shown) if name.starts_with(['A', 'S']) && !name.starts_with("SU") => {
            !shown.tests.is_empty() || !shown.vectors.is_empty()
        }
        Some(shown) => !shown.tests.is_empty(),
        None => false,
    };
    let due: Vec<_> = names
        .iter()
        .filter(|(_, due)| *due)
        .map(|(name, _)| name)
        .collect();
    let missing: Vec<_> = due
        .iter()
        .filter(|name| !shown(name) && !pending.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no test names {missing:?}");
    let left: Vec<&str> = text
        .lines()
        .filter(|name| !shown(name) && due.iter().any(|due| due == name))
        .collect();
    if writing() {
        let list: String = left.iter().map(|name| format!("{name}\n")).collect();
        fs::write(&path, list).expect("the list, written");
    } else {
        let gone: Vec<_> = pending.iter().filter(|name| !left.contains(name)).collect();
        assert!(
            gone.is_empty(),
            "pending, but shown or owed by nobody: {gone:?}: {AGAIN}"
        );
    }
    println!(
        "{} of {} are shown, {} pending",
        due.len() - left.len(),
        due.len(),
        left.len()
    );
}

#[test]
fn every_test_that_is_named_is_found() {
    let source = "
        /// Text. Shows R7, and A5.
        #[test]
        fn first() {}
        // Shows R9: but this is no test.
        fn second_r10() {}
        // Shows LC6, MS4.
        #[cfg(feature = \"x\")]
        #[test]
        #[should_panic]
        fn third_r180_is_kept_lc18(x in any()) {}
        #[test]
        fn r2d2_and_rfc8259_r016() { fn inner_r3() {} }
    ";
    let found: Vec<_> = tests(source)
        .into_iter()
        .map(|(name, marks)| (name, marks.into_iter().collect::<Vec<_>>().join(" ")))
        .collect();
    let expected = [
        ("first", "A5 R7"),
        ("third_r180_is_kept_lc18", "LC18 LC6 MS4 R180"),
        ("r2d2_and_rfc8259_r016", ""),
    ];
    assert_eq!(
        found,
        expected.map(|(name, marks)| (name.to_owned(), marks.to_owned()))
    );
    assert_eq!(mark("r181"), Some(Err("R181".into())));
    assert_eq!(mark("su12"), Some(Ok("SU12".into())));
    assert_eq!(mark("sub1"), None);
    assert_eq!(mark("r"), None);
}
