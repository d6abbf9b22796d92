//! Tasks (2025-11-25).

use super::*;

views! {
    /// A task: what `tasks/get`, `tasks/cancel` and `notifications/tasks/status` carry.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{TaskStatus, view::Task};
    /// let task = br#"{
    ///     "taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z",
    ///     "lastUpdatedAt":"2026-01-01T00:00:01Z","ttl":null
    /// }"#;
    /// let task = Task::new(RawJson::validate(task).unwrap());
    /// assert_eq!(task.status(), Some(TaskStatus::Working));
    /// assert!(task.ttl().is_none() && task.check().is_ok());
    /// ```
    Task [noted] {
        /// Its id.
        pub fn task_id() -> str = "taskId", required;
        /// Its state.
        pub fn status() -> word(TaskStatus) = "status", required;
        /// More about its state.
        pub fn status_message() -> str = "statusMessage";
        /// When it was begun, in ISO 8601.
        pub fn created_at() -> str = "createdAt", required;
        /// When its state last changed, in ISO 8601.
        pub fn last_updated_at() -> str = "lastUpdatedAt", required;
        /// For how many milliseconds from its beginning it is kept; `None`: for ever.
        pub fn ttl() -> num_or_null = "ttl", required;
        /// How many milliseconds to wait before asking again.
        pub fn poll_interval() -> whole = "pollInterval";
    }

    /// The result of a request that has become a task.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CreateTaskResult;
    /// let result = RawJson::validate(br#"{"task":{"taskId":"t1","status":"working"}}"#).unwrap();
    /// let task = CreateTaskResult::new(result).task().unwrap();
    /// assert_eq!(task.task_id().unwrap(), "t1");
    /// ```
    CreateTaskResult [noted] {
        /// The task.
        pub fn task() -> view(Task<'a>) = "task", required;
    }

    /// The params of `tasks/get`, `tasks/result` and `tasks/cancel`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::TaskParams;
    /// let params = TaskParams::new(RawJson::validate(br#"{"taskId":"t1"}"#).unwrap());
    /// assert_eq!(params.task_id().unwrap(), "t1");
    /// ```
    TaskParams [noted] {
        /// The task's id.
        pub fn task_id() -> str = "taskId", required;
    }

    /// What a request says that wants to be a task.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::TaskMetadata;
    /// let task = TaskMetadata::new(RawJson::validate(br#"{"ttl":60000}"#).unwrap());
    /// assert_eq!(task.ttl(), Some(60_000));
    /// ```
    TaskMetadata {
        /// For how many milliseconds it should be kept.
        pub fn ttl() -> whole = "ttl";
    }

    /// The result of `tasks/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ListTasksResult;
    /// let page = RawJson::validate(br#"{"tasks":[{"taskId":"t1"}],"nextCursor":"2"}"#).unwrap();
    /// let page = ListTasksResult::new(page);
    /// assert_eq!(page.tasks().count(), 1);
    /// assert_eq!(page.next_cursor().unwrap(), "2");
    /// ```
    ListTasksResult [page] {
        /// The tasks of this page.
        pub fn tasks() -> list(Task<'a>) = "tasks", required;
    }
}
