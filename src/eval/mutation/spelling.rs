//! Names and values as somebody might misspell them.

use crate::pgtypes::calendar::MONTHS;

/// `singers` for `singer` and the reverse.
pub(super) fn other_number(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower.ends_with("ies") && name.len() > 4 {
        format!("{}y", &name[..name.len() - 3])
    } else if lower.ends_with('y') && !["ay", "ey", "oy"].iter().any(|end| lower.ends_with(end)) {
        format!("{}ies", &name[..name.len() - 1])
    } else if lower.ends_with('s') && !lower.ends_with("ss") && name.len() > 3 {
        name[..name.len() - 1].to_owned()
    } else {
        format!("{name}s")
    }
}

/// A letter left out of the middle; the name itself where it is too short for that.
pub(super) fn slip(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() < 5 {
        return name.to_owned();
    }
    let gone = characters.len() / 2;
    let kept = characters.iter().enumerate().filter(|(at, _)| *at != gone);
    kept.map(|(_, character)| character).collect()
}

/// `student_id` for `StudentID` and the reverse.
pub(super) fn other_style(name: &str) -> String {
    if name.contains('_') {
        return name.split('_').map(title).collect();
    }
    let mut styled = String::new();
    let mut before_lower = false;
    for character in name.chars() {
        if character.is_uppercase() && before_lower {
            styled.push('_');
        }
        before_lower = character.is_lowercase();
        styled.extend(character.to_lowercase());
    }
    styled
}

/// `Word` for `word` and `WORD`.
pub(super) fn title(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| {
        first
            .to_uppercase()
            .chain(characters.flat_map(char::to_lowercase))
            .collect()
    })
}

/// The text in other letter case, in every way that differs from it.
pub(super) fn other_cases(text: &str) -> Vec<String> {
    let titled: Vec<String> = text.split(' ').map(title).collect();
    let mut cases = vec![text.to_lowercase(), titled.join(" "), text.to_uppercase()];
    cases.retain(|case| case != text);
    cases.dedup();
    cases
}

/// Codes and what they stand for, as people take one for the other.
const LONG_FORMS: &[(&str, &str)] = &[
    ("F", "Female"),
    ("M", "Male"),
    ("T", "True"),
    ("Y", "Yes"),
    ("N", "No"),
    ("USA", "United States"),
    ("UK", "United Kingdom"),
    ("USA", "United States of America"),
    ("CA", "California"),
    ("NY", "New York"),
    ("TX", "Texas"),
];

/// Other forms of a value: the long form of a code or the reverse, a date as people write it.
pub(super) fn other_forms(text: &str) -> Vec<String> {
    let mut forms: Vec<String> = LONG_FORMS
        .iter()
        .filter_map(|(short, long)| match text {
            _ if text.eq_ignore_ascii_case(short) => Some((*long).to_owned()),
            _ if text.eq_ignore_ascii_case(long) => Some((*short).to_owned()),
            _ => None,
        })
        .collect();
    let digits: Vec<&str> = text.split('-').collect();
    if let [year, month, day] = digits.as_slice()
        && year.len() == 4
        && let (Ok(_), Ok(number), Ok(date)) =
            (year.parse::<u16>(), month.parse::<usize>(), day.parse::<u8>())
        && let Some(name) = MONTHS.get(number.wrapping_sub(1))
    {
        forms.push(format!("{number}/{date}/{year}"));
        forms.push(format!("{name} {date}, {year}"));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_misspelt_as_people_do() {
        for (name, number, slipped, style) in [
            ("singers", "singer", "siners", "singers"),
            ("city", "cities", "city", "city"),
            ("Countries", "Country", "Counries", "countries"),
            ("student_id", "student_ids", "studet_id", "StudentId"),
            ("StuID", "StuIDs", "StID", "stu_id"),
            ("class", "classs", "clss", "class"),
        ] {
            assert_eq!(
                (other_number(name), slip(name), other_style(name)),
                (number.into(), slipped.into(), style.into())
            );
        }
    }

    #[test]
    fn values_have_other_forms() {
        for (value, expected) in [
            ("F", &["Female"][..]),
            ("united states", &["USA"]),
            ("2010-07-04", &["7/4/2010", "July 4, 2010"]),
            ("2010-13-04", &[]),
            ("plain", &[]),
        ] {
            assert_eq!(other_forms(value), expected, "{value}");
        }
        assert_eq!(other_cases("New York"), ["new york", "NEW YORK"]);
    }
}
