//! Arrays, which are kept as PostgreSQL writes them: `{1,2}`, `{"a b",NULL}`; vectors as `1 2`.

/// The elements of an array of one dimension; `None` is NULL.
pub(crate) fn array_elements(array: &str) -> Vec<Option<String>> {
    let Some(inner) = array
        .trim()
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return array
            .split_whitespace()
            .map(|element| Some(element.to_owned()))
            .collect();
    };
    let (mut found, mut element, mut quoted, mut was_quoted) = (vec![], String::new(), false, false);
    let mut finish = |element: &mut String, was_quoted: &mut bool| {
        let text = std::mem::take(element);
        let is_null = !*was_quoted && text.eq_ignore_ascii_case("null");
        found.push((!is_null).then_some(text));
        *was_quoted = false;
    };
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => element.extend(characters.next()),
            '"' => (quoted, was_quoted) = (!quoted, true),
            ',' if !quoted => finish(&mut element, &mut was_quoted),
            _ => element.push(character),
        }
    }
    if !inner.is_empty() {
        finish(&mut element, &mut was_quoted);
    }
    found
}

/// The array of these elements.
pub(crate) fn array_text(elements: impl IntoIterator<Item = Option<String>>) -> String {
    let written: Vec<String> = elements
        .into_iter()
        .map(|element| match element {
            None => "NULL".to_owned(),
            Some(text) if is_plain(&text) => text,
            Some(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        })
        .collect();
    format!("{{{}}}", written.join(","))
}

fn is_plain(text: &str) -> bool {
    let special =
        |character: char| character.is_whitespace() || matches!(character, ',' | '{' | '}' | '"' | '\\');
    !text.is_empty() && !text.contains(special) && !text.eq_ignore_ascii_case("null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_read_back() {
        for (written, expected) in [
            ("{}", vec![]),
            ("{1,2}", vec![Some("1"), Some("2")]),
            ("1 2", vec![Some("1"), Some("2")]),
            (
                r#"{"a b",NULL,"NULL","x\"y\\","a,b"}"#,
                vec![Some("a b"), None, Some("NULL"), Some("x\"y\\"), Some("a,b")],
            ),
        ] {
            let read = array_elements(written);
            assert_eq!(
                read.iter().map(Option::as_deref).collect::<Vec<_>>(),
                expected,
                "{written}"
            );
            if written.starts_with('{') {
                assert_eq!(array_text(read), written);
            }
        }
    }
}
