//! Questions in the forms that data sets are published in: lists of objects, conversations, CSV. All become the same records.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{EvalError, Turn};

/// What sets call the field with the database.
const DATABASE: [&str; 4] = ["db_id", "database_id", "db", "database"];
/// What sets call the field with the question: `SParC` and `CoSQL` have utterances, Spider-Syn two wordings.
const QUESTION: [&str; 3] = ["question", "utterance", "SpiderSynQuestion"];
/// What sets call the field with the reference SQL. Spider's `sql` is its tree, not a text.
const QUERY: [&str; 4] = ["query", "SQL", "sql", "gold"];
/// What sets call the turns of a conversation.
const TURNS: [&str; 2] = ["interaction", "turns"];

/// A question with its reference, as the set has it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) db_id: String,
    pub(super) question: String,
    pub(super) query: String,
    pub(super) turn: Option<Turn>,
    pub(super) more: More,
}

/// What a set may tell of a question beside these.
#[derive(Debug, Default, Deserialize)]
pub(super) struct More {
    pub(super) evidence: Option<String>,
    pub(super) difficulty: Option<Value>,
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) alternatives: Vec<String>,
    pub(super) ordered: Option<bool>,
}

/// Reads the questions of a file. `field` is the one to ask, where the user has chosen it.
pub(super) fn read(file: &Path, field: Option<&str>) -> Result<Vec<Record>, EvalError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| EvalError::new(format!("cannot read {}: {error}", file.display())))?;
    let is_csv = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let objects = if is_csv {
        of_csv(&text)
    } else {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    };
    let whole = Whole { file, field };
    let objects: Vec<Map<String, Value>> = objects.map_err(|problem| whole.error(&problem))?;
    let mut records = Vec::new();
    let mut conversations = 0;
    for (index, object) in objects.into_iter().enumerate() {
        let turns = TURNS.iter().find_map(|name| object.get(*name)?.as_array());
        let Some(turns) = turns else {
            records.push(whole.record(index, object, None)?);
            continue;
        };
        let db_id = whole.text(index, &object, &DATABASE, "db_id")?;
        let mut earlier = Vec::new();
        for (at, turn) in turns.iter().enumerate() {
            let mut object = turn.as_object().cloned().unwrap_or_default();
            object.insert(DATABASE[0].into(), Value::String(db_id.clone()));
            let turn = Turn {
                conversation: conversations,
                at,
                earlier: earlier.clone(),
            };
            let record = whole.record(index, object, Some(turn))?;
            earlier.push(record.question.clone());
            records.push(record);
        }
        conversations += 1;
    }
    Ok(records)
}

/// A file while it is read.
struct Whole<'a> {
    file: &'a Path,
    field: Option<&'a str>,
}

impl Whole<'_> {
    fn record(
        &self,
        index: usize,
        object: Map<String, Value>,
        turn: Option<Turn>,
    ) -> Result<Record, EvalError> {
        let db_id = self.text(index, &object, &DATABASE, "db_id")?;
        let query = self.text(index, &object, &QUERY, "query")?;
        let question = match self.field {
            Some(field) => self.text(index, &object, &[field], field)?,
            None => self.text(index, &object, &QUESTION, "question")?,
        };
        let more = serde_json::from_value(Value::Object(object))
            .map_err(|error| self.error(&format!("question {index}: {error}")))?;
        Ok(Record {
            db_id,
            question,
            query,
            turn,
            more,
        })
    }

    /// The first of these fields that is a text.
    fn text(
        &self,
        index: usize,
        object: &Map<String, Value>,
        names: &[&str],
        usual: &str,
    ) -> Result<String, EvalError> {
        let found = names.iter().find_map(|name| object.get(*name)?.as_str());
        found.map(str::to_owned).ok_or_else(|| {
            let names: Vec<&str> = object.keys().map(String::as_str).collect();
            EvalError::new(format!(
                "{}: question {index} has no text field {usual:?}",
                self.file.display()
            ))
            .hint(format!("it has {}", names.join(", ")))
        })
    }

    fn error(&self, problem: &str) -> EvalError {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        EvalError::new(format!("{}: {problem}", self.file.display())).hint(format!(
            "{name} is a list of objects with db_id, question and query; with interaction, a list of turns; or CSV with \
             the columns question, query and db"
        ))
    }
}

/// The rows of a CSV file as objects; the names of its columns in lower case, empty cells left out.
fn of_csv(text: &str) -> Result<Vec<Map<String, Value>>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let mut objects = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let cells = names.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
        let cells = cells.map(|(name, cell)| (name.trim().to_lowercase(), Value::String(cell.to_owned())));
        objects.push(cells.collect());
    }
    Ok(objects)
}
