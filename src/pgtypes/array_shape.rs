//! What several dimensions mean where arrays are taken apart and put together (PostgreSQL's `arrayfuncs.c`, `array_userfuncs.c`).

use std::cmp::Ordering;

use super::{
    ValueError,
    array::{Array, DIMENSIONS, Element, too_deep},
};

impl Array {
    /// The element with one subscript for each dimension; none beyond the bounds, or for more or fewer subscripts.
    pub(crate) fn at(&self, subscripts: &[i64]) -> Option<&Element> {
        if subscripts.len() != self.lengths.len() {
            return None;
        }
        let mut place = 0;
        for (subscript, length) in subscripts.iter().zip(&self.lengths) {
            let at = usize::try_from(subscript.checked_sub(1)?).ok()?;
            if at >= *length {
                return None;
            }
            place = place * length + at;
        }
        self.elements.get(place)
    }

    /// What is between these bounds, of the first dimensions; of others all.
    pub(crate) fn slice(&self, bounds: &[(i64, i64)]) -> Self {
        if bounds.len() > self.lengths.len() {
            return Self::default();
        }
        let mut ranges = vec![];
        for (at, length) in self.lengths.iter().enumerate() {
            let (low, high) = bounds.get(at).copied().unwrap_or((1, i64::MAX));
            let low = usize::try_from(low.max(1) - 1).unwrap_or(usize::MAX);
            let high = usize::try_from(high).unwrap_or(0).min(*length);
            if low >= high {
                return Self::default();
            }
            ranges.push(low..high);
        }
        let is_inside = |mut place: usize| {
            let dimensions = ranges.iter().zip(&self.lengths).rev();
            dimensions.fold(true, |inside, (range, length)| {
                let at = place % length;
                place /= length;
                inside && range.contains(&at)
            })
        };
        let elements = self.elements.iter().enumerate();
        Self {
            elements: elements
                .filter(|(place, _)| is_inside(*place))
                .map(|(_, element)| element.clone())
                .collect(),
            lengths: ranges.iter().map(ExactSizeIterator::len).collect(),
        }
    }

    /// One behind the other: as they are, or the smaller one as another part of the larger one.
    pub(crate) fn with(mut self, mut other: Self) -> Result<Self, ValueError> {
        if self.lengths.is_empty() {
            return Ok(other);
        }
        if other.lengths.is_empty() {
            return Ok(self);
        }
        let (one, two) = (self.lengths.len(), other.lengths.len());
        match one.cmp(&two) {
            Ordering::Greater if one == two + 1 => other.lengths.insert(0, 1),
            Ordering::Less if one + 1 == two => self.lengths.insert(0, 1),
            Ordering::Equal => {}
            _ => return Err(incompatible()),
        }
        if self.lengths[1..] != other.lengths[1..] {
            return Err(incompatible());
        }
        self.lengths[0] += other.lengths[0];
        self.elements.append(&mut other.elements);
        Ok(self)
    }

    /// The array of arrays, which have to be of the same dimensions; one without elements where none has any.
    pub(crate) fn of_arrays(arrays: Vec<Option<Self>>) -> Result<Self, ValueError> {
        let count = arrays.len();
        let mut all: Vec<Self> = arrays
            .into_iter()
            .flatten()
            .filter(|array| !array.lengths.is_empty())
            .collect();
        let Some(inner) = all.first().map(|first| first.lengths.clone()) else {
            return Ok(Self::default());
        };
        if all.len() < count || all.iter().any(|array| array.lengths != inner) {
            return Err(ValueError::new(
                "2202E",
                "multidimensional arrays must have array expressions with matching dimensions",
            ));
        }
        Self::stacked(inner, &mut all)
    }

    /// The array of the arrays of an aggregate.
    pub(crate) fn aggregated(arrays: Vec<Option<Self>>) -> Result<Self, ValueError> {
        let refuse = |code, message: &str| Err(ValueError::new(code, message));
        let Some(mut all) = arrays.into_iter().collect::<Option<Vec<_>>>() else {
            return refuse("22004", "cannot accumulate null arrays");
        };
        let inner = all.first().map(|first| first.lengths.clone()).unwrap_or_default();
        if all.iter().any(|array| array.lengths.is_empty()) {
            return refuse("2202E", "cannot accumulate empty arrays");
        }
        if all.iter().any(|array| array.lengths != inner) {
            return refuse("2202E", "cannot accumulate arrays of different dimensionality");
        }
        Self::stacked(inner, &mut all)
    }

    fn stacked(mut lengths: Vec<usize>, all: &mut [Self]) -> Result<Self, ValueError> {
        if lengths.len() == DIMENSIONS {
            return Err(too_deep(DIMENSIONS + 1));
        }
        lengths.insert(0, all.len());
        let elements = all
            .iter_mut()
            .flat_map(|array| std::mem::take(&mut array.elements));
        Ok(Self {
            elements: elements.collect(),
            lengths,
        })
    }
}

fn incompatible() -> ValueError {
    ValueError::new("2202E", "cannot concatenate incompatible arrays")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(text: &str) -> Array {
        Array::of(text).unwrap()
    }

    #[test]
    fn subscripts_count_by_dimension() {
        let cube = array("{{{1,2},{3,4}},{{5,6},{7,8}}}");
        let at = |subscripts: &[i64]| cube.at(subscripts).cloned().flatten();
        assert_eq!(at(&[2, 1, 2]).as_deref(), Some("6"));
        for none in [&[2][..], &[2, 1], &[2, 1, 3], &[0, 1, 1], &[1, 1, 1, 1]] {
            assert_eq!(at(none), None, "{none:?}");
        }
        for (bounds, expected) in [
            (&[(1, 1)][..], "{{{1,2},{3,4}}}"),
            (&[(0, 9), (2, 2)], "{{{3,4}},{{7,8}}}"),
            (&[(1, 2), (1, 2), (2, 5)], "{{{2},{4}},{{6},{8}}}"),
            (&[(2, 1)], "{}"),
            (&[(1, 1), (1, 1), (1, 1), (1, 1)], "{}"),
        ] {
            assert_eq!(cube.slice(bounds).text(), expected, "{bounds:?}");
        }
    }

    #[test]
    fn arrays_are_put_together_as_postgresql_does() {
        for (one, other, expected) in [
            ("{1}", "{2,3}", Ok("{1,2,3}")),
            ("{{1,2}}", "{3,4}", Ok("{{1,2},{3,4}}")),
            ("{3,4}", "{{1,2}}", Ok("{{3,4},{1,2}}")),
            ("{{1,2}}", "{}", Ok("{{1,2}}")),
            ("{}", "{{1,2}}", Ok("{{1,2}}")),
            ("{{1,2}}", "{3}", Err("2202E")),
            ("{{{1}}}", "{3}", Err("2202E")),
            ("{{1,2}}", "{{3}}", Err("2202E")),
        ] {
            let whole = array(one).with(array(other));
            let whole = whole.map(|whole| whole.text());
            assert_eq!(
                whole.as_deref().map_err(|error| error.sqlstate),
                expected,
                "{one} {other}"
            );
        }
    }
}
