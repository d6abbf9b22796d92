//! What the board serves, and the task that does it.

use core::convert::Infallible;
use core::future::{Future, poll_fn};
#[cfg(not(feature = "typed"))]
use core::num::NonZeroU16;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Poll;

use embedded_io_async::{Read, Write};
use wireline::json::{ToJson, Writer};
use wireline::mcp::Method;
use wireline::mcp::write::{ReadResourceResult, TextResource};
use wireline::server::{Answer, Call, Done, Event, Failed, Resource, Service, Tool, Toolkit};
use wireline::session::{Config, Implementation, Memory, Progress, Send};
use wireline::{Kind, Limits, LineDecoder, schema, toolkit};

use crate::board;
use crate::digits::Digits;
use crate::sensor::{Reading, SAMPLES};

/// Bytes of the line buffer. A longer line is answered by its id.
const LINE: usize = 512;

/// Bytes of the longest line that is sent: any one tool, in a list of the modern era, with the longest id.
const ANSWER: usize = 404;

const LED_SET: usize = 0;
const REGISTER_READ: usize = 1;

static BOARD: Toolkit<'_> = toolkit! {
    tools: &[
        Tool::new("led_set", "Switches the LED", schema!({
            "type": "object",
            "properties": { "on": { "type": "boolean" } },
            "required": ["on"]
        })),
        Tool::new("register_read", "Reads a register", schema!({
            "type": "object",
            "properties": { "name": { "enum": ["id", "led"] } },
            "required": ["name"]
        })),
        Tool::new("sensor_read", "Samples the temperature", schema!({
            "type": "object",
            "properties": { "samples": { "type": "integer", "minimum": 1, "maximum": 1000 } }
        })),
    ],
    resources: &[Resource::new("board://info", "info").with_mime_type("text/plain")],
    line: ANSWER as u32,
};

static CONFIG: Config<'_> =
    Config::new(Implementation::new("board", "0.1.0")).with_capabilities(BOARD.capabilities());

/// Two requests at once, and none of the board's own; their ids and progress tokens in 96 bytes.
type Slots = Memory<2, 0, 96>;

/// All that the server keeps.
struct Server {
    service: Service<'static, Slots>,
    rx: LineDecoder<&'static mut [u8]>,
    tx: &'static mut [u8; ANSWER],
    /// The sensor takes one reading at a time.
    reading: Option<Reading>,
}

/// The server, in memory of its own: on the stack it would be copied. There is one; `None` once it is taken.
// Not inlined: it is made on the stack first, in a frame that would else stay for ever.
#[inline(never)]
fn server() -> Option<&'static mut Server> {
    use core::mem::MaybeUninit;
    static FREE: AtomicBool = AtomicBool::new(true);
    let mut free = false;
    board::masked(|| {
        free = FREE.load(Ordering::Relaxed);
        FREE.store(false, Ordering::Relaxed);
    });
    if !free {
        return None;
    }
    static mut PLACE: MaybeUninit<Server> = MaybeUninit::uninit();
    static mut RX: [u8; LINE] = [0; LINE];
    static mut TX: [u8; ANSWER] = [0; ANSWER];
    let (place, rx, tx) = (&raw mut PLACE, &raw mut RX, &raw mut TX);
    // SAFETY: nobody else comes here, whoever calls: that it was free is asked and changed where no interrupt gets in between.
    Some(unsafe {
        (*place).write(Server {
            service: Service::new(&CONFIG, &BOARD, Memory::new()),
            rx: LineDecoder::new(&mut *rx, Limits::EMBEDDED),
            tx: &mut *tx,
            reading: None,
        })
    })
}

