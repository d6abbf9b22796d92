//! `wireline call`: a client of any server.

mod arguments;
mod elicit;
pub(crate) mod host;
pub(crate) mod interrupt;
mod notice;
pub(crate) mod peer;
mod process;
mod show;
mod terminal;
pub(crate) mod trace;
pub(crate) mod trouble;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use wireline::Limits;
use wireline::json::{self, RawJson};
use wireline::mcp::{Capability, Era, Method, code};
use wireline::session::{Config, Implementation, Options};

use crate::args::{Action, Call, Kind};
use crate::escape;
use crate::failure::Failure;
use arguments::{Arguments, Typing};
use host::{Host, shown, text_of};
use peer::{Opened, Outcome, Peer, object};
use terminal::Terminal;
use trace::Trace;
use trouble::{ERROR, INTERRUPTED, Trouble, by_error};

/// Pages of one list, at most: a server whose cursors go round is not followed for ever.
const PAGES: usize = 10_000;

/// What the threads tell the one that waits.
pub(crate) enum Happening {
    /// The server of that generation wrote these bytes.
    Bytes(u32, Vec<u8>),
    /// Its output ended.
    End(u32),
    /// Somebody wishes that we end.
    #[cfg_attr(not(unix), expect(dead_code, reason = "the system ends us"))]
    Interrupt,
}

