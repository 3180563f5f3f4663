//! Which characters a pattern tells apart: those that are in the same sets have one color.

use std::collections::{BTreeMap, HashMap};

use super::class::{LAST, Ranges};

/// The sets of a pattern as they are read.
#[derive(Debug, Default)]
pub(super) struct Sets {
    places: HashMap<Ranges, usize>,
    sets: Vec<Ranges>,
}

impl Sets {
    /// The place of a set.
    pub(super) fn place(&mut self, set: Ranges) -> usize {
        let (places, sets) = (&mut self.places, &mut self.sets);
        *places.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() - 1
        })
    }
}

/// The colors.
#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [u32; 128],
    /// Where a color begins.
    starts: Vec<(u32, u32)>,
    /// The colors of each set, in order.
    of_set: Vec<Vec<u32>>,
    pub(super) colors: usize,
}

impl Alphabet {
    pub(super) fn new(sets: &Sets) -> Self {
        // Where sets begin and end; a range ends one behind its last character.
        let mut edges: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        edges.insert(0, vec![]);
        for (place, set) in sets.sets.iter().enumerate() {
            for &(from, to) in set.ranges() {
                edges.entry(from).or_default().push(place);
                if to < LAST {
                    edges.entry(to + 1).or_default().push(place);
                }
            }
        }
        let mut known: HashMap<Vec<usize>, u32> = HashMap::new();
        let mut of_set = vec![vec![]; sets.sets.len()];
        let mut starts = Vec::with_capacity(edges.len());
        let mut inside: Vec<usize> = vec![];
        for (start, changed) in edges {
            for place in changed {
                match inside.binary_search(&place) {
                    Ok(at) => drop(inside.remove(at)),
                    Err(at) => inside.insert(at, place),
                }
            }
            let next = known.len() as u32;
            let color = *known.entry(inside.clone()).or_insert_with(|| {
                for place in &inside {
                    of_set[*place].push(next);
                }
                next
            });
            starts.push((start, color));
        }
        let mut alphabet = Self {
            ascii: [0; 128],
            starts,
            of_set,
            colors: known.len(),
        };
        for code in 0..128 {
            alphabet.ascii[code as usize] = alphabet.looked_up(code);
        }
        alphabet
    }

    fn looked_up(&self, code: u32) -> u32 {
        let behind = self.starts.partition_point(|(start, _)| *start <= code);
        self.starts[behind.saturating_sub(1)].1
    }

    pub(super) fn color(&self, character: char) -> u32 {
        let code = u32::from(character);
        match self.ascii.get(code as usize) {
            Some(color) => *color,
            None => self.looked_up(code),
        }
    }

    /// True if characters of a color are in a set.
    pub(super) fn has(&self, set: usize, color: u32) -> bool {
        self.of_set[set].binary_search(&color).is_ok()
    }
}
