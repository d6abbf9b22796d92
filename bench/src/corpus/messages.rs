//! Messages, in either order of members.

use super::Stream;
use super::pieces::{Prose, TOOLS};
use std::fmt::Write;

impl Stream<'_> {
    /// A request, `params` written by the caller as one member or not at all.
    pub(super) fn request(&mut self, method: &str, params: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"method\":\"{method}\"");
            params(self);
            self.put(",\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            self.put("}\n");
        } else {
            self.put("{\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            let _ = write!(self.out, ",\"method\":\"{method}\"");
            params(self);
            self.put("}\n");
        }
    }

    pub(super) fn notification(&mut self, method: &str, params: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"method\":\"{method}\"");
            params(self);
            self.put(",\"jsonrpc\":\"2.0\"}\n");
        } else {
            let _ = write!(self.out, "{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\"");
            params(self);
            self.put("}\n");
        }
    }

    /// A response; `member` is `result` or `error`.
    pub(super) fn response(&mut self, member: &str, body: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"{member}\":");
            body(self);
            self.put(",\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            self.put("}\n");
        } else {
            self.put("{\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            let _ = write!(self.out, ",\"{member}\":");
            body(self);
            self.put("}\n");
        }
    }

    pub(super) fn tools_call(&mut self, far: u64) {
        self.request("tools/call", |s| {
            let tool = s.rng.pick(TOOLS);
            let _ = write!(s.out, ",\"params\":{{\"name\":\"{tool}\",\"arguments\":");
            s.arguments(far);
            match s.rng.below(8) {
                0..3 => s.meta(true),
                3..5 => {
                    let token = s.next_id;
                    let _ = write!(s.out, ",\"_meta\":{{\"progressToken\":{token}}}");
                }
                _ => {}
            }
            s.put("}");
        });
    }

    pub(super) fn progress(&mut self, far: u64) {
        self.notification("notifications/progress", |s| {
            let token = s.next_id;
            let step = s.rng.below(100);
            let _ = write!(s.out, ",\"params\":{{\"progressToken\":{token},\"progress\":{step}.0,\"total\":100.0,\"message\":\"");
            let count = s.rng.range(2, 9);
            s.words(count, far);
            s.put("\"}");
        });
    }

    pub(super) fn log(&mut self, far: u64) {
        self.notification("notifications/message", |s| {
            let level = s.rng.pick(&["debug", "info", "warning", "error"]);
            let _ = write!(
                s.out,
                ",\"params\":{{\"level\":\"{level}\",\"logger\":\"server\",\"data\":\""
            );
            let bytes = s.rng.range(40, 300) as usize;
            s.prose(bytes, Prose::Plain, far);
            s.put("\"}");
        });
    }

    pub(super) fn small_result(&mut self, far: u64) {
        self.response("result", |s| {
            s.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
            let style = s
                .rng
                .pick(&[Prose::Plain, Prose::Plain, Prose::Code, Prose::Json]);
            let bytes = s.rng.log_range(24, 768) as usize;
            s.prose(bytes, style, far);
            s.put("\"}]");
            if s.rng.permille(250) {
                s.put(",\"structuredContent\":");
                s.record(far);
            }
            s.put(",\"isError\":false}");
        });
    }

    pub(super) fn text_body(&mut self, bytes: usize, style: Prose, far: u64) {
        self.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
        self.prose(bytes, style, far);
        self.put("\"}],\"isError\":false}");
    }

    pub(super) fn one_small(&mut self) {
        let far = 40;
        match self.rng.below(100) {
            0..22 => self.tools_call(far),
            22..28 => self.request("ping", |s| {
                if s.rng.permille(300) {
                    s.put(",\"params\":{");
                    s.meta(false);
                    s.put("}");
                }
            }),
            28..32 => {
                let method = self.rng.pick(&[
                    "tools/list",
                    "resources/list",
                    "prompts/list",
                    "resources/templates/list",
                ]);
                self.request(method, |s| {
                    if s.rng.permille(500) {
                        s.put(",\"params\":{");
                        s.meta(false);
                        s.put("}");
                    }
                });
            }
            32..37 => self.request("resources/read", |s| {
                s.put(",\"params\":{\"uri\":\"file:///srv/data/");
                s.word(far);
                let n = s.rng.below(1000);
                let _ = write!(s.out, "/{n}.txt\"");
                if s.rng.permille(400) {
                    s.meta(true);
                }
                s.put("}");
            }),
            37..50 => self.progress(far),
            50..57 => self.log(far),
            57..60 => self.notification("notifications/cancelled", |s| {
                let id = s.next_id;
                let _ = write!(s.out, ",\"params\":{{\"requestId\":{id},\"reason\":\"");
                let count = s.rng.range(2, 6);
                s.words(count, far);
                s.put("\"}");
            }),
            60..62 => {
                let method = self.rng.pick(&[
                    "notifications/initialized",
                    "notifications/tools/list_changed",
                ]);
                self.notification(method, |_| {});
            }
            62..90 => self.small_result(far),
            90..95 => self.response("result", |s| s.put("{}")),
            _ => self.response("error", |s| {
                let code = s
                    .rng
                    .pick(&[-32700, -32600, -32601, -32602, -32603, -32000, -32002]);
                let _ = write!(s.out, "{{\"code\":{code},\"message\":\"");
                let count = s.rng.range(2, 9);
                s.words(count, far);
                s.put("\"}");
            }),
        }
    }

    pub(super) fn one_result(&mut self) {
        let far = 140;
        match self.rng.below(20) {
            0..10 => self.response("result", |s| {
                let style = s.rng.pick(&[Prose::Plain, Prose::Code, Prose::Code, Prose::Json, Prose::Json, Prose::Json, Prose::Paths]);
                let bytes = s.rng.log_range(1_280, 65_536) as usize;
                s.text_body(bytes, style, far);
            }),
            10..14 => self.response("result", |s| {
                s.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
                let bytes = s.rng.log_range(512, 8_192) as usize;
                s.prose(bytes, Prose::Json, far);
                s.put("\"}],\"structuredContent\":{\"result\":");
                let bytes = s.rng.log_range(1_024, 32_768) as usize;
                s.records(bytes, far);
                s.put("},\"isError\":false}");
            }),
            14..17 => self.response("result", |s| {
                s.put("{\"contents\":[{\"uri\":\"file:///srv/data/image.png\",\"mimeType\":\"image/png\",\"blob\":\"");
                let bytes = s.rng.log_range(1_280, 65_536) as usize;
                s.base64(bytes);
                s.put("\"}]}");
            }),
            _ => self.response("result", |s| {
                s.put("{\"tools\":[");
                let count = s.rng.range(4, 40);
                for i in 0..count {
                    if i > 0 {
                        s.put(",");
                    }
                    s.tool();
                }
                s.put("]}");
            }),
        }
    }
}
