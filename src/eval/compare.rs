//! Two evaluations of the same questions: what changed, and whether it may be chance.

use std::{collections::BTreeMap, path::Path};

use super::{EvalError, journal, record::Record};

/// One evaluation held against another.
#[derive(Debug)]
pub struct Comparison {
    /// The questions of both, each with how the first answered and how the second did.
    pub pairs: Vec<(Record, Record)>,
    /// Questions of one of them alone.
    pub unpaired: usize,
}

/// Which answers count as right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Those with the reference's rows.
    Exact,
    /// Those too that have further columns.
    Wider,
}

/// What became of the answers.
#[derive(Debug)]
pub struct Change<'a> {
    /// The share of right answers in the first evaluation and in the second.
    pub right: [f64; 2],
    /// Wrong in the first and right in the second.
    pub gained: Vec<&'a (Record, Record)>,
    /// Right in the first and wrong in the second.
    pub lost: Vec<&'a (Record, Record)>,
    /// How likely as large a difference is by chance, 0 to 1: `McNemar`'s exact test, two-sided.
    pub chance: f64,
}

impl Comparison {
    /// Reads what two evaluations have left in the folders of their `--out`.
    pub fn read(first: &Path, second: &Path) -> Result<Self, EvalError> {
        let by_question = |out: &Path| -> Result<BTreeMap<(usize, String), Record>, EvalError> {
            let records = journal::records(out)?.into_iter();
            Ok(records
                .map(|record| ((record.index, record.question.clone()), record))
                .collect())
        };
        let (first, mut second) = (by_question(first)?, by_question(second)?);
        let questions = first.len() + second.len();
        let mut pairs = Vec::new();
        for (question, one) in first {
            if let Some(other) = second.remove(&question) {
                pairs.push((one, other));
            }
        }
        if pairs.is_empty() {
            return Err(
                EvalError::new("the two evaluations have no question in common".into())
                    .hint("compare evaluations of the same data set"),
            );
        }
        Ok(Self {
            unpaired: questions - 2 * pairs.len(),
            pairs,
        })
    }

    /// What changed.
    pub fn change(&self, which: Right) -> Change<'_> {
        let is_right = |record: &Record| match which {
            Right::Exact => record.correct,
            Right::Wider => record.correct || record.wider,
        };
        let share = |of: &dyn Fn(&(Record, Record)) -> bool| {
            self.pairs.iter().filter(|pair| of(pair)).count() as f64 / self.pairs.len().max(1) as f64
        };
        let turned = |before: bool| -> Vec<&(Record, Record)> {
            let turned =
                |(one, other): &&(Record, Record)| (is_right(one), is_right(other)) == (before, !before);
            self.pairs.iter().filter(turned).collect()
        };
        let (gained, lost) = (turned(false), turned(true));
        Change {
            right: [
                share(&|(one, _)| is_right(one)),
                share(&|(_, other)| is_right(other)),
            ],
            chance: chance(gained.len(), lost.len()),
            gained,
            lost,
        }
    }

    /// The mean of a figure in the first evaluation and in the second.
    pub fn means(&self, of: impl Fn(&Record) -> f64) -> [f64; 2] {
        let n = self.pairs.len().max(1) as f64;
        let one: f64 = self.pairs.iter().map(|(one, _)| of(one)).sum();
        let other: f64 = self.pairs.iter().map(|(_, other)| of(other)).sum();
        [one / n, other / n]
    }
}

/// How likely changes fall as unevenly as these, if either way is as likely: twice the tail of the binomial distribution.
fn chance(gained: usize, lost: usize) -> f64 {
    let (n, fewer) = (gained + lost, gained.min(lost));
    // In logarithms: the probabilities of many changes are too small to be written.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=fewer {
        tail += term.exp();
        term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_that_of_mcnemars_exact_test() {
        for (gained, lost, expected) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 5, 1.0),
            (6, 0, 0.03125),
            (0, 6, 0.03125),
            (10, 2, 0.038_574_218_75),
            (3000, 0, 0.0),
        ] {
            let chance = chance(gained, lost);
            assert!((chance - expected).abs() < 1e-9, "{gained} {lost}: {chance}");
        }
    }
}
