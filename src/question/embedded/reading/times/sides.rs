//! Periods that stand side by side: a month, a quarter, a season with the year that is said of it, and what changed from one
//! to the other.

use jiff::civil::Date;

use super::{
    super::{
        super::question::{Token, TokenKind},
        moments::month_of,
        rates::how_many_percent,
        rewording::{said, word, written},
    },
    beside::{quarter_of, told_in_full},
};

pub(super) const SEASONS: [&str; 5] = ["spring", "summer", "autumn", "fall", "winter"];
/// Words that tell that something became more or less.
const CHANGES: [&str; 23] = [
    "change",
    "changed",
    "grow",
    "grew",
    "grown",
    "rise",
    "rose",
    "risen",
    "fall",
    "fell",
    "fallen",
    "drop",
    "dropped",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "decline",
    "declined",
    "shrink",
    "shrank",
    "improve",
    "improved",
];

/// The question with its periods told as such.
pub(super) fn side_by_side(tokens: Vec<Token>, today: Date) -> Vec<Token> {
    let tokens = told_in_full(this_one(how_many_percent(quarter_of(tokens))), today);
    let tokens = same_month(of_year(dated(&tokens)), today);
    months_first(changed(more_in_one(without_both(tokens))))
}

/// The year that a token says.
pub(super) fn year(tokens: &[Token], at: usize) -> Option<i16> {
    match &tokens.get(at)?.kind {
        TokenKind::Number(number) if number.len() == 4 => number.parse().ok(),
        _ => None,
    }
}

/// The year that a token says from today: `this year`.
pub(super) fn relative_year(tokens: &[Token], at: usize) -> Option<i16> {
    year(tokens, at).filter(|_| word(tokens, at).ends_with("year"))
}

/// A month of a year in a token's place.
pub(super) fn month(year: i16, month: i8, instead: &Token) -> Token {
    let text = format!("{year:04}-{month:02}");
    Token {
        kind: TokenKind::Month(text.clone()),
        ..said(&text, instead)
    }
}

/// A year in a token's place.
pub(super) fn number(year: i16, instead: &Token) -> Token {
    Token {
        kind: TokenKind::Number(year.to_string()),
        ..said(&year.to_string(), instead)
    }
}

/// The year and the month of `YYYY-MM`.
fn year_and_month(text: &str) -> Option<(i16, i8)> {
    let (year, month) = text.split_once('-')?;
    Some((year.parse().ok()?, month.parse().ok()?))
}

/// True for a word between a part of a year and the year.
fn joins(tokens: &[Token], at: usize) -> bool {
    matches!(word(tokens, at), "of" | "in" | ",")
}

/// The month that a token names without a year.
pub(super) fn bare_month(tokens: &[Token], at: usize) -> Option<i8> {
    let token = tokens.get(at)?;
    matches!(token.kind, TokenKind::Word(_))
        .then(|| month_of(&token.word))
        .flatten()
}

/// `September last year` as that month, `third quarter this year` as that quarter.
fn dated(tokens: &[Token]) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if let Some(named) = bare_month(tokens, at) {
            let joint = usize::from(joins(tokens, at + 1));
            if let Some(year) = relative_year(tokens, at + 1 + joint) {
                written.push(month(year, named, token));
                at += 2 + joint;
                continue;
            }
        }
        let quarter = match word(tokens, at) {
            "first" | "1st" => "q1",
            "second" | "2nd" => "q2",
            "third" | "3rd" => "q3",
            "fourth" | "4th" => "q4",
            _ => "",
        };
        if !quarter.is_empty() && word(tokens, at + 1) == "quarter" {
            let joint = usize::from(joins(tokens, at + 2));
            if year(tokens, at + 2 + joint).is_some() {
                written.push(said(quarter, token));
                written.push(tokens[at + 2 + joint].clone());
                at += 3 + joint;
                continue;
            }
        }
        written.push(token.clone());
        at += 1;
    }
    written
}

/// `last year's`, behind a month of another year, as that month of last year.
fn of_year(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        relative_year(&tokens, at).is_some()
            && tokens.get(at + 1).map(|token| &token.kind) == Some(&TokenKind::Possessive)
            && at + 2 >= tokens.len()
    });
    let Some(at) = found else { return tokens };
    let named = tokens[..at].iter().rev().find_map(|token| match &token.kind {
        TokenKind::Month(month) => month.get(5..)?.parse::<i8>().ok(),
        _ => None,
    });
    if let (Some(year), Some(named)) = (relative_year(&tokens, at), named) {
        tokens[at] = month(year, named, &tokens[at]);
        tokens.remove(at + 1);
    }
    tokens
}

