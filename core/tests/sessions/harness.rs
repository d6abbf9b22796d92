//! One side under test; the other is the test's own bytes.

use wireline::mcp::{Capabilities, Capability, Revision, Revisions};
use wireline::session::{
    Client, Config, Ended, Event, Handle, Implementation, Memory, Role, Send, Server, Session,
    SessionError, State, Step,
};
use wireline::{Limits, parse};

pub(crate) type Slots = Memory<4, 4, 256>;

/// What followed from a call.
#[derive(Debug, Default)]
pub(crate) struct Saw {
    /// The event in words.
    pub(crate) event: String,
    /// The lines sent, without LF.
    pub(crate) sent: Vec<String>,
    /// The rules broken, by number.
    pub(crate) broken: Vec<u8>,
    /// The handle of the event, if it has one.
    pub(crate) handle: Option<Handle>,
}

impl Saw {
    pub(crate) fn nothing_sent(&self) -> &Self {
        assert_eq!(self.sent, [""; 0], "{self:?}");
        self
    }

    /// The one line sent.
    pub(crate) fn one(&self) -> &str {
        assert_eq!(self.sent.len(), 1, "{self:?}");
        &self.sent[0]
    }

    pub(crate) fn sent(&self, line: &str) -> &Self {
        assert_eq!(self.one(), line);
        self
    }

    /// The one line sent is an error of this code with this id.
    pub(crate) fn refused(&self, id: &str, code: i64) -> &Self {
        let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"#);
        assert!(
            self.one().starts_with(&head),
            "{} is not {head}",
            self.one()
        );
        self
    }

    pub(crate) fn event(&self, event: &str) -> &Self {
        assert_eq!(self.event, event, "{self:?}");
        self
    }

    pub(crate) fn broke(&self, rules: &[u8]) -> &Self {
        assert_eq!(self.broken, rules, "{self:?}");
        self
    }

    pub(crate) fn handle(&self) -> Handle {
        self.handle.expect("an event with a handle")
    }
}

fn lines(send: &Send<'_>) -> Vec<String> {
    let mut buffer = vec![0; send.len().unwrap()];
    let n = send.write(&mut buffer).unwrap();
    assert_eq!(n, buffer.len());
    if n > 0 {
        let short = send.write(&mut vec![0; n - 1]);
        assert_eq!(
            short,
            Err(wireline::encode::WriteError::TooSmall { needed: n })
        );
    }
    let text = String::from_utf8(buffer).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, ours) in lines.iter().zip(send.lines()) {
        // What leaves can be read back, and leaves the same in pieces.
        parse(line.as_bytes(), &Limits::HOST).unwrap_or_else(|bad| panic!("{bad}: {line}"));
        let mut pieces = ours.pieces().unwrap();
        let (mut whole, mut piece) = (Vec::new(), [0; 7]);
        loop {
            match pieces.fill(&mut piece).unwrap() {
                0 => break,
                n => whole.extend_from_slice(&piece[..n]),
            }
        }
        assert_eq!(whole, format!("{line}\n").as_bytes());
    }
    lines
}

fn ended(why: &Ended<'_>) -> String {
    match why {
        Ended::Result(message) => format!("result {}", message.result().unwrap().as_str()),
        Ended::Error(message) => format!("error {}", message.error().unwrap().code().as_str()),
        other => other.name().to_owned(),
    }
}

