//! A board with an LED, served over standard input and output in a kilobyte of buffers:
//! `cargo run --example device`.

use std::io::{self, Read, Write};

use wireline::server::{Done, Event, Service, Tool, Toolkit};
use wireline::session::{Config, Implementation, Memory};
use wireline::{Limits, LineDecoder, schema, toolkit};

static BOARD: Toolkit<'_> = toolkit! {
    tools: &[
        Tool::new("led_set", "Switches the LED", schema!({ "on": bool })),
        Tool::new("led_get", "Tells whether the LED is on", schema!({})).with_hint_read_only(true),
    ],
    line: 512,
};
static CONFIG: Config<'_> =
    Config::new(Implementation::new("board", "1.0")).with_capabilities(BOARD.capabilities());

pub(crate) fn serve(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut led = false;
    let mut service = Service::new(&CONFIG, &BOARD, Memory::<2, 0, 128>::new());
    let (mut rx, mut tx) = (LineDecoder::new([0; 512], Limits::EMBEDDED), [0; 512]);
    loop {
        let n = input.read(rx.spare())?;
        if n == 0 {
            return Ok(());
        }
        rx.commit(n);
        while let Some(item) = rx.next() {
            let step = service.receive(&item, 0);
            let n = step.send.write(&mut tx).unwrap_or(0);
            output.write_all(&tx[..n])?;
            if let Event::Call(call) = step.event {
                // The arguments fit the schema: `on` is there, and a boolean, where it must be.
                led = call
                    .arguments
                    .get("on")
                    .map_or(led, |on| on.as_bool() == Some(true));
                let said = Done(if led { "on" } else { "off" });
                let sent = service
                    .finish(call.handle, &said)
                    .map(|send| send.write(&mut tx));
                output.write_all(&tx[..sent.map_or(0, |n| n.unwrap_or(0))])?;
            }
        }
    }
}

fn main() -> io::Result<()> {
    serve(&mut io::stdin().lock(), &mut io::stdout().lock())
}
