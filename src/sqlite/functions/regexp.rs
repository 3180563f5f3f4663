//! What is asked with regular expressions.

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, fail,
    regular::{Search, Span, pattern},
};

/// Refuses the flag that finds all, where one is found.
fn not_all(flags: &str, function: &str) -> Result<(), Failure> {
    if flags.contains('g') {
        let message = format!("{function}() does not support the \"global\" option");
        return fail("22023", message);
    }
    Ok(())
}

/// A number of an argument that counts from `least`, or that it leaves out.
fn number(values: &[V], at: usize, (name, least, without): (&str, i64, i64)) -> Result<i64, Failure> {
    let number = values.get(at).map_or(without, V::int);
    if number < least {
        return fail(
            "22023",
            format!("invalid value for parameter \"{name}\": {number}"),
        );
    }
    Ok(number)
}

const START: (&str, i64, i64) = ("start", 1, 1);

/// The byte of a character that is counted from one, if the text is that long.
fn byte_of(text: &str, character: i64) -> Result<Option<usize>, Failure> {
    let ends = std::iter::once(text.len());
    let mut bytes = text.char_indices().map(|(at, _)| at).chain(ends);
    for _ in 1..character {
        allowance::turn()?;
        if bytes.next().is_none() {
            return Ok(None);
        }
    }
    Ok(bytes.next())
}

/// Where the search goes on behind a match.
fn behind(text: &str, (start, end): Span) -> Option<usize> {
    if end > start {
        return Some(end);
    }
    // An empty match would be found again.
    text[end..]
        .chars()
        .next()
        .map(|character| end + character.len_utf8())
}

/// Tells each match from a place on, until that is enough.
fn each<'a>(
    search: &mut Search<'a>,
    text: &str,
    from: Option<usize>,
    mut found: impl FnMut(&Search<'a>, Span) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut next = from;
    while let Some(at) = next {
        allowance::turn()?;
        let Some(span) = search.find(at)? else { break };
        if !found(search, span)? {
            break;
        }
        next = behind(text, span);
    }
    Ok(())
}

/// What stands in a replacement.
enum With {
    Text(String),
    Group(usize),
}

fn replacement(text: &str) -> Result<Vec<With>, Failure> {
    let (mut parts, mut plain) = (vec![], String::new());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        allowance::turn()?;
        let group = match (character, characters.peek().copied()) {
            ('\\', Some('&')) => Some(0),
            ('\\', Some(digit @ '1'..='9')) => digit.to_digit(10).map(|digit| digit as usize),
            ('\\', Some('\\')) => {
                characters.next();
                None
            }
            _ => None,
        };
        match group {
            Some(group) => {
                characters.next();
                parts.push(With::Text(std::mem::take(&mut plain)));
                parts.push(With::Group(group));
            }
            None => plain.push(character),
        }
    }
    parts.push(With::Text(plain));
    Ok(parts)
}

/// Text, pattern, replacement; flags, start, which one.
fn replace(values: &[V]) -> Out {
    let flags = values.get(3).map(V::text).unwrap_or_default();
    let from = number(values, 4, START)?;
    let all = i64::from(!flags.contains('g'));
    let which = number(values, 5, ("n", 0, all))?;
    let pattern = pattern(&values[1].text(), &flags)?;
    let with = replacement(&values[2].text())?;
    let divided = with
        .iter()
        .any(|part| matches!(part, With::Group(group) if *group > 0));
    let text = values[0].text();
    let (mut changed, mut done, mut count) = (String::new(), 0, 0);
    let from = byte_of(&text, from)?;
    each(&mut pattern.on(&text)?, &text, from, |search, span| {
        count += 1;
        if which > 0 && count != which {
            return Ok(true);
        }
        let groups = if divided {
            search.groups(span)?
        } else {
            vec![Some(span)]
        };
        changed.push_str(&text[done..span.0]);
        for part in &with {
            match part {
                With::Text(text) => changed.push_str(text),
                With::Group(group) => {
                    if let Some((start, end)) = groups.get(*group).copied().flatten() {
                        changed.push_str(&text[start..end]);
                    }
                }
            }
            allowance::value_of(changed.len())?;
        }
        done = span.1;
        Ok(which == 0)
    })?;
    allowance::value_of(changed.len() + text.len() - done)?;
    changed.push_str(&text[done..]);
    Ok(changed.into())
}

/// The groups of a match, or the match where the pattern has none, as an array.
fn array_of(search: &Search<'_>, text: &str, span: Span, groups: usize) -> Result<String, Failure> {
    if groups == 0 {
        return array::text_of(&[text[span.0..span.1].into()]);
    }
    let groups: Vec<V> = search.groups(span)?[1..]
        .iter()
        .map(|group| group.map_or(V::Null, |(start, end)| text[start..end].into()))
        .collect();
    array::text_of(&groups)
}

fn matched(values: &[V]) -> Out {
    let flags = values.get(2).map(V::text).unwrap_or_default();
    not_all(&flags, "regexp_match")?;
    let pattern = pattern(&values[1].text(), &flags)?;
    let text = values[0].text();
    let mut search = pattern.on(&text)?;
    Ok(match search.find(0)? {
        Some(span) => array_of(&search, &text, span, pattern.groups())?.into(),
        None => V::Null,
    })
}

fn matches(values: &[V]) -> Out {
    let flags = values[2].text();
    let pattern = pattern(&values[1].text(), &flags)?;
    let text = values[0].text();
    let mut list = String::from("[");
    each(&mut pattern.on(&text)?, &text, Some(0), |search, span| {
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&super::json::quoted(&array_of(
            search,
            &text,
            span,
            pattern.groups(),
        )?));
        allowance::value_of(list.len())?;
        Ok(flags.contains('g'))
    })?;
    list.push(']');
    Ok(list.into())
}

