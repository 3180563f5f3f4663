//! The patterns of `to_char` and `to_number`: their parts, and what these say of the whole (`formatting.c`).

use super::{Failure, allowance, fail};

/// How much more memory the parts of a pattern take than its text.
const TIMES: usize = 8;

/// What stands in a pattern. Points and commas are the same in every locale: they are those of `C`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Nine,
    Zero,
    /// `.` and `D`.
    Point,
    /// `,` and `G`.
    Comma,
    /// `L`
    Currency,
    /// `MI`
    Minus,
    /// `PL`
    Plus,
    /// `SG`
    Sign,
    /// `RN` and `rn`
    Roman {
        small: bool,
    },
    /// `TH` and `th`
    Ordinal {
        small: bool,
    },
    /// Says something of the whole.
    Silent(Silent),
    Literal(char),
}

/// What stands for no place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silent {
    /// `B`
    Blank,
    /// `EEEE`
    Exponent,
    /// `FM`
    Fill,
    /// `PR`
    Brackets,
    /// `S`
    Anchored,
    /// `V`
    Shift,
    /// `C` and `SP`, of which nothing comes.
    Nothing,
}

/// Longer words stand before those that they begin with.
const WORDS: [(&str, Part); 18] = [
    ("EEEE", Part::Silent(Silent::Exponent)),
    ("FM", Part::Silent(Silent::Fill)),
    ("MI", Part::Minus),
    ("PL", Part::Plus),
    ("PR", Part::Silent(Silent::Brackets)),
    ("RN", Part::Roman { small: false }),
    ("SG", Part::Sign),
    ("SP", Part::Silent(Silent::Nothing)),
    ("S", Part::Silent(Silent::Anchored)),
    ("TH", Part::Ordinal { small: false }),
    ("B", Part::Silent(Silent::Blank)),
    ("C", Part::Silent(Silent::Nothing)),
    ("D", Part::Point),
    ("G", Part::Comma),
    ("L", Part::Currency),
    ("V", Part::Silent(Silent::Shift)),
    (".", Part::Point),
    (",", Part::Comma),
];

/// Where the sign of `S` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Before,
    Behind,
}

/// A pattern.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each stands for a word that is there or not"
)]
pub(super) struct Pattern {
    pub(super) parts: Vec<Part>,
    /// Places before the point and behind it, and those by which `V` shifts it.
    pub(super) before: usize,
    pub(super) behind: usize,
    pub(super) shift: usize,
    /// The place of the first `0`, counted from 1, where it stands before the point; and the last one's.
    pub(super) first_zero: Option<usize>,
    pub(super) last_zero: usize,
    pub(super) anchor: Option<Anchor>,
    /// The places before it.
    pub(super) before_anchor: usize,
    pub(super) has_point: bool,
    pub(super) fills: bool,
    pub(super) plus: bool,
    pub(super) minus: bool,
    pub(super) brackets: bool,
    pub(super) roman: bool,
    pub(super) shifts: bool,
    pub(super) exponent: bool,
    blank: bool,
}

/// A word at the beginning of a text, in capitals or in small letters throughout, and its length.
fn word(text: &str) -> Option<(Part, usize)> {
    match text.bytes().next()? {
        b'9' => return Some((Part::Nine, 1)),
        b'0' => return Some((Part::Zero, 1)),
        _ => {}
    }
    let is = |word: &str| {
        let Some(head) = text.get(..word.len()) else {
            return false;
        };
        head == word
            || (head.eq_ignore_ascii_case(word) && !head.bytes().any(|byte| byte.is_ascii_uppercase()))
    };
    let (found, part) = WORDS.iter().find(|(known, _)| is(known))?;
    let small = text.starts_with(|first: char| first.is_ascii_lowercase());
    let part = match part {
        Part::Roman { .. } => Part::Roman { small },
        Part::Ordinal { .. } => Part::Ordinal { small },
        other => *other,
    };
    Some((part, found.len()))
}

fn wrong<T>(message: &str) -> Result<T, Failure> {
    fail("42601", message)
}

