//! Who asks: what one says of oneself (`my sales`, `what do I pay`) is what a company says of itself.

use super::{
    super::question::Token,
    rewording::{said, word},
};

/// Words of a verb that `I` stands behind in a question: `what do I pay`.
const ASKING: [&str; 7] = ["do", "did", "have", "should", "must", "am", "will"];

/// What `I` says of a wish and not of a company: `did I tell you`, `do I need`.
const WISHES: [&str; 16] = [
    "want", "need", "would", "see", "get", "know", "find", "think", "guess", "mean", "wonder", "like", "say",
    "ask", "tell", "call",
];

/// What somebody does who has a business.
const TRADES: [&str; 26] = [
    "sell", "sold", "buy", "bought", "own", "employ", "pay", "paid", "earn", "earned", "make", "made",
    "carry", "stock", "offer", "offered", "run", "owe", "owed", "spend", "spent", "order", "ordered", "ship",
    "shipped", "took",
];

/// What is done for somebody or to somebody, and `me` stands behind it: `what did it cost me`.
const BEFORE_ME: [&str; 20] = [
    "cost", "costs", "owe", "owes", "owed", "made", "make", "makes", "earn", "earned", "earns", "brought",
    "brings", "bring", "paid", "pay", "pays", "from", "with", "by",
];

/// The question as a company asks it.
pub(super) fn as_the_firm(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or("", |before| word(&tokens, before));
        let next = word(&tokens, at + 1);
        let instead = match word(&tokens, at) {
            "my" => "our",
            "mine" => "ours",
            "i" if ASKING.contains(&before) && !WISHES.contains(&next) => "we",
            "i" if TRADES.contains(&next) => "we",
            "me" if BEFORE_ME.contains(&before) => "us",
            _ => continue,
        };
        tokens[at] = Token {
            capital: false,
            ..said(instead, &tokens[at])
        };
    }
    tokens
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;

    use super::{super::super::question::tokens, *};

    #[test]
    fn one_speaks_for_the_company() {
        for (question, expected) in [
            ("what do I pay for my flowers", "what do we pay for our flowers"),
            ("what did the repairs cost me", "what did the repairs cost us"),
            ("show me all that I sold", "show me all that we sold"),
            ("do I need to see it", "do i need to see it"),
        ] {
            let told: Vec<String> = as_the_firm(tokens(question, Date::MIN))
                .into_iter()
                .map(|token| token.word)
                .collect();
            assert_eq!(told.join(" "), expected);
        }
    }
}
