//! Whose code may run for a question: what the database defines is only as good as whoever may write it. What leads to code of
//! an owner who is not trusted is neither read nor planned, whatever it looks like.

use std::collections::{HashMap, VecDeque};

use super::{Rows, rows::odd, schemas::hexadecimal};
use crate::backend::BackendError;

const TRUST: &str = include_str!("../../../dialects/postgres/introspection/trust.sql");

/// The catalogues that numbers are of (`pg_class` and so on, by their own numbers in it).
pub(super) const RELATION: u32 = 1259;
pub(super) const FUNCTION: u32 = 1255;
pub(super) const TYPE: u32 = 1247;
pub(super) const OPERATOR: u32 = 2617;
const POLICIES: u32 = 3256;

/// Numbers below this are PostgreSQL's own.
pub(super) const FIRST_OWN: u32 = 16_384;

/// Whose code may run for a question, beside that of superusers and of the database's owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Trust {
    /// Who has logged in to the server, whoever the session is now.
    pub login: String,
    /// The owners that the configuration names.
    pub owners: Vec<String>,
    /// The extensions that it names, beside those that are known.
    pub extensions: Vec<String>,
}

impl Trust {
    /// True for who has logged in, and the owners that are named.
    pub(super) fn is_of(&self, role: &str) -> bool {
        self.login == role || self.owners.iter().any(|owner| owner == role)
    }

    /// What is asked of the catalogue. Names come as hexadecimal digits, whatever characters they have.
    pub(super) fn statement(&self) -> String {
        let name = |name: &str| {
            format!(
                "pg_catalog.convert_from(pg_catalog.decode('{}', 'hex'), 'UTF8')",
                hexadecimal(name)
            )
        };
        let owners: Vec<String> = self.owners.iter().map(|owner| name(owner)).collect();
        TRUST
            .replace("'{login}'::pg_catalog.text", &name(&self.login))
            .replace(
                "'{owners}'::pg_catalog.text[]",
                &format!("ARRAY[{}]::pg_catalog.text[]", owners.join(", ")),
            )
    }
}

/// Something that somebody owns who is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untrusted {
    /// What it is, such as "the function evil.f".
    what: String,
    pub(super) owner: String,
}

impl Untrusted {
    /// Why what leads to it must not be read, in words that follow its name.
    pub(super) fn why(&self) -> String {
        format!("runs {} of {}, who is not trusted", self.what, self.owner)
    }
}

type ObjectAddress = (u32, u32);

/// What leads to code of owners who are not trusted.
#[derive(Debug, Default)]
pub(super) struct Reach {
    found: Vec<Untrusted>,
    /// Positions in `found`.
    reached: HashMap<ObjectAddress, usize>,
    /// What needs each.
    needed_by: HashMap<ObjectAddress, Vec<ObjectAddress>>,
    /// Domains of such owners, and tables with their policies: expressions that may call what does harm among PostgreSQL's own.
    expressions: HashMap<ObjectAddress, usize>,
    in_place_of_built_in: Option<usize>,
}

impl Reach {
    /// From the rows of [`Trust::statement`].
    pub(super) fn read(rows: &Rows) -> Result<Self, BackendError> {
        let mut reach = Self::default();
        let mut begin = Vec::new();
        for row in rows.iter() {
            let place: ObjectAddress = (row.parsed(0)?, row.parsed(1)?);
            if place.0 == 0 {
                reach.edges(&row.text(2).unwrap_or_default())?;
                continue;
            }
            let (what, owner) = (row.some(2)?, row.some(3)?);
            let number = reach.found.len();
            reach.found.push(Untrusted { what, owner });
            if place.0 == FUNCTION || place.0 == OPERATOR {
                begin.push((place, number));
            } else {
                reach.expressions.insert(place, number);
            }
        }
        reach.spread(begin);
        let own = |((class, object), _): &(&ObjectAddress, &usize)| *class == OPERATOR && *object < FIRST_OWN;
        reach.in_place_of_built_in = reach.reached.iter().find(own).map(|(_, &number)| number);
        if let Some(number) = reach.in_place_of_built_in {
            reach.found[number].what += ", which may stand in for one of PostgreSQL's own,";
        }
        Ok(reach)
    }

