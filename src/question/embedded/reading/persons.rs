//! Words for people: who works for the company, who buys from it, and which tables hold persons.

use super::{
    items::{Linker, Meaning, Sense},
    names::better,
};
use crate::question::{
    schema::{Schema, words},
    semantic::DatasetRole,
};

impl Linker<'_> {
    /// People are whoever has a name, where nothing is called so.
    pub(super) fn persons(&self, at: usize, senses: &mut Vec<Sense>) {
        let word = self.tokens[at].word.as_str();
        // `farmers who …`: whoever does something, where nothing is called so.
        let next = self.tokens.get(at + 1).map_or("", |token| token.word.as_str());
        let doers = senses.is_empty()
            && ["ers", "ors", "ists", "ees"]
                .iter()
                .any(|end| word.ends_with(end))
            && matches!(
                next,
                "who" | "that" | "whose" | "with" | "without" | "from" | "still"
            );
        if doers {
            for table in 0..self.model.datasets.len() {
                if is_person(&self.snapshot.schema, table) {
                    better(senses, &Meaning::Dataset(table), 0.5);
                }
            }
            return;
        }
        self.companies(word, senses);
        if senses.is_empty() && is_post(word) {
            for table in 0..self.model.datasets.len() {
                let schema = &self.snapshot.schema;
                if is_person(schema, table) && works_here(&schema.tables[table].name) {
                    better(senses, &Meaning::Dataset(table), 0.6);
                }
            }
            return;
        }
        if !matches!(
            word,
            "people"
                | "everyone"
                | "everybody"
                | "persons"
                | "anyone"
                | "members"
                | "individuals"
                | "accounts"
                | "colleagues"
                | "folks"
                | "customers"
                | "customer"
                | "clients"
                | "client"
                | "buyers"
                | "users"
                | "guests"
                | "staff"
                | "employees"
                | "employee"
                | "workers"
                | "personnel"
        ) {
            return;
        }
        let clients = matches!(
            word,
            "customers" | "customer" | "clients" | "client" | "buyers" | "users" | "guests"
        );
        let asks_for_staff = matches!(word, "staff" | "employees" | "employee" | "workers" | "personnel");
        if (clients || asks_for_staff)
            && senses
                .iter()
                .any(|sense| matches!(sense.meaning, Meaning::Dataset(_)) && sense.score >= 0.7)
        {
            return;
        }
        for table in 0..self.model.datasets.len() {
            if !is_person(&self.snapshot.schema, table) {
                continue;
            }
            // Whoever works for the company is no client of it.
            let works = works_here(&self.snapshot.schema.tables[table].name);
            let others = clients && works || asks_for_staff && !works;
            better(senses, &Meaning::Dataset(table), if others { 0.4 } else { 0.65 });
        }
        if clients {
            for (table, dataset) in self.model.datasets.iter().enumerate() {
                let name = words::identifier_words(&self.snapshot.schema.tables[table].name);
                if matches!(dataset.role, DatasetRole::Entity | DatasetRole::Event)
                    && name.iter().any(|word| buys_here(word))
                {
                    better(senses, &Meaning::Dataset(table), 0.7);
                }
            }
        }
    }
}

impl Linker<'_> {
    /// Companies that buy from the company are kept as its accounts.
    fn companies(&self, word: &str, senses: &mut Vec<Sense>) {
        let asked = matches!(
            word,
            "company"
                | "companies"
                | "firm"
                | "firms"
                | "business"
                | "businesses"
                | "organisation"
                | "organisations"
                | "organization"
                | "organizations"
        );
        let is_table = |sense: &Sense| matches!(sense.meaning, Meaning::Dataset(_)) && sense.score >= 0.7;
        if !asked || senses.iter().any(is_table) {
            return;
        }
        let schema = &self.snapshot.schema;
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            let name = words::identifier_words(&schema.tables[table].name);
            if dataset.role == DatasetRole::Entity
                && !is_person(schema, table)
                && name.iter().any(|word| buys_here(word))
            {
                better(senses, &Meaning::Dataset(table), 0.7);
            }
        }
    }
}

/// True for a word for a post that people have in a company.
fn is_post(word: &str) -> bool {
    matches!(
        word.strip_suffix('s').unwrap_or(word),
        "agent"
            | "rep"
            | "representative"
            | "consultant"
            | "advisor"
            | "adviser"
            | "handler"
            | "salesperson"
            | "salespeople"
            | "seller"
            | "clerk"
            | "specialist"
            | "assistant"
            | "engineer"
            | "dispatcher"
            | "recruiter"
            | "coache"
            | "coach"
            | "mechanic"
            | "technician"
            | "inspector"
            | "cashier"
            | "planner"
    )
}

/// True for a table of those who work for the company, by its name.
pub(super) fn works_here(table: &str) -> bool {
    words::identifier_words(table).iter().any(|word| is_staff(word))
}

/// True for a word for those who work for a company.
fn is_staff(word: &str) -> bool {
    matches!(
        word,
        "employee"
            | "employees"
            | "emp"
            | "empl"
            | "staff"
            | "stf"
            | "personnel"
            | "agent"
            | "agents"
            | "operator"
            | "operators"
            | "driver"
            | "drivers"
            | "crew"
            | "worker"
            | "workers"
            | "manager"
            | "technician"
            | "volunteer"
            | "volunteers"
            | "teacher"
            | "trainer"
    )
}

/// True for a word for those who buy from a company, be they persons or companies.
pub(super) fn buys_here(word: &str) -> bool {
    matches!(
        word.strip_suffix('s').unwrap_or(word),
        "account"
            | "client"
            | "customer"
            | "member"
            | "guest"
            | "subscriber"
            | "user"
            | "buyer"
            | "lessee"
            | "patient"
            | "tenant"
            | "organisation"
            | "organization"
            | "merchant"
            | "company"
    )
}

/// True for a table of persons, by its columns.
pub(super) fn is_person(schema: &Schema, table: usize) -> bool {
    let names: Vec<Vec<String>> = schema.tables[table]
        .columns
        .iter()
        .map(|column| words::identifier_words(&column.name))
        .collect();
    let has = |wanted: &[&str]| names.iter().flatten().any(|word| wanted.contains(&word.as_str()));
    let initial = |wanted: &str| {
        names
            .iter()
            .any(|name| matches!(&name[..], [one, said] if one == wanted && matches!(said.as_str(), "nm" | "name")))
    };
    has(&["first", "frst", "fst", "firstname", "fname", "fnm", "given"])
        && has(&[
            "last", "lst", "lastname", "lname", "lnm", "snm", "surname", "family",
        ])
        || initial("f") && initial("l")
        || has(&["surname", "email", "birth", "gender", "sex", "dob", "birthdate"])
}
