//! Periods: which of them is the best or the busiest, and how something has come along over them.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{is_number, said, word, written},
    },
    called, is_period, name_of,
    when::main_event,
};
use crate::question::{schema::Schema, semantic::SemanticModel};

/// `no-shows by clinic 2026`: the year is when it was, and no number of a clinic.
pub(super) fn trailing_year(mut tokens: Vec<Token>) -> Vec<Token> {
    const FAR: usize = 3;
    let is_year = |token: &Token| matches!(&token.kind, TokenKind::Number(number) if number.len() == 4 && (number.starts_with("19") || number.starts_with("20")));
    let found = (2..tokens.len()).find(|&at| {
        let ends = tokens
            .get(at + 1)
            .is_none_or(|next| matches!(next.kind, TokenKind::Mark(_)));
        let from = at.saturating_sub(FAR);
        let by = (from..at - 1).any(|at| matches!(word(&tokens, at), "by" | "per" | "each" | "every"));
        ends && by
            && is_year(&tokens[at])
            && !matches!(
                word(&tokens, at - 1),
                "in" | "of" | "for" | "since" | "year" | "month" | "quarter" | "week"
            )
    });
    if let Some(at) = found {
        let led = said("in", &tokens[at]);
        tokens.insert(at, led);
    }
    tokens
}

/// `month with the most visits` as which month had them.
pub(super) fn with_the_most(mut tokens: Vec<Token>) -> Vec<Token> {
    let led = usize::from(matches!(word(&tokens, 0), "the" | "our"));
    let most = matches!(
        word(&tokens, led + 3),
        "most" | "fewest" | "least" | "highest" | "lowest" | "biggest" | "largest"
    );
    if is_period(word(&tokens, led))
        && word(&tokens, led + 1) == "with"
        && word(&tokens, led + 2) == "the"
        && most
    {
        tokens[led + 1] = said("had", &tokens[led + 1]);
        let which = said("which", &tokens[led]);
        tokens.splice(..led, [which]);
    }
    tokens
}

/// `our busiest month`: the one in which most happened of what happens most.
pub(super) fn busiest(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "busiest" | "quietest" | "slowest") && is_period(word(&tokens, at + 1))
    });
    let Some(at) = found else { return tokens };
    if tokens[at + 2..]
        .iter()
        .any(|token| matches!(token.word.as_str(), "for" | "of" | "by" | "revenue"))
    {
        return tokens;
    }
    let Some(event) = main_event(schema, model) else {
        return tokens;
    };
    let most = if word(&tokens, at) == "busiest" {
        "most"
    } else {
        "fewest"
    };
    let mut asked = vec![said("which", &tokens[at]), tokens[at + 1].clone()];
    asked.extend(written(&["had", "the", most], &tokens[at]));
    asked.extend(name_of(schema, event, &tokens[at]));
    asked.extend_from_slice(&tokens[at + 2..]);
    asked
}

/// `at what time do people order most` as which hour of the day had the most orders.
pub(super) fn done_most(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let at = usize::from(matches!(word(&tokens, 0), "at" | "on" | "in"));
    let asks = matches!(word(&tokens, at), "what" | "which");
    let unit = word(&tokens, at + 1).to_owned();
    let of_day = match (
        word(&tokens, at + 2),
        word(&tokens, at + 3),
        word(&tokens, at + 4),
    ) {
        ("of", "the", "day" | "week" | "year" | "month") => 3,
        ("of", "day" | "week" | "year", _) => 2,
        _ => 0,
    };
    let does = at + 2 + of_day;
    let doing = matches!(word(&tokens, does), "do" | "does" | "did");
    let most =
        (does + 2..tokens.len()).find(|&most| matches!(word(&tokens, most), "most" | "mostly" | "usually"));
    // `on what day of the week do you get the most orders`
    let gets = most.filter(|&most| {
        doing
            && asks
            && word(&tokens, most - 1) == "the"
            && matches!(
                word(&tokens, most - 2),
                "get" | "have" | "receive" | "see" | "take"
            )
    });
    if let Some(most) = gets.filter(|_| is_period(&unit) || unit == "time") {
        let mut asked = written(&["which"], &tokens[0]);
        match unit.as_str() {
            "time" => asked.extend(written(&["hour", "of", "the", "day"], &tokens[0])),
            _ => asked.extend_from_slice(&tokens[at + 1..does]),
        }
        asked.extend(written(&["had", "the"], &tokens[0]));
        asked.extend_from_slice(&tokens[most..]);
        return asked;
    }
    let (Some(most), true) = (most, asks && doing && (unit == "time" || is_period(&unit))) else {
        return tokens;
    };
    let event = (does + 1..tokens.len())
        .filter(|verb| verb.abs_diff(most) < 3)
        .find_map(|verb| called(schema, &tokens[verb]));
    let Some(event) = event else { return tokens };
    let mut asked = if unit == "time" {
        written(&["which", "hour", "of", "the", "day"], &tokens[0])
    } else {
        let mut asked = written(&["which"], &tokens[0]);
        asked.extend_from_slice(&tokens[at + 1..does]);
        asked
    };
    asked.extend(written(&["had", "the", "most"], &tokens[0]));
    asked.extend(name_of(schema, event, &tokens[0]));
    let often = usize::from(word(&tokens, most + 1) == "often");
    asked.extend(tokens.into_iter().skip(most + 1 + often));
    asked
}

