//! Connections over transports that are slow, short, broken, and given up at any point.
#![cfg(feature = "io")]

#[path = "support/values.rs"]
mod values;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use embedded_io::{ErrorKind, ErrorType};
use proptest::prelude::*;
use serde_json::Value;
use values::*;
use wireline::encode::{MessageWriter, OutId, Outgoing, Payload, WriteError};
use wireline::io::{
    AsyncConnection, AsyncReceiver, AsyncSender, Connection, Error, Incoming, Pair, Receiver,
    Sender,
};
use wireline::json::{self, RawJson};
use wireline::{FaultKind, Limits, LineDecoder};

// ---- a transport that does as it is told ----

/// What the transport does at a call.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Nothing yet.
    Wait,
    /// Takes or gives so many bytes at most.
    Move(usize),
    /// Reports an error and takes or gives nothing.
    Fail,
}

#[derive(Debug, Default)]
struct Wire {
    input: VecDeque<u8>,
    output: Vec<u8>,
    /// Bytes of the output that had been flushed.
    flushed: usize,
    /// The sizes of the writes.
    writes: Vec<usize>,
    flushes: usize,
    reads: VecDeque<Step>,
    sends: VecDeque<Step>,
}

/// A transport and the test's hold on it. When its orders run out it does all at once.
#[derive(Clone, Debug, Default)]
struct Mock(Rc<RefCell<Wire>>);

impl Mock {
    fn new(input: &[u8], reads: &[Step], sends: &[Step]) -> Self {
        Mock(Rc::new(RefCell::new(Wire {
            input: input.iter().copied().collect(),
            reads: reads.iter().copied().collect(),
            sends: sends.iter().copied().collect(),
            ..Wire::default()
        })))
    }

    fn output(&self) -> Vec<u8> {
        let wire = self.0.borrow();
        assert_eq!(
            wire.flushed,
            wire.output.len(),
            "all that was sent was flushed"
        );
        wire.output.clone()
    }

    fn poll_read(&self, buf: &mut [u8]) -> Poll<Result<usize, ErrorKind>> {
        assert!(!buf.is_empty(), "no room was lent");
        let mut wire = self.0.borrow_mut();
        let most = match wire.reads.pop_front() {
            Some(Step::Wait) => return Poll::Pending,
            Some(Step::Fail) => return Poll::Ready(Err(ErrorKind::TimedOut)),
            Some(Step::Move(most)) => most.max(1),
            None => usize::MAX,
        };
        let count = most.min(buf.len()).min(wire.input.len());
        for (to, from) in buf.iter_mut().zip(wire.input.drain(..count)) {
            *to = from;
        }
        Poll::Ready(Ok(count))
    }

    fn poll_write(&self, buf: &[u8]) -> Poll<Result<usize, ErrorKind>> {
        assert!(!buf.is_empty(), "an empty write");
        let mut wire = self.0.borrow_mut();
        let most = match wire.sends.pop_front() {
            Some(Step::Wait) => return Poll::Pending,
            Some(Step::Fail) => return Poll::Ready(Err(ErrorKind::TimedOut)),
            Some(Step::Move(most)) => most,
            None => usize::MAX,
        };
        let count = most.min(buf.len());
        wire.output.extend_from_slice(&buf[..count]);
        wire.writes.push(count);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(&self) -> Poll<Result<(), ErrorKind>> {
        let mut wire = self.0.borrow_mut();
        match wire.sends.pop_front() {
            Some(Step::Wait) => return Poll::Pending,
            Some(Step::Fail) => return Poll::Ready(Err(ErrorKind::TimedOut)),
            _ => {}
        }
        wire.flushed = wire.output.len();
        wire.flushes += 1;
        Poll::Ready(Ok(()))
    }

    /// The blocking flavour has no waiting: it goes on to the next order.
    fn now<T>(mut poll: impl FnMut() -> Poll<T>) -> T {
        loop {
            if let Poll::Ready(result) = poll() {
                return result;
            }
        }
    }
}

impl ErrorType for Mock {
    type Error = ErrorKind;
}

impl embedded_io::Read for Mock {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, ErrorKind> {
        Mock::now(|| self.poll_read(buf))
    }
}

impl embedded_io::Write for Mock {
    fn write(&mut self, buf: &[u8]) -> Result<usize, ErrorKind> {
        Mock::now(|| self.poll_write(buf))
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Mock::now(|| self.poll_flush())
    }
}

impl embedded_io_async::Read for Mock {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, ErrorKind> {
        std::future::poll_fn(|_| self.poll_read(buf)).await
    }
}

impl embedded_io_async::Write for Mock {
    async fn write(&mut self, buf: &[u8]) -> Result<usize, ErrorKind> {
        std::future::poll_fn(|_| self.poll_write(buf)).await
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        std::future::poll_fn(|_| self.poll_flush()).await
    }
}

/// Polls a future so often at most; `None`, if it is not ready then and is to be dropped.
fn polled<F: Future>(mut future: Pin<&mut F>, times: usize) -> Option<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    })
}

