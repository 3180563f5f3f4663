//! Where the parser's lexer may read a text otherwise than the database does. Such a text is refused: what was checked
//! would not be what runs.

use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan},
};

use super::{
    Code, Finding,
    facts::facts,
    parse::{Lines, syntax},
};
use crate::{
    question::schema::Dialect,
    statement::{Piece, pieces},
};

/// A text without comments, and its tokens without white space.
pub(super) struct Lexed<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [TokenWithSpan],
    pub(super) lines: &'t Lines,
}

/// Fails where the text can be read in another way; the place of a string that a session with
/// `standard_conforming_strings` off would read in another way, if there is one.
pub(super) fn check(lexed: &Lexed<'_>, dialect: Dialect) -> Result<Option<usize>, Finding> {
    strict(lexed)?;
    plain_words(lexed)?;
    match dialect {
        Dialect::Sqlite => {
            as_sqlite(lexed)?;
            Ok(None)
        }
        Dialect::Postgres => {
            unambiguous(lexed)?;
            let offsets = Offsets::of(lexed.text);
            let parsed = parsed_pieces(lexed, &offsets);
            if let Some(at) = difference(lexed.text, &parsed, true) {
                let message = "this can be read in two ways";
                return Err(syntax(Some(offsets.character(at)), message)
                    .with_hint("write each string as one literal in single quotes"));
            }
            operators(lexed, &offsets)?;
            Ok(difference(lexed.text, &parsed, false).map(|at| offsets.character(at)))
        }
    }
}

/// Where the parser is laxer than SQLite, which reads `1AND` as one broken token, and `(*)` only behind a name.
fn strict(lexed: &Lexed<'_>) -> Result<(), Finding> {
    let tokens = lexed.tokens;
    for (at, token) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(at + ahead).map(|token| &token.token);
        let wrong = match &token.token {
            Token::Number(..) => {
                let touching = tokens
                    .get(at + 1)
                    .is_some_and(|next| next.span.start == token.span.end);
                touching && matches!(next(1), Some(Token::Word(_)))
            }
            Token::LParen if next(1) == Some(&Token::Mul) && next(2) == Some(&Token::RParen) => {
                let before = at.checked_sub(1).map(|before| &tokens[before].token);
                !matches!(before, Some(Token::Word(word)) if word.keyword != Keyword::DISTINCT)
            }
            _ => false,
        };
        if wrong {
            let text = tokens[at..]
                .iter()
                .take(2)
                .map(|token| token.token.to_string())
                .collect::<String>();
            return Err(lexed.unexpected(token, &text));
        }
    }
    Ok(())
}

/// Words without quotes are made of letters, and a key word of ASCII: the parser folds the case of more letters than
/// databases do, and takes some signs for letters that they skip.
fn plain_words(lexed: &Lexed<'_>) -> Result<(), Finding> {
    for token in lexed.tokens {
        let Token::Word(word) = &token.token else { continue };
        if word.quote_style.is_some() || word.value.is_ascii() {
            continue;
        }
        let letters = |character: char| character.is_ascii() || character.is_alphanumeric();
        if word.keyword != Keyword::NoKeyword || !word.value.chars().all(letters) {
            let finding = lexed.unexpected(token, &word.value);
            return Err(finding.with_hint("write such a name in double quotes"));
        }
    }
    Ok(())
}

/// Ways to quote that the parser knows and SQLite does not.
fn as_sqlite(lexed: &Lexed<'_>) -> Result<(), Finding> {
    for token in lexed.tokens {
        let wrong = match &token.token {
            Token::HexStringLiteral(digits) => !digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
            Token::NationalStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::DollarQuotedString(_)
            | Token::Char(_)
            | Token::Backslash => true,
            _ => false,
        };
        if wrong {
            return Err(lexed
                .unexpected(token, &token.token.to_string())
                .with_hint("text is written in single quotes"));
        }
    }
    Ok(())
}

