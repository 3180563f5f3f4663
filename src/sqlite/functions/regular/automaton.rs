//! A part of a pattern as an automaton whose states are made as a text asks for them: each character costs one step, whatever the
//! pattern is.

use std::{
    cell::{RefCell, RefMut},
    collections::HashMap,
    rc::Rc,
};

use super::{
    super::{Failure, allowance},
    alphabet::Alphabet,
    too_complex,
    tree::Node,
};

/// The states of one automaton, at most, before those that a text asks for.
const STATES: usize = 200_000;
/// Bytes that one automaton keeps of states that a text has asked for.
const KEPT: usize = 256 << 10;
/// Nothing is matched any more.
pub(super) const DEAD: u32 = 0;
const UNKNOWN: u32 = u32::MAX;

#[derive(Debug)]
enum State {
    Set(usize, u32),
    Look(u64, u32),
    Either(u32, u32),
    Accept,
}

struct Builder {
    states: Vec<State>,
    work: usize,
    backward: bool,
}

impl Builder {
    fn push(&mut self, state: State) -> Result<u32, Failure> {
        if self.states.len() >= STATES {
            return too_complex();
        }
        self.states.push(state);
        Ok(self.states.len() as u32 - 1)
    }

    /// The state before a part, behind which `next` is.
    #[recursive::recursive]
    fn build(&mut self, node: &Node, next: u32) -> Result<u32, Failure> {
        allowance::turn()?;
        self.work += 1;
        if self.work > STATES * 2 {
            return too_complex();
        }
        match node {
            Node::Empty => Ok(next),
            Node::Set(set) => self.push(State::Set(*set, next)),
            Node::Look(look) => self.push(State::Look(1 << look, next)),
            Node::Concat(parts, from) => {
                let (parts, mut next) = (&parts[*from..], next);
                for at in 0..parts.len() {
                    let at = if self.backward { at } else { parts.len() - 1 - at };
                    next = self.build(&parts[at], next)?;
                }
                Ok(next)
            }
            Node::Any(parts) => {
                let mut all = None;
                for part in parts.iter().rev() {
                    let start = self.build(part, next)?;
                    all = Some(match all {
                        None => start,
                        Some(others) => self.push(State::Either(start, others))?,
                    });
                }
                Ok(all.unwrap_or(next))
            }
            Node::Repeat(part, least, most) => {
                let mut start = next;
                match most {
                    None => {
                        let again = self.push(State::Either(next, next))?;
                        let inside = self.build(part, again)?;
                        self.states[again as usize] = State::Either(inside, next);
                        start = again;
                    }
                    Some(most) => {
                        for _ in *least..*most {
                            let inside = self.build(part, start)?;
                            start = self.push(State::Either(inside, next))?;
                        }
                    }
                }
                for _ in 0..*least {
                    start = self.build(part, start)?;
                }
                Ok(start)
            }
        }
    }
}

/// What follows one set of states where certain things hold.
#[derive(Debug)]
struct Row {
    accepts: bool,
    sets: Vec<(usize, u32)>,
    next: Vec<u32>,
}

/// The states of a part's automaton.
#[derive(Debug)]
pub(super) struct Dfa {
    states: Vec<State>,
    first: u32,
    /// A match may begin everywhere.
    anywhere: bool,
    colors: usize,
    cores: Vec<Rc<[u32]>>,
    places: HashMap<Rc<[u32]>, u32>,
    rows: HashMap<(u32, u64), usize>,
    plain_rows: Vec<u32>,
    table: Vec<Row>,
    bytes: usize,
    seen: Vec<bool>,
}

impl Dfa {
    fn new(node: &Node, backward: bool, anywhere: bool, colors: usize) -> Result<Self, Failure> {
        let mut builder = Builder {
            states: vec![State::Accept],
            work: 0,
            backward,
        };
        let first = builder.build(node, 0)?;
        allowance::memory_of(builder.states.len() * size_of::<State>())?;
        let seen = vec![false; builder.states.len()];
        let mut dfa = Self {
            states: builder.states,
            first,
            anywhere,
            colors,
            cores: vec![],
            places: HashMap::new(),
            rows: HashMap::new(),
            plain_rows: vec![],
            table: vec![],
            bytes: 0,
            seen,
        };
        dfa.forget();
        Ok(dfa)
    }

    fn forget(&mut self) {
        self.cores.clear();
        self.places.clear();
        self.rows.clear();
        self.plain_rows.clear();
        self.table.clear();
        self.bytes = 0;
        self.place(vec![]);
    }