fn is_match(values: &[V]) -> Out {
    let (flags, text) = (values[2].text(), values[0].text());
    // Operators have no such flag.
    not_all(&flags, "regexp_like")?;
    let found = pattern(&values[1].text(), &flags)?.on(&text)?.is_match()?;
    Ok(V::of_bool(found))
}

fn count(values: &[V]) -> Out {
    let from = number(values, 2, START)?;
    let flags = values.get(3).map(V::text).unwrap_or_default();
    not_all(&flags, "regexp_count")?;
    let pattern = pattern(&values[1].text(), &flags)?;
    let text = values[0].text();
    let mut count = 0;
    let from = byte_of(&text, from)?;
    each(&mut pattern.on(&text)?, &text, from, |_, _| {
        count += 1;
        Ok(true)
    })?;
    Ok(V::Int(count))
}

/// Which match is asked for, and which of its groups.
struct Asked {
    from: i64,
    which: i64,
    flags: String,
    group: i64,
}

fn one(text: &str, regex: &str, asked: &Asked) -> Result<Option<Span>, Failure> {
    let pattern = pattern(regex, &asked.flags)?;
    // A pattern without groups has the match for its first.
    if asked.group > pattern.groups().max(1) as i64 {
        return Ok(None);
    }
    let (mut count, mut wanted) = (0, None);
    let from = byte_of(text, asked.from)?;
    each(&mut pattern.on(text)?, text, from, |search, span| {
        count += 1;
        if count < asked.which {
            return Ok(true);
        }
        wanted = if asked.group == 0 || pattern.groups() == 0 {
            Some(span)
        } else {
            let groups = search.groups(span)?;
            groups.get(asked.group as usize).copied().flatten()
        };
        Ok(false)
    })?;
    Ok(wanted)
}

/// Text, pattern; start, which one, flags, group.
fn substr(values: &[V]) -> Out {
    let asked = Asked {
        from: number(values, 2, START)?,
        which: number(values, 3, ("n", 1, 1))?,
        flags: values.get(4).map(V::text).unwrap_or_default(),
        group: number(values, 5, ("subexpr", 0, 0))?,
    };
    not_all(&asked.flags, "regexp_substr")?;
    let text = values[0].text();
    let found = one(&text, &values[1].text(), &asked)?;
    Ok(found.map_or(V::Null, |(start, end)| text[start..end].into()))
}

/// Text, pattern; start, which one, whether its end, flags, group.
fn instr(values: &[V]) -> Out {
    let from = number(values, 2, START)?;
    let which = number(values, 3, ("n", 1, 1))?;
    let at_end = number(values, 4, ("endoption", 0, 0))?;
    if at_end > 1 {
        let message = format!("invalid value for parameter \"endoption\": {at_end}");
        return fail("22023", message);
    }
    let asked = Asked {
        from,
        which,
        flags: values.get(5).map(V::text).unwrap_or_default(),
        group: number(values, 6, ("subexpr", 0, 0))?,
    };
    not_all(&asked.flags, "regexp_instr")?;
    let text = values[0].text();
    let found = one(&text, &values[1].text(), &asked)?;
    let Some((start, end)) = found else {
        return Ok(V::Int(0));
    };
    let at = if at_end == 1 { end } else { start };
    Ok(V::Int(allowance::count(&text[..at])? as i64 + 1))
}

/// The first group of a match, or the match where the pattern has none.
pub(super) fn substring(text: &str, regex: &str) -> Out {
    let pattern = pattern(regex, "")?;
    let mut search = pattern.on(text)?;
    let Some(span) = search.find(0)? else {
        return Ok(V::Null);
    };
    let wanted = if pattern.groups() == 0 {
        Some(span)
    } else {
        search.groups(span)?[1]
    };
    Ok(wanted.map_or(V::Null, |(start, end)| text[start..end].into()))
}

fn split(values: &[V]) -> Out {
    if values.iter().any(V::is_null) {
        return Ok(V::Null);
    }
    let flags = values.get(2).map(V::text).unwrap_or_default();
    not_all(&flags, "regexp_split_to_array")?;
    let pattern = pattern(&values[1].text(), &flags)?;
    let text = values[0].text();
    let (mut parts, mut done, mut last) = (vec![], 0, 0);
    each(&mut pattern.on(&text)?, &text, Some(0), |_, (start, end)| {
        // Nothing is found neither at an end of the text nor right behind what was.
        if start < text.len() && end > last {
            parts.push(V::from(&text[done..start]));
            allowance::memory_of(parts.len() * size_of::<V>() * 2)?;
            done = end;
        }
        last = end;
        Ok(true)
    })?;
    parts.push(V::from(&text[done..]));
    Ok(array::text_of(&parts)?.into())
}

/// Regular expressions.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_regex", 3, Strict, is_match),
    ("pg_regexp_replace", -4, Strict, replace),
    ("pg_regexp_match", 2, Strict, matched),
    ("pg_regexp_match", 3, Strict, matched),
    ("pg_regexp_matches", 3, Strict, matches),
    ("pg_regexp_count", -3, Strict, count),
    ("pg_regexp_substr", -3, Strict, substr),
    ("pg_regexp_instr", -3, Strict, instr),
    ("pg_substring_regex", 2, Strict, |v| {
        substring(&v[0].text(), &v[1].text())
    }),
    ("pg_regexp_split_to_array", -3, Lenient, split),
];
