//! Reading a data set, in our own layout or as it was published. Questions and gold queries part here: a [`Question`] has no gold, and the
//! [`Gold`] goes to the scorer alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::EvalError;

pub(super) mod descriptions;
mod layout;
mod records;

use layout::Layout;
use records::Record;

/// A question as an asking mode may see it.
#[derive(Debug, Clone)]
pub struct Question {
    /// Position among the set's questions, from 0.
    pub index: usize,
    /// The database it is about.
    pub db_id: String,
    /// The question.
    pub text: String,
    /// What the data set tells beside the question.
    pub evidence: Option<String>,
    /// The data set's own level.
    pub difficulty: Option<String>,
    /// What sort of question it is, in the data set's own words.
    pub kind: Option<String>,
    /// Where it stands in a conversation, where it is of one.
    pub turn: Option<Turn>,
}

/// The place of a question in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Which conversation, counted from 0.
    pub conversation: usize,
    /// How many turns came before.
    pub at: usize,
    /// What was asked in those.
    #[serde(skip)]
    pub earlier: Vec<String>,
}

impl Question {
    /// What is told beside the question: the set's own words, and what was asked before in the same conversation.
    pub fn hint(&self) -> Option<String> {
        let earlier = self.turn.as_ref().filter(|turn| !turn.earlier.is_empty());
        let Some(turn) = earlier else {
            return self.evidence.clone();
        };
        let before = turn.earlier.iter().zip(1..);
        let before: Vec<String> = before.map(|(text, number)| format!("{number}. {text}")).collect();
        let before = format!(
            "The question goes on from earlier ones of the same conversation: {}",
            before.join(" ")
        );
        Some(match &self.evidence {
            Some(evidence) => format!("{evidence} {before}"),
            None => before,
        })
    }

    /// What questions are sampled by: a conversation goes in whole, as its first question.
    fn unit(&self) -> usize {
        self.index - self.turn.as_ref().map_or(0, |turn| turn.at)
    }
}

/// The gold queries by position in `questions.json`. Only [`super::score`] can look inside, and [`super::mutation`] through it.
#[derive(Debug)]
pub struct Gold(BTreeMap<usize, Reference>);

/// What is right for one question.
#[derive(Debug, Default)]
pub(super) struct Reference {
    /// The gold query.
    pub(super) query: String,
    /// Further ones, any of which is right too.
    pub(super) alternatives: Vec<String>,
    /// Whether the order of the rows counts; `None` where the gold query says so itself.
    pub(super) ordered: Option<bool>,
}

impl Gold {
    /// The gold query of a question.
    pub(super) fn query(&self, index: usize) -> &str {
        self.0
            .get(&index)
            .map_or("", |reference| reference.query.as_str())
    }

    /// All that is right for a question.
    pub(super) fn reference(&self, index: usize) -> Option<&Reference> {
        self.0.get(&index)
    }
}

/// Which questions of a data set are meant.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Selection {
    /// The field to ask; the one that the set calls its question by where none is given.
    pub question_field: Option<String>,
    /// A JSON file that maps names to lists of databases, and the name.
    pub split: Option<(PathBuf, String)>,
    /// Databases; all where empty.
    pub databases: Vec<String>,
    /// So many at random, with the seed, in the data's order; of conversations, so many of them.
    pub sample: Option<(usize, u64)>,
    /// The first so many of what is left; of conversations, so many of them.
    pub limit: Option<usize>,
    /// Further folders with databases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
    /// True if the databases are on a server, so that the folder needs none.
    pub elsewhere: bool,
}

/// A data set, read and selected from.
#[derive(Debug)]
pub struct Dataset {
    /// The folder, or the file with the questions.
    pub folder: PathBuf,
    /// What was selected.
    pub selection: Selection,
    /// How many questions the set has.
    pub total: usize,
    /// The selected ones, in the data's order.
    pub questions: Vec<Question>,
    layout: Layout,
}

