//! What the database itself would run for a question: its views, policies, domains, casts, and what it has put in the
//! place of built-in functions and operators. Judged by who owns it, and where that is somebody trusted, by volatility, by whose
//! rights it has, and by what it reads.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use super::{
    Rows,
    lineage::ViewQuery,
    trust::{FIRST_OWN, FUNCTION, OPERATOR, RELATION, Reach, TYPE, Untrusted},
};
use crate::{
    backend::BackendError,
    question::{
        schema::{Dialect, Shadowed},
        validator::{
            Suspects, body_names, body_reaches_out, extension_is_known, function_is_listed,
            function_reaches_out,
        },
    },
};

mod verdicts;

use verdicts::Cause;

pub(super) const REFERENCES: &str = include_str!("../../../dialects/postgres/introspection/references.sql");
pub(super) const FUNCTIONS: &str = include_str!("../../../dialects/postgres/introspection/functions.sql");
pub(super) const SHADOWS: &str = include_str!("../../../dialects/postgres/introspection/shadows.sql");

/// What is known of what the database defines.
#[derive(Default)]
pub(super) struct Judge {
    references: HashMap<Node, Vec<Reference>>,
    functions: HashMap<u32, Function>,
    /// What leads to code of owners who are not trusted.
    reach: Reach,
    /// What the texts of functions must not use.
    suspects: Suspects,
    /// Names of functions that lead to code of owners who are not trusted, or whose texts name such.
    strange: Suspects,
    /// Verdicts that were reached.
    known: RefCell<HashMap<Node, Option<Cause>>>,
    pub(super) shadowed: Shadowed,
    /// What views read by themselves.
    pub(super) queries: HashMap<u32, ViewQuery>,
    /// Types with casts that do harm, and why.
    pub(super) harmful_types: HashMap<u32, String>,
}

/// A relation, the policies on it, a function or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Relation(u32),
    Policy(u32),
    Function(u32),
    Type(u32),
}

#[derive(Debug)]
enum Reference {
    /// A relation by its name, its schema and its kind.
    Relation(u32, String, String, String),
    /// A function of PostgreSQL's own, by its name and its volatility.
    BuiltIn(String, String),
    Own(u32),
    Type(u32),
    Lock,
    /// A definition that was not looked through.
    Long,
}

struct Function {
    name: String,
    volatile: bool,
    definer: bool,
    aggregate: bool,
    language: String,
    extension: Option<String>,
    /// What it does in C can be nothing but reckoning, as far as its extension and its arguments tell.
    reckons: bool,
    text: Option<String>,
}

impl Judge {
    /// Reads the rows of the three statements, beside what leads to whom and the extensions that are trusted.
    pub(super) fn read(
        (reach, extensions): (Reach, &[String]),
        references: &Rows,
        functions: &Rows,
        shadows: &Rows,
    ) -> Result<Self, BackendError> {
        let mut judge = Self::default();
        for row in functions.iter() {
            let extension = row.text(7);
            let known = extension
                .as_ref()
                .is_none_or(|name| extensions.contains(name) || extension_is_known(name, Dialect::Postgres));
            let function = Function {
                name: format!("{}.{}", row.some(1)?, row.some(2)?),
                aggregate: row.some(3)? == "a",
                volatile: row.some(4)? == "v",
                definer: row.flag(5),
                language: row.some(6)?,
                extension,
                reckons: known || row.flag(9),
                text: row.text(8),
            };
            judge.functions.insert(row.parsed(0)?, function);
        }
        for row in references.iter() {
            let node = match row.some(0)?.as_str() {
                "relation" | "planned" => Node::Relation(row.parsed(1)?),
                "policy" => Node::Policy(row.parsed(1)?),
                "function" => Node::Function(row.parsed(1)?),
                _ => Node::Type(row.parsed(1)?),
            };
            let number: u32 = row.parsed(3)?;
            let times: f64 = row.parsed(7)?;
            if let Node::Relation(view) = node
                && times > 0.0
            {
                let query = judge.queries.entry(view).or_default();
                match row.some(2)?.as_str() {
                    "relation" => query.reads.push((number, times)),
                    _ => query.set_operations += times,
                }
            }
            let reference = match row.some(2)?.as_str() {
                "sets" => continue,
                "function" if number < FIRST_OWN => Reference::BuiltIn(row.some(5)?, row.some(6)?),
                "function" => Reference::Own(number),
                "relation" => Reference::Relation(number, row.some(4)?, row.some(5)?, row.some(6)?),
                "lock" => Reference::Lock,
                "long" => Reference::Long,
                _ => Reference::Type(number),
            };
            judge.references.entry(node).or_default().push(reference);
        }
        judge.suspects(shadows, &reach)?;
        judge.reach = judge.with_domains(reach);
        judge.known.borrow_mut().clear();
        judge.shadows(shadows)?;
        Ok(judge)
    }