/// `which was our best month` as the month with the highest revenue.
pub(super) fn best_period(tokens: Vec<Token>) -> Vec<Token> {
    let degree = |word: &str| match word {
        "best" | "strongest" | "biggest" => Some("highest"),
        "worst" | "weakest" | "poorest" => Some("lowest"),
        _ => None,
    };
    let asks = |word: &str| {
        matches!(
            word,
            "what"
                | "which"
                | "was"
                | "is"
                | "were"
                | "has"
                | "been"
                | "our"
                | "the"
                | "your"
                | "ever"
                | "so"
                | "far"
                | "one"
                | "?"
                | "."
                | "'s"
        )
    };
    let unit = tokens.iter().position(|token| is_period(&token.word));
    let found = tokens.iter().position(|token| degree(&token.word).is_some());
    let (Some(unit), Some(found)) = (unit, found) else {
        return tokens;
    };
    let (first, last) = (unit.min(found), unit.max(found));
    // `which month of 2025 was the best one for sales`
    let year = matches!(word(&tokens, unit + 1), "of" | "in")
        && unit < found
        && matches!(&tokens[unit + 2].kind, TokenKind::Number(number) if number.len() == 4);
    let year = if year { unit + 1..unit + 3 } else { unit..unit };
    let plain = (0..last)
        .filter(|at| *at != first && !year.contains(at))
        .all(|at| asks(&tokens[at].word));
    let mut rest: Vec<Token> = tokens[last + 1..]
        .iter()
        .skip_while(|token| matches!(token.word.as_str(), "ever" | "so" | "far" | "one"))
        .cloned()
        .collect();
    let sells = matches!(
        word(&rest, 1),
        "sales" | "revenue" | "turnover" | "business" | "us"
    );
    if word(&rest, 0) == "for" && sells {
        rest.drain(..2);
    }
    let when = |word: &str| matches!(word, "" | "?" | "." | "in" | "this" | "last" | "of" | "since");
    if !plain || !when(word(&rest, 0)) || word(&rest, 0) == "of" && !is_number(&rest[rest.len().min(2) - 1]) {
        return tokens;
    }
    let mut asked = vec![said("which", &tokens[0]), tokens[unit].clone()];
    asked.extend_from_slice(&tokens[year]);
    let degree = degree(word(&tokens, found)).unwrap_or_default();
    asked.extend(written(&["had", "the", degree, "revenue"], &tokens[0]));
    asked.extend(rest);
    asked
}

/// `how has revenue grown over the years` as revenue by year, `from month to month` as by month.
pub(super) fn over_time(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let unit = |at: usize| {
            let unit = word(&tokens, at).trim_end_matches('s');
            is_period(unit).then(|| unit.to_owned())
        };
        match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("over", "the", units) if units.ends_with('s') => Some((at, at + 3, unit(at + 2)?)),
            ("from", from, "to") if word(&tokens, at + 3) == from => Some((at, at + 4, unit(at + 1)?)),
            ("year" | "month" | "quarter" | "week", "by" | "over", next) if next == word(&tokens, at) => {
                Some((at, at + 3, unit(at)?))
            }
            _ => None,
        }
    });
    let Some((from, to, unit)) = found else {
        return tokens;
    };
    let changes = |word: &str| {
        matches!(
            word,
            "grown" | "changed" | "developed" | "evolved" | "grow" | "change" | "develop" | "evolve"
        )
    };
    let verb = tokens[..from].iter().position(|token| changes(&token.word));
    // `what have we done for them over the years` asks for no figures of each.
    if verb.is_none() && word(&tokens, from) == "over" {
        return tokens;
    }
    let by = written(&["by", &unit], &tokens[from]);
    tokens.splice(from..to, by);
    if let Some(verb) = verb {
        tokens.remove(verb);
        let asks =
            word(&tokens, 0) == "how" && matches!(word(&tokens, 1), "has" | "have" | "did" | "does" | "do");
        if asks {
            tokens.drain(..2);
        }
    }
    tokens
}
