//! What must be true of one side in every state, and of every line that it sends.

use std::fmt::Debug;

use wireline::mcp::{Era, Method, MethodKind, Revision, Side};
use wireline::session::{Event, Handle, Progress, Role, SessionError, Slots};
use wireline::{Id, Kind, Limits, Message, parse};

use super::host::{Host, Log, Waits, What, subject};

/// Lines that mean nothing to any session of this model, whatever state it is in.
const INERT: &[&[u8]] = &[
    br#"{"jsonrpc":"2.0","id":"0","result":{}}"#,
    br#"{"jsonrpc":"2.0","id":"1","result":{"resultType":"complete","content":[]}}"#,
    br#"{"jsonrpc":"2.0","id":"1","error":{"code":1,"message":"no"}}"#,
    br#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
    br#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
    br#"{"jsonrpc":"2.0","id":77,"result":{},"error":{"code":1,"message":"no"}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1}}"#,
    br#"{"jsonrpc":"2.0","method":"tools/list"}"#,
    br#"{"jsonrpc":"2.0","id":1,"result":{}"#,
    b"Listening on 127.0.0.1",
];

impl<R: Role + Clone + Debug, T: Slots + Clone + Debug> Host<R, T> {
    /// Whether a line may be sent now.
    pub fn judge(&mut self, message: &Message<'_>, log: &mut Log<'_>) {
        let method = message
            .method()
            .and_then(|method| Method::parse(method.as_str()?));
        let id = subject(message);
        let modern = message.meta().protocol_version().is_some();
        let agreed = self.session.revision();
        match message.kind() {
            Kind::Request => {
                let Some(method) = method else {
                    return log.breach("a request of no table");
                };
                let revision = match agreed {
                    _ if modern => Revision::V2026_07_28,
                    Some(revision) => revision,
                    None => Revision::V2025_11_25,
                };
                let era = agreed.is_none_or(|it| (it.era() == Era::Modern) == modern);
                let good = method.may_send(R::SIDE, revision)
                    && method.kind() == MethodKind::Request
                    && era;
                log.require(good, "a request of the wrong era or direction");
            }
            Kind::Notification => self.judge_notification(message, method, log),
            Kind::Result | Kind::Error => {
                let Some(owed) = id.and_then(|id| self.forgive(id)) else {
                    return log.breach("an answer that nobody is owed");
                };
                if let Some(result) = message.result() {
                    let good = result.get("resultType").is_some() == owed.modern;
                    log.require(good, "a result of the wrong era");
                }
            }
        }
    }

    fn judge_notification(
        &mut self,
        message: &Message<'_>,
        method: Option<Method>,
        log: &mut Log<'_>,
    ) {
        let number = |id: Option<Id<'_>>| id.and_then(|id| id.as_i64());
        let meta = message.meta();
        let work = |id: Option<i64>| self.work.iter().find(|work| Some(work.id) == id);
        let revision = self.session.revision().unwrap_or(Revision::V2026_07_28);
        let good = match method {
            Some(Method::Progress) => work(number(meta.progress_token())).is_some(),
            Some(Method::Cancelled) => {
                let id = number(meta.request_id());
                let ours = self.open.iter().find(|it| Some(it.id) == id);
                ours.is_some_and(|it| it.waits != Waits::Input)
                    || work(id).is_some_and(|it| it.what == What::Listen)
            }
            Some(Method::SubscriptionsAcknowledged) => {
                work(number(meta.subscription_id())).is_some_and(|it| !it.open)
            }
            Some(Method::ToolsListChanged) => match number(meta.subscription_id()) {
                Some(id) => work(Some(id)).is_some_and(|it| it.open),
                None => revision.era() == Era::Legacy,
            },
            Some(Method::LogMessage) => R::SIDE == Side::Server,
            Some(Method::Initialized) => R::SIDE == Side::Client && revision.era() == Era::Legacy,
            _ => false,
        };
        log.require(good, "a notification that may not be sent");
    }

    /// The tables hold what is open, and nothing else.
    pub fn tables_agree(&self) -> bool {
        self.session.in_flight() == (self.work.len(), self.open.len() + self.opening())
    }

    /// Letting time pass ends all that waits for the peer.
    pub fn time_ends_all(&self) -> bool {
        let mut later = self.session.clone();
        for _ in 0..8 {
            let Some(due) = later.poll_timeout() else {
                break;
            };
            if later.expire(due).is_none() {
                return false;
            }
            while later.expire(due).is_some() {}
        }
        let patient = self.open.iter().filter(|it| it.waits != Waits::Answer);
        later.in_flight().1 == patient.count()
    }

    /// The end of the input ends each request once; what was taken up may be answered.
    pub fn end_ends_all(&self) -> bool {
        let mut later = self.session.clone();
        let mut waiting: Vec<Handle> = self.open.iter().map(|it| it.handle).collect();
        while let Some(step) = later.close() {
            if let Event::Ended { handle, .. } = step.event {
                let Some(index) = waiting.iter().position(|it| *it == handle) else {
                    return false;
                };
                waiting.remove(index);
            }
        }
        let answerable = self.work.iter().all(|work| match work.what {
            What::Listen => later.fail(work.handle, -32603, "no", None).is_ok(),
            what => later.respond(work.handle, what.result()).is_ok(),
        });
        waiting.is_empty() && answerable && later.in_flight() == (0, 0)
    }

    /// Nothing can be done by a handle whose request is over.
    pub fn dead_are_stale(&self) -> bool {
        let mut copy = self.session.clone();
        let stale = SessionError::StaleHandle;
        self.dead.iter().all(|&handle| {
            copy.incoming(handle).is_none()
                && copy.respond(handle, None).err() == Some(stale)
                && copy.fail(handle, -32603, "no", None).err() == Some(stale)
                && copy.cancel(handle, None).err() == Some(stale)
                && copy.progress(handle, Progress::new("9")).err() == Some(stale)
        }) && copy.in_flight() == self.session.in_flight()
    }

    /// Lines that mean nothing change nothing.
    pub fn inert_is_inert(&self) -> bool {
        let mut copy = self.session.clone();
        INERT.iter().all(|line| {
            let step = copy.receive(&parse(line, &Limits::HOST), self.now);
            let passed = matches!(step.event, Event::Ignored(_) | Event::ConnectionError(_));
            passed && step.send.is_empty()
        }) && copy.in_flight() == self.session.in_flight()
            && copy.state() == self.session.state()
    }
}