pub(crate) fn run(args: &Call) -> Result<ExitCode, Failure> {
    // What is wrong is said before a server is started.
    if let Action::Complete(_, argument) = args.action()
        && !argument.contains('=')
    {
        return Err(Failure::new(
            "--complete takes what to complete as NAME=BEGINNING",
        ));
    }
    let samples =
        args.sample.is_some() || (io::stdin().is_terminal() && io::stderr().is_terminal());
    let millis = u32::try_from(args.timeout.as_millis()).unwrap_or(u32::MAX);
    let probe = if millis == 0 {
        10_000
    } else {
        millis.min(10_000)
    };
    let config = Config::new(Implementation::new(
        "wireline-call",
        env!("CARGO_PKG_VERSION"),
    ))
    .with_revisions(args.revisions())
    .with_capabilities(host::capabilities(samples, !args.roots.is_empty()))
    .with_timeouts(millis, millis.saturating_mul(10))
    .with_probe_timeout(probe);
    let trace = args.trace.then(|| {
        Trace::new(
            trace::to_errors(),
            args.color.on(io::stderr().is_terminal()),
            false,
        )
    });
    let limits = Limits::HOST
        .with_message(args.max_message)
        .with_batches(true);
    let mut bad_root = None;
    let make = |interrupts| {
        Host::new(&args.roots, args.sample.clone(), Terminal::new(interrupts)).unwrap_or_else(
            |(path, error)| {
                bad_root = Some(Failure::io("use as a root", path.display(), &error));
                Host::scripted("{}", "")
            },
        )
    };
    let mut peer = Peer::start(&args.command, &config, limits, make, trace)?;
    if let Some(failure) = bad_root {
        return Err(failure);
    }
    let outcome = peer.open().and_then(|opened| {
        if let Some(level) = args.log_level {
            peer.log_from(level)?;
        }
        act(args, &mut peer, &opened)
    });
    match outcome {
        Ok(code) => {
            let _ = peer.close();
            Ok(code)
        }
        Err(Trouble::Interrupted) => {
            let _ = peer.close();
            let _ = io::stderr().write_all(b"wireline: interrupted\n");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(Trouble::Failure(failure)) => {
            let errors = tail(&peer.errors());
            let failure = match peer.noise() {
                Some(noise) if failure.is_no_answer() => failure.advice(noise),
                _ => failure,
            };
            let _ = peer.close();
            if !errors.is_empty() {
                let _ = io::stderr().write_all(&errors);
            }
            Err(failure)
        }
    }
}

/// Lines of the server's standard error that are shown.
const TAIL: usize = 20;

/// The last lines of what the server wrote to standard error, fit for a terminal.
fn tail(errors: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = errors
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .collect();
    let mut out = Vec::new();
    for line in lines.iter().skip(lines.len().saturating_sub(TAIL)) {
        out.extend_from_slice(b"server: ");
        escape::push_text(&mut out, line.trim_ascii_end());
        out.push(b'\n');
    }
    out
}

fn act(args: &Call, peer: &mut Peer<'_>, opened: &Opened) -> Result<ExitCode, Trouble> {
    match args.action() {
        Action::Info => info(args, peer, opened),
        Action::List(kind) => {
            let entries = list(peer, kind)?;
            let mut out = Vec::new();
            if args.json {
                push_list(&mut out, kind, &entries);
                out = [b"{", &out[..], b"}\n"].concat();
            } else {
                for entry in &entries {
                    show::entry(&mut out, kind, object(entry));
                }
            }
            print(&out)?;
            Ok(ExitCode::SUCCESS)
        }
        Action::Tool(name) => tool(args, peer, name),
        Action::Read(uri) => {
            let params = json::from_fn(|w| {
                w.begin_object().key("uri").string(uri).end_object();
            });
            ask(
                args,
                peer,
                Method::ResourcesRead,
                &text_of(&params),
                show::contents,
            )
        }
        Action::Get(name) => {
            let arguments =
                Arguments::read(&args.args, Typing::Strings).map_err(Trouble::Failure)?;
            ask(
                args,
                peer,
                Method::PromptsGet,
                &named(name, &arguments),
                show::prompt,
            )
        }
        Action::Complete(of, argument) => complete(args, peer, of, argument),
    }
}

/// Parameters with a name and arguments.
fn named(name: &str, arguments: &Arguments) -> String {
    let object = arguments.object();
    text_of(&json::from_fn(|w| {
        w.begin_object().key("name").string(name);
        if !arguments.is_empty() {
            w.key("arguments").raw(peer::object(&object));
        }
        w.end_object();
    }))
}

/// Asks one thing and shows the answer.
fn ask(
    args: &Call,
    peer: &mut Peer<'_>,
    method: Method,
    params: &str,
    show: fn(&mut Vec<u8>, RawJson<'_>),
) -> Result<ExitCode, Trouble> {
    let outcome = peer.request(method, params, Options::new().with_progress())?;
    let result = match outcome {
        Outcome::Result(result) => result,
        other => return refused(args, &other),
    };
    let result = object(&result);
    let failed = method == Method::ToolsCall
        && result.get("isError").and_then(|it| it.as_bool()) == Some(true);
    let mut out = Vec::new();
    if args.json {
        push_json(&mut out, result);
    } else {
        show(&mut out, result);
    }
    print(&out)?;
    if failed && !args.json {
        let _ = io::stderr().write_all(b"wireline: the tool failed\n");
    }
    Ok(if failed {
        ExitCode::from(ERROR)
    } else {
        ExitCode::SUCCESS
    })
}

/// The server answered with an error, or not at all.
fn refused(args: &Call, outcome: &Outcome) -> Result<ExitCode, Trouble> {
    match outcome {
        Outcome::Error(error) => {
            let error = object(error);
            if args.json {
                let mut out = Vec::from(br#"{"error":"#);
                escape::push_token(&mut out, error.as_str());
                out.extend_from_slice(b"}\n");
                print(&out)?;
                return Ok(ExitCode::from(ERROR));
            }
            let failure = by_error("the server answered with error", error);
            Err(Trouble::Failure(failure.status(ERROR)))
        }
        Outcome::None(why) => Err(Trouble::no_answer(why)),
        Outcome::Result(_) => Ok(ExitCode::SUCCESS),
    }
}

fn tool(args: &Call, peer: &mut Peer<'_>, name: &str) -> Result<ExitCode, Trouble> {
    let tools = list(peer, Kind::Tools)?;
    let found = tools.iter().map(|tool| object(tool)).find(|tool| {
        tool.get("name")
            .and_then(|it| it.as_json_str())
            .is_some_and(|it| it == name)
    });
    let Some(tool) = found else {
        return Err(Trouble::Failure(
            Failure::new(format!("the server has no tool `{}`", shown(name)))
                .advice("--list tools shows what it has")
                .status(ERROR),
        ));
    };
    let schema = tool.get("inputSchema").unwrap_or(RawJson::EMPTY_OBJECT);
    let arguments =
        Arguments::read(&args.args, Typing::Schema(schema)).map_err(Trouble::Failure)?;
    if !args.yes && show::may_change(tool) {
        approve(peer, name, &arguments)?;
    }
    ask(
        args,
        peer,
        Method::ToolsCall,
        &named(name, &arguments),
        show::tool,
    )
}

/// Asks whoever sits at the terminal.
fn approve(peer: &mut Peer<'_>, name: &str, arguments: &Arguments) -> Result<(), Trouble> {
    let name = shown(name);
    let question = format!(
        "The tool `{name}` may be destructive. Call it with {}?",
        shown(&arguments.object())
    );
    let Some(agreed) = peer.agrees(&question) else {
        return Err(Trouble::Failure(
            Failure::new(format!(
                "the tool `{name}` may be destructive, and there is no terminal to ask on"
            ))
            .advice("give --yes to call it without asking"),
        ));
    };
    if agreed {
        return Ok(());
    }
    Err(Trouble::Failure(Failure::new(format!(
        "the tool `{name}` was not called"
    ))))
}

fn complete(
    args: &Call,
    peer: &mut Peer<'_>,
    of: &str,
    argument: &str,
) -> Result<ExitCode, Trouble> {
    let (name, begun) = argument.split_once('=').unwrap_or((argument, ""));
    let others = Arguments::read(&args.args, Typing::Strings).map_err(Trouble::Failure)?;
    let context = others.object();
    // Prompts have plain names; a template has a scheme, or something to be filled in.
    let template = of.contains("://") || of.contains('{');
    let params = json::from_fn(|w| {
        w.begin_object().key("ref").begin_object();
        if template {
            w.key("type").string("ref/resource").key("uri").string(of);
        } else {
            w.key("type").string("ref/prompt").key("name").string(of);
        }
        w.end_object();
        w.key("argument").begin_object();
        w.key("name")
            .string(name)
            .key("value")
            .string(begun)
            .end_object();
        if !others.is_empty() {
            w.key("context").begin_object();
            w.key("arguments").raw(object(&context)).end_object();
        }
        w.end_object();
    });
    ask(
        args,
        peer,
        Method::Complete,
        &text_of(&params),
        show::completion,
    )
}

/// All entries of a list, page by page, as they came.
fn list(peer: &mut Peer<'_>, kind: Kind) -> Result<Vec<String>, Trouble> {
    let method = match kind {
        Kind::Tools => Method::ToolsList,
        Kind::Resources => Method::ResourcesList,
        Kind::Templates => Method::ResourceTemplatesList,
        Kind::Prompts => Method::PromptsList,
    };
    let mut entries = Vec::new();
    let mut params = String::from("{}");
    for page in 0..PAGES {
        let result = match peer.request(method, &params, Options::new())? {
            Outcome::Result(result) => result,
            Outcome::Error(error) => {
                let error = object(&error);
                let number = error.get("code").and_then(|it| it.as_number()?.as_i64());
                // Some servers declare a capability and do not have its list.
                if page == 0 && number == Some(code::METHOD_NOT_FOUND) {
                    return Ok(entries);
                }
                let code = error.get("code").map(notice::plain).unwrap_or_default();
                let message = error.get("message").map(notice::plain).unwrap_or_default();
                return Err(Trouble::Failure(
                    Failure::new(format!("{}: error {code}: {message}", method.name()))
                        .status(ERROR),
                ));
            }
            Outcome::None(why) => return Err(Trouble::no_answer(why)),
        };
        let result = object(&result);
        let page = result.get(show::member(kind));
        entries.extend(
            page.into_iter()
                .flat_map(|it| it.elements())
                .map(|it| it.as_str().to_string()),
        );
        // An empty cursor is one.
        let Some(cursor) = result
            .get("nextCursor")
            .filter(|it| it.as_json_str().is_some())
        else {
            return Ok(entries);
        };
        params = format!(r#"{{"cursor":{cursor}}}"#);
    }
    Err(Trouble::no_answer("the list does not end"))
}

fn info(args: &Call, peer: &mut Peer<'_>, opened: &Opened) -> Result<ExitCode, Trouble> {
    let result = object(&opened.result);
    let era = match opened.revision.era() {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    };
    let info = result
        .get("serverInfo")
        .or_else(|| result.get("_meta")?.get(wireline::mcp::meta::SERVER_INFO))
        .unwrap_or(RawJson::EMPTY_OBJECT);
    let declared = result.get("capabilities").unwrap_or(RawJson::EMPTY_OBJECT);
    let has = peer.capabilities();
    let mut lists = Vec::new();
    for (kind, needs, words) in [
        (Kind::Tools, Capability::Tools, "tools"),
        (Kind::Resources, Capability::Resources, "resources"),
        (Kind::Templates, Capability::Resources, "resource templates"),
        (Kind::Prompts, Capability::Prompts, "prompts"),
    ] {
        if has.has(needs) {
            lists.push((kind, words, list(peer, kind)?));
        }
    }
    let mut out = Vec::new();
    if args.json {
        out.extend_from_slice(
            format!(
                r#"{{"era":"{era}","revision":"{}","serverInfo":"#,
                opened.revision
            )
            .as_bytes(),
        );
        escape::push_token(&mut out, info.as_str());
        out.extend_from_slice(br#","capabilities":"#);
        escape::push_token(&mut out, declared.as_str());
        if let Some(text) = result.get("instructions") {
            out.extend_from_slice(br#","instructions":"#);
            escape::push_token(&mut out, text.as_str());
        }
        for (kind, _, entries) in &lists {
            out.push(b',');
            push_list(&mut out, *kind, entries);
        }
        out.extend_from_slice(b"}\n");
    } else {
        show::server(&mut out, info);
        out.extend_from_slice(format!("revision {}, {era} era\n", opened.revision).as_bytes());
        out.extend_from_slice(b"capabilities: ");
        show::capabilities(&mut out, declared);
        if let Some(text) = result.get("instructions") {
            show::instructions(&mut out, text);
        }
        for (kind, words, entries) in &lists {
            out.extend_from_slice(format!("\n{words}: {}\n", entries.len()).as_bytes());
            for entry in entries {
                show::entry(&mut out, *kind, object(entry));
            }
        }
    }
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// A list as a member of an object.
fn push_list(out: &mut Vec<u8>, kind: Kind, entries: &[String]) {
    out.extend_from_slice(format!("\"{}\":[", show::member(kind)).as_bytes());
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        escape::push_token(out, entry);
    }
    out.push(b']');
}

fn push_json(out: &mut Vec<u8>, value: RawJson<'_>) {
    escape::push_token(out, value.as_str());
    out.push(b'\n');
}

/// Writes to standard output. Whoever stops reading has what they wanted.
fn print(bytes: &[u8]) -> Result<(), Trouble> {
    let mut to = io::stdout().lock();
    match to.write_all(bytes).and_then(|()| to.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::Failure(
            Failure::io("write", "standard output", &error),
        )),
        _ => Ok(()),
    }
}
