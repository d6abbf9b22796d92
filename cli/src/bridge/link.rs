//! The line to a device, while it is open.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::net::sockopt;
use rustix::termios::{
    ControlModes, InputModes, OptionalActions, QueueSelector, Termios, ioctl_tiocexcl,
    ioctl_tiocnxcl, tcflush, tcgetattr, tcsetattr,
};

use super::address::{Address, Flow, Parity, Serial};

/// How long a TCP connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// A device that says nothing for so long is asked whether it is there, over TCP.
const KEEPALIVE: Duration = Duration::from_secs(15);
const KEEPALIVE_EACH: Duration = Duration::from_secs(5);
const KEEPALIVE_TIMES: u32 = 3;

/// An open line. Reading and writing do not wait.
#[derive(Debug)]
pub(super) struct Link {
    file: File,
    /// How the serial port was set before.
    before: Option<Termios>,
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
            before: None,
        }
    }

    fn serial(serial: &Serial) -> io::Result<Self> {
        let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(flags.bits().cast_signed())
            .open(&serial.path)?;
        let before = tcgetattr(&file)?;
        // Two programs on one line would each get half of every answer.
        ioctl_tiocexcl(&file)?;
        let mut settings = before.clone();
        settings.make_raw();
        settings.set_speed(serial.baud)?;
        let modes = &mut settings.control_modes;
        // The modem's lines do not matter, and the device is not reset by closing the port.
        modes.insert(ControlModes::CLOCAL | ControlModes::CREAD);
        modes.remove(ControlModes::HUPCL | ControlModes::CSIZE);
        modes.insert(if serial.seven_bits {
            ControlModes::CS7
        } else {
            ControlModes::CS8
        });
        modes.set(ControlModes::CSTOPB, serial.two_stop_bits);
        modes.set(ControlModes::PARENB, serial.parity != Parity::None);
        modes.set(ControlModes::PARODD, serial.parity == Parity::Odd);
        modes.set(ControlModes::CRTSCTS, serial.flow == Flow::Hardware);
        settings.input_modes.set(
            InputModes::IXON | InputModes::IXOFF,
            serial.flow == Flow::Software,
        );
        // A byte of wrong parity is dropped: its line is then no JSON, and said to be so.
        settings.input_modes.set(
            InputModes::INPCK | InputModes::IGNPAR,
            serial.parity != Parity::None,
        );
        tcsetattr(&file, OptionalActions::Now, &settings)?;
        // What came before is another client's.
        tcflush(&file, QueueSelector::IOFlush)?;
        Ok(Self {
            file,
            before: Some(before),
        })
    }

    /// Whether the device may hold half a line of an earlier connection.
    pub(super) fn is_serial(&self) -> bool {
        self.before.is_some()
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
        if let Some(before) = &self.before {
            // Closing a port waits for what it has not sent, which may be for ever.
            let _ = tcflush(&self.file, QueueSelector::OFlush);
            let _ = tcsetattr(&self.file, OptionalActions::Now, before);
            let _ = ioctl_tiocnxcl(&self.file);
        }
    }
}
