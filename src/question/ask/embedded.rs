//! The first four agents in their embedded form: schema linking, subproblems, query plan, SQL.

use std::{sync::Arc, time::Instant};

use jiff::civil::Date;

use super::{
    AskError,
    rights::{self, Meant},
    trace::Trace,
    work::Work,
};
use crate::question::{
    embedded::{self, AnalyticReading, Evidence, NotUnderstood, Outcome},
    ossie::Understood,
    prompt,
    schema::Snapshot,
    semantic::SemanticModel,
    today,
};

/// Tables from which on the agents look at a part of the schema: their work grows with its names.
const MANY_TABLES: usize = 300;
/// The step that tells what a question is taken to ask for.
pub(super) const READING: &str = "reading";
/// The step that tells which day stands for today, where the data ended long ago.
pub(super) const COUNTED_FROM: &str = "today";
/// How large that part is.
const PART_COLUMNS: usize = 640;

/// SQL that the embedded agents made of a question, not yet validated.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) sql: String,
    /// What was assumed, linked and planned, as steps for a person.
    pub(super) steps: Vec<(&'static str, String)>,
}

/// What the embedded agents have for a question.
#[derive(Debug)]
pub(super) enum Drafted {
    /// The ways in which they read it.
    Read(Box<Drafts>),
    /// What it means to somebody from whom nothing is kept back, with how likely that is right.
    Meant(Draft, f64),
}

/// The ways to read a question: clause by clause, and over what the tables are about. There is one of them at least.
#[derive(Debug)]
pub(super) struct Drafts {
    /// With how sure its clauses are, 0 to 1; or why there are none.
    pub(super) clauses: Result<(Draft, f64), AskError>,
    pub(super) reading: Option<AnalyticReading>,
}

impl Drafts {
    /// The likelier one, before any is tried, with how likely it is right.
    fn likelier(mut self, question: &str) -> Option<(Draft, f64)> {
        // What leaves something out is no reading of it.
        self.reading = self
            .reading
            .filter(|reading| embedded::lacking(question, &reading.sql).is_none());
        if let Ok((draft, _)) = &self.clauses
            && let Some(words) = embedded::lacking(question, &draft.sql)
        {
            self.clauses = Err(AskError::NotUnderstood {
                words: vec![words],
                reason: "it asks for something that is not supported yet".to_owned(),
                help: None,
            });
        }
        let untried = Outcome::Untried;
        let evidence = Evidence {
            reading: self.reading.as_ref().map(|reading| (reading, untried)),
            clauses: self.clauses.as_ref().ok().map(|(_, sure)| (*sure, untried)),
            agree: false,
            plain: false,
        };
        let (of_reading, of_clauses) = (evidence.of_reading(), evidence.of_clauses());
        match (self.clauses, self.reading) {
            (Ok((draft, _)), _) if of_clauses >= of_reading => Some((draft, of_clauses)),
            (_, Some(reading)) => Some((reading.into(), of_reading)),
            (clauses, None) => clauses.ok().map(|(draft, _)| (draft, of_clauses)),
        }
    }
}

impl From<AnalyticReading> for Draft {
    fn from(reading: AnalyticReading) -> Self {
        let told = reading.told.into_iter().map(|line| ("read", line));
        Self {
            sql: reading.sql,
            steps: told.chain([(READING, reading.words)]).collect(),
        }
    }
}

/// Runs the agents on a blocking thread: they compute without waiting for anything.
pub(super) async fn draft(work: &Work<'_>) -> Result<Drafted, AskError> {
    if let Some(Meant::Withheld(refused)) = &work.meant {
        return Err(rights::refusal(work, refused.clone()));
    }
    let (question, understood, trace) = (
        work.question.to_owned(),
        Arc::clone(&work.understood),
        Arc::clone(&work.trace),
    );
    let drafts = super::work::off_the_runtime(move || {
        known_names(&question, &understood)?;
        let part = near(&question, &understood.snapshot).map(|part| understood.of_part(&part));
        let understood = part.as_ref().unwrap_or(&understood);
        let (snapshot, model) = understood.with_columns();
        let (day, reading) = reading(&question, (snapshot, model), &trace);
        if let Some(told) = day.told(snapshot) {
            trace.step(COUNTED_FROM, told);
        }
        let clauses = stages(&question, day.date, &understood.snapshot, &trace);
        match (clauses, reading) {
            (Err(error), None) => Err(error),
            (clauses, reading) => Ok(Drafts { clauses, reading }),
        }
    })
    .await;
    match (&work.meant, drafts) {
        (Some(Meant::Open(meant, likely)), drafts) => {
            // What it means does not hang on what is left, but its steps may name what is kept back.
            let same = drafts.ok().and_then(|drafts| drafts.likelier(work.question));
            let same = same
                .map(|(draft, _)| draft)
                .filter(|draft| draft.sql == meant.sql);
            let draft = same.unwrap_or_else(|| Draft {
                sql: meant.sql.clone(),
                steps: Vec::new(),
            });
            Ok(Drafted::Meant(draft, *likely))
        }
        (Some(_), Ok(_)) => Err(AskError::NotUnderstood {
            words: Vec::new(),
            reason: "the best reading is only a guess".to_owned(),
            help: None,
        }),
        (_, drafts) => drafts.map(|drafts| Drafted::Read(Box::new(drafts))),
    }
}

