//! Calls of models on file: written down as they are made, and played from there without a network.
//!
//! A file has one JSON object a line: `{key, model, date, request, reply}`, or `error` in place of `reply`. What makes two
//! requests the same is their model, texts, output schema and temperature.

use std::{
    collections::HashMap,
    fmt,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use jiff::civil::Date;

use super::{Model, ModelError, ModelSetupError, Reply, Request, SharedModel, Usage};
use crate::{
    question::today,
    telemetry::{Outage, append_lines},
};
use line::Outcome;

mod line;

/// Calls that were made, and where those that are made now are written down.
pub struct Cassette {
    played: Option<Played>,
    writer: Option<Arc<Mutex<File>>>,
    /// While calls cannot be written down.
    outage: Outage,
    today: fn() -> Date,
}

/// What can be played.
struct Played {
    path: PathBuf,
    calls: Mutex<HashMap<String, Calls>>,
    /// True if calls that are written down now can be played from then on.
    grows: bool,
}

/// The calls of equal requests, in their order.
#[derive(Default)]
struct Calls {
    replies: Vec<Reply>,
    /// The last error; it counts where there is no reply.
    error: Option<ModelError>,
    /// How often they were asked for.
    asked: usize,
}

impl Cassette {
    /// Opens the files: calls are written to the end of `record`, and played from `replay`; `None` where there is
    /// neither. They may be the same file: then what is in it is played, and what is not is called and written down.
    pub fn open(record: Option<&Path>, replay: Option<&Path>) -> Result<Option<Arc<Self>>, ModelSetupError> {
        if record.is_none() && replay.is_none() {
            return Ok(None);
        }
        let grows = record.is_some() && record == replay;
        let failed = |path: &Path, error: &io::Error| ModelSetupError::Recording {
            path: path.to_path_buf(),
            reason: error.to_string(),
        };
        let writer = match record {
            Some(path) => Some(open_for_writing(path).map_err(|error| failed(path, &error))?),
            None => None,
        };
        let played = match replay {
            Some(path) => Some(Played {
                calls: Mutex::new(read(path).map_err(|error| failed(path, &error))?),
                path: path.to_path_buf(),
                grows,
            }),
            None => None,
        };
        Ok(Some(Arc::new(Self {
            played,
            writer: writer.map(|file| Arc::new(Mutex::new(file))),
            outage: Outage::default(),
            today,
        })))
    }

    /// True if a call that is on no file is made, rather than refused.
    pub(super) fn calls_models(&self) -> bool {
        self.writer.is_some()
    }

    /// What the file has for this request. An error is played only where no model can be asked again.
    fn play(&self, key: &str, model: &str, request: &Request) -> Option<Outcome> {
        let mut all = self.played.as_ref()?.calls();
        let known = [
            key.to_owned(),
            line::key_of_no_day(model, request),
            line::key_of_texts(&request.system, &request.user),
        ]
        .into_iter()
        .find(|key| all.contains_key(key));
        let calls = all.entry(known.unwrap_or_else(|| key.to_owned())).or_default();
        let at = calls.asked;
        calls.asked += 1;
        let reply = if request.temperature > 0.0 && (at < calls.replies.len() || self.calls_models()) {
            // Asked again, another answer than those before is wanted.
            calls.replies.get(at)
        } else {
            calls.replies.last()
        };
        match (reply, &calls.error) {
            (Some(reply), _) => Some(Ok(reply.clone())),
            (None, Some(error)) if !self.calls_models() => Some(Err(error.clone())),
            _ => None,
        }
    }

    /// Writes down a call. It is on file when this returns; where the file cannot be written, the log says so.
    async fn note(&self, key: String, line: String, outcome: &Outcome) {
        let Some(writer) = &self.writer else {
            return;
        };
        if let Some(played) = self.played.as_ref().filter(|played| played.grows) {
            played.calls().entry(key).or_default().add(outcome.clone());
        }
        let writer = Arc::clone(writer);
        let written = tokio::task::spawn_blocking(move || {
            let mut file = writer.lock().unwrap_or_else(PoisonError::into_inner);
            append_lines(&mut file, line.as_bytes()).map_err(|(error, _)| error)
        });
        let error = match written.await {
            Ok(Ok(())) => {
                if let Some(lost) = self.outage.ends() {
                    tracing::info!(lost, "calls of models are recorded again");
                }
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        if self.outage.begins(1) {
            tracing::error!(error, "calls of models cannot be recorded");
        }
    }
}

impl Calls {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Ok(reply) => self.replies.push(reply),
            Err(error) => self.error = Some(error),
        }
    }
}

impl Played {
    fn calls(&self) -> std::sync::MutexGuard<'_, HashMap<String, Calls>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cassette")
            .field("replay", &self.played.as_ref().map(|played| &played.path))
            .field("record", &self.writer.is_some())
            .finish_non_exhaustive()
    }
}