/// What the parser's lexer and PostgreSQL's may read differently: operators of one's own making, in which a comment
/// may begin, other ways to quote, and signs that PostgreSQL lacks.
fn unambiguous(lexed: &Lexed<'_>) -> Result<(), Finding> {
    let tokens = lexed.tokens;
    for (at, token) in tokens.iter().enumerate() {
        let touches = |ahead: usize| {
            let (one, next) = (&tokens[at + ahead - 1], tokens.get(at + ahead));
            next.filter(|next| next.span.start == one.span.end)
                .map(|next| &next.token)
        };
        let position = lexed.lines.position(token.span.start);
        match &token.token {
            Token::CustomBinaryOperator(operator) => {
                let message = format!("a question may not use the operator {operator}");
                let finding = Finding::error(Code::Forbidden, position, message);
                return Err(finding.with_hint("put a space between two operators"));
            }
            Token::HexStringLiteral(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {}
            other @ (Token::HexStringLiteral(_)
            | Token::DollarQuotedString(_)
            | Token::UnicodeStringLiteral(_)
            | Token::Char(_)
            | Token::Backslash) => {
                let finding = lexed.unexpected(token, &other.to_string());
                return Err(finding.with_hint("text is written in single quotes"));
            }
            // It cannot be written so that it means the same however the session is set.
            Token::NationalStringLiteral(text) if text.contains('\\') => {
                let finding = lexed.unexpected(token, &token.token.to_string());
                return Err(finding.with_hint("text is written in single quotes"));
            }
            Token::DoubleEq => {
                return Err(syntax(position, "PostgreSQL has no operator ==").with_hint("write ="));
            }
            // Wherever the tree may hide a call, it is seen here.
            Token::Word(word)
                if tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen)
                    && facts(Dialect::Postgres).policy.forbids_function(&word.value) =>
            {
                let message = format!("a question may not call {}", word.value.to_lowercase());
                return Err(Finding::error(Code::Forbidden, position, message));
            }
            Token::Word(word)
                if word.value.eq_ignore_ascii_case("u")
                    && touches(1) == Some(&Token::Ampersand)
                    && touches(2).is_some() =>
            {
                return Err(syntax(position, "unexpected U&"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Signs that stand side by side are one operator to PostgreSQL, unless it ends with `+` or `-` and has none of the
/// rarer signs (manual, 4.1.3). The parser may take them apart.
fn operators(lexed: &Lexed<'_>, offsets: &Offsets) -> Result<(), Finding> {
    let mut tokens = lexed.tokens.iter().peekable();
    for (_, signs) in pieces(lexed.text, true).filter(|(piece, _)| *piece == Piece::Signs) {
        let whole = signs.of(lexed.text);
        let rare = whole.contains(['~', '!', '@', '#', '%', '^', '&', '|', '`', '?']);
        let first = if rare {
            whole
        } else {
            let head = whole.trim_end_matches(['+', '-']);
            if head.is_empty() { &whole[..1] } else { head }
        };
        let start_of = |token: &TokenWithSpan| offsets.byte(lexed.lines.position(token.span.start));
        while tokens
            .next_if(|token| start_of(token) < Some(signs.start))
            .is_some()
        {}
        let ends = tokens.peek().and_then(|token| {
            (start_of(token) == Some(signs.start))
                .then(|| offsets.byte(lexed.lines.position(token.span.end)))?
        });
        if ends != Some(signs.start + first.len()) {
            let message = format!("a question may not use the operator {first}");
            let position = Some(offsets.character(signs.start));
            let finding = Finding::error(Code::Forbidden, position, message);
            return Err(finding.with_hint("put a space between two operators"));
        }
    }
    Ok(())
}

/// The words, strings, quoted names and parameters as the parser has them, in bytes.
fn parsed_pieces(lexed: &Lexed<'_>, offsets: &Offsets) -> Vec<(usize, usize)> {
    let mut found = vec![];
    for token in lexed.tokens {
        let is_piece = matches!(
            &token.token,
            Token::Word(_)
                | Token::SingleQuotedString(_)
                | Token::EscapedStringLiteral(_)
                | Token::NationalStringLiteral(_)
                | Token::SingleQuotedByteStringLiteral(_)
                | Token::HexStringLiteral(_)
                | Token::Placeholder(_)
        );
        let ends = [token.span.start, token.span.end].map(|at| offsets.byte(lexed.lines.position(at)));
        let ([Some(start), Some(end)], true) = (ends, is_piece) else {
            continue;
        };
        let digits = lexed.text.as_bytes().get(start).is_some_and(u8::is_ascii_digit);
        match &token.token {
            // `0x1f` is a number.
            Token::HexStringLiteral(_) if digits => {}
            // `N'x'` is a word and a string.
            Token::NationalStringLiteral(_) => found.extend([(start, start + 1), (start + 1, end)]),
            _ => found.push((start, end)),
        }
    }
    found
}

/// The byte where PostgreSQL's reading first differs from the parser's.
fn difference(text: &str, parsed: &[(usize, usize)], standard_strings: bool) -> Option<usize> {
    let mut parsed = parsed.iter();
    for (piece, span) in pieces(text, standard_strings) {
        match piece {
            Piece::Signs => {}
            Piece::Lost => return Some(span.start),
            Piece::Whole => {
                let known = parsed.next();
                if known != Some(&(span.start, span.end)) {
                    return Some(known.map_or(span.start, |known| known.0.min(span.start)));
                }
            }
        }
    }
    parsed.next().map(|left| left.0)
}

/// From characters to bytes and back.
struct Offsets(Option<Vec<usize>>, usize);

impl Offsets {
    fn of(text: &str) -> Self {
        let bytes = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self(bytes, text.len())
    }

    /// The byte at which a character, from 1, begins.
    fn byte(&self, character: Option<usize>) -> Option<usize> {
        let at = character?.checked_sub(1)?;
        Some(match &self.0 {
            Some(bytes) => bytes.get(at).copied().unwrap_or(self.1),
            None => at.min(self.1),
        })
    }

    /// The character, from 1, that begins at a byte.
    fn character(&self, byte: usize) -> usize {
        match &self.0 {
            Some(bytes) => bytes.partition_point(|at| *at < byte) + 1,
            None => byte + 1,
        }
    }
}

impl Lexed<'_> {
    fn unexpected(&self, token: &TokenWithSpan, text: &str) -> Finding {
        syntax(
            self.lines.position(token.span.start),
            format!("unexpected {text}"),
        )
    }
}
