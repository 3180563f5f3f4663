//! What stands at a path of a `jsonb`, replaced or taken away.

use super::{
    Failure, Out, V, array, fail,
    json::{is_scalar, of, shown},
    json_value::{Json, Key},
};

/// What stands at a path is replaced, or taken away where nothing is new.
pub(super) fn changed(values: &[V], new: Option<&Json>, create: bool) -> Out {
    let mut document = of(&values[0])?;
    let keys = array::elements(&values[1].text())?;
    if is_scalar(&document) {
        let what = if new.is_some() { "set" } else { "delete" };
        return fail("22023", format!("cannot {what} path in scalar"));
    }
    if !is_empty(&document) || (create && new.is_some()) {
        set(&mut document, &keys, new, create, 1)?;
    }
    Ok(shown(&document).into())
}

fn is_empty(document: &Json) -> bool {
    match document {
        Json::Array(values) => values.is_empty(),
        Json::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// The place that a path's element says, which is one of an array.
pub(super) fn place_in_path(key: &str, at: usize) -> Result<i64, Failure> {
    key.trim().parse().or_else(|_| {
        let words = format!("path element at position {at} is not an integer: \"{key}\"");
        fail("22P02", words)
    })
}

/// `at` is the place of the first key in the whole path.
fn set(
    value: &mut Json,
    keys: &[Option<String>],
    new: Option<&Json>,
    create: bool,
    at: usize,
) -> Result<(), Failure> {
    let Some((key, rest)) = keys.split_first() else {
        return Ok(());
    };
    let Some(key) = key else {
        return fail("22004", format!("path element at position {at} is null"));
    };
    match value {
        Json::Object(map) => {
            let key = Key(key.clone());
            if !rest.is_empty() {
                if let Some(inner) = map.get_mut(&key) {
                    set(inner, rest, new, create, at + 1)?;
                }
            } else if let Some(new) = new {
                if create || map.contains_key(&key) {
                    map.insert(key, new.clone());
                }
            } else {
                map.remove(&key);
            }
        }
        Json::Array(values) => {
            let place = place_in_path(key, at)?;
            let place = if place < 0 {
                values.len() as i64 + place
            } else {
                place
            };
            match usize::try_from(place).ok().filter(|place| *place < values.len()) {
                Some(place) if !rest.is_empty() => set(&mut values[place], rest, new, create, at + 1)?,
                Some(place) => match new {
                    Some(new) => values[place] = new.clone(),
                    None => {
                        values.remove(place);
                    }
                },
                None if create && rest.is_empty() => {
                    if let Some(new) = new {
                        let at = if place < 0 { 0 } else { values.len() };
                        values.insert(at, new.clone());
                    }
                }
                None => {}
            }
        }
        _ => {}
    }
    Ok(())
}
