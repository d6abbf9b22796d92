//! What only features bring, linked to show that none of it can panic: a blocking connection, batches, and tasks.
#![no_std]
#![no_main]

use core::convert::Infallible;

use embedded_io::ErrorType;
use wireline::encode::{Outgoing, WriteError};
use wireline::io::{Connection, Error, Sender};
use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Method};
use wireline::session::{
    Config, Event, Gathering, Handle, Implementation, Memory, Progress, Send, Server, Session,
};
use wireline::{Limits, Storage};

static CONFIG: Config<'static> = Config::new(Implementation::new("gate", "1")).with_capabilities(
    Capabilities::NONE
        .with(Capability::Tools)
        .with(Capability::ServerTasksTools),
);

type Slots = Gathering<Memory<4, 0, 120>, 256>;
type Open = Session<'static, Server, Slots>;

static mut SESSION: Open = Session::new(&CONFIG, Gathering::new(Memory::new()));

/// The board's UART, whose end stays the end.
struct Uart {
    ended: bool,
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl embedded_io::Read for Uart {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        let byte = if self.ended { None } else { gates::read() };
        self.ended = byte.is_none();
        Ok(match (into.first_mut(), byte) {
            (Some(slot), Some(byte)) => {
                *slot = byte;
                1
            }
            _ => 0,
        })
    }
}

impl embedded_io::Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        gates::write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

const LIST: &str = r#"{"tools":[]}"#;
const TASK: &str = r#"{"task":{"taskId":"t","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":null}}"#;

fn fixed(text: &'static str) -> RawJson<'static> {
    RawJson::assume_valid(text.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT)
}

#[unsafe(no_mangle)]
fn image() {
    // SAFETY: one thread and no interrupts.
    let session = unsafe { &mut *(&raw mut SESSION) };
    let [buffer, out] = gates::memory();
    let limits = Limits::EMBEDDED.with_batches(true);
    let mut connection = Connection::new(Uart { ended: false }, buffer, limits, out);
    let mut now = 0;
    while let Ok(Some((item, sender))) = connection.receive() {
        now += 1;
        let step = session.receive(&item, now);
        send(sender, &step.send);
        if let Event::Request(call) = step.event {
            if call.method == Some(Method::ToolsList) {
                if let Ok(answer) = session.respond(call.handle, fixed(LIST)) {
                    send(sender, &answer);
                }
            } else {
                work(session, sender, call.handle);
            }
        }
        if let Some(line) = session.take_batch() {
            let mut rest = line;
            let _ = pass(sender, &mut |out| {
                let length = out.len().min(rest.len());
                let (now, later) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                for (to, from) in out.iter_mut().zip(now) {
                    *to = *from;
                }
                rest = later;
                Ok(length)
            });
        }
    }
    let _ = connection.sender().queue(&Outgoing::notification("end"));
    let _ = connection.write(&Outgoing::request(1, "ping"));
}

/// Answers with a task, tells of its progress, and ends it.
#[inline(never)]
fn work<X: Storage>(session: &mut Open, sender: &mut Sender<Uart, X>, handle: Handle) {
    match session.respond_with_task(handle, fixed(TASK)) {
        Ok(answer) => send(sender, &answer),
        Err(_) => {
            if let Ok(answer) = session.fail(handle, -32601, "No", None::<RawJson<'_>>) {
                send(sender, &answer);
            }
            return;
        }
    }
    if let Ok(progress) = session.progress(handle, Progress::new("1")) {
        send(sender, &progress);
    }
    session.end_task(handle);
}

fn send<X: Storage>(sender: &mut Sender<Uart, X>, lines: &Send<'_>) {
    for line in lines.lines() {
        if let Ok(mut pieces) = line.pieces()
            && pass(sender, &mut |out| pieces.fill(out)).is_err()
        {
            let _ = sender.resume_pieces(|out| pieces.fill(out));
            let _ = sender.give_up();
        }
    }
}

#[inline(never)]
fn pass<X: Storage>(
    sender: &mut Sender<Uart, X>,
    fill: &mut dyn FnMut(&mut [u8]) -> Result<usize, WriteError>,
) -> Result<(), Error<Infallible>> {
    sender.write_pieces(fill)
}
