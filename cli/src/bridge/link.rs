//! The line to a device, while it is open.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::net::sockopt;
use rustix::termios::{
    ControlModes, InputModes, OptionalActions, QueueSelector, Termios, ioctl_tiocexcl,
    ioctl_tiocnxcl, tcdrain, tcflush, tcgetattr, tcsetattr,
};

use serial2::SerialPort;

use super::address::{Address, Flow, Parity, Serial};

/// How long a TCP connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// A device that says nothing for so long is asked whether it is there, over TCP.
const KEEPALIVE: Duration = Duration::from_secs(15);
const KEEPALIVE_EACH: Duration = Duration::from_secs(5);
const KEEPALIVE_TIMES: u32 = 3;

/// What was sent and is not acknowledged for so long breaks a TCP connection: no probe is sent meanwhile.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED_MS: u32 = 30_000;

/// An open line. Reading and writing do not wait.
#[derive(Debug)]
pub(super) struct Link {
    file: File,
    /// How the serial port is to be set in the end.
    after: Option<Termios>,
    /// All that was written has left.
    drained: bool,
}

/// What reading or writing came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Bytes(usize),
    /// Nothing can be moved now.
    Nothing,
}

impl Link {
    pub(super) fn open(address: &Address) -> io::Result<Self> {
        match address {
            Address::Serial(serial) => Self::serial(serial),
            Address::Tcp(host) => {
                let stream = connect(host)?;
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
                sockopt::set_socket_keepalive(&stream, true)?;
                sockopt::set_tcp_keepidle(&stream, KEEPALIVE)?;
                sockopt::set_tcp_keepintvl(&stream, KEEPALIVE_EACH)?;
                sockopt::set_tcp_keepcnt(&stream, KEEPALIVE_TIMES)?;
                #[cfg(target_os = "linux")]
                sockopt::set_tcp_user_timeout(&stream, UNACKNOWLEDGED_MS)?;
                Ok(Self::socket(stream.into()))
            }
            Address::Unix(path) => {
                let stream = UnixStream::connect(path)?;
                stream.set_nonblocking(true)?;
                Ok(Self::socket(stream.into()))
            }
        }
    }

    fn socket(socket: OwnedFd) -> Self {
        Self {
            file: socket.into(),
            after: None,
            drained: false,
        }
    }

    fn serial(serial: &Serial) -> io::Result<Self> {
        let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(flags.bits().cast_signed())
            .open(&serial.path)?;
        // Two programs on one line would each get half of every answer. The lock is for programs that ask for it, with
        // the rights that the other does not stop.
        // A lock is not everywhere to be had.
        if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            let busy = io::Error::new(ErrorKind::ResourceBusy, "another program uses it");
            return Err(busy);
        }
        ioctl_tiocexcl(&file)?;
        let before = tcgetattr(&file)?;
        let mut settings = before.clone();
        settings.make_raw();
        settings.set_speed(serial.baud)?;
        let modes = &mut settings.control_modes;
        // The modem's lines do not matter, and the device is not reset by closing the port.
        modes.insert(ControlModes::CLOCAL | ControlModes::CREAD);
        modes.remove(ControlModes::HUPCL | ControlModes::CSIZE);
        modes.insert(ControlModes::CS8);
        modes.set(ControlModes::CSTOPB, serial.two_stop_bits);
        modes.set(ControlModes::PARENB, serial.parity != Parity::None);
        modes.set(ControlModes::PARODD, serial.parity == Parity::Odd);
        modes.set(ControlModes::CRTSCTS, serial.flow == Flow::Hardware);
        settings.input_modes.set(
            InputModes::IXON | InputModes::IXOFF,
            serial.flow == Flow::Software,
        );
        // A byte of wrong parity or without its stop bit, and a break, come as 0x00, which no message holds: left out, as
        // IGNPAR does, they would leave another message behind. INPCK is for stop bits too, where there is no parity.
        settings.input_modes.remove(
            InputModes::IGNPAR | InputModes::PARMRK | InputModes::IGNBRK | InputModes::BRKINT,
        );
        settings.input_modes.insert(InputModes::INPCK);
        let mut after = before;
        after.control_modes.remove(ControlModes::HUPCL);
        // From here on the settings are given back, whatever fails.
        let link = Self {
            file,
            after: Some(after),
            drained: false,
        };
        tcsetattr(&link.file, OptionalActions::Now, &settings)?;
        modem(&link.file, serial)?;
        // What came before is another client's.
        tcflush(&link.file, QueueSelector::IOFlush)?;
        if !serial.settle.is_zero() {
            thread::sleep(serial.settle);
            tcflush(&link.file, QueueSelector::IFlush)?;
        }
        Ok(link)
    }

    /// Waits until a serial port has sent what was written.
    pub(super) fn drain(&mut self, until: Instant) {
        if self.after.is_none() {
            return;
        }
        let Ok(file) = self.file.try_clone() else {
            return;
        };
        let (sender, drained) = channel();
        // It may take for ever, and cannot be told how long at most. A thread that is left waits for the flush below.
        let waits = thread::Builder::new().stack_size(64 << 10).spawn(move || {
            let _ = sender.send(tcdrain(&file).is_ok());
        });
        let left = until.saturating_duration_since(Instant::now());
        self.drained = waits.is_ok() && drained.recv_timeout(left).unwrap_or(false);
    }

    /// Reads what there is; an error once the device is gone.
    pub(super) fn read(&self, into: &mut [u8]) -> io::Result<Moved> {
        match (&self.file).read(into) {
            Ok(0) => Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "the device closed the line",
            )),
            done => moved(done),
        }
    }

    /// Writes what fits; an error once the device is gone.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<Moved> {
        moved((&self.file).write(bytes))
    }
}

/// Sets DTR and RTS, if they are to be set.
fn modem(file: &File, serial: &Serial) -> io::Result<()> {
    if serial.dtr.is_none() && serial.rts.is_none() {
        return Ok(());
    }
    let port = SerialPort::from(OwnedFd::from(file.try_clone()?));
    let named =
        |name| move |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
    if let Some(on) = serial.dtr {
        port.set_dtr(on).map_err(named("DTR"))?;
    }
    if let Some(on) = serial.rts {
        port.set_rts(on).map_err(named("RTS"))?;
    }
    Ok(())
}

fn moved(done: io::Result<usize>) -> io::Result<Moved> {
    match done {
        Ok(0) => Ok(Moved::Nothing),
        Ok(bytes) => Ok(Moved::Bytes(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Ok(Moved::Nothing)
        }
        Err(error) => Err(error),
    }
}

fn connect(host: &str) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(after) = &self.after {
            if !self.drained {
                // Closing a port waits for what it has not sent, which may be for ever.
                let _ = tcflush(&self.file, QueueSelector::OFlush);
            }
            let _ = tcsetattr(&self.file, OptionalActions::Now, after);
            let _ = ioctl_tiocnxcl(&self.file);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_peer_that_has_gone_without_a_word_is_noticed() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let address = listener.local_addr().expect("bound").to_string();
        let link = Link::open(&Address::Tcp(address)).expect("connected");
        // Probes are for a connection at rest, the other for one with bytes under way.
        assert_eq!(sockopt::socket_keepalive(&link), Ok(true));
        assert_eq!(sockopt::tcp_keepidle(&link), Ok(KEEPALIVE));
        assert_eq!(sockopt::tcp_user_timeout(&link), Ok(UNACKNOWLEDGED_MS));
    }
}
