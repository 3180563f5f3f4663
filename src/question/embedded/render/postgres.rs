//! What PostgreSQL writes otherwise: patterns, parts and periods of dates, and literals that fit their column's type.

use super::{NoJoinPath, Renderer, operator};
use crate::question::{
    embedded::{
        clauses::bounds,
        logical::{Comparator, Comparison, DatePart, Expression, Function, Operand},
    },
    schema::{ColumnKind, ColumnRef, identifier},
};

/// The end of a day, as a range of timestamps has it.
const END_OF_DAY: &str = " 23:59:59";

/// Both sides of a comparison as they go together.
enum Fit {
    /// The right side as it stands here.
    Plain(String),
    /// The left side cast to text, and the right side.
    AsText(String),
}

impl Renderer<'_> {
    /// The schema that must stand before a table's name.
    pub(super) fn namespace(&self, table: usize) -> Option<String> {
        let table = &self.snapshot.schema.tables[table];
        let schema = table.schema.as_deref().filter(|_| table.qualified)?;
        Some(identifier(schema, self.snapshot.dialect))
    }

    /// True for an expression whose NULLs PostgreSQL would put first in a descending order.
    pub(super) fn may_be_null(&self, expression: &Expression) -> bool {
        self.is_postgres()
            && match expression {
                Expression::Column(column) | Expression::Part(_, column) => {
                    !self.snapshot.schema.column(*column).not_null
                }
                Expression::Aggregate { function, column, .. } => {
                    *function != Function::Count && !self.snapshot.schema.column(*column).not_null
                }
                _ => false,
            }
    }

    /// True for the types that PostgreSQL cannot compare.
    pub(super) fn lacks_equality(&self, column: ColumnRef) -> bool {
        let declared = self.snapshot.schema.column(column).declared_type.as_str();
        self.is_postgres() && matches!(declared, "json" | "xml" | "point" | "polygon" | "txid_snapshot")
    }

    /// An expression that is written otherwise than in SQLite.
    pub(super) fn postgres_expression(&self, expression: &Expression, qualified: bool) -> Option<String> {
        match expression {
            Expression::Part(part, column) => {
                let format = match part {
                    DatePart::Year => "YYYY",
                    DatePart::Month => "YYYY-MM",
                    DatePart::Day => "YYYY-MM-DD",
                };
                Some(format!("to_char({}, '{format}')", self.dated(*column, qualified)))
            }
            Expression::Aggregate {
                function,
                distinct,
                column,
            } => self.aggregate(*function, *distinct, *column, qualified),
            _ => None,
        }
    }

    /// An aggregate that PostgreSQL lacks for the type of its column.
    fn aggregate(
        &self,
        function: Function,
        distinct: bool,
        at: ColumnRef,
        qualified: bool,
    ) -> Option<String> {
        let column = self.column(at, qualified);
        let distinct = if distinct { "DISTINCT " } else { "" };
        let text = match (function, self.snapshot.schema.column(at).kind) {
            (Function::Sum, ColumnKind::Boolean) => format!("SUM({distinct}{column}::int)"),
            (Function::Average, ColumnKind::Boolean) => format!("AVG({distinct}{column}::int)"),
            (Function::Sum, ColumnKind::Text) => format!("SUM({distinct}NULLIF({column}, '')::numeric)"),
            (Function::Average, ColumnKind::Text) => format!("AVG({distinct}NULLIF({column}, '')::numeric)"),
            (Function::Maximum, ColumnKind::Boolean) => format!("bool_or({column})"),
            (Function::Minimum, ColumnKind::Boolean) => format!("bool_and({column})"),
            (Function::Maximum, ColumnKind::Uuid | ColumnKind::Other) => format!("MAX({column}::text)"),
            (Function::Minimum, ColumnKind::Uuid | ColumnKind::Other) => format!("MIN({column}::text)"),
            (Function::Count, _) if self.lacks_equality(at) && !distinct.is_empty() => {
                format!("COUNT(DISTINCT {column}::text)")
            }
            _ => return None,
        };
        Some(text)
    }

    /// A column of dates; cast where its type is another.
    fn dated(&self, at: ColumnRef, qualified: bool) -> String {
        let column = self.column(at, qualified);
        if self.is_stored_as_text(at) {
            format!("{column}::timestamp")
        } else {
            column
        }
    }

    fn is_stored_as_text(&self, at: ColumnRef) -> bool {
        let declared = &self.snapshot.schema.column(at).declared_type;
        ["text", "character", "varchar", "char"]
            .iter()
            .any(|text| declared.starts_with(text))
    }

    /// The kind of values that an expression has.
    fn kind(&self, expression: &Expression) -> ColumnKind {
        let of = |column: ColumnRef| self.snapshot.schema.column(column).kind;
        match expression {
            Expression::Column(column) => of(*column),
            Expression::Aggregate { function, column, .. } => match function {
                Function::Count => ColumnKind::Integer,
                Function::Average | Function::Sum if of(*column) == ColumnKind::Interval => {
                    ColumnKind::Interval
                }
                Function::Average | Function::Sum => ColumnKind::Number,
                Function::Maximum | Function::Minimum => of(*column),
            },
            Expression::CountRows | Expression::One => ColumnKind::Integer,
            Expression::Part(..) => ColumnKind::Text,
            Expression::Row(_) => ColumnKind::Other,
        }
    }

    pub(super) fn postgres_comparison(
        &self,
        comparison: &Comparison,
        qualified: bool,
    ) -> Result<String, NoJoinPath> {
        let kind = self.kind(&comparison.left);
        let left = match &comparison.left {
            Expression::Column(column) if kind.is_temporal() => self.dated(*column, qualified),
            other => self.expression(other, qualified),
        };
        let sign = operator(comparison.operator);
        Ok(match (comparison.operator, &comparison.right) {
            (Comparator::IsNull | Comparator::IsNotNull, _) => format!("{left} {sign}"),
            (Comparator::Like | Comparator::NotLike, Operand::Text(pattern)) => {
                let negated = comparison.operator == Comparator::NotLike;
                like(&left, kind, pattern, negated)
            }
            (Comparator::Between, Operand::Range(low, high)) => {
                self.between(&left, comparison, [low, high])?
            }
            (_, Operand::Query(query)) => {
                let number = matches!(query.select.first(), Some(Expression::Aggregate { function, .. })
                    if matches!(function, Function::Average | Function::Sum));
                let cast = if kind == ColumnKind::Text && number {
                    "::numeric"
                } else {
                    ""
                };
                format!("{left}{cast} {sign} ({})", self.query(query)?)
            }
            (_, right) => match self.fit(&comparison.left, right)? {
                Fit::Plain(right) => format!("{left} {sign} {right}"),
                Fit::AsText(right) => format!("{left}::text {sign} {right}"),
            },
        })
    }

    /// A range with both bounds; the last second of a day has fractions behind it.
    fn between(
        &self,
        left: &str,
        comparison: &Comparison,
        [low, high]: [&Operand; 2],
    ) -> Result<String, NoJoinPath> {
        let (one, other) = (
            self.fit(&comparison.left, low)?,
            self.fit(&comparison.left, high)?,
        );
        if let (Fit::Plain(low), Operand::Text(text)) = (&one, high)
            && let Some((_, after)) = text.strip_suffix(END_OF_DAY).and_then(bounds)
        {
            return Ok(format!("({left} >= {low} AND {left} < {})", literal(&after)));
        }
        Ok(match (one, other) {
            (Fit::Plain(low), Fit::Plain(high)) => format!("{left} BETWEEN {low} AND {high}"),
            (Fit::Plain(low) | Fit::AsText(low), Fit::Plain(high) | Fit::AsText(high)) => {
                format!("{left}::text BETWEEN {low} AND {high}")
            }
        })
    }

    /// A literal as it can be compared with an expression.
    fn fit(&self, left: &Expression, right: &Operand) -> Result<Fit, NoJoinPath> {
        let text = match right {
            Operand::Text(text) | Operand::Number(text) => text,
            other => return self.operand(other).map(Fit::Plain),
        };
        let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
        let quoted = literal(text);
        Ok(match self.kind(left) {
            ColumnKind::Integer | ColumnKind::Number if is_number => Fit::Plain(text.clone()),
            ColumnKind::Text => Fit::Plain(quoted),
            ColumnKind::Boolean => match truth(text) {
                Some(truth) => Fit::Plain(truth.to_string()),
                None => Fit::AsText(quoted),
            },
            ColumnKind::Date | ColumnKind::Timestamp => match bounds(text) {
                Some((first, _)) => Fit::Plain(literal(&first)),
                None if is_day(text) => Fit::Plain(quoted),
                // Nobody means that; the validator says so.
                None if is_number => Fit::Plain(text.clone()),
                None => Fit::AsText(quoted),
            },
            ColumnKind::Time if text.contains(':') => Fit::Plain(quoted),
            ColumnKind::Enum if left.column().is_some_and(|column| self.is_stored(column, text)) => {
                Fit::Plain(quoted)
            }
            ColumnKind::Uuid if text.bytes().filter(u8::is_ascii_hexdigit).count() == 32 => {
                Fit::Plain(quoted)
            }
            _ => Fit::AsText(quoted),
        })
    }

    fn is_stored(&self, column: ColumnRef, text: &str) -> bool {
        let values = self.snapshot.values.values_of(column);
        values.iter().any(|value| &**value == text)
    }
}

