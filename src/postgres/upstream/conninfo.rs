//! libpq's keywords and values: `host=db port=5432 password='it\\'s'`, with spaces around `=` and backslashes as libpq has
//! them (chapter "Keyword/Value Connection Strings").

/// The pairs in their order; a message where there is none.
pub(super) fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some((name, after)) = rest.split_once('=') else {
            return Err(format!("\"{}\" has no value; write {0}=…", rest.trim_end()));
        };
        let name = name.trim_end();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("\"{name}\" has no value; write NAME=VALUE"));
        }
        let (value, after) = value(after.trim_start()).ok_or("a quoted value is not closed")?;
        pairs.push((name.to_owned(), value));
        rest = after.trim_start();
    }
    Ok(pairs)
}

/// The value that a text begins with, and what follows it.
fn value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let quoted = text.starts_with('\'');
    let mut characters = text.char_indices().skip(usize::from(quoted));
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, character)| character)),
            '\'' if quoted => return Some((value, &text[at + 1..])),
            character if !quoted && character.is_whitespace() => return Some((value, &text[at..])),
            character => value.push(character),
        }
    }
    (!quoted).then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_as_libpq_reads_them() {
        for (text, expected) in [
            ("host=h dbname=d", vec![("host", "h"), ("dbname", "d")]),
            ("  host = h\tport=  7 ", vec![("host", "h"), ("port", "7")]),
            (
                r"password='a b\'c\\d' user=e\ f",
                vec![("password", r"a b'c\d"), ("user", "e f")],
            ),
            ("user='' host=x", vec![("user", ""), ("host", "x")]),
            ("", vec![]),
        ] {
            let read = pairs(text).unwrap();
            let read: Vec<(&str, &str)> = read.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(read, expected, "{text}");
        }
        for (text, told) in [
            ("host=h shop", "no value"),
            ("host=h a b=c", "no value"),
            ("password='x", "not closed"),
        ] {
            assert!(pairs(text).unwrap_err().contains(told), "{text}");
        }
    }
}
