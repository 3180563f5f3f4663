//! What a model thought aloud before its answer, where the server leaves it in the text.

/// How reasoning begins and ends.
const MARKS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
];

/// The answer behind the reasoning; empty where that never ends.
pub(super) fn without(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let Some(rest) = MARKS.iter().find_map(|mark| behind(text, *mark)) else {
            return text;
        };
        text = rest.trim();
    }
}

/// The text behind reasoning of this kind, if it begins with some. Templates may hide the opening mark.
fn behind<'a>(text: &'a str, (open, close): (&str, &str)) -> Option<&'a str> {
    let opened = text.starts_with(open);
    // A mark inside of JSON or SQL is data.
    if !opened && (text.starts_with(['{', '[', '"', '`']) || text.contains(open)) {
        return None;
    }
    match text.split_once(close) {
        Some((_, answer)) => Some(answer),
        None => opened.then_some(""),
    }
}
