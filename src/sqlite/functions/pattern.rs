//! LIKE, SIMILAR TO and regular expressions.

use std::fmt::Write as _;

use std::{cell::RefCell, collections::HashMap};

use regex::Regex;

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, fail,
};

/// Compiled patterns that are kept per thread.
const KEPT: usize = 64;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Regex>> = RefCell::default();
}

fn compiled(pattern: String, shown: &str) -> Result<Regex, Failure> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(found) = compiled.get(&pattern) {
            return Ok(found.clone());
        }
        let Ok(regex) = Regex::new(&pattern) else {
            return fail("2201B", format!("invalid regular expression: {shown}"));
        };
        if compiled.len() >= KEPT {
            compiled.clear();
        }
        compiled.insert(pattern, regex.clone());
        Ok(regex)
    })
}

/// PostgreSQL's regular expression in this crate's words.
fn regex(pattern: &str, flags: &str) -> Result<Regex, Failure> {
    let converted = pattern
        .replace("\\m", "\\b{start}")
        .replace("\\M", "\\b{end}")
        .replace("\\y", "\\b")
        .replace("\\Y", "\\B")
        .replace("\\Z", "\\z");
    if let Some(other) = flags.chars().find(|flag| !"bceginmpqstwx".contains(*flag)) {
        return fail("22023", format!("invalid regular expression option: \"{other}\""));
    }
    let mut options = String::from("s");
    if flags.contains('i') {
        options.push('i');
    }
    if flags.contains('x') {
        options.push('x');
    }
    if flags.contains(['n', 'm']) {
        options = options.replace('s', "") + "m";
    }
    compiled(format!("(?{options}){converted}"), pattern)
}

fn like(values: &[V], any_case: bool) -> Out {
    let (mut text, mut pattern) = (values[0].text(), values[1].text());
    let escape = values[2].text().chars().next();
    if any_case {
        (text, pattern) = (text.to_lowercase(), pattern.to_lowercase());
    }
    let text: Vec<char> = text.chars().collect();
    // Each part of the pattern: a character, any one, any number.
    let mut parts: Vec<(u8, char)> = vec![];
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if Some(character) == escape {
            match characters.next() {
                Some(next) => parts.push((0, next)),
                None => return fail("22025", "LIKE pattern must not end with escape character"),
            }
        } else {
            parts.push(match character {
                '%' => (2, ' '),
                '_' => (1, ' '),
                other => (0, other),
            });
        }
    }
    let (mut at, mut part) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < text.len() {
        allowance::turn()?;
        match parts.get(part) {
            Some((2, _)) => {
                back = Some((part, at));
                part += 1;
            }
            Some((1, _)) => (at, part) = (at + 1, part + 1),
            Some((_, wanted)) if *wanted == text[at] => (at, part) = (at + 1, part + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (at, part) = (from + 1, star + 1);
                }
                None => return Ok(V::of_bool(false)),
            },
        }
    }
    Ok(V::of_bool(
        parts[part.min(parts.len())..].iter().all(|(kind, _)| *kind == 2),
    ))
}

fn similar(values: &[V]) -> Out {
    let pattern = values[1].text();
    let escape = values[2].text().chars().next();
    let mut converted = String::from("(?s)\\A(?:");
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            character if Some(character) == escape => {
                if let Some(next) = characters.next() {
                    converted.push_str(&regex::escape(&next.to_string()));
                }
            }
            '%' => converted.push_str(".*"),
            '_' => converted.push('.'),
            '.' | '^' | '$' | '\\' => {
                converted.push('\\');
                converted.push(character);
            }
            other => converted.push(other),
        }
    }
    converted.push_str(")\\z");
    Ok(V::of_bool(
        compiled(converted, &pattern)?.is_match(&values[0].text()),
    ))
}

fn replace(values: &[V]) -> Out {
    let flags = values.get(3).map(V::text).unwrap_or_default();
    let regex = regex(&values[1].text(), &flags)?;
    let mut with = String::new();
    let new = values[2].text();
    let mut characters = new.chars();
    while let Some(character) = characters.next() {
        match character {
            '$' => with.push_str("$$"),
            '\\' => match characters.next() {
                Some('&') => with.push_str("${0}"),
                Some(digit) if digit.is_ascii_digit() => {
                    let _ = write!(with, "${{{digit}}}");
                }
                Some(other) => with.push(other),
                None => with.push('\\'),
            },
            other => with.push(other),
        }
    }
    let text = values[0].text();
    let most = if flags.contains('g') { usize::MAX } else { 1 };
    let (mut changed, mut behind) = (String::new(), 0);
    for captures in regex.captures_iter(&text).take(most) {
        let found = captures.get(0).map_or(behind..behind, |found| found.range());
        changed.push_str(&text[behind..found.start]);
        captures.expand(&with, &mut changed);
        allowance::value_of(changed.len())?;
        behind = found.end;
    }
    changed.push_str(&text[behind..]);
    Ok(changed.into())
}

