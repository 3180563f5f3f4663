//! `$1, $2 …` in the words of a question: values that the client binds, or just money.

use std::collections::BTreeSet;

use super::{
    Question, QuestionText,
    lexer::{Lexer, Token, TokenKind},
};

/// Finds the parameters of a statement: those of its SQL, and those in its questions' words if together
/// they are all of `$1` to `$n`.
pub(super) fn assign(question: &mut Question, text: &str, tokens: &[Token]) {
    let mut numbers: Vec<u16> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Parameter)
        .filter_map(|token| token.span.of(text)[1..].parse().ok())
        .collect();
    let outside = numbers.iter().copied().max().unwrap_or(0);
    for asked in &mut question.asked {
        if let QuestionText::Literal(words) = &asked.text {
            asked.parameters = in_words(words);
            numbers.extend(&asked.parameters);
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let complete = numbers
        .iter()
        .zip(1..=u16::MAX)
        .all(|(number, expected)| *number == expected);
    question.parameters = if complete {
        numbers.last().copied().unwrap_or(0)
    } else {
        outside
    };
    if !complete {
        question
            .asked
            .iter_mut()
            .for_each(|asked| asked.parameters.clear());
    }
}

/// The numbers of the `$n` in some SQL, ascending.
pub fn parameters(sql: &str) -> Vec<u16> {
    let mut numbers: Vec<u16> = Lexer::new(sql, true)
        .filter(|token| token.kind == TokenKind::Parameter)
        .filter_map(|token| token.span.of(sql)[1..].parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The most parameters that a message of the protocol can count.
const MOST: u64 = 65_535;
/// The highest number of which PostgreSQL asks for the types of those before it; of others it says that they are not there.
const COUNTED: u64 = 536_870_911;

/// Why a statement cannot have the parameters that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterError<'s> {
    /// There is none of this number.
    Missing(&'s str),
    /// So many cannot be told of, and nothing in the statement says what type this one has.
    Untyped(u64),
}

/// Finds a `$n` that no client can give a value to. Nothing is made by the number itself.
pub fn check_parameters(sql: &str) -> Result<(), ParameterError<'_>> {
    if !sql.contains('$') {
        return Ok(());
    }
    let mut numbers = BTreeSet::new();
    for token in Lexer::new(sql, true).filter(|token| token.kind == TokenKind::Parameter) {
        let digits = &token.span.of(sql)[1..];
        match digits.parse::<u64>() {
            Ok(number @ 1..=COUNTED) => numbers.insert(number),
            _ => return Err(ParameterError::Missing(digits)),
        };
    }
    if numbers.last().is_some_and(|highest| *highest > MOST) {
        let untyped = (1..).zip(&numbers).find(|(wanted, number)| wanted != *number);
        return Err(ParameterError::Untyped(
            untyped.map_or(MOST + 1, |(wanted, _)| wanted),
        ));
    }
    Ok(())
}

/// The first `$n` in some SQL, by its digits.
pub fn first_parameter(sql: &str) -> Option<&str> {
    let mut tokens = Lexer::new(sql, true);
    let first = tokens.find(|token| token.kind == TokenKind::Parameter)?;
    Some(&first.span.of(sql)[1..])
}

/// The `$n` in a question, ascending. Amounts are none: `$1,000`, `$5.50`, `$3k`, `US$1`.
fn in_words(words: &str) -> Vec<u16> {
    let mut found = Vec::new();
    for (at, _) in words.match_indices('$') {
        let behind = &words[at + 1..];
        let length = behind.bytes().take_while(u8::is_ascii_digit).count();
        let mut next = behind[length..].chars();
        let amount = match next.next() {
            Some(c) if c.is_alphanumeric() || matches!(c, '_' | '$') => true,
            Some(',' | '.') => next.next().is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        };
        let in_word = words[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        if let Ok(number @ 1..) = behind[..length].parse::<u16>()
            && !(amount || in_word || behind.starts_with('0'))
        {
            found.push(number);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expected: &[u16]) {
        assert_eq!(in_words(words), expected, "{words}");
    }

    #[test]
    fn parameters_are_told_from_amounts() {
        check("orders of $2 after $1, and $1.", &[1, 2]);
        check("customers in $1?", &[1]);
        check("cheaper than $1,000 or $1.50 or $1k or US$1 or $0 or $01", &[]);
        check("$", &[]);
        check("$99999999", &[]);
    }
}
