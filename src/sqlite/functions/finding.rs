//! Where a text stands in another one, and the parts between: in time that grows with both, and with looks at the clock.

use memchr::memmem;

use super::{Failure, allowance};

/// Bytes of a text that are searched between two looks at the clock.
const PIECE: usize = 1 << 16;
/// The longest text that is made ready to be found without a look at the clock.
const SHORT: usize = 1 << 16;

/// Where a text stands in another one.
pub(super) fn find(text: &str, wanted: &str) -> Result<Option<usize>, Failure> {
    if wanted.len() > text.len() {
        return Ok(None);
    }
    Wanted::new(wanted)?.find(text)
}

/// The parts of a text between separators, which are not empty.
pub(super) fn split<'t>(
    text: &'t str,
    separator: &'t str,
) -> Result<impl Iterator<Item = Result<&'t str, Failure>>, Failure> {
    let fits = separator.len() <= text.len();
    let wanted = fits.then(|| Wanted::new(separator)).transpose()?;
    let mut rest = Some(text);
    Ok(std::iter::from_fn(move || {
        let text = rest?;
        let place = match &wanted {
            Some(wanted) => wanted.find(text),
            None => Ok(None),
        };
        Some(place.map(|place| {
            let part = &text[..place.unwrap_or(text.len())];
            rest = place.map(|place| &text[place + separator.len()..]);
            part
        }))
    }))
}

/// A text that is searched for.
enum Wanted<'w> {
    Short(Box<memmem::Finder<'w>>),
    /// With how much of its beginning each of its beginnings ends with (Knuth, Morris and Pratt).
    Long(&'w [u8], Vec<u32>),
}

impl<'w> Wanted<'w> {
    fn new(text: &'w str) -> Result<Self, Failure> {
        let wanted = text.as_bytes();
        if wanted.len() <= SHORT {
            return Ok(Self::Short(Box::new(memmem::Finder::new(wanted))));
        }
        allowance::memory_of(wanted.len().saturating_mul(size_of::<u32>()))?;
        let mut ends = Vec::with_capacity(wanted.len());
        ends.push(0);
        let mut matched = 0;
        for byte in &wanted[1..] {
            allowance::turn()?;
            matched = extended(wanted, &ends, matched, *byte)?;
            ends.push(matched as u32);
        }
        Ok(Self::Long(wanted, ends))
    }

    fn find(&self, text: &str) -> Result<Option<usize>, Failure> {
        let text = text.as_bytes();
        match self {
            Self::Short(wanted) => found(text, wanted),
            Self::Long(wanted, ends) => {
                let mut matched = 0;
                for (at, byte) in text.iter().enumerate() {
                    allowance::turn()?;
                    matched = extended(wanted, ends, matched, *byte)?;
                    if matched == wanted.len() {
                        return Ok(Some(at + 1 - matched));
                    }
                }
                Ok(None)
            }
        }
    }
}

/// How much of the beginning stands before a place where that was so much one byte before.
fn extended(wanted: &[u8], ends: &[u32], mut matched: usize, byte: u8) -> Result<usize, Failure> {
    while wanted[matched] != byte {
        allowance::turn()?;
        if matched == 0 {
            return Ok(0);
        }
        matched = ends[matched - 1] as usize;
    }
    Ok(matched + 1)
}

fn found(text: &[u8], wanted: &memmem::Finder<'_>) -> Result<Option<usize>, Failure> {
    let beyond = wanted.needle().len().saturating_sub(1);
    let mut from = 0;
    loop {
        // With the beginning of the next piece, where one may end that begins in this.
        let end = text.len().min(from + PIECE + beyond);
        let place = wanted.find(&text[from..end]);
        allowance::over(place.unwrap_or(end - from))?;
        match place {
            Some(place) => return Ok(Some(from + place)),
            None if end == text.len() => return Ok(None),
            None => from += PIECE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_found_where_short_ones_are() {
        let long = |text: &str| text.repeat((SHORT + 10) / text.len() + 1);
        for (text, wanted) in [
            (long("ab") + "c", long("ab") + "c"),
            (long("a") + &long("a") + "b", long("a") + "b"),
            (long("a"), long("a") + "b"),
            (long("aab") + &long("aab") + "é", long("aab") + "é"),
            ("x".to_owned() + &long("é"), long("é")),
            (long("ab"), "c".to_owned()),
            (long("ab") + "cab", "bca".to_owned()),
        ] {
            assert_eq!(find(&text, &wanted).unwrap(), text.find(&wanted));
            let parts: Vec<&str> = split(&text, &wanted).unwrap().map(Result::unwrap).collect();
            assert_eq!(parts, text.split(&wanted).collect::<Vec<_>>());
        }
    }
}
