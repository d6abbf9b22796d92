//! What public reports say of servers' tools, progress, cancellation and logging, byte for byte. The names are the corpus's.

#[path = "support/board.rs"]
#[allow(dead_code, unreachable_pub)]
mod board;

use board::Board;
use wireline::server::Done;
use wireline::session::{Progress, SessionError};

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":\"ping-1\",\"method\":\"ping\"}\n";
const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"ping-1\",\"result\":{}}\n";

/// A session of each revision that is opened with `initialize`.
fn legacy() -> impl Iterator<Item = Board> {
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
        .into_iter()
        .map(Board::opened_by)
}

/// Progress, as a line.
fn progress(token: &str, value: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":{token},\"progress\":{value}}}}}\n"
    )
}

/// The result of a tool that says nothing.
fn done(id: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"\"}}]}}}}\n"
    )
}

/// Shows R108.
#[test]
fn b014_nothing_is_sent_for_a_cancelled_request() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/call\",\"params\":{\"name\":\"sleep\",\"arguments\":{\"ms\":50},\"_meta\":{\"progressToken\":\"p\"}}}\n\
              {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99,\"reason\":\"stop\"}}\n",
        );
        assert_eq!(sent, "");
        let handle = board.open[0];
        let late = board.service.finish(handle, &Done("late")).unwrap_err();
        assert_eq!(late, SessionError::StaleHandle);
        let late = board
            .service
            .progress(handle, Progress::new("1"))
            .unwrap_err();
        assert_eq!(late, SessionError::StaleHandle);
        let sent = board.feed(b"{\"jsonrpc\":\"2.0\",\"id\":100,\"method\":\"ping\"}\n");
        assert_eq!(sent, "{\"jsonrpc\":\"2.0\",\"id\":100,\"result\":{}}\n");
    }
}

/// Shows R110.
#[test]
fn b016_a_cancellation_may_come_too_late_or_twice() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"instant\",\"arguments\":{}}}\n\
              {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n\
              {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n\
              {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"nope\"}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n",
        );
        let pong = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n";
        assert_eq!(sent, done("1") + pong);
    }
}

/// Shows R117, R118.
#[test]
fn b043_tokens_keep_their_type_and_none_is_made_up() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"three_steps\",\"arguments\":{},\"_meta\":{\"progressToken\":\"7\"}}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"three_steps\",\"arguments\":{},\"_meta\":{\"progressToken\":7}}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"three_steps\",\"arguments\":{}}}\n",
        );
        let steps = |token| ["1", "2", "3"].map(|value| progress(token, value)).concat();
        let expected = [steps("\"7\""), done("1"), steps("7"), done("2"), done("3")];
        assert_eq!(sent, expected.concat());
    }
}

#[test]
fn b055_arguments_of_the_wrong_type_harm_nobody() {
    for mut board in legacy() {
        for (id, params) in [
            ("1", r#"{"name":"echo","arguments":"{\"t\":1}"}"#),
            ("2", r#"{"name":"echo","arguments":5}"#),
            ("4", r#"{"name":{}}"#),
        ] {
            let call = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}\n"
            );
            let sent = board.feed(call.as_bytes());
            let begin = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32602,");
            assert!(sent.starts_with(&begin), "{sent}");
        }
        let sent = board.feed(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\"}\n");
        assert!(sent.starts_with("{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32602,"));
        assert_eq!(board.feed(PING), PONG);
    }
}

#[test]
fn b056_null_params_count_as_none() {
    let mut board = Board::fresh();
    board.feed(
        board::OPENING
            .split_inclusive('\n')
            .next()
            .unwrap()
            .as_bytes(),
    );
    let sent = board.feed(
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":null}\n\
          {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/list\",\"params\":null}\n",
    );
    assert_eq!(
        sent,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"prompts\":[{\"name\":\"explain\",\"arguments\":[{\"name\":\"pin\",\"required\":true},{\"name\":\"tone\"}]}]}}\n",
    );
}

/// Shows R120.
#[test]
fn b080_nothing_follows_an_answer() {
    for mut board in legacy() {
        for _ in 0..50 {
            let sent = board.feed(
                b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"heartbeat_every_1ms\",\"arguments\":{\"ms\":50},\"_meta\":{\"progressToken\":\"p\"}}}\n",
            );
            assert!(sent.ends_with(&done("1")), "{sent}");
            assert_eq!(sent.matches("progressToken").count(), 3);
        }
    }
}

#[test]
fn b086_zero_is_a_token_and_so_is_the_empty_string() {
    for token in ["0", "\"\""] {
        for mut board in legacy() {
            let call = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{{\"name\":\"three_steps\",\"arguments\":{{}},\"_meta\":{{\"progressToken\":{token}}}}}}}\n"
            );
            let sent = board.feed(call.as_bytes());
            let steps = ["1", "2", "3"].map(|value| progress(token, value)).concat();
            assert_eq!(sent, steps + &done("5"));
        }
    }
}

#[test]
fn b106_a_thousand_steps_come_in_order_and_the_result_last() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"progress_1000\",\"arguments\":{},\"_meta\":{\"progressToken\":\"p\"}}}\n",
        );
        let steps: String = (1..=1000)
            .map(|it| progress("\"p\"", &it.to_string()))
            .collect();
        assert_eq!(sent, steps + &done("1"));
    }
}

