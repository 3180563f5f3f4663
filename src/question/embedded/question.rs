//! A question as tokens: words with their stems, numbers, dates, quoted text, parameters, marks.

use jiff::{ToSpan, civil::Date};

use super::shorthand;
use crate::question::schema::words;

/// One token of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// As the question has it.
    pub(crate) text: String,
    /// Lower case.
    pub(crate) word: String,
    /// The English stem of `word`.
    pub(crate) stem: String,
    /// What it is.
    pub(crate) kind: TokenKind,
    /// True where the first letter is a capital.
    pub(crate) capital: bool,
    /// True for a word that a dot joins to the next one: `sales.orders`.
    pub(crate) qualifies: bool,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// A word; number words (`three`) carry their value.
    Word(Option<u64>),
    /// Digits, with sign, thousands separators and decimals understood; as SQL writes it.
    Number(String),
    /// `3rd`, `21st`.
    Ordinal(u64),
    /// Text in quotes, taken literally.
    Quoted(String),
    /// A calendar date, `YYYY-MM-DD`.
    Date(String),
    /// A month of a year, `YYYY-MM`.
    Month(String),
    /// `$n`: a value that is bound later.
    Parameter(usize),
    /// A comma, a colon or the like.
    Mark(char),
    /// The `'s` of a possessive.
    Possessive,
}

const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
/// The months in order.
pub(in crate::question::embedded) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The tokens of a question, in order. `$1` is a parameter; `last year` is counted from `today`.
pub(crate) fn tokens(question: &str, today: Date) -> Vec<Token> {
    let characters: Vec<char> = question.chars().collect();
    let highest = highest_parameter(&characters);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        if character.is_whitespace() {
            at += 1;
        } else if let Some((text, next)) = quoted(&characters, at) {
            tokens.push(token(&text, TokenKind::Quoted(text.clone())));
            at = next;
        } else if matches!(character, '\'' | '’')
            && at > 0
            && characters[at - 1].is_alphanumeric()
            && let with_s = characters.get(at + 1).is_some_and(|c| *c == 's')
            && !characters
                .get(at + 1 + usize::from(with_s))
                .is_some_and(|c| c.is_alphanumeric())
        {
            tokens.push(token("'s", TokenKind::Possessive));
            at += if with_s { 2 } else { 1 };
        } else if character == '$'
            && characters.get(at + 1).is_some_and(char::is_ascii_digit)
            && let Some((number, next)) = parameter(&characters, at)
            && number <= highest
        {
            tokens.push(token(&format!("${number}"), TokenKind::Parameter(number)));
            at = next;
        } else if character.is_ascii_digit()
            || (matches!(character, '-' | '.')
                && characters.get(at + 1).is_some_and(char::is_ascii_digit)
                && (at == 0 || characters[at - 1].is_whitespace()))
        {
            let (token, next) = number(&characters, at);
            tokens.push(token);
            at = next;
        } else if let Some((end, verb, next)) = contraction(&characters, at) {
            let subject: String = characters[at..end].iter().collect();
            tokens.push(token(&subject, TokenKind::Word(None)));
            tokens.push(token(verb, TokenKind::Word(None)));
            at = next;
        } else if character.is_alphanumeric() {
            let end = word_end(&characters, at);
            let text: String = characters[at..end].iter().collect();
            let value = NUMBER_WORDS
                .iter()
                .position(|word| word.eq_ignore_ascii_case(&text));
            let joins = characters.get(end) == Some(&'.')
                && characters
                    .get(end + 1)
                    .is_some_and(|next| next.is_alphabetic() || *next == '_');
            tokens.push(Token {
                qualifies: joins,
                ..token(&text, TokenKind::Word(value.map(|value| value as u64)))
            });
            at = end;
        } else {
            if !matches!(
                character,
                '-' | '_' | '.' | '?' | '!' | '"' | '\'' | '$' | '(' | ')' | '#'
            ) || character == '$' && characters.get(at + 1).is_some_and(char::is_ascii_digit)
            {
                tokens.push(token(&character.to_string(), TokenKind::Mark(character)));
            }
            at += 1;
        }
    }
    join_dates(&shorthand::in_full(&tokens), today)
}

