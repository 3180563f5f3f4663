//! How far findings are to be trusted: how often each rule found something in statements that were right, and how often in
//! wrong ones. What finds fault with right statements too often is told as a note, and nothing follows from it.

use super::{Finding, Severity};

/// Statements in which rules found something, or that were looked at.
#[derive(Debug, Clone, Copy)]
struct Counts {
    right: u32,
    wrong: u32,
}

/// How often a rule found something.
#[derive(Debug, Clone, Copy)]
struct Record {
    rule: &'static str,
    /// In answers to business questions, whoever wrote them: people, a strong model, the embedded agents.
    business: Counts,
    /// In answers to academic questions.
    academic: Counts,
    /// In those of both that people or the model wrote.
    models: Counts,
}

const fn record(rule: &'static str, business: [u32; 2], academic: [u32; 2], models: [u32; 2]) -> Record {
    const fn counts([right, wrong]: [u32; 2]) -> Counts {
        Counts { right, wrong }
    }
    Record {
        rule,
        business: counts(business),
        academic: counts(academic),
        models: counts(models),
    }
}

/// The statements that were looked at: the references of tuning questions, and answers to them. `querent eval SET
/// --predictions FILE` counts the same in `report.json`, under `by_rule`.
const ALL: Record = record("", [517, 63], [2681, 401], [2237, 23]);

/// The rules that found something in six right statements or more; of the others too little is known.
const KNOWN: &[Record] = &[
    record("bound_turned", [0, 0], [6, 2], [6, 1]),
    record("column_compared", [12, 2], [7, 1], [18, 1]),
    record("column_shown", [7, 0], [1, 0], [8, 0]),
    record("condition_type_mismatch", [0, 1], [25, 0], [21, 0]),
    record("count_unasked", [9, 0], [3, 9], [10, 0]),
    record("equal_rows_merged", [4, 2], [29, 38], [25, 9]),
    record("function_unasked", [69, 3], [2, 4], [65, 0]),
    record("groupby_missing_col", [0, 2], [19, 20], [13, 0]),
    record("negation_missing", [9, 2], [3, 2], [11, 0]),
    record("negation_unasked", [6, 0], [2, 0], [8, 0]),
    record("nothing_returned", [0, 3], [38, 45], [24, 0]),
    record("number_invented", [10, 2], [5, 0], [12, 0]),
    record("outer_unasked", [8, 2], [5, 16], [5, 0]),
    record("rows_of_one_number", [14, 0], [3, 0], [15, 0]),
    record("shown_beyond", [0, 0], [18, 1], [16, 0]),
    record("shown_missing", [4, 1], [5, 8], [8, 0]),
    record("shown_order", [19, 1], [3, 4], [20, 0]),
    record("shown_unnamed", [23, 1], [12, 2], [30, 0]),
    record("text_invented", [16, 1], [7, 0], [23, 1]),
    record("value_unknown", [0, 0], [24, 10], [22, 0]),
    record("value_unused", [5, 0], [3, 10], [7, 0]),
];

/// Right statements in which a rule must have found something to be judged by them.
const ENOUGH: u32 = 6;
/// How much likelier a finding must be in a wrong statement than in a right one to be more than a note: where one statement in
/// eight is wrong, half of the findings are false alarms then.
const WORTH: f64 = 7.0;
/// What a finding of a rule weighs of which too little is known.
const UNKNOWN: f64 = 4.0;
/// The most that a finding weighs. The weightiest rule is found 34 times as often in wrong statements of models as in right ones, and
/// 22 times in those of the strong model alone, which are few.
const MOST: f64 = 24.0;

/// Makes a note of what was found by a rule that is mostly wrong about one kind of questions, or about all of them.
pub(super) fn grade(finding: &mut Finding) {
    if finding.severity == Severity::Warning && known(finding.rule).is_some_and(is_mostly_wrong) {
        finding.severity = Severity::Note;
    }
}

/// How much likelier what was found is in a wrong statement of a model than in a right one; 1 where that says nothing.
/// What two rules find is often the same fault, so the weightiest finding counts alone.
pub fn weight<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> f64 {
    let counted = findings.into_iter().filter(|finding| finding.counts());
    let weights = counted.map(|finding| match known(finding.rule) {
        Some(record) => ratio(record.models, ALL.models).clamp(1.0, MOST),
        None => UNKNOWN,
    });
    weights.fold(1.0, f64::max)
}

fn known(rule: &str) -> Option<&'static Record> {
    KNOWN.iter().find(|record| record.rule == rule)
}

fn is_mostly_wrong(record: &Record) -> bool {
    let kinds = [
        (record.business, ALL.business),
        (record.academic, ALL.academic),
        (
            record.business.and(record.academic),
            ALL.business.and(ALL.academic),
        ),
    ];
    kinds
        .iter()
        .any(|(found, all)| found.right >= ENOUGH && ratio(*found, *all) < WORTH)
}

impl Counts {
    fn and(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
        }
    }
}

/// How much likelier something is found in a wrong statement, with half a finding more of each so that none is nothing.
fn ratio(found: Counts, all: Counts) -> f64 {
    let share = |found: u32, all: u32| (f64::from(found) + 0.5) / (f64::from(all) + 1.0);
    share(found.wrong, all.wrong) / share(found.right, all.right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::validator::Code;

    fn graded(rule: &'static str) -> Severity {
        let mut finding = Finding::warning(Code::IncorrectCol, None, "found").by(rule);
        grade(&mut finding);
        finding.severity
    }

    #[test]
    fn what_is_mostly_wrong_is_a_note() {
        // Right about academic questions, wrong about those of business.
        assert_eq!(graded("outer_unasked"), Severity::Note);
        assert_eq!(graded("function_unasked"), Severity::Note);
        assert_eq!(graded("nothing_returned"), Severity::Warning);
        assert_eq!(graded("of_which_nothing_is_known"), Severity::Warning);
    }

    #[test]
    fn errors_stay_what_they_are() {
        let mut finding = Finding::error(Code::ConditionTypeMismatch, None, "found");
        grade(&mut finding);
        assert!(finding.is_error());
    }

    #[test]
    fn the_weightiest_finding_counts() {
        let finding = |rule| Finding::warning(Code::IncorrectCol, None, "found").by(rule);
        assert!((weight([]) - 1.0).abs() < f64::EPSILON);
        assert!((weight(&[finding("unheard_of")]) - UNKNOWN).abs() < f64::EPSILON);
        let both = [finding("nothing_returned"), finding("equal_rows_merged")];
        assert!((weight(&both) - MOST).abs() < f64::EPSILON);
    }

    #[test]
    fn rules_stand_in_order_and_once() {
        assert!(KNOWN.windows(2).all(|pair| pair[0].rule < pair[1].rule));
    }
}
