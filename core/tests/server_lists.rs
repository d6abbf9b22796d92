//! Lists, their pages and cursors.

#[path = "support/board.rs"]
#[allow(dead_code, unreachable_pub)]
mod board;

use board::Board;
use wireline::json::RawJson;
use wireline::server::{Prompt, PromptArgument, Resource, ResourceTemplate, Tool, Toolkit};
use wireline::session::{Config, Implementation};
use wireline::{Limits, members, parse, schema, toolkit};

const NO: wireline::server::Schema<'_> = schema!({});

static SEVEN: Toolkit<'_> = toolkit! {
    tools: &[
        Tool::new("a", "", NO),
        Tool::new("b", "", NO),
        Tool::new("c", "", NO),
        Tool::new("d", "", NO),
        Tool::new("e", "", NO),
        Tool::new("f", "", NO),
        Tool::new("g", "", NO),
    ],
    page: 3,
};

static CONFIG: Config<'_> =
    Config::new(Implementation::new("s", "1")).with_capabilities(SEVEN.capabilities());

fn opened(toolkit: &'static Toolkit<'static>, config: &'static Config<'static>) -> Board {
    let mut board = Board::with(toolkit, config);
    board.feed(board::OPENING.as_bytes());
    board
}

fn list(board: &mut Board, method: &str, cursor: Option<&str>) -> String {
    let params = cursor.map_or(String::new(), |cursor| {
        format!(",\"params\":{{\"cursor\":{cursor}}}")
    });
    let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\"{params}}}\n");
    board.feed(line.as_bytes())
}

/// The names on each page, to the end.
fn pages(board: &mut Board) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = None;
    loop {
        let line = list(board, "tools/list", cursor.as_deref());
        let message = parse(line.as_bytes(), &Limits::HOST).unwrap();
        let result = message.result().unwrap();
        let names = result.get("tools").unwrap();
        let name = |it: RawJson<'_>| it.get("name").unwrap().as_json_str().unwrap().to_string();
        pages.push(names.elements().map(name).collect());
        match result.get("nextCursor") {
            Some(next) => cursor = Some(next.to_string()),
            None => return pages,
        }
        assert!(pages.len() < 20, "it does not end");
    }
}

#[test]
fn pages_have_as_many_entries_as_they_may() {
    let names = pages(&mut opened(&SEVEN, &CONFIG));
    assert_eq!(names, [vec!["a", "b", "c"], vec!["d", "e", "f"], vec!["g"]]);
}

#[test]
fn a_page_is_these_bytes() {
    let mut board = opened(&SEVEN, &CONFIG);
    let schema = r#""inputSchema":{"type":"object","additionalProperties":false}"#;
    assert_eq!(
        list(&mut board, "tools/list", None),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"tools\":[{{\"name\":\"a\",{schema}}},{{\"name\":\"b\",{schema}}},{{\"name\":\"c\",{schema}}}],\"nextCursor\":\"t32943\"}}}}\n"
        ),
    );
    assert_eq!(
        list(&mut board, "tools/list", Some("\"t\\u003329\\u00346\"")),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"tools\":[{{\"name\":\"g\",{schema}}}]}}}}\n"
        ),
    );
}

/// Shows R125: only what was given is a cursor.
#[test]
fn a_cursor_that_was_not_given_is_refused() {
    let mut board = opened(&SEVEN, &CONFIG);
    for cursor in [
        "\"\"",
        "\"3\"",
        "\"t3294\"",
        "\"t32940\"",
        "\"t329403\"",
        "\"t32947\"",
        "\"t3294+3\"",
        "\"t32943 \"",
        "\"p32943\"",
        "\"t32953\"",
        "\"t329499999\"",
        "\"t329418446744073709551619\"",
        "\"t3294\\ud8003\"",
    ] {
        assert_eq!(
            list(&mut board, "tools/list", Some(cursor)),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Invalid cursor\"}}\n",
            "{cursor}",
        );
    }
    for cursor in ["3", "null", "{}"] {
        assert_eq!(
            list(&mut board, "tools/list", Some(cursor)),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":{\"member\":\"cursor\"}}}\n",
            "{cursor}",
        );
    }
}

