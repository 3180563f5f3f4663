//! What an evaluation came to so far, from the little that is kept of each question.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::eval::Record;

/// Points of a curve at most.
const POINTS: usize = 60;

/// What is kept of a question while its evaluation runs.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    index: usize,
    /// `+` right, `-` wrong, `!` an answer that does not run, `o` no answer, `?` nobody can be right.
    mark: char,
    confidence: Option<f64>,
    difficulty: Option<Arc<str>>,
    kind: Option<Arc<str>>,
    database: Arc<str>,
    milliseconds: f64,
    cost_usd: f64,
}

/// The cells of an evaluation.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    /// Labels that were seen, so that each is kept once.
    labels: BTreeMap<String, Arc<str>>,
}

/// Some of the questions.
#[derive(Debug, Default, Serialize)]
struct Part {
    n: usize,
    answered: usize,
    correct: usize,
}

/// Answers of about one confidence.
#[derive(Debug, Serialize)]
struct Tenth {
    /// Where it begins.
    from: f64,
    n: usize,
    /// The mean confidence.
    confidence: f64,
    /// The share of right ones.
    right: f64,
}

/// If only answers of at least this confidence counted.
#[derive(Debug, Serialize)]
struct Point {
    confidence: f64,
    /// The share of questions that have such an answer.
    coverage: f64,
    /// The share of right ones among those.
    precision: f64,
}

/// The figures.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    done: usize,
    answered: usize,
    correct: usize,
    /// Nobody can be right: the reference itself does not run.
    unjudged: usize,
    cost_usd: f64,
    /// Milliseconds: half of the questions took less.
    p50_ms: f64,
    /// 95 of 100 took less.
    p95_ms: f64,
    by_difficulty: BTreeMap<Arc<str>, Part>,
    by_kind: BTreeMap<Arc<str>, Part>,
    by_database: BTreeMap<Arc<str>, Part>,
    calibration: Vec<Tenth>,
    /// The mean distance, over the tenths, between confidence and right answers.
    calibration_error: Option<f64>,
    coverage: Vec<Point>,
    /// Positions of the questions in the data set, in their order.
    indexes: Vec<usize>,
    /// One sign for each of them.
    marks: String,
}

impl Part {
    fn add(&mut self, cell: &Cell) {
        self.n += 1;
        self.answered += usize::from(cell.answered());
        self.correct += usize::from(cell.mark == '+');
    }
}

impl Cell {
    fn answered(&self) -> bool {
        matches!(self.mark, '+' | '-' | '!')
    }
}

impl Cells {
    /// Another question is done.
    pub(super) fn add(&mut self, record: &Record) {
        let mut label = |text: &str| {
            if let Some(known) = self.labels.get(text) {
                return Arc::clone(known);
            }
            let label: Arc<str> = text.into();
            self.labels.insert(text.to_owned(), Arc::clone(&label));
            label
        };
        let cell = Cell {
            index: record.index,
            mark: match record {
                _ if !record.is_judged() => '?',
                _ if record.correct => '+',
                _ if !record.answered() => 'o',
                _ if record.valid => '-',
                _ => '!',
            },
            confidence: record.confidence,
            difficulty: record.difficulty.as_deref().map(&mut label),
            kind: record.kind.as_deref().map(&mut label),
            database: label(&record.db_id),
            milliseconds: record.milliseconds,
            cost_usd: record.cost_usd,
        };
        self.cells.push(cell);
    }

