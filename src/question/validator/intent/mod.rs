//! What a question's words ask for against what a statement does. Each rule looks for one kind of gap, and says
//! nothing where the words leave a doubt: a false alarm costs more than a miss.

use super::{
    Asked, Clause, Code, Finding, Resolved,
    literals::qualified,
    query_summary::{Aggregate, Block, Constant, Limit, Literal, QuerySummary, Role, Term, Test, TestKind},
    resolve::LocatedFinding,
};
use crate::question::{
    embedded::{
        display_columns,
        intent::{Cue, Intent},
    },
    schema::{ColumnRef, Schema, Snapshot},
    semantic::SemanticModel,
};

mod aggregates;
mod columns;
mod grouping;
mod joins;
mod measures;
mod negation;
mod numbers;
mod output;
mod ranking;
mod sets;
mod subqueries;
mod values;

/// A question beside a statement that should answer it.
struct Held<'a> {
    intent: &'a Intent,
    summary: &'a QuerySummary,
    resolved: &'a Resolved,
    /// What was said of literals already.
    told: &'a [LocatedFinding],
    snapshot: &'a Snapshot,
    /// What the database means, where that is known.
    model: Option<&'a SemanticModel>,
    question: &'a str,
}

/// What less than this of a name is in the question, the question does not name.
const NAMED: f32 = 0.3;

/// Findings after which no more are noted.
const MAX_FINDINGS: usize = 20;

type Rule = (&'static str, fn(&Held<'_>) -> Vec<Finding>);

/// The rules, by the names that tell how often each was right.
const RULES: &[Rule] = &[
    ("rank", ranking::ranking),
    ("sorting", ranking::sorting),
    ("bare_limit", ranking::bare_limit),
    ("grouping", grouping::grouping),
    ("count", aggregates::counting),
    ("function", aggregates::functions),
    ("having_aggregate", aggregates::having),
    ("value_unused", values::unused),
    ("text_invented", values::invented),
    ("number_unused", numbers::unused),
    ("bound_turned", numbers::bounds),
    ("number_invented", numbers::invented),
    ("negation", negation::negation),
    ("values_contradict", sets::contradiction),
    ("set_operation", sets::sets),
    ("repeated", sets::distinct),
    ("column_compared", columns::compared),
    ("column_shown", columns::shown),
    ("column_ordered", columns::ordered),
    ("key_compared", columns::ordered_keys),
    ("number_counted", numbers::counted),
    ("key_aggregated", aggregates::of_keys),
    ("other_table_counted", aggregates::of_another_table),
    ("output", output::output),
    ("table_idle", joins::idle),
    ("join_kind", joins::kinds),
    ("outer_counted", joins::counted),
    ("set_sides", sets::sides),
    ("bounds_impossible", sets::impossible),
    ("or_between", sets::alternatives),
    ("subquery", subqueries::subqueries),
    ("fanned_out", measures::fanned_out),
    ("not_additive", measures::not_additive),
    ("defined_otherwise", measures::defined_otherwise),
];

/// What does not fit the question, as far as its words tell.
pub(super) fn against(
    summary: &QuerySummary,
    resolved: &Resolved,
    told: &[LocatedFinding],
    asked: &Asked<'_>,
    intent: &Intent,
) -> Vec<LocatedFinding> {
    let held = Held {
        intent,
        summary,
        resolved,
        told,
        snapshot: asked.snapshot,
        model: asked.model,
        question: asked.question,
    };
    let mut found: Vec<LocatedFinding> = Vec::new();
    for finding in RULES.iter().flat_map(|&(name, rule)| named(name, rule(&held))) {
        // One gap may be seen from several sides; the first rule knows best.
        let same = |found: &LocatedFinding| {
            (found.finding.code, found.finding.position) == (finding.code, finding.position)
        };
        if found.len() < MAX_FINDINGS && !found.iter().any(same) {
            found.push(LocatedFinding { finding, span: None });
        }
    }
    found
}

/// Findings with the name of their rule, unless they have one of their own.
fn named(name: &'static str, findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    findings.into_iter().map(move |finding| {
        if finding.rule == finding.code.name() {
            finding.by(name)
        } else {
            finding
        }
    })
}

impl Held<'_> {
    fn schema(&self) -> &Schema {
        &self.snapshot.schema
    }

    /// A column as `table.column`.
    fn name(&self, column: ColumnRef) -> String {
        qualified(self.schema(), column)
    }

    /// The SELECTs that give the rows of the answer.
    fn main(&self) -> impl Iterator<Item = &Block> {
        self.summary.main()
    }

    /// Where the statement begins.
    fn position(&self) -> Option<usize> {
        self.main().next().and_then(|block| block.position)
    }

    /// A warning about the statement as a whole.
    fn warning(&self, code: Code, message: impl Into<String>) -> Finding {
        Finding::warning(code, self.position(), message)
    }

    /// True if an aggregate of this name is called anywhere.
    fn calls(&self, names: &[&str]) -> bool {
        self.summary
            .aggregates
            .iter()
            .any(|aggregate| names.contains(&aggregate.name.as_str()))
    }

    fn cue(&self, cue: Cue) -> bool {
        self.intent.has(cue)
    }

    fn is_key(&self, column: ColumnRef) -> bool {
        let schema = self.schema();
        schema.tables[column.table].primary_key == [column.column]
            || schema.foreign_keys.iter().any(|key| key.from.contains(&column))
    }

    /// True if the question names a column, by its words, by what it is of, or by an adjective.
    fn names(&self, column: ColumnRef) -> bool {
        let shows = || {
            self.intent.names_table(column.table) >= 0.5
                && display_columns(self.snapshot, column.table).contains(&column)
        };
        self.intent.names_column(column) >= NAMED || self.intent.hints_at(column) || shows()
    }

    /// True if the statement names the column, or one called the same.
    fn uses(&self, column: ColumnRef) -> bool {
        let schema = self.schema();
        let name = &schema.column(column).name;
        self.resolved
            .columns
            .iter()
            .any(|used| *used == column || schema.column(*used).name.eq_ignore_ascii_case(name))
    }
}
