//! Whether a statement is another one with nothing but one name written otherwise: each other name in it means what it meant.

use std::ops::Range;

use super::{Attempt, Code};
use crate::question::{
    schema::words,
    validator::{resolve::LocatedFinding, scope::Bound},
};

/// Texts of a statement that are replaced, and by what; in the order of the text, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) places: Vec<Replacement>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Replacement {
    from: usize,
    to: usize,
    new: String,
}

/// True for the errors of names that mean nothing, or more than one thing.
pub(super) fn is_of_a_name(code: Code) -> bool {
    matches!(
        code,
        Code::ColMissing | Code::TableMissing | Code::InvalidAlias | Code::AmbiguousCol
    )
}

impl Edit {
    /// What a finding says to write, and what others say where the same name is wrong.
    pub(super) fn of(found: &LocatedFinding, all: &[LocatedFinding], text: &str) -> Option<Self> {
        let characters: Vec<char> = text.chars().collect();
        let place = |found: &LocatedFinding| {
            let (from, to) = found.span?;
            let new = found.finding.repair.clone()?;
            Some(Replacement { from, to, new })
        };
        let wrong = |found: &LocatedFinding| {
            let (from, to) = found.span?;
            let written: String = characters.get(from - 1..to - 1)?.iter().collect();
            let mut parts = written.split('.');
            let part = match found.finding.code {
                Code::InvalidAlias => parts.next()?,
                Code::ColMissing | Code::AmbiguousCol => parts.next_back()?,
                _ => written.as_str(),
            };
            Some(part.to_lowercase())
        };
        let own = place(found)?;
        let mut places = vec![own];
        if is_of_a_name(found.finding.code) {
            let alike = all.iter().filter(|other| {
                other.finding.code == found.finding.code
                    && other.is_text_in_double_quotes() == found.is_text_in_double_quotes()
                    && wrong(other) == wrong(found)
            });
            places.extend(alike.filter_map(place));
        }
        places.sort_unstable_by_key(|place| (place.from, place.to));
        places.dedup();
        let apart = places.windows(2).all(|pair| pair[0].to <= pair[1].from);
        let inside = places
            .iter()
            .all(|place| place.from >= 1 && place.from <= place.to && place.to <= characters.len() + 1);
        (apart && inside).then_some(Self { places })
    }

    /// The text with all of it.
    pub(super) fn applied(&self, text: &str) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for place in self.places.iter().rev() {
            text.splice(place.from - 1..place.to - 1, place.new.chars());
        }
        text.into_iter().collect()
    }

    /// Where a character is afterwards; `None` for one that is replaced.
    fn moved(&self, position: usize) -> Option<usize> {
        let mut moved = position;
        for place in self.places.iter().filter(|place| place.from <= position) {
            if position < place.to {
                return None;
            }
            moved = moved + place.new.chars().count() - (place.to - place.from);
        }
        Some(moved)
    }

    /// Where what is new stands afterwards.
    fn ranges(&self) -> Vec<Range<usize>> {
        let mut shift = 0_isize;
        let mut ranges = vec![];
        for place in &self.places {
            let length = place.new.chars().count();
            let from = place.from.saturating_add_signed(shift);
            ranges.push(from..from + length);
            shift += length.cast_signed() - (place.to - place.from).cast_signed();
        }
        ranges
    }

    /// True where a statement is another one with this edit alone: every name of it, but for the one that is corrected, means the very
    /// column of the very source that it meant before, and that one means one column wherever it stands.
    pub(super) fn is_all(
        &self,
        before: &Attempt,
        after: &Attempt,
        found: &LocatedFinding,
        asked: &str,
    ) -> bool {
        if after.parsed.text != self.applied(&before.parsed.text) || self.says_asked(before, found, asked) {
            return false;
        }
        // While another name means nothing, nobody knows what the statement is about.
        let is_wrong =
            |other: &&LocatedFinding| is_of_a_name(other.finding.code) && !other.is_text_in_double_quotes();
        let corrected = |other: &LocatedFinding| {
            let span = other.span;
            self.places
                .iter()
                .any(|place| span == Some((place.from, place.to)))
        };
        let is_alone = !after.found.iter().any(|other| is_wrong(&other))
            && before.found.iter().filter(is_wrong).all(corrected);
        // A text is one, whatever stands beside it.
        if !is_alone && !found.is_text_in_double_quotes() {
            return false;
        }
        let ranges = self.ranges();
        let is_new = |position: usize| ranges.iter().any(|range| range.contains(&position));
        let mut rest: Vec<&Bound> = after.resolved.bound.iter().collect();
        for bound in &before.resolved.bound {
            let position = match bound.position.map(|position| self.moved(position)) {
                Some(None) => continue,
                Some(moved) => moved,
                None => None,
            };
            let at = rest
                .iter()
                .position(|other| (other.position, other.place) == (position, bound.place));
            match at {
                Some(at) => rest.swap_remove(at),
                None => return false,
            };
        }
        let (here, elsewhere): (Vec<&Bound>, Vec<&Bound>) = rest
            .into_iter()
            .partition(|bound| bound.position.is_some_and(is_new));
        // What could not be found before is a column of the table that was missing.
        let of_the_table =
            |bound: &&Bound| found.finding.code == Code::TableMissing && bound.source.is_some_and(is_new);
        elsewhere.iter().all(of_the_table) && (is_one_column(&here, &ranges) || !self.renames(found))
    }

    /// True where the corrected name itself is to mean one column.
    fn renames(&self, found: &LocatedFinding) -> bool {
        let is_plain = |place: &Replacement| {
            let mut characters = place.new.chars();
            characters.all(|character| character.is_alphanumeric() || "_.\" ".contains(character))
        };
        found.finding.code == Code::ColMissing && self.places.iter().all(is_plain)
    }

    /// True where a word that the question has would go: that is no slip.
    fn says_asked(&self, before: &Attempt, found: &LocatedFinding, asked: &str) -> bool {
        if !matches!(found.finding.code, Code::ColMissing | Code::TableMissing)
            || found.is_text_in_double_quotes()
        {
            return false;
        }
        let asked = words::text_words(asked);
        let characters: Vec<char> = before.parsed.text.chars().collect();
        self.places.iter().any(|place| {
            let written: String = characters[place.from - 1..place.to - 1].iter().collect();
            let name = written.rsplit('.').next().unwrap_or_default();
            let new = place.new.rsplit('.').next().unwrap_or_default();
            let (old, new) = (split(name), split(new));
            let is_number_of = |word: &String| {
                new.iter()
                    .any(|other| word.starts_with(other.as_str()) || other.starts_with(word.as_str()))
            };
            // `orders` and `order` are one word in a question.
            let gone = |word: &&String| !new.contains(word) && !is_number_of(word);
            old.concat() != new.concat() && old.iter().filter(gone).any(|word| asked.contains(word))
        })
    }
}

fn split(name: &str) -> Vec<String> {
    let words = name.split(|character: char| !character.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// True where what is bound in each of these ranges is one and the same column.
fn is_one_column(here: &[&Bound], ranges: &[Range<usize>]) -> bool {
    let each = ranges.iter().all(|range| {
        let mut bound = here.iter().filter(|bound| {
            let inside = |position: usize| range.contains(&position);
            bound.position.is_some_and(inside)
        });
        bound.next().is_some()
    });
    let first = here.first().map(|bound| (bound.origin, bound.place));
    let same = |bound: &&&Bound| {
        first.is_some_and(|(origin, place)| match origin {
            Some(_) => bound.origin == origin,
            None => bound.place == place,
        })
    };
    each && here.iter().all(|bound| same(&bound))
}