/// `October against October last year`: the first is that of this year.
fn same_month(mut tokens: Vec<Token>, today: Date) -> Vec<Token> {
    let last: Vec<i8> = tokens
        .iter()
        .filter_map(|token| match &token.kind {
            TokenKind::Month(month) => {
                let of_last = month.get(..4)?.parse::<i16>().ok()? + 1 == today.year();
                of_last.then(|| month.get(5..)?.parse().ok()).flatten()
            }
            _ => None,
        })
        .collect();
    for at in 0..tokens.len() {
        if let Some(named) = bare_month(&tokens, at)
            && last.contains(&named)
            && named <= today.month()
            && year(&tokens, at + 1).is_none()
        {
            tokens[at] = month(today.year(), named, &tokens[at]);
        }
    }
    tokens
}

/// `last month compared with this one` as this month.
fn this_one(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len())
        .find(|&at| matches!(word(&tokens, at), "this" | "current") && word(&tokens, at + 1) == "one");
    let Some(at) = found else { return tokens };
    let last = |word: &str| matches!(word, "last" | "previous");
    let is_length = |word: &str| SEASONS.contains(&word) || matches!(word, "quarter" | "week");
    let named = (0..at.saturating_sub(1))
        .find(|&from| last(word(&tokens, from)) && is_length(word(&tokens, from + 1)));
    if let Some(named) = named {
        tokens[at + 1] = tokens[named + 1].clone();
    }
    tokens
}

/// True for a token that names a period.
fn is_period(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else {
        return false;
    };
    let own = token.word.as_str();
    matches!(token.kind, TokenKind::Month(_))
        || year(tokens, at).is_some()
        || bare_month(tokens, at).is_some()
        || matches!(own, "q1" | "q2" | "q3" | "q4")
        || SEASONS.contains(&own)
        || matches!(own, "last" | "this")
            && matches!(
                word(tokens, at + 1),
                "week" | "quarter" | "month" | "year" | "summer" | "winter" | "spring" | "autumn"
            )
}

/// Without `give me both numbers` and the like at the end: what stands side by side is told for both.
fn without_both(mut tokens: Vec<Token>) -> Vec<Token> {
    let compares = |token: &Token| {
        matches!(
            token.word.as_str(),
            "than" | "against" | "versus" | "vs" | "compared" | "and"
        )
    };
    let Some(both) = tokens.iter().rposition(|token| token.word == "both") else {
        return tokens;
    };
    let behind = |token: &Token| {
        matches!(
            token.word.as_str(),
            "numbers"
                | "figures"
                | "values"
                | "please"
                | "of"
                | "them"
                | "periods"
                | "years"
                | "months"
                | "quarters"
                | "totals"
                | "counts"
        )
    };
    if !tokens[both + 1..].iter().all(behind) || !tokens[..both].iter().any(compares) {
        return tokens;
    }
    let leads = |at: &usize| {
        matches!(
            word(&tokens, *at),
            "give" | "me" | "show" | "and" | "for" | "with" | "want" | "i" | "us" | "tell" | "," | "need"
        )
    };
    let from = (0..both).rev().take_while(leads).last().unwrap_or(both);
    // Two periods must be there: `customers who bought both` names two things.
    let periods = (0..from).filter(|&at| is_period(&tokens, at)).count();
    if periods >= 2 {
        tokens.truncate(from);
    }
    tokens
}

