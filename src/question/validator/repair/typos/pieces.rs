//! SQL text cut into pieces by a lexer that refuses nothing: an open quote reaches to the end.

/// A word, a number, a quoted text or a sign, and the white space before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) space: String,
    pub(super) text: String,
    pub(super) kind: PieceKind,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Word,
    Number,
    /// In quotes of some sort, which may lack their end.
    Quoted,
    Sign,
}

/// Signs of two characters that databases and models write.
const SIGNS: [&str; 12] = [
    "==", "!=", "<>", "<=", ">=", "=<", "=>", "=!", "||", "::", "->", "&&",
];

/// The pieces of a text; comments are white space.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let mut pieces = vec![];
    let mut space = String::new();
    let mut at = 0;
    while let Some(first) = characters.get(at).copied() {
        let rest = &characters[at..];
        let length = match first {
            _ if first.is_whitespace() => {
                space.push(first);
                at += 1;
                continue;
            }
            '-' if rest.starts_with(&['-', '-']) => {
                at += rest
                    .iter()
                    .position(|character| *character == '\n')
                    .unwrap_or(rest.len());
                space.push(' ');
                continue;
            }
            '/' if rest.starts_with(&['/', '*']) => {
                let end = rest.windows(2).skip(2).position(|pair| pair == ['*', '/']);
                at += end.map_or(rest.len(), |end| end + 4);
                space.push(' ');
                continue;
            }
            '\'' | '"' | '`' => quoted(rest, first),
            '[' => rest
                .iter()
                .position(|character| *character == ']')
                .map_or(1, |end| end + 1),
            _ if first.is_ascii_digit() => {
                let is_part = |character: &char| character.is_ascii_digit() || *character == '.';
                rest.iter().take_while(|character| is_part(character)).count()
            }
            _ if is_word(first) => rest
                .iter()
                .take_while(|character| is_word(**character) || character.is_ascii_digit())
                .count(),
            _ => {
                let two: String = rest.iter().take(2).collect();
                if SIGNS.contains(&two.as_str()) { 2 } else { 1 }
            }
        };
        let kind = match first {
            '\'' | '"' | '`' => PieceKind::Quoted,
            '[' if length > 1 => PieceKind::Quoted,
            _ if first.is_ascii_digit() => PieceKind::Number,
            _ if is_word(first) => PieceKind::Word,
            _ => PieceKind::Sign,
        };
        pieces.push(Piece {
            space: std::mem::take(&mut space),
            text: rest[..length].iter().collect(),
            kind,
        });
        at += length;
    }
    pieces
}

/// The text of pieces; words and texts never touch.
pub(super) fn text_of(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        let touches = piece.space.is_empty()
            && matches!(piece.kind, PieceKind::Word | PieceKind::Number)
            && text.ends_with(|last: char| is_word(last) || last.is_ascii_digit());
        text.push_str(if touches { " " } else { &piece.space });
        text.push_str(&piece.text);
    }
    text.trim().to_owned()
}

impl Piece {
    /// A word behind a space.
    pub(super) fn word(text: &str) -> Self {
        Self {
            space: " ".into(),
            text: text.into(),
            kind: PieceKind::Word,
        }
    }

    /// A sign behind no space.
    pub(super) fn sign(text: &str) -> Self {
        Self {
            space: String::new(),
            text: text.into(),
            kind: PieceKind::Sign,
        }
    }

    /// True for a word without quotes, however it is cased.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind != PieceKind::Quoted && self.text.eq_ignore_ascii_case(word)
    }

    /// True for one of several words.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// Characters from an opening quote to its end; doubled quotes belong to the text.
fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while let Some(character) = rest.get(at) {
        if *character != quote {
            at += 1;
        } else if rest.get(at + 1) == Some(&quote) {
            at += 2;
        } else {
            return at + 1;
        }
    }
    rest.len()
}

fn is_word(character: char) -> bool {
    character.is_alphabetic() || character == '_' || character == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_text() {
        let check = |text: &str, expected: &[&str]| {
            let found = pieces(text);
            let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
            assert_eq!(texts, expected, "{text}");
            assert_eq!(text_of(&found), text.trim());
        };
        check("SELECT a.b FROM t", &["SELECT", "a", ".", "b", "FROM", "t"]);
        check("x=='it''s' ", &["x", "==", "'it''s'"]);
        check("`a b`.[c d] <= 1.5", &["`a b`", ".", "[c d]", "<=", "1.5"]);
        check("name = 'open AND x", &["name", "=", "'open AND x"]);
        check("", &[]);
    }
}
