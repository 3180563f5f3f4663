//! Objects in words, as `pg_get_indexdef`, `format_type` and their like tell them.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    sync::{Arc, LazyLock},
};

use super::{
    definitions::{find, fixed_rows},
    model::{BTREE, Constraint, Model, Trigger, schema_name},
    pretty::Shown,
    rows::{Cell, Rows},
    source::Table,
    spelled::TypeName,
    words,
};
use crate::{
    sqlite::translate::named_text,
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// What `pg_type` says of the types that every server has.
pub(super) struct Types {
    rows: Arc<Rows>,
}

/// How a type is stored, as `pg_attribute` repeats it.
pub(super) struct Stored {
    pub(super) length: i64,
    pub(super) by_value: bool,
    pub(super) align: Cell,
    pub(super) storage: Cell,
    pub(super) collation: i64,
    pub(super) dimensions: i64,
}

fn column(relation: &str, name: &str) -> usize {
    static FOUND: LazyLock<HashMap<(&str, &str), usize>> = LazyLock::new(|| {
        ["pg_type", "pg_opclass", "pg_proc"]
            .iter()
            .filter_map(|name| find("pg_catalog", name))
            .flat_map(|relation| {
                (0..)
                    .zip(&relation.columns)
                    .map(|(at, column)| ((relation.name, column.name), at))
            })
            .collect()
    });
    FOUND.get(&(relation, name)).copied().unwrap_or_default()
}

/// The rows of a relation that are the same in every database.
fn fixed(name: &str) -> Arc<Rows> {
    find("pg_catalog", name).map_or_else(|| Arc::new(Rows::new(1, vec![])), fixed_rows)
}

impl Types {
    pub(super) fn new() -> Self {
        Self {
            rows: fixed("pg_type"),
        }
    }

    fn row(&self, oid: i64) -> Option<&[Cell]> {
        let found = self
            .rows
            .find(column("pg_type", "oid"), &super::rows::Key::Integer(oid));
        found.first().map(|&position| self.rows.row(position))
    }

    /// A number in the row of a type.
    pub(super) fn integer(&self, oid: i64, name: &str) -> i64 {
        self.row(oid)
            .and_then(|row| row[column("pg_type", name)].integer())
            .unwrap_or_default()
    }

    /// A text in the row of a type.
    pub(super) fn text(&self, oid: i64, name: &str) -> &str {
        self.row(oid)
            .and_then(|row| row[column("pg_type", name)].text())
            .unwrap_or_default()
    }

    pub(super) fn stored(&self, oid: i64) -> Stored {
        Stored {
            length: self.row(oid).map_or(-1, |_| self.integer(oid, "typlen")),
            by_value: self.integer(oid, "typbyval") != 0,
            align: self.text(oid, "typalign").to_owned().into(),
            storage: self.text(oid, "typstorage").to_owned().into(),
            collation: self.integer(oid, "typcollation"),
            dimensions: (self.text(oid, "typcategory") == "A").into(),
        }
    }

    /// The number of the type with this name in `pg_type`; 0 where there is none.
    pub(super) fn number(&self, name: &str) -> i64 {
        let key = super::rows::Key::Text(name.to_owned());
        let found = self.rows.find(column("pg_type", "typname"), &key);
        found
            .first()
            .and_then(|&position| self.rows.row(position)[column("pg_type", "oid")].integer())
            .unwrap_or_default()
    }

    /// The number of the type as SQL spells it, or as `pg_type` does.
    pub(super) fn named(&self, spelled: &str) -> Option<i64> {
        self.called(&super::spelled::read(spelled).ok()?)
    }

    /// The number of a type that every server has.
    pub(super) fn called(&self, name: &TypeName) -> Option<i64> {
        if name
            .schema
            .as_deref()
            .is_some_and(|schema| schema != "pg_catalog")
        {
            return None;
        }
        let number = self.number(&name.name);
        let number = if name.is_array {
            self.integer(number, "typarray")
        } else {
            number
        };
        (number != 0).then_some(number)
    }

    /// The class of operators by which a B-tree sorts this type.
    pub(super) fn operator_class(ty: i64) -> i64 {
        let classes = fixed("pg_opclass");
        let at = |name| column("pg_opclass", name);
        let of = |ty: i64| {
            let key = super::rows::Key::Integer(ty);
            classes
                .find(at("opcintype"), &key)
                .iter()
                .map(|&position| classes.row(position))
                .find_map(|row| {
                    let default = row[at("opcdefault")] == Cell::Integer(1)
                        && row[at("opcmethod")] == Cell::Integer(BTREE);
                    default.then(|| row[at("oid")].integer()).flatten()
                })
        };
        // `varchar` is sorted as `text`.
        of(ty).or_else(|| of(25)).unwrap_or_default()
    }

    /// The class of operators for a B-tree of this name, unless it is the usual one of its type.
    pub(super) fn unusual_class(name: &str) -> Option<i64> {
        let classes = fixed("pg_opclass");
        let at = |name| column("pg_opclass", name);
        let key = super::rows::Key::Text(name.to_owned());
        let found = classes.find(at("opcname"), &key);
        let mut rows = found.iter().map(|&position| classes.row(position));
        let own = rows.find(|row| row[at("opcmethod")] == Cell::Integer(BTREE))?;
        let is_usual = own[at("opcdefault")] == Cell::Integer(1);
        own[at("oid")].integer().filter(|_| !is_usual)
    }

    /// The type as SQL spells it.
    pub(super) fn shown(&self, model: &Model, oid: i64, modifier: i64) -> String {
        if oid == 0 {
            return "-".to_owned();
        }
        let Some(_) = self.row(oid) else {
            let own = model.of_row_type(oid);
            return own.map_or_else(|| "???".to_owned(), |own| quote_identifier(&own.name));
        };
        let element = self.integer(oid, "typelem");
        // As PostgreSQL tells a vector, which is kept plainly, from an array.
        if element != 0 && self.text(oid, "typcategory") == "A" && self.text(oid, "typstorage") != "p" {
            return format!("{}[]", self.shown(model, element, modifier));
        }
        let name = self.text(oid, "typname");
        let shown = SPELLED
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(name, |(_, shown)| *shown);
        if modifier < 0 {
            return if name == "char" {
                "\"char\"".to_owned()
            } else {
                shown.to_owned()
            };
        }
        match name {
            "varchar" | "bpchar" => format!("{shown}({})", modifier - 4),
            "numeric" => format!("numeric({},{})", (modifier - 4) >> 16, scale(modifier)),
            "bit" | "varbit" => format!("{shown}({modifier})"),
            "time" | "timetz" | "timestamp" | "timestamptz" => {
                let (word, zone) = shown.split_once(' ').unwrap_or((shown, ""));
                format!("{word}({modifier}) {zone}")
            }
            "interval" => {
                let fields = interval_fields(modifier);
                let blank = if fields.is_empty() { "" } else { " " };
                match modifier & 0xffff {
                    0xffff => format!("interval{blank}{fields}"),
                    digits => format!("interval{blank}{fields}({digits})"),
                }
            }
            _ => shown.to_owned(),
        }
    }

    /// A type as it stands behind a default's literal.
    pub(super) fn of_default(&self, model: &Model, oid: i64) -> String {
        match self.text(oid, "typname") {
            "bit" => "\"bit\"".to_owned(),
            "_bit" => "\"bit\"[]".to_owned(),
            "bpchar" => "bpchar".to_owned(),
            "_bpchar" => "bpchar[]".to_owned(),
            _ => self.shown(model, oid, -1),
        }
    }

    /// The type of a column as SQL spells it. Types of which SQL has no spelling without a length have names of their own.
    pub(super) fn of_column(&self, model: &Model, oid: i64, modifier: i64) -> String {
        match (self.text(oid, "typname"), modifier) {
            ("bpchar", -1) => "bpchar".to_owned(),
            ("bit", -1) => "\"bit\"".to_owned(),
            _ => self.shown(model, oid, modifier),
        }
    }
}

/// The digits behind the point of a `numeric` with this modifier; their number is signed.
pub(super) fn scale(modifier: i64) -> i64 {
    (((modifier - 4) & 0x7ff) ^ 0x400) - 0x400
}

/// The fields of an `interval` with this modifier, in words; empty for all.
pub(super) fn interval_fields(modifier: i64) -> String {
    const FIELDS: [(&str, i64); 6] = [
        ("year", 1 << 2),
        ("month", 1 << 1),
        ("day", 1 << 3),
        ("hour", 1 << 10),
        ("minute", 1 << 11),
        ("second", 1 << 12),
    ];
    let named = || FIELDS.iter().filter(|(_, bit)| (modifier >> 16) & bit != 0);
    match (named().next(), named().next_back()) {
        _ if modifier >> 16 == 0x7fff => String::new(),
        (Some((first, _)), Some((last, _))) if first == last => (*first).to_owned(),
        (Some((first, _)), Some((last, _))) => format!("{first} to {last}"),
        _ => String::new(),
    }
}

/// Types that SQL spells otherwise than `pg_type`.
const SPELLED: [(&str, &str); 13] = [
    ("bool", "boolean"),
    ("int2", "smallint"),
    ("int4", "integer"),
    ("int8", "bigint"),
    ("float4", "real"),
    ("float8", "double precision"),
    ("bpchar", "character"),
    ("varchar", "character varying"),
    ("time", "time without time zone"),
    ("timetz", "time with time zone"),
    ("timestamp", "timestamp without time zone"),
    ("timestamptz", "timestamp with time zone"),
    ("varbit", "bit varying"),
];

/// A name as SQL reads it.
pub(super) fn quote_identifier(name: &str) -> String {
    let plain = name.chars().enumerate().all(|(at, character)| {
        character == '_' || character.is_ascii_lowercase() || (at > 0 && character.is_ascii_digit())
    });
    if plain && !name.is_empty() && !is_keyword(name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// True for a word that is not a name everywhere.
fn is_keyword(name: &str) -> bool {
    static RESERVED: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let words = fixed("pg_get_keywords");
        let reserved = words.iter().filter(|row| row[1].text() != Some("U"));
        reserved
            .filter_map(|row| row[0].text().map(str::to_owned))
            .collect()
    });
    RESERVED.contains(name)
}

/// A relation as `regclass` shows it: with its schema where that is not searched.
pub(super) fn relation(model: &Model, oid: i64) -> Option<String> {
    if let Some(own) = model.relation(oid) {
        let name = quote_identifier(&own.name);
        return Some(if model.is_visible(own) {
            name
        } else {
            format!(
                "{}.{name}",
                quote_identifier(schema_name(&model.tables[own.table]))
            )
        });
    }
    let known = super::definitions::relations()
        .iter()
        .find(|known| known.oid == oid && known.kind != "f")?;
    Some(if known.schema == "pg_catalog" {
        known.name.to_owned()
    } else {
        format!("{}.{}", known.schema, known.name)
    })
}

fn names(table: &Table, columns: &[i64]) -> String {
    let names: Vec<String> = columns
        .iter()
        .filter_map(|column| table.columns.get((column - 1) as usize))
        .map(|column| quote_identifier(&column.name))
        .collect();
    names.join(", ")
}

/// What happens to a row whose key goes, in words.
pub(super) fn action(letter: char) -> &'static str {
    match letter {
        'c' => "CASCADE",
        'n' => "SET NULL",
        'd' => "SET DEFAULT",
        'r' => "RESTRICT",
        _ => "NO ACTION",
    }
}