#[test]
fn other_tables_have_other_cursors() {
    static OTHER: Toolkit<'_> = toolkit! {
        tools: &[Tool::new("a", "", NO), Tool::new("b", "", NO), Tool::new("h", "", NO)],
        page: 1,
    };
    let mut board = opened(&SEVEN, &CONFIG);
    assert_eq!(board.service.toolkit().tables().tools.len(), 7);
    board.service.set_toolkit(&OTHER);
    assert!(list(&mut board, "tools/list", Some("\"t32941\"")).contains("Invalid cursor"));
    assert_eq!(pages(&mut board), [["a"], ["b"], ["h"]]);
}

/// A line's ceiling cuts pages between entries, in either era, whatever the id.
#[test]
fn no_page_is_longer_than_a_line_may_be() {
    const LONG: &str = "a description that takes a while to read, and goes on";
    const TOOLS: &[Tool<'_>] = &[
        Tool::new("one", LONG, NO),
        Tool::new("two", "", NO),
        Tool::new("three", LONG, NO),
        Tool::new("four", LONG, NO),
        Tool::new("five", "", NO),
    ];
    static NARROW: Toolkit<'_> = toolkit! { tools: TOOLS, line: 300 };
    static WIDE: Toolkit<'_> = toolkit! { tools: TOOLS, line: 400 };
    static OPEN: Toolkit<'_> = toolkit! { tools: TOOLS };
    let all: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    for (toolkit, counts) in [
        (&NARROW, &[2, 1, 2][..]),
        (&WIDE, &[2, 2, 1]),
        (&OPEN, &[5]),
    ] {
        let names = pages(&mut opened(toolkit, &CONFIG));
        let lens: Vec<usize> = names.iter().map(Vec::len).collect();
        assert_eq!(names.concat(), all);
        assert_eq!(lens, counts);
    }
    // Every id leaves its answer within the ceiling.
    for len in 1..100 {
        let mut board = opened(&NARROW, &CONFIG);
        let id = "i".repeat(len);
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"tools/list\"}}\n");
        let sent = board.feed(line.as_bytes());
        assert!(sent.len() <= 300, "{sent}");
        assert!(
            sent.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",")),
            "{sent}"
        );
    }
}

#[test]
fn a_page_fills_its_line_to_the_last_byte() {
    // The line with two entries and no cursor is as long as the ceiling, or one byte longer.
    const TWO: &[Tool<'_>] = &[Tool::new("a", "", NO), Tool::new("b", "", NO)];
    static JUST: Toolkit<'_> = toolkit! { tools: TWO, line: 256 };
    let mut board = opened(&JUST, &CONFIG);
    let fill = |board: &mut Board, id: usize| {
        let id = "i".repeat(id);
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"tools/list\"}}\n");
        board.feed(line.as_bytes())
    };
    let short = fill(&mut board, 1).len();
    assert!(!fill(&mut board, 1).contains("nextCursor"));
    // The room for a cursor is kept free, whether or not one is needed.
    let most = 256 - (short - 1) - ",\"nextCursor\":\"t123465535\"".len();
    assert!(!fill(&mut board, most).contains("nextCursor"));
    assert!(fill(&mut board, most + 1).contains("\"nextCursor\""));
}

#[test]
fn an_entry_that_fits_no_line_is_an_error() {
    const LONG: &str = "0123456789012345678901234567890123456789012345678901234567890123456789\
                        0123456789012345678901234567890123456789012345678901234567890123456789\
                        0123456789012345678901234567890123456789012345678901234567890123456789";
    static TOO: Toolkit<'_> = toolkit! { tools: &[Tool::new("a", LONG, NO)], line: 256 };
    assert_eq!(
        list(&mut opened(&TOO, &CONFIG), "tools/list", None),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"The answer is longer than the server may send\"}}\n",
    );
}

static FULL: Toolkit<'_> = toolkit! {
    tools: &[Tool::new("t", "does it", schema!({ "on": bool }))
        .with_title("T")
        .with_output(schema!({ "type": "object" }))
        .with_hint_read_only(true)
        .with_hint_destructive(false)
        .with_hint_idempotent(true)
        .with_hint_open_world(false)
        .with_extra(members!({ "icons": [] }))],
    resources: &[Resource::new("x:a", "a")
        .with_title("A")
        .with_description("an a")
        .with_mime_type("text/plain")
        .with_size(12)
        .with_extra(members!({ "annotations": { "priority": 1 } }))],
    templates: &[ResourceTemplate::new("x:{b}", "b")
        .with_title("B")
        .with_description("a b")
        .with_mime_type("text/html")
        .with_extra(members!({ "_meta": {} }))],
    prompts: &[Prompt::new("p")
        .with_title("P")
        .with_description("a p")
        .with_arguments(&[PromptArgument::required("q").with_title("Q").with_description("a q")])
        .with_extra(members!({ "_meta": {} }))],
};