impl Pattern {
    pub(super) fn read(text: &str) -> Result<Self, Failure> {
        allowance::memory_of(text.len().saturating_mul(TIMES))?;
        let mut pattern = Self::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            allowance::turn()?;
            if let Some((part, length)) = word(rest) {
                pattern.add(part)?;
                rest = &rest[length..];
            } else if first == '"' {
                rest = pattern.quoted(&rest[1..]);
            } else {
                // Outside of quotes a backslash says something before one alone.
                let literal = if rest.starts_with("\\\"") { '"' } else { first };
                pattern.parts.push(Part::Literal(literal));
                rest = &rest[first.len_utf8() + usize::from(literal != first)..];
            }
        }
        Ok(pattern)
    }

    /// Takes over what stands in quotes; what is left behind them.
    fn quoted<'t>(&mut self, text: &'t str) -> &'t str {
        let mut all = text.char_indices();
        while let Some((at, character)) = all.next() {
            match character {
                '"' => return &text[at + 1..],
                '\\' => {
                    let next = all.next().map_or('\\', |(_, next)| next);
                    self.parts.push(Part::Literal(next));
                }
                other => self.parts.push(Part::Literal(other)),
            }
        }
        ""
    }

    /// Adds a part, and what it says of the whole (`NUMDesc_prepare`).
    fn add(&mut self, part: Part) -> Result<(), Failure> {
        if self.exponent && part != Part::Silent(Silent::Exponent) {
            return wrong("\"EEEE\" must be the last pattern used");
        }
        match part {
            Part::Nine if self.brackets => return wrong("\"9\" must be ahead of \"PR\""),
            Part::Nine if self.shifts => self.shift += 1,
            Part::Nine if self.has_point => self.behind += 1,
            Part::Nine => self.before += 1,
            Part::Zero if self.brackets => return wrong("\"0\" must be ahead of \"PR\""),
            Part::Zero => {
                if self.has_point {
                    self.behind += 1;
                } else {
                    self.first_zero.get_or_insert(self.before + 1);
                    self.before += 1;
                }
                self.last_zero = self.before + self.behind;
            }
            Part::Point if self.has_point => return wrong("multiple decimal points"),
            Part::Point if self.shifts => return wrong("cannot use \"V\" and decimal point together"),
            Part::Point => self.has_point = true,
            Part::Minus if self.anchor.is_some() => return wrong("cannot use \"S\" and \"MI\" together"),
            Part::Minus => self.minus = true,
            Part::Plus if self.anchor.is_some() => return wrong("cannot use \"S\" and \"PL\" together"),
            Part::Plus => self.plus = true,
            Part::Sign if self.anchor.is_some() => return wrong("cannot use \"S\" and \"SG\" together"),
            Part::Sign => (self.plus, self.minus) = (true, true),
            Part::Roman { .. } => self.roman = true,
            Part::Silent(silent) => self.add_silent(silent)?,
            Part::Comma | Part::Currency | Part::Ordinal { .. } | Part::Literal(_) => {}
        }
        self.parts.push(part);
        Ok(())
    }

    fn add_silent(&mut self, silent: Silent) -> Result<(), Failure> {
        let signed = self.plus || self.minus;
        match silent {
            Silent::Blank => self.blank |= self.before == 0 && self.behind == 0,
            Silent::Exponent if self.exponent => return wrong("cannot use \"EEEE\" twice"),
            Silent::Exponent => {
                let others = [
                    self.blank,
                    self.fills,
                    self.brackets,
                    self.roman,
                    self.shifts,
                    signed,
                ];
                if others.contains(&true) || self.anchor.is_some() {
                    return wrong("\"EEEE\" is incompatible with other formats");
                }
                self.exponent = true;
            }
            Silent::Fill => self.fills = true,
            Silent::Brackets if self.anchor.is_some() || signed => {
                return wrong("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
            }
            Silent::Brackets => self.brackets = true,
            Silent::Anchored if self.anchor.is_some() => return wrong("cannot use \"S\" twice"),
            Silent::Anchored if signed || self.brackets => {
                return wrong("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
            }
            Silent::Anchored if self.has_point => self.anchor = Some(Anchor::Behind),
            Silent::Anchored => {
                self.anchor = Some(Anchor::Before);
                self.before_anchor = self.before;
            }
            Silent::Shift if self.has_point => {
                return wrong("cannot use \"V\" and decimal point together");
            }
            Silent::Shift => self.shifts = true,
            Silent::Nothing => {}
        }
        Ok(())
    }
}
