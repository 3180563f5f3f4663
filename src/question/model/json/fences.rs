//! Fenced blocks of Markdown.

/// A block between fences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence<'a> {
    /// The word behind the opening fence.
    pub(super) language: &'a str,
    /// What stands inside; to the end of the text where the fence is never closed.
    pub(super) body: &'a str,
}

/// All blocks of a text, in their order.
pub(super) fn of(text: &str) -> impl Iterator<Item = Fence<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, behind) = rest.split_once("```")?;
        let (inside, after) = behind.split_once("```").unwrap_or((behind, ""));
        rest = after;
        let end = inside
            .find(|character: char| !character.is_alphanumeric() && !matches!(character, '_' | '-' | '+'))
            .unwrap_or(0);
        let (language, body) = inside.split_at(end);
        // On one line the first word belongs to the body, unless it names a language.
        let names =
            body.starts_with(['\n', '\r']) || is_sql(language) || language.eq_ignore_ascii_case("json");
        let (language, body) = if names { (language, body) } else { ("", inside) };
        Some(Fence {
            language,
            body: body.trim(),
        })
    })
}

/// Whether a language is SQL.
pub(super) fn is_sql(language: &str) -> bool {
    let known = [
        "sql",
        "postgresql",
        "postgres",
        "psql",
        "pgsql",
        "plpgsql",
        "sqlite",
        "sqlite3",
        "mysql",
    ];
    known.iter().any(|name| language.eq_ignore_ascii_case(name))
}
