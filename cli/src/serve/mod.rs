//! `wireline serve`: a server over standard input and output, for clients to be tested with.
//!
//! One thread reads, decodes, answers and keeps the timers, so no lock is taken, and nothing is
//! allocated for a request that the session answers by itself.

mod answer;
mod ask;
mod call;
mod everything;
mod input;
mod jobs;
mod lists;
mod out;
mod prompts;
mod resources;
mod root;
mod tools;
mod watch;

use std::collections::hash_map::RandomState;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wireline::encode::Payload;
use wireline::json::{JsonKind, RawJson};
use wireline::mcp::{Capabilities, Capability, Method, code};
use wireline::session::{
    Config, Event, Handle, HeapMemory, Implementation, Incoming, Millis, Session, Step,
};
use wireline::{Limits, LineDecoder, Message, Rejected};

use crate::args::Serve;
use crate::failure::Failure;
use call::Call;
use input::{Came, Input};
use jobs::{Jobs, Paced, Work};
use out::Out;
use root::Root;
use watch::Watches;

/// Requests of the client, and of ours, at a time.
const INBOUND: usize = 128;
const OUTBOUND: usize = 32;

/// Bytes of an id and a progress token.
const TOKENS: usize = 160;

/// Bytes of the answers to a batch.
const GATHERED: usize = 64 * 1024;

/// After the end of the input: how long accepted requests may take.
const GRACE: Millis = 1000;

