//! Reads a pattern: PostgreSQL's advanced regular expressions.

use std::rc::Rc;

use super::{
    super::{Failure, fail},
    alphabet::Sets,
    automaton::Automaton,
    class::{Ranges, named},
    tree::{CAPTURES, LONGER, Look, Node, SHORTER, Tree, combined, is_messy, upward},
};

/// Parentheses in parentheses, at most.
const DEPTH: usize = 250;
/// What a pattern asks of places, at most.
const LOOKS: usize = 64;
/// Repetitions, at most.
const MOST: u32 = 255;

pub(super) type Read<T> = Result<T, Failure>;

/// Refuses a pattern in PostgreSQL's words.
pub(super) fn bad<T>(what: &str) -> Read<T> {
    fail("2201B", format!("invalid regular expression: {what}"))
}

pub(super) const QUANTIFIER: &str = "quantifier operand invalid";
const PARENTHESES: &str = "parentheses () not balanced";
const COUNTS: &str = "invalid repetition count(s)";

/// How a pattern is to be read.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Options {
    pub(super) any_case: bool,
    pub(super) expanded: bool,
    /// No character but itself stands for a line's end.
    pub(super) stops: bool,
    /// `^` and `$` are at lines, too.
    pub(super) lines: bool,
    pub(super) literal: bool,
    /// An older kind of expression.
    pub(super) older: bool,
}

impl Options {
    /// Takes a letter; false if it is none.
    pub(super) fn take(&mut self, letter: char) -> bool {
        match letter {
            'b' | 'e' => self.older = true,
            'c' => self.any_case = false,
            'i' => self.any_case = true,
            'm' | 'n' => (self.stops, self.lines) = (true, true),
            'p' => (self.stops, self.lines) = (true, false),
            'q' => self.literal = true,
            's' => (self.stops, self.lines) = (false, false),
            't' => self.expanded = false,
            'w' => (self.stops, self.lines) = (false, true),
            'x' => self.expanded = true,
            _ => return false,
        }
        true
    }
}

pub(super) struct Reader {
    pub(super) pattern: Vec<char>,
    pub(super) at: usize,
    pub(super) options: Options,
    pub(super) sets: Sets,
    pub(super) looks: Vec<Look>,
    /// Whether each group is read to its end.
    pub(super) groups: Vec<bool>,
    depth: usize,
}

/// What stands in a branch.
enum Atom {
    /// Asks something of the place, and cannot be repeated.
    Look(Rc<Node>),
    Tree(Tree),
}

/// Parts without groups, then one part that has to be looked at for itself.
#[derive(Default)]
struct Piece {
    nodes: Vec<Rc<Node>>,
    flags: u8,
    messy: Option<Tree>,
}

impl Reader {
    pub(super) fn new(pattern: &str, options: Options) -> Self {
        Self {
            pattern: pattern.chars().collect(),
            at: 0,
            options,
            sets: Sets::default(),
            looks: vec![],
            groups: vec![],
            depth: 0,
        }
    }

    /// The whole pattern.
    pub(super) fn whole(&mut self) -> Read<Tree> {
        if self.eat("***") {
            if self.eat("=") {
                self.options.literal = true;
            } else if !self.eat(":") {
                return bad(QUANTIFIER);
            }
        }
        if !self.options.literal
            && self.ahead("(?")
            && self.peeked(2).is_some_and(|c| c.is_ascii_alphabetic())
        {
            self.at += 2;
            while let Some(letter) = self.next().filter(|letter| *letter != ')') {
                if !letter.is_ascii_alphabetic() || !self.options.take(letter) {
                    return bad("invalid embedded option");
                }
            }
        }
        if self.options.literal {
            let rest = self.pattern[self.at..].to_vec();
            let nodes: Rc<[_]> = rest.into_iter().map(|c| self.character(c.into())).collect();
            return Ok(Tree::plain(0, Node::concat(nodes)));
        }
        if self.options.older {
            return fail(
                "0A000",
                "basic and extended regular expressions are not supported",
            );
        }
        self.alternatives(false, true)
    }

    pub(super) fn peeked(&self, further: usize) -> Option<char> {
        self.pattern.get(self.at + further).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peeked(0);
        self.at += usize::from(next.is_some());
        next
    }

