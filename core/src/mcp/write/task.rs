//! Tasks (2025-11-25).

use super::*;

writers! {
    /// A task: what `tasks/get`, `tasks/cancel` and `notifications/tasks/status` carry. Its
    /// id, its state, when it was begun and last changed, both in ISO 8601, and for how many
    /// milliseconds from its beginning it is kept, or `None`, if for ever.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{TaskStatus, write::Task};
    /// let task = Task::new("t1", TaskStatus::Working, "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", None);
    /// assert_eq!(
    ///     json::write(&task, &mut [0; 160]),
    ///     Ok(&br#"{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:01Z","ttl":null}"#[..]),
    /// );
    /// ```
    Task: [noted] {
        task_id: text = "taskId";
        status: word(TaskStatus) = "status";
        created_at: text = "createdAt";
        last_updated_at: text = "lastUpdatedAt";
        ttl: of(Option<u64>) = "ttl";
        /// More about its state.
        pub fn status_message() -> text = "statusMessage";
        /// How many milliseconds to wait before asking again.
        pub fn poll_interval() -> whole = "pollInterval";
    }

    /// The result of a request that has become a task.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{TaskStatus, write::{CreateTaskResult, Task}};
    /// let task = Task::new("t1", TaskStatus::Working, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", Some(60_000));
    /// let text = json::measure(&CreateTaskResult::new(task.poll_interval(500)));
    /// assert!(text.is_ok());
    /// ```
    CreateTaskResult: const [noted] {
        task: of(Task<'a>) = "task";
    }

    /// The params of `tasks/get`, `tasks/result` and `tasks/cancel`, and what `_meta`
    /// names a task by.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::TaskParams;
    /// assert_eq!(
    ///     json::write(&TaskParams::new("t1"), &mut [0; 32]),
    ///     Ok(&br#"{"taskId":"t1"}"#[..]),
    /// );
    /// ```
    TaskParams: [noted] {
        task_id: text = "taskId";
    }

    /// What a request says that is to be a task.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{CallToolParams, TaskMetadata};
    /// let call = CallToolParams::new("build").task(TaskMetadata::new().ttl(60_000));
    /// assert_eq!(
    ///     json::write(&call, &mut [0; 64]),
    ///     Ok(&br#"{"name":"build","task":{"ttl":60000}}"#[..]),
    /// );
    /// ```
    TaskMetadata: const [] {
        /// For how many milliseconds it should be kept.
        pub fn ttl() -> whole = "ttl";
    }

    /// The result of `tasks/list`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ListTasksResult, Task};
    /// let none: [Task; 0] = [];
    /// assert_eq!(json::write(&ListTasksResult::new(&none), &mut [0; 32]), Ok(&br#"{"tasks":[]}"#[..]));
    /// ```
    ListTasksResult<T = Task<'a>>: [page] {
        tasks: list(T) = "tasks";
    }
}