pub(super) fn token(text: &str, kind: TokenKind) -> Token {
    let word = text.to_lowercase();
    let stem = words::stem(&word);
    Token {
        text: text.to_owned(),
        stem,
        word,
        kind,
        capital: text.chars().next().is_some_and(char::is_uppercase),
        qualifies: false,
    }
}

/// Text between quotes that open at a word's beginning and close at a word's end.
fn quoted(characters: &[char], at: usize) -> Option<(String, usize)> {
    let close = match characters[at] {
        '"' => '"',
        '\'' => '\'',
        '`' => '`',
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        _ => return None,
    };
    if at > 0 && characters[at - 1].is_alphanumeric() {
        return None;
    }
    let ends_at = |end: usize| {
        characters[end] == close && !characters.get(end + 1).is_some_and(|next| next.is_alphanumeric())
    };
    let end = (at + 1..characters.len()).find(|&end| ends_at(end))?;
    let text: String = characters[at + 1..end].iter().collect();
    let text = text.trim().to_owned();
    (!text.is_empty() && text.chars().count() <= 200).then_some((text, end + 1))
}

/// The highest `n` such that all of `$1` to `$n` occur; `$160` on its own is money.
fn highest_parameter(characters: &[char]) -> usize {
    let numbers: Vec<usize> = (0..characters.len())
        .filter(|&at| characters[at] == '$')
        .filter_map(|at| parameter(characters, at))
        .map(|(number, _)| number)
        .collect();
    let highest = (1..=numbers.len())
        .take_while(|number| numbers.contains(number))
        .last()
        .unwrap_or(0);
    if numbers.iter().all(|number| *number <= highest) {
        highest
    } else {
        0
    }
}

fn parameter(characters: &[char], at: usize) -> Option<(usize, usize)> {
    let end = (at + 1..characters.len())
        .find(|&end| !characters[end].is_ascii_digit())
        .unwrap_or(characters.len());
    if end == at + 1 {
        return None;
    }
    let digits: String = characters[at + 1..end].iter().collect();
    // `$5,000` and `$5.20` are money.
    let is_money = end < characters.len()
        && matches!(characters[end], ',' | '.')
        && characters.get(end + 1).is_some_and(char::is_ascii_digit);
    (!is_money).then(|| digits.parse().ok().map(|number| (number, end)))?
}

/// `I'd`, `we've`: where the subject ends, its verb in full, and what is next.
fn contraction(characters: &[char], at: usize) -> Option<(usize, &'static str, usize)> {
    let end = (at..characters.len()).find(|&end| !characters[end].is_alphabetic())?;
    let subject: String = characters[at..end]
        .iter()
        .flat_map(|c| c.to_lowercase())
        .collect();
    let contracts = matches!(
        subject.as_str(),
        "i" | "you" | "we" | "they" | "he" | "she" | "it" | "that" | "there" | "who" | "what"
    );
    if !contracts || !matches!(characters[end], '\'' | '’') {
        return None;
    }
    let next = (end + 1..characters.len())
        .find(|&next| !characters[next].is_alphanumeric())
        .unwrap_or(characters.len());
    let short: String = characters[end + 1..next].iter().collect();
    let verb = match short.to_lowercase().as_str() {
        "d" => "would",
        "m" => "am",
        "re" => "are",
        "ve" => "have",
        "ll" => "will",
        _ => return None,
    };
    Some((end, verb, next))
}