impl Dataset {
    /// The name of the folder, or of the file without its ending.
    pub fn name(&self) -> String {
        let whole = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        let name = if whole.is_file() {
            whole.file_stem()
        } else {
            whole.file_name()
        };
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// The file of a database.
    pub fn database_file(&self, db_id: &str) -> PathBuf {
        self.layout.database(db_id).join(format!("{db_id}.sqlite"))
    }

    /// Reads a folder, or a file with questions, keeps what is selected, and sees that the databases are there.
    pub fn read(folder: &Path, selection: &Selection) -> Result<(Self, Gold), EvalError> {
        let layout = Layout::of(folder, &selection.folders)?;
        let mut all: Vec<Record> = Vec::new();
        for file in &layout.questions {
            all.extend(records::read(file, selection.question_field.as_deref())?);
        }
        let wanted = wanted_databases(folder, &all, selection)?;

        let total = all.len();
        let mut questions = Vec::new();
        let mut gold = BTreeMap::new();
        for (index, record) in all.into_iter().enumerate() {
            if !wanted.contains(&record.db_id) {
                continue;
            }
            let more = record.more;
            gold.insert(
                index,
                Reference {
                    query: record.query,
                    alternatives: more.alternatives,
                    ordered: more.ordered,
                },
            );
            questions.push(Question {
                index,
                text: record.question,
                db_id: record.db_id,
                evidence: more.evidence.filter(|evidence| !evidence.trim().is_empty()),
                difficulty: more.difficulty.map(|level| match level {
                    serde_json::Value::String(level) => level,
                    other => other.to_string(),
                }),
                kind: more.kind,
                turn: record.turn,
            });
        }
        if let Some((size, seed)) = selection.sample {
            sample(&mut questions, size, seed);
        }
        truncate(&mut questions, selection.limit.unwrap_or(usize::MAX));
        if questions.is_empty() {
            return Err(
                EvalError::new("no question is selected".into()).hint("loosen --split, --db or --limit")
            );
        }
        let dataset = Self {
            folder: folder.to_path_buf(),
            selection: selection.clone(),
            total,
            questions,
            layout,
        };
        if !selection.elsewhere {
            dataset.check_databases()?;
        }
        Ok((dataset, Gold(gold)))
    }

    fn check_databases(&self) -> Result<(), EvalError> {
        let names: BTreeSet<&str> = self
            .questions
            .iter()
            .map(|question| question.db_id.as_str())
            .collect();
        for name in names {
            let file = self.database_file(name);
            let inside = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != ".." && name != ".";
            if !inside || !file.is_file() {
                return Err(EvalError::new(format!("there is no database {}", file.display()))
                    .hint(format!(
                        "a question names db_id {name:?}; --databases DIR names a further folder with databases"
                    )));
            }
        }
        Ok(())
    }
}

fn wanted_databases(
    folder: &Path,
    records: &[Record],
    selection: &Selection,
) -> Result<BTreeSet<String>, EvalError> {
    let mut wanted: BTreeSet<String> = records.iter().map(|record| record.db_id.clone()).collect();
    if let Some(unknown) = selection.databases.iter().find(|name| !wanted.contains(*name)) {
        let near = wanted
            .iter()
            .max_by(|a, b| strsim::jaro_winkler(a, unknown).total_cmp(&strsim::jaro_winkler(b, unknown)));
        let error = EvalError::new(format!("no question is about the database {unknown:?}"));
        return Err(match near {
            Some(near) => error.hint(format!("did you mean {near}?")),
            None => error,
        });
    }
    if let Some((file, name)) = &selection.split {
        // Relative to here, or else to the data set.
        let file = if file.exists() {
            file.clone()
        } else {
            folder.join(file)
        };
        let text = std::fs::read_to_string(&file)
            .map_err(|error| EvalError::new(format!("cannot read the split {}: {error}", file.display())))?;
        let splits: BTreeMap<String, Vec<String>> = serde_json::from_str(&text).map_err(|error| {
            EvalError::new(format!("{}: {error}", file.display()))
                .hint("a split file maps names to lists of db_ids: {\"train\": [\"a\"], \"test\": [\"b\"]}")
        })?;
        let Some(databases) = splits.get(name) else {
            let names: Vec<&str> = splits.keys().map(String::as_str).collect();
            return Err(
                EvalError::new(format!("{} has no split {name:?}", file.display()))
                    .hint(format!("it has {}", names.join(", "))),
            );
        };
        wanted.retain(|db_id| databases.contains(db_id));
    }
    if !selection.databases.is_empty() {
        wanted.retain(|db_id| selection.databases.contains(db_id));
    }
    Ok(wanted)
}

/// Keeps `size` questions or conversations, the same for the same seed everywhere, in their old order.
fn sample(questions: &mut Vec<Question>, size: usize, seed: u64) {
    let units: BTreeSet<usize> = questions.iter().map(Question::unit).collect();
    let mut order: Vec<(u64, usize)> = units
        .into_iter()
        .map(|unit| (mix(seed.wrapping_add(mix(unit as u64))), unit))
        .collect();
    order.sort_unstable();
    let kept: BTreeSet<usize> = order.into_iter().take(size).map(|(_, unit)| unit).collect();
    questions.retain(|question| kept.contains(&question.unit()));
}

/// Keeps the first questions or conversations.
fn truncate(questions: &mut Vec<Question>, size: usize) {
    let mut kept = BTreeSet::new();
    questions.retain(|question| {
        if kept.len() < size {
            kept.insert(question.unit());
        }
        kept.contains(&question.unit())
    });
}

/// A step of `SplitMix64` (Steele, Lea and Flood, 2014): spreads the bits of a number.
pub(super) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(questions: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("questions.json"), questions).unwrap();
        for name in ["cats", "dogs"] {
            let database = folder.path().join("database").join(name);
            std::fs::create_dir_all(&database).unwrap();
            std::fs::write(database.join(format!("{name}.sqlite")), "").unwrap();
        }
        std::fs::write(
            folder.path().join("split.json"),
            r#"{"a": ["cats"], "b": ["dogs"]}"#,
        )
        .unwrap();
        folder
    }

    fn record(db_id: &str, question: &str) -> String {
        format!(
            r#"{{"db_id": "{db_id}", "question": "{question}", "reworded": "{question}!", "query": "SELECT 1"}}"#
        )
    }

    fn twenty() -> String {
        let records: Vec<String> = (0..20)
            .map(|i| record(if i % 2 == 0 { "cats" } else { "dogs" }, &format!("q{i}")))
            .collect();
        format!("[{}]", records.join(","))
    }

    fn texts(selection: &Selection) -> Vec<String> {
        let folder = folder(&twenty());
        let (dataset, _) = Dataset::read(folder.path(), selection).unwrap();
        assert_eq!(dataset.total, 20);
        dataset
            .questions
            .into_iter()
            .map(|question| question.text)
            .collect()
    }

    #[test]
    fn selections_combine_and_keep_the_order() {
        let limit = Selection {
            split: Some(("split.json".into(), "b".into())),
            limit: Some(2),
            question_field: Some("reworded".into()),
            ..Selection::default()
        };
        assert_eq!(texts(&limit), ["q1!", "q3!"]);
        let one = Selection {
            databases: vec!["cats".into()],
            ..Selection::default()
        };
        assert_eq!(texts(&one).len(), 10);
        let sampled = |seed| {
            texts(&Selection {
                sample: Some((5, seed)),
                ..Selection::default()
            })
        };
        assert_eq!(sampled(1), sampled(1));
        assert_ne!(sampled(1), sampled(2));
        assert_eq!(sampled(1).len(), 5);
    }

    #[test]
    fn what_is_wrong_with_a_data_set_is_told() {
        let missing = Selection::default();
        let split = |name: &str| Selection {
            split: Some(("split.json".into(), name.into())),
            ..Selection::default()
        };
        let field = Selection {
            question_field: Some("questoin".into()),
            ..Selection::default()
        };
        let database = Selection {
            databases: vec!["cat".into()],
            ..Selection::default()
        };
        for (questions, selection, expected) in [
            ("[", missing.clone(), "EOF"),
            ("{}", missing.clone(), "expected a sequence"),
            (
                r#"[{"db_id": "cats"}]"#,
                missing.clone(),
                "has no text field \"query\"",
            ),
            ("[]", missing.clone(), "no question is selected"),
            (
                record("birds", "q").as_str(),
                missing.clone(),
                "expected a sequence",
            ),
            (
                &format!("[{}]", record("birds", "q")),
                missing.clone(),
                "there is no database",
            ),
            (
                &format!("[{}]", record("../cats", "q")),
                missing,
                "there is no database",
            ),
            (&twenty(), split("c"), "has no split \"c\""),
            (&twenty(), field, "has no text field \"questoin\""),
            (&twenty(), database, "did you mean cats?"),
        ] {
            let folder = folder(questions);
            let error = Dataset::read(folder.path(), &selection).unwrap_err();
            let told = format!("{} | {}", error.message, error.hint.unwrap_or_default());
            assert!(told.contains(expected), "{questions}: {told}");
        }
    }
}
