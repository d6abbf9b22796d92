//! Connections over [`embedded_io`] and [`embedded_io_async`]: bytes in and out, messages
//! to and from them.
//!
//! | | blocking | async |
//! |---|---|---|
//! | both directions over one object | [`Connection`] | [`AsyncConnection`] |
//! | one direction, to be used from two places | [`Receiver`], [`Sender`] | [`AsyncReceiver`], [`AsyncSender`] |
//!
//! Both flavours do the same in the same order.
//!
//! # What is kept when a call does not come to its end
//!
//! A call can end early: the transport reports an error, or an async call's future is
//! dropped, as in `select!`, by a timeout or with its task. No byte is lost and no line
//! torn by it:
//!
//! * Bytes that have been read are in the decoder. The next `read` goes on with them.
//! * A line that is being written is in the transmit buffer, whole, with a count of what
//!   has left. The next call that writes, of whatever, first sends the rest of it; the
//!   new line begins behind its LF. `flush` alone does so, too.
//! * A line sent with `write_pieces` has only its piece in hand in the buffer. Until it
//!   is ended, by `resume_pieces` with what gives the rest of it or by `give_up`, other
//!   lines are refused with [`Error::MidLine`], those of `write_pieces` among them.
//!
//! This holds as far as the transport does its part: a `read` or `write` of its own that
//! is dropped must not have taken or sent bytes (`embedded_io_async` calls that being
//! side-effect-free on cancel, and asks implementations to say whether they are).
//!
//! An error of the transport leaves the connection as it was before the failing step: the
//! call can be made again, or the transport mended or replaced first.

mod transmit;

use crate::decode::{LineDecoder, Storage};
use crate::encode::{ToJson, WriteError};
use crate::fault::Rejected;
use crate::limits::Limits;
use crate::message::Message;
use embedded_io::ErrorType;
use transmit::Transmit;

/// What a line that was read came to: see [`LineDecoder::next`].
pub type Incoming<'d> = Result<Message<'d>, Rejected<'d>>;

/// Why nothing, or not all, was written.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<E> {
    /// The transport's own error. The line stays in the buffer; the next call that
    /// writes goes on with it.
    Io(E),
    /// The transport took no bytes and reported no error. As [`Error::Io`].
    WriteZero,
    /// The message cannot be written, or is longer than the transmit buffer
    /// ([`WriteError::TooSmall`] with the bytes needed). It has not been begun.
    Write(WriteError),
    /// The line would fit, but not beside what waits in the buffer: flush first. It has
    /// not been begun.
    Full,
    /// A line sent in pieces has not been ended. The message has not been begun.
    MidLine,
}

impl<E: core::fmt::Display> core::fmt::Display for Error<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Error::Io(error) => error.fmt(f),
            Error::WriteZero => f.write_str("the transport took no bytes"),
            Error::Write(error) => error.fmt(f),
            Error::Full => f.write_str("the transmit buffer must be flushed first"),
            Error::MidLine => f.write_str("a line sent in pieces has not been ended"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for Error<E> {}

impl<E> From<WriteError> for Error<E> {
    fn from(error: WriteError) -> Self {
        Error::Write(error)
    }
}

/// A reader and a writer as one transport, such as standard input and output, or the two
/// halves of a serial port.
#[derive(Clone, Copy, Debug)]
pub struct Pair<R, W> {
    /// Where bytes come from.
    pub reader: R,
    /// Where bytes go.
    pub writer: W,
}

impl<R: ErrorType, W: ErrorType<Error = R::Error>> ErrorType for Pair<R, W> {
    type Error = R::Error;
}

impl<R, W> embedded_io::Read for Pair<R, W>
where
    R: embedded_io::Read,
    W: ErrorType<Error = R::Error>,
{
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        self.reader.read(buf)
    }
}

impl<R, W> embedded_io::Write for Pair<R, W>
where
    R: ErrorType,
    W: embedded_io::Write<Error = R::Error>,
{
    fn write(&mut self, buf: &[u8]) -> Result<usize, Self::Error> {
        self.writer.write(buf)
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        self.writer.flush()
    }
}

impl<R, W> embedded_io_async::Read for Pair<R, W>
where
    R: embedded_io_async::Read,
    W: ErrorType<Error = R::Error>,
{
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        self.reader.read(buf).await
    }
}

impl<R, W> embedded_io_async::Write for Pair<R, W>
where
    R: ErrorType,
    W: embedded_io_async::Write<Error = R::Error>,
{
    async fn write(&mut self, buf: &[u8]) -> Result<usize, Self::Error> {
        self.writer.write(buf).await
    }

    async fn flush(&mut self) -> Result<(), Self::Error> {
        self.writer.flush().await
    }
}

