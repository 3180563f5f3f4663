//! Which of the client's names stand for `BEGIN`.

use super::c_string;

/// Names that stand for `BEGIN`: drivers send it in one pipeline with what follows.
#[derive(Debug, Default)]
pub(super) struct Begins {
    statements: Vec<Vec<u8>>,
    portals: Vec<Vec<u8>>,
}

/// Names of `BEGIN` that are remembered; drivers have one or two.
const MOST_BEGINS: usize = 8;

impl Begins {
    /// A message of the client's that is there as a whole.
    pub(super) fn note(&mut self, tag: u8, body: &[u8]) {
        match tag {
            b'P' => {
                let Some((name, text)) = c_string(body) else {
                    return;
                };
                self.statements.retain(|known| known != name);
                if is_begin(text) && self.statements.len() < MOST_BEGINS {
                    self.statements.push(name.to_owned());
                }
            }
            b'B' if !self.statements.is_empty() || !self.portals.is_empty() => {
                let Some((portal, rest)) = c_string(body) else {
                    return;
                };
                self.portals.retain(|known| known != portal);
                let begins = c_string(rest).is_some_and(|(name, _)| self.begins(name));
                if begins && self.portals.len() < MOST_BEGINS {
                    self.portals.push(portal.to_owned());
                }
            }
            _ => {}
        }
    }

    pub(super) fn begins(&self, statement: &[u8]) -> bool {
        self.statements.iter().any(|known| known == statement)
    }

    pub(super) fn opens(&self, portal: &[u8]) -> bool {
        self.portals.iter().any(|known| known == portal)
    }
}

/// True for `BEGIN` and `START TRANSACTION` with whatever modes.
fn is_begin(text: &[u8]) -> bool {
    let text = text
        .split(|byte| *byte == 0)
        .next()
        .unwrap_or_default()
        .trim_ascii();
    let word = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let first = &text[..word];
    (first.eq_ignore_ascii_case(b"begin") || first.eq_ignore_ascii_case(b"start"))
        && memchr::memchr2(b';', b'/', text.strip_suffix(b";").unwrap_or(text)).is_none()
}