/// Opens a file to write at its end, behind whole lines. What models are asked is nobody else's to read.
fn open_for_writing(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600);
    let mut file = options.open(path)?;
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// Reads a file of calls. A line that is none, such as one that was cut off, is left out, and the log says so.
fn read(path: &Path) -> io::Result<HashMap<String, Calls>> {
    let text = std::fs::read_to_string(path)?;
    let mut calls: HashMap<String, Calls> = HashMap::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        if let Some((key, outcome)) = line::read(line) {
            calls.entry(key).or_default().add(outcome);
        } else {
            let line = number + 1;
            tracing::warn!(file = %path.display(), line, "no recorded call stands here; it is left out");
        }
    }
    Ok(calls)
}

/// A model whose calls go through a [`Cassette`].
#[derive(Debug)]
pub(super) struct CassetteModel {
    name: String,
    /// `None` where nothing may be called.
    model: Option<SharedModel>,
    /// US dollars per million tokens read and written, for where there is no model to ask.
    prices: (f64, f64),
    cassette: Arc<Cassette>,
}

impl CassetteModel {
    /// Records and plays what is asked of `model`.
    pub(super) fn around(model: SharedModel, cassette: Arc<Cassette>) -> Self {
        Self {
            name: model.name().to_owned(),
            model: Some(model),
            prices: (0.0, 0.0),
            cassette,
        }
    }

    /// Plays what was asked of the model of this name, which is not there.
    pub(super) fn of_name(name: &str, prices: (f64, f64), cassette: Arc<Cassette>) -> Self {
        Self {
            name: name.to_owned(),
            model: None,
            prices,
            cassette,
        }
    }
}

#[async_trait]
impl Model for CassetteModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn price(&self, usage: Usage) -> f64 {
        let (price_in, price_out) = self.prices;
        let of_tokens =
            || (usage.prompt_tokens as f64 * price_in + usage.completion_tokens as f64 * price_out) / 1e6;
        self.model
            .as_ref()
            .map_or_else(of_tokens, |model| model.price(usage))
    }

    async fn complete(&self, request: &Request) -> Outcome {
        self.complete_counted(request).await.0
    }

    async fn complete_counted(&self, request: &Request) -> (Outcome, Option<Usage>) {
        let today = (self.cassette.today)().to_string();
        let key = line::key(&self.name, request, &today);
        if let Some(outcome) = self.cassette.play(&key, &self.name, request) {
            let usage = outcome.as_ref().ok().map(|reply| reply.usage);
            return (outcome, usage);
        }
        let Some(model) = &self.model else {
            let file = self.cassette.played.as_ref().map(|played| played.path.display());
            let file = file.map(|file| file.to_string()).unwrap_or_default();
            let reason = format!("this call is not among those recorded in {file}");
            return (Err(ModelError::Unreachable(reason)), Some(Usage::default()));
        };
        let (outcome, usage) = model.complete_counted(request).await;
        let line = line::write(&self.name, request, &outcome, &today);
        self.cassette.note(key, line, &outcome).await;
        (outcome, usage)
    }
}

#[cfg(test)]
mod tests;
