//! Why something must not be evaluated for a question: what it does itself, or what it leads to, in however many steps.
//! Anybody may make a chain of domains or views as long as they like, so nothing here recurses, and each thing is gone through once.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt::Write,
    rc::Rc,
};

use super::{Judge, Node, Reference};
use crate::{
    postgres::introspection::trust::{FIRST_OWN, FUNCTION, RELATION, TYPE, Untrusted},
    question::{
        schema::Dialect,
        validator::{function_is_listed, function_reaches_out},
    },
};

/// Steps on the way to what does harm that are told one by one.
const TOLD: usize = 8;

/// What is wrong with something.
#[derive(Debug, Clone)]
pub(super) enum Cause {
    /// It does this itself.
    Own(Rc<str>),
    /// It leads to something else that does: in these words, followed by why that must not be evaluated.
    Through { words: String, next: Node, own: Rc<str> },
}

impl Cause {
    fn own(&self) -> &Rc<str> {
        match self {
            Self::Own(own) | Self::Through { own, .. } => own,
        }
    }
}

impl Judge {
    /// Why something must not be evaluated for a question, in words that follow its name; `None` if it may.
    pub(in crate::postgres::introspection) fn verdict(&self, node: Node) -> Option<String> {
        if !self.known.borrow().contains_key(&node) {
            self.settle(node);
        }
        let known = self.known.borrow();
        let mut told = String::new();
        let mut cause = known.get(&node)?.as_ref()?;
        for _ in 0..TOLD {
            match cause {
                Cause::Own(own) => {
                    told.push_str(own);
                    return Some(told);
                }
                Cause::Through { words, next, .. } => {
                    told.push_str(words);
                    cause = known.get(next)?.as_ref()?;
                }
            }
        }
        // Nobody reads a chain to its end.
        let _ = write!(told, "leads further, to what {}", cause.own());
        Some(told)
    }

    /// Decides about something, and with it about all that it leads to: what does harm is spread to what needs it, the
    /// nearest first.
    fn settle(&self, start: Node) {
        let mut found = vec![start];
        let mut seen = HashSet::from([start]);
        let mut needed_by: HashMap<Node, Vec<(Node, &Reference)>> = HashMap::new();
        let mut causes: HashMap<Node, Cause> = HashMap::new();
        let mut open = VecDeque::new();
        let mut at = 0;
        while let Some(&node) = found.get(at) {
            at += 1;
            if let Some(own) = self.harm(node) {
                causes.insert(node, Cause::Own(own.into()));
                open.push_back(node);
                continue;
            }
            for reference in self.references.get(&node).into_iter().flatten() {
                for target in self.targets(node, reference).into_iter().flatten() {
                    match self.known.borrow().get(&target) {
                        Some(None) => continue,
                        Some(Some(cause)) => {
                            if seen.insert(target) {
                                causes.insert(target, cause.clone());
                                open.push_back(target);
                            }
                        }
                        None => {
                            if seen.insert(target) {
                                found.push(target);
                            }
                        }
                    }
                    needed_by.entry(target).or_default().push((node, reference));
                }
            }
        }
        while let Some(next) = open.pop_front() {
            let own = Rc::clone(causes[&next].own());
            for (node, reference) in needed_by.get(&next).into_iter().flatten() {
                if !causes.contains_key(node) {
                    let words = self.words(reference);
                    let own = Rc::clone(&own);
                    causes.insert(*node, Cause::Through { words, next, own });
                    open.push_back(*node);
                }
            }
        }
        let mut known = self.known.borrow_mut();
        known.extend(found.into_iter().map(|node| (node, causes.remove(&node))));
    }

    /// What something does itself that a question must not do.
    fn harm(&self, node: Node) -> Option<String> {
        let (class, object) = match node {
            Node::Relation(number) | Node::Policy(number) => (RELATION, number),
            Node::Function(number) => (FUNCTION, number),
            Node::Type(number) => (TYPE, number),
        };
        let untrusted = self.reach.of(class, object).map(Untrusted::why);
        let of_function = || match node {
            Node::Function(number) if number >= FIRST_OWN => self.function(number),
            _ => None,
        };
        let of_references = || {
            let mut references = self.references.get(&node)?.iter();
            references.find_map(|reference| self.harm_of(node, reference))
        };
        untrusted.or_else(of_function).or_else(of_references)
    }

    /// True for a policy that is judged as its table's owner is trusted: whose rows one may see is decided with the help of the
    /// catalogue, and with others' rights, and what matters of it is that nothing changes.
    fn is_trusted_policy(&self, node: Node) -> bool {
        matches!(node, Node::Policy(table) if !self.reach.distrusts_policies(table))
    }

    /// What a reference alone says against something.
    fn harm_of(&self, node: Node, reference: &Reference) -> Option<String> {
        let of_policy = self.is_trusted_policy(node);
        match reference {
            Reference::Lock => Some("locks rows".to_owned()),
            Reference::Long => Some("has a definition that is too long to be looked through".to_owned()),
            Reference::BuiltIn(name, volatility) => {
                let harmless = function_is_listed(name, Dialect::Postgres)
                    || (volatility != "v" && (of_policy || !function_reaches_out(name, Dialect::Postgres)));
                (!harmless).then(|| format!("calls {name}"))
            }
            Reference::Own(number) if of_policy => {
                let function = self.functions.get(number)?;
                if function.volatile {
                    return Some(format!("calls the volatile function {}", function.name));
                }
                // Its text means what its names lead to now, whoever owns it.
                let strange = self.strange_name(function)?;
                Some(format!(
                    "calls {}, whose text may call {strange}, and so what an owner who is not trusted has made",
                    function.name
                ))
            }
            Reference::Relation(number, schema, name, kind) if !of_policy => {
                if *number < FIRST_OWN || schema == "pg_toast" {
                    return Some(format!("reads the catalogue ({name})"));
                }
                (kind == "f").then(|| format!("reads the foreign table {schema}.{name}"))
            }
            Reference::Own(_) | Reference::Type(_) | Reference::Relation(..) => None,
        }
    }

    /// What a reference leads to that is judged by itself.
    fn targets(&self, node: Node, reference: &Reference) -> [Option<Node>; 2] {
        match reference {
            Reference::Own(number) if !self.is_trusted_policy(node) => [Some(Node::Function(*number)), None],
            Reference::Relation(number, ..) if !self.is_trusted_policy(node) => {
                [Some(Node::Relation(*number)), Some(Node::Policy(*number))]
            }
            Reference::Type(number) => [Some(Node::Type(*number)), None],
            _ => [None, None],
        }
    }

    /// How it is told that a reference leads to something.
    fn words(&self, reference: &Reference) -> String {
        match reference {
            Reference::Own(number) => {
                let name = self.functions.get(number).map(|function| function.name.as_str());
                format!("calls {}, which ", name.unwrap_or("a function"))
            }
            Reference::Type(_) => "converts to a domain whose check ".to_owned(),
            Reference::Relation(_, schema, name, _) => format!("reads {schema}.{name}, which "),
            Reference::BuiltIn(..) | Reference::Lock | Reference::Long => String::new(),
        }
    }
}
