//! Escapes, and sets in brackets.

use super::{
    class::{Ranges, both_cases, named, other_cases},
    read::{Read, Reader, bad},
    tree::Look,
};

const BRACKETS: &str = "brackets [] not balanced";
const RANGE: &str = "invalid character range";
const ESCAPE: &str = "invalid escape \\ sequence";

/// What stands behind a backslash.
pub(super) enum Escape {
    Character(u32),
    /// A class by its name, or what is not in it.
    Class(&'static str, bool),
    Look(Look),
    Back(usize),
}

/// What stands in brackets.
enum Part {
    Character(u32),
    Ranges(Ranges),
    Dash,
}

impl Reader {
    /// So many digits of a base.
    fn digits(&mut self, base: u32, least: usize, most: usize) -> Read<u32> {
        let (mut number, mut count) = (0_u32, 0);
        while count < most
            && let Some(digit) = self.peeked(0).and_then(|c| c.to_digit(base))
        {
            number = number.saturating_mul(base).saturating_add(digit);
            self.at += 1;
            count += 1;
        }
        if count < least || number > 0x7FFF_FFFE {
            return bad(ESCAPE);
        }
        Ok(number)
    }

    pub(super) fn escape(&mut self) -> Read<Escape> {
        let Some(letter) = self.next() else {
            return bad(ESCAPE);
        };
        Ok(Escape::Character(match letter {
            'a' => 0x07,
            'b' => 0x08,
            'B' => '\\'.into(),
            'c' => match self.next() {
                Some(character) => u32::from(character) & 0o37,
                None => return bad(ESCAPE),
            },
            'e' => 0x1B,
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            'u' => self.digits(16, 4, 4)?,
            'U' => self.digits(16, 8, 8)?,
            'x' => self.digits(16, 1, 255)?,
            'd' => return Ok(Escape::Class("digit", true)),
            'D' => return Ok(Escape::Class("digit", false)),
            's' => return Ok(Escape::Class("space", true)),
            'S' => return Ok(Escape::Class("space", false)),
            'w' => return Ok(Escape::Class("word", true)),
            'W' => return Ok(Escape::Class("word", false)),
            'A' => return Ok(Escape::Look(Look::Start)),
            'Z' => return Ok(Escape::Look(Look::End)),
            'm' => return Ok(Escape::Look(Look::WordStart)),
            'M' => return Ok(Escape::Look(Look::WordEnd)),
            'y' => return Ok(Escape::Look(Look::Boundary)),
            'Y' => return Ok(Escape::Look(Look::NoBoundary)),
            '1'..='9' => {
                let first = self.at;
                self.at -= 1;
                let number = self.digits(10, 1, 255)? as usize;
                if self.at == first || number <= self.groups.len() {
                    return Ok(Escape::Back(number));
                }
                self.at = first;
                self.octal()?
            }
            '0' => self.octal()?,
            other if other.is_ascii_alphanumeric() => return bad(ESCAPE),
            other => other.into(),
        }))
    }

    fn octal(&mut self) -> Read<u32> {
        self.at -= 1;
        let number = self.digits(8, 1, 3)?;
        if number > 0xFF {
            self.at -= 1;
            return Ok(number >> 3);
        }
        Ok(number)
    }

    /// What stands between `[.` and `.]`, and the like.
    fn between(&mut self, sign: char) -> Read<String> {
        let mut name = String::new();
        while !self.ahead(&format!("{sign}]")) {
            match self.next() {
                Some(character) => name.push(character),
                None => return bad(BRACKETS),
            }
        }
        self.at += 2;
        Ok(name)
    }

    fn element(&mut self, sign: char) -> Read<u32> {
        let name = self.between(sign)?;
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) => Ok(only.into()),
            _ => bad("invalid collating element"),
        }
    }

    fn part(&mut self, first: bool) -> Read<Part> {
        Ok(match self.next() {
            None => return bad(BRACKETS),
            Some('-') if !first && self.peeked(0) != Some(']') => Part::Dash,
            Some('\\') => match self.escape()? {
                Escape::Character(code) => Part::Character(code),
                Escape::Class(name, has) => {
                    let class = named(name).cloned().unwrap_or_default();
                    Part::Ranges(if has { class } else { class.others() })
                }
                Escape::Look(_) | Escape::Back(_) => return bad(ESCAPE),
            },
            Some('[') if self.eat(".") => Part::Character(self.element('.')?),
            Some('[') if self.eat("=") => {
                let code = self.element('=')?;
                Part::Ranges(if self.options.any_case {
                    both_cases(code)
                } else {
                    Ranges::one(code)
                })
            }
            Some('[') if self.eat(":") => {
                let name = self.between(':')?;
                let name = match name.as_str() {
                    "upper" | "lower" if self.options.any_case => "alpha",
                    name => name,
                };
                match named(name) {
                    Some(class) => Part::Ranges(class.clone()),
                    None => return bad("invalid character class"),
                }
            }
            Some(other) => Part::Character(other.into()),
        })
    }

    /// A set, behind its opening bracket.
    pub(super) fn bracket(&mut self) -> Read<Ranges> {
        let without = self.eat("^");
        let (mut ranges, mut first) = (vec![], true);
        while first || !self.eat("]") {
            let from = match self.part(first)? {
                Part::Dash => return bad(RANGE),
                Part::Ranges(class) => {
                    ranges.extend_from_slice(class.ranges());
                    first = false;
                    continue;
                }
                Part::Character(code) => code,
            };
            first = false;
            let to = if self.ahead("-") && self.peeked(1) != Some(']') {
                self.at += 1;
                match self.part(false)? {
                    Part::Character(code) => code,
                    Part::Dash => '-'.into(),
                    Part::Ranges(_) => return bad(RANGE),
                }
            } else {
                from
            };
            if from > to {
                return bad(RANGE);
            }
            ranges.push((from, to));
            if self.options.any_case {
                ranges.extend(other_cases(from, to));
            }
        }
        if without && self.options.stops {
            ranges.push((0x0A, 0x0A));
        }
        let set = Ranges::of(ranges);
        Ok(if without { set.others() } else { set })
    }
}
