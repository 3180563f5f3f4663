//! A reading in words, for people.

use super::{
    super::question::Token,
    items::Meaning,
    question::Question,
    roles::{Cast, Role},
};
use crate::question::{schema::Snapshot, semantic::SemanticModel};

/// What the words of a question were taken for, a line each.
pub(super) fn told(
    tokens: &[Token],
    question: &Question,
    cast: &Cast,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<String> {
    let schema = &snapshot.schema;
    let mut lines = Vec::new();
    for (mention, (role, sense)) in question.mentions.iter().zip(&cast.parts) {
        let words: Vec<&str> = tokens[mention.at..mention.end]
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        let column = |at: &crate::question::schema::ColumnRef| {
            format!("{}.{}", schema.tables[at.table].name, schema.column(*at).name)
        };
        let what = match &mention.senses[*sense].meaning {
            Meaning::Dataset(table) => format!("the table {}", schema.tables[*table].name),
            Meaning::Field(at) => format!("the column {}", column(at)),
            Meaning::Metric(at) => format!("the measure {}", model.metrics[*at].name),
            Meaning::Filter(at) => format!("the filter {}", model.filters[*at].name),
            Meaning::Value(at, value) => format!("{value:?} as a value of {}", column(at)),
            Meaning::Part(at, pattern) => format!("{pattern:?} as a pattern for {}", column(at)),
        };
        let part = match role {
            Role::Head => "what is asked for",
            Role::Measure => "what is measured",
            Role::Group => "what it is grouped by",
            Role::Shown => "what is shown",
            Role::Condition => "a condition",
            Role::RankBy => "what it is ranked by",
            Role::Order => "what it is ordered by",
            Role::Related => "what there must or must not be",
            Role::Owner => "whose it is",
            Role::Ignored => {
                lines.push(format!("{:?}: not used", words.join(" ")));
                continue;
            }
        };
        lines.push(format!("{:?}: {what}, {part}", words.join(" ")));
    }
    lines
}
