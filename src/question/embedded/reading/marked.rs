//! What turns of phrase say in a token that no word of English is: hours of the day, what held at a time, who reports to somebody,
//! what is compared with one's superior's.

use super::{
    super::question::{Token, TokenKind},
    cues::Cue,
    in_words::grain_word,
    items::{Meaning, Sense},
    mentions::Reader,
    periods::{Period, grain_of},
    question::Number,
    rewording::said,
};
use crate::question::semantic::{Comparison, FieldRole, Grain};

/// What such a token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    /// In these hours of the day: from the first on, and before the second; over midnight where that is the earlier one.
    Hours(u8, u8),
    /// On Saturdays and Sundays.
    Weekend,
    /// It held then, whenever it began.
    Held(Period),
    /// The other end of what follows: `more than 5 and less than 9 orders`.
    Until(Comparison, u64),
    /// So many rows of its own table belong to it.
    Below(Comparison, u64),
    /// How many days late each is, is shown beside it.
    DaysLate,
    /// And how many days it has been there.
    DaysOpen,
    /// Two times of a row of this table, by their columns, lie in the same day, month or year.
    Coincide(usize, (usize, usize), Grain),
    /// What was named before is more or less than that of the row of its own table that it belongs to.
    ThanSuperior(Comparison),
}

/// A token that says it.
pub(super) fn token(marked: Marked, instead: &Token) -> Token {
    let day = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string()).unwrap_or_default();
    let word = match marked {
        Marked::Hours(from, to) => format!("#hours:{from}:{to}"),
        Marked::Weekend => "#weekend".to_owned(),
        Marked::Held(period) => format!("#held:{}:{}", day(period.from), day(period.to)),
        Marked::Until(comparison, number) => format!("#until:{}:{number}", sign(comparison)),
        Marked::Below(comparison, number) => format!("#below:{}:{number}", sign(comparison)),
        Marked::DaysLate => "#dayslate".to_owned(),
        Marked::DaysOpen => "#daysopen".to_owned(),
        Marked::Coincide(table, (one, other), grain) => {
            format!("#coincide:{table}:{one}:{other}:{}", grain_word(grain))
        }
        Marked::ThanSuperior(comparison) => format!("#superior:{}", sign(comparison)),
    };
    Token {
        kind: TokenKind::Word(None),
        ..said(&word, instead)
    }
}

/// What a word says that is such a token's.
pub(super) fn cue_of(word: &str) -> Option<Cue> {
    let mut parts = word.strip_prefix('#')?.split(':');
    let kind = parts.next()?;
    let mut part = || parts.next().unwrap_or_default();
    let marked = match kind {
        "hours" => Marked::Hours(part().parse().ok()?, part().parse().ok()?),
        "weekend" => Marked::Weekend,
        "held" => Marked::Held(Period {
            from: part().parse().ok(),
            to: part().parse().ok(),
        }),
        "until" => Marked::Until(comparison(part())?, part().parse().ok()?),
        "below" => Marked::Below(comparison(part())?, part().parse().ok()?),
        "dayslate" => Marked::DaysLate,
        "daysopen" => Marked::DaysOpen,
        "coincide" => {
            let mut number = || part().parse().ok();
            let (table, columns) = (number()?, (number()?, number()?));
            Marked::Coincide(table, columns, grain_of(part())?)
        }
        "superior" => Marked::ThanSuperior(comparison(part())?),
        _ => return None,
    };
    Some(Cue::Marked(marked))
}

impl Reader<'_> {
    /// Hears what a turn of phrase has said in a token of its own.
    pub(super) fn marked(&mut self, marked: Marked) {
        match marked {
            Marked::Until(comparison, number) => {
                self.pending.until = Some((comparison, Number::Written(number.to_string())));
            }
            Marked::ThanSuperior(comparison) => match self.found.mentions.last_mut() {
                Some(last) => last.compared = Some((comparison, Number::Superior)),
                None => self.found.unheard += 1,
            },
            other => self.found.marked.push(other),
        }
    }

    /// `phone is known`: it must have a value.
    pub(super) fn is_there(&mut self, known: bool) {
        let Some(last) = self.found.mentions.last_mut() else {
            return;
        };
        let model = self.model;
        // An amount that is available is no value that is known.
        let is_field = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) => {
                let role = model.field(at).role;
                (known || !role.is_measure()) && !matches!(role, FieldRole::Flag(_))
            }
            _ => false,
        };
        if last.senses.first().is_some_and(is_field) && last.compared.is_none() {
            last.senses.retain(is_field);
            last.present = true;
        }
    }
}

const SIGNS: [(Comparison, &str); 6] = [
    (Comparison::Equal, "="),
    (Comparison::NotEqual, "<>"),
    (Comparison::Greater, ">"),
    (Comparison::AtLeast, ">="),
    (Comparison::Less, "<"),
    (Comparison::AtMost, "<="),
];

fn sign(comparison: Comparison) -> &'static str {
    let found = SIGNS.iter().find(|(known, _)| *known == comparison);
    found.map_or("=", |(_, sign)| sign)
}

fn comparison(sign: &str) -> Option<Comparison> {
    let found = SIGNS.iter().find(|(_, known)| *known == sign);
    found.map(|(comparison, _)| *comparison)
}
