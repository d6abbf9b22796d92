//! An MCP server on a bare chip: tools, a resource, a UART. docs/firmware.md tells how it is laid out and run.
#![no_std]
#![no_main]

mod board;
mod digits;
mod executor;
#[cfg(feature = "log")]
mod log;
mod memory;
mod sensor;
mod server;
mod start;
mod uart;

/// Everything is set up: serves for ever.
fn main() -> ! {
    board::init();
    #[cfg(feature = "log")]
    defmt::info!("serving on {=str}", board::NAME);
    executor::run(server::serve(&mut uart::Rx, &mut uart::Tx))
}

/// Reached from an image that can panic, and from no other: the gates look for its symbol.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn demo_panic_reached() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    demo_panic_reached()
}
