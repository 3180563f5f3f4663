//! Sums up what came of broken and unbroken gold queries; writes `mutations.json` and `mutations.csv`.

use std::{collections::BTreeMap, io, path::Path};

use serde::Serialize;

use super::{
    super::{EvalError, dataset::Dataset, report::write_report},
    Case, Examined, Made,
};
use crate::question::validator::Code;

/// The figures of a run over broken gold queries.
#[derive(Debug, Serialize)]
pub struct MutationReport {
    /// The data set's folder name.
    pub dataset: String,
    /// Which of its questions.
    pub selection: super::super::dataset::Selection,
    /// The version of Querent.
    pub version: &'static str,
    /// Questions whose gold query was looked at.
    pub n: usize,
    /// Questions whose gold query does not run or whose database does not open, by the reason.
    pub skipped: BTreeMap<String, usize>,
    /// The main figures.
    pub figures: Figures,
    /// The figures of the breaks as means of the codes, so that each code weighs the same.
    pub means: Means,
    /// Over all breaks.
    pub all: Tally,
    /// By the code of the error that was made.
    pub by_code: BTreeMap<&'static str, ByCode>,
    /// The gold queries, their text in single quotes.
    pub unbroken: Unbroken,
    /// The gold queries exactly as they are written.
    pub as_written: Unbroken,
}

/// Shares; `None` where there is nothing to share.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Breaks that change the result and that anything was found in.
    pub breaks_flagged: Option<f64>,
    /// Of these breaks, those where something was found that was not found in the unbroken query.
    pub breaks_flagged_anew: Option<f64>,
    /// Of these breaks, those with a finding of the right category.
    pub breaks_flagged_with_right_category: Option<f64>,
    /// Of these breaks, those that a repair gave the gold's result back.
    pub breaks_restored: Option<f64>,
    /// Unbroken queries in which an error was found.
    pub unbroken_flagged_at_error: Option<f64>,
    /// Unbroken queries in which nothing worse than a warning was found.
    pub unbroken_flagged_at_warning: Option<f64>,
}

/// Shares of the breaks that change the result, each the mean of the codes that have such breaks.
#[derive(Debug, Serialize)]
pub struct Means {
    /// Anything was found.
    pub flagged: Option<f64>,
    /// Something was found that was not found in the unbroken query.
    pub flagged_anew: Option<f64>,
    /// The error that was made was found.
    pub right_code: Option<f64>,
    /// An error of the same category was found.
    pub right_category: Option<f64>,
    /// A repair gave the gold's result back.
    pub restored: Option<f64>,
}

/// The breaks of one code, altogether and by the way in which they were made.
#[derive(Debug, Default, Serialize)]
pub struct ByCode {
    /// All of them.
    #[serde(flatten)]
    pub tally: Tally,
    /// By the way in which they were made.
    pub by_kind: BTreeMap<&'static str, Tally>,
}

/// Counts of breaks. All but the first two are counts of those that change the result.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Tally {
    /// Broken queries.
    pub mutants: usize,
    /// Those whose result is not the gold's, or that do not run.
    pub changed: usize,
    /// Anything was found.
    pub flagged: usize,
    /// Something was found that was not found in the unbroken query.
    pub flagged_anew: usize,
    /// An error was found.
    pub flagged_at_error: usize,
    /// The error that was made was found.
    pub right_code: usize,
    /// An error of the same category was found.
    pub right_category: usize,
    /// A repair gave other SQL.
    pub repaired: usize,
    /// That SQL gives the gold's result.
    pub restored: usize,
}

/// Gold queries in which no error was made.
#[derive(Debug, Default, Serialize)]
pub struct Unbroken {
    /// Queries.
    pub n: usize,
    /// An error was found.
    pub flagged_at_error: usize,
    /// Nothing worse than a warning was found.
    pub flagged_at_warning: usize,
    /// A repair gave other SQL.
    pub repaired: usize,
    /// That SQL does not give the gold's result.
    pub spoilt: usize,
    /// Queries in which an error of this code was found.
    pub errors: BTreeMap<&'static str, usize>,
    /// Queries in which a warning of this code was found.
    pub warnings: BTreeMap<&'static str, usize>,
}

impl MutationReport {
    /// Sums up.
    pub fn new(dataset: &Dataset, examined: &[Examined]) -> Self {
        let mut report = Self {
            dataset: dataset.name(),
            selection: dataset.selection.clone(),
            version: env!("CARGO_PKG_VERSION"),
            n: 0,
            skipped: BTreeMap::new(),
            figures: Figures::of(&Tally::default(), &Unbroken::default()),
            means: Means::of(&BTreeMap::new()),
            all: Tally::default(),
            by_code: BTreeMap::new(),
            unbroken: Unbroken::default(),
            as_written: Unbroken::default(),
        };
        for question in examined {
            if let Some(why) = &question.skipped {
                *report.skipped.entry(why.clone()).or_default() += 1;
                continue;
            }
            report.n += 1;
            let usual: Vec<Code> = question
                .cases
                .iter()
                .filter(|case| case.made == Made::Requoted)
                .flat_map(|case| case.findings.iter().map(|finding| finding.code))
                .collect();
            for case in &question.cases {
                match case.made {
                    Made::AsWritten => report.as_written.count(case),
                    Made::Requoted => report.unbroken.count(case),
                    Made::Broken(code, kind) => {
                        let by_code = report.by_code.entry(code.name()).or_default();
                        let by_kind = by_code.by_kind.entry(kind).or_default();
                        for tally in [&mut report.all, &mut by_code.tally, by_kind] {
                            tally.count(case, code, &usual);
                        }
                    }
                }
            }
        }
        report.figures = Figures::of(&report.all, &report.unbroken);
        report.means = Means::of(&report.by_code);
        report
    }
}

