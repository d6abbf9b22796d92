//! Tasks of 2025-11-25: R112, R137 to R142.

use wireline::Rule;

use super::{D, breaks, clean, opened};

const SERVER: &str =
    r#"{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#;
const CALL: &str =
    "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"task\":{}}}\n";

fn task(status: &str) -> String {
    format!(
        "\"taskId\":\"T\",\"status\":\"{status}\",\"createdAt\":\"2025-11-25T10:00:00Z\",\"lastUpdatedAt\":\"2025-11-25T10:00:00Z\",\"ttl\":null"
    )
}

fn made() -> String {
    format!(
        "{CALL}< {{@J,\"id\":1,\"result\":{{\"task\":{{{}}}}}}}\n",
        task("working")
    )
}

fn get(id: u8, status: &str) -> String {
    format!(
        "> {{@J,\"id\":{id},\"method\":\"tasks/get\",\"params\":{{\"taskId\":\"T\"}}}}\n< {{@J,\"id\":{id},\"result\":{{{}}}}}\n",
        task(status)
    )
}

fn open() -> String {
    opened(D, "{}", SERVER)
}

#[test]
fn a_task_cancelled_by_notification_r112() {
    let cancel =
        "+2000\n> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";
    breaks(
        &open(),
        &format!("{}{cancel}", made()),
        &[(3, Rule::R107), (3, Rule::R112)],
    );
    let by_request = format!(
        "> {{@J,\"id\":2,\"method\":\"tasks/cancel\",\"params\":{{\"taskId\":\"T\"}}}}\n< {{@J,\"id\":2,\"result\":{{{}}}}}",
        task("cancelled")
    );
    clean(&open(), &format!("{}{by_request}", made()));
}

#[test]
fn a_task_request_answered_with_a_plain_result_r137() {
    breaks(
        &open(),
        &format!("{CALL}< {{@J,\"id\":1,\"result\":{{\"content\":[]}}}}"),
        &[(2, Rule::R137)],
    );
    breaks(
        &open(),
        &made().replace("working", "completed"),
        &[(2, Rule::R137)],
    );
    clean(&open(), &made());
    clean(
        &open(),
        &CALL
            .replace(",\"task\":{}", "")
            .replace("}}\n", "}}\n< {@J,\"id\":1,\"result\":{\"content\":[]}}"),
    );
}

#[test]
fn the_progress_of_a_task_goes_on_after_it_was_made_r120() {
    let call = CALL.replace("\"task\":{}", "\"task\":{},\"_meta\":{\"progressToken\":7}");
    let progress = "< {@J,\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,\"progress\":1}}\n";
    clean(
        &open(),
        &format!("{}{progress}", made().replace(CALL, &call)),
    );
    let plain = call.replace("\"task\":{},", "");
    let done = "< {@J,\"id\":1,\"result\":{\"content\":[]}}\n";
    breaks(
        &open(),
        &format!("{plain}{done}{progress}"),
        &[(3, Rule::R120)],
    );
}

#[test]
fn a_task_leaves_its_last_status_r138() {
    breaks(
        &open(),
        &format!("{}{}{}", made(), get(2, "completed"), get(3, "working")),
        &[(6, Rule::R138)],
    );
    clean(
        &open(),
        &format!(
            "{}{}{}{}",
            made(),
            get(2, "input_required"),
            get(3, "working"),
            get(4, "failed")
        ),
    );
    clean(
        &open(),
        &format!("{}{}{}", made(), get(2, "cancelled"), get(3, "cancelled")),
    );
    // The answer to an earlier request may be behind the notification.
    let ask = "> {@J,\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"T\"}}\n";
    let told = format!(
        "< {{@J,\"method\":\"notifications/tasks/status\",\"params\":{{{}}}}}\n",
        task("completed")
    );
    let late = format!("< {{@J,\"id\":2,\"result\":{{{}}}}}", task("working"));
    let both = opened(D, r#"{"tasks":{}}"#, SERVER);
    clean(&both, &format!("{}{ask}{told}{late}", made()));
}

#[test]
fn an_unknown_task_refused_with_another_code_r139() {
    let ask = "> {@J,\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"none\"}}\n";
    let refuse =
        |code| format!("{ask}< {{@J,\"id\":2,\"error\":{{\"code\":{code},\"message\":\"\"}}}}");
    breaks(&open(), &refuse(-32603), &[(2, Rule::R139)]);
    clean(&open(), &refuse(-32602));
    // The cancellation of one that has ended is refused too.
    let cancel = format!(
        "> {{@J,\"id\":3,\"method\":\"tasks/cancel\",\"params\":{{\"taskId\":\"T\"}}}}\n< {{@J,\"id\":3,\"result\":{{{}}}}}",
        task("completed")
    );
    breaks(
        &open(),
        &format!("{}{}{cancel}", made(), get(2, "completed")),
        &[(6, Rule::R139)],
    );
}

#[test]
fn the_outcome_of_a_task_of_another_shape_r50_r140() {
    let ask = "> {@J,\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"T\"}}\n";
    let answer = |result: &str| format!("{}{ask}< {{@J,\"id\":2,\"result\":{{{result}}}}}", made());
    let related = "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"T\"}}";
    breaks(
        &open(),
        &answer("\"content\":[]"),
        &[(4, Rule::R50), (4, Rule::R140)],
    );
    breaks(
        &open(),
        &answer(&format!("\"tools\":[],{related}")),
        &[(4, Rule::R140)],
    );
    clean(&open(), &answer(&format!("\"content\":[],{related}")));
    // It has ended with that.
    breaks(
        &open(),
        &format!(
            "{}\n{}",
            answer(&format!("\"content\":[],{related}")),
            get(3, "working")
        ),
        &[(6, Rule::R138)],
    );
}

#[test]
fn a_task_without_its_times_r141() {
    for member in ["createdAt", "lastUpdatedAt", "ttl"] {
        breaks(&open(), &made().replace(member, "x"), &[(2, Rule::R141)]);
        breaks(
            &open(),
            &format!("{}{}", made(), get(2, "working").replace(member, "x")),
            &[(4, Rule::R141)],
        );
    }
    clean(&open(), &format!("{}{}", made(), get(2, "working")));
}

#[test]
fn a_task_where_none_was_declared_r142() {
    breaks(
        &opened(D, "{}", r#"{"tools":{}}"#),
        CALL,
        &[(1, Rule::R142)],
    );
    clean(&open(), CALL);
    let sample = "< {@J,\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1,\"task\":{}}}";
    breaks(
        &opened(D, r#"{"sampling":{}}"#, "{}"),
        sample,
        &[(1, Rule::R142)],
    );
    clean(
        &opened(
            D,
            r#"{"sampling":{},"tasks":{"requests":{"sampling":{"createMessage":{}}}}}"#,
            "{}",
        ),
        sample,
    );
}
