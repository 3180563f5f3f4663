//! What is asked twice: first in general, then in words that tell more.

use super::framing::{leans_back, names_something, words};

/// `How do people pay? Payments by method`: the second says the first once more, and better.
pub(super) fn without_first(question: &str) -> &str {
    let Some(end) = question.find("? ") else {
        return question;
    };
    let (first, second) = (&question[..end], question[end + 2..].trim_start());
    let said = words(second);
    let groups = said.iter().any(|word| {
        matches!(
            &**word,
            "per" | "by" | "each" | "without" | "for" | "total" | "average" | "share"
        )
    });
    let asks = said.first().is_some_and(|first| {
        !matches!(
            &**first,
            "and"
                | "or"
                | "which"
                | "what"
                | "who"
                | "how"
                | "i"
                | "we"
                | "if"
                | "so"
                | "in"
                | "only"
                | "not"
                | "just"
        ) || matches!(
            (&**first, said.get(1).map(|next| &**next)),
            ("i", Some("want" | "need"))
        )
    });
    // `count per reason`: of what, only the first says.
    let bare = matches!(
        said.first().map(|word| &**word),
        Some("count" | "number" | "total" | "share" | "average")
    ) && matches!(
        said.get(1).map(|word| &**word),
        Some("per" | "by" | "for" | "each" | "in")
    );
    let leans = leans_back(&said)
        || said
            .iter()
            .any(|word| matches!(&**word, "both" | "that" | "please"));
    let whole = said.len() > 2
        && groups
        && said
            .last()
            .is_some_and(|last| !matches!(&**last, "each" | "first" | "top"));
    if asks && whole && !bare && !leans && is_general(&words(first)) && !names_something(first) {
        second
    } else {
        question
    }
}

/// True for a few words that bound nothing: `which buildings have more than two floors` says more than what follows may say.
fn is_general(first: &[String]) -> bool {
    const MOST: usize = 8;
    let bounds = |word: &String| {
        matches!(
            &**word,
            "that"
                | "than"
                | "without"
                | "with"
                | "not"
                | "no"
                | "never"
                | "only"
                | "between"
                | "before"
                | "after"
                | "since"
                | "until"
                | "over"
                | "under"
                | "above"
                | "below"
                | "from"
                | "whose"
                | "more"
                | "less"
                | "fewer"
        ) || word.ends_with("n't")
    };
    first.len() <= MOST && !first.iter().any(bounds)
}