fn word_end(characters: &[char], at: usize) -> usize {
    let inside = |end: usize| {
        characters[end].is_alphanumeric()
            || characters[end] == '_'
            || (matches!(characters[end], '\'' | '’')
                && characters.get(end + 1).is_some_and(|c| c.is_alphanumeric())
                && (characters.get(end + 2).is_some_and(|c| c.is_alphanumeric())
                    || characters.get(end + 1).is_some_and(|c| *c == 't')))
    };
    (at..characters.len())
        .find(|&end| !inside(end))
        .unwrap_or(characters.len())
}

fn number(characters: &[char], at: usize) -> (Token, usize) {
    let inside = |end: usize| {
        let next_is_digit = characters.get(end + 1).is_some_and(char::is_ascii_digit);
        characters[end].is_alphanumeric()
            || (matches!(characters[end], ',' | '.' | '-' | '/' | ':') && next_is_digit)
    };
    let start = if characters[at].is_ascii_digit() {
        at
    } else {
        at + 1
    };
    let end = (start..characters.len())
        .find(|&end| !inside(end))
        .unwrap_or(characters.len());
    let text: String = characters[at..end].iter().collect();
    let plain = text.replace(',', "");
    let kind = if let Some(date) = date_of(&text) {
        TokenKind::Date(date)
    } else if plain.parse::<f64>().is_ok_and(f64::is_finite) && !plain.contains(['e', 'E', 'n', 'N']) {
        TokenKind::Number(plain)
    } else if let Some(thousands) = thousands(&plain) {
        TokenKind::Number(thousands)
    } else if let Some(ordinal) = ordinal_of(&text) {
        TokenKind::Ordinal(ordinal)
    } else {
        TokenKind::Word(None)
    };
    (token(&text, kind), end)
}

/// `400k` as 400000.
fn thousands(text: &str) -> Option<String> {
    let number: u32 = text.strip_suffix(['k', 'K'])?.parse().ok()?;
    number.checked_mul(1000).map(|number| number.to_string())
}

fn ordinal_of(text: &str) -> Option<u64> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|suffix| text.strip_suffix(suffix))?;
    digits.parse().ok()
}

/// `2024-03-17`, `2024/3/17`.
fn date_of(text: &str) -> Option<String> {
    let parts: Vec<u32> = text
        .split(['-', '/'])
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let [year, month, day] = parts[..] else {
        return None;
    };
    (year >= 1000).then(|| iso_date(year, month, day))?
}

fn iso_date(year: u32, month: u32, day: u32) -> Option<String> {
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The tokens behind the end of a sentence.
pub(crate) fn sentence_starts(question: &str, tokens: &[Token]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut from = 0;
    for (at, token) in tokens.iter().enumerate() {
        let Some(found) = question[from..].find(&token.text) else {
            continue;
        };
        let between = &question[from..from + found];
        if between.contains(['.', '?', '!', ';', ':']) {
            starts.push(at);
        }
        from += found + token.text.len();
    }
    starts
}

/// Joins `March 17, 2024`, `17 March 2024` and `March 2024` into one token each.
fn join_dates(tokens: &[Token], today: Date) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some((kind, used)) =
            spelled_date(&tokens[at..]).or_else(|| relative_date(&tokens[at..], today))
        {
            let text: Vec<&str> = tokens[at..at + used]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            joined.push(token(&text.join(" "), kind));
            at += used;
        } else {
            joined.push(tokens[at].clone());
            at += 1;
        }
    }
    joined
}