/// A string literal that reads the same whatever `standard_conforming_strings` is.
fn literal(text: &str) -> String {
    let text = text.replace('\'', "''");
    if text.contains('\\') {
        format!("E'{}'", text.replace('\\', "\\\\"))
    } else {
        format!("'{text}'")
    }
}

/// `LIKE` without regard to case; of dates, the period that the pattern begins with.
fn like(left: &str, kind: ColumnKind, pattern: &str, negated: bool) -> String {
    let period = pattern
        .strip_suffix('%')
        .filter(|_| kind.is_temporal())
        .and_then(bounds);
    if let Some((first, after)) = period {
        let (first, after) = (literal(&first), literal(&after));
        return if negated {
            format!("({left} < {first} OR {left} >= {after})")
        } else {
            format!("({left} >= {first} AND {left} < {after})")
        };
    }
    let cast = if kind == ColumnKind::Text { "" } else { "::text" };
    let not = if negated { "NOT " } else { "" };
    format!("{left}{cast} {not}ILIKE {}", literal(pattern))
}

/// What a word or number says as a truth value.
fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "t" | "true" | "y" | "yes" | "on" => Some(true),
        "0" | "f" | "false" | "n" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// `2001-12-31`, perhaps with a time behind it.
fn is_day(text: &str) -> bool {
    let day = text.get(..10).unwrap_or_default();
    bounds(day).is_some() && day.len() == 10
}
