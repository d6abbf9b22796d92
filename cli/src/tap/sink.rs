//! A file that is told what passed, on a thread of its own.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use super::hub::{Inlet, Note};
use crate::failure::{Failure, plain};
use crate::inspect::Inspector;
use crate::patient::Patient;
use crate::recording::Writer;
use crate::stdio;

/// At the end: how long a sink may make no headway before it is given up.
const STALLED: Duration = Duration::from_secs(1);

const BUFFER: usize = 64 * 1024;

type Out = Box<dyn Write + Send>;

pub(crate) enum Consumer {
    Recording(Writer<Out>),
    Report(Box<Inspector<Out>>),
}

/// What a sink writes to.
pub(crate) enum Target {
    File(File, PathBuf, Made),
    /// A named pipe: opening it waits for a reader, so the sink's thread does that.
    Pipe(PathBuf),
    Errors(File),
}

/// A file that was made for a sink, which goes again unless one writes to it.
#[derive(Default)]
pub(crate) struct Made(Option<PathBuf>);

impl Made {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Target {
    /// What a file holds stays, until a sink writes to it; one that was not there is not there
    /// again if none ever does.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if is_pipe(path) {
            return Ok(Self::Pipe(path.to_path_buf()));
        }
        create(path)
            .map(|(file, made)| Self::File(file, path.to_path_buf(), made))
            .map_err(|error| Failure::io("write", path.display(), &error))
    }

    pub(crate) fn errors() -> Result<Self, Failure> {
        stdio::errors()
            .map(Self::Errors)
            .map_err(|error| Failure::io("use", "standard error", &error))
    }

    fn name(&self) -> Option<PathBuf> {
        match self {
            Self::File(_, path, _) | Self::Pipe(path) => Some(path.clone()),
            Self::Errors(_) => None,
        }
    }

    fn into_out(self) -> io::Result<Out> {
        let file = match self {
            Self::File(file, _, made) => {
                made.keep();
                // A device has no length.
                if file.metadata()?.is_file() {
                    file.set_len(0)?;
                }
                file
            }
            Self::Errors(file) => file,
            Self::Pipe(path) => OpenOptions::new().write(true).open(path)?,
        };
        Ok(Box::new(BufWriter::with_capacity(BUFFER, Patient(file))))
    }
}

/// A recording may hold secrets: others may not read it.
fn create(path: &Path) -> io::Result<(File, Made)> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = options.create(true).truncate(false).open(path)?;
            Ok((file, Made::default()))
        }
        made => Ok((made?, Made(Some(path.to_path_buf())))),
    }
}

fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

pub(crate) struct Sink {
    queue: Sender<Note>,
    waiting: Arc<AtomicUsize>,
    most: usize,
    done: Receiver<()>,
}

impl Sink {
    /// `make` is called on the sink's thread, once its target is open.
    pub(crate) fn start(
        what: &'static str,
        target: Target,
        most: usize,
        make: impl FnOnce(Out) -> io::Result<Consumer> + Send + 'static,
    ) -> Self {
        let (queue, notes) = channel();
        let (finished, done) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let taken = waiting.clone();
        thread::spawn(move || {
            let name = target.name();
            let outcome = target
                .into_out()
                .and_then(make)
                .and_then(|consumer| consume(consumer, &notes, &taken));
            // From here on nothing waits in the queue: sending to it fails.
            drop(notes);
            if let (Err(error), Some(name)) = (outcome, name) {
                complain(what, &name, &error);
            }
            let _ = finished.send(());
        });
        Self {
            queue,
            waiting,
            most,
            done,
        }
    }

    pub(crate) fn inlet(&self) -> Inlet {
        Inlet::new(self.queue.clone(), self.waiting.clone(), self.most)
    }

    /// Waits for the rest to be written, as long as there is headway.
    pub(crate) fn finish(self) {
        let Self {
            queue,
            waiting,
            done,
            ..
        } = self;
        drop(queue);
        let mut seen = waiting.load(Ordering::Acquire);
        while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(STALLED) {
            let now = waiting.load(Ordering::Acquire);
            if now == seen {
                return;
            }
            seen = now;
        }
    }
}

fn consume(
    mut consumer: Consumer,
    notes: &Receiver<Note>,
    waiting: &AtomicUsize,
) -> io::Result<()> {
    loop {
        let note = match notes.try_recv() {
            Ok(note) => note,
            Err(TryRecvError::Empty) => {
                // Whoever follows the file sees all that passed so far.
                consumer.flush()?;
                match notes.recv() {
                    Ok(note) => note,
                    Err(_) => break,
                }
            }
            Err(TryRecvError::Disconnected) => break,
        };
        consumer.take(&note)?;
        waiting.fetch_sub(note.cost(), Ordering::AcqRel);
    }
    consumer.finish()
}

impl Consumer {
    fn take(&mut self, note: &Note) -> io::Result<()> {
        match (self, note) {
            (Self::Recording(writer), Note::Bytes(piece)) => {
                writer.bytes(piece.at, piece.direction, &piece.bytes)
            }
            (Self::Recording(writer), Note::Event(at, event)) => writer.event(*at, *event),
            (Self::Report(inspector), Note::Bytes(piece)) => {
                inspector.bytes(piece.direction, Some(piece.at), &piece.bytes)
            }
            (Self::Report(inspector), Note::Event(at, event)) => inspector.event(Some(*at), *event),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Recording(writer) => writer.flush(),
            Self::Report(inspector) => inspector.flush(),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Recording(mut writer) => writer.flush(),
            Self::Report(inspector) => inspector.finish()?.finish(),
        }
    }
}

fn complain(what: &str, path: &Path, error: &io::Error) {
    if let Ok(errors) = stdio::errors() {
        let text = format!(
            "wireline: cannot write {what} {}: {}; bytes still pass, but {what} ends here\n",
            path.display(),
            plain(error)
        );
        let _ = Patient(errors).write_all(text.as_bytes());
    }
}