    /// Checks of domains run wherever a value of them is made; they may call what does harm among PostgreSQL's own too.
    fn with_domains(&self, mut reach: Reach) -> Reach {
        for domain in reach.domains() {
            if let Some(why) = self.verdict(Node::Type(domain)) {
                reach.domain_does_harm(domain, &why);
            }
        }
        reach
    }

    /// Whose code a relation leads to, where nobody trusts that.
    pub(super) fn untrusted(&self, relation: u32) -> Option<&Untrusted> {
        let found = self.reach.of(RELATION, relation);
        found.or_else(|| self.reach.in_place_of_built_in())
    }

    /// What does harm whatever it is used for, or may do harm.
    fn suspects(&mut self, rows: &Rows, reach: &Reach) -> Result<(), BackendError> {
        let mut domains = Vec::new();
        let native = self.functions.iter().filter(|(number, function)| {
            function.is_native() && function.is_of_sound_extension(**number, reach)
        });
        let harmless: HashSet<u32> = native.map(|(number, _)| *number).collect();
        for row in rows.iter() {
            let (kind, name) = (row.some(0)?, row.some(1)?);
            match kind.as_str() {
                "symbol" => {
                    self.suspects.operators.insert(name);
                }
                "view" => {
                    self.suspects.relations.insert(name.to_lowercase());
                }
                "call" => {
                    self.suspects.fields.insert(name);
                }
                "cast" if !harmless.contains(&row.parsed(2)?) => {
                    let types = name.split(' ').map(str::to_lowercase);
                    self.suspects.types.extend(types);
                }
                "d" if self.references.contains_key(&Node::Type(row.parsed(3)?)) => {
                    let short = plain_type(&name);
                    let short = short.rsplit('.').next().unwrap_or_default();
                    domains.push((row.parsed(3)?, short.to_owned()));
                }
                _ => {}
            }
        }
        self.suspect_functions(harmless, &domains, reach);
        self.note_strange(reach);
        Ok(())
    }

    fn note_strange(&mut self, reach: &Reach) {
        let untrusted = self
            .functions
            .iter()
            .filter(|(number, _)| reach.of(FUNCTION, **number).is_some());
        self.strange = Suspects {
            functions: untrusted
                .map(|(_, function)| function.short().to_lowercase())
                .collect(),
            operators: self.suspects.operators.clone(),
            ..Suspects::default()
        };
        loop {
            let naming = self.functions.values().filter(|function| {
                !self.strange.functions.contains(&function.short().to_lowercase())
                    && self.strange_name(function).is_some()
            });
            let naming: Vec<String> = naming.map(|function| function.short().to_lowercase()).collect();
            if naming.is_empty() {
                return;
            }
            self.strange.functions.extend(naming);
        }
    }

    /// What the text of a function may call of owners who are not trusted, where they have anything.
    fn strange_name(&self, function: &Function) -> Option<&str> {
        let strange = Some(&self.strange).filter(|strange| !strange.functions.is_empty())?;
        body_names(function.text.as_ref()?, strange)
    }

    /// The text of an extension's function means what its names lead to now: whoever makes a function that fits better is
    /// called instead of the extension's. So a name is harmless where all functions that have it are.
    fn suspect_functions(&mut self, mut harmless: HashSet<u32>, domains: &[(u32, String)], reach: &Reach) {
        let types = self.suspects.types.clone();
        loop {
            let harmful = domains.iter().filter(|(domain, _)| {
                let mut checks = self.references.get(&Node::Type(*domain)).into_iter().flatten();
                reach.of(TYPE, *domain).is_some()
                    || checks.any(|reference| match reference {
                        Reference::Own(number) => !harmless.contains(number),
                        Reference::BuiltIn(name, _) => !function_is_listed(name, Dialect::Postgres),
                        Reference::Type(number) => self.references.contains_key(&Node::Type(*number)),
                        _ => true,
                    })
            });
            let harmful: Vec<String> = harmful.map(|(_, name)| name.clone()).collect();
            self.suspects.types = types.iter().cloned().chain(harmful).collect();
            let (mut all, mut suspects) = (HashSet::new(), HashSet::new());
            for (number, function) in &self.functions {
                let name = function.short().to_lowercase();
                if !harmless.contains(number) {
                    suspects.insert(name.clone());
                }
                all.insert(name);
            }
            self.suspects.harmless = &all - &suspects;
            self.suspects.functions = suspects;
            let texts = self.functions.iter().filter(|(number, function)| {
                !harmless.contains(number)
                    && function.is_of_sound_extension(**number, reach)
                    && function
                        .text
                        .as_ref()
                        .is_some_and(|text| body_reaches_out(text, &self.suspects).is_none())
            });
            let texts: Vec<u32> = texts.map(|(number, _)| *number).collect();
            if texts.is_empty() {
                return;
            }
            harmless.extend(texts);
        }
    }