    /// How many are done, right, and answered.
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let count = |wanted: &dyn Fn(&Cell) -> bool| self.cells.iter().filter(|cell| wanted(cell)).count();
        (
            self.cells.len(),
            count(&|cell| cell.mark == '+'),
            count(&Cell::answered),
        )
    }

    /// The figures.
    pub(super) fn figures(&self) -> Figures {
        let (done, correct, answered) = self.counts();
        let mut sorted: Vec<&Cell> = self.cells.iter().collect();
        sorted.sort_by_key(|cell| cell.index);
        let parts = |of: &dyn Fn(&Cell) -> Option<Arc<str>>| {
            let mut parts: BTreeMap<Arc<str>, Part> = BTreeMap::new();
            for cell in &self.cells {
                if let Some(label) = of(cell) {
                    parts.entry(label).or_default().add(cell);
                }
            }
            parts
        };
        let mut times: Vec<f64> = self.cells.iter().map(|cell| cell.milliseconds).collect();
        let calibration = self.calibration();
        let judged: usize = calibration.iter().map(|tenth| tenth.n).sum();
        let apart = calibration
            .iter()
            .map(|tenth| tenth.n as f64 * (tenth.confidence - tenth.right).abs());
        Figures {
            done,
            answered,
            correct,
            unjudged: self.cells.iter().filter(|cell| cell.mark == '?').count(),
            cost_usd: self.cells.iter().map(|cell| cell.cost_usd).sum(),
            p50_ms: super::super::pipeline::quantile(&mut times, 0.5),
            p95_ms: super::super::pipeline::quantile(&mut times, 0.95),
            by_difficulty: parts(&|cell| cell.difficulty.clone()),
            by_kind: parts(&|cell| cell.kind.clone()),
            by_database: parts(&|cell| Some(Arc::clone(&cell.database))),
            calibration_error: (judged > 0).then(|| apart.sum::<f64>() / judged as f64),
            coverage: self.coverage(),
            calibration,
            indexes: sorted.iter().map(|cell| cell.index).collect(),
            marks: sorted.iter().map(|cell| cell.mark).collect(),
        }
    }

    /// Answers with a confidence, the surest first.
    fn sure(&self) -> Vec<(f64, bool)> {
        let answered = self.cells.iter().filter(|cell| cell.answered());
        let mut sure: Vec<(f64, bool)> = answered
            .filter_map(|cell| Some((cell.confidence?, cell.mark == '+')))
            .collect();
        sure.sort_by(|one, other| other.0.total_cmp(&one.0));
        sure
    }

    fn calibration(&self) -> Vec<Tenth> {
        let mut tenths = vec![(0_usize, 0.0, 0_usize); 10];
        for (confidence, right) in self.sure() {
            let tenth = &mut tenths[((confidence * 10.0) as usize).min(9)];
            tenth.0 += 1;
            tenth.1 += confidence;
            tenth.2 += usize::from(right);
        }
        let filled = tenths.into_iter().enumerate().filter(|(_, (n, ..))| *n > 0);
        filled
            .map(|(at, (n, sum, right))| Tenth {
                from: at as f64 / 10.0,
                n,
                confidence: sum / n as f64,
                right: right as f64 / n as f64,
            })
            .collect()
    }

    fn coverage(&self) -> Vec<Point> {
        let sure = self.sure();
        let judged = self.cells.iter().filter(|cell| cell.mark != '?').count().max(1);
        let every = sure.len().div_ceil(POINTS).max(1);
        let mut right = 0;
        let mut points = Vec::new();
        for (at, (confidence, is_right)) in sure.iter().enumerate() {
            right += usize::from(*is_right);
            let count = at + 1;
            // Answers that are equally sure are let through together.
            let is_last = sure.get(count).is_none_or(|(next, _)| next < confidence);
            if is_last && (count % every == 0 || count == sure.len() || points.is_empty()) {
                points.push(Point {
                    confidence: *confidence,
                    coverage: count as f64 / judged as f64,
                    precision: right as f64 / count as f64,
                });
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &[(char, f64)]) -> Cells {
        let cell = |(index, (mark, confidence)): (usize, &(char, f64))| Cell {
            index,
            mark: *mark,
            confidence: Some(*confidence),
            difficulty: None,
            kind: None,
            database: "d".into(),
            milliseconds: 1.0,
            cost_usd: 0.0,
        };
        Cells {
            cells: of.iter().enumerate().map(cell).collect(),
            labels: BTreeMap::new(),
        }
    }

    #[test]
    fn curves_follow_the_confidence() {
        let figures = cells(&[('+', 0.95), ('-', 0.95), ('+', 0.5), ('o', 0.0)]).figures();
        let points: Vec<(f64, f64)> = figures
            .coverage
            .iter()
            .map(|point| (point.coverage, point.precision))
            .collect();
        assert_eq!(points, [(0.5, 0.5), (0.75, 2.0 / 3.0)]);
        assert_eq!(figures.calibration.len(), 2);
        // (1 × |0.5 - 1| + 2 × |0.95 - 0.5|) / 3
        assert!((figures.calibration_error.unwrap() - 1.4 / 3.0).abs() < 1e-9);
        assert_eq!(figures.marks, "+-+o");
    }
}
