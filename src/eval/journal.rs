//! The state of an evaluation on disk: one line per question as soon as it is scored, so that an interrupted
//! evaluation can go on.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::{EvalError, record::Record};

/// The file in the output folder.
const FILE: &str = "state.jsonl";

/// Appends records; does nothing where there is no output folder.
pub(super) struct Journal(Option<Mutex<File>>);

/// The first line: what must be the same for an evaluation that goes on.
#[derive(Serialize, Deserialize)]
struct Header {
    identity: BTreeMap<String, String>,
}

impl Journal {
    /// Starts afresh, or, to resume, reads the records so far.
    pub(super) fn open(
        out: Option<&Path>,
        resume: bool,
        identity: &[(String, String)],
    ) -> Result<(Self, Vec<Record>), EvalError> {
        let Some(out) = out else {
            return Ok((Self(None), Vec::new()));
        };
        let path = out.join(FILE);
        let failed = |error: io::Error| EvalError::new(format!("cannot write {}: {error}", path.display()));
        fs::create_dir_all(out).map_err(failed)?;
        let identity: BTreeMap<String, String> = identity.iter().cloned().collect();
        let records = match fs::read_to_string(&path) {
            Ok(text) if resume => read(&path, &text, &identity)?,
            Err(error) if resume && error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => Vec::new(),
        };
        // Written anew: a line that was cut off must not stay in the middle.
        let mut text = line(&Header { identity });
        for record in &records {
            text.push_str(&line(record));
        }
        let fresh = out.join(format!("{FILE}.new"));
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &path))
            .map_err(failed)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        Ok((Self(Some(Mutex::new(file))), records))
    }

    pub(super) fn append(&self, record: &Record) -> Result<(), EvalError> {
        let Some(file) = &self.0 else {
            return Ok(());
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line(record).as_bytes())
            .map_err(|error| EvalError::new(format!("cannot write {FILE}: {error}")))
    }
}

/// The records that an evaluation has left in its output folder.
pub fn records(out: &Path) -> Result<Vec<Record>, EvalError> {
    let path = out.join(FILE);
    let text = fs::read_to_string(&path).map_err(|error| {
        EvalError::new(format!("cannot read {}: {error}", path.display()))
            .hint("name the folder of the --out of an evaluation")
    })?;
    read(&path, &text, &BTreeMap::new())
}

fn read(path: &Path, text: &str, identity: &BTreeMap<String, String>) -> Result<Vec<Record>, EvalError> {
    let afresh = "leave out --resume to start afresh, or choose another --out";
    let mut lines = text.lines();
    let header: Option<Header> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    let Some(header) = header else {
        return Err(
            EvalError::new(format!("{} is not the state of an evaluation", path.display())).hint(afresh),
        );
    };
    for (name, value) in identity {
        let before = header.identity.get(name).map_or("", String::as_str);
        if before != value {
            let message = format!("cannot resume: {name} was {before:?} and is {value:?} now");
            return Err(EvalError::new(message).hint(afresh));
        }
    }
    // The last line may be cut off; its question is asked again.
    Ok(lines.map_while(|line| serde_json::from_str(line).ok()).collect())
}

fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("strings, numbers and lists always have a JSON form");
    text.push('\n');
    text
}