    fn shadows(&mut self, rows: &Rows) -> Result<(), BackendError> {
        let mut shadowed = Shadowed::default();
        for row in rows.iter() {
            let (name, function): (String, u32) = (row.some(1)?, row.parsed(2)?);
            match row.some(0)?.as_str() {
                "own function" => {
                    shadowed.own.functions.insert(name);
                    continue;
                }
                "own operator" => {
                    shadowed.own.operators.insert(name);
                    continue;
                }
                _ => {}
            }
            let harm = match row.some(0)?.as_str() {
                "operator" => self.reach.of(OPERATOR, row.parsed(3)?).map(Untrusted::why),
                _ => None,
            };
            let harm = harm.or_else(|| self.verdict(Node::Function(function)));
            let own = |judge: &Self| {
                judge
                    .functions
                    .get(&function)
                    .map_or_else(|| "a function".to_owned(), |own| own.name.clone())
            };
            match (row.some(0)?.as_str(), harm) {
                ("coercion", _) => {
                    shadowed
                        .functions
                        .insert(name, "a type of the database's own".to_owned());
                }
                ("function", Some(why)) => {
                    shadowed
                        .functions
                        .insert(name, format!("{}, which {why}", own(self)));
                }
                ("operator", Some(why)) => {
                    let what = format!(
                        "one of the database's own, which calls {}, which {why}",
                        own(self)
                    );
                    shadowed.operators.insert(name, what);
                }
                ("type", _) => {
                    shadowed
                        .types
                        .insert(name, "a type of the database's own".to_owned());
                }
                ("cast", Some(why)) => {
                    let what = format!("has a type with a cast that calls {}, which {why}", own(self));
                    for number in [row.parsed(3)?, row.parsed(4)?] {
                        // Who makes a cast between a type of theirs and another's says nothing of the other.
                        let theirs = self.reach.of(FUNCTION, function).is_some();
                        if number >= FIRST_OWN && (!theirs || self.reach.of(TYPE, number).is_some()) {
                            self.harmful_types.insert(number, what.clone());
                        }
                    }
                }
                (kind @ ("d" | "b" | "r" | "m" | "c"), _) => {
                    let number = row.parsed(3)?;
                    let harm = self.verdict(Node::Type(number));
                    let what = match &harm {
                        Some(why) if kind == "d" => Some(format!("a domain whose check {why}")),
                        Some(why) => Some(format!("a type that {why}")),
                        None => (kind == "c").then(|| "a row".to_owned()),
                    };
                    if let Some(what) = what {
                        shadowed.types.insert(plain_type(&name), what);
                    }
                    // A column of a domain is compared as what is below it.
                    if let Some(why) = harm.filter(|_| kind != "d") {
                        self.harmful_types
                            .insert(number, format!("has a type that {why}"));
                    }
                }
                _ => {}
            }
        }
        self.shadowed = shadowed;
        Ok(())
    }

    /// What a function that the database defines says of itself.
    fn function(&self, number: u32) -> Option<String> {
        let Some(function) = self.functions.get(&number) else {
            return Some("is a trigger function".to_owned());
        };
        if let Some(why) = function.harm() {
            return Some(why.to_owned());
        }
        if let Some(why) = function.reaches_out() {
            return Some(why);
        }
        // An aggregate is judged by its parts.
        if function.aggregate {
            return None;
        }
        match function.language.as_str() {
            "internal" | "c" => None,
            "sql" | "plpgsql" => match &function.text {
                Some(text) => body_reaches_out(text, &self.suspects),
                None => Some("has a text that is too long, or settings of its own".to_owned()),
            },
            language => Some(format!("is written in {language}")),
        }
    }
}

impl Function {
    /// What it says of itself.
    fn harm(&self) -> Option<&'static str> {
        if self.volatile {
            return Some("is volatile");
        }
        self.definer.then_some("has its owner's rights")
    }

    /// True where it has no text that means something else once others have names in it.
    fn is_native(&self) -> bool {
        self.aggregate || matches!(self.language.as_str(), "internal" | "c")
    }

    /// Why it may do more than reckon, as far as its extension tells.
    fn reaches_out(&self) -> Option<String> {
        let extension = self.extension.as_ref()?;
        if function_reaches_out(self.short(), Dialect::Postgres) {
            return Some("reaches out".to_owned());
        }
        let unknown = self.is_native() && !self.aggregate && !self.reckons;
        unknown.then(|| {
            format!("may reach out: policy.trusted_extensions does not name its extension, {extension}")
        })
    }

    /// True for one of an extension that does no harm, as far as the extension and what it says of itself tell.
    fn is_of_sound_extension(&self, number: u32, reach: &Reach) -> bool {
        self.extension.is_some()
            && reach.of(FUNCTION, number).is_none()
            && self.harm().is_none()
            && self.reaches_out().is_none()
    }

    /// The name alone.
    fn short(&self) -> &str {
        self.name.split_once('.').map_or("", |(_, name)| name)
    }
}

/// A type's name without quotes and brackets, in lower case.
fn plain_type(name: &str) -> String {
    name.trim_end_matches("[]").replace('"', "").to_lowercase()
}