fn finished<F: Future>(future: F) -> F::Output {
    polled(pin!(future), 10_000).expect("it ends")
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(
        prop_oneof![
            3 => Just(Step::Wait),
            4 => (1usize..30).prop_map(Step::Move),
            1 => Just(Step::Fail),
        ],
        0..60,
    )
}

/// How often each future is polled before it is dropped.
fn any_patience() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(1usize..6, 1..10)
}

// ---- reading ----

fn any_input() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => (any::<u32>(), any_text()).prop_map(|(id, text)| {
            let params = json::from_fn(|w| {
                w.begin_object().member("t", &text.as_str()).end_object();
            });
            line(&Outgoing::request(id, "m").params(&params)).unwrap()
        }),
        1 => Just(b"boot: ok\r\n".to_vec()),
        1 => Just(b"\n".to_vec()),
        1 => Just(b"{\"jsonrpc\":\"2.0\",\"id\":1}\n".to_vec()),
        1 => (30usize..300).prop_map(|n| {
            format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{}\",\"id\":5}}\n", "x".repeat(n)).into_bytes()
        }),
    ];
    (
        proptest::collection::vec(line, 0..12),
        prop_oneof![Just(""), Just("{\"jsonrpc\":"), Just("x")],
    )
        .prop_map(|(lines, tail)| [lines.concat(), tail.as_bytes().to_vec()].concat())
}

fn seen(item: Incoming<'_>) -> String {
    match item {
        Ok(message) => format!("{message:?}"),
        Err(fault) => format!("{fault:?}"),
    }
}

const BUFFER: usize = 160;

/// What the decoder alone makes of the input.
fn expected(mut input: &[u8]) -> Vec<String> {
    let mut decoder = LineDecoder::new([0; BUFFER], Limits::EMBEDDED);
    let mut items = Vec::new();
    loop {
        while let Some(item) = decoder.next() {
            items.push(seen(item));
        }
        let spare = decoder.spare();
        let count = spare.len().min(input.len());
        if count == 0 {
            break;
        }
        spare[..count].copy_from_slice(&input[..count]);
        input = &input[count..];
        decoder.commit(count);
    }
    items.extend(decoder.finish().map(seen));
    items
}

proptest! {
    #[test]
    fn a_dropped_read_loses_no_byte(
        input in any_input(), reads in any_steps(), patience in any_patience(),
    ) {
        let mock = Mock::new(&input, &reads, &[]);
        let mut receiver = AsyncReceiver::new(mock, [0; BUFFER], Limits::EMBEDDED);
        let mut items = Vec::new();
        for times in patience.iter().copied().cycle() {
            match polled(pin!(receiver.read()), times) {
                // Dropped, or the transport failed: again.
                None | Some(Err(ErrorKind::TimedOut)) => {}
                Some(Err(error)) => panic!("{error:?}"),
                Some(Ok(Some(item))) => items.push(seen(item)),
                Some(Ok(None)) => break,
            }
        }
        prop_assert_eq!(items, expected(&input));
        // The end stays the end.
        while !matches!(finished(receiver.read()), Ok(None)) {}
    }

    #[test]
    fn a_blocking_read_that_fails_loses_no_byte(input in any_input(), reads in any_steps()) {
        let mock = Mock::new(&input, &reads, &[]);
        let mut receiver = Receiver::new(mock, [0; BUFFER], Limits::EMBEDDED);
        let mut items = Vec::new();
        loop {
            match receiver.read() {
                Ok(Some(item)) => items.push(seen(item)),
                Ok(None) => break,
                Err(error) => assert_eq!(error, ErrorKind::TimedOut),
            }
        }
        prop_assert_eq!(items, expected(&input));
    }
}

