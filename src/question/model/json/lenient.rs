//! A reader of what was meant as JSON: any quotes, quotes within quotes, raw line ends, comments, commas too many or
//! too few, bare words, and an end that is missing. Texts are kept as they are, since SQL stands in them.

use serde_json::{Map, Value};

/// How deep it reads: what a model writes must not use up the stack.
const DEEPEST: usize = 64;
/// Characters of a key at most.
const LONGEST_KEY: usize = 64;
/// Characters behind a value that are looked at.
const FURTHEST: usize = 128;

/// The object or list that a text begins with; what comes behind it is not looked at.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut reader = Reader {
        rest: text,
        depth: 0,
        lists: 0,
    };
    reader.value(TextContext::Item)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    /// Lists that are open.
    lists: usize,
}

/// Where a text stands, which decides what may come behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextContext {
    Key,
    /// The value of a key.
    Field,
    /// In a list.
    Item,
}

impl Reader<'_> {
    fn value(&mut self, place: TextContext) -> Option<Value> {
        self.skip("");
        match self.rest.chars().next()? {
            '{' => self.nested(Self::object),
            '[' => {
                self.lists += 1;
                let list = self.nested(Self::list);
                self.lists -= 1;
                list
            }
            _ => match self.text(place) {
                Some(text) => Some(Value::String(text)),
                None => Some(bare(self.word(place))),
            },
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Value>) -> Option<Value> {
        self.depth += 1;
        self.rest = &self.rest[1..];
        let value = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        let mut object = Map::new();
        loop {
            self.skip(",;");
            match self.rest.chars().next() {
                None => break,
                Some('}') => {
                    self.rest = &self.rest[1..];
                    break;
                }
                // The brace is missing.
                Some(']') if self.lists > 0 => break,
                Some(']' | '{' | '[' | ':') => {
                    self.rest = &self.rest[1..];
                    continue;
                }
                Some(_) => {}
            }
            let key = match self.text(TextContext::Key) {
                Some(key) => key,
                None => self.word(TextContext::Key).to_owned(),
            };
            self.skip("");
            self.rest = self.rest.strip_prefix([':', '=']).unwrap_or(self.rest);
            self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
            self.skip("");
            // A key at the very end has lost its value.
            if self.rest.is_empty() {
                break;
            }
            let value = match self.rest.chars().next() {
                Some(',' | '}' | ']') => Value::Null,
                _ => self.value(TextContext::Field)?,
            };
            object.insert(key, value);
        }
        Some(Value::Object(object))
    }

    fn list(&mut self) -> Option<Value> {
        let mut list = vec![];
        loop {
            self.skip(",;:");
            match self.rest.chars().next() {
                // The bracket is missing.
                None | Some('}') => break,
                Some(']') => {
                    self.rest = &self.rest[1..];
                    break;
                }
                Some(_) => list.push(self.value(TextContext::Item)?),
            }
        }
        Some(Value::Array(list))
    }

    /// A text in any quotes; `None` if there is no quote here.
    fn text(&mut self, place: TextContext) -> Option<String> {
        let open = self.rest.chars().next()?;
        let close = match open {
            '"' | '\'' | '`' => open,
            '“' | '”' => '”',
            _ => return None,
        };
        if let Some(inside) = self.rest.strip_prefix("\"\"\"") {
            let (text, rest) = inside.split_once("\"\"\"").unwrap_or((inside, ""));
            self.rest = rest;
            return Some(text.trim().to_owned());
        }
        let inside = &self.rest[open.len_utf8()..];
        let mut text = String::new();
        let mut rest = inside;
        while let Some(character) = rest.chars().next() {
            let behind = &rest[character.len_utf8()..];
            if character == '\\' {
                rest = escape(behind, &mut text);
            } else if character == close && self.ends(behind, place) {
                self.rest = behind;
                return Some(text);
            } else if character == close && close == '\'' && behind.starts_with(close) {
                // As SQL doubles them, unless the second one is the end.
                text.push(close);
                rest = if self.ends(&behind[1..], place) {
                    behind
                } else {
                    &behind[1..]
                };
            } else {
                text.push(character);
                rest = behind;
            }
        }
        self.rest = "";
        Some(text)
    }

    /// A word without quotes, or several of them.
    fn word(&mut self, place: TextContext) -> &str {
        let whole = self.rest;
        let end = whole.char_indices().find(|(at, character)| match place {
            TextContext::Key => ":=,{}[]\n".contains(*character),
            TextContext::Field | TextContext::Item => {
                matches!(character, ',' | '}' | ']' | '\n') && self.ends(&whole[*at..], place)
            }
        });
        // It must go on, whatever there is.
        let first = whole.chars().next().map_or(0, char::len_utf8);
        let end = end.map_or(whole.len(), |(at, _)| at.max(first));
        self.rest = &whole[end..];
        whole[..end].trim()
    }

    /// Whether a value can end before this.
    fn ends(&self, rest: &str, place: TextContext) -> bool {
        // No further: this is asked at every quote.
        let rest = head(rest, FURTHEST).trim_start();
        let Some(next) = rest.chars().next() else {
            return true;
        };
        let comment = rest.starts_with("//") || rest.starts_with("/*");
        match (place, next) {
            (TextContext::Key, _) | (_, '}') | (TextContext::Item, ',') => true,
            (_, ']') => self.lists > 0,
            (TextContext::Field, ',') => {
                let behind = rest[1..].trim_start_matches(|next: char| next == ',' || next.is_whitespace());
                let ended = behind.is_empty() || behind.starts_with(['}', ']', '/', '#']);
                ended || begins_key(behind)
            }
            (TextContext::Field, _) => comment || begins_key(rest),
            (TextContext::Item, next) => comment || matches!(next, '"' | '{' | '['),
        }
    }

    /// Passes white space, comments, dots for what was left out, and these characters.
    fn skip(&mut self, besides: &str) {
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start_matches(|next: char| {
                next.is_whitespace() || next == '\u{feff}' || besides.contains(next)
            });
            for (open, close) in [("//", "\n"), ("#", "\n"), ("/*", "*/")] {
                if let Some(comment) = self.rest.strip_prefix(open) {
                    self.rest = comment.split_once(close).map_or("", |(_, behind)| behind);
                }
            }
            self.rest = self.rest.trim_start_matches("...").trim_start_matches('…');
            if self.rest.len() == before {
                return;
            }
        }
    }
}

