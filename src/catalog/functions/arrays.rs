//! Arrays, which are kept as PostgreSQL writes them: `{1,2}`, `{"a b",NULL}`; vectors as `1 2`.

use rusqlite::{
    Connection, Result,
    functions::{Aggregate, Context, FunctionFlags},
    types::{Type, Value},
};

use super::{number, scalar, text};

/// The elements of an array of one dimension; `None` is NULL.
pub(crate) fn elements(array: &str) -> Vec<Option<String>> {
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
pub(crate) fn array(elements: impl IntoIterator<Item = Option<String>>) -> String {
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

fn of(context: &Context<'_>) -> Result<Option<Vec<Option<String>>>> {
    Ok(text(context, 0)?.map(|array| elements(&array)))
}

fn length(context: &Context<'_>) -> Result<Option<i64>> {
    let length = of(context)?.map_or(0, |elements| elements.len() as i64);
    Ok((length > 0).then_some(length))
}

/// Vectors count from 0, arrays from 1.
fn element(context: &Context<'_>) -> Result<Option<Value>> {
    let (Some(array), Some(at)) = (text(context, 0)?, number(context, 1)?) else {
        return Ok(None);
    };
    let at = if array.starts_with('{') { at - 1 } else { at };
    let found = usize::try_from(at)
        .ok()
        .and_then(|at| elements(&array).into_iter().nth(at).flatten());
    Ok(found.map(value))
}

/// A number where it is one, so that it compares with numbers.
fn value(text: String) -> Value {
    text.parse().map_or(Value::Text(text), Value::Integer)
}

fn json(context: &Context<'_>) -> Result<Option<String>> {
    let json = |element: Option<String>| match element.map(value) {
        Some(Value::Integer(number)) => serde_json::Value::from(number),
        Some(Value::Text(text)) => serde_json::Value::from(text),
        _ => serde_json::Value::Null,
    };
    Ok(of(context)?.map(|elements| {
        elements
            .into_iter()
            .map(json)
            .collect::<serde_json::Value>()
            .to_string()
    }))
}

/// Adds them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    scalar(connection, "array_to_string", &[2, 3], |context| {
        let (Some(elements), Some(between)) = (of(context)?, text(context, 1)?) else {
            return Ok(None);
        };
        let null = text(context, 2)?;
        let shown: Vec<String> = elements
            .into_iter()
            .filter_map(|element| element.or(null.clone()))
            .collect();
        Ok(Some(shown.join(&between)))
    })?;
    scalar(connection, "array_length", &[2], length)?;
    scalar(connection, "array_upper", &[2], length)?;
    scalar(connection, "array_lower", &[2], |context| {
        Ok(length(context)?.map(|_| 1))
    })?;
    scalar(connection, "cardinality", &[1], |context| {
        Ok(of(context)?.map(|elements| elements.len() as i64))
    })?;
    scalar(connection, "array_remove", &[2], |context| {
        let unwanted = text(context, 1)?;
        Ok(of(context)?.map(|elements| array(elements.into_iter().filter(|element| *element != unwanted))))
    })?;
    scalar(connection, "array_position", &[2], |context| {
        let wanted = text(context, 1)?;
        let found = of(context)?.and_then(|elements| elements.iter().position(|element| *element == wanted));
        Ok(found.map(|position| position as i64 + 1))
    })?;
    scalar(connection, "catalogue_array", &[-1], |context| {
        let elements: Result<Vec<Option<String>>> = (0..context.len()).map(|at| text(context, at)).collect();
        Ok(array(elements?))
    })?;
    scalar(connection, "pg_array_element", &[2], element)?;
    scalar(connection, "catalogue_array_at", &[2], |context| {
        let at = number(context, 1)?.and_then(|at| usize::try_from(at).ok());
        let found = of(context)?
            .zip(at)
            .and_then(|(elements, at)| elements.into_iter().nth(at).flatten());
        Ok(found.map(value))
    })?;
    scalar(connection, "catalogue_array_json", &[1], json)?;
    scalar(connection, "current_schemas", &[1], |context| {
        let implicit = text(context, 0)?.is_some_and(|text| text == "1" || text.starts_with('t'));
        Ok(if implicit {
            "{pg_catalog,public}"
        } else {
            "{public}"
        })
    })?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("catalogue_array_agg", 1, flags, Collected { empty: true })?;
    connection.create_aggregate_function("array_agg", 1, flags, Collected { empty: false })?;
    for (name, all) in [("bool_and", true), ("every", true), ("bool_or", false)] {
        connection.create_aggregate_function(name, 1, flags, Agreed { all })?;
    }
    Ok(())
}

/// `ARRAY(SELECT …)`, and `array_agg`, which is NULL where there was no row.
struct Collected {
    empty: bool,
}

/// `bool_and` and `bool_or`.
struct Agreed {
    all: bool,
}

impl Aggregate<Option<bool>, Option<bool>> for Agreed {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<bool>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, so_far: &mut Option<bool>) -> Result<()> {
        if let Some(next) = number(context, 0)?.map(|number| number != 0) {
            *so_far = Some(match *so_far {
                None => next,
                Some(before) if self.all => before && next,
                Some(before) => before || next,
            });
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, so_far: Option<Option<bool>>) -> Result<Option<bool>> {
        Ok(so_far.flatten())
    }
}

impl Aggregate<Vec<Option<String>>, Value> for Collected {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<Option<String>>> {
        Ok(vec![])
    }

    fn step(&self, context: &mut Context<'_>, elements: &mut Vec<Option<String>>) -> Result<()> {
        let element = if context.get_raw(0).data_type() == Type::Null {
            None
        } else {
            text(context, 0)?
        };
        elements.push(element);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, elements: Option<Vec<Option<String>>>) -> Result<Value> {
        Ok(match elements {
            None if !self.empty => Value::Null,
            elements => Value::Text(array(elements.unwrap_or_default())),
        })
    }
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
            let read = elements(written);
            assert_eq!(
                read.iter().map(Option::as_deref).collect::<Vec<_>>(),
                expected,
                "{written}"
            );
            if written.starts_with('{') {
                assert_eq!(array(read), written);
            }
        }
    }
}
