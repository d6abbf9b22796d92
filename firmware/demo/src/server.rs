//! What the board serves, and the task that does it.

use core::convert::Infallible;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::Poll;

use embedded_io_async::{Read, Write};
use wireline::mcp::write::{ReadResourceResult, TextResource};
use wireline::server::{Call, Done, Event, Failed, Resource, Service, Tool, Toolkit};
use wireline::session::{Config, Handle, Implementation, Memory, Progress, Send};
use wireline::{Kind, Limits, LineDecoder, schema, toolkit};

use crate::board;
use crate::digits::Digits;
use crate::sensor::{Reading, SAMPLES};

/// Bytes of the line buffer. A longer line is answered by its id.
const LINE: usize = 512;

/// Bytes of the longest line that is sent.
const ANSWER: usize = 416;

const LED_SET: usize = 0;
const REGISTER_READ: usize = 1;

static BOARD: Toolkit<'_> = toolkit! {
    tools: &[
        Tool::new("led_set", "Switches the LED", schema!({ "on": bool })),
        Tool::new("register_read", "Reads a register", schema!({
            "type": "object",
            "properties": { "name": { "type": "string", "enum": ["id", "led"] } },
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

/// Two requests at once, and none of the board's own; their ids and progress tokens in 120 bytes.
type Slots = Memory<2, 0, 120>;

/// All that the server keeps.
struct Server {
    service: Service<'static, Slots>,
    rx: LineDecoder<&'static mut [u8]>,
    tx: &'static mut [u8],
    /// The sensor takes one reading at a time.
    reading: Option<Reading>,
}

/// The server, in memory of its own: on the stack it would be copied. Called once.
fn server() -> &'static mut Server {
    use core::mem::MaybeUninit;
    static mut PLACE: MaybeUninit<Server> = MaybeUninit::uninit();
    static mut RX: [u8; LINE] = [0; LINE];
    static mut TX: [u8; ANSWER] = [0; ANSWER];
    // SAFETY: called once, by the only task, and no interrupt has to do with these.
    unsafe {
        (*(&raw mut PLACE)).write(Server {
            service: Service::new(&CONFIG, &BOARD, Memory::new()),
            rx: LineDecoder::new(&mut *(&raw mut RX), Limits::EMBEDDED),
            tx: &mut *(&raw mut TX),
            reading: None,
        })
    }
}

/// Serves for ever.
pub(crate) async fn serve<R, W>(rx: &mut R, tx: &mut W) -> Infallible
where
    R: Read<Error = Infallible>,
    W: Write<Error = Infallible>,
{
    let server = server();
    loop {
        let came = next(rx, server.rx.spare(), server.reading.as_ref()).await;
        server.rx.commit(came);
        while let Some(filled) = server.step() {
            let mut sent = 0;
            while let Some(left) = server.tx.get(sent..filled).filter(|left| !left.is_empty()) {
                // What comes meanwhile goes to the decoder, as long as it has room.
                let room = server.rx.spare();
                let room = if room.len() > 1 { room } else { &mut [] };
                let (took, came) = both(tx, left, rx, room).await;
                sent += took;
                server.rx.commit(came);
            }
        }
    }
}

/// Waits for bytes, and says how many came; none, if the reading is due first.
async fn next<R: Read<Error = Infallible>>(
    rx: &mut R,
    into: &mut [u8],
    reading: Option<&Reading>,
) -> usize {
    let mut read = pin!(rx.read(into));
    poll_fn(|context| {
        if reading.is_some_and(Reading::is_due) {
            return Poll::Ready(0);
        }
        read.as_mut().poll(context).map(|Ok(came)| came)
    })
    .await
}

/// Sends bytes and takes what comes meanwhile, and says how many went and came; one of them at least did.
async fn both<R, W>(tx: &mut W, out: &[u8], rx: &mut R, into: &mut [u8]) -> (usize, usize)
where
    R: Read<Error = Infallible>,
    W: Write<Error = Infallible>,
{
    let mut write = pin!(tx.write(out));
    let mut read = pin!(rx.read(into));
    poll_fn(|context| {
        let came = match read.as_mut().poll(context) {
            Poll::Ready(Ok(came)) => came,
            Poll::Pending => 0,
        };
        match write.as_mut().poll(context) {
            Poll::Ready(Ok(sent)) => Poll::Ready((sent, came)),
            Poll::Pending if came > 0 => Poll::Ready((0, came)),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

impl Server {
    /// Does what there is to do next, and says how many bytes of `tx` are to be sent; `None`, if there is nothing to do.
    fn step(&mut self) -> Option<usize> {
        if let Some(reading) = self.reading.as_mut().filter(|it| it.is_due()) {
            reading.sample();
            return Some(self.sampled());
        }
        let item = self.rx.next()?;
        #[cfg(feature = "log")]
        if let Err(rejected) = &item {
            defmt::warn!(
                "{=str} at byte {=u64}",
                rejected.kind().name(),
                rejected.offset()
            );
        }
        // A line has no end by which one client's session could be told from the next one's: `initialize` begins anew.
        if item.as_ref().is_ok_and(|it| {
            it.kind() == Kind::Request && it.method().is_some_and(|it| it == "initialize")
        }) {
            self.reading = None;
            self.service = Service::new(&CONFIG, &BOARD, Memory::new());
        }
        let step = self.service.receive(&item, u64::from(board::now()));
        let sent = step.send.write(self.tx).unwrap_or(0);
        let answer = match step.event {
            Event::Call(call) => called(&mut self.reading, &call),
            Event::Read(read) => {
                let contents = [TextResource::new("board://info", board::INFO)];
                let contents = ReadResourceResult::new(&contents);
                return Some(put(self.tx, self.service.finish(read.handle, &contents)));
            }
            Event::Cancelled { handle, .. } => {
                let reading = &mut self.reading;
                if reading.as_ref().is_some_and(|it| it.handle == handle) {
                    *reading = None;
                }
                return Some(sent);
            }
            _ => return Some(sent),
        };
        let Some((handle, said)) = answer else {
            return Some(sent);
        };
        Some(match said {
            Said::Text(text) => put(self.tx, self.service.finish(handle, &Done(text))),
            Said::Number(digits) => {
                put(self.tx, self.service.finish(handle, &Done(digits.as_str())))
            }
            Said::Busy => put(
                self.tx,
                self.service.finish(handle, &Failed("The sensor is busy")),
            ),
        })
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
            defmt::info!("{=u32} samples, mean {=u32}", reading.taken, mean);
            #[cfg(feature = "typed")]
            let (data, samples) = (mean, reading.taken);
            self.reading = None;
            let mean = Digits::hundredths(mean);
            #[cfg(feature = "typed")]
            return typed::finish(self, handle, mean.as_str(), data, samples);
            #[cfg(not(feature = "typed"))]
            return put(self.tx, self.service.finish(handle, &Done(mean.as_str())));
        }
        let taken = Digits::decimal(reading.taken);
        let samples = Digits::decimal(reading.samples);
        let progress = Progress::new(taken.as_str()).of(samples.as_str());
        put(self.tx, self.service.progress(handle, progress))
    }
}

/// What a tool says at once.
enum Said {
    Text(&'static str),
    Number(Digits),
    Busy,
}

/// A tool is called. Its arguments fit its schema.
fn called(reading: &mut Option<Reading>, call: &Call<'_>) -> Option<(Handle, Said)> {
    let argument = |name| call.arguments.get(name);
    let said = match call.index {
        LED_SET => {
            let on = argument("on").and_then(|on| on.as_bool()) == Some(true);
            board::set_led(on);
            Said::Text(if on { "on" } else { "off" })
        }
        REGISTER_READ => {
            let name = argument("name").and_then(|name| name.as_json_str());
            let led = name.is_some_and(|name| name == "led");
            Said::Number(Digits::hex(if led { board::led() } else { board::id() }))
        }
        _ if reading.is_some() => Said::Busy,
        _ => {
            #[cfg(feature = "typed")]
            let samples = typed::samples(call);
            #[cfg(not(feature = "typed"))]
            let samples = argument("samples")
                .and_then(|it| it.as_number()?.as_i64())
                .and_then(|it| u32::try_from(it).ok());
            *reading = Some(Reading::new(call.handle, samples.unwrap_or(SAMPLES)));
            return None;
        }
    };
    Some((call.handle, said))
}

/// Writes what is to be sent, and says how long it is.
fn put<E>(tx: &mut [u8], send: Result<Send<'_>, E>) -> usize {
    send.ok().and_then(|send| send.write(tx).ok()).unwrap_or(0)
}

/// The same through structs of our own.
#[cfg(feature = "typed")]
mod typed {
    use serde::{Deserialize, Serialize};
    use wireline::encode::Serde;
    use wireline::mcp::write::{CallToolResult, TextContent};
    use wireline::server::Call;
    use wireline::session::Handle;

    use super::{Server, put};

    #[derive(Deserialize)]
    struct Arguments {
        samples: Option<u32>,
    }

    #[derive(Serialize)]
    struct Measured {
        celsius: f32,
        samples: u32,
    }

    pub(super) fn samples(call: &Call<'_>) -> Option<u32> {
        let arguments: Arguments = call.arguments.deserialize().ok()?;
        arguments.samples
    }

    pub(super) fn finish(
        server: &mut Server,
        handle: Handle,
        text: &str,
        centi: u32,
        samples: u32,
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
