//! What peers write, as the schemas and the views see it.

use super::*;

macro_rules! views {
    ($name:expr; $($view:ident)*) => {
        match $name {
            $(stringify!($view) => check!($view),)*
            other => panic!("no view {other}"),
        }
    };
}

fn check_of(view: &str) -> schema::Check {
    views!(view; CallToolParams CallToolResult CancelledParams CompleteParams CompleteResult
        CreateMessageParams CreateMessageResult CreateTaskResult DiscoverResult ElicitParams
        ElicitResult ElicitationCompleteParams EmptyResult GetPromptParams GetPromptResult
        InitializeParams InitializeResult InputRequiredResult ListPromptsResult
        ListResourceTemplatesResult ListResourcesResult ListRootsResult ListTasksResult
        ListToolsResult LogMessageParams MissingCapability PageParams ProgressParams
        ReadResourceParams ReadResourceResult ResourceParams SetLevelParams SubscriptionParams
        SubscriptionResult Task TaskParams Tool UnsupportedVersion UrlElicitationRequired)
}

#[test]
fn what_peers_write_is_accepted() {
    let schemas = Schemas::load();
    let rows = include_str!("../data/payloads.txt").lines();
    let mut count = 0;
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let mut words = row.splitn(5, ' ');
        let mut word = || words.next().unwrap_or_else(|| panic!("too short: {row}"));
        let mut revision = || Revision::parse(word()).unwrap_or_else(|| panic!("revision: {row}"));
        let (first, last) = (revision(), revision());
        let (name, view, text) = (word(), word(), word());
        let value: serde_json::Value = serde_json::from_str(text).expect(row);
        for revision in schemas.revisions(name) {
            let errors = schemas.errors(revision, name, &value);
            if (first..=last).contains(&revision) {
                assert!(errors.is_empty(), "{revision}: {errors:#?} in {row}");
            }
        }
        let known = schemas.revisions(name);
        assert!(known.contains(&first) && known.contains(&last), "{row}");
        let raw = raw(text.as_bytes());
        assert_eq!(check_of(view)(raw), Ok(()), "{row}");
        count += 1;
    }
    assert!(count > 60, "{count} rows");
}