#[test]
fn a_stream_that_never_ends_a_line_is_closed() {
    let mock = Mock::new(&[b'x'; 10_000], &[], &[]);
    let limits = Limits::EMBEDDED.with_max_discard(500);
    let mut receiver = Receiver::new(mock, [0; BUFFER], limits);
    let fault = receiver.read().unwrap().unwrap().unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Runaway);
    assert!(receiver.read().unwrap().is_none());
    assert!(receiver.decoder().is_closed());
}

// ---- writing ----

/// A message and its line.
fn message(index: usize, text: &str) -> Vec<u8> {
    line(&Outgoing::request(index as i64, text)).unwrap()
}

/// Checks that the output is whole lines of the messages, in their order, each once, and
/// that those that must be there are.
fn check_lines(output: &[u8], lines: &[Vec<u8>], sure: &[bool]) {
    let mut rest = output;
    let mut next = 0;
    while !rest.is_empty() {
        let end = rest
            .iter()
            .position(|byte| *byte == b'\n')
            .expect("the last line is ended");
        let (found, after) = rest.split_at(end + 1);
        rest = after;
        loop {
            assert!(
                next < lines.len(),
                "{:?} is torn or out of place",
                String::from_utf8_lossy(found)
            );
            next += 1;
            if lines[next - 1] == found {
                break;
            }
            assert!(!sure[next - 1], "line {} is lost", next - 1);
        }
    }
    assert!(!sure[next..].contains(&true), "a line is lost");
}