impl Figures {
    fn of(all: &Tally, unbroken: &Unbroken) -> Self {
        Self {
            breaks_flagged: share(all.flagged, all.changed),
            breaks_flagged_anew: share(all.flagged_anew, all.changed),
            breaks_flagged_with_right_category: share(all.right_category, all.changed),
            breaks_restored: share(all.restored, all.changed),
            unbroken_flagged_at_error: share(unbroken.flagged_at_error, unbroken.n),
            unbroken_flagged_at_warning: share(unbroken.flagged_at_warning, unbroken.n),
        }
    }
}

impl Means {
    fn of(by_code: &BTreeMap<&'static str, ByCode>) -> Self {
        let mean = |part: &dyn Fn(&Tally) -> usize| {
            let shares: Vec<f64> = by_code
                .values()
                .filter_map(|code| share(part(&code.tally), code.tally.changed))
                .collect();
            (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
        };
        Self {
            flagged: mean(&|tally| tally.flagged),
            flagged_anew: mean(&|tally| tally.flagged_anew),
            right_code: mean(&|tally| tally.right_code),
            right_category: mean(&|tally| tally.right_category),
            restored: mean(&|tally| tally.restored),
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Tally {
    fn count(&mut self, case: &Case, made: Code, usual: &[Code]) {
        self.mutants += 1;
        if !case.changed {
            return;
        }
        let found =
            |is: &dyn Fn(Code) -> bool| usize::from(case.findings.iter().any(|finding| is(finding.code)));
        self.changed += 1;
        self.flagged += found(&|_| true);
        self.flagged_anew += found(&|code| !usual.contains(&code));
        self.flagged_at_error += usize::from(case.findings.iter().any(|finding| finding.is_error));
        self.right_code += found(&|code| code == made);
        self.right_category += found(&|code| code.category() == made.category());
        self.repaired += usize::from(case.repaired.is_some());
        self.restored += usize::from(case.repaired.as_ref().is_some_and(|(_, right)| *right));
    }
}

impl Unbroken {
    fn count(&mut self, case: &Case) {
        self.n += 1;
        let codes = |is_error: bool| {
            let mut codes: Vec<_> = case
                .findings
                .iter()
                .filter(|finding| finding.is_error == is_error)
                .collect();
            codes.sort_by_key(|finding| finding.code);
            codes.dedup_by_key(|finding| finding.code);
            codes
        };
        let (errors, warnings) = (codes(true), codes(false));
        self.flagged_at_error += usize::from(!errors.is_empty());
        self.flagged_at_warning += usize::from(errors.is_empty() && !warnings.is_empty());
        self.repaired += usize::from(case.repaired.is_some());
        self.spoilt += usize::from(case.repaired.as_ref().is_some_and(|(_, right)| !right));
        for finding in errors {
            *self.errors.entry(finding.code.name()).or_default() += 1;
        }
        for finding in warnings {
            *self.warnings.entry(finding.code.name()).or_default() += 1;
        }
    }
}

/// Writes `mutations.json` and `mutations.csv`.
pub fn write_files(
    out: &Path,
    report: &MutationReport,
    dataset: &Dataset,
    examined: &[Examined],
) -> Result<(), EvalError> {
    write_report((out, "mutations.json"), report, || {
        write_csv(&out.join("mutations.csv"), dataset, examined)
    })
}

fn write_csv(path: &Path, dataset: &Dataset, examined: &[Examined]) -> io::Result<()> {
    const COLUMNS: &str =
        "index,db_id,question,code,kind,sql,changed,findings,messages,repaired_sql,repair_correct";
    let mut csv = csv::Writer::from_path(path)?;
    csv.write_record(COLUMNS.split(','))?;
    let questions: BTreeMap<usize, &str> = dataset
        .questions
        .iter()
        .map(|question| (question.index, question.text.as_str()))
        .collect();
    for question in examined {
        for case in &question.cases {
            let (code, kind) = match case.made {
                Made::AsWritten => ("", "as written"),
                Made::Requoted => ("", "unbroken"),
                Made::Broken(code, kind) => (code.name(), kind),
            };
            let severity = |is_error| if is_error { "error" } else { "warning" };
            let findings: Vec<String> = case
                .findings
                .iter()
                .map(|finding| format!("{}:{}", severity(finding.is_error), finding.code))
                .collect();
            let messages: Vec<&str> = case
                .findings
                .iter()
                .map(|finding| finding.message.as_str())
                .collect();
            let (repaired, correct) = case
                .repaired
                .as_ref()
                .map_or(("", String::new()), |(sql, right)| {
                    (sql.as_str(), right.to_string())
                });
            csv.write_record([
                question.index.to_string().as_str(),
                &question.db_id,
                questions.get(&question.index).copied().unwrap_or_default(),
                code,
                kind,
                &case.sql,
                &case.changed.to_string(),
                &findings.join(" "),
                &messages.join(" | "),
                repaired,
                &correct,
            ])?;
        }
    }
    csv.flush()
}