/// `did we lend more in October than in September` as how much that was in the one and in the other.
fn more_in_one(tokens: Vec<Token>) -> Vec<Token> {
    let asks = matches!(
        word(&tokens, 0),
        "did" | "do" | "does" | "have" | "has" | "are" | "were"
    );
    let than = tokens.iter().position(|token| token.word == "than");
    let (true, Some(than)) = (asks, than) else {
        return tokens;
    };
    let prepositions = |at: usize| matches!(word(&tokens, at), "in" | "during" | "for" | "over" | "of");
    let other = than + 1 + usize::from(prepositions(than + 1));
    let more = (1..than).find(|&at| matches!(word(&tokens, at), "more" | "less" | "fewer"));
    let (Some(more), true) = (more, is_period(&tokens, other)) else {
        return tokens;
    };
    let Some(period) = (more + 1..than).find(|&at| is_period(&tokens, at)) else {
        return tokens;
    };
    let led = period - usize::from(prepositions(period - 1));
    let nouns = &tokens[more + 1..led.max(more + 1)];
    let verb = &tokens[more - 1];
    let earns = matches!(
        verb.word.as_str(),
        "earn" | "earned" | "make" | "made" | "take" | "taken" | "sell" | "sold"
    );
    let mut asked = match nouns {
        [] if earns => written(&["revenue"], verb),
        [money] if money.word == "money" => written(&["revenue"], verb),
        [] => {
            let mut asked = written(&["number", "of"], verb);
            asked.push(verb.clone());
            asked
        }
        _ => {
            let mut asked = written(&["number", "of"], verb);
            asked.extend_from_slice(nouns);
            asked
        }
    };
    asked.extend_from_slice(&tokens[led..than]);
    asked.push(said("versus", &tokens[than]));
    asked.extend_from_slice(&tokens[than + 1..]);
    asked
}

/// `what percentage did it rise from 2025 to 2026` as the change of the one against the other.
fn changed(mut tokens: Vec<Token>) -> Vec<Token> {
    let change = tokens
        .iter()
        .position(|token| CHANGES.contains(&token.word.as_str()));
    let Some(change) = change else { return tokens };
    let length = |at: usize| 1 + usize::from(year(&tokens, at + 1).is_some() && year(&tokens, at).is_none());
    let from = (0..tokens.len()).find(|&at| {
        word(&tokens, at) == "from"
            && is_period(&tokens, at + 1)
            && word(&tokens, at + 1 + length(at + 1)) == "to"
            && is_period(&tokens, at + 2 + length(at + 1))
    });
    if let Some(from) = from {
        let to = from + 1 + length(from + 1);
        // `from September to October 2025`: both are of that year.
        if let (Some(first), TokenKind::Month(second)) = (bare_month(&tokens, from + 1), &tokens[to + 1].kind)
            && let Some((of, last)) = year_and_month(second)
        {
            let of = of - i16::from(first > last);
            tokens[from + 1] = month(of, first, &tokens[from + 1]);
        }
        tokens[to] = said("versus", &tokens[to]);
        tokens[from] = said("in", &tokens[from]);
    }
    let periods = (0..tokens.len()).filter(|&at| is_period(&tokens, at)).count();
    if periods >= 2 {
        tokens[change] = said("change", &tokens[change]);
    }
    tokens
}

/// `sales month by month, January first`: in the order of the months.
fn months_first(mut tokens: Vec<Token>) -> Vec<Token> {
    let Some(at) = tokens.len().checked_sub(2) else {
        return tokens;
    };
    let by_month = tokens[..at]
        .iter()
        .any(|token| matches!(token.word.as_str(), "month" | "monthly" | "months"));
    if let Some(named) = bare_month(&tokens, at)
        && word(&tokens, at + 1) == "first"
        && by_month
    {
        let first = if named == 12 { "latest" } else { "earliest" };
        tokens[at] = said(first, &tokens[at]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::super::super::question::tokens;
    use super::*;

    #[test]
    fn periods_take_the_year_that_is_said_of_them() {
        let today = date(2026, 11, 24);
        for (question, expected) in [
            (
                "visits in September this year compared with September last year",
                "visits in 2026-09 compared with 2025-09",
            ),
            (
                "third quarter this year against the third quarter last year",
                "q3 this year against the q3 last year",
            ),
            (
                "orders in October against October last year",
                "orders in 2026-10 against 2025-10",
            ),
            (
                "stays last summer compared with this one",
                "stays summer 2025 compared with summer 2026",
            ),
            (
                "did we get more orders in March than in April? give me both numbers",
                "number of orders in march versus in april",
            ),
            (
                "by how many percent did turnover fall from 2025 to 2026",
                "by what percentage did turnover change in 2025 versus 2026",
            ),
            (
                "sales month by month, January first",
                "sales month by month , earliest first",
            ),
            ("customers who bought both", "customers who bought both"),
        ] {
            let told = side_by_side(tokens(question, today), today);
            let told: Vec<&str> = told.iter().map(|token| token.word.as_str()).collect();
            assert_eq!(told.join(" "), expected, "{question}");
        }
    }
}