    pub(super) fn ahead(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(further, c)| self.peeked(further) == Some(c))
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.ahead(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Leaves out what says nothing.
    fn skip(&mut self) {
        loop {
            self.blanks();
            if !self.eat("(?#") {
                return;
            }
            while self.next().is_some_and(|c| c != ')') {}
        }
    }

    fn blanks(&mut self) {
        while self.options.expanded {
            match self.peeked(0) {
                Some(c) if c.is_ascii_whitespace() || c == '\u{b}' => self.at += 1,
                Some('#') => {
                    while self.peeked(0).is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    pub(super) fn set(&mut self, set: Ranges) -> Rc<Node> {
        Rc::new(Node::Set(self.sets.place(set)))
    }

    fn character(&mut self, code: u32) -> Rc<Node> {
        let set = if self.options.any_case {
            super::class::both_cases(code)
        } else {
            Ranges::one(code)
        };
        self.set(set)
    }

    pub(super) fn look(&mut self, look: Look) -> Read<Rc<Node>> {
        let known = self.looks.iter().position(|known| {
            std::mem::discriminant(known) == std::mem::discriminant(&look)
                && !matches!(known, Look::Ahead(..) | Look::Behind(..))
        });
        let at = known.unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        });
        if at >= LOOKS {
            return super::too_complex();
        }
        Ok(Rc::new(Node::Look(at)))
    }

    /// Branches, to the end or the parenthesis that closes them.
    #[recursive::recursive]
    fn alternatives(&mut self, inside: bool, counted: bool) -> Read<Tree> {
        self.depth += 1;
        if self.depth > DEPTH {
            return super::too_complex();
        }
        let mut branches = vec![];
        loop {
            branches.push(self.branch(inside, counted)?);
            if !self.eat("|") {
                break;
            }
        }
        if inside && !self.eat(")") {
            return bad(PARENTHESES);
        }
        self.depth -= 1;
        if branches.len() == 1
            && let Some(only) = branches.pop()
        {
            return Ok(only);
        }
        let flags = branches
            .iter()
            .fold(LONGER, |flags, branch| flags | upward(flags | branch.flags));
        let node = Rc::new(Node::Any(
            branches.iter().map(|branch| branch.node.clone()).collect(),
        ));
        Ok(if is_messy(flags) {
            Tree::new(flags, node, super::tree::TreeKind::Any(branches))
        } else {
            Tree::plain(flags, node)
        })
    }

    fn branch(&mut self, inside: bool, counted: bool) -> Read<Tree> {
        let mut pieces = vec![];
        let mut piece = Piece::default();
        loop {
            self.skip();
            match self.peeked(0) {
                None | Some('|') => break,
                Some(')') if inside => break,
                Some(')') => return bad(PARENTHESES),
                Some(_) => {}
            }
            let atom = match self.atom(counted)? {
                Atom::Look(node) => {
                    piece.nodes.push(node);
                    continue;
                }
                Atom::Tree(tree) => tree,
            };
            let (least, most, preference) = self.quantifier()?;
            if most == Some(0) {
                continue;
            }
            let flags = piece.flags | preference | atom.flags;
            if !is_messy(upward(flags)) {
                piece.flags = flags;
                piece.nodes.push(repeated(&atom.node, least, most));
                continue;
            }
            piece.messy = Some(quantified(atom, least, most, preference));
            pieces.push(std::mem::take(&mut piece));
        }
        pieces.push(piece);
        let (mut flags, mut parts) = (0, vec![]);
        for piece in pieces.into_iter().rev() {
            let mut top = piece.flags;
            if let Some(messy) = piece.messy {
                let rest = messy.flags | combined(messy.flags, flags);
                top |= combined(top, rest);
                parts.push(messy);
            }
            if !piece.nodes.is_empty() {
                parts.push(Tree::plain(piece.flags, Node::concat(piece.nodes)));
            }
            flags = top;
        }
        if parts.is_empty() {
            return Ok(Tree::plain(flags, Rc::new(Node::Empty)));
        }
        parts.reverse();
        let mut tree = Tree::concat(flags, parts);
        tree.flags = flags;
        Ok(tree)
    }

    fn quantifier(&mut self) -> Read<(u32, Option<u32>, u8)> {
        self.skip();
        let (least, most) = match self.peeked(0) {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') if self.is_bound() => return self.bound(),
            _ => return Ok((1, Some(1), 0)),
        };
        self.at += 1;
        let preference = if self.eat("?") { SHORTER } else { LONGER };
        Ok((least, most, preference))
    }

    /// True if a brace begins a bound; it is a character like others where no digit follows.
    fn is_bound(&mut self) -> bool {
        let back = self.at;
        self.at += 1;
        self.blanks();
        let digit = self.peeked(0).is_some_and(|c| c.is_ascii_digit());
        self.at = back;
        digit
    }

    fn number(&mut self) -> Read<u32> {
        let mut number = 0;
        self.blanks();
        while let Some(digit) = self.peeked(0).and_then(|c| c.to_digit(10)) {
            number = number * 10 + digit;
            if number > MOST {
                return bad(COUNTS);
            }
            self.at += 1;
            self.blanks();
        }
        Ok(number)
    }

    fn bound(&mut self) -> Read<(u32, Option<u32>, u8)> {
        self.at += 1;
        let least = self.number()?;
        let (mut most, mut prefers) = (Some(least), false);
        if self.eat(",") {
            self.blanks();
            prefers = true;
            most = if self.peeked(0).is_some_and(|c| c.is_ascii_digit()) {
                Some(self.number()?)
            } else {
                None
            };
        }
        match self.next() {
            None => return bad("braces {} not balanced"),
            Some('}') => {}
            Some(_) => return bad(COUNTS),
        }
        if most.is_some_and(|most| most < least) {
            return bad(COUNTS);
        }
        let preference = if self.eat("?") { SHORTER } else { LONGER };
        Ok((least, most, if prefers { preference } else { 0 }))
    }

    fn atom(&mut self, counted: bool) -> Read<Atom> {
        let node = match self.next() {
            Some('^') => return self.edge(Look::Start, Look::LineStart),
            Some('$') => return self.edge(Look::End, Look::LineEnd),
            Some('*' | '+' | '?') => return bad(QUANTIFIER),
            Some('{') => {
                self.at -= 1;
                if self.is_bound() {
                    return bad(QUANTIFIER);
                }
                self.at += 1;
                self.character('{'.into())
            }
            Some('(') => return self.parenthesis(counted),
            Some('[') if self.eat("[:<:]]") => return Ok(Atom::Look(self.look(Look::WordStart)?)),
            Some('[') if self.eat("[:>:]]") => return Ok(Atom::Look(self.look(Look::WordEnd)?)),
            Some('[') => {
                let set = self.bracket()?;
                self.set(set)
            }
            Some('.') => {
                let none = Ranges::of(if self.options.stops {
                    vec![(0x0A, 0x0A)]
                } else {
                    vec![]
                });
                self.set(none.others())
            }
            Some('\\') => match self.escape()? {
                super::bracket::Escape::Character(code) => self.character(code),
                super::bracket::Escape::Class(name, has) => {
                    let class = named(name).cloned().unwrap_or_default();
                    self.set(if has { class } else { class.others() })
                }
                super::bracket::Escape::Look(look) => return Ok(Atom::Look(self.look(look)?)),
                super::bracket::Escape::Back(number) => return self.back(number, counted),
            },
            Some(other) => self.character(other.into()),
            None => Rc::new(Node::Empty),
        };
        Ok(Atom::Tree(Tree::plain(0, node)))
    }

    fn back(&self, number: usize, counted: bool) -> Read<Atom> {
        if !counted
            || !number
                .checked_sub(1)
                .and_then(|at| self.groups.get(at))
                .is_some_and(|read| *read)
        {
            return bad("invalid backreference number");
        }
        fail(
            "0A000",
            "back references in regular expressions are not supported",
        )
    }

    fn edge(&mut self, text: Look, line: Look) -> Read<Atom> {
        let look = if self.options.lines { line } else { text };
        Ok(Atom::Look(self.look(look)?))
    }

    fn parenthesis(&mut self, counted: bool) -> Read<Atom> {
        if !self.eat("?") {
            let group = counted.then(|| {
                self.groups.push(false);
                self.groups.len()
            });
            let mut tree = self.alternatives(true, counted)?;
            if let Some(group) = group {
                self.groups[group - 1] = true;
                if tree.group.is_some() {
                    let (flags, node) = (tree.flags, tree.node.clone());
                    tree = Tree::new(flags, node, super::tree::TreeKind::Same(Box::new(tree)));
                }
                tree.flags |= CAPTURES;
                tree.group = Some(group);
            }
            return Ok(Atom::Tree(tree));
        }
        if self.eat(":") {
            return Ok(Atom::Tree(self.alternatives(true, counted)?));
        }
        let (behind, holds) = match () {
            () if self.eat("=") => (false, true),
            () if self.eat("!") => (false, false),
            () if self.eat("<=") => (true, true),
            () if self.eat("<!") => (true, false),
            () => return bad(QUANTIFIER),
        };
        let node = self.alternatives(true, false)?.node;
        let look = if behind {
            Look::Behind(Automaton::everywhere(node, false), holds)
        } else {
            Look::Ahead(Automaton::everywhere(node, true), holds)
        };
        Ok(Atom::Look(self.look(look)?))
    }
}

fn repeated(node: &Rc<Node>, least: u32, most: Option<u32>) -> Rc<Node> {
    if (least, most) == (1, Some(1)) {
        return node.clone();
    }
    Rc::new(Node::Repeat(node.clone(), least, most))
}

/// A part that has to be looked at for itself, so many times.
fn quantified(atom: Tree, least: u32, most: Option<u32>, preference: u8) -> Tree {
    let flags = combined(preference, atom.flags);
    let preferred = atom.flags & !CAPTURES;
    if (least, most) == (1, Some(1)) && (preference == 0 || preferred == 0 || preference == preferred) {
        return atom;
    }
    if atom.flags & CAPTURES == 0 {
        return Tree::plain(flags, repeated(&atom.node, least, most));
    }
    if least == 0 {
        return Tree::repeated(flags, atom, most);
    }
    // Groups are where the last repetition has them: those before are one part.
    let before = repeated(&atom.node, least - 1, most.map(|most| most - 1));
    let before = Tree::plain(flags & (LONGER | SHORTER), before);
    Tree::concat(flags, vec![before, atom])
}
