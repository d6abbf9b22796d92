//! The standard streams as plain files: no buffer, no lock, and able to be closed.

use std::fs::File;
use std::io;

#[cfg(unix)]
fn own(stream: impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn own(stream: impl std::os::windows::io::AsHandle) -> io::Result<File> {
    Ok(File::from(stream.as_handle().try_clone_to_owned()?))
}

pub(crate) fn input() -> io::Result<File> {
    own(io::stdin())
}

pub(crate) fn output() -> io::Result<File> {
    own(io::stdout())
}

pub(crate) fn errors() -> io::Result<File> {
    own(io::stderr())
}

/// Gives the process's own end of standard input up, so that whoever writes to it notices.
/// Copies from `input` must be dropped too.
pub(crate) fn close_input() {
    #[cfg(unix)]
    if let Ok(nothing) = File::open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(nothing);
    }
}

/// Gives the process's own end of standard output up, so that whoever reads it sees its end.
/// Copies from `output` must be dropped too.
pub(crate) fn close_output() {
    #[cfg(unix)]
    if let Ok(nothing) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nothing);
    }
}
