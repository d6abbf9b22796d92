//! `wireline demo`: a server and a client of our own, over real pipes, line by line.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use wireline::Limits;
use wireline::json::RawJson;
use wireline::mcp::{Method, Revision, Revisions};
use wireline::session::{Config, Filter, Handle, Implementation, Options};

use crate::args::Demo;
use crate::call::host::{self, Host};
use crate::call::peer::{Outcome, Peer};
use crate::call::trace::Trace;
use crate::call::trouble::{ERROR, Trouble};
use crate::failure::Failure;

/// What the user of the demo says where a server asks.
const NAME: &str = r#"{"name":"Ada"}"#;

/// No step takes longer than this, in milliseconds.
const STEP: u32 = 5000;

pub(crate) fn run(args: &Demo) -> Result<ExitCode, Failure> {
    let server = std::env::current_exe()
        .map_err(|error| Failure::io("find", "the program itself", &error))?;
    let mut stage = Stage {
        server: server.into_os_string(),
        colour: args.color.on(io::stdout().is_terminal()),
        whole: args.whole,
    };
    let played = stage
        .modern()
        .and_then(|()| stage.legacy())
        .and_then(|()| stage.fallback());
    match played {
        Ok(()) => {
            stage.trace().say("\nAll of it went as it should.");
            Ok(ExitCode::SUCCESS)
        }
        Err(Trouble::Failure(failure)) => Err(failure.status(ERROR)),
        Err(Trouble::Interrupted) => Ok(ExitCode::from(crate::call::trouble::INTERRUPTED)),
    }
}

struct Stage {
    server: OsString,
    colour: bool,
    whole: bool,
}

/// What was not as it should be.
fn wrong(what: &str) -> Trouble {
    Trouble::Failure(Failure::new(format!("the demo went wrong: {what}")).status(ERROR))
}

impl Stage {
    fn trace(&self) -> Trace {
        Trace::new(Box::new(io::stdout()), self.colour, self.whole)
    }

