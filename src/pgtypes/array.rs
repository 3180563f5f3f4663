//! Arrays as PostgreSQL writes them (`{1,NULL,"a b"}`, `{{1,2},{3,4}}`), which is also how they are kept; subscripts begin
//! at 1.

use super::ValueError;

/// How deep arrays may be nested (`MAXDIM`).
pub(crate) const DIMENSIONS: usize = 6;

/// An element as text; `None` is NULL.
pub(crate) type Element = Option<String>;

/// An array of any number of dimensions; one without elements has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Array {
    /// How many elements each dimension has, the outermost first.
    pub(crate) lengths: Vec<usize>,
    /// The elements, the innermost dimension varying fastest.
    pub(crate) elements: Vec<Element>,
}

impl Array {
    /// Reads PostgreSQL's text; `each` is asked before each byte of an element is read.
    pub(crate) fn read<E: From<ValueError>>(
        text: &str,
        each: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        Reader::new(text)?.array(each)
    }

    /// Reads PostgreSQL's text.
    pub(crate) fn of(text: &str) -> Result<Self, ValueError> {
        Self::read(text, || Ok(()))
    }

    /// As PostgreSQL prints it.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        if self.elements.is_empty() {
            return "{}".into();
        }
        let mut elements = self.elements.iter();
        put(&mut out, &self.lengths, &mut elements);
        out
    }

    /// Its parts along the first dimension: elements, or arrays of one dimension less.
    pub(crate) fn parts(self) -> Vec<Element> {
        let [_, inner @ ..] = self.lengths.as_slice() else {
            return vec![];
        };
        if inner.is_empty() {
            return self.elements;
        }
        self.elements
            .chunks(inner.iter().product::<usize>().max(1))
            .map(|part| {
                let mut text = String::new();
                put(&mut text, inner, &mut part.iter());
                Some(text)
            })
            .collect()
    }

    /// The same array with something made of each element.
    pub(crate) fn map<E>(mut self, make: impl Fn(String) -> Result<String, E>) -> Result<Self, E> {
        for element in &mut self.elements {
            *element = element.take().map(&make).transpose()?;
        }
        Ok(self)
    }
}

fn put<'e>(out: &mut String, lengths: &[usize], elements: &mut impl Iterator<Item = &'e Element>) {
    let [length, inner @ ..] = lengths else { return };
    out.push('{');
    for at in 0..*length {
        if at > 0 {
            out.push(',');
        }
        if !inner.is_empty() {
            put(out, inner, elements);
            continue;
        }
        match elements.next() {
            Some(Some(text)) if needs_quotes(text) => {
                out.push('"');
                for character in text.chars() {
                    if matches!(character, '"' | '\\') {
                        out.push('\\');
                    }
                    out.push(character);
                }
                out.push('"');
            }
            Some(Some(text)) => out.push_str(text),
            _ => out.push_str("NULL"),
        }
    }
    out.push('}');
}

/// The elements of an array or of a vector, `1 2`; none where the text is neither.
pub(crate) fn array_elements(array: &str) -> Vec<Element> {
    if array.trim_start().starts_with(['{', '[']) {
        return Array::of(array).map(|array| array.elements).unwrap_or_default();
    }
    let numbers = array.split_whitespace();
    numbers.map(|number| Some(number.to_owned())).collect()
}

/// True where an element has to stand in quotes.
fn needs_quotes(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("null") || text.bytes().any(is_special)
}

/// True for what may stand in quotes alone.
pub(crate) fn is_special(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b',' | b'{' | b'}' | b'"' | b'\\')
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// A place in the text of an array.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The lengths that stand before the elements.
    told: Option<Vec<usize>>,
}