    fn edges(&mut self, text: &str) -> Result<(), BackendError> {
        for edge in text.split(',').filter(|edge| !edge.is_empty()) {
            let numbers: Result<Vec<u32>, _> = edge.split(' ').map(str::parse).collect();
            let Ok(&[class, object, to_class, to_object]) = numbers.as_deref() else {
                return Err(odd(&format!("the edge \"{edge}\"")));
            };
            let needing = self.needed_by.entry((to_class, to_object)).or_default();
            needing.push((class, object));
        }
        Ok(())
    }

    /// Notes these places, and all that leads to them, each with what is nearest.
    fn spread(&mut self, begin: Vec<(ObjectAddress, usize)>) {
        let mut open = VecDeque::from(begin);
        while let Some((place, number)) = open.pop_front() {
            if self.reached.contains_key(&place) {
                continue;
            }
            self.reached.insert(place, number);
            let needing = self.needed_by.get(&place).into_iter().flatten();
            open.extend(needing.map(|place| (*place, number)));
        }
    }

    /// The domains whose owners are not trusted.
    pub(super) fn domains(&self) -> Vec<u32> {
        let domains = self.expressions.keys().filter(|place| place.0 == TYPE);
        domains.map(|place| place.1).collect()
    }

    /// One of [`Reach::domains`] has a check that does harm, for this reason.
    pub(super) fn domain_does_harm(&mut self, domain: u32, why: &str) {
        if let Some(&number) = self.expressions.get(&(TYPE, domain)) {
            let what = &mut self.found[number].what;
            *what = format!("{what} (its check {why})");
            self.spread(vec![((TYPE, domain), number)]);
        }
    }

    /// True for a table whose policies are of an owner who is not trusted.
    pub(super) fn distrusts_policies(&self, relation: u32) -> bool {
        self.expressions.contains_key(&(POLICIES, relation))
    }

    /// What something leads to.
    pub(super) fn of(&self, class: u32, object: u32) -> Option<&Untrusted> {
        self.reached.get(&(class, object)).map(|&at| &self.found[at])
    }

    /// Somebody's operator that the planner may take in the place of one of PostgreSQL's own: where there is one, nothing is
    /// known to run only what is trusted.
    pub(super) fn in_place_of_built_in(&self) -> Option<&Untrusted> {
        self.in_place_of_built_in.map(|at| &self.found[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_somebodys_code_is_found_in_any_depth() {
        let cell = |text: &str| Some(bytes::Bytes::copy_from_slice(text.as_bytes()));
        let row = |cells: [&str; 3]| vec![cell(cells[0]), cell(cells[1]), cell(cells[2]), cell("mallory")];
        let chain: Vec<String> = (20_000..120_000)
            .map(|n| format!("1259 {} 1259 {n}", n + 1))
            .collect();
        let edges = format!("1259 20000 1255 17000,1247 19000 2606 19001,{}", chain.join(","));
        let rows = Rows {
            rows: vec![
                row(["1255", "17000", "the function mal.f"]),
                row(["1247", "19000", "the domain mal.d"]),
                row(["0", "0", &edges]),
            ],
            ..Rows::default()
        };
        let mut reach = Reach::read(&rows).unwrap();
        let why = "runs the function mal.f of mallory, who is not trusted";
        assert_eq!(
            reach.of(RELATION, 120_000).map(Untrusted::why).as_deref(),
            Some(why)
        );
        assert_eq!(reach.of(RELATION, 17_000), None);
        assert_eq!((reach.of(TYPE, 19_000), reach.domains()), (None, vec![19_000]));
        reach.domain_does_harm(19_000, "calls query_to_xml");
        assert!(reach.of(TYPE, 19_000).is_some() && reach.in_place_of_built_in().is_none());
    }
}
