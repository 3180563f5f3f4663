//! Numbers between two others: `between 10 and 20 euros`, `over 100 and under 200`.

use super::{
    super::question::{Token, TokenKind},
    question::{Mention, Number},
    rewording::{said, word},
};
use crate::question::semantic::{Comparison, Condition, Operand};

/// A range said as at least the one and at most the other.
pub(super) fn ranges(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let joint = match word(&tokens, at) {
            "between" => "and",
            "from" => "to",
            _ => return None,
        };
        let (low, low_money) = amount(&tokens, at + 1)?;
        let (high, high_money) = amount(&tokens, low + 2)?;
        let money = low_money || high_money;
        let sure = joint == "and" && !is_year(&tokens[low]) || money;
        (word(&tokens, low + 1) == joint && sure && !is_length(word(&tokens, high + 1)))
            .then_some((at, low, high, money))
    });
    if let Some((at, low, high, money)) = found {
        let currency = money.then(|| Token {
            kind: TokenKind::Mark('€'),
            ..said("€", &tokens[at])
        });
        let bound = |words: &[&str], number: usize| -> Vec<Token> {
            let words = words.iter().map(|word| said(word, &tokens[at]));
            words
                .chain(currency.clone())
                .chain([tokens[number].clone()])
                .collect()
        };
        let mut written = bound(&["at", "least"], low);
        written.extend(bound(&["and", "at", "most"], high));
        tokens.splice(at..=high, written);
        return tokens;
    }
    // `10 and under 20` is no 10 or less.
    for at in 1..tokens.len().saturating_sub(2) {
        let numbers = amount(&tokens, at + 2).is_some();
        let less = matches!(word(&tokens, at + 1), "under" | "below");
        let more = matches!(word(&tokens, at + 1), "over" | "above");
        if word(&tokens, at) == "and" && (less || more) && numbers {
            let than = [if less { "less" } else { "more" }, "than"].map(|word| said(word, &tokens[at]));
            tokens.splice(at + 1..=at + 1, than);
            break;
        }
    }
    tokens
}

/// Where a number is, behind a currency or not.
fn amount(tokens: &[Token], at: usize) -> Option<(usize, bool)> {
    let money = matches!(
        tokens.get(at).map(|token| &token.kind),
        Some(TokenKind::Mark('€' | '$' | '£'))
    );
    let number = at + usize::from(money);
    let is_number = matches!(
        tokens.get(number).map(|token| &token.kind),
        Some(TokenKind::Number(_) | TokenKind::Word(Some(_)) | TokenKind::Parameter(_))
    );
    is_number.then_some((number, money))
}

fn is_year(token: &Token) -> bool {
    matches!(token.word.parse(), Ok(1_900..=2_100))
}

/// True for what time is told in, and for hours of the day.
fn is_length(word: &str) -> bool {
    matches!(
        word.trim_end_matches('s'),
        "day" | "week" | "month" | "year" | "hour" | "minute" | "o" | "am" | "pm" | "%"
    )
}

impl Mention {
    /// Takes the other end of what it is compared with; false where it has none.
    pub(super) fn is_bounded(&mut self, comparison: Option<Comparison>, number: &Number) -> bool {
        let least = |comparison: Comparison| matches!(comparison, Comparison::AtLeast | Comparison::Greater);
        let most = |comparison: Comparison| matches!(comparison, Comparison::AtMost | Comparison::Less);
        let is_amount = |number: &Number| matches!(number, Number::Written(_) | Number::Parameter(_));
        let (Some((first, other)), Some(second)) = (&self.compared, comparison) else {
            return false;
        };
        if !is_amount(number) || !is_amount(other) {
            return false;
        }
        let ends = least(*first) && most(second) || most(*first) && least(second);
        let free = ends && self.until.is_none();
        if free {
            self.until = Some((second, number.clone()));
        }
        free
    }

    /// What is compared at one end, at both.
    pub(super) fn both_ends(&self, condition: Condition, kept: impl Fn(&Number) -> Operand) -> Condition {
        match (&self.until, condition) {
            (Some((comparison, number)), Condition::Compare(scalar, first, operand)) => {
                let other = Condition::Compare(scalar.clone(), *comparison, kept(number));
                Condition::All(vec![Condition::Compare(scalar, first, operand), other])
            }
            (_, condition) => condition,
        }
    }
}
