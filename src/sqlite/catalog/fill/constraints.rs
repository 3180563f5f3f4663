//! Indexes, constraints, triggers and what depends on what.

use std::collections::HashSet;

use super::{catalog, relations::belonging};
use crate::{
    sqlite::catalog::{
        definitions::{Relation, relations},
        describe::{self, Types},
        indexed,
        model::{Constraint, Model, schema},
        rows::{Cell, Filling, Rows},
        source::Table,
    },
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// `{1,2}`, as arrays are written.
fn array(numbers: impl IntoIterator<Item = i64>) -> Cell {
    let texts: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("{{{}}}", texts.join(",")).into()
}

/// `1 2`, as vectors are written.
fn vector(numbers: impl IntoIterator<Item = i64>) -> Cell {
    let texts: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    texts.join(" ").into()
}

pub(super) fn indexes(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "indexrelid",
            "indrelid",
            "indnatts",
            "indnkeyatts",
            "indisunique",
            "indisprimary",
            "indimmediate",
            "indisvalid",
            "indisready",
            "indislive",
            "indkey",
            "indcollation",
            "indclass",
            "indoption",
            "indexprs",
            "indpred",
        ],
    );
    let types = Types::new();
    for (position, keyed) in model
        .indexes
        .iter()
        .enumerate()
        .flat_map(|(at, all)| all.iter().map(move |one| (at, one)))
    {
        let columns = keyed.columns.len() as i64;
        let ty = |column: &i64| match usize::try_from(column - 1) {
            Ok(column) => model.column_type(position, column).0,
            Err(_) => 25,
        };
        let expressions = keyed
            .columns
            .contains(&0)
            .then(|| indexed::expressions(keyed).join(", "));
        let manner = indexed::Manner::of(&model.tables[position], keyed);
        let all = keyed.columns.iter().chain(&manner.included);
        rows.add([
            keyed.oid.into(),
            model.oids[position].into(),
            (columns + manner.included.len() as i64).into(),
            columns.into(),
            keyed.index.unique.into(),
            (keyed.constraint == Some('p')).into(),
            true.into(),
            true.into(),
            true.into(),
            true.into(),
            vector(all.copied()),
            vector(
                keyed
                    .columns
                    .iter()
                    .map(|column| types.stored(ty(column)).collation),
            ),
            vector(keyed.columns.iter().zip(&manner.classes).map(|(column, class)| {
                let class = class.as_ref().map(|(_, class)| *class);
                class.unwrap_or_else(|| Types::operator_class(ty(column)))
            })),
            // One for descending order, two for NULL in front.
            vector(
                manner
                    .orders
                    .iter()
                    .map(|(descending, first)| i64::from(*descending) + 2 * i64::from(*first)),
            ),
            expressions.into(),
            indexed::predicate(keyed).into(),
        ]);
    }
    rows.done()
}

pub(super) fn constraints(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "oid",
            "conname",
            "connamespace",
            "contype",
            "condeferrable",
            "condeferred",
            "convalidated",
            "conrelid",
            "conindid",
            "confrelid",
            "confupdtype",
            "confdeltype",
            "confmatchtype",
            "conislocal",
            "connoinherit",
            "conkey",
            "confkey",
            "conbin",
        ],
    );
    for constraint in model.shown_constraints() {
        let foreign = constraint.target.is_some();
        rows.add([
            constraint.oid.into(),
            Cell::from(&constraint.name),
            schema(&model.tables[constraint.table]).into(),
            constraint.kind.to_string().into(),
            constraint.written.deferrable.into(),
            constraint.written.deferred.into(),
            true.into(),
            model.oids[constraint.table].into(),
            constraint.index.into(),
            constraint.target.map_or(0, |target| model.oids[target]).into(),
            constraint.on_update.to_string().into(),
            constraint.on_delete.to_string().into(),
            (if foreign { "s" } else { " " }).into(),
            true.into(),
            (constraint.kind != 'c').into(),
            (!constraint.columns.is_empty())
                .then(|| array(constraint.columns.iter().copied()))
                .into(),
            foreign
                .then(|| array(constraint.target_columns.iter().copied()))
                .into(),
            (constraint.kind == 'c')
                .then(|| constraint.written.expression.clone())
                .into(),
        ]);
    }
    rows.done()
}

pub(super) fn triggers(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &["oid", "tgrelid", "tgname", "tgtype", "tgenabled", "tgisinternal"],
    );
    for trigger in &model.triggers {
        let told = describe::trigger(trigger);
        rows.add([
            trigger.oid.into(),
            model.oids[trigger.table].into(),
            Cell::from(&trigger.name),
            told.kind.into(),
            "O".into(),
            // No dump can make one elsewhere, where it would have to call a function.
            true.into(),
        ]);
    }
    rows.done()
}

/// A view is a rule that reads something else instead.
pub(super) fn rules(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "oid",
        "rulename",
        "ev_class",
        "ev_type",
        "ev_enabled",
        "is_instead",
        "ev_qual",
        "ev_action",
    ];
    let mut rows = Filling::new(relation, &columns);
    let own = model.tables.iter().zip(&model.oids);
    let own = own.filter(|(table, _)| table.is_view);
    let own = own.map(|(table, oid)| (*oid, Cell::from(&table.sql)));
    let known = relations().iter().filter(|known| known.kind == "v");
    for (oid, action) in own.chain(known.map(|known| (known.oid, Cell::from("")))) {
        rows.add([
            rule_of(oid).into(),
            "_RETURN".into(),
            oid.into(),
            "1".into(),
            "O".into(),
            true.into(),
            "<>".into(),
            action,
        ]);
    }
    rows.done()
}