pub(crate) fn state(state: State) -> String {
    match state {
        State::Ready(revision) => format!("ready {revision}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

pub(crate) fn saw(step: &Step<'_>) -> Saw {
    let method = |it: Option<wireline::mcp::Method>| it.map_or("unknown", |it| it.name());
    let (event, handle) = match &step.event {
        Event::None => (String::new(), None),
        Event::Request(it) => (format!("request {}", method(it.method)), Some(it.handle)),
        Event::Notification { method: it, .. } => (format!("notification {}", method(*it)), None),
        Event::Progress { handle, message } => (
            format!("progress {}", message.meta().progress().unwrap().as_str()),
            Some(*handle),
        ),
        Event::Ended { handle, why } => (format!("ended {}", ended(why)), Some(*handle)),
        Event::InputRequired { handle, round, .. } => {
            (format!("input required {round}"), Some(*handle))
        }
        Event::Subscribed { handle, .. } => ("subscribed".into(), Some(*handle)),
        Event::Cancelled { handle, .. } => ("cancelled".into(), Some(*handle)),
        Event::State { state: it, .. } => (format!("state {}", state(*it)), None),
        Event::ConnectionError(_) => ("connection error".into(), None),
        Event::Ignored(why) => (format!("ignored {why:?}").to_lowercase(), None),
        other => (format!("{other:?}"), None),
    };
    Saw {
        event,
        sent: lines(&step.send),
        broken: step.broken.iter().map(|rule| rule.number()).collect(),
        handle,
    }
}

/// The side under test.
pub(crate) struct Peer<R> {
    pub(crate) session: Session<'static, R, Slots>,
    pub(crate) now: u64,
}

pub(crate) fn config(
    revisions: Revisions,
    capabilities: &[Capability],
) -> &'static Config<'static> {
    let mut set = Capabilities::NONE;
    for &capability in capabilities {
        set = set.with(capability);
    }
    Box::leak(Box::new(
        Config::new(Implementation::new("us", "1"))
            .with_revisions(revisions)
            .with_capabilities(set),
    ))
}

impl<R: Role> Peer<R> {
    pub(crate) fn over(config: &'static Config<'static>) -> Self {
        Peer {
            session: Session::new(config, Slots::new()),
            now: 1000,
        }
    }

    /// The other side writes a line.
    pub(crate) fn line(&mut self, line: &str) -> Saw {
        self.bytes(line.as_bytes())
    }

    pub(crate) fn bytes(&mut self, line: &[u8]) -> Saw {
        let item = parse(line, &Limits::HOST);
        let step = self.session.receive(&item, self.now);
        if let Event::State { message, .. } = &step.event {
            // Whoever wants to know why has the line that brought it about.
            let brought_by = message.map(|it| it.as_bytes());
            assert_eq!(brought_by, item.as_ref().ok().map(|it| it.as_bytes()));
        }
        saw(&step)
    }

    /// The same under other ceilings.
    pub(crate) fn line_within(&mut self, limits: &Limits, line: &str) -> Saw {
        saw(&self
            .session
            .receive(&parse(line.as_bytes(), limits), self.now))
    }

    pub(crate) fn state(&self) -> String {
        state(self.session.state())
    }

    pub(crate) fn request(
        &mut self,
        method: &str,
        params: &str,
    ) -> Result<(Handle, String), SessionError> {
        let raw = wireline::json::RawJson::validate(params.as_bytes()).unwrap();
        let options = wireline::session::Options::new();
        let (handle, send) = self.session.request(method, raw, options, self.now)?;
        Ok((handle, lines(&send).remove(0)))
    }

    pub(crate) fn respond(&mut self, handle: Handle, result: &str) -> Result<String, SessionError> {
        let raw = wireline::json::RawJson::validate(result.as_bytes()).unwrap();
        Ok(lines(&self.session.respond(handle, raw)?).remove(0))
    }

    pub(crate) fn cancel(&mut self, handle: Handle) -> Result<Saw, SessionError> {
        Ok(saw(&self.session.cancel(handle, None)?))
    }

    /// Time passes; what follows, step by step.
    pub(crate) fn wait(&mut self, millis: u64) -> Vec<Saw> {
        self.now += millis;
        let mut all = Vec::new();
        while let Some(step) = self.session.expire(self.now) {
            all.push(saw(&step));
        }
        all
    }

    pub(crate) fn close(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(step) = self.session.close() {
            all.push(saw(&step).event);
        }
        all
    }
}

impl Peer<Client> {
    pub(crate) fn client(revisions: Revisions, capabilities: &[Capability]) -> Self {
        Peer::over(config(revisions, capabilities))
    }

    pub(crate) fn connect(&mut self) -> String {
        lines(&self.session.connect(self.now).unwrap()).remove(0)
    }

    /// A session of the legacy era that is open.
    pub(crate) fn opened(revision: Revision, ours: &[Capability], theirs: &str) -> Self {
        let mut peer = Peer::client(Revisions::LEGACY, ours);
        peer.connect();
        let answer = format!(
            r#"{{"result":{{"protocolVersion":"{revision}","capabilities":{theirs},"serverInfo":{{"name":"s","version":"1"}}}},"jsonrpc":"2.0","id":0}}"#
        );
        peer.line(&answer).event(&format!("state ready {revision}"));
        peer
    }

    /// A session of the modern era that is open.
    pub(crate) fn discovered(ours: &[Capability], theirs: &str) -> Self {
        let mut peer = Peer::client(Revisions::ALL, ours);
        peer.connect();
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{theirs},"ttlMs":0,"cacheScope":"private"}}}}"#
        );
        peer.line(&answer).event("state ready 2026-07-28");
        peer
    }
}

impl Peer<Server> {
    pub(crate) fn server(revisions: Revisions, capabilities: &[Capability]) -> Self {
        Peer::over(config(revisions, capabilities))
    }

    /// A session of the legacy era that is open.
    pub(crate) fn initialized(revision: Revision, ours: &[Capability], theirs: &str) -> Self {
        let mut peer = Peer::server(Revisions::ALL, ours);
        peer.initialize(revision.name(), theirs)
            .event("state opening");
        peer.line(INITIALIZED)
            .event(&format!("state ready {revision}"));
        peer
    }

    pub(crate) fn initialize(&mut self, version: &str, capabilities: &str) -> Saw {
        self.line(&format!(
            r#"{{"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{capabilities},"clientInfo":{{"name":"c","version":"1"}}}},"jsonrpc":"2.0","id":0}}"#
        ))
    }
}

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A request of the modern era, by an SDK that writes its id last.
pub(crate) fn modern(id: &str, method: &str, capabilities: &str, params: &str) -> String {
    format!(
        r#"{{"method":"{method}","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}}}{params}}},"jsonrpc":"2.0","id":{id}}}"#
    )
}