proptest! {
    #[test]
    fn a_dropped_write_ends_its_line_before_the_next_begins(
        texts in proptest::collection::vec("[ -~]{0,60}", 1..12),
        sends in any_steps(),
        patience in any_patience(),
        size in 110usize..300,
    ) {
        let mock = Mock::new(&[], &[], &sends);
        let mut sender = AsyncSender::new(mock.clone(), vec![0; size].fixed());
        let mut lines = Vec::new();
        let mut sure = Vec::new();
        for ((index, text), times) in texts.iter().enumerate().zip(patience.iter().copied().cycle()) {
            lines.push(message(index, text));
            let request = Outgoing::request(index as i64, text);
            let result = polled(pin!(sender.write(&request)), times);
            sure.push(match result {
                Some(Ok(())) => {
                    prop_assert_eq!(sender.pending(), 0);
                    true
                }
                // Not begun, or in the buffer: whatever is in the buffer will be sent.
                None => false,
                Some(Err(Error::Io(ErrorKind::TimedOut))) => false,
                Some(Err(error)) => panic!("{error:?}"),
            });
        }
        while finished(sender.flush()).is_err() {}
        check_lines(&mock.output(), &lines, &sure);
    }

    #[test]
    fn a_blocking_write_that_fails_is_gone_on_with(
        texts in proptest::collection::vec("[ -~]{0,60}", 1..12),
        sends in any_steps(),
    ) {
        let mock = Mock::new(&[], &[], &sends);
        let mut sender = Sender::new(mock.clone(), [0; 256]);
        let mut lines = Vec::new();
        let mut sure = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            lines.push(message(index, text));
            sure.push(sender.write(&Outgoing::request(index as i64, text)).is_ok());
        }
        while sender.flush().is_err() {}
        check_lines(&mock.output(), &lines, &sure);
    }

    #[test]
    fn queued_lines_leave_together_or_one_by_one(
        texts in proptest::collection::vec("[ -~]{0,60}", 1..12),
        size in 110usize..400,
    ) {
        let mock = Mock::new(&[], &[], &[]);
        let mut sender = Sender::new(mock.clone(), vec![0; size].fixed());
        let lines: Vec<_> = texts.iter().enumerate().map(|(index, text)| message(index, text)).collect();
        let mut flushes = 1;
        for (index, text) in texts.iter().enumerate() {
            let request = Outgoing::request(index as i64, text);
            if let Err(error) = sender.queue(&request) {
                prop_assert_eq!(error, Error::Full);
                sender.flush().unwrap();
                flushes += 1;
                sender.queue(&request).unwrap();
            }
        }
        prop_assert!(sender.pending() > 0);
        sender.flush().unwrap();
        prop_assert_eq!(mock.output(), lines.concat());
        prop_assert_eq!(mock.0.borrow().writes.len(), flushes);
    }

    #[test]
    fn a_line_in_pieces_is_ended_before_another_begins(
        value in any_object(), sends in any_steps(), patience in any_patience(),
        size in 1usize..50, give_up: bool,
    ) {
        let tree = Tree(&value);
        let long = Outgoing::notification("long").params(&tree);
        let mock = Mock::new(&[], &[], &sends);
        let mut sender = AsyncSender::new(mock.clone(), vec![0; size.max(46)].fixed());
        let mut pieces = long.pieces().unwrap();
        let mut attempts = 0;
        let mut given_up = false;
        for times in patience.iter().copied().cycle() {
            attempts += 1;
            let left = pieces.remaining();
            match polled(pin!(sender.resume_pieces(|out| pieces.fill(out))), times) {
                Some(Ok(())) => break,
                Some(Err(error)) => prop_assert_eq!(error, Error::Io(ErrorKind::TimedOut)),
                None => {}
            }
            prop_assert!(pieces.remaining() <= left);
            let begun = pieces.remaining() < long.line_len().unwrap();
            if begun && !pieces.is_done() {
                // Nothing else gets into the line.
                let other = Outgoing::notification("other");
                let queued = sender.queue(&other);
                prop_assert_eq!(queued, Err(Error::MidLine));
                let refused = finished(sender.write_pieces(|_| panic!("asked for bytes")));
                prop_assert_eq!(refused, Err(Error::MidLine));
            }
            if give_up && attempts == 3 {
                while finished(sender.give_up()).is_err() {}
                given_up = true;
                break;
            }
        }
        while finished(sender.write(&Outgoing::notification("next"))).is_err() {
            while finished(sender.flush()).is_err() {}
        }
        let output = mock.output();
        let next = b"{\"jsonrpc\":\"2.0\",\"method\":\"next\"}\n";
        let mut lines: Vec<&[u8]> = output.split_inclusive(|byte| *byte == b'\n').collect();
        // An error after the line was queued has it written twice by the loop above.
        while lines.last() == Some(&&next[..]) {
            lines.pop();
        }
        prop_assert!(lines.len() <= 1);
        let whole = line(&long).unwrap();
        match lines.first() {
            Some(sent) if *sent == whole => {}
            Some(sent) => {
                prop_assert!(given_up);
                let cut = sent.strip_suffix(b"\n").unwrap();
                prop_assert!(whole.starts_with(cut));
                prop_assert!(RawJson::validate(cut).is_err());
            }
            None => prop_assert!(given_up),
        }
    }
}

/// A buffer whose size a test chooses, and which does not grow.
trait Fixed {
    fn fixed(self) -> &'static mut [u8];
}

impl Fixed for Vec<u8> {
    fn fixed(self) -> &'static mut [u8] {
        self.leak()
    }
}

