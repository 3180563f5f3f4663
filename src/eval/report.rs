//! Sums the records up and writes `report.json`, `predictions.csv` and `predicted.sql`.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use sqlparser::{
    dialect::SQLiteDialect,
    tokenizer::{Token, Tokenizer, Whitespace},
};

use super::{
    EvalError,
    dataset::{Dataset, Selection},
    findings::{self, ByCode, ByRule, Flagged, Repairs},
    mode::Mode,
    predictions::NO_SQL,
    record::Record,
};

/// The figures of an evaluation. Rates are fractions of `n`.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The data set's folder name.
    pub dataset: String,
    /// Which of its questions.
    pub selection: Selection,
    /// Who answered.
    pub mode: String,
    /// The models it used.
    pub models: Vec<String>,
    /// True if the asking side saw the gold, as the papers' protocol has it.
    pub oracle: bool,
    /// The version of Querent.
    pub version: &'static str,
    /// Questions.
    pub n: usize,
    /// SQL was offered.
    pub answered: f64,
    /// SQL was offered and executed.
    pub valid: f64,
    /// Execution accuracy.
    pub ex: f64,
    /// The same where answers may have further columns; `None` where that is not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ex_wider: Option<f64>,
    /// The same over the questions whose gold result has rows; `None` where there are none.
    pub ex_nonempty: Option<f64>,
    /// Questions whose gold result has rows.
    pub n_nonempty: usize,
    /// Exact match of the text.
    pub em: f64,
    /// Valid efficiency score.
    pub ves: f64,
    /// Correct ones among those answered whose gold runs; `None` where there is none.
    pub precision_when_answered: Option<f64>,
    /// Questions whose gold does not run: nobody can be right, and `ex` counts them as wrong.
    pub gold_failed: usize,
    /// The same, by SQLSTATE.
    pub gold_errors: BTreeMap<String, usize>,
    /// Execution accuracy over the questions whose gold runs; `None` where none does.
    pub ex_judged: Option<f64>,
    /// How conversations were answered; `None` where the set has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversations: Option<Conversations>,
    /// Calls of a language model.
    pub model_calls_per_question: f64,
    /// Tokens read by language models.
    pub prompt_tokens_per_question: f64,
    /// Tokens written by language models.
    pub completion_tokens_per_question: f64,
    /// What the language models cost.
    pub cost_usd_per_question: f64,
    /// Wall time of asking.
    pub latency_ms: Latency,
    /// By the data set's level.
    pub by_difficulty: BTreeMap<String, Group>,
    /// By the data set's sort of question.
    pub by_kind: BTreeMap<String, Group>,
    /// By the codes of the validator's findings.
    pub by_taxonomy: BTreeMap<String, ByCode>,
    /// By the validator's rules, those that find notes included: how often each was right.
    pub by_rule: BTreeMap<String, ByRule>,
    /// Whether wrong answers are those in which something was found.
    pub flagged: Flagged,
    /// What repairs did, where answers were repaired.
    pub repairs: Repairs,
    /// Answers by their confidence, in tenths: how often it is deserved.
    pub by_confidence: BTreeMap<String, Group>,
    /// Expected calibration error: the mean distance, over those tenths, between the confidence and the share of right
    /// answers; `None` where no answer has a confidence.
    pub calibration_error: Option<f64>,
    /// Questions without a result, by SQLSTATE.
    pub errors: BTreeMap<String, usize>,
}

/// Wall time of asking, in milliseconds.
#[derive(Debug, Serialize)]
pub struct Latency {
    /// The median.
    pub p50: f64,
    /// 95 of 100 are faster.
    pub p95: f64,
    /// The slowest.
    pub max: f64,
}

/// The main figures of some of the questions.
#[derive(Debug, Serialize)]
pub struct Group {
    /// Questions.
    pub n: usize,
    /// SQL was offered.
    pub answered: f64,
    /// Execution accuracy.
    pub ex: f64,
    /// Correct ones among those answered whose gold runs.
    pub precision_when_answered: Option<f64>,
    /// Execution accuracy where answers may have further columns.
    pub ex_wider: f64,
}