/// Serves for ever. The only `async fn` there is: one that ends could panic, if it were polled after its end.
pub(crate) async fn serve<R, W>(rx: &mut R, tx: &mut W) -> Infallible
where
    R: Read<Error = Infallible>,
    W: Write<Error = Infallible>,
{
    let Some(server) = server() else {
        // Served already, by whoever came first.
        core::future::pending().await
    };
    loop {
        let came = {
            let reading = server.reading.as_ref();
            let mut read = pin!(rx.read(server.rx.spare()));
            poll_fn(|context| match read.as_mut().poll(context) {
                Poll::Ready(Ok(came)) => Poll::Ready(came),
                Poll::Pending if reading.is_some_and(Reading::is_due) => Poll::Ready(0),
                Poll::Pending => Poll::Pending,
            })
            .await
        };
        server.rx.commit(came);
        while let Some(filled) = server.step() {
            let mut sent = 0;
            while let Some(left) = server.tx.get(sent..filled).filter(|left| !left.is_empty()) {
                // What comes meanwhile goes to the decoder, as long as it has room.
                let room = server.rx.spare();
                let room = if room.len() > 1 { room } else { &mut [] };
                let (came, went) = {
                    let mut read = pin!(rx.read(room));
                    let mut write = pin!(tx.write(left));
                    poll_fn(|context| {
                        let came = match read.as_mut().poll(context) {
                            Poll::Ready(Ok(came)) => came,
                            Poll::Pending => 0,
                        };
                        match write.as_mut().poll(context) {
                            Poll::Ready(Ok(went)) => Poll::Ready((came, went)),
                            Poll::Pending if came > 0 => Poll::Ready((came, 0)),
                            Poll::Pending => Poll::Pending,
                        }
                    })
                    .await
                };
                sent += went;
                server.rx.commit(came);
            }
        }
    }
}

impl Server {
    /// Does what there is to do next, and says how many bytes of `tx` are to be sent; `None`, if there is nothing to do.
    // Not inlined: its frame would lie below all that the executor calls.
    #[inline(never)]
    fn step(&mut self) -> Option<usize> {
        // Lines first: the next one may cancel the reading.
        let Some(item) = self.rx.next() else {
            self.reading.as_mut().filter(|it| it.is_due())?.sample();
            return Some(self.sampled());
        };
        #[cfg(feature = "log")]
        if let Err(rejected) = &item {
            defmt::warn!("{}", rejected);
        }
        // A line has no end by which one client could be told from the next, whose ids may be the same: what a client
        // begins with drops what the last one has left.
        if item.as_ref().is_ok_and(|it| {
            it.kind() == Kind::Request
                && it
                    .method()
                    .is_some_and(|it| it == "initialize" || it == "server/discover")
        }) {
            self.reading = None;
            begin(&mut self.service);
        }
        let step = self.service.receive(&item, board::now());
        let sent = step.send.write(self.tx).unwrap_or(0);
        let event = step.event;
        let answer = answer(&mut self.service, &mut self.reading, &event, self.tx);
        Some(answer.unwrap_or(sent))
    }

    /// A sample was taken: tells of it, or of the reading.
    fn sampled(&mut self) -> usize {
        let Some(reading) = &self.reading else {
            return 0;
        };
        let handle = reading.handle;
        if reading.is_done() {
            let mean = reading.mean();
            #[cfg(feature = "log")]
            defmt::info!("{=u16} samples, mean {=u32}", reading.taken, mean);
            #[cfg(feature = "typed")]
            let (data, samples) = (mean, reading.taken);
            self.reading = None;
            let mean = Digits::hundredths(mean);
            #[cfg(feature = "typed")]
            return typed::finish(self, handle, mean.as_str(), data, samples);
            #[cfg(not(feature = "typed"))]
            return put(self.tx, self.service.finish(handle, &Done(mean.as_str())));
        }
        let taken = Digits::decimal(u32::from(reading.taken));
        let samples = Digits::decimal(u32::from(reading.samples.get()));
        let progress = Progress::new(taken.as_str()).of(samples.as_str());
        put(self.tx, self.service.progress(handle, progress))
    }
}

/// A new session.
// Not inlined: it is made on the stack, below all that a line needs.
#[inline(never)]
fn begin(service: &mut Service<'static, Slots>) {
    *service = Service::new(&CONFIG, &BOARD, Memory::new());
}