impl<'t> Reader<'t> {
    /// Reads the bounds before the elements, `[1:2][1:3]=`.
    fn new(text: &'t str) -> Result<Self, ValueError> {
        let mut reader = Self {
            text,
            at: 0,
            told: None,
        };
        let mut told = vec![];
        reader.skip_spaces();
        while reader.peek() == Some(b'[') {
            let end = text[reader.at..].find(']').ok_or_else(|| reader.malformed())?;
            let inside = &text[reader.at + 1..reader.at + end];
            let (low, high) = inside.split_once(':').unwrap_or(("1", inside));
            let (Ok(low), Ok(high)) = (low.trim_ascii().parse::<i32>(), high.trim_ascii().parse::<i32>())
            else {
                return Err(reader.malformed());
            };
            if told.len() == DIMENSIONS {
                return Err(too_deep(told.len() + 1));
            }
            if high < low {
                return Err(ValueError::new(
                    "2202E",
                    "upper bound cannot be less than lower bound",
                ));
            }
            told.push((low, high));
            reader.at += end + 1;
            reader.skip_spaces();
        }
        if !told.is_empty() {
            if reader.peek() != Some(b'=') {
                return Err(reader.malformed());
            }
            reader.at += 1;
            reader.skip_spaces();
            if told.iter().any(|(low, _)| *low != 1) {
                return Err(other_bounds());
            }
            reader.told = Some(told.iter().map(|(_, high)| *high as usize).collect());
        }
        Ok(reader)
    }