/// What to tell whoever asked a question that has no answer.
pub(super) async fn help(work: &Work<'_>) -> Option<embedded::Suggestion> {
    let (question, snapshot) = (work.question.to_owned(), work.snapshot.clone());
    super::work::off_the_runtime(move || {
        let snapshot = near(&question, &snapshot).unwrap_or(snapshot);
        embedded::suggestion(&question, today(), &snapshot)
    })
    .await
}

/// What the agents make of a question, without a word of how, with how likely it is right.
pub(super) fn silently(question: &str, understood: &Understood) -> Option<(Draft, f64)> {
    known_names(question, understood).ok()?;
    let snapshot = &understood.snapshot;
    let (with_columns, model) = understood.with_columns();
    let (day, readings) = embedded::read(question, today(), with_columns, model);
    let today = day.date;
    let clauses = || -> Result<(Draft, f64), NotUnderstood> {
        let linked = embedded::link(question, today, snapshot)?;
        let subproblems = embedded::subproblems(&linked, snapshot)?;
        let plan = embedded::plan(&subproblems, snapshot)?;
        let draft = Draft {
            sql: embedded::sql(&plan, snapshot)?,
            steps: Vec::new(),
        };
        Ok((draft, plan.confidence()))
    };
    let drafts = Drafts {
        clauses: clauses().map_err(AskError::from),
        reading: readings.into_iter().next(),
    };
    drafts.likelier(question)
}

/// Fails for a question with a name in it, written as databases write them, that nothing has.
fn known_names(question: &str, understood: &Understood) -> Result<(), NotUnderstood> {
    let (snapshot, model) = understood.with_columns();
    match embedded::unknown_name(question, snapshot, model) {
        Some(name) => Err(NotUnderstood {
            reason: format!("nothing is called {name}"),
            words: vec![name],
        }),
        None => Ok(()),
    }
}

/// The likeliest reading over what the tables are about, and the day that it is counted from.
fn reading(
    question: &str,
    (snapshot, model): (&Snapshot, &SemanticModel),
    trace: &Trace,
) -> (embedded::Day, Option<AnalyticReading>) {
    let started = Instant::now();
    let (day, readings) = embedded::read(question, today(), snapshot, model);
    let best = readings.into_iter().next();
    let output = match &best {
        Some(reading) => Ok(reading.told.join("\n")),
        None => Err("nothing in the question can be read over the tables".to_owned()),
    };
    trace.embedded("reading", (1, started), output, false);
    (day, best)
}

/// The part of a large schema that the question is about; `None` for a schema that is not large.
pub(super) fn near(question: &str, snapshot: &Snapshot) -> Option<Snapshot> {
    if snapshot.schema.tables.len() <= MANY_TABLES {
        return None;
    }
    Some(snapshot.part(&prompt::nearest_tables(question, snapshot, PART_COLUMNS)))
}

/// Runs the agents one after the other; each sees what the one before found. With how sure the clauses are, 0 to 1.
fn stages(question: &str, today: Date, snapshot: &Snapshot, trace: &Trace) -> Result<(Draft, f64), AskError> {
    let mut steps = Vec::new();
    let linked = run(
        "schema_linking",
        trace,
        || embedded::link(question, today, snapshot),
        |linked| linked.describe(snapshot).join("\n"),
    )?;
    steps.extend(linked.describe(snapshot).into_iter().map(|line| ("linked", line)));
    let subproblems = run(
        "subproblems",
        trace,
        || embedded::subproblems(&linked, snapshot),
        |subproblems| subproblems.describe(snapshot),
    )?;
    steps.push(("clauses", subproblems.describe(snapshot)));
    if !subproblems.unexplained().is_empty() {
        steps.push(("not understood", subproblems.unexplained().join(", ")));
    }
    let plan = run(
        "query_plan",
        trace,
        || embedded::plan(&subproblems, snapshot),
        |plan| plan.describe(snapshot).join("\n"),
    )?;
    for (number, line) in plan.describe(snapshot).into_iter().enumerate() {
        steps.push(("plan", format!("{}. {line}", number + 1)));
    }
    steps.extend(plan.assumptions().iter().map(|line| ("assumption", line.clone())));
    let sql = run("sql", trace, || embedded::sql(&plan, snapshot), Clone::clone)?;
    Ok((Draft { sql, steps }, plan.confidence()))
}

fn run<T>(
    agent: &'static str,
    trace: &Trace,
    work: impl FnOnce() -> Result<T, NotUnderstood>,
    describe: impl FnOnce(&T) -> String,
) -> Result<T, AskError> {
    let started = Instant::now();
    let result = work();
    trace.embedded(
        agent,
        (1, started),
        result
            .as_ref()
            .map(describe)
            .map_err(|error| error.reason.clone()),
        false,
    );
    result.map_err(AskError::from)
}

impl From<NotUnderstood> for AskError {
    fn from(NotUnderstood { words, reason }: NotUnderstood) -> Self {
        Self::NotUnderstood {
            words,
            reason,
            help: None,
        }
    }
}