    fn place(&mut self, core: Vec<u32>) -> u32 {
        if let Some(place) = self.places.get(&core[..]) {
            return *place;
        }
        if self.bytes > KEPT {
            self.forget();
        }
        let core: Rc<[u32]> = core.into();
        let place = self.cores.len() as u32;
        self.bytes += 64 + core.len() * size_of::<u32>();
        self.cores.push(core.clone());
        self.plain_rows.push(UNKNOWN);
        self.places.insert(core, place);
        place
    }

    pub(super) fn start(&mut self) -> u32 {
        self.place(vec![self.first])
    }

    /// What follows a set of states at a place where these things hold.
    pub(super) fn row(&mut self, core: u32, holds: u64) -> Result<usize, Failure> {
        let known = if holds == 0 {
            Some(self.plain_rows[core as usize])
                .filter(|row| *row != UNKNOWN)
                .map(|row| row as usize)
        } else {
            self.rows.get(&(core, holds)).copied()
        };
        if let Some(row) = known {
            return Ok(row);
        }
        let mut open: Vec<u32> = self.cores[core as usize].to_vec();
        let (mut accepts, mut sets, mut visited) = (false, vec![], vec![]);
        while let Some(state) = open.pop() {
            if let Err(stopped) = allowance::turn() {
                self.seen.fill(false);
                return Err(stopped);
            }
            if std::mem::replace(&mut self.seen[state as usize], true) {
                continue;
            }
            visited.push(state);
            match self.states[state as usize] {
                State::Accept => accepts = true,
                State::Set(set, next) => sets.push((set, next)),
                State::Look(look, next) if holds & look != 0 => open.push(next),
                State::Look(..) => {}
                State::Either(one, other) => open.extend([one, other]),
            }
        }
        for state in visited {
            self.seen[state as usize] = false;
        }
        self.bytes += 64 + sets.len() * size_of::<(usize, u32)>() + self.colors * size_of::<u32>();
        self.table.push(Row {
            accepts,
            sets,
            next: vec![UNKNOWN; self.colors],
        });
        let row = self.table.len() - 1;
        if holds == 0 {
            self.plain_rows[core as usize] = row as u32;
        } else {
            self.rows.insert((core, holds), row);
        }
        Ok(row)
    }

    pub(super) fn accepts(&self, row: usize) -> bool {
        self.table[row].accepts
    }

    /// The set of states behind a character of this color.
    pub(super) fn next(&mut self, row: usize, color: u32, alphabet: &Alphabet) -> Result<u32, Failure> {
        let known = self.table[row].next[color as usize];
        if known != UNKNOWN {
            return Ok(known);
        }
        let mut core = vec![];
        for (set, next) in &self.table[row].sets {
            allowance::turn()?;
            if alphabet.has(*set, color) {
                core.push(*next);
            }
        }
        if self.anywhere {
            core.push(self.first);
        }
        core.sort_unstable();
        core.dedup();
        let before = self.bytes;
        let place = self.place(core);
        // All rows are gone where something was forgotten.
        if self.bytes >= before {
            self.table[row].next[color as usize] = place;
        }
        Ok(place)
    }
}

/// An automaton, made when it is asked for.
#[derive(Debug)]
pub(super) struct Automaton {
    node: Rc<Node>,
    backward: bool,
    anywhere: bool,
    made: RefCell<Option<Box<Dfa>>>,
}

impl Automaton {
    fn new(node: Rc<Node>, backward: bool, anywhere: bool) -> Self {
        Self {
            node,
            backward,
            anywhere,
            made: RefCell::default(),
        }
    }

    /// From a start.
    pub(super) fn forward(node: Rc<Node>) -> Self {
        Self::new(node, false, false)
    }

    /// From an end.
    pub(super) fn backward(node: Rc<Node>) -> Self {
        Self::new(node, true, false)
    }

    /// From each place on, or from each place back.
    pub(super) fn everywhere(node: Rc<Node>, backward: bool) -> Self {
        Self::new(node, backward, true)
    }

    pub(super) fn dfa(&self, alphabet: &Alphabet) -> Result<RefMut<'_, Dfa>, Failure> {
        let mut made = self.made.borrow_mut();
        if made.is_none() {
            let dfa = Dfa::new(&self.node, self.backward, self.anywhere, alphabet.colors)?;
            *made = Some(Box::new(dfa));
        }
        RefMut::filter_map(made, Option::as_deref_mut).or_else(|_| too_complex())
    }
}
