//! What the numbers of a column count.

use super::lexicon::{stems, words};
use crate::question::{schema::Column, semantic::hundredths::split_hundredths};

words! {
    /// What amounts of money are called.
    MONEY: "amount amt total sum cost revenue sales income expense budget turnover paid payment refund charge value val price prc \
            fee salary wage bonus pay net gross tax vat discount commission comm premium prem rent deposit balance bal due \
            estimate est claim spend credit debit principal interest invoice bill limit excess payout fare tip tariff worth"
}

/// `cents` or `pence`, where a column's name says so beside an amount, or its comment in words.
pub fn hundredths(column: &Column) -> Option<&'static str> {
    let by_name = || {
        let (_, unit) = split_hundredths(&column.name)?;
        match unit.as_str() {
            "pence" => Some("pence"),
            "cent" | "cents" => Some("cents"),
            // `visit_ct` counts visits.
            _ => MONEY.any(&stems(&column.name)).then_some("cents"),
        }
    };
    let by_comment = || {
        let comment = column.comment.as_deref()?.to_lowercase();
        let said = |unit: &str| comment.contains(&format!("in {unit}"));
        let cents = said("cents") || said("minor units");
        cents
            .then_some("cents")
            .or_else(|| said("pence").then_some("pence"))
    };
    by_name().or_else(by_comment)
}

/// Units that a name may end in.
const UNITS: [&str; 38] = [
    "eur",
    "usd",
    "gbp",
    "chf",
    "dollar",
    "euro",
    "cent",
    "pct",
    "percent",
    "kg",
    "g",
    "lb",
    "pound",
    "ton",
    "km",
    "m",
    "cm",
    "mm",
    "mile",
    "feet",
    "foot",
    "inch",
    "m2",
    "m3",
    "sqm",
    "l",
    "litr",
    "min",
    "minut",
    "hr",
    "hour",
    "sec",
    "second",
    "ms",
    "millisecond",
    "day",
    "week",
    "month",
];

/// What the numbers of a column count, where its name ends in a unit.
pub(super) fn unit(column: &Column, name: &[String]) -> Option<String> {
    if let Some(unit) = hundredths(column) {
        return Some(unit.to_owned());
    }
    let last = name.last()?;
    UNITS.contains(&last.as_str()).then(|| last.clone())
}