    fn play(
        &mut self,
        title: &str,
        server: &[&str],
        revisions: Revisions,
        part: impl FnOnce(&mut Scene<'_, '_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut trace = self.trace();
        trace.say(title);
        let options = server.join(" ");
        trace.mark(format!("a server process starts: wireline serve {options}").trim_end());
        let mut command = vec![self.server.clone(), "serve".into()];
        command.extend(server.iter().map(OsString::from));
        let config = Config::new(Implementation::new(
            "wireline-demo",
            env!("CARGO_PKG_VERSION"),
        ))
        .with_revisions(revisions)
        .with_capabilities(host::capabilities(true, false))
        .with_timeouts(STEP, STEP)
        .with_probe_timeout(STEP);
        let host = |_| Host::scripted(NAME, "Hello!");
        let mut peer = Peer::start(&command, &config, Limits::HOST, host, Some(trace))
            .map_err(Trouble::Failure)?;
        part(&mut Scene(&mut peer))?;
        let ending = peer.close()?;
        if ending != "the server ended with status 0" {
            return Err(wrong(&ending));
        }
        Ok(())
    }

    fn modern(&mut self) -> Result<(), Trouble> {
        self.play(
            "--> goes to the server, <-- comes from it; * is what the client makes of it.\n\n\
             1. The modern era: no handshake, every request says what it follows.\n",
            &["--everything", "--page-size", "2"],
            Revisions::ALL,
            |scene| {
                scene.opens(Revision::V2026_07_28)?;
                scene.say("A list comes in pages; this is the first.");
                scene.asks(Method::ToolsList, "{}", "nextCursor")?;
                scene.say("A tool that answers at once, and one that tells how it gets on.");
                scene.calls(r#"{"name":"echo","arguments":{"text":"hello, wire"}}"#, "hello, wire")?;
                scene.calls(r#"{"name":"three_steps"}"#, "three steps done")?;
                scene.say("A tool that needs its user: the answer asks for input, and the request is sent again.");
                scene.calls(r#"{"name":"ask"}"#, "Ada")?;
                scene.say("A tool that would take a minute, cancelled. Nothing comes of it any more.");
                scene.cancels(r#"{"name":"sleep","arguments":{"ms":60000}}"#)?;
                scene.say("A subscription, and a change that it covers.");
                scene.hears_of_tools()?;
                scene.say("A tool that does not exist.");
                scene.fails(r#"{"name":"no_such_tool"}"#)?;
                scene.say("The end: the server's input is closed, and the server ends its subscription and itself.");
                Ok(())
            },
        )
    }

    fn legacy(&mut self) -> Result<(), Trouble> {
        self.play(
            "\n2. The legacy era: a handshake, and a session that both sides remember.\n",
            &[],
            Revisions::LEGACY,
            |scene| {
                scene.opens(Revision::V2025_11_25)?;
                scene.say("Anybody there?");
                scene.asks(Method::Ping, "{}", "{}")?;
                scene.say("A tool that needs its user: here the server asks by itself.");
                scene.calls(r#"{"name":"ask"}"#, "Ada")?;
                scene.say("A tool that fails, which is a result and no error.");
                scene.calls(r#"{"name":"fail"}"#, "isError")?;
                Ok(())
            },
        )
    }

    fn fallback(&mut self) -> Result<(), Trouble> {
        self.play(
            "\n3. A client of both eras meets a server of the legacy era: it asks, and falls back.\n",
            &["--revision", "2025-06-18"],
            Revisions::ALL,
            |scene| {
                scene.opens(Revision::V2025_06_18)?;
                scene.calls(r#"{"name":"add","arguments":{"a":9007199254740993,"b":1}}"#, "9007199254740994")
            },
        )
    }
}

struct Scene<'p, 'c>(&'p mut Peer<'c>);

impl Scene<'_, '_> {
    fn say(&mut self, text: &str) {
        if let Some(trace) = self.0.trace() {
            trace.say(text);
        }
    }

    fn opens(&mut self, revision: Revision) -> Result<(), Trouble> {
        let opened = self.0.open()?;
        if opened.revision == revision {
            Ok(())
        } else {
            Err(wrong("another revision was agreed on"))
        }
    }

    fn asks(&mut self, method: Method, params: &str, holding: &str) -> Result<(), Trouble> {
        match self
            .0
            .request(method, params, Options::new().with_progress())?
        {
            Outcome::Result(result) if result.contains(holding) => Ok(()),
            other => Err(wrong(&format!(
                "{} was answered by {other:?}",
                method.name()
            ))),
        }
    }

    fn calls(&mut self, params: &str, holding: &str) -> Result<(), Trouble> {
        self.asks(Method::ToolsCall, params, holding)
    }

    fn fails(&mut self, params: &str) -> Result<(), Trouble> {
        match self.0.request(Method::ToolsCall, params, Options::new())? {
            Outcome::Error(_) => Ok(()),
            other => Err(wrong(&format!("an unknown tool was answered by {other:?}"))),
        }
    }

    fn cancels(&mut self, params: &str) -> Result<(), Trouble> {
        let handle = self.0.ask(Method::ToolsCall, params, Options::new())?;
        self.0.cancel(handle, "the demo has no minute to spare")?;
        match self.0.outcome(handle)? {
            Outcome::None(_) => Ok(()),
            other => Err(wrong(&format!(
                "a cancelled request was answered by {other:?}"
            ))),
        }
    }

    fn hears_of_tools(&mut self) -> Result<Handle, Trouble> {
        let filter = RawJson::validate(br#"{"toolsListChanged":true}"#).map(Filter::read);
        let handle = self.0.listen(filter.unwrap_or_default())?;
        self.calls(r#"{"name":"test_trigger_tool_change"}"#, "told")?;
        self.0.notification(Method::ToolsListChanged)?;
        Ok(handle)
    }
}
