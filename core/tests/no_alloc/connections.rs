//! Connections of both flavours.

use super::*;
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wireline::io::{
    AsyncConnection, AsyncReceiver, AsyncSender, Connection, Pair, Receiver, Sender,
};

/// Bytes in from a slice, and out into nothing.
struct Sink;

impl embedded_io::ErrorType for Sink {
    type Error = Infallible;
}

impl embedded_io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(bytes.len().min(7))
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io_async::Write for Sink {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(bytes.len().min(7))
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn ready<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here has to wait"),
    }
}

macro_rules! connections {
    ($connection:ident, $receiver:ident, $sender:ident, $run:path) => {{
        let ping = Outgoing::request(1, "ping");
        let transport = Pair { reader: STREAM, writer: Sink };
        let mut connection = free!("io.rs" new: $connection::new(transport, [0; 256], limits(), [0; 128]));
        let mut items = 0;
        while free!("io.rs" read: $run(connection.read())).unwrap().is_some() {
            items += 1;
            free!("io.rs" write: $run(connection.write(&ping))).unwrap();
        }
        assert_eq!(items, ITEMS);
        assert!(free!("io.rs" receive: $run(connection.receive())).unwrap().is_none());
        free!("io.rs" decoder: connection.decoder().limits().depth);
        free!("io.rs" transport: connection.transport().reader.len());
        let sender = free!("io.rs" sender: connection.sender());
        free!("io.rs" queue: sender.queue(&ping)).unwrap();
        free!("io.rs" pending: sender.pending());
        free!("io.rs" flush: $run(sender.flush())).unwrap();
        let mut pieces = ping.pieces().unwrap();
        free!("io.rs" write_pieces: $run(sender.write_pieces(|out| pieces.fill(out)))).unwrap();
        free!("io.rs" resume_pieces: $run(sender.resume_pieces(|out| pieces.fill(out)))).unwrap();
        free!("io.rs" give_up: $run(sender.give_up())).unwrap();
        let (receiver, sender) = free!("io.rs" split: connection.split());
        let _: &$receiver<_, _> = &receiver;
        let _: &$sender<_, _> = &sender;
        free!("io.rs" into_parts: receiver.into_parts());
        free!("io.rs" into_parts: sender.into_parts());
    }};
}

pub fn connections() {
    connections!(Connection, Receiver, Sender, std::convert::identity);
    connections!(AsyncConnection, AsyncReceiver, AsyncSender, ready);
}