#[test]
fn one_line_is_one_write_and_is_flushed() {
    let mock = Mock::new(&[], &[], &[]);
    let mut sender = Sender::new(mock.clone(), [0; 64]);
    sender.write(&Outgoing::request(1, "a")).unwrap();
    sender.write(&Outgoing::request(2, "b")).unwrap();
    let output = mock.output();
    let lines: Vec<usize> = output
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::len)
        .collect();
    assert_eq!(mock.0.borrow().writes, lines);
    assert_eq!(mock.0.borrow().flushes, 2);
}

#[test]
fn a_line_longer_than_the_buffer_is_refused_and_nothing_is_begun() {
    let text = "x".repeat(100);
    let long = Outgoing::notification(&text);
    let needed = long.line_len().unwrap();
    let mock = Mock::new(&[], &[], &[]);
    let mut sender = Sender::new(mock.clone(), [0; 64]);
    let refused = Err(Error::Write(WriteError::TooSmall { needed }));
    assert_eq!(sender.write(&long), refused);
    assert_eq!(sender.queue(&long), refused);
    assert_eq!(
        sender.write(&Outgoing::request("", "m")),
        Err(Error::Write(WriteError::BadId))
    );
    assert_eq!(sender.pending(), 0);
    assert!(mock.output().is_empty());
    // Memory that can grow does.
    let mut sender = Sender::new(mock.clone(), heapless::Vec::<u8, 256>::new());
    sender.write(&long).unwrap();
    assert_eq!(mock.output().len(), needed);
}

#[cfg(feature = "std")]
#[test]
fn a_vec_grows_for_the_longest_line() {
    let text = "x".repeat(1 << 20);
    let mock = Mock::new(&[], &[], &[]);
    let mut sender = Sender::new(mock.clone(), Vec::new());
    sender.queue(&Outgoing::notification("short")).unwrap();
    sender.queue(&Outgoing::notification(&text)).unwrap();
    sender.flush().unwrap();
    assert_eq!(
        mock.output().iter().filter(|byte| **byte == b'\n').count(),
        2
    );
    let mut pieces = Outgoing::notification(&text).pieces().unwrap();
    let mut sender = Sender::new(mock.clone(), Vec::new());
    sender.write_pieces(|out| pieces.fill(out)).unwrap();
    assert_eq!(
        mock.output().iter().filter(|byte| **byte == b'\n').count(),
        3
    );
}

#[test]
fn a_transport_that_takes_nothing_is_an_error_and_the_line_stays() {
    let mock = Mock::new(&[], &[], &[Step::Move(5), Step::Move(0)]);
    let mut sender = Sender::new(mock.clone(), [0; 64]);
    assert_eq!(
        sender.write(&Outgoing::request(1, "a")),
        Err(Error::WriteZero)
    );
    assert_eq!(sender.pending(), message(1, "a").len() - 5);
    sender.flush().unwrap();
    assert_eq!(mock.output(), message(1, "a"));
}

#[test]
fn a_flush_that_was_dropped_is_made_up_for() {
    let mock = Mock::new(&[], &[], &[Step::Move(1000), Step::Wait]);
    let mut sender = AsyncSender::new(mock.clone(), [0; 64]);
    assert!(polled(pin!(sender.write(&Outgoing::request(1, "a"))), 1).is_none());
    assert_eq!(sender.pending(), 0);
    assert_eq!(mock.0.borrow().flushed, 0);
    finished(sender.flush()).unwrap();
    assert_eq!(mock.output(), message(1, "a"));
}

