//! A client of both eras: the line decoder, the encoder, and a session that calls tools.
#![no_std]
#![no_main]

use gates::device;
use wireline::encode::Payload;
use wireline::mcp::Capabilities;
use wireline::session::{
    Client, Config, Event, Implementation, Memory, Options, Send, Session, State,
};

static CONFIG: Config<'static> =
    Config::new(Implementation::new("gate", "1")).with_capabilities(Capabilities::NONE);

static mut SESSION: Session<'static, Client, Memory<0, 2, 0>> =
    Session::new(&CONFIG, Memory::new());

#[unsafe(no_mangle)]
fn image() {
    let [buffer, out] = gates::memory();
    let decoder = device::decoder(buffer);
    // SAFETY: one thread and no interrupts.
    let session = unsafe { &mut *(&raw mut SESSION) };
    if let Ok(line) = session.connect(0) {
        send(&line, out);
    }
    let mut now = 0;
    while let Some(byte) = gates::read() {
        now += 1;
        if let Some(free) = decoder.spare().first_mut() {
            *free = byte;
        }
        decoder.commit(1);
        while let Some(item) = decoder.next() {
            let step = session.receive(&item, now);
            send(&step.send, out);
            if let Event::State {
                state: State::Ready(_),
                ..
            } = step.event
            {
                let options = Options::new().with_progress();
                if let Ok((_, line)) = session.request("tools/call", Payload::None, options, now) {
                    send(&line, out);
                }
            }
        }
        while let Some(step) = session.expire(now) {
            send(&step.send, out);
        }
    }
    while session.close().is_some() {}
}

#[inline(never)]
fn send(lines: &Send<'_>, out: &mut [u8]) {
    if let Ok(len) = lines.write(out) {
        gates::write(out.get(..len).unwrap_or(&[]));
    }
}
