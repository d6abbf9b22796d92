//! The server's process: signals to it, its end.

use std::io;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::stream::Exit;

/// The status that stands for an end, as shells have it.
pub(crate) const fn status(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => 128 + signal,
    }
}

/// How the server ended, and whether somebody has asked since then that we end too.
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    pub(crate) hurry: Arc<AtomicBool>,
}

#[cfg(unix)]
pub(crate) use unix::{Signals, wait};

#[cfg(unix)]
mod unix {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::atomic::Ordering;
    use std::sync::{Mutex, PoisonError};
    use std::thread;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::SignalsInfo;
    use signal_hook::iterator::exfiltrator::WithOrigin;
    use signal_hook::low_level::siginfo::{Cause, Origin};

    use super::{Arc, AtomicBool, Child, Ended, Exit, io, status};
    use crate::signals;

    const PASSED_ON: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

    /// The signals that are passed on to the server.
    pub(crate) struct Signals(SignalsInfo<WithOrigin>);

    impl Signals {
        pub(crate) fn catch() -> io::Result<Self> {
            // What is ignored (`nohup`, a shell's background job) stays so, for the server too.
            let wanted = PASSED_ON
                .into_iter()
                .filter(|signal| !signals::is_ignored(*signal));
            SignalsInfo::new(wanted).map(Self)
        }
    }

    #[derive(Clone, Copy)]
    enum Server {
        Runs(Pid),
        Ended(i32),
    }

    pub(crate) fn wait(mut server: Child, Signals(mut signals): Signals) -> io::Result<Ended> {
        let pid = Pid::from_child(&server);
        let state = Arc::new(Mutex::new(Server::Runs(pid)));
        let hurry = Arc::new(AtomicBool::new(false));
        let (shared, asked) = (state.clone(), hurry.clone());
        thread::spawn(move || {
            for origin in signals.forever() {
                let state = shared.lock().unwrap_or_else(PoisonError::into_inner);
                match *state {
                    Server::Runs(pid) => pass_on(&origin, pid),
                    // A host may close and signal in one breath, so the first signal may come
                    // just after the end: the logs are still finished, which takes no longer
                    // than they make headway. The second is meant for us.
                    Server::Ended(status) => {
                        if asked.swap(true, Ordering::AcqRel) {
                            std::process::exit(status)
                        }
                    }
                }
            }
        });
        // Noticed first and reaped after, so that a signal never goes to another process that
        // was given the same number.
        while let Err(error) = waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        ) {
            if error != rustix::io::Errno::INTR {
                return Err(error.into());
            }
        }
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let end = server.wait()?;
        let exit = match (end.code(), end.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        };
        *state = Server::Ended(status(exit));
        Ok(Ended { exit, hurry })
    }

    fn pass_on(origin: &Origin, pid: Pid) {
        // What the terminal sends goes to the whole group, and so to the server already.
        if origin.cause == Cause::Kernel {
            return;
        }
        if let Some(signal) = Signal::from_named_raw(origin.signal) {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Elsewhere the system tells the server by itself, if at all.
#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self)
    }
}

#[cfg(not(unix))]
pub(crate) fn wait(mut server: Child, _: Signals) -> io::Result<Ended> {
    Ok(Ended {
        exit: Exit::Code(server.wait()?.code().unwrap_or(1)),
        hurry: Arc::new(AtomicBool::new(false)),
    })
}
