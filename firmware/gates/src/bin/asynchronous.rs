//! An async connection. The compiler puts a check into every `async fn`, against being asked again after its end; nothing
//! else here may panic.
#![no_std]
#![no_main]

use core::convert::Infallible;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use embedded_io_async::ErrorType;
use wireline::encode::Outgoing;
use wireline::io::AsyncConnection;
use wireline::json::RawJson;
use wireline::{Kind, Limits};

/// The board's UART, which is never ready when it is first asked.
struct Uart {
    ended: bool,
}

/// Lets others run once.
async fn turn() {
    let mut waited = false;
    poll_fn(|_| match core::mem::replace(&mut waited, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl embedded_io_async::Read for Uart {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        turn().await;
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

impl embedded_io_async::Write for Uart {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        turn().await;
        gates::write(bytes);
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[unsafe(no_mangle)]
fn image() {
    let mut serving = pin!(serve());
    let mut context = Context::from_waker(Waker::noop());
    while serving.as_mut().poll(&mut context).is_pending() {}
}

/// Answers every request, whole and in pieces. Futures are dropped before their end now and then.
async fn serve() {
    let [buffer, out] = gates::memory();
    let mut connection = AsyncConnection::new(Uart { ended: false }, buffer, Limits::EMBEDDED, out);
    loop {
        let Ok(Some((item, sender))) = connection.receive().await else {
            break;
        };
        let request = item.ok().filter(|message| message.kind() == Kind::Request);
        let Some(id) = request.and_then(|request| request.id()) else {
            continue;
        };
        let answer = Outgoing::result(id, RawJson::EMPTY_OBJECT);
        once(sender.write(&answer)).await;
        let _ = sender.flush().await;
        if let Ok(mut pieces) = answer.pieces() {
            once(sender.write_pieces(|out| pieces.fill(out))).await;
            let _ = sender.resume_pieces(|out| pieces.fill(out)).await;
            let _ = sender.give_up().await;
        }
    }
    let _ = connection.sender().queue(&Outgoing::notification("end"));
    let _ = connection.write(&Outgoing::request(1, "ping")).await;
}

/// Polls a future once and drops it.
async fn once<T>(future: impl Future<Output = T>) {
    let mut future = pin!(future);
    poll_fn(|context| {
        let _ = future.as_mut().poll(context).is_ready();
        Poll::Ready(())
    })
    .await;
}
