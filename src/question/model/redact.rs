//! Words that may be shown: short, and without a secret in them.

/// Characters of a provider's words that are shown.
const MOST: usize = 300;

/// An address without its user, password and query, which may hold secrets.
pub(super) fn address(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{path}")
}

/// A provider's words on one line, cut to what a person reads, with no secret and no part of one left in.
pub(super) fn words<'a>(text: &str, secrets: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "***");
        text = without_parts(&text, secret);
    }
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Providers quote keys in part: `sk-abc***wxyz`.
fn without_parts(text: &str, secret: &str) -> String {
    let hidden = |word: &str| {
        let bare = word.trim_matches(|character: char| !character.is_ascii_alphanumeric());
        (bare.len() >= 8 && secret.contains(bare)) || (bare.contains("**"))
    };
    text.split(' ')
        .map(|word| if hidden(word) { "***" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}