pub(crate) fn run(args: &Serve) -> Result<ExitCode, Failure> {
    let root = match &args.root {
        Some(path) => Some(
            Root::open(path)
                .map_err(|error| Failure::io("open the folder", path.display(), &error))?,
        ),
        None => None,
    };
    let mut capabilities = Capabilities::NONE
        .with(Capability::ToolsListChanged)
        .with(Capability::PromptsListChanged)
        .with(Capability::Completions)
        .with(Capability::Logging);
    if root.is_some() || args.everything {
        capabilities = capabilities
            .with(Capability::ResourcesSubscribe)
            .with(Capability::ResourcesListChanged);
    }
    let info = Implementation::new("wireline-serve", env!("CARGO_PKG_VERSION"));
    let config = Config::new(info)
        .with_revisions(args.revisions())
        .with_capabilities(capabilities)
        .with_instructions("A server to test clients with. Its tools do what their names say.");
    let out = Out::open().map_err(|error| Failure::io("use", "standard output", &error))?;
    let mut input = Input::start()?;
    let memory = HeapMemory::new(INBOUND, OUTBOUND, TOKENS)
        .and_then(|memory| memory.with_gather(GATHERED))
        .map_err(|error| Failure::new(format!("no memory for a session: {error}")))?;
    let mut server = Server {
        session: Session::new(&config, memory),
        out,
        errands: Vec::new(),
        options: Options {
            everything: args.everything,
            page: args.page_size,
            noise: args.stderr_noise,
        },
        root,
        jobs: Jobs::default(),
        watches: Watches::default(),
        side_effects: 0,
        secret: RandomState::new(),
        started: Instant::now(),
        now: 0,
    };
    if args.stderr_noise {
        complain("ready");
    }
    let limits = Limits::HOST
        .with_message(args.max_message)
        .with_batches(true);
    let mut decoder = LineDecoder::new(Vec::new(), limits);
    match server.serve(&mut input, &mut decoder) {
        // Nobody reads any more: nothing is left to do, and nobody to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::io("write", "standard output", &error)),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

struct Options {
    everything: bool,
    page: NonZeroUsize,
    noise: bool,
}

struct Server<'c> {
    session: Session<'c, wireline::session::Server, HeapMemory>,
    out: Out,
    /// What is to be written to standard error, by threads that are still to be started.
    errands: Vec<Errand>,
    options: Options,
    root: Option<Root>,
    jobs: Jobs,
    watches: Watches,
    /// How often `side_effect` was called.
    side_effects: u64,
    /// What states that a client keeps for us are sealed with.
    secret: RandomState,
    started: Instant,
    /// The moment that is being dealt with.
    now: Millis,
}

/// Lines for standard error.
struct Errand {
    handle: Handle,
    lines: u64,
    stop: Arc<AtomicBool>,
}

/// A line that goes to standard error; if nobody reads that, it is lost.
fn complain(text: &str) {
    let _ = io::stderr().write_all(format!("wireline serve: {text}\n").as_bytes());
}

impl Server<'_> {
    fn serve(&mut self, input: &mut Input, decoder: &mut LineDecoder<Vec<u8>>) -> io::Result<()> {
        loop {
            self.work()?;
            self.run_errands(input);
            self.out.flush()?;
            match input.next(self.wait(None)) {
                Some(Came::Bytes) => {
                    self.tick();
                    let mut rest = input.bytes();
                    while let Some(item) = decoder.next_in(&mut rest) {
                        self.receive(&item.result())?;
                    }
                }
                Some(Came::Done(handle)) => self.quiet_again(handle)?,
                Some(Came::End) => break,
                None => {}
            }
        }
        self.tick();
        while let Some(item) = decoder.finish() {
            self.receive(&item)?;
        }
        self.end(input)
    }

    /// The input has ended: what was accepted is answered, but not for ever.
    fn end(&mut self, input: &mut Input) -> io::Result<()> {
        while let Some(step) = self.session.close() {
            self.step(&step)?;
        }
        let last = self.now.saturating_add(GRACE);
        loop {
            self.work()?;
            self.run_errands(input);
            self.out.flush()?;
            if self.jobs.is_empty() || self.now >= last {
                break;
            }
            if let Some(Came::Done(handle)) = input.next(self.wait(Some(last))) {
                self.quiet_again(handle)?;
            }
        }
        while let Some((handle, _)) = self.jobs.pop() {
            let reason = "the input ended before this was done";
            self.fail(handle, code::INTERNAL_ERROR, reason, Payload::None)?;
        }
        for handle in self.watches.subscriptions() {
            if let Ok(send) = self.session.end_subscription(handle) {
                self.out.send(&send)?;
            }
        }
        self.out.flush()
    }

    fn tick(&mut self) {
        self.now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(Millis::MAX);
    }

    /// How long nothing has to be done; `None` for until something comes.
    fn wait(&mut self, last: Option<Millis>) -> Option<Duration> {
        self.tick();
        let moments = [
            last,
            self.jobs.next(),
            self.watches.next(),
            self.session.poll_timeout(),
        ];
        let next = moments.into_iter().flatten().min()?;
        Some(Duration::from_millis(next.saturating_sub(self.now)))
    }

    /// Does all that is due.
    fn work(&mut self) -> io::Result<()> {
        self.tick();
        while let Some(step) = self.session.expire(self.now) {
            self.step(&step)?;
        }
        while let Some((handle, work)) = self.jobs.take_due(self.now) {
            self.go_on(handle, work)?;
        }
        self.look()
    }

    fn receive(&mut self, item: &Result<Message<'_>, Rejected<'_>>) -> io::Result<()> {
        let step = self.session.receive(item, self.now);
        self.step(&step)?;
        self.batch()
    }

    /// Sends the answers to a batch, if the last one has been given.
    fn batch(&mut self) -> io::Result<()> {
        match self.session.take_batch() {
            Some(line) => self.out.bytes(line),
            None => Ok(()),
        }
    }

    fn step(&mut self, step: &Step<'_>) -> io::Result<()> {
        self.out.send(&step.send)?;
        match &step.event {
            Event::Request(incoming) => self.request(incoming),
            Event::Cancelled { handle, .. } => self.cancelled(*handle),
            Event::Ended { handle, why } => self.answered(*handle, why),
            // The session has dealt with the rest.
            _ => Ok(()),
        }
    }

    fn request(&mut self, incoming: &Incoming<'_>) -> io::Result<()> {
        let Some(info) = self.session.incoming(incoming.handle) else {
            return Ok(());
        };
        let call = Call {
            handle: incoming.handle,
            revision: incoming.revision,
            capabilities: info.capabilities,
            params: incoming.message.params().unwrap_or(RawJson::EMPTY_OBJECT),
        };
        if self.options.noise {
            let name = incoming
                .method
                .map_or("a method that is not known", Method::name);
            complain(&format!("answering {name}"));
        }
        match incoming.method {
            Some(Method::ToolsList) => self.list_tools(&call),
            Some(Method::ToolsCall) => self.call_tool(&call),
            Some(Method::ResourcesList) => self.list_resources(&call),
            Some(Method::ResourceTemplatesList) => self.list_templates(&call),
            Some(Method::ResourcesRead) => self.read_resource(&call),
            Some(Method::ResourcesSubscribe) => self.subscribe(&call),
            Some(Method::ResourcesUnsubscribe) => self.unsubscribe(&call),
            Some(Method::SubscriptionsListen) => self.listen(&call),
            Some(Method::PromptsList) => self.list_prompts(&call),
            Some(Method::PromptsGet) => self.get_prompt(&call),
            Some(Method::Complete) => self.complete(&call),
            _ => self.fail(
                call.handle,
                code::METHOD_NOT_FOUND,
                "Method not found",
                Payload::None,
            ),
        }
    }

    fn call_tool(&mut self, call: &Call<'_>) -> io::Result<()> {
        let name = call.param_text("name");
        if call
            .param("arguments")
            .is_some_and(|it| it.kind() != JsonKind::Object)
        {
            return self.bad_params(call, "`arguments` is an object");
        }
        let tool = tools::all(self.options.everything)
            .find(|tool| name.is_some_and(|name| name == tool.name));
        let Some(tool) = tool else {
            return self.bad_params(call, "no such tool");
        };
        let arguments = call.param("arguments").unwrap_or(RawJson::EMPTY_OBJECT);
        match tool.input.check(arguments) {
            Ok(()) => (tool.run)(self, call),
            Err(mismatch) => self.refuse(call, mismatch.as_str()),
        }
    }

    /// The client no longer wants it: the work stops, and so does what we asked for it.
    fn cancelled(&mut self, handle: Handle) -> io::Result<()> {
        self.watches.forget(handle);
        if let Some(Work::Asked { ours, .. }) = self.jobs.take(handle)
            && let Ok(step) = self.session.cancel(ours, None)
        {
            return self.out.send(&step.send);
        }
        Ok(())
    }

    fn go_on(&mut self, handle: Handle, work: Work) -> io::Result<()> {
        match work {
            Work::Sleep(ms) => self.text(handle, &format_args!("slept {ms} ms")),
            Work::Steps {
                done,
                total,
                gap,
                end,
            } if done < total => {
                let done = done + 1;
                self.progress(handle, done, total, &format!("step {done} of {total}"))?;
                let due = self.now.saturating_add(gap);
                self.jobs.add(
                    handle,
                    due,
                    Work::Steps {
                        done,
                        total,
                        gap,
                        end,
                    },
                );
                Ok(())
            }
            Work::Steps { end, .. } => self.text(handle, &end),
            Work::Paced { step, what } => self.pace(handle, step, what),
            // None of these has a time.
            Work::Hang | Work::Asked { .. } | Work::Noise(_) => Ok(()),
        }
    }

    fn later(&mut self, call: &Call<'_>, ms: u64, work: Work) {
        self.jobs
            .add(call.handle, self.now.saturating_add(ms), work);
    }

    fn never(&mut self, call: &Call<'_>, work: Work) {
        self.jobs.add(call.handle, Millis::MAX, work);
    }

    fn steps(
        &mut self,
        call: &Call<'_>,
        total: u64,
        gap: u64,
        end: &'static str,
    ) -> io::Result<()> {
        let work = Work::Steps {
            done: 0,
            total,
            gap,
            end,
        };
        self.later(call, 0, work);
        Ok(())
    }

    fn paced(&mut self, call: &Call<'_>, what: Paced) -> io::Result<()> {
        self.pace(call.handle, 0, what)
    }

    /// Writes to standard error, which may be slow, on a thread of its own.
    fn noise(&mut self, call: &Call<'_>, lines: u64) {
        let stop = Arc::new(AtomicBool::new(false));
        self.never(call, Work::Noise(stop.clone()));
        self.errands.push(Errand {
            handle: call.handle,
            lines,
            stop,
        });
    }

    fn run_errands(&mut self, input: &mut Input) {
        for errand in self.errands.drain(..) {
            let done = input.worker();
            thread::spawn(move || {
                for line in 0..errand.lines {
                    if errand.stop.load(Ordering::Relaxed) {
                        break;
                    }
                    complain(&format!("noise {line}"));
                }
                let _ = done.send(errand.handle);
            });
        }
    }

    fn quiet_again(&mut self, handle: Handle) -> io::Result<()> {
        match self.jobs.take(handle) {
            Some(_) => self.text(handle, &"standard error has it"),
            None => Ok(()),
        }
    }
}