/// Writes one flavour: `$async` and `$await` are empty for the blocking one.
macro_rules! flavour {
    (
        $io:ident, [$($async:ident)?], [$($await:tt)*],
        $connection:ident, $receiver:ident, $sender:ident, $read:ident, $flush:ident,
        [$(#[$connection_doc:meta])*], [$(#[$receiver_doc:meta])*], [$(#[$sender_doc:meta])*]
    ) => {
        $($async)? fn $read<'d, T: $io::Read, B: Storage>(
            transport: &mut T,
            decoder: &'d mut LineDecoder<B>,
        ) -> Result<Option<Incoming<'d>>, T::Error> {
            loop {
                if let Some(ready) = decoder.advance() {
                    return Ok(decoder.item(ready));
                }
                if decoder.is_closed() {
                    return Ok(None);
                }
                // Nothing may wait between the two: bytes that were read and not
                // committed would be lost.
                let bytes = transport.read(decoder.spare())$($await)*?;
                decoder.commit(bytes);
                if bytes == 0 {
                    return Ok(match decoder.advance_end() {
                        Some(ready) => decoder.item(ready),
                        None => None,
                    });
                }
            }
        }

        $($async)? fn $flush<T: $io::Write, X: Storage>(
            transport: &mut T,
            out: &mut Transmit<X>,
        ) -> Result<(), Error<T::Error>> {
            while !out.pending().is_empty() {
                let bytes = transport.write(out.pending())$($await)*.map_err(Error::Io)?;
                if !out.advance(bytes) {
                    return Err(Error::WriteZero);
                }
            }
            if out.unflushed {
                transport.flush()$($await)*.map_err(Error::Io)?;
                out.unflushed = false;
            }
            Ok(())
        }

        $(#[$receiver_doc])*
        #[derive(Clone, Debug)]
        pub struct $receiver<T, B> {
            transport: T,
            decoder: LineDecoder<B>,
        }

        impl<T, B: Storage> $receiver<T, B> {
            /// A receiver at the start of a stream, with storage for the decoder.
            #[must_use]
            pub fn new(transport: T, storage: B, limits: Limits) -> Self {
                $receiver { transport, decoder: LineDecoder::new(storage, limits) }
            }

            /// The decoder, to ask it for positions and the unfinished line.
            pub fn decoder(&mut self) -> &mut LineDecoder<B> {
                &mut self.decoder
            }

            /// The transport. Bytes read from it here are lost to the decoder.
            pub fn transport(&mut self) -> &mut T {
                &mut self.transport
            }

            /// The transport and the decoder with what it holds.
            pub fn into_parts(self) -> (T, LineDecoder<B>) {
                (self.transport, self.decoder)
            }
        }

        impl<T: $io::Read, B: Storage> $receiver<T, B> {
            /// Waits for the next line and returns what it came to. `None` is the end of
            /// the input, after a line that it cut off, or of what the decoder takes: after
            /// [`Runaway`](crate::FaultKind::Runaway) nothing more is read.
            ///
            /// # Errors
            ///
            /// The transport's own. What was read before stays in the decoder.
            pub $($async)? fn read(&mut self) -> Result<Option<Incoming<'_>>, T::Error> {
                $read(&mut self.transport, &mut self.decoder)$($await)*
            }
        }

        $(#[$sender_doc])*
        #[derive(Clone, Debug)]
        pub struct $sender<T, X> {
            transport: T,
            out: Transmit<X>,
        }

        impl<T, X: Storage> $sender<T, X> {
            /// A sender with a transmit buffer. Lines longer than the buffer can only be
            /// sent with [`write_pieces`](Self::write_pieces).
            #[must_use]
            pub const fn new(transport: T, buffer: X) -> Self {
                $sender { transport, out: Transmit::new(buffer) }
            }

            /// Puts a line into the buffer and sends nothing: [`flush`](Self::flush) does.
            /// Several lines can be sent at once that way.
            ///
            /// # Errors
            ///
            /// Any [`Error`] but those of the transport. The message has not been begun.
            pub fn queue(&mut self, message: &dyn ToJson) -> Result<(), Error<T::Error>>
            where
                T: ErrorType,
            {
                self.out.queue(message)
            }

            /// Bytes in the buffer that have not left yet.
            #[must_use]
            pub fn pending(&self) -> usize {
                self.out.pending().len()
            }

            /// The transport. Bytes written to it here may end up inside a line.
            pub fn transport(&mut self) -> &mut T {
                &mut self.transport
            }

            /// The transport and the buffer; what has not left is forgotten.
            pub fn into_parts(self) -> (T, X) {
                (self.transport, self.out.buffer)
            }
        }

        impl<T: $io::Write, X: Storage> $sender<T, X> {
            /// Sends a message as one line: an [`Outgoing`](crate::encode::Outgoing), a
            /// [`Renumber`](crate::encode::Renumber), a batch. What waits in the buffer
            /// leaves first. Returns when all has left and the transport is flushed.
            ///
            /// The call holds on to the message until then. Where that is in the way, as
            /// in an async task that must be `Send`, [`queue`](Self::queue) and
            /// [`flush`](Self::flush) do the same in two steps.
            ///
            /// # Errors
            ///
            /// Any [`Error`]; [`Error::Io`] and [`Error::WriteZero`] may leave part of
            /// the line in the buffer, the others have not begun it.
            pub $($async)? fn write<M: ToJson + ?Sized>(
                &mut self,
                message: &M,
            ) -> Result<(), Error<T::Error>> {
                self.flush()$($await)*?;
                self.out.queue(&message)?;
                self.flush()$($await)*
            }

            /// Sends a line longer than the buffer. `fill` gives its bytes piece by
            /// piece, LF included, and 0 at the end, as
            /// [`Pieces::fill`](crate::encode::Pieces::fill) and
            /// [`MessageWriter`](crate::encode::MessageWriter) do.
            ///
            /// If this does not come to its end,
            /// [`resume_pieces`](Self::resume_pieces) with what gives the rest, or
            /// [`give_up`](Self::give_up) the line.
            ///
            /// # Errors
            ///
            /// Those of the transport, and what `fill` reports. [`Error::MidLine`], if an
            /// earlier line has not been ended: nothing has been asked of `fill` then.
            pub $($async)? fn write_pieces(
                &mut self,
                fill: impl FnMut(&mut [u8]) -> Result<usize, WriteError>,
            ) -> Result<(), Error<T::Error>> {
                self.out.between_lines()?;
                self.resume_pieces(fill)$($await)*
            }

            /// Goes on with the line of a [`write_pieces`](Self::write_pieces) that did
            /// not come to its end. `fill` must give what is left of that same line: the
            /// bytes that an earlier call took from it are in the buffer or have left.
            /// If no line has been begun, this begins one, so a loop may call nothing
            /// but this until it says `Ok`.
            ///
            /// # Errors
            ///
            /// Those of the transport, and what `fill` reports.
            pub $($async)? fn resume_pieces(
                &mut self,
                mut fill: impl FnMut(&mut [u8]) -> Result<usize, WriteError>,
            ) -> Result<(), Error<T::Error>> {
                loop {
                    self.flush()$($await)*?;
                    if !self.out.fill(&mut fill)? {
                        return Ok(());
                    }
                }
            }

            /// Ends a line that was begun with [`write_pieces`](Self::write_pieces) and
            /// has not been ended: LF follows what has left of it, so that the peer rejects
            /// it as cut and reads the next line as it should. Does nothing else.
            ///
            /// # Errors
            ///
            /// Those of the transport.
            pub $($async)? fn give_up(&mut self) -> Result<(), Error<T::Error>> {
                self.flush()$($await)*?;
                self.out.give_up();
                self.flush()$($await)*
            }

            /// Sends what waits in the buffer and flushes the transport.
            ///
            /// # Errors
            ///
            /// Those of the transport.
            pub $($async)? fn flush(&mut self) -> Result<(), Error<T::Error>> {
                $flush(&mut self.transport, &mut self.out)$($await)*
            }
        }

        $(#[$connection_doc])*
        #[derive(Clone, Debug)]
        pub struct $connection<T, B, X> {
            receiver: $receiver<(), B>,
            sender: $sender<T, X>,
        }

        impl<T, B: Storage, X: Storage> $connection<T, B, X> {
            /// A connection with storage for the decoder and a transmit buffer, which
            /// must hold the longest line that is to be sent whole.
            #[must_use]
            pub fn new(transport: T, storage: B, limits: Limits, buffer: X) -> Self {
                $connection {
                    receiver: $receiver::new((), storage, limits),
                    sender: $sender::new(transport, buffer),
                }
            }

            /// The decoder, to ask it for positions and the unfinished line.
            pub fn decoder(&mut self) -> &mut LineDecoder<B> {
                &mut self.receiver.decoder
            }

            /// The sending half, with what it can do beside [`write`](Self::write).
            pub fn sender(&mut self) -> &mut $sender<T, X> {
                &mut self.sender
            }

            /// The transport.
            pub fn transport(&mut self) -> &mut T {
                &mut self.sender.transport
            }
        }

        impl<R, W, B: Storage, X: Storage> $connection<Pair<R, W>, B, X> {
            /// Two halves that can be used apart. Nothing is lost of what they hold.
            pub fn split(self) -> ($receiver<R, B>, $sender<W, X>) {
                (
                    $receiver {
                        transport: self.sender.transport.reader,
                        decoder: self.receiver.decoder,
                    },
                    $sender {
                        transport: self.sender.transport.writer,
                        out: self.sender.out,
                    },
                )
            }
        }

        impl<T: $io::Read, B: Storage, X: Storage> $connection<T, B, X> {
            #[doc = concat!("Waits for the next line: see [`", stringify!($receiver), "::read`].")]
            ///
            /// # Errors
            ///
            /// The transport's own. What was read before stays in the decoder.
            pub $($async)? fn read(&mut self) -> Result<Option<Incoming<'_>>, T::Error> {
                $read(&mut self.sender.transport, &mut self.receiver.decoder)$($await)*
            }
        }

        impl<T: $io::Read + $io::Write, B: Storage, X: Storage> $connection<T, B, X> {
            /// Waits for the next line as [`read`](Self::read) does, and lends the sending
            /// half beside it, so that a request can be answered while its id, as it
            /// stands in the decoder, is at hand.
            ///
            /// # Errors
            ///
            /// The transport's own. What was read before stays in the decoder.
            pub $($async)? fn receive(
                &mut self,
            ) -> Result<Option<(Incoming<'_>, &mut $sender<T, X>)>, T::Error> {
                let decoder = &mut self.receiver.decoder;
                let item = $read(&mut self.sender.transport, decoder)$($await)*?;
                Ok(item.map(|item| (item, &mut self.sender)))
            }
        }

        impl<T: $io::Write, B: Storage, X: Storage> $connection<T, B, X> {
            #[doc = concat!("Sends a message as one line: see [`", stringify!($sender), "::write`].")]
            ///
            /// # Errors
            ///
            /// Any [`Error`].
            pub $($async)? fn write<M: ToJson + ?Sized>(
                &mut self,
                message: &M,
            ) -> Result<(), Error<T::Error>> {
                self.sender.write(message)$($await)*
            }
        }
    };
}

flavour! {
    embedded_io, [], [],
    Connection, Receiver, Sender, read_blocking, flush_blocking,
    [
        /// Both directions over one blocking transport.
        ///
        /// ```
        /// use wireline::encode::Outgoing;
        /// use wireline::io::{Connection, Pair};
        /// use wireline::{Limits, Kind};
        /// use wireline::json::RawJson;
        ///
        /// let input = &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"[..];
        /// let mut output = [0; 64];
        /// let transport = Pair { reader: input, writer: Output(&mut output) };
        /// let mut connection = Connection::new(transport, [0; 512], Limits::EMBEDDED, [0; 128]);
        /// while let Some((item, sender)) = connection.receive().unwrap() {
        ///     let Ok(message) = item else { continue };
        ///     if message.kind() == Kind::Request {
        ///         let id = message.id().unwrap();
        ///         sender.write(&Outgoing::result(id, RawJson::EMPTY_OBJECT)).unwrap();
        ///     }
        /// }
        /// assert!(output.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"));
        /// # use embedded_io::{ErrorType, Write};
        /// # struct Output<'a>(&'a mut [u8]);
        /// # impl ErrorType for Output<'_> { type Error = core::convert::Infallible; }
        /// # impl Write for Output<'_> {
        /// #     fn write(&mut self, buf: &[u8]) -> Result<usize, Self::Error> { Ok(self.0.write(buf).unwrap()) }
        /// #     fn flush(&mut self) -> Result<(), Self::Error> { Ok(()) }
        /// # }
        /// ```
    ],
    [
        /// The reading half of a blocking connection.
    ],
    [
        /// The writing half of a blocking connection.
    ]
}

flavour! {
    embedded_io_async, [async], [.await],
    AsyncConnection, AsyncReceiver, AsyncSender, read_async, flush_async,
    [
        /// Both directions over one async transport. Its calls can be dropped at any
        /// point: see [the module](self).
        ///
        /// ```
        /// use wireline::encode::Outgoing;
        /// use wireline::io::AsyncConnection;
        /// use wireline::json::RawJson;
        /// use wireline::{Kind, Limits};
        /// # use embedded_io_async::{Read, Write};
        ///
        /// async fn serve<T: Read + Write>(transport: T) -> Option<()> {
        ///     let mut connection = AsyncConnection::new(transport, [0; 512], Limits::EMBEDDED, [0; 128]);
        ///     while let Some((item, sender)) = connection.receive().await.ok()? {
        ///         let request = item.ok().filter(|message| message.kind() == Kind::Request);
        ///         if let Some(id) = request.and_then(|request| request.id()) {
        ///             sender.write(&Outgoing::result(id, RawJson::EMPTY_OBJECT)).await.ok()?;
        ///         }
        ///     }
        ///     Some(())
        /// }
        /// ```
    ],
    [
        /// The reading half of an async connection.
    ],
    [
        /// The writing half of an async connection.
    ]
}
