//! What metrics compute and filters ask for, as SQL over the columns of their table.

use super::{Factor, FilterCondition, MetricExpression, NamedFilter};
use crate::schema::{ColumnRef, Dialect, Schema, identifier, literal};

impl MetricExpression {
    /// The aggregate, in words that both databases take; of a time between two columns only what it is of.
    pub fn sql(&self, schema: &Schema, dialect: Dialect) -> String {
        let name = |at: &ColumnRef| identifier(&schema.column(*at).name, dialect);
        match self {
            Self::Count => "COUNT(*)".to_owned(),
            Self::Sum(factors) => {
                let factor = |factor: &Factor| match factor {
                    Factor::Column(at) => name(at),
                    Factor::Less(at) => format!("(1 - {})", name(at)),
                    Factor::LessPercent(at) => format!("(1 - {} / 100.0)", name(at)),
                };
                let factors: Vec<String> = factors.iter().map(factor).collect();
                format!("SUM({})", factors.join(" * "))
            }
            Self::Average(at) => format!("AVG({})", name(at)),
            Self::Duration(from, to) => format!("AVG({} - {})", name(to), name(from)),
        }
    }
}

impl NamedFilter {
    /// The condition.
    pub fn sql(&self, schema: &Schema, dialect: Dialect) -> String {
        let name = |column: usize| identifier(&schema.tables[self.dataset].columns[column].name, dialect);
        match &self.condition {
            FilterCondition::Is(column, value) => format!("{} = {}", name(*column), literal(value)),
            FilterCondition::Missing(column) => format!("{} IS NULL", name(*column)),
            FilterCondition::Present(column) => format!("{} IS NOT NULL", name(*column)),
            FilterCondition::Flag(column, true) => name(*column),
            FilterCondition::Flag(column, false) => format!("NOT {}", name(*column)),
        }
    }
}
