//! Subscriptions of the modern era: R47, R129 to R136.

use wireline::Rule;

use super::{breaks, clean, discovered};

const SERVER: &str = r#"{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true}}"#;
const LISTEN: &str = "> {@J,\"id\":\"L\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\",\"c:d\"]},@M}}\n";
const ACK: &str = "< {@J,\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"},\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]}}}\n";

fn changed(method: &str, meta: &str) -> String {
    format!("< {{@J,\"method\":\"notifications/{method}\",\"params\":{{\"uri\":\"a:b\"{meta}}}}}\n")
}

const ID: &str = ",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"}";

#[test]
fn a_change_without_the_subscription_s_id_r47() {
    let server = discovered(SERVER);
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{}", changed("tools/list_changed", "")),
        &[(3, Rule::R47)],
    );
    for id in ["\"M\"", "76", "true"] {
        let other = ID.replace("\"L\"", id);
        breaks(
            &server,
            &format!("{LISTEN}{ACK}{}", changed("tools/list_changed", &other)),
            &[(3, Rule::R47)],
        );
    }
    breaks(
        &server,
        &format!("{LISTEN}{}", ACK.replace("\"L\"", "\"M\"")),
        &[(2, Rule::R47)],
    );
    clean(
        &server,
        &format!("{LISTEN}{ACK}{}", changed("tools/list_changed", ID)),
    );
}

#[test]
fn a_change_before_the_acknowledgement_r129() {
    let server = discovered(SERVER);
    breaks(
        &server,
        &format!("{LISTEN}{}{ACK}", changed("tools/list_changed", ID)),
        &[(2, Rule::R129)],
    );
    clean(
        &server,
        &format!("{LISTEN}{ACK}{}", changed("tools/list_changed", ID)),
    );
    // A refusal needs none.
    clean(
        &server,
        &format!("{LISTEN}< {{@J,\"id\":\"L\",\"error\":{{\"code\":-32603,\"message\":\"\"}}}}"),
    );
}

#[test]
fn more_is_acknowledged_than_was_asked_r130() {
    let server = discovered(SERVER);
    breaks(
        &server,
        &format!(
            "{LISTEN}{}",
            ACK.replace("toolsListChanged", "promptsListChanged")
        ),
        &[(2, Rule::R130)],
    );
    breaks(
        &server,
        &format!("{LISTEN}{}", ACK.replace("[\"a:b\"]", "[\"a:b\",\"x:y\"]")),
        &[(2, Rule::R130)],
    );
    breaks(
        &server,
        &format!(
            "{LISTEN}{}",
            ACK.replace("[\"a:b\"]", "[\"a:b\",\"c:d\",\"e:f\"]")
        ),
        &[(2, Rule::R130)],
    );
    clean(
        &server,
        &format!("{LISTEN}{}", ACK.replace("[\"a:b\"]", "[\"c:d\",\"a:b\"]")),
    );
    clean(
        &server,
        &format!("{LISTEN}{}", ACK.replace("\"toolsListChanged\":true,", "")),
    );
}

#[test]
fn a_change_that_was_not_asked_for_r131() {
    let server = discovered(SERVER);
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{}", changed("prompts/list_changed", ID)),
        &[(3, Rule::R131)],
    );
    clean(
        &server,
        &format!("{LISTEN}{ACK}{}", changed("resources/updated", ID)),
    );
    // Asked for, but not acknowledged.
    let narrow = ACK.replace("\"toolsListChanged\":true,", "");
    breaks(
        &server,
        &format!("{LISTEN}{narrow}{}", changed("tools/list_changed", ID)),
        &[(3, Rule::R131)],
    );
    // On no subscription at all.
    breaks(
        &server,
        &changed("tools/list_changed", ""),
        &[(1, Rule::R131)],
    );
    // After its end.
    let end = "< {@J,\"id\":\"L\",\"result\":{\"resultType\":\"complete\",\"_meta\":{@s,\"io.modelcontextprotocol/subscriptionId\":\"L\"}}}\n";
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{end}{}", changed("tools/list_changed", ID)),
        &[(4, Rule::R131)],
    );
}

#[test]
fn a_subscription_ends_without_naming_itself_r132() {
    let server = discovered(SERVER);
    let end = |meta: &str| {
        format!(
            "{LISTEN}{ACK}< {{@J,\"id\":\"L\",\"result\":{{\"resultType\":\"complete\",\"_meta\":{{@s{meta}}}}}}}"
        )
    };
    breaks(&server, &end(""), &[(3, Rule::R132)]);
    clean(
        &server,
        &end(",\"io.modelcontextprotocol/subscriptionId\":\"L\""),
    );
    // The server may end it by a cancellation as well, and the connection ends them all.
    clean(
        &server,
        &format!(
            "{LISTEN}{ACK}< {{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":\"L\"}}}}"
        ),
    );
    clean(&server, &format!("{LISTEN}{ACK}>.\n<."));
}

#[test]
fn progress_and_log_messages_on_a_subscription_r134() {
    let server = discovered(SERVER);
    let log = "< {@J,\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1,\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"}}}";
    breaks(&server, &format!("{LISTEN}{ACK}{log}"), &[(3, Rule::R134)]);
    let listen = LISTEN.replace("@M", "\"_meta\":{@m,@C{},\"progressToken\":5}");
    let progress = "< {@J,\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5,\"progress\":1}}";
    breaks(
        &server,
        &format!("{listen}{ACK}{progress}"),
        &[(3, Rule::R134)],
    );
    let call = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{@m,@C{},\"progressToken\":5}}}\n";
    clean(&server, &format!("{LISTEN}{ACK}{call}{progress}"));
}

#[test]
fn anything_after_the_client_has_cancelled_r136() {
    let server = discovered(SERVER);
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"L\"}}\n";
    let change = changed("tools/list_changed", ID);
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{cancel}+1001\n{change}"),
        &[(4, Rule::R136)],
    );
    // They may have crossed.
    clean(&server, &format!("{LISTEN}{ACK}{cancel}{change}"));
    // The answer to a later request shows that the cancellation was read.
    let list = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M}}\n< {@J,\"id\":1,\"result\":{\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}\n";
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{cancel}{list}{change}"),
        &[(6, Rule::R136)],
    );
    let result = "< {@J,\"id\":\"L\",\"result\":{@OK}}\n";
    breaks(
        &server,
        &format!("{LISTEN}{ACK}{cancel}+1001\n{result}"),
        &[(4, Rule::R136)],
    );
    // Progress of a cancelled call too.
    let call = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{@m,@C{},\"progressToken\":5}}}\n";
    let progress = "< {@J,\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5,\"progress\":1}}\n";
    let cancel = cancel.replace("\"L\"", "1");
    breaks(
        &server,
        &format!("{call}{cancel}+1001\n{progress}"),
        &[(3, Rule::R136)],
    );
    clean(&server, &format!("{call}{cancel}{progress}"));
}