impl Report {
    /// Sums up; `records` must not be empty. With `oracle` those who answered were told whether they were right; with
    /// `further_columns` it is told too how many answers have the right columns among others.
    pub fn new(
        dataset: &Dataset,
        mode: &dyn Mode,
        records: &[Record],
        (oracle, further_columns): (bool, bool),
    ) -> Self {
        let n = records.len();
        let mean = |value: &dyn Fn(&Record) -> f64| records.iter().map(value).sum::<f64>() / n.max(1) as f64;
        let nonempty: Vec<&Record> = records
            .iter()
            .filter(|record| record.gold_has_rows == Some(true))
            .collect();
        let whole = Group::of(records.iter());
        let (mut errors, mut gold_errors) = (BTreeMap::new(), BTreeMap::new());
        for code in records.iter().filter_map(|record| record.error_code.as_deref()) {
            let (counts, code) = match code.strip_prefix("gold ") {
                Some(code) => (&mut gold_errors, code),
                None => (&mut errors, code),
            };
            *counts.entry(code.to_owned()).or_default() += 1;
        }
        Self {
            dataset: dataset.name(),
            selection: dataset.selection.clone(),
            mode: mode.name().to_owned(),
            models: mode.models(),
            oracle,
            version: env!("CARGO_PKG_VERSION"),
            n,
            answered: whole.answered,
            valid: mean(&|record| f64::from(u8::from(record.valid))),
            ex: whole.ex,
            ex_wider: further_columns.then(|| mean(&|record| f64::from(u8::from(record.wider)))),
            ex_nonempty: (!nonempty.is_empty()).then(|| Group::of(nonempty.iter().copied()).ex),
            n_nonempty: nonempty.len(),
            em: mean(&|record| f64::from(u8::from(record.exact_match))),
            ves: mean(&|record| record.ves),
            precision_when_answered: whole.precision_when_answered,
            gold_failed: records.iter().filter(|record| !record.is_judged()).count(),
            gold_errors,
            ex_judged: share(records.iter().filter(|record| record.is_judged()), |record| {
                record.correct
            }),
            conversations: Conversations::of(records),
            model_calls_per_question: mean(&|record| record.model_calls as f64),
            prompt_tokens_per_question: mean(&|record| record.prompt_tokens as f64),
            completion_tokens_per_question: mean(&|record| record.completion_tokens as f64),
            cost_usd_per_question: mean(&|record| record.cost_usd),
            latency_ms: Latency::of(records),
            by_difficulty: groups(records, |record| record.difficulty.clone().into_iter().collect()),
            by_kind: groups(records, |record| record.kind.clone().into_iter().collect()),
            by_taxonomy: findings::by_code(records),
            by_rule: findings::by_rule(records),
            flagged: Flagged::of(records),
            repairs: Repairs::of(records.iter(), |gone| !gone.is_empty()),
            by_confidence: groups(records, |record| {
                record.confidence.map(tenth).into_iter().collect()
            }),
            calibration_error: calibration_error(records),
            errors,
        }
    }
}

/// How conversations were answered. `ex` of a report that has them is the question match of `SParC` and `CoSQL`, by
/// execution.
#[derive(Debug, Serialize)]
pub struct Conversations {
    /// Conversations.
    pub n: usize,
    /// The share of them in which every turn was answered rightly.
    pub interaction_match: f64,
    /// Questions by their turn, from 1.
    pub by_turn: BTreeMap<usize, Group>,
}

impl Conversations {
    fn of(records: &[Record]) -> Option<Self> {
        let mut right: BTreeMap<usize, bool> = BTreeMap::new();
        let mut by_turn: BTreeMap<usize, Vec<&Record>> = BTreeMap::new();
        for record in records {
            if let Some(turn) = &record.turn {
                *right.entry(turn.conversation).or_insert(true) &= record.correct;
                by_turn.entry(turn.at + 1).or_default().push(record);
            }
        }
        Some(Self {
            n: right.len(),
            interaction_match: share(right.values(), |right| **right)?,
            by_turn: by_turn
                .into_iter()
                .map(|(turn, members)| (turn, Group::of(members.into_iter())))
                .collect(),
        })
    }
}

/// The share of those for which it holds; `None` of none.
fn share<T>(all: impl Iterator<Item = T>, holds: impl Fn(&T) -> bool) -> Option<f64> {
    let (n, yes) = all.fold((0_usize, 0_usize), |(n, yes), one| {
        (n + 1, yes + usize::from(holds(&one)))
    });
    (n > 0).then(|| yes as f64 / n as f64)
}

/// The mean distance, over tenths of confidence, between the confidence and the share of right answers; questions whose gold
/// does not run are left out.
fn calibration_error(records: &[Record]) -> Option<f64> {
    let mut tenths: BTreeMap<String, Vec<(f64, bool)>> = BTreeMap::new();
    for record in records
        .iter()
        .filter(|record| record.is_judged() && record.answered())
    {
        if let Some(confidence) = record.confidence {
            let members = tenths.entry(tenth(confidence)).or_default();
            members.push((confidence, record.correct));
        }
    }
    let n: usize = tenths.values().map(Vec::len).sum();
    let distance = |members: &Vec<(f64, bool)>| {
        let right = members.iter().filter(|(_, right)| *right).count() as f64;
        let claimed: f64 = members.iter().map(|(confidence, _)| confidence).sum();
        (claimed - right).abs()
    };
    (n > 0).then(|| tenths.values().map(distance).sum::<f64>() / n as f64)
}

/// `0.8-0.9`: the tenth that a confidence lies in.
fn tenth(confidence: f64) -> String {
    let low = (confidence * 10.0).floor().clamp(0.0, 9.0) / 10.0;
    format!("{low:.1}-{:.1}", low + 0.1)
}

impl Latency {
    fn of(records: &[Record]) -> Self {
        let mut times: Vec<f64> = records.iter().map(|record| record.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        };
        Self {
            p50: at(0.5),
            p95: at(0.95),
            max: at(1.0),
        }
    }
}