/// The numbers of the tables and views that a view names where such stand: behind FROM, JOIN, a comma or a parenthesis.
pub(super) fn read_by(model: &Model, view: &Table) -> Vec<i64> {
    let mut found = vec![];
    let mut before = String::new();
    for (_, piece) in pieces(&view.sql) {
        let Piece::Token(token) = piece else { continue };
        let stands = matches!(before.as_str(), "from" | "join" | "," | "(" | ".");
        let name = unquote(token);
        if let Some(read) = model.named(Some(schema(view)), &name).filter(|_| stands)
            && read.is_table()
            && !read.name.eq_ignore_ascii_case(&view.name)
            && !found.contains(&read.oid)
        {
            found.push(read.oid);
        }
        before = token.to_lowercase();
    }
    found
}

/// The names in lower case by which a view groups.
fn grouped_by(view: &Table) -> HashSet<String> {
    let words = pieces(&view.sql).filter_map(|(_, piece)| match piece {
        Piece::Token(token) => Some(token),
        _ => None,
    });
    let mut found = HashSet::new();
    let (mut before, mut is_key) = ("", false);
    for word in words {
        let is = |wanted: &str| word.eq_ignore_ascii_case(wanted);
        if is("by") {
            is_key = before.eq_ignore_ascii_case("group");
        } else if ["having", "order", "limit", "window", "union"]
            .into_iter()
            .any(is)
        {
            is_key = false;
        } else if is_key {
            found.insert(unquote(word).to_lowercase());
        }
        before = word;
    }
    found
}

/// The primary keys by which a view groups: PostgreSQL takes the other columns of their tables for one value each, and a dump
/// makes the key before the view.
fn keys_grouped_by<'m>(model: &'m Model, view: &Table, read: &[i64]) -> impl Iterator<Item = &'m Constraint> {
    let names = grouped_by(view);
    model.shown_constraints().filter(move |own| {
        let columns = &model.tables[own.table].columns;
        let is_named = |column: &i64| {
            let name = usize::try_from(*column - 1).ok().and_then(|at| columns.get(at));
            name.is_some_and(|column| names.contains(&column.name.to_lowercase()))
        };
        own.kind == 'p' && read.contains(&model.oids[own.table]) && own.columns.iter().all(is_named)
    })
}

/// The number of the rule that a view is.
pub(in crate::sqlite::catalog) fn rule_of(view: i64) -> i64 {
    16_384 + (view.wrapping_mul(17) + 1).rem_euclid((1 << 31) - 16_384)
}

/// Indexes belong to their constraints or tables, foreign keys to the keys that they refer to.
pub(super) fn dependencies(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "classid",
            "objid",
            "objsubid",
            "refclassid",
            "refobjid",
            "refobjsubid",
            "deptype",
        ],
    );
    let (class, constraint) = (catalog("pg_class").oid, catalog("pg_constraint").oid);
    let mut add = |from: (i64, i64), to: (i64, i64, i64), kind: &'static str| {
        let [one, other, sub] = [to.0, to.1, to.2].map(Cell::from);
        rows.add([
            from.0.into(),
            from.1.into(),
            0.into(),
            one,
            other,
            sub,
            kind.into(),
        ]);
    };
    for own in model.shown_constraints() {
        let table = model.oids[own.table];
        for column in &own.columns {
            add(
                (constraint, own.oid),
                (class, table, *column),
                if own.kind == 'f' { "n" } else { "a" },
            );
        }
        match own.kind {
            'p' | 'u' => add((class, own.index), (constraint, own.oid, 0), "i"),
            'f' if own.index != 0 => add((constraint, own.oid), (class, own.index, 0), "n"),
            _ => {}
        }
    }
    let rule = catalog("pg_rewrite").oid;
    for (view, &oid) in model
        .tables
        .iter()
        .zip(&model.oids)
        .filter(|(table, _)| table.is_view)
    {
        add((rule, rule_of(oid)), (class, oid, 0), "i");
        let read = read_by(model, view);
        for read in &read {
            add((rule, rule_of(oid)), (class, *read, 0), "n");
        }
        for key in keys_grouped_by(model, view, &read) {
            add((rule, rule_of(oid)), (constraint, key.oid, 0), "n");
        }
    }
    let default = catalog("pg_attrdef").oid;
    for own in model.relations.iter().filter(|own| own.is_table()) {
        for (position, column) in (1_i64..).zip(&model.tables[own.table].columns) {
            let told = model.default_of(own.table, position as usize - 1);
            let Some(told) = told.filter(|_| !column.is_generated) else {
                continue;
            };
            let of_default = (default, belonging(own, position));
            add(of_default, (class, own.oid, position), "a");
            if let Some(sequence) = model.drawn_of(&told) {
                add(of_default, (class, sequence.oid, 0), "n");
            }
        }
    }
    for own in model.sequences() {
        let Some(column) = own.sequence else { continue };
        let is_identity = !model.tables[own.table].columns[column].identity.is_empty();
        let kind = if is_identity { "i" } else { "a" };
        add(
            (class, own.oid),
            (class, model.oids[own.table], column as i64 + 1),
            kind,
        );
    }
    for (position, keyed) in model
        .indexes
        .iter()
        .enumerate()
        .flat_map(|(at, all)| all.iter().map(move |one| (at, one)))
    {
        if keyed.constraint.is_none() {
            for column in &keyed.columns {
                add((class, keyed.oid), (class, model.oids[position], *column), "a");
            }
        }
    }
    rows.done()
}
