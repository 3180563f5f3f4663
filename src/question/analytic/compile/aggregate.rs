//! Aggregates of rows, and the measures that are made of them.

use super::{NoWay, rows::Rows};
use crate::question::{
    schema::Dialect,
    semantic::{Aggregate, Change, Formula, Piece},
};

/// An aggregate of rows for which some conditions hold.
pub(super) fn aggregate(rows: &mut Rows<'_>, of: &Aggregate, only: &[String]) -> Result<String, NoWay> {
    let filter = if only.is_empty() {
        String::new()
    } else {
        format!(" FILTER (WHERE {})", only.join(" AND "))
    };
    Ok(match of {
        Aggregate::Count => format!("COUNT(*){filter}"),
        Aggregate::CountDistinct(scalar) => format!("COUNT(DISTINCT {}){filter}", rows.scalar(scalar)?),
        Aggregate::Sum(scalar) => format!("SUM({}){filter}", rows.scalar(scalar)?),
        Aggregate::Average(scalar) => format!("AVG({}){filter}", rows.scalar(scalar)?),
        Aggregate::Minimum(scalar) => format!("MIN({}){filter}", rows.scalar(scalar)?),
        Aggregate::Maximum(scalar) => format!("MAX({}){filter}", rows.scalar(scalar)?),
        Aggregate::Median(scalar) => match rows.of.snapshot.dialect {
            Dialect::Postgres => {
                format!(
                    "percentile_cont(0.5) WITHIN GROUP (ORDER BY {}){filter}",
                    rows.scalar(scalar)?
                )
            }
            Dialect::Sqlite => format!("json_group_array({}){filter}", rows.scalar(scalar)?),
        },
    })
}

/// The median of a list of values in JSON: the one in the middle, or what lies between the two.
pub(super) fn median_of_list(list: &str) -> String {
    format!(
        "(SELECT AVG(value) FROM (SELECT value, ROW_NUMBER() OVER (ORDER BY value) AS place, COUNT(*) OVER () AS places \
         FROM json_each({list}) WHERE value IS NOT NULL) AS numbered \
         WHERE place IN ((places + 1) / 2, (places + 2) / 2))"
    )
}

/// The groups of a summary, as far as measures over several of them need them.
pub(super) struct Groups<'a> {
    /// The expressions that a dimension is grouped by, one list for each.
    pub(super) keys: &'a [Vec<String>],
}

impl Groups<'_> {
    fn partition(&self, dimensions: impl Iterator<Item = usize>) -> String {
        let keys: Vec<&str> = dimensions
            .filter_map(|at| self.keys.get(at))
            .flatten()
            .map(String::as_str)
            .collect();
        if keys.is_empty() {
            String::new()
        } else {
            format!("PARTITION BY {}", keys.join(", "))
        }
    }

    /// The window that runs along one dimension, anew for each value of the others.
    fn along(&self, dimension: usize) -> Result<String, NoWay> {
        let order = self
            .keys
            .get(dimension)
            .and_then(|keys| keys.first())
            .ok_or(NoWay)?;
        let others = (0..self.keys.len()).filter(|at| *at != dimension);
        let window = format!("{} ORDER BY {order}", self.partition(others));
        Ok(window.trim_start().to_owned())
    }
}

/// A measure's formula over what its aggregates are called.
pub(super) fn formula(
    formula_of: &Formula,
    groups: &Groups<'_>,
    rows: &mut dyn FnMut(&Formula) -> Result<String, NoWay>,
) -> Result<String, NoWay> {
    Ok(match formula_of {
        Formula::Rows { .. } => rows(formula_of)?,
        Formula::Ratio(over, under, percent) => {
            let times = if *percent { "100.0" } else { "1.0" };
            let (over, under) = (formula(over, groups, rows)?, formula(under, groups, rows)?);
            format!("{times} * {} / NULLIF({under}, 0)", bracketed(&over))
        }
        Formula::Difference(one, other) => {
            let (one, other) = (formula(one, groups, rows)?, formula(other, groups, rows)?);
            // Nothing less something is something less.
            format!("COALESCE({one}, 0) - COALESCE({other}, 0)")
        }
        Formula::Share(part, within, percent) => {
            let times = if *percent { "100.0" } else { "1.0" };
            let part = formula(part, groups, rows)?;
            let window = groups.partition(within.iter().copied());
            format!(
                "{times} * {} / NULLIF(SUM({part}) OVER ({window}), 0)",
                bracketed(&part)
            )
        }
        Formula::Running(of, along) => {
            let of = formula(of, groups, rows)?;
            format!("SUM({of}) OVER ({})", groups.along(*along)?)
        }
        Formula::Moving(of, along, groups_back) => {
            let of = formula(of, groups, rows)?;
            let before = groups_back.saturating_sub(1);
            format!(
                "AVG({of}) OVER ({} ROWS BETWEEN {before} PRECEDING AND CURRENT ROW)",
                groups.along(*along)?
            )
        }
        Formula::Growth(of, along, back, change) => {
            let of = formula(of, groups, rows)?;
            let before = format!("LAG({of}, {back}) OVER ({})", groups.along(*along)?);
            match change {
                Change::Before => before,
                Change::Absolute => format!("{of} - {before}"),
                Change::Fraction => format!("1.0 * ({of} - {before}) / NULLIF({before}, 0)"),
                Change::Percent => format!("100.0 * ({of} - {before}) / NULLIF({before}, 0)"),
            }
        }
        Formula::Written(pieces) => {
            let mut text = String::new();
            for piece in pieces {
                match piece {
                    Piece::Text(written) => text.push_str(written),
                    Piece::Part(of) => text.push_str(&formula(of, groups, rows)?),
                }
            }
            text
        }
    })
}

/// A sum in brackets, anything else as it is.
pub(super) fn bracketed(expression: &str) -> String {
    if expression.contains(" - ") || expression.contains(" + ") {
        format!("({expression})")
    } else {
        expression.to_owned()
    }
}
