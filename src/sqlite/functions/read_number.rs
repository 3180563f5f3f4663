//! `to_number`: text read as a number, place by place as PostgreSQL does it (`NUM_processor` in `formatting.c`).

use super::{
    Out, V, allowance,
    decimal::{self, Decimal},
    fail,
    number_pattern::{Part, Pattern},
};

/// A text on its way through the places of a pattern.
struct Reader<'t> {
    pattern: &'t Pattern,
    input: &'t [u8],
    at: usize,
    /// `+` or `-`, once it is known.
    sign: Option<u8>,
    digits: String,
    before: usize,
    behind: usize,
    has_point: bool,
}

impl Reader<'_> {
    /// The byte here; `None` at the end.
    fn here(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    /// The length of the character here.
    fn width(&self) -> usize {
        match self.here() {
            Some(0xf0..) => 4,
            Some(0xe0..) => 3,
            Some(0xc0..) => 2,
            _ => 1,
        }
    }

    /// Passes over what is no part of a number (`NUM_eat_non_data_chars`).
    fn pass_over(&mut self, most: usize) {
        for _ in 0..most {
            match self.here() {
                None | Some(b'0'..=b'9' | b'.' | b',' | b'+' | b'-') => return,
                Some(_) => self.at += self.width(),
            }
        }
    }

    /// A sign in front of the digits.
    fn sign_before(&mut self, part: Part) {
        if self.sign.is_some() || part == Part::Point || self.before + self.behind > 0 {
            return;
        }
        self.sign = match self.here() {
            Some(b'<') if self.pattern.brackets => Some(b'-'),
            Some(sign @ (b'-' | b'+')) => Some(sign),
            _ => return,
        };
        self.at += 1;
    }

    /// A place for a digit or the point (`NUM_numpart_from_char`); it ends at its last byte.
    fn place(&mut self, part: Part) {
        if self.here() == Some(b' ') {
            self.at += 1;
        }
        if self.here().is_none() {
            return;
        }
        self.sign_before(part);
        let mut is_read = false;
        match self.here() {
            None => return,
            Some(digit @ b'0'..=b'9') => {
                if self.has_point && self.behind == self.pattern.behind {
                    return;
                }
                self.digits.push(char::from(digit));
                if self.has_point {
                    self.behind += 1;
                } else {
                    self.before += 1;
                }
                is_read = true;
            }
            Some(b'.') if self.pattern.has_point && !self.has_point => {
                self.digits.push('.');
                self.has_point = true;
                is_read = true;
            }
            Some(_) => {}
        }
        if self.sign.is_none() && self.before + self.behind > 0 {
            self.sign_behind(is_read);
        }
    }

    /// A sign behind the last digit, wherever that is.
    fn sign_behind(&mut self, is_read: bool) {
        let signed = self.pattern.plus || self.pattern.minus;
        if self.pattern.anchor.is_some() {
            if let Some(sign @ (b'-' | b'+')) = self.input.get(self.at + 1).copied().filter(|_| is_read) {
                self.at += 1;
                self.sign = Some(sign);
            }
        } else if !is_read && signed {
            self.sign = self.here().filter(|byte| matches!(byte, b'-' | b'+'));
        }
    }

    fn read(&mut self, part: Part) {
        match part {
            Part::Nine | Part::Zero | Part::Point => self.place(part),
            // PostgreSQL leaves it to the next place.
            Part::Comma if self.pattern.fills || self.here() != Some(b',') => return,
            Part::Comma => {}
            Part::Currency => {
                self.pass_over(1);
                return;
            }
            Part::Ordinal { .. } => {
                self.pass_over(if self.pattern.has_point { 0 } else { 2 });
                return;
            }
            Part::Minus | Part::Plus | Part::Sign => {
                let here = self.here();
                let is_own = match part {
                    Part::Minus => here == Some(b'-'),
                    Part::Plus => here == Some(b'+'),
                    _ => matches!(here, Some(b'-' | b'+')),
                };
                if !is_own {
                    self.pass_over(1);
                    return;
                }
                self.sign = here;
            }
            Part::Roman { .. } | Part::Silent(_) => return,
            Part::Literal(_) => {
                self.at += self.width();
                return;
            }
        }
        self.at += 1;
    }
}

/// `to_number(text, text)`
pub(super) fn number(values: &[V]) -> Out {
    let (text, pattern) = (values[0].text(), values[1].text());
    if pattern.is_empty() {
        return Ok(V::Null);
    }
    let pattern = Pattern::read(&pattern)?;
    if pattern.exponent {
        return fail("0A000", "\"EEEE\" not supported for input");
    }
    if pattern.roman {
        return fail("0A000", "\"RN\" not supported for input");
    }
    let mut reader = Reader {
        pattern: &pattern,
        input: text.as_bytes(),
        at: 0,
        sign: None,
        digits: String::new(),
        before: 0,
        behind: 0,
        has_point: false,
    };
    for part in &pattern.parts {
        allowance::turn()?;
        if reader.here().is_none() {
            break;
        }
        reader.read(*part);
    }
    let digits = reader.digits.strip_suffix('.').unwrap_or(&reader.digits);
    let sign = reader.sign.map_or(' ', char::from);
    let Some(number) = Decimal::parse(&format!("{sign}{digits}")) else {
        return decimal::unread(&format!("{sign}{digits}"));
    };
    let places = pattern.before + pattern.shift;
    if number.whole_digits() > places {
        return fail("22003", "numeric field overflow");
    }
    if pattern.shifts {
        return Ok(number.unshifted(pattern.shift).into());
    }
    Ok(number.into())
}