/// A constraint as `ALTER TABLE … ADD` takes it.
pub(super) fn constraint(model: &Model, constraint: &Constraint, shown: Shown) -> String {
    let table = &model.tables[constraint.table];
    let columns = names(table, &constraint.columns);
    let mut told = match constraint.kind {
        'p' => format!("PRIMARY KEY ({columns})"),
        'u' => format!("UNIQUE ({columns})"),
        'c' => {
            let condition = model.condition_of(constraint);
            let condition = condition.unwrap_or_else(|| words::condition(&constraint.written.expression));
            format!("CHECK ({})", shown.of(&condition))
        }
        _ => String::new(),
    };
    if let Some(target) = constraint.target {
        let target_table = &model.tables[target];
        let name = relation(model, model.oids[target]).unwrap_or_default();
        told = format!(
            "FOREIGN KEY ({columns}) REFERENCES {name}({})",
            names(target_table, &constraint.target_columns)
        );
        for (event, letter) in [("UPDATE", constraint.on_update), ("DELETE", constraint.on_delete)] {
            if letter != 'a' {
                let _ = write!(told, " ON {event} {}", action(letter));
            }
        }
    }
    if constraint.written.deferrable {
        told.push_str(" DEFERRABLE");
    }
    if constraint.written.deferred {
        told.push_str(" INITIALLY DEFERRED");
    }
    told
}

