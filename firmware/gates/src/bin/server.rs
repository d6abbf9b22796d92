//! A server of both eras: the line decoder, the encoder, and a session that answers calls of one tool.
#![no_std]
#![no_main]

use gates::device;
use wireline::encode::Payload;
use wireline::json;
use wireline::mcp::{Capabilities, Capability, Method, code};
use wireline::session::{Config, Event, Implementation, Memory, Progress, Server, Session};

static CONFIG: Config<'static> = Config::new(Implementation::new("gate", "1"))
    .with_capabilities(Capabilities::NONE.with(Capability::Tools));

type Slots = Memory<2, 0, 120>;

static mut SESSION: Session<'static, Server, Slots> = Session::new(&CONFIG, Memory::new());

#[unsafe(no_mangle)]
fn image() {
    let [buffer, out] = gates::memory();
    let decoder = device::decoder(buffer);
    // SAFETY: one thread and no interrupts.
    let session = unsafe { &mut *(&raw mut SESSION) };
    let mut now = 0;
    while let Some(byte) = gates::read() {
        now += 1;
        if let Some(free) = decoder.spare().first_mut() {
            *free = byte;
        }
        decoder.commit(1);
        while let Some(item) = decoder.next() {
            let step = session.receive(&item, now);
            send(step.send.write(out), out);
            if let Event::Request(call) = step.event {
                let _ = session
                    .progress(call.handle, Progress::new("1"))
                    .map(|it| send(it.write(out), out));
                let result = json::from_fn(|w| {
                    w.begin_object()
                        .key("tools")
                        .begin_array()
                        .end_array()
                        .end_object();
                });
                let answer = if call.method == Some(Method::ToolsList) {
                    session.respond(call.handle, &result)
                } else {
                    session.fail(call.handle, code::METHOD_NOT_FOUND, "No", Payload::None)
                };
                if let Ok(answer) = answer {
                    send(answer.write(out), out);
                }
            }
        }
    }
}

#[inline(never)]
fn send(written: Result<usize, wireline::encode::WriteError>, out: &[u8]) {
    if let Ok(len) = written {
        gates::write(out.get(..len).unwrap_or(&[]));
    }
}