    fn malformed(&self) -> ValueError {
        ValueError::new("22P02", format!("malformed array literal: \"{}\"", self.text))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn array<E: From<ValueError>>(mut self, mut each: impl FnMut() -> Result<(), E>) -> Result<Array, E> {
        let mut elements = vec![];
        // The elements so far of each array that is open, and the lengths of those that were closed.
        let mut open: Vec<usize> = vec![];
        let mut lengths: Vec<usize> = vec![];
        // How deep elements stand.
        let mut leaves = None;
        let mut wants_element = true;
        loop {
            self.skip_spaces();
            let is_first = open.last() == Some(&0);
            match self.peek() {
                Some(b'{') if wants_element && leaves.is_none_or(|leaves| open.len() < leaves) => {
                    if open.len() == DIMENSIONS {
                        return Err(too_deep(open.len() + 1).into());
                    }
                    open.push(0);
                    self.at += 1;
                }
                Some(b'}') if !wants_element || is_first && open.len() == 1 => {
                    self.at += 1;
                    let length = open.pop().ok_or_else(|| self.malformed())?;
                    let depth = open.len();
                    if lengths.len() <= depth {
                        lengths.resize(depth + 1, usize::MAX);
                    }
                    if lengths[depth] != usize::MAX && lengths[depth] != length {
                        return Err(self.malformed().into());
                    }
                    lengths[depth] = length;
                    match open.last_mut() {
                        Some(count) => *count += 1,
                        None => break,
                    }
                    wants_element = false;
                }
                Some(b',') if !wants_element => {
                    self.at += 1;
                    wants_element = true;
                }
                Some(byte)
                    if wants_element
                        && !matches!(byte, b'{' | b'}' | b',')
                        && leaves.is_none_or(|leaves| leaves == open.len()) =>
                {
                    let Some(count) = open.last_mut() else {
                        return Err(self.malformed().into());
                    };
                    *count += 1;
                    leaves = Some(open.len());
                    elements.push(self.element(&mut each)?);
                    wants_element = false;
                }
                _ => return Err(self.malformed().into()),
            }
        }
        self.skip_spaces();
        if self.at < self.text.len() || self.told.as_ref().is_some_and(|told| *told != lengths) {
            return Err(self.malformed().into());
        }
        if elements.is_empty() {
            lengths.clear();
        }
        Ok(Array { lengths, elements })
    }

    fn element<E: From<ValueError>>(
        &mut self,
        each: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Element, E> {
        let bytes = self.text.as_bytes();
        let mut text = vec![];
        let is_quoted = self.peek() == Some(b'"');
        if is_quoted {
            self.at += 1;
        }
        // Blanks at the end do not count, but for those behind a backslash.
        let (mut kept, mut has_escapes) = (0, false);
        loop {
            each()?;
            match self.peek() {
                None => return Err(self.malformed().into()),
                Some(b'\\') => {
                    let next = bytes.get(self.at + 1).ok_or_else(|| self.malformed())?;
                    text.push(*next);
                    (kept, has_escapes) = (text.len(), true);
                    self.at += 2;
                }
                Some(b'"') if is_quoted => {
                    self.at += 1;
                    break;
                }
                Some(b'"' | b'{') if !is_quoted => return Err(self.malformed().into()),
                Some(b',' | b'}') if !is_quoted => {
                    text.truncate(kept);
                    break;
                }
                Some(byte) => {
                    text.push(byte);
                    self.at += 1;
                    if !is_space(byte) {
                        kept = text.len();
                    }
                }
            }
        }
        if !is_quoted && !has_escapes && text.eq_ignore_ascii_case(b"null") {
            return Ok(None);
        }
        String::from_utf8(text)
            .map(Some)
            .map_err(|_| self.malformed().into())
    }
}

pub(super) fn too_deep(count: usize) -> ValueError {
    let message = format!("number of array dimensions ({count}) exceeds the maximum allowed ({DIMENSIONS})");
    ValueError::new("54000", message)
}

pub(super) fn other_bounds() -> ValueError {
    ValueError {
        hint: Some("Write the array without its bounds.".into()),
        ..ValueError::new(
            "0A000",
            "arrays whose subscripts do not begin at 1 are not supported on a SQLite file",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers, but for other bounds.
    #[test]
    fn literals_are_read_as_postgresql_reads_them() {
        for (text, expected) in [
            ("{}", Ok("{}")),
            ("  { 1 , 2 } ", Ok("{1,2}")),
            (
                "{a b,\"c,d\",e\\,f,\"g\\\"h\"}",
                Ok("{\"a b\",\"c,d\",\"e,f\",\"g\\\"h\"}"),
            ),
            ("{NuLL,\"NULL\",\"\"}", Ok("{NULL,\"NULL\",\"\"}")),
            ("{a\\ ,b }", Ok("{\"a \",b}")),
            ("{\"{\"}", Ok("{\"{\"}")),
            ("{{\"}\"}}", Ok("{{\"}\"}}")),
            ("{{a,b},{c,NULL}}", Ok("{{a,b},{c,NULL}}")),
            ("[1:2]={1,2}", Ok("{1,2}")),
            ("[1:1][1:2] = {{1,2}}", Ok("{{1,2}}")),
            ("[1]={1}", Ok("{1}")),
            ("[0:1]={1,2}", Err("0A000")),
            ("[2:1]={}", Err("2202E")),
            ("[1:2]={1}", Err("22P02")),
            ("{1,2", Err("22P02")),
            ("1,2}", Err("22P02")),
            ("{1,,2}", Err("22P02")),
            ("{1,}", Err("22P02")),
            ("{,1}", Err("22P02")),
            ("{1}x", Err("22P02")),
            ("{{1,2},{3}}", Err("22P02")),
            ("{{1},2}", Err("22P02")),
            ("{1,{2}}", Err("22P02")),
            ("{{}}", Err("22P02")),
            ("{a\"b\"}", Err("22P02")),
            ("{\"a\"b}", Err("22P02")),
            ("{a{b}", Err("22P02")),
            ("{\"1", Err("22P02")),
            ("{\"\\", Err("22P02")),
            ("", Err("22P02")),
            ("{{{{{{{1}}}}}}}", Err("54000")),
        ] {
            let found = Array::of(text).map(|array| array.text());
            assert_eq!(
                found.as_deref().map_err(|error| error.sqlstate),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn parts_are_those_of_the_first_dimension() {
        let parts = |text: &str| Array::of(text).unwrap().parts();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("{}"), []);
        assert_eq!(parts("{1,NULL}"), [some("1"), None]);
        assert_eq!(parts("{{1,2},{3,\"a b\"}}"), [some("{1,2}"), some("{3,\"a b\"}")]);
    }
}