/// What a backslash stands before, and what comes behind that. Escapes that JSON does not know stay as they are.
fn escape<'a>(rest: &'a str, text: &mut String) -> &'a str {
    let Some(next) = rest.chars().next() else {
        return rest;
    };
    let behind = &rest[next.len_utf8()..];
    match next {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        'b' => text.push('\u{8}'),
        'f' => text.push('\u{c}'),
        '"' | '\'' | '`' | '\\' | '/' | '\n' => text.push(next),
        'u' => {
            let unit = |text: &str| u16::from_str_radix(text.get(..4)?, 16).ok();
            let Some(first) = unit(behind) else {
                text.push_str("\\u");
                return behind;
            };
            let behind = &behind[4..];
            let second = behind.strip_prefix("\\u").and_then(unit);
            let (units, behind) = match second {
                Some(second) if (0xd800..0xdc00).contains(&first) => (vec![first, second], &behind[6..]),
                _ => (vec![first], behind),
            };
            text.push_str(&String::from_utf16_lossy(&units));
            return behind;
        }
        other => {
            text.push('\\');
            text.push(other);
        }
    }
    behind
}

/// The first characters of a text.
fn head(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count);
    end.map_or(text, |(at, _)| &text[..at])
}

/// Whether a key and its colon come here, rather than more of an SQL text. A cast is no colon.
fn begins_key(rest: &str) -> bool {
    let colon = |behind: &str| {
        let behind = behind.trim_start_matches([' ', '\t']);
        behind.starts_with(':') && !behind.starts_with("::")
    };
    let head = head(rest, LONGEST_KEY);
    let close = match head.chars().next() {
        Some('“') => '”',
        Some(quote @ ('"' | '\'' | '`')) => quote,
        _ => {
            let word = head.find(|next: char| !next.is_alphanumeric() && next != '_');
            return word.is_some_and(|end| end > 0 && colon(&rest[end..]));
        }
    };
    let mut inside = head.char_indices().skip(1);
    inside
        .find(|(_, next)| *next == close || *next == '\n')
        .is_some_and(|(at, next)| next == close && colon(&rest[at + next.len_utf8()..]))
}

/// A word that JSON or Python knows, a number, or a text that lost its quotes.
fn bare(word: &str) -> Value {
    match word {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        "null" | "None" | "undefined" | "NaN" | "" => Value::Null,
        word => match serde_json::from_str(word) {
            Ok(Value::Number(number)) => Value::Number(number),
            _ => Value::String(word.to_owned()),
        },
    }
}
