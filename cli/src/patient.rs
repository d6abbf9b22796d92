//! Files that may have been switched to non-blocking by another process that shares them.
//!
//! Programs such as Node set O_NONBLOCK on standard streams, and what shares the open file
//! description gets it too. An early "would block" is then no failure, but a reason to wait.

use std::io::{self, Read, Write};

#[cfg(unix)]
pub(crate) use std::os::fd::AsFd as Waitable;

#[cfg(not(unix))]
pub(crate) trait Waitable {}
#[cfg(not(unix))]
impl<T> Waitable for T {}

pub(crate) struct Patient<T>(pub(crate) T);

impl<T: Waitable + Read> Read for Patient<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.0, Want::Bytes)?
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

impl<T: Waitable + Write> Write for Patient<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.0, Want::Room)?
                }
                done => return done,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        loop {
            match self.0.flush() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.0, Want::Room)?
                }
                done => return done,
            }
        }
    }
}

enum Want {
    Bytes,
    Room,
}

#[cfg(unix)]
fn wait(on: &impl Waitable, want: Want) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let flags = match want {
        Want::Bytes => PollFlags::IN,
        Want::Room => PollFlags::OUT,
    };
    match poll(&mut [PollFd::new(on, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait(_: &impl Waitable, want: Want) -> io::Result<()> {
    match want {
        Want::Bytes | Want::Room => std::thread::sleep(std::time::Duration::from_millis(1)),
    }
    Ok(())
}