/// Does what an event asks for, and writes the answer, if there is one at once.
#[inline(never)]
fn answer(
    service: &mut Service<'static, Slots>,
    reading: &mut Option<Reading>,
    event: &Event<'_>,
    tx: &mut [u8],
) -> Option<usize> {
    match event {
        Event::Call(call) => {
            let said = called(reading, call)?;
            Some(put(tx, service.finish(call.handle, &said)))
        }
        Event::Read(read) => {
            let contents = [TextResource::new("board://info", board::INFO)];
            let contents = ReadResourceResult::new(&contents);
            Some(put(tx, service.finish(read.handle, &contents)))
        }
        Event::Cancelled { handle, .. } => {
            if reading.as_ref().is_some_and(|it| it.handle == *handle) {
                *reading = None;
            }
            None
        }
        _ => None,
    }
}

/// What a tool says at once.
enum Said {
    Done(&'static str),
    Digits(Digits),
    Failed(&'static str),
}

/// The result of a tool.
impl ToJson for Said {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Said::Done(text) => Done(*text).write_json(w),
            Said::Digits(digits) => Done(digits.as_str()).write_json(w),
            Said::Failed(text) => Failed(*text).write_json(w),
        }
    }
}

impl Answer for Said {
    const METHOD: Method = Method::ToolsCall;
}

/// A tool is called. Its arguments fit its schema.
fn called(reading: &mut Option<Reading>, call: &Call<'_>) -> Option<Said> {
    let argument = |name| call.arguments.get(name);
    Some(match call.index {
        LED_SET => {
            let on = argument("on").and_then(|on| on.as_bool()) == Some(true);
            board::set_led(on);
            Said::Done(if on { "on" } else { "off" })
        }
        REGISTER_READ => {
            let name = argument("name").and_then(|name| name.as_json_str());
            let led = name.is_some_and(|name| name == "led");
            Said::Digits(Digits::hex(if led { board::led() } else { board::id() }))
        }
        _ if reading.is_some() => Said::Failed("The sensor is busy"),
        _ => {
            #[cfg(feature = "typed")]
            let samples = typed::samples(call);
            #[cfg(not(feature = "typed"))]
            let samples = argument("samples")
                .and_then(|it| it.as_number()?.as_i64())
                .and_then(|it| u16::try_from(it).ok())
                .and_then(NonZeroU16::new);
            *reading = Some(Reading::new(call.handle, samples.unwrap_or(SAMPLES)));
            return None;
        }
    })
}

/// Writes what is to be sent, and says how long it is.
fn put<E>(tx: &mut [u8], send: Result<Send<'_>, E>) -> usize {
    send.ok().and_then(|send| send.write(tx).ok()).unwrap_or(0)
}

/// The same through structs of our own.
#[cfg(feature = "typed")]
mod typed {
    use core::num::NonZeroU16;

    use serde::{Deserialize, Serialize};
    use wireline::encode::Serde;
    use wireline::mcp::write::{CallToolResult, TextContent};
    use wireline::server::Call;
    use wireline::session::Handle;

    use super::{Server, put};

    #[derive(Deserialize)]
    struct Arguments {
        samples: Option<NonZeroU16>,
    }

    #[derive(Serialize)]
    struct Measured {
        celsius: f32,
        samples: u16,
    }

    pub(super) fn samples(call: &Call<'_>) -> Option<NonZeroU16> {
        let arguments: Arguments = call.arguments.deserialize().ok()?;
        arguments.samples
    }

    pub(super) fn finish(
        server: &mut Server,
        handle: Handle,
        text: &str,
        centi: u32,
        samples: u16,
    ) -> usize {
        let measured = Measured {
            celsius: centi as f32 / 100.0,
            samples,
        };
        let measured = Serde(&measured);
        let content = [TextContent::new(text)];
        let result = CallToolResult::new(&content).structured_content(&measured);
        put(server.tx, server.service.finish(handle, &result))
    }
}