#[test]
fn a_payload_in_pieces_goes_through_a_small_buffer() {
    let mock = Mock::new(&[], &[], &[]);
    let mut sender = Sender::new(mock.clone(), [0; 40]);
    let head = Outgoing::result(OutId::Text("id"), Payload::None);
    let mut writer = MessageWriter::new(head).unwrap();
    let mut body: &[u8] = b"{\"a\":[1,\r\n2,3]}";
    sender
        .write_pieces(|out| {
            while !body.is_empty() {
                let (used, written) = writer.body(body, out)?;
                body = &body[used..];
                if written > 0 {
                    return Ok(written);
                }
            }
            writer.finish(out)
        })
        .unwrap();
    assert_eq!(
        mock.output(),
        b"{\"jsonrpc\":\"2.0\",\"id\":\"id\",\"result\":{\"a\":[1,2,3]}}\n"
    );

    // One that turns out to be broken is given up, and the next line stands alone.
    let mut writer = MessageWriter::new(head).unwrap();
    let mut body: &[u8] = b"{\"a\":tru!}";
    let error = sender.write_pieces(|out| {
        let (used, written) = writer.body(body, out)?;
        body = &body[used..];
        Ok(written)
    });
    assert!(matches!(error, Err(Error::Write(WriteError::Invalid(_)))));
    assert_eq!(
        sender.write(&Outgoing::request(1, "a")),
        Err(Error::MidLine)
    );
    sender.give_up().unwrap();
    sender.give_up().unwrap();
    sender.write(&Outgoing::request(1, "a")).unwrap();
    let output = mock.output();
    let lines: Vec<&[u8]> = output.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 3);
    assert!(RawJson::validate(lines[1]).is_err());
    assert_eq!(lines[2], message(1, "a"));
}

/// A line that only some pieces of have left.
fn long_line() -> (String, Vec<u8>) {
    let text = "x".repeat(200);
    let line = line(&Outgoing::notification(&text)).unwrap();
    (text, line)
}

#[test]
fn a_second_line_in_pieces_does_not_go_on_with_the_first() {
    let (text, whole) = long_line();
    let first = Outgoing::notification(&text);
    let second = Outgoing::request(2, "second");
    let end = [whole.clone(), line(&second).unwrap()].concat();

    // The async call is dropped after one piece has left.
    let mock = Mock::new(&[], &[], &[Step::Move(64), Step::Move(0), Step::Wait]);
    let mut sender = AsyncSender::new(mock.clone(), [0; 64]);
    let mut pieces = first.pieces().unwrap();
    assert!(polled(pin!(sender.write_pieces(|out| pieces.fill(out))), 1).is_none());
    let mut others = second.pieces().unwrap();
    let refused = finished(sender.write_pieces(|out| others.fill(out)));
    assert_eq!(refused, Err(Error::MidLine));
    assert_eq!(
        others.remaining(),
        line(&second).unwrap().len(),
        "not begun"
    );
    finished(sender.resume_pieces(|out| pieces.fill(out))).unwrap();
    finished(sender.write_pieces(|out| others.fill(out))).unwrap();
    assert_eq!(mock.output(), end);

    // The blocking one fails there.
    let mock = Mock::new(&[], &[], &[Step::Move(64), Step::Move(0), Step::Fail]);
    let mut sender = Sender::new(mock.clone(), [0; 64]);
    let mut pieces = first.pieces().unwrap();
    let failed = sender.write_pieces(|out| pieces.fill(out));
    assert_eq!(failed, Err(Error::Io(ErrorKind::TimedOut)));
    let mut others = second.pieces().unwrap();
    let refused = sender.write_pieces(|out| others.fill(out));
    assert_eq!(refused, Err(Error::MidLine));
    sender.resume_pieces(|out| pieces.fill(out)).unwrap();
    sender.write_pieces(|out| others.fill(out)).unwrap();
    assert_eq!(mock.output(), end);
}

#[test]
fn a_line_that_only_waits_to_leave_is_no_line_to_be_gone_on_with() {
    // Dropped when the last piece is in the buffer: another line may follow it.
    let (text, whole) = long_line();
    let first = Outgoing::notification(&text);
    let mock = Mock::new(&[], &[], &[Step::Wait]);
    let mut sender = AsyncSender::new(mock.clone(), [0; 512]);
    let mut pieces = first.pieces().unwrap();
    assert!(polled(pin!(sender.write_pieces(|out| pieces.fill(out))), 1).is_none());
    // Going on is no harm either, and begins what has not been begun.
    finished(sender.resume_pieces(|out| pieces.fill(out))).unwrap();
    let mut again = first.pieces().unwrap();
    finished(sender.resume_pieces(|out| again.fill(out))).unwrap();
    assert_eq!(mock.output(), [whole.clone(), whole].concat());
}