impl Group {
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Self {
        let (mut n, mut answered, mut judged, mut correct, mut wider) = (0, 0, 0, 0, 0);
        for record in records {
            n += 1;
            answered += usize::from(record.answered());
            judged += usize::from(record.answered() && record.is_judged());
            correct += usize::from(record.correct);
            wider += usize::from(record.wider);
        }
        let of_all = |count: usize| count as f64 / n.max(1) as f64;
        Self {
            n,
            answered: of_all(answered),
            ex: of_all(correct),
            ex_wider: of_all(wider),
            precision_when_answered: (judged > 0).then(|| correct as f64 / judged as f64),
        }
    }
}

/// Groups records by labels; a record counts once under each of its labels.
fn groups(records: &[Record], labels: impl Fn(&Record) -> Vec<String>) -> BTreeMap<String, Group> {
    let mut members: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in records {
        let mut labels = labels(record);
        labels.sort();
        labels.dedup();
        for label in labels {
            members.entry(label).or_default().push(record);
        }
    }
    members
        .into_iter()
        .map(|(label, members)| (label, Group::of(members.into_iter())))
        .collect()
}

/// Writes the three files of an evaluation.
pub fn write_files(out: &Path, report: &Report, records: &[Record]) -> Result<(), EvalError> {
    write_report((out, "report.json"), report, || {
        write_csv(fs::File::create(out.join("predictions.csv"))?, records)?;
        let mut sql = fs::File::create(out.join("predicted.sql")).map(io::BufWriter::new)?;
        for (at, record) in records.iter().enumerate() {
            // The evaluators of SParC and CoSQL want an empty line between conversations.
            if at > 0 && record.turn.as_ref().is_some_and(|turn| turn.at == 0) {
                writeln!(sql)?;
            }
            writeln!(sql, "{}", one_line(record.predicted.as_deref().unwrap_or(NO_SQL)))?;
        }
        sql.flush()
    })
}

/// Writes a report as JSON into a folder, which is made for it, and what comes with it.
pub(super) fn write_report(
    (out, name): (&Path, &str),
    report: &impl Serialize,
    rest: impl FnOnce() -> io::Result<()>,
) -> Result<(), EvalError> {
    let write = || -> io::Result<()> {
        fs::create_dir_all(out)?;
        let mut json = serde_json::to_string_pretty(report)?;
        json.push('\n');
        fs::write(out.join(name), json)?;
        rest()
    };
    write().map_err(|error| EvalError::new(format!("cannot write the report to {}: {error}", out.display())))
}

/// Writes each question with its answer as CSV.
pub fn write_csv(into: impl Write, records: &[Record]) -> io::Result<()> {
    const COLUMNS: &str = "index,db_id,question,gold,predicted,answered,valid,correct,exact_match,tier,confidence,\
                           findings,model_calls,prompt_tokens,completion_tokens,milliseconds,error";
    let mut csv = csv::Writer::from_writer(into);
    csv.write_record(COLUMNS.split(','))?;
    for record in records {
        let error = match (&record.error_code, &record.error) {
            (Some(code), Some(message)) => format!("{code}: {message}"),
            _ => String::new(),
        };
        csv.write_record([
            record.index.to_string().as_str(),
            &record.db_id,
            &record.question,
            &record.gold,
            record.predicted.as_deref().unwrap_or_default(),
            &record.answered().to_string(),
            &record.valid.to_string(),
            &record.correct.to_string(),
            &record.exact_match.to_string(),
            &record.tier,
            &record
                .confidence
                .map(|confidence| format!("{confidence:.3}"))
                .unwrap_or_default(),
            &record.findings.join(" "),
            &record.model_calls.to_string(),
            &record.prompt_tokens.to_string(),
            &record.completion_tokens.to_string(),
            &format!("{:.3}", record.milliseconds),
            &error,
        ])?;
    }
    csv.flush()
}

/// The statement on one line: comments that run to the end of theirs go, line breaks become blanks.
fn one_line(sql: &str) -> String {
    let mut text = sql.to_owned();
    let tokens = Tokenizer::new(&SQLiteDialect {}, sql).tokenize();
    for token in tokens.unwrap_or_default() {
        if let Token::Whitespace(Whitespace::SingleLineComment { comment, prefix }) = token {
            text = text.replacen(&format!("{prefix}{comment}"), "\n", 1);
        }
    }
    let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
    lines
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_written_on_one_line() {
        for (sql, expected) in [
            ("SELECT 1", "SELECT 1"),
            ("SELECT a -- the name\n  FROM t\r\n", "SELECT a FROM t"),
            ("SELECT '--x'\n, 2", "SELECT '--x' , 2"),
            ("-- all\nSELECT \"unclosed\n", "-- all SELECT \"unclosed"),
        ] {
            assert_eq!(one_line(sql), expected);
        }
    }

    #[test]
    fn confidences_fall_into_tenths() {
        for (confidence, expected) in [
            (0.0, "0.0-0.1"),
            (0.55, "0.5-0.6"),
            (0.95, "0.9-1.0"),
            (1.0, "0.9-1.0"),
        ] {
            assert_eq!(tenth(confidence), expected);
        }
    }
}
