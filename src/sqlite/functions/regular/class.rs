//! Sets of characters, and the classes that have names: those of the C library's locales that are not `C`.

use std::{collections::HashMap, sync::LazyLock};

/// The last character.
pub(super) const LAST: u32 = 0x0010_FFFF;
/// Where the classes have the parts that are not ASCII, as the C library has them: the gap to the range before, and how
/// much longer than one character the range is, both to the base 36.
const LETTERS: &str = include_str!("letters.txt");

/// What `towupper` of the C library makes of letters whose full capitals are two.
const CAPITALS: &[(u32, u32, u32)] = &[
    (0x1F80, 0x1F87, 8),
    (0x1F90, 0x1F97, 8),
    (0x1FA0, 0x1FA7, 8),
    (0x1FB3, 0x1FB3, 9),
    (0x1FC3, 0x1FC3, 9),
    (0x1FF3, 0x1FF3, 9),
];

/// Ranges of characters, in order and apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// These ranges, which may overlap.
    pub(super) fn of(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match merged.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Self(merged)
    }

    /// One character.
    pub(super) fn one(character: u32) -> Self {
        Self(vec![(character, character)])
    }

    /// All others.
    pub(super) fn others(&self) -> Self {
        let (mut ranges, mut next) = (Vec::with_capacity(self.0.len() + 1), 0);
        for &(from, to) in &self.0 {
            if from > next {
                ranges.push((next, from - 1));
            }
            next = to.saturating_add(1);
        }
        if next <= LAST {
            ranges.push((next, LAST));
        }
        Self(ranges)
    }

    pub(super) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    fn has(&self, character: u32) -> bool {
        self.0
            .binary_search_by(|&(from, to)| {
                if to < character {
                    std::cmp::Ordering::Less
                } else if from > character {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
    }
}

/// The small letter and the capital of each letter that has another one.
static CASES: LazyLock<Vec<(u32, u32, u32)>> = LazyLock::new(|| {
    ('\u{1}'..=char::MAX)
        .filter_map(|character| {
            let code = u32::from(character);
            let (small, capital) = (small(character).into(), capital(character).into());
            (small != code || capital != code).then_some((code, small, capital))
        })
        .collect()
});

fn only(mut changed: impl ExactSizeIterator<Item = char>, otherwise: char) -> char {
    match (changed.len(), changed.next()) {
        (1, Some(changed)) => changed,
        _ => otherwise,
    }
}

/// The small letter of one, as the C library has it.
pub(crate) fn small(character: char) -> char {
    if character == '\u{130}' {
        'i'
    } else {
        only(character.to_lowercase(), character)
    }
}

/// The capital of a letter, as the C library has it.
pub(crate) fn capital(character: char) -> char {
    let code = u32::from(character);
    CAPITALS
        .iter()
        .find(|(from, to, _)| (*from..=*to).contains(&code))
        .and_then(|(_, _, by)| char::from_u32(code + by))
        .unwrap_or_else(|| only(character.to_uppercase(), character))
}

/// A character in both cases: PostgreSQL takes its small letter and its capital, and no third one.
pub(super) fn both_cases(character: u32) -> Ranges {
    match CASES.binary_search_by_key(&character, |(code, ..)| *code) {
        Ok(at) => Ranges::of(vec![(CASES[at].1, CASES[at].1), (CASES[at].2, CASES[at].2)]),
        Err(_) => Ranges::one(character),
    }
}

/// What a range of characters has besides where case does not count.
pub(super) fn other_cases(from: u32, to: u32) -> impl Iterator<Item = (u32, u32)> {
    let start = CASES.partition_point(|(code, ..)| *code < from);
    CASES[start..]
        .iter()
        .take_while(move |(code, ..)| *code <= to)
        .flat_map(|(_, small, capital)| [(*small, *small), (*capital, *capital)])
}

static NAMED: LazyLock<HashMap<&'static str, Ranges>> = LazyLock::new(|| {
    let mut named = HashMap::new();
    for line in LETTERS.lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let (mut last, mut ranges) = (0, vec![]);
        for word in words {
            let (gap, more) = word.split_once('-').unwrap_or((word, "0"));
            let number = |digits| u32::from_str_radix(digits, 36).unwrap_or_default();
            let from = last + number(gap);
            last = from + number(more);
            ranges.push((from, last));
        }
        named.insert(name, Ranges(ranges));
    }
    let both = |names: &[&str], more: &[(u32, u32)]| {
        let parts = names.iter().filter_map(|name| named.get(name));
        let mut ranges: Vec<(u32, u32)> = parts.flat_map(|part| part.0.clone()).collect();
        ranges.extend(more);
        Ranges::of(ranges)
    };
    let digit = (0x30, 0x39);
    let (alnum, word) = (
        both(&["alpha"], &[digit]),
        both(&["alpha"], &[digit, (0x5F, 0x5F)]),
    );
    let graph = both(&["alpha", "punct"], &[digit]);
    let blanks = [
        (0x20, 0x20),
        (0x1680, 0x1680),
        (0x2000, 0x2006),
        (0x2008, 0x200A),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
    ];
    let print = both(&["alpha", "punct"], &[&blanks[..], &[digit]].concat());
    let space = Ranges(vec![
        (0x09, 0x0D),
        (0x20, 0x20),
        (0x1680, 0x1680),
        (0x2000, 0x2006),
        (0x2008, 0x200A),
        (0x2028, 0x2029),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
    ]);
    named.extend([
        ("alnum", alnum),
        ("word", word),
        ("graph", graph),
        ("print", print),
        ("space", space),
        ("digit", Ranges(vec![digit])),
        ("blank", Ranges(vec![(0x09, 0x09), (0x20, 0x20)])),
        ("cntrl", Ranges(vec![(0x00, 0x1F), (0x7F, 0x9F)])),
        ("xdigit", Ranges(vec![digit, (0x41, 0x46), (0x61, 0x66)])),
        ("ascii", Ranges(vec![(0x00, 0x7F)])),
    ]);
    named
});

/// The class of a name.
pub(super) fn named(name: &str) -> Option<&'static Ranges> {
    NAMED.get(name)
}

/// True for what words are made of.
pub(super) fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    NAMED.get("word").is_some_and(|word| word.has(character.into()))
}