static FULL_CONFIG: Config<'_> =
    Config::new(Implementation::new("s", "1")).with_capabilities(FULL.capabilities());

/// The lists' results in a revision.
fn lists(revision: &str) -> [String; 4] {
    let mut board = Board::with(&FULL, &FULL_CONFIG);
    board.feed(board::OPENING.replace("2025-11-25", revision).as_bytes());
    [
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
    ]
    .map(|method| {
        let line = list(&mut board, method, None);
        let message = parse(line.as_bytes(), &Limits::HOST).unwrap();
        message.result().unwrap().to_string()
    })
}

#[test]
fn entries_are_those_of_the_revision() {
    let schema = r#"{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"],"additionalProperties":false}"#;
    let hints = r#""annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"#;
    let resource =
        r#""description":"an a","mimeType":"text/plain","size":12,"annotations":{"priority":1}}]}"#;
    let template = r#""description":"a b","mimeType":"text/html","_meta":{}}]}"#;
    for (revision, title, output, hints) in [
        ("2024-11-05", false, "", ""),
        ("2025-03-26", false, "", hints),
        (
            "2025-06-18",
            true,
            r#""outputSchema":{"type":"object"},"#,
            hints,
        ),
        (
            "2025-11-25",
            true,
            r#""outputSchema":{"type":"object"},"#,
            hints,
        ),
    ] {
        let title = |it: &str| match title {
            true => format!(r#""title":"{it}","#),
            false => String::new(),
        };
        let [t, a, b, p, q] = ["T", "A", "B", "P", "Q"].map(title);
        assert_eq!(
            lists(revision),
            [
                format!(
                    r#"{{"tools":[{{"name":"t",{t}"description":"does it","inputSchema":{schema},{output}{hints}"icons":[]}}]}}"#
                ),
                format!(r#"{{"resources":[{{"uri":"x:a","name":"a",{a}{resource}"#),
                format!(
                    r#"{{"resourceTemplates":[{{"uriTemplate":"x:{{b}}","name":"b",{b}{template}"#
                ),
                format!(
                    r#"{{"prompts":[{{"name":"p",{p}"description":"a p","arguments":[{{"name":"q",{q}"description":"a q","required":true}}],"_meta":{{}}}}]}}"#
                ),
            ],
            "{revision}",
        );
    }
}

/// Shows R88, R101.
#[test]
fn a_list_of_the_modern_era_says_how_long_it_may_be_kept() {
    let mut board = Board::with(&FULL, &FULL_CONFIG);
    let sent = board.feed(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n",
    );
    assert_eq!(
        sent,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"s\",\"version\":\"1\"}},\"resources\":[{\"uri\":\"x:a\",\"name\":\"a\",\"title\":\"A\",\"description\":\"an a\",\"mimeType\":\"text/plain\",\"size\":12,\"annotations\":{\"priority\":1}}],\"ttlMs\":0,\"cacheScope\":\"private\"}}\n",
    );
}

#[test]
fn a_list_is_the_same_every_time() {
    let mut board = opened(&SEVEN, &CONFIG);
    let first = list(&mut board, "tools/list", None);
    assert_eq!(list(&mut board, "tools/list", None), first);
    assert_eq!(
        list(&mut opened(&SEVEN, &CONFIG), "tools/list", None),
        first
    );
}

/// Shows R102: the scope is the same on every page.
#[test]
fn pages_of_the_modern_era_have_one_scope() {
    let mut board = Board::with(&SEVEN, &CONFIG);
    let mut cursor = String::new();
    for page in 1..=3 {
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{{{cursor}\"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{{}}}}}}}}\n"
        );
        let sent = board.feed(line.as_bytes());
        assert!(
            sent.ends_with(",\"ttlMs\":0,\"cacheScope\":\"private\"}}\n"),
            "{sent}"
        );
        let next = sent.split_once("\"nextCursor\":\"");
        assert_eq!(next.is_some(), page < 3, "{sent}");
        if let Some((_, rest)) = next {
            let next = rest.split('"').next().unwrap();
            cursor = format!("\"cursor\":\"{next}\",");
        }
    }
}
