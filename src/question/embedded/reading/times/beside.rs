//! Two periods that say only together which they are: the days once and the years behind, a month of this year and of the last,
//! and what went up or down between them.

use jiff::civil::Date;

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    day,
    sides::{SEASONS, bare_month, month, number, relative_year, year},
};

/// The question with each of the periods told in full.
pub(super) fn told_in_full(tokens: Vec<Token>, today: Date) -> Vec<Token> {
    up_or_down(each_year(both_years(tokens, today)))
}

/// `Q3 revenue of 2026` as the revenue of that quarter.
pub(super) fn quarter_of(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let quarter = matches!(word(&tokens, at), "q1" | "q2" | "q3" | "q4");
        let end = (at + 2..at + 6).find(|&end| year(&tokens, end).is_some())?;
        let led = matches!(word(&tokens, end - 1), "of" | "in" | "for");
        let from = end - usize::from(led);
        let nouns = &tokens[at + 1..from];
        let plain = |token: &Token| {
            matches!(token.kind, TokenKind::Word(None))
                && !matches!(token.word.as_str(), "and" | "of" | "in" | "to" | "with")
        };
        (quarter && !nouns.is_empty() && nouns.iter().all(plain)).then_some((at, from, end))
    });
    if let Some((at, from, end)) = found {
        let mut asked = tokens[at + 1..from].to_vec();
        asked.push(said("in", &tokens[at]));
        asked.extend([tokens[at].clone(), tokens[end].clone()]);
        tokens.splice(at..=end, asked);
    }
    tokens
}

/// `this November` beside `last November`, and likewise seasons, as those of two years.
fn both_years(mut tokens: Vec<Token>, today: Date) -> Vec<Token> {
    let part = |at: usize| bare_month(&tokens, at).is_some() || SEASONS.contains(&word(&tokens, at));
    let led = |led: &str| (0..tokens.len()).find(|&at| word(&tokens, at) == led && part(at + 1));
    let (Some(last), Some(this)) = (led("last"), led("this")) else {
        return tokens;
    };
    if word(&tokens, last + 1) != word(&tokens, this + 1) {
        return tokens;
    }
    let mut both = [(last, today.year() - 1), (this, today.year())];
    both.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
    let [(later, _), (earlier, _)] = both;
    // `compare this one with last one`
    if later == earlier + 3 && matches!(word(&tokens, later - 1), "and" | "with" | "to" | "or") {
        tokens[later - 1] = said("versus", &tokens[later - 1]);
    }
    for (at, of) in both {
        let full = in_year(&tokens[at + 1..at + 2], of);
        tokens.splice(at..at + 2, full);
    }
    tokens
}

/// `16 to 22 November, this year and last year` as those days of the one year and of the other.
fn each_year(mut tokens: Vec<Token>) -> Vec<Token> {
    let joint = |at: usize| match (word(&tokens, at), word(&tokens, at + 1)) {
        ("and" | "versus" | "vs" | "against" | "with", _) => 1,
        ("compared", "with" | "to") => 2,
        _ => 0,
    };
    let found = (0..tokens.len()).find_map(|at| {
        let joint = joint(at + 1);
        let second = at + 1 + joint;
        let (one, other) = (year(&tokens, at)?, year(&tokens, second)?);
        (joint > 0 && one != other).then_some((at, one, second, other))
    });
    let Some((at, one, second, other)) = found else {
        return tokens;
    };
    let joins = |before: usize| matches!(word(&tokens, before), "," | "in" | "of" | "both" | "for" | ":");
    let end = (0..at)
        .rev()
        .find(|&before| !joins(before))
        .map_or(0, |last| last + 1);
    let is_part = |token: &Token| match &token.kind {
        TokenKind::Number(number) => number.len() < 3,
        TokenKind::Ordinal(_) => true,
        _ => matches!(
            token.word.as_str(),
            "to" | "until" | "till" | "through" | "q1" | "q2" | "q3" | "q4"
        ),
    };
    let from = (0..end)
        .rev()
        .take_while(|&before| {
            is_part(&tokens[before])
                || bare_month(&tokens, before).is_some()
                || SEASONS.contains(&word(&tokens, before))
        })
        .last()
        .unwrap_or(end);
    let part = &tokens[from..end];
    let named = (from..end).any(|at| {
        bare_month(&tokens, at).is_some()
            || SEASONS.contains(&word(&tokens, at))
            || word(&tokens, at).starts_with('q')
    });
    if named {
        let mut both = in_year(part, one);
        if from > 0
            && !matches!(
                word(&tokens, from - 1),
                "in" | "from" | "of" | "between" | "during" | "for"
            )
        {
            both.insert(0, said("in", &tokens[from]));
        }
        both.push(said("versus", &tokens[second - 1]));
        both.extend(in_year(part, other));
        tokens.splice(from..=second, both);
    } else if relative_year(&tokens, at).is_some() && !by_period(&tokens) {
        let versus = [said("versus", &tokens[at + 1])];
        tokens.splice(at + 1..second, versus);
    }
    tokens
}