/// The query of a view.
pub(super) fn view(table: &Table) -> String {
    if let Some(written) = &table.written {
        return format!(" {written};");
    }
    let mut depth = 0_usize;
    let mut names = vec![];
    for (at, piece) in pieces(&table.sql) {
        match piece {
            Piece::Token("(") => depth += 1,
            Piece::Token(")") => depth = depth.saturating_sub(1),
            Piece::Token(token) if depth == 0 && token.eq_ignore_ascii_case("as") => {
                let query = table.sql[at + token.len()..].trim().trim_end_matches(';');
                return format!(" {};", named_text(&words::expression(query), &names));
            }
            Piece::Token(token) if depth == 1 && token != "," => names.push(unquote(token)),
            _ => {}
        }
    }
    table.sql.clone()
}

/// What a trigger is set off by.
pub(super) struct TriggerDefinition {
    /// As in `pg_trigger.tgtype`.
    pub(super) kind: i64,
    pub(super) timing: &'static str,
    pub(super) event: &'static str,
    /// What it does.
    pub(super) body: String,
}

/// Reads a `CREATE TRIGGER`.
pub(super) fn trigger(trigger: &Trigger) -> TriggerDefinition {
    let mut told = TriggerDefinition {
        kind: 1,
        timing: "BEFORE",
        event: "INSERT",
        body: String::new(),
    };
    let mut event = None;
    for (at, piece) in pieces(&trigger.sql) {
        let Piece::Token(token) = piece else { continue };
        match token.to_ascii_uppercase().as_str() {
            "BEGIN" => {
                trigger.sql[at..].clone_into(&mut told.body);
                break;
            }
            "AFTER" if event.is_none() => told.timing = "AFTER",
            "INSTEAD" if event.is_none() => told.timing = "INSTEAD OF",
            "INSERT" => event = event.or(Some(("INSERT", 4))),
            "DELETE" => event = event.or(Some(("DELETE", 8))),
            "UPDATE" => event = event.or(Some(("UPDATE", 16))),
            _ => {}
        }
    }
    let (event, bit) = event.unwrap_or(("INSERT", 4));
    told.event = event;
    told.kind += bit
        + match told.timing {
            "BEFORE" => 2,
            "INSTEAD OF" => 64,
            _ => 0,
        };
    told
}
