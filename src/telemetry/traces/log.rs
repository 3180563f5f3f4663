//! The agents' runs as JSON lines in a file, written by a thread of its own. What it cannot keep up with is dropped
//! and counted.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, SystemTime},
};

use jiff::Timestamp;
use serde::Serialize;
use tracing::{info, warn};

use super::{QuestionTrace, Run, TraceError};
use crate::telemetry::{Outage, append_lines, metrics};

/// Lines that wait to be written at most.
const WAITING: usize = 4_096;
/// What they may hold, in bytes.
const WAITING_BYTES: usize = 8 << 20;
/// About what is written at once, in bytes.
const PIECE: usize = 64 << 10;
/// How long the last lines may take.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The file's writer.
#[derive(Debug)]
pub(super) struct TraceLog {
    /// `None` once it is finished.
    sender: Mutex<Option<SyncSender<Message>>>,
    waiting: Arc<AtomicUsize>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

enum Message {
    Line(String),
    Reopen,
}

/// One run, as it is written.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    time: String,
    session: u64,
    /// The same for all runs of one question.
    asked: u64,
    question: &'a str,
    agent: &'a str,
    model: &'a str,
    attempt: usize,
    milliseconds: f64,
    prompt_tokens: u64,
    completion_tokens: u64,
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    output: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn new(
        question: &'a QuestionTrace<'_>,
        run: &Run<'a>,
        now: SystemTime,
        with_prompt: bool,
    ) -> Self {
        Self {
            time: rfc3339(now),
            session: question.session,
            asked: question.number,
            question: question.question,
            agent: run.agent,
            model: run.model.unwrap_or("embedded"),
            attempt: run.attempt,
            milliseconds: (run.elapsed.as_secs_f64() * 1e6).round() / 1e3,
            prompt_tokens: run.prompt_tokens,
            completion_tokens: run.completion_tokens,
            outcome: run.outcome,
            prompt: with_prompt.then_some(run.prompt),
            output: run.output,
        }
    }
}

impl TraceLog {
    pub(super) fn start(path: &Path) -> Result<Self, TraceError> {
        let failed = |reason| TraceError::File {
            path: path.to_path_buf(),
            reason,
        };
        let file = open(path).map_err(failed)?;
        let (sender, receiver) = sync_channel(WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let writer = Writer {
            path: path.to_path_buf(),
            file,
            gathered: Vec::new(),
            waiting: Arc::clone(&waiting),
            outage: Outage::default(),
        };
        let thread = thread::Builder::new()
            .name("trace-log".into())
            .spawn(move || writer.run(&receiver))
            .map_err(failed)?;
        Ok(Self {
            sender: Mutex::new(Some(sender)),
            waiting,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Takes a line, or drops it where too many wait.
    pub(super) fn write(&self, line: &Line<'_>) {
        let mut text = serde_json::to_string(line).expect("numbers and texts are JSON");
        text.push('\n');
        let length = text.len();
        let fits = self.waiting.fetch_add(length, Ordering::Relaxed) + length <= WAITING_BYTES;
        if !fits || !self.send(Message::Line(text)) {
            self.waiting.fetch_sub(length, Ordering::Relaxed);
            metrics::trace_dropped(1);
        }
    }

    pub(super) fn reopen(&self) {
        self.send(Message::Reopen);
    }

    fn send(&self, message: Message) -> bool {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        sender
            .as_ref()
            .is_some_and(|sender| sender.try_send(message).is_ok())
    }

    /// Writes what waits, and ends.
    pub(super) async fn finish(&self) {
        drop(self.sender.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        let ended = tokio::task::spawn_blocking(move || thread.join());
        if tokio::time::timeout(LAST_WORDS, ended).await.is_err() {
            warn!("the last lines of trace_log could not be written in time");
        }
    }
}

struct Writer {
    path: PathBuf,
    file: File,
    /// Lines that go to the file in one piece.
    gathered: Vec<u8>,
    waiting: Arc<AtomicUsize>,
    outage: Outage,
}

impl Writer {
    fn run(mut self, messages: &Receiver<Message>) {
        while let Ok(message) = messages.recv() {
            self.take(message);
            // What has come meanwhile is written in one go.
            for message in messages.try_iter() {
                self.take(message);
            }
            self.write();
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Line(line) => {
                self.gathered.extend_from_slice(line.as_bytes());
                self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
                if self.gathered.len() >= PIECE {
                    self.write();
                }
            }
            Message::Reopen => {
                self.write();
                match open(&self.path) {
                    Ok(file) => self.file = file,
                    Err(error) => {
                        warn!(%error, path = %self.path.display(), "trace_log cannot be opened again");
                    }
                }
            }
        }
    }

    /// Writes what is gathered. What the disk does not take is lost, and the log tells of it once.
    fn write(&mut self) {
        if self.gathered.is_empty() {
            return;
        }
        let path = self.path.display();
        match append_lines(&mut self.file, &self.gathered) {
            Ok(()) => {
                if let Some(lost) = self.outage.ends() {
                    info!(%path, lost, "trace_log is written again");
                }
            }
            Err((error, lost)) => {
                metrics::trace_dropped(lost);
                if self.outage.begins(lost) {
                    warn!(%error, %path, "trace_log cannot be written, and lines are lost");
                }
            }
        }
        self.gathered.clear();
    }
}

/// For its owner alone: it holds questions and what the database says of them.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
}

fn rfc3339(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or(Timestamp::MAX))
}