fn groups(captures: &regex::Captures<'_>) -> Result<String, Failure> {
    let parts: Vec<V> = if captures.len() == 1 {
        vec![captures[0].into()]
    } else {
        captures
            .iter()
            .skip(1)
            .map(|group| group.map_or(V::Null, |group| group.as_str().into()))
            .collect()
    };
    array::text_of(&parts)
}

/// Refuses the flag that finds all, where one is found.
fn not_all(flags: &str, function: &str) -> Result<(), Failure> {
    if flags.contains('g') {
        let message = format!("{function}() does not support the \"global\" option");
        return fail("22023", message);
    }
    Ok(())
}

fn matched(values: &[V]) -> Out {
    let flags = values.get(2).map(V::text).unwrap_or_default();
    let regex = regex(&values[1].text(), &flags)?;
    not_all(&flags, "regexp_match")?;
    Ok(match regex.captures(&values[0].text()) {
        Some(captures) => groups(&captures)?.into(),
        None => V::Null,
    })
}

fn matches(values: &[V]) -> Out {
    let flags = values[2].text();
    let regex = regex(&values[1].text(), &flags)?;
    let text = values[0].text();
    let all = regex
        .captures_iter(&text)
        .take(if flags.contains('g') { usize::MAX } else { 1 });
    let mut list = String::from("[");
    for captures in all {
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&super::json::quoted(&groups(&captures)?));
        allowance::value_of(list.len())?;
    }
    list.push(']');
    Ok(list.into())
}

/// Patterns.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_like", 3, Strict, |v| like(v, false)),
    ("pg_ilike", 3, Strict, |v| like(v, true)),
    ("pg_similar", 3, Strict, similar),
    ("pg_regex", 3, Strict, |v| {
        let (flags, text) = (v[2].text(), v[0].text());
        let regex = regex(&v[1].text(), &flags)?;
        // Operators have no such flag.
        not_all(&flags, "regexp_like")?;
        Ok(V::of_bool(regex.is_match(&text)))
    }),
    ("pg_regexp_replace", 3, Strict, replace),
    ("pg_regexp_replace", 4, Strict, replace),
    ("pg_regexp_match", 2, Strict, matched),
    ("pg_regexp_match", 3, Strict, matched),
    ("pg_regexp_matches", 3, Strict, matches),
    ("pg_regexp_count", 2, Strict, |v| {
        let mut count = 0;
        for _ in regex(&v[1].text(), "")?.find_iter(&v[0].text()) {
            allowance::turn()?;
            count += 1;
        }
        Ok(V::Int(count))
    }),
    ("pg_regexp_substr", 2, Strict, |v| {
        Ok(regex(&v[1].text(), "")?
            .find(&v[0].text())
            .map_or(V::Null, |found| found.as_str().into()))
    }),
    ("pg_regexp_instr", 2, Strict, |v| {
        let text = v[0].text();
        Ok(V::Int(regex(&v[1].text(), "")?.find(&text).map_or(0, |found| {
            text[..found.start()].chars().count() as i64 + 1
        })))
    }),
    ("pg_substring_regex", 2, Strict, |v| {
        let found = regex(&v[1].text(), "")?;
        let text = v[0].text();
        Ok(found.captures(&text).map_or(V::Null, |captures| {
            captures
                .get(1)
                .or_else(|| captures.get(0))
                .map_or(V::Null, |group| group.as_str().into())
        }))
    }),
    ("pg_regexp_split_to_array", 2, Lenient, |v| {
        if v.iter().any(V::is_null) {
            return Ok(V::Null);
        }
        let text = v[0].text();
        let mut parts = vec![];
        let mut start = 0;
        for found in regex(&v[1].text(), "")?.find_iter(&text) {
            allowance::turn()?;
            // Nothing is found neither at an end of the text nor right behind what was.
            if found.is_empty() && (found.start() == start || found.end() == text.len()) {
                continue;
            }
            parts.push(V::from(&text[start..found.start()]));
            start = found.end();
        }
        parts.push(V::from(&text[start..]));
        Ok(array::text_of(&parts)?.into())
    }),
];