/// True where something is asked for period by period: both years are only where these lie.
fn by_period(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "month" | "monthly" | "quarter" | "quarterly" | "week" | "weekly" | "day" | "daily"
        )
    })
}

/// A part of a year, with the year.
fn in_year(part: &[Token], of: i16) -> Vec<Token> {
    let Some((last, before)) = part.split_last() else {
        return Vec::new();
    };
    let Some(named) = bare_month(part, before.len()) else {
        let mut full = part.to_vec();
        full.push(number(of, last));
        return full;
    };
    let number = before.last().and_then(|token| match &token.kind {
        TokenKind::Number(number) => number.parse().ok(),
        TokenKind::Ordinal(number) => i8::try_from(*number).ok(),
        _ => None,
    });
    let on = number.and_then(|number| Date::new(of, named, number).ok());
    if let Some(on) = on {
        let mut full = before[..before.len() - 1].to_vec();
        full.push(day(on, last));
        full
    } else {
        let mut full = before.to_vec();
        full.push(month(of, named, last));
        full
    }
}

/// Other words for a change of which the direction is asked.
const UP_OR_DOWN: [&[&str]; 12] = [
    &["go", "up", "or", "down"],
    &["gone", "up", "or", "down"],
    &["going", "up", "or", "down"],
    &["up", "or", "down"],
    &["rise", "or", "fall"],
    &["risen", "or", "fallen"],
    &["increase", "or", "decrease"],
    &["grow", "or", "shrink"],
    &["go", "up"],
    &["go", "down"],
    &["gone", "up"],
    &["gone", "down"],
];

/// `did sales go up or down` as how they changed.
fn up_or_down(mut tokens: Vec<Token>) -> Vec<Token> {
    if !matches!(
        word(&tokens, 0),
        "did" | "have" | "has" | "are" | "is" | "do" | "does" | "how"
    ) {
        return tokens;
    }
    let found = (1..tokens.len()).find_map(|at| {
        let says = |phrase: &&&[&str]| (0..phrase.len()).all(|next| word(&tokens, at + next) == phrase[next]);
        UP_OR_DOWN.iter().find(says).map(|phrase| at..at + phrase.len())
    });
    if let Some(phrase) = found {
        let change = written(&["change"], &tokens[phrase.start]);
        tokens.splice(phrase, change);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::super::super::question::tokens;
    use super::*;

    #[test]
    fn each_of_two_periods_is_told_in_full() {
        let today = date(2026, 11, 24);
        for (question, expected) in [
            (
                "orders 16 to 22 November, this year and last year",
                "orders in 16 to 2026-11-22 versus 16 to 2025-11-22",
            ),
            ("visits in Q3, 2025 and 2026", "visits in q3 2025 versus q3 2026"),
            (
                "stays this year and last year",
                "stays this year versus last year",
            ),
            (
                "stays by month, this year and last year",
                "stays by month , this year and last year",
            ),
            (
                "compare this June with last June",
                "compare 2026-06 versus 2025-06",
            ),
            (
                "stays last summer compared with this summer",
                "stays summer 2025 compared with summer 2026",
            ),
            (
                "did sales go up or down from May to June",
                "did sales change from may to june",
            ),
        ] {
            let told = told_in_full(tokens(question, today), today);
            let told: Vec<&str> = told.iter().map(|token| token.word.as_str()).collect();
            assert_eq!(told.join(" "), expected, "{question}");
        }
    }
}
