//! Where a pattern matches a text, and what its groups have.

use super::{
    super::{Failure, allowance},
    Pattern,
    automaton::{Automaton, DEAD},
    class::is_word,
    tree::{CAPTURES, Look, SHORTER, Tree, TreeKind},
};

/// Places of a text, by the byte.
pub(super) struct Places(Vec<u64>);

impl Places {
    fn new(length: usize) -> Result<Self, Failure> {
        allowance::memory_of(length / 8)?;
        Ok(Self(vec![0; length / 64 + 1]))
    }

    fn add(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// The first at a place or behind it.
    fn from(&self, at: usize) -> Option<usize> {
        let mut word = at / 64;
        let mut bits = self.0.get(word)? & (u64::MAX << (at % 64));
        while bits == 0 {
            word += 1;
            bits = *self.0.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
}

/// From where to where.
pub(crate) type Span = (usize, usize);

/// A pattern on a text.
pub(crate) struct Search<'a> {
    pattern: &'a Pattern,
    text: &'a str,
    /// Where what the pattern says of what is around a place holds, in the order of its looks.
    around: Vec<Option<Places>>,
    starts: Option<Places>,
}

impl<'a> Search<'a> {
    pub(super) fn new(pattern: &'a Pattern, text: &'a str) -> Result<Self, Failure> {
        let mut search = Self {
            pattern,
            text,
            around: vec![],
            starts: None,
        };
        // One may have others that were read before it.
        for look in &pattern.looks {
            let places = match look {
                Look::Ahead(automaton, _) => Some(search.all(automaton, true)?),
                Look::Behind(automaton, _) => Some(search.all(automaton, false)?),
                _ => None,
            };
            search.around.push(places);
        }
        Ok(search)
    }

    /// Each place at which an automaton accepts.
    fn all(&self, automaton: &Automaton, backward: bool) -> Result<Places, Failure> {
        let mut places = Places::new(self.text.len())?;
        let hit = |at| {
            places.add(at);
            false
        };
        if backward {
            self.backward(automaton, (0, self.text.len()), hit)?;
        } else {
            self.forward(automaton, (0, self.text.len()), hit)?;
        }
        Ok(places)
    }

    /// What the pattern asks for and what holds here.
    fn holds(&self, at: usize) -> u64 {
        let looks = &self.pattern.looks;
        if looks.is_empty() {
            return 0;
        }
        let before = self.text[..at].chars().next_back();
        let after = self.text[at..].chars().next();
        let word = |character: Option<char>| character.is_some_and(is_word);
        let mut holds = 0;
        for (bit, (look, places)) in looks.iter().zip(&self.around).enumerate() {
            let has = |holds: &bool| places.as_ref().is_some_and(|places| places.has(at)) == *holds;
            let true_here = match look {
                Look::Start => before.is_none(),
                Look::End => after.is_none(),
                Look::LineStart => before.is_none_or(|c| c == '\n'),
                Look::LineEnd => after.is_none_or(|c| c == '\n'),
                Look::WordStart => !word(before) && word(after),
                Look::WordEnd => word(before) && !word(after),
                Look::Boundary => word(before) != word(after),
                Look::NoBoundary => word(before) == word(after),
                Look::Ahead(_, holds) | Look::Behind(_, holds) => has(holds),
            };
            holds |= u64::from(true_here) << bit;
        }
        holds
    }

    /// Tells each place up to which an automaton accepts, until that is enough.
    fn forward(
        &self,
        automaton: &Automaton,
        span: Span,
        hit: impl FnMut(usize) -> bool,
    ) -> Result<(), Failure> {
        self.run::<false>(automaton, span, hit)
    }

    /// Tells each place from which an automaton accepts, until that is enough.
    fn backward(
        &self,
        automaton: &Automaton,
        span: Span,
        hit: impl FnMut(usize) -> bool,
    ) -> Result<(), Failure> {
        self.run::<true>(automaton, span, hit)
    }

    fn run<const BACKWARD: bool>(
        &self,
        automaton: &Automaton,
        (from, to): Span,
        mut hit: impl FnMut(usize) -> bool,
    ) -> Result<(), Failure> {
        let alphabet = &self.pattern.alphabet;
        let mut dfa = automaton.dfa(alphabet)?;
        let (mut core, mut at) = (dfa.start(), if BACKWARD { to } else { from });
        let mut characters = self.text[from..to].chars();
        loop {
            let row = dfa.row(core, self.holds(at))?;
            if dfa.accepts(row) && hit(at) {
                return Ok(());
            }
            let next = if BACKWARD {
                characters.next_back()
            } else {
                characters.next()
            };
            let Some(character) = next else {
                return Ok(());
            };
            allowance::turn()?;
            core = dfa.next(row, alphabet.color(character), alphabet)?;
            if core == DEAD {
                return Ok(());
            }
            if BACKWARD {
                at -= character.len_utf8();
            } else {
                at += character.len_utf8();
            }
        }
    }

    /// True if the pattern matches somewhere.
    pub(crate) fn is_match(&self) -> Result<bool, Failure> {
        let mut found = false;
        self.forward(&self.pattern.anywhere, (0, self.text.len()), |_| {
            found = true;
            true
        })?;
        Ok(found)
    }

    /// The end that is preferred among those of a part.
    fn end(
        &self,
        tree: &Tree,
        span: Span,
        mut allowed: impl FnMut(usize) -> bool,
    ) -> Result<Option<usize>, Failure> {
        let shorter = tree.flags & SHORTER != 0;
        let mut end = None;
        self.forward(&tree.forward, span, |at| {
            let taken = allowed(at);
            if taken {
                end = Some(at);
            }
            taken && shorter
        })?;
        Ok(end)
    }

    /// The first match that begins here or further on.
    pub(crate) fn find(&mut self, at: usize) -> Result<Option<Span>, Failure> {
        if self.starts.is_none() {
            self.starts = Some(self.all(&self.pattern.starts, true)?);
        }
        let Some(start) = self.starts.as_ref().and_then(|starts| starts.from(at)) else {
            return Ok(None);
        };
        let end = self.end(&self.pattern.tree, (start, self.text.len()), |_| true)?;
        Ok(end.map(|end| (start, end)))
    }

    /// What the groups of a match have; the first is the match.
    pub(crate) fn groups(&self, span: Span) -> Result<Vec<Option<Span>>, Failure> {
        let mut groups = vec![None; self.pattern.groups + 1];
        groups[0] = Some(span);
        self.divide(&self.pattern.tree, span, &mut groups)?;
        Ok(groups)
    }

    #[recursive::recursive]
    fn divide(&self, tree: &Tree, span: Span, groups: &mut [Option<Span>]) -> Result<(), Failure> {
        if tree.flags & CAPTURES == 0 {
            return Ok(());
        }
        allowance::turn()?;
        if let Some(group) = tree.group {
            groups[group] = Some(span);
        }
        let (from, to) = span;
        match &tree.kind {
            TreeKind::Plain => Ok(()),
            TreeKind::Same(part) => self.divide(part, span, groups),
            TreeKind::Any(parts) => {
                for part in parts {
                    if self.fits(part, span)? {
                        return self.divide(part, span, groups);
                    }
                }
                Ok(())
            }
            TreeKind::Concat(parts) => {
                let (mut from, last) = (from, parts.len() - 1);
                for (at, (part, rest)) in parts.iter().enumerate() {
                    let left = &parts[at..];
                    if left.iter().all(|(part, _)| part.flags & CAPTURES == 0) {
                        return Ok(());
                    }
                    let end = if at == last {
                        Some(to)
                    } else {
                        self.end_before(part, rest, (from, to))?
                    };
                    let Some(end) = end else { return Ok(()) };
                    self.divide(part, (from, end), groups)?;
                    from = end;
                }
                Ok(())
            }
            TreeKind::Repeat(part, rest, counted) => {
                let last = if from < to {
                    self.last_of(part, rest, *counted, span)?
                } else {
                    // None at all will do, but what prefers to be long is once there.
                    Some(span).filter(|_| part.flags & SHORTER == 0)
                };
                match last {
                    Some(last) if from < to || self.fits(part, last)? => self.divide(part, last, groups),
                    _ => Ok(()),
                }
            }
        }
    }

    /// True if a part matches just this.
    fn fits(&self, part: &Tree, span: Span) -> Result<bool, Failure> {
        let mut fits = false;
        self.forward(&part.forward, span, |at| {
            fits = at == span.1;
            fits
        })?;
        Ok(fits)
    }

    /// Where a part of a match ends, behind which the rest has to be.
    fn end_before(&self, part: &Tree, rest: &Automaton, span: Span) -> Result<Option<usize>, Failure> {
        let (from, to) = span;
        let mut places = Places::new(to - from)?;
        self.backward(rest, span, |at| {
            places.add(at - from);
            false
        })?;
        self.end(part, span, |at| places.has(at - from))
    }

    /// The last repetition; none is empty.
    fn last_of(
        &self,
        part: &Tree,
        rest: &[Automaton],
        counted: bool,
        (from, to): Span,
    ) -> Result<Option<Span>, Failure> {
        let (mut start, mut done) = (from, 0);
        let mut places: Option<Places> = None;
        loop {
            done += 1;
            let automaton = if counted {
                rest.len().checked_sub(done).and_then(|left| rest.get(left))
            } else {
                rest.first()
            };
            let Some(automaton) = automaton else {
                return Ok(None);
            };
            if counted || places.is_none() {
                let mut found = Places::new(to - from)?;
                self.backward(automaton, (start, to), |at| {
                    found.add(at - from);
                    false
                })?;
                places = Some(found);
            }
            let Some(places) = &places else { return Ok(None) };
            let end = self.end(part, (start, to), |at| at > start && places.has(at - from))?;
            match end {
                None => return Ok(None),
                Some(end) if end == to => return Ok(Some((start, to))),
                Some(end) => start = end,
            }
        }
    }
}
