//! PostgreSQL's regular expressions. A match begins as far to the left as one can, and is the longest from there, or the
//! shortest, as the first quantifier prefers; only then do the parts divide it. No pattern takes more than one step for
//! each character to find that, and what it takes to divide a match is bounded by its parts and its length.

mod alphabet;
mod automaton;
mod bracket;
mod class;
mod read;
mod search;
mod tree;

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use super::Failure;
pub(crate) use class::{capital, small};
pub(crate) use search::{Search, Span};

use self::{
    alphabet::Alphabet,
    automaton::Automaton,
    read::{Options, Reader, bad},
    tree::{Look, Tree},
};

/// Patterns that are kept per thread.
const KEPT: usize = 32;

thread_local! {
    static PATTERNS: RefCell<HashMap<(String, String), Rc<Pattern>>> = RefCell::default();
}

fn too_complex<T>() -> Result<T, Failure> {
    bad("regular expression is too complex")
}

/// A pattern that is read.
#[derive(Debug)]
pub(crate) struct Pattern {
    tree: Tree,
    /// A match, from everywhere.
    anywhere: Automaton,
    /// Its start, from everywhere back.
    starts: Automaton,
    alphabet: Alphabet,
    looks: Vec<Look>,
    groups: usize,
}

impl Pattern {
    fn new(pattern: &str, options: Options) -> Result<Self, Failure> {
        let mut reader = Reader::new(pattern, options);
        let tree = reader.whole()?;
        let alphabet = Alphabet::new(&reader.sets);
        let anywhere = Automaton::everywhere(tree.node.clone(), false);
        // A pattern that is too large is one before it meets a text.
        anywhere.dfa(&alphabet)?;
        Ok(Self {
            anywhere,
            starts: Automaton::everywhere(tree.node.clone(), true),
            alphabet,
            looks: reader.looks,
            groups: reader.groups.len(),
            tree,
        })
    }

    /// On a text.
    pub(crate) fn on<'a>(&'a self, text: &'a str) -> Result<Search<'a>, Failure> {
        Search::new(self, text)
    }

    /// How many groups it has.
    pub(crate) fn groups(&self) -> usize {
        self.groups
    }
}

/// A pattern with its flags; `g` is the caller's.
pub(crate) fn pattern(pattern: &str, flags: &str) -> Result<Rc<Pattern>, Failure> {
    super::allowance::memory_of((pattern.len() + flags.len()).saturating_mul(256))?;
    let key = (pattern.to_owned(), flags.to_owned());
    if let Some(found) = PATTERNS.with_borrow(|patterns| patterns.get(&key).cloned()) {
        return Ok(found);
    }
    let mut options = Options::default();
    if let Some(other) = flags.chars().find(|flag| *flag != 'g' && !options.take(*flag)) {
        return super::fail("22023", format!("invalid regular expression option: \"{other}\""));
    }
    let made = Rc::new(Pattern::new(pattern, options)?);
    PATTERNS.with_borrow_mut(|patterns| {
        if patterns.len() >= KEPT {
            patterns.clear();
        }
        patterns.insert(key, made.clone());
    });
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::pattern;

    /// No pattern is deeper than those that are read, and those need no more stack than a thread has left where SQL calls them.
    #[test]
    fn what_is_nested_needs_little_stack() {
        let nested = || {
            let mut told = vec![];
            for (open, close, levels) in [
                ("(", ")", 249),
                ("(", ")", 100_000),
                ("(", "", 249),
                ("(?:", ")", 249),
                ("(?=", ")", 63),
                ("(?=", ")", 249),
                ("(?=", "", 249),
                ("(a|b(", ")*)+", 124),
                ("(a*?(", ")+)?", 124),
                ("(x|(y", ")*?|c)+", 124),
                ("((a)|b*?(", "){0,2}?|c)?d", 60),
            ] {
                let text = format!("{}a{}", open.repeat(levels), close.repeat(levels));
                let found = pattern(&text, "").and_then(|pattern| {
                    let mut search = pattern.on("aa")?;
                    let span = search.find(0)?;
                    span.map(|span| search.groups(span)).transpose()
                });
                let told_of_it = match found {
                    Ok(groups) => format!("{:?}", groups.map(|groups| groups.len())),
                    Err(failure) => failure.to_string(),
                };
                told.push((open, levels, told_of_it));
            }
            told
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let told = thread.spawn(nested).unwrap().join().unwrap();
        for (open, levels, told) in told {
            let is_plain = levels == 249 && matches!(open, "(" | "(?:") && !told.contains("not balanced");
            assert!(!is_plain || told.starts_with("Some"), "{open} {levels}: {told}");
            let is_refused = told.starts_with("invalid regular expression: ");
            assert!(is_refused || told.starts_with("Some"), "{open} {levels}: {told}");
        }
    }
}