#[cfg(feature = "std")]
#[test]
fn a_line_is_given_up_whatever_became_of_the_buffer() {
    let (text, whole) = long_line();
    let mock = Mock::new(&[], &[], &[]);
    let mut sender = Sender::new(mock.clone(), Emptied(Vec::new()));
    let mut pieces = Outgoing::notification(&text).pieces().unwrap();
    let mut first = true;
    let failed = sender.write_pieces(|out| {
        let some = out.len().min(64);
        if std::mem::take(&mut first) {
            return pieces.fill(&mut out[..some]);
        }
        Err(WriteError::Changed)
    });
    assert_eq!(failed, Err(Error::Write(WriteError::Changed)));
    sender.give_up().unwrap();
    sender.write(&Outgoing::request(1, "a")).unwrap();
    let end = [&whole[..64], b"\n", &message(1, "a")].concat();
    assert_eq!(mock.output(), end);
}

/// A buffer that gives back all of its memory as soon as nothing is in it.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
struct Emptied(Vec<u8>);

#[cfg(feature = "std")]
impl wireline::Storage for Emptied {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
    fn capacity(&self) -> usize {
        usize::MAX
    }
    fn grow(&mut self, need: usize, _most: usize) -> bool {
        self.0.resize(need.max(self.0.len()).max(128), 0);
        true
    }
    fn shrink(&mut self) {
        self.0.clear();
    }
}

// ---- both ----

/// Two flavours of one server: every request is answered with its own id.
// Shows R11.
#[test]
fn requests_are_answered_with_their_ids_as_they_came() {
    let input = b"{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\",\"method\":\"ping\"}\nnoise\n{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}\n";
    let expected = b"{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\",\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{}}\n";

    let mock = Mock::new(input, &[Step::Move(7); 9], &[Step::Move(3); 9]);
    let mut connection = Connection::new(mock.clone(), [0; 256], Limits::EMBEDDED, [0; 64]);
    while let Some((item, sender)) = connection.receive().unwrap() {
        if let Some(id) = item.ok().and_then(|message| message.id()) {
            sender
                .write(&Outgoing::result(id, RawJson::EMPTY_OBJECT))
                .unwrap();
        }
    }
    assert_eq!(mock.output(), expected);

    let mock = Mock::new(input, &[Step::Move(7); 9], &[Step::Move(3); 9]);
    let mut connection = AsyncConnection::new(mock.clone(), [0; 256], Limits::EMBEDDED, [0; 64]);
    finished(async {
        while let Some((item, sender)) = connection.receive().await.unwrap() {
            if let Some(id) = item.ok().and_then(|message| message.id()) {
                sender
                    .write(&Outgoing::result(id, RawJson::EMPTY_OBJECT))
                    .await
                    .unwrap();
            }
        }
    });
    assert_eq!(mock.output(), expected);
}

#[test]
fn a_split_connection_keeps_what_it_holds() {
    let input =
        b"{\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"two\"}\n";
    let mock = Mock::new(input, &[], &[]);
    let pair = Pair {
        reader: mock.clone(),
        writer: mock.clone(),
    };
    let mut connection = Connection::new(pair, [0; 256], Limits::EMBEDDED, [0; 64]);
    let first = connection.read().unwrap().unwrap().unwrap();
    assert_eq!(first.method().unwrap(), "one");
    connection
        .sender()
        .queue(&Outgoing::notification("waits"))
        .unwrap();
    let (mut receiver, mut sender) = connection.split();
    let second = receiver.read().unwrap().unwrap().unwrap();
    assert_eq!(second.method().unwrap(), "two");
    sender.write(&Outgoing::notification("next")).unwrap();
    let output = mock.output();
    let methods: Vec<Value> = output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice::<Value>(line).unwrap()["method"].clone())
        .collect();
    assert_eq!(methods, ["waits", "next"]);
}
