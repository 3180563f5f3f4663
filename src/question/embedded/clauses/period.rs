//! Years, months and days against stored dates: a comparison with a period is one with its first day or the day after.

use jiff::{ToSpan, civil::Date};

use super::{Comparator, Operand, Reader, Target, comparison::is_year};
use crate::question::schema::ColumnKind;

/// A year, a month or a day.
struct Period {
    /// As stored dates begin.
    prefix: String,
    first: Date,
    /// The first day that is no part of it.
    after: Date,
    is_day: bool,
}

impl Reader<'_> {
    /// The comparison as the column's values need it.
    pub(super) fn fit_operand(
        &self,
        left: Target,
        comparator: Comparator,
        operand: Operand,
    ) -> (Comparator, Operand) {
        match left {
            Target::Column(column) => compare(self.column_kind(column), comparator, operand),
            _ => (comparator, operand),
        }
    }
}

fn compare(kind: ColumnKind, comparator: Comparator, operand: Operand) -> (Comparator, Operand) {
    let Some(period) = Period::of(&operand).filter(|_| kind.is_temporal()) else {
        return (comparator, operand);
    };
    if period.is_day && kind == ColumnKind::Date {
        return (comparator, operand);
    }
    match comparator {
        Comparator::Equal => (Comparator::Like, Operand::Text(format!("{}%", period.prefix))),
        Comparator::NotEqual => (Comparator::NotLike, Operand::Text(format!("{}%", period.prefix))),
        Comparator::Greater => (Comparator::AtLeast, text(period.after)),
        Comparator::AtMost => (Comparator::Less, text(period.after)),
        Comparator::AtLeast | Comparator::Less => (comparator, text(period.first)),
        other => (other, operand),
    }
}

/// The bounds of a `BETWEEN`, both included.
pub(super) fn range(kind: ColumnKind, low: Operand, high: Operand) -> (Operand, Operand) {
    if !kind.is_temporal() {
        return (low, high);
    }
    let low = Period::of(&low).map_or(low, |period| text(period.first));
    let high = match Period::of(&high).and_then(|period| period.after.yesterday().ok()) {
        Some(last) if kind == ColumnKind::Timestamp => Operand::Text(format!("{last} 23:59:59")),
        Some(last) => text(last),
        None => high,
    };
    (low, high)
}

/// The first day of a year, a month or a day, and the first one behind it.
pub(crate) fn bounds(period: &str) -> Option<(String, String)> {
    let year = period.split('-').next()?;
    (year.len() == 4).then_some(())?;
    let period = Period::of(&Operand::Text(period.to_owned()))?;
    Some((period.first.to_string(), period.after.to_string()))
}

impl Period {
    fn of(operand: &Operand) -> Option<Self> {
        let prefix = match operand {
            Operand::Number(year) if is_year(operand) => year,
            Operand::Text(text) => text,
            _ => return None,
        };
        let mut parts = prefix.split('-');
        let year = parts.next()?.parse().ok()?;
        let month = parts.next().map(|month| month.parse().ok());
        let day = parts.next().map(|day| day.parse().ok());
        let length = match (month, day) {
            (None, _) => 1.year(),
            (Some(_), None) => 1.month(),
            (Some(_), Some(_)) => 1.day(),
        };
        let first = Date::new(year, month.unwrap_or(Some(1))?, day.unwrap_or(Some(1))?).ok()?;
        Some(Self {
            prefix: prefix.clone(),
            first,
            after: first.checked_add(length).ok()?,
            is_day: day.is_some(),
        })
    }
}

fn text(date: Date) -> Operand {
    Operand::Text(date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_compared_by_their_first_day_or_the_day_after() {
        let number = |year: &str| Operand::Number(year.into());
        let day = |day: &str| Operand::Text(day.into());
        for (kind, comparator, operand, expected) in [
            (
                ColumnKind::Date,
                Comparator::Greater,
                number("2020"),
                (Comparator::AtLeast, day("2021-01-01")),
            ),
            (
                ColumnKind::Date,
                Comparator::Less,
                number("2020"),
                (Comparator::Less, day("2020-01-01")),
            ),
            (
                ColumnKind::Timestamp,
                Comparator::Equal,
                number("2020"),
                (Comparator::Like, day("2020%")),
            ),
            (
                ColumnKind::Timestamp,
                Comparator::AtMost,
                day("2023-12"),
                (Comparator::Less, day("2024-01-01")),
            ),
            (
                ColumnKind::Timestamp,
                Comparator::Greater,
                day("2024-02-29"),
                (Comparator::AtLeast, day("2024-03-01")),
            ),
            (
                ColumnKind::Date,
                Comparator::Equal,
                day("2024-02-29"),
                (Comparator::Equal, day("2024-02-29")),
            ),
            (
                ColumnKind::Integer,
                Comparator::Greater,
                number("2020"),
                (Comparator::Greater, number("2020")),
            ),
        ] {
            assert_eq!(compare(kind, comparator, operand), expected);
        }
    }
}
