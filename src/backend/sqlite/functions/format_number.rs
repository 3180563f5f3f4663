//! `to_char` of numbers.

use super::{Failure, Out, V, decimal::Decimal, fail};

/// Parts of PostgreSQL's patterns that nothing is made of here.
const UNKNOWN: [&str; 10] = ["EEEE", "RN", "PR", "SG", "PL", "MI", "TH", "S", "V", "L"];

/// Refuses what is not known of a pattern, in capitals.
fn is_known(pattern: &str) -> Result<(), Failure> {
    let unknown = UNKNOWN.iter().find(|part| pattern.contains(**part));
    let unknown = unknown.copied().or(pattern.contains('$').then_some("$"));
    match unknown {
        Some(part) => fail(
            "0A000",
            format!("\"{part}\" in a pattern for numbers is not supported on a SQLite file"),
        ),
        None => Ok(()),
    }
}

/// Where a pattern has the sign of a number.
#[derive(Debug, Clone, Copy)]
enum Sign {
    /// In front of it, where it is negative.
    Plain,
    /// `S9`: in front of it.
    InFront,
    /// `9S`: behind it.
    Behind,
    /// `9MI`: behind it, where it is negative.
    MinusBehind,
    /// `9PR`: brackets around it, where it is negative.
    Brackets,
}

impl Sign {
    /// What a pattern says, and the rest of it.
    fn of(pattern: &str) -> (Self, &str) {
        let found = (pattern.strip_prefix('S').map(|rest| (Self::InFront, rest)))
            .or_else(|| pattern.strip_suffix('S').map(|rest| (Self::Behind, rest)))
            .or_else(|| pattern.strip_suffix("MI").map(|rest| (Self::MinusBehind, rest)))
            .or_else(|| pattern.strip_suffix("PR").map(|rest| (Self::Brackets, rest)));
        found.unwrap_or((Self::Plain, pattern))
    }

    /// What stands in front of the digits, and behind them.
    fn around(self, negative: bool) -> (&'static str, &'static str) {
        match (self, negative) {
            (Self::Plain | Self::InFront, true) => ("-", ""),
            (Self::Plain, false) => (" ", ""),
            (Self::InFront, false) => ("+", ""),
            (Self::Behind | Self::MinusBehind, true) => ("", "-"),
            (Self::Behind, false) => ("", "+"),
            (Self::MinusBehind, false) => ("", " "),
            (Self::Brackets, true) => ("<", ">"),
            (Self::Brackets, false) => (" ", " "),
        }
    }
}

pub(super) fn text(values: &[V]) -> Out {
    let original = values[1].text();
    let mut pattern = original.clone();
    let fill = pattern.to_uppercase().starts_with("FM");
    if fill {
        pattern = pattern[2..].to_owned();
    }
    let whole = pattern.to_uppercase();
    let (sign, upper) = Sign::of(&whole);
    is_known(upper)?;
    let (whole, fraction) = upper.split_once(['.', 'D']).unwrap_or((upper, ""));
    let places = fraction.chars().filter(|c| matches!(c, '9' | '0')).count();
    let number = Decimal::of(&values[0])?.round(places as i64).to_string();
    let (negative, digits) = number
        .strip_prefix('-')
        .map_or((false, number.as_str()), |rest| (true, rest));
    let (digits, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = if digits == "0" { "" } else { digits };
    let slots: Vec<char> = whole
        .chars()
        .filter(|c| matches!(c, '9' | '0' | ',' | 'G'))
        .collect();
    let room = slots.iter().filter(|c| matches!(c, '9' | '0')).count();
    let mut shown = String::new();
    if digits.len() > room {
        shown = slots
            .iter()
            .map(|c| if matches!(c, '9' | '0') { '#' } else { ',' })
            .collect();
    } else {
        let mut at = 0;
        let mut started = false;
        for slot in &slots {
            if matches!(slot, ',' | 'G') {
                shown.push(if started { ',' } else { ' ' });
                continue;
            }
            let digit = (at + digits.len())
                .checked_sub(room)
                .and_then(|at| digits.as_bytes().get(at));
            at += 1;
            match digit {
                Some(digit) => {
                    started = true;
                    shown.push(char::from(*digit));
                }
                None if *slot == '0' || started => {
                    started = true;
                    shown.push('0');
                }
                None => shown.push(' '),
            }
        }
    }
    // A lone zero in front of the point stands where no digits follow it.
    if digits.is_empty() && places == 0 && !shown.ends_with('0') && !shown.is_empty() {
        shown.pop();
        shown.push('0');
    }
    let blanks = shown.len() - shown.trim_start().len();
    let (before, behind) = sign.around(negative);
    let mut text = format!("{}{before}{}", " ".repeat(blanks), shown.trim_start());
    if places > 0 {
        let mut decimals = decimals.to_owned();
        if fill {
            let kept = fraction.rfind('0').map_or(0, |at| at + 1);
            while decimals.len() > kept && decimals.ends_with('0') {
                decimals.pop();
            }
        }
        text.push('.');
        text.push_str(&decimals);
    }
    if upper.contains('%') {
        text.push('%');
    }
    text.push_str(behind);
    Ok(if fill { text.trim().to_owned() } else { text }.into())
}