/// Shows R75: the server's half of it, a list without its capability is no method.
#[test]
fn b116_a_list_that_was_not_declared_is_not_served() {
    use wireline::server::{Tool, Toolkit};
    use wireline::session::{Config, Implementation};
    static TOOLS: Toolkit<'_> = wireline::toolkit! {
        tools: &[Tool::new("t", "", wireline::schema!({}))],
    };
    static CONFIG: Config<'_> =
        Config::new(Implementation::new("srv", "0")).with_capabilities(TOOLS.capabilities());
    let mut board = Board::with(&TOOLS, &CONFIG);
    let opened = board.feed(board::OPENING.as_bytes());
    assert!(
        opened.contains("\"capabilities\":{\"tools\":{}}"),
        "{opened}"
    );
    let sent = board.feed(
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"prompts/list\"}\n\
          {\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\"}\n",
    );
    assert_eq!(
        sent,
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false}}]}}\n",
    );
}

/// Shows R119.
#[test]
fn b118_progress_only_increases() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"progress_values\",\"arguments\":{\"v\":[1,1,0.5,2]},\"_meta\":{\"progressToken\":\"p\"}}}\n",
        );
        let steps = ["1", "2"].map(|value| progress("\"p\"", value)).concat();
        assert_eq!(sent, steps + &done("1"));
    }
}

/// Shows R127.
#[test]
fn b143_levels_are_the_eight_words_and_filter() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warning\"}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warn\"}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"CRITICAL\"}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"logging/setLevel\",\"params\":{\"level\":42}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\"}\n",
        );
        let lines: Vec<&str> = sent.lines().collect();
        assert_eq!(lines[0], r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        for (id, line) in (2..=5).zip(&lines[1..]) {
            let begin = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"#);
            assert!(line.starts_with(&begin), "{line}");
        }
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"logs_each_level\",\"arguments\":{}}}\n",
        );
        let message = |level| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"{level}\",\"data\":1}}}}\n"
            )
        };
        let messages = ["warning", "error", "critical", "alert", "emergency"].map(message);
        assert_eq!(sent, messages.concat() + &done("6"));
    }
}

/// Shows R128: each request says what it wants to hear, and one that says nothing hears nothing.
#[test]
fn b143_in_the_modern_era_a_request_says_its_level() {
    let call = |level: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{{\"name\":\"logs_each_level\",\"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{{}}{level}}}}}}}\n"
        )
    };
    let mut board = Board::fresh();
    assert_eq!(board.feed(call("").as_bytes()).lines().count(), 1);
    let level = ",\"io.modelcontextprotocol/logLevel\":\"alert\"";
    let sent = board.feed(call(level).as_bytes());
    let lines: Vec<&str> = sent.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].ends_with(r#""params":{"level":"alert","data":1}}"#),
        "{sent}"
    );
    assert!(
        lines[1].ends_with(r#""params":{"level":"emergency","data":1}}"#),
        "{sent}"
    );
}

#[test]
fn b145_the_program_learns_of_a_cancellation() {
    for id in ["\"a\"", "17"] {
        for mut board in legacy() {
            let lines = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"hang\",\"arguments\":{{}}}}}}\n\
                 {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id},\"reason\":\"r\",\"_meta\":{{}},\"extra\":1}}}}\n"
            );
            assert_eq!(board.feed(lines.as_bytes()), "");
            assert_eq!(board.told, ["cancelled Some(\"r\")"]);
            assert!(board.service.is_cancelled(board.open[0]));
        }
    }
}

#[test]
fn b161_mistakes_of_the_user_have_their_codes() {
    for mut board in legacy() {
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"no_such_tool\",\"arguments\":{}}}\n\
              {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"no/such\"}\n",
        );
        assert_eq!(
            sent,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Unknown tool: no_such_tool\"}}\n\
             {\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n",
        );
    }
}

/// Shows R87, R126: what is not declared is not done, in any revision.
#[test]
fn what_is_not_declared_is_not_done() {
    use wireline::encode::Payload;
    use wireline::mcp::LogLevel;
    use wireline::server::{Prompt, PromptArgument, Toolkit};
    use wireline::session::{Config, Implementation};
    static TABLES: Toolkit<'_> = wireline::toolkit! {
        prompts: &[Prompt::new("p").with_arguments(&[PromptArgument::required("a")])],
    };
    static CONFIG: Config<'_> =
        Config::new(Implementation::new("srv", "0")).with_capabilities(TABLES.capabilities());
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut board = Board::with(&TABLES, &CONFIG);
        board.feed(board::OPENING.replace("2025-11-25", revision).as_bytes());
        let sent = board.feed(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}}\n",
        );
        assert_eq!(
            sent,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n",
            "{revision}",
        );
        let error = board
            .service
            .log(None, LogLevel::Alert, None, Payload::None);
        assert!(matches!(error, Err(SessionError::Gate(rule)) if rule.number() == 126));
    }
}
