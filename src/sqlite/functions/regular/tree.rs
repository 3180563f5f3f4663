//! What a pattern is read into: the language of each part, and how a match of it is divided. A part prefers to be long or short, as
//! its first quantifier says; the whole decides over where a match ends, and the parts divide what there is then, the
//! first one first.

use std::rc::Rc;

use super::automaton::Automaton;

/// Prefers the longest.
pub(super) const LONGER: u8 = 1;
/// Prefers the shortest.
pub(super) const SHORTER: u8 = 2;
/// Has parts that prefer one and the other.
const MIXED: u8 = 4;
/// Has parts whose place is asked for.
pub(super) const CAPTURES: u8 = 8;

/// What parts tell the whole.
pub(super) fn upward(flags: u8) -> u8 {
    let mixed = if flags & LONGER != 0 && flags & SHORTER != 0 {
        MIXED
    } else {
        0
    };
    flags & (MIXED | CAPTURES) | mixed
}

/// Of one part and the next: the first preference counts.
pub(super) fn combined(first: u8, second: u8) -> u8 {
    let preference = match first & (LONGER | SHORTER) {
        0 => second & (LONGER | SHORTER),
        preference => preference,
    };
    upward(first | second) | preference
}

/// True where the parts have to be looked at one by one.
pub(super) fn is_messy(flags: u8) -> bool {
    flags & (MIXED | CAPTURES) != 0
}

/// What a part matches.
#[derive(Debug)]
pub(super) enum Node {
    Empty,
    /// One character of this set.
    Set(usize),
    /// Nothing, where this holds.
    Look(usize),
    /// These parts, from one of them on: what follows each part of a long pattern is not copied.
    Concat(Rc<[Rc<Node>]>, usize),
    Any(Vec<Rc<Node>>),
    Repeat(Rc<Node>, u32, Option<u32>),
}

impl Node {
    /// One behind the other.
    pub(super) fn concat(parts: impl Into<Rc<[Rc<Self>]>>) -> Rc<Self> {
        Rc::new(Self::Concat(parts.into(), 0))
    }
}

/// What holds of a place in a text.
#[derive(Debug)]
pub(super) enum Look {
    Start,
    End,
    LineStart,
    LineEnd,
    WordStart,
    WordEnd,
    Boundary,
    NoBoundary,
    /// Something begins here, or something else does not.
    Ahead(Automaton, bool),
    /// Something ends here, or nothing does.
    Behind(Automaton, bool),
}

/// A part.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) flags: u8,
    pub(super) node: Rc<Node>,
    /// What it is asked for as.
    pub(super) group: Option<usize>,
    pub(super) kind: TreeKind,
    /// Its language, from its start.
    pub(super) forward: Automaton,
}

/// How a match is divided.
#[derive(Debug)]
pub(super) enum TreeKind {
    Plain,
    /// As another part is.
    Same(Box<Tree>),
    /// The first that matches.
    Any(Vec<Tree>),
    /// One behind the other; with each, what follows, from its end.
    Concat(Vec<(Tree, Automaton)>),
    /// Again and again, or not at all; what may follow, from its end, where that is as much as one likes, or at most so many
    /// times.
    Repeat(Box<Tree>, Vec<Automaton>, bool),
}

impl Tree {
    pub(super) fn new(flags: u8, node: Rc<Node>, kind: TreeKind) -> Self {
        Self {
            flags,
            group: None,
            kind,
            forward: Automaton::forward(node.clone()),
            node,
        }
    }

    pub(super) fn plain(flags: u8, node: Rc<Node>) -> Self {
        Self::new(flags, node, TreeKind::Plain)
    }

    /// One behind the other.
    pub(super) fn concat(flags: u8, mut parts: Vec<Self>) -> Self {
        if parts.len() == 1
            && let Some(only) = parts.pop()
        {
            return only;
        }
        let nodes: Rc<[_]> = parts.iter().map(|part| part.node.clone()).collect();
        let followed = parts
            .into_iter()
            .enumerate()
            .map(|(at, part)| {
                let rest = Rc::new(Node::Concat(nodes.clone(), at + 1));
                (part, Automaton::backward(rest))
            })
            .collect();
        Self::new(flags, Node::concat(nodes), TreeKind::Concat(followed))
    }

    /// At most so many times, or none.
    pub(super) fn repeated(flags: u8, part: Self, max: Option<u32>) -> Self {
        let again = |max| Rc::new(Node::Repeat(part.node.clone(), 0, max));
        let rest = match max {
            None => vec![Automaton::backward(again(None))],
            Some(max) => (0..max)
                .map(|left| Automaton::backward(again(Some(left))))
                .collect(),
        };
        let whole = again(max);
        Self::new(
            flags,
            whole,
            TreeKind::Repeat(Box::new(part), rest, max.is_some()),
        )
    }
}