fn spelled_date(tokens: &[Token]) -> Option<(TokenKind, usize)> {
    let significant: Vec<(usize, &Token)> = tokens
        .iter()
        .enumerate()
        .take(5)
        .filter(|(_, token)| token.kind != TokenKind::Mark(',') && token.word != "of")
        .collect();
    let value = |index: usize| significant.get(index).and_then(|(_, token)| small_number(token));
    let month = |index: usize| significant.get(index).and_then(|(_, token)| month_number(token));
    let used = |index: usize| significant[index].0 + 1;
    let is_year = |year: u32| (1000..=2200).contains(&year);
    if significant.first()?.0 != 0 {
        return None;
    }
    if let (Some(month), Some(day), Some(year)) = (month(0), value(1), value(2))
        && is_year(year)
    {
        return Some((TokenKind::Date(iso_date(year, month, day)?), used(2)));
    }
    if let (Some(day), Some(month), Some(year)) = (value(0), month(1), value(2))
        && is_year(year)
    {
        return Some((TokenKind::Date(iso_date(year, month, day)?), used(2)));
    }
    if let (Some(month), Some(year)) = (month(0), value(1))
        && is_year(year)
    {
        return Some((TokenKind::Month(format!("{year:04}-{month:02}")), used(1)));
    }
    None
}

/// `last year`, `this month`, `yesterday`.
fn relative_date(tokens: &[Token], today: Date) -> Option<(TokenKind, usize)> {
    let first = tokens.first()?.word.as_str();
    let day = |date: Date| TokenKind::Date(date.to_string());
    match first {
        "today" => return Some((day(today), 1)),
        "yesterday" => return Some((day(today.yesterday().ok()?), 1)),
        _ => {}
    }
    let last = match first {
        "last" | "previous" => true,
        "this" | "current" => false,
        _ => return None,
    };
    let kind = match tokens.get(1)?.word.as_str() {
        "year" => TokenKind::Number((today.year() - i16::from(last)).to_string()),
        "month" => {
            let day = if last {
                today.checked_sub(1.month()).ok()?
            } else {
                today
            };
            TokenKind::Month(day.strftime("%Y-%m").to_string())
        }
        _ => return None,
    };
    Some((kind, 2))
}

fn small_number(token: &Token) -> Option<u32> {
    match &token.kind {
        TokenKind::Number(number) => number.parse().ok(),
        TokenKind::Ordinal(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

fn month_number(token: &Token) -> Option<u32> {
    if !matches!(token.kind, TokenKind::Word(_)) {
        return None;
    }
    let at = MONTHS.iter().position(|month| {
        *month == token.word
            || (token.word.len() >= 3 && token.word != "mar" && month.get(..3) == Some(&token.word))
    })?;
    Some(at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(question: &str) -> String {
        let today = jiff::civil::date(2024, 1, 31);
        let shown: Vec<String> = tokens(question, today)
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Word(_) => token.word.clone(),
                TokenKind::Number(number) => format!("#{number}"),
                TokenKind::Ordinal(number) => format!("#{number}th"),
                TokenKind::Quoted(text) => format!("'{text}'"),
                TokenKind::Date(date) | TokenKind::Month(date) => format!("@{date}"),
                TokenKind::Parameter(number) => format!("${number}"),
                TokenKind::Mark(mark) => mark.to_string(),
                TokenKind::Possessive => "'s".into(),
            })
            .collect();
        shown.join(" ")
    }

    #[test]
    fn questions_become_tokens() {
        for (question, expected) in [
            ("How many orders?", "how many orders"),
            (
                "the customer's name in \"New York\"",
                "the customer 's name in 'New York'",
            ),
            ("students' names", "students 's names"),
            ("more than $5,000.50 or -3", "more than $ #5000.50 or #-3"),
            (
                "since March 17th, 2024 or 17 March 2024",
                "since @2024-03-17 or @2024-03-17",
            ),
            ("in May 2023", "in @2023-05"),
            (
                "last year, this month or yesterday",
                "#2023 , @2024-01 or @2024-01-30",
            ),
            ("since last month", "since @2023-12"),
            ("on 2023-1-5 and before 1999", "on @2023-01-05 and before #1999"),
            ("country = $1 and age > $2", "country = $1 and age > $2"),
            ("who don't pay O'Neil", "who don't pay o'neil"),
            ("below $160 or $1", "below $ #160 or $ #1"),
            ("the 3rd and '2014'", "the #3th and '2014'"),
        ] {
            assert_eq!(shown(question), expected, "{question}");
        }
    }
}
