//! Whether two expressions are one in SQLite's words. Each time one is translated, the relations inside of it that have no
//! name get new ones, and those say nothing.

use std::fmt::Write as _;

/// What the names begin with that are made for relations; a number follows.
const MADE: &str = "\"pg:";

/// True for texts that differ in such names alone, of those that came after the first `known`.
pub(super) fn alike(one: &str, other: &str, known: usize) -> bool {
    one == other
        || (one.contains(MADE) && other.contains(MADE) && numbered(one, known) == numbered(other, known))
}

/// The text with those names numbered by their order in it.
fn numbered(sql: &str, known: usize) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut seen: Vec<usize> = vec![];
    let mut parts = sql.split(MADE);
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        text.push_str(MADE);
        let end = part
            .find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(part.len());
        match part[..end].parse::<usize>() {
            Ok(number) if number > known => {
                let place = seen
                    .iter()
                    .position(|other| *other == number)
                    .unwrap_or(seen.len());
                if place == seen.len() {
                    seen.push(number);
                }
                // No number of a name that was made has a letter.
                let _ = write!(text, "n{place}");
                text.push_str(&part[end..]);
            }
            _ => text.push_str(part),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn names_inside_of_an_expression_say_nothing() {
        let one = "(SELECT \"pg:3\".v < \"pg:4\".v FROM \"pg:3\", \"pg:4\", \"pg:1\")";
        for (other, is_alike) in [
            (
                "(SELECT \"pg:7\".v < \"pg:9\".v FROM \"pg:7\", \"pg:9\", \"pg:1\")",
                true,
            ),
            (
                "(SELECT \"pg:7\".v < \"pg:7\".v FROM \"pg:7\", \"pg:7\", \"pg:1\")",
                false,
            ),
            (
                "(SELECT \"pg:7\".v < \"pg:9\".v FROM \"pg:7\", \"pg:9\", \"pg:2\")",
                false,
            ),
        ] {
            assert_eq!(alike(one, other, 2), is_alike, "{other}");
        }
    }
}
