//! Text with backslashes, written so that it means the same whatever `standard_conforming_strings` is: the session of a client who
//! has it off would read `'\d'` as `d`.

use crate::{
    question::schema::Dialect,
    statement::{Piece, pieces},
};

/// The statement with each plain string that has a backslash as `E'…'`; `None` where it stays as it is.
pub(super) fn written_out(sql: &str, dialect: Dialect) -> Option<String> {
    if dialect != Dialect::Postgres || !sql.contains('\\') {
        return None;
    }
    let mut written = String::new();
    let mut copied = 0;
    for (piece, span) in pieces(sql, true) {
        let text = span.of(sql);
        if piece != Piece::Whole || !text.starts_with('\'') || !text.contains('\\') {
            continue;
        }
        let before = &sql[copied..span.start];
        written.push_str(before);
        // `DATE'…'` is a word and a string.
        if before.ends_with(|character: char| character.is_alphanumeric() || "_$\"".contains(character)) {
            written.push(' ');
        }
        written.push('E');
        written.push_str(&text.replace('\\', "\\\\"));
        copied = span.end;
    }
    (copied > 0).then(|| written + &sql[copied..])
}

/// Where a character of what was written out stands in the text before, both counted from 1: what is more in one is not in the other.
pub(super) fn position(before: &str, written: &str, at: usize) -> usize {
    let mut rest = before.chars().peekable();
    let alike = |character: &char| rest.next_if_eq(character).is_some();
    1 + written.chars().take(at.saturating_sub(1)).filter(alike).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_doubled_where_they_may_be_escapes() {
        for (sql, expected) in [
            (r"SELECT 'it''s', 'a'", None),
            (r"SELECT E'\\d'", None),
            (r#"SELECT "a\b", 'c' FROM t"#, None),
            (
                r"SELECT a ~ '\d''s', E'\\d', 'ä' FROM t -- ü",
                Some(r"SELECT a ~ E'\\d''s', E'\\d', 'ä' FROM t -- ü"),
            ),
            (r"SELECT date'\', a~'\'", Some(r"SELECT date E'\\', a~E'\\'")),
        ] {
            assert_eq!(written_out(sql, Dialect::Postgres).as_deref(), expected, "{sql}");
        }
        assert_eq!(written_out(r"SELECT '\d'", Dialect::Sqlite), None);
        let (before, written) = (r"a ~ '\d' AND b", r"a ~ E'\\d' AND b");
        let at = |text: &str, sign: &str| text.find(sign).unwrap_or_default() + 1;
        assert_eq!(position(before, written, at(written, "b")), at(before, "b"));
    }
}
