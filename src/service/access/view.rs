//! A database as some rules leave it: tables and columns taken out, rows restricted, private columns marked.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use super::{AccessError, Asker, check};
use crate::{
    config::{NamePattern, PolicyRule},
    question::{
        schema::{
            Column, ColumnRef, Dialect, Kept, Restriction, Schema, Snapshot, SourceColumn, Table, Withheld,
        },
        validator::row_condition,
    },
};

/// What is wrong with a rule is for whoever wrote it: the configuration is no business of those whom it keeps something from.
fn unusable(reason: String) -> AccessError {
    tracing::warn!(%reason, "the access policy cannot be applied");
    AccessError::Unusable { reason }
}

/// The snapshot without what the rules keep back. What the user's privileges keep back stays away too.
pub(super) fn view(
    snapshot: &Snapshot,
    asker: &Asker,
    rules: &[&PolicyRule],
    private: &[NamePattern],
) -> Result<Snapshot, AccessError> {
    let whole = match &snapshot.schema.withheld {
        Some(withheld) => &withheld.whole,
        None => snapshot,
    };
    if let Some(reason) = check::void(rules, private, whole) {
        return Err(unusable(reason));
    }
    let secret: Vec<&PolicyRule> = rules.iter().copied().filter(|rule| rule.is_secret()).collect();
    let (rules, secret) = (Rules(rules), Rules(&secret));
    let private = &PrivateColumns::of(private, &whole.schema, &rules);
    let known = KnownColumns::of(&whole.schema);
    let (mut shown, mut there, mut all_there) = (Vec::new(), Vec::new(), Vec::new());
    for table in 0..whole.schema.tables.len() {
        let all = whole.kept(table);
        let view = &all.shown;
        let hidden_view =
            !rules.names_view(view) && view.sources.iter().any(|source| rules.keep_back(source, &known));
        let open = |table: &Table, column: usize| {
            let column = &table.columns[column];
            !hidden_view && !column.denied && rules.may_read(table, column)
        };
        let kept = if hidden_view {
            None
        } else {
            limited(whole, &all, &open, (&rules, asker))?
        };
        let named = named(all.clone(), kept.as_ref(), (&rules, private, hidden_view));
        all_there.push(named.clone());
        // What must not be known is not among what is kept back.
        if !view.sources.iter().any(|source| secret.keep_back(source, &known)) {
            let named = named.keeping(|table, column| secret.may_read(table, &table.columns[column]));
            there.extend((!named.columns.is_empty()).then_some(named));
        }
        if let Some(mut kept) = kept {
            mark_private(&mut kept, private);
            shown.push(kept);
        }
    }
    let shown = whole.without_comments_on_hidden(shown);
    let view = whole.of_kept(shown, snapshot.fingerprint);
    let fingerprint = |is_open: bool| {
        let mut fingerprint = DefaultHasher::new();
        (snapshot.fingerprint, is_open).hash(&mut fingerprint);
        fingerprint.finish()
    };
    let mut named = whole.of_kept(there, fingerprint(secret.0.is_empty()));
    if !secret.0.is_empty() {
        // What is said of the database was said of all of it.
        let all = whole.of_kept(all_there, fingerprint(true));
        named = keeping_back(named, all, asker);
    }
    Ok(keeping_back(view, named, asker))
}

/// A part of a database that knows the whole it is of.
fn keeping_back(part: Snapshot, whole: Snapshot, asker: &Asker) -> Snapshot {
    let schema = Schema {
        withheld: Some(Arc::new(Withheld {
            whole,
            user: asker.user.clone(),
        })),
        ..Schema::clone(&part.schema)
    };
    Snapshot {
        schema: Arc::new(schema),
        ..part
    }
}

/// A table with its open columns, and the conditions on its rows; `None` where nothing is left of it.
fn limited(
    whole: &Snapshot,
    all: &Kept,
    open: &dyn Fn(&Table, usize) -> bool,
    (rules, asker): (&Rules<'_>, &Asker),
) -> Result<Option<Kept>, AccessError> {
    // What the server denies, a condition of ours cannot read either.
    let readable = all.clone().keeping(|table, column| !table.columns[column].denied);
    let hidden = (0..readable.columns.len())
        .filter(|column| !open(&readable.shown, *column))
        .map(|column| readable.shown.columns[column].clone())
        .collect();
    let mut kept = all.clone().keeping(open);
    if kept.columns.is_empty() {
        return Ok(None);
    }
    let restriction = Restriction {
        rows: rules.rows(&readable.shown, asker, whole.dialect)?,
        hidden,
    };
    if restriction.rows.is_some() {
        // Values of rows that must not be seen are among those that are known.
        kept.values.fill(false);
    }
    if restriction.rows.is_some() || !restriction.hidden.is_empty() {
        if whole.dialect == Dialect::Postgres {
            // What is read through a subquery has no key there by which the rest could be grouped.
            kept.shown.primary_key.clear();
        }
        kept.shown.restriction = Some(Arc::new(restriction));
    }
    Ok(Some(kept))
}

/// The whole table, of which nothing is known but names where it is kept back.
fn named(
    mut all: Kept,
    kept: Option<&Kept>,
    (rules, private, hidden_view): (&Rules<'_>, &PrivateColumns<'_>, bool),
) -> Kept {
    for (at, column) in all.columns.iter().enumerate() {
        let place = kept.and_then(|kept| kept.columns.iter().position(|kept| kept == column));
        all.values[at] = place.zip(kept).is_some_and(|(place, kept)| kept.values[place]);
        // What the policy keeps back is not told, whoever else keeps it back.
        let told = !hidden_view && rules.may_read(&all.shown, &all.shown.columns[at]);
        all.shown.columns[at].denied &= told;
    }
    if kept.is_some_and(|kept| kept.shown.primary_key.is_empty()) {
        all.shown.primary_key.clear();
    }
    mark_private(&mut all, private);
    all
}

fn mark_private(kept: &mut Kept, private: &PrivateColumns<'_>) {
    let (schema, table) = (kept.shown.schema.clone(), kept.shown.name.clone());
    let own = |column: &str| private.means(schema.as_deref(), &table, column);
    // What a view calls otherwise is as private as what it shows: none of its columns is told where it reads one.
    let behind = kept.shown.sources.iter().any(|source| {
        let (schema, table) = (source.schema.as_deref(), source.table.as_str());
        match &source.column {
            Some(column) => private.means(schema, table, column),
            None => private.may_mean_in(schema, table),
        }
    });
    for column in &mut kept.shown.columns {
        let computed = column.computed_from.iter().any(|read| own(read));
        column.private = behind || computed || own(&column.name);
    }
}

/// Columns of which models are told nothing: those that are named so, and those that refer to one.
struct PrivateColumns<'a> {
    named: &'a [NamePattern],
    /// By schema, table and name: a foreign key's values are those that it refers to.
    referring: HashSet<(Option<&'a str>, &'a str, &'a str)>,
}

impl<'a> PrivateColumns<'a> {
    fn of(named: &'a [NamePattern], schema: &'a Schema, rules: &Rules<'_>) -> Self {
        let mut found = Self {
            named,
            referring: HashSet::new(),
        };
        let place = |at: ColumnRef| {
            let table = &schema.tables[at.table];
            let (schema, name) = (table.schema.as_deref(), table.name.as_str());
            (schema, name, table.columns[at.column].name.as_str())
        };
        // A column that refers to one that refers to a private one is found in the next round.
        loop {
            let before = found.referring.len();
            for key in &schema.foreign_keys {
                for (from, to) in key.from.iter().zip(&key.to) {
                    let (table, column) = (&schema.tables[to.table], schema.column(*to));
                    let (namespace, name) = (table.schema.as_deref(), table.name.as_str());
                    let is_private = |column: &str| found.means(namespace, name, column);
                    // Of a table that is kept back as a whole, the keys in others' rows are those tables' own.
                    let is_denied = rules.denies_alone(table, column)
                        || (column.denied && table.columns.iter().any(|other| !other.denied));
                    let is_computed = column.computed_from.iter().any(|read| is_private(read));
                    if is_denied || is_computed || is_private(&column.name) {
                        found.referring.insert(place(*from));
                    }
                }
            }
            if found.referring.len() == before {
                return found;
            }
        }
    }

    fn means(&self, schema: Option<&str>, table: &str, column: &str) -> bool {
        let mut named = self.named.iter();
        named.any(|name| name.means_column(schema, table, column))
            || self.referring.contains(&(schema, table, column))
    }

    /// True if it may mean a column of a table that is read as a whole.
    fn may_mean_in(&self, schema: Option<&str>, table: &str) -> bool {
        let mut referring = self.referring.iter();
        self.named.iter().any(|name| name.may_mean_in(schema, table))
            || referring.any(|(within, of, _)| (*within, *of) == (schema, table))
    }
}

/// Columns of tables by their names, to know what a table that is read as a whole has.
struct KnownColumns<'a>(HashMap<(Option<&'a str>, &'a str), &'a [Column]>);

impl<'a> KnownColumns<'a> {
    fn of(schema: &'a Schema) -> Self {
        let tables = schema.tables.iter();
        Self(
            tables
                .map(|table| {
                    let key = (table.schema.as_deref(), table.name.as_str());
                    (key, table.columns.as_slice())
                })
                .collect(),
        )
    }
}

/// The rules that are about somebody.
struct Rules<'a>(&'a [&'a PolicyRule]);

impl Rules<'_> {
    /// True for a column that some rule allows, if any rule says what is allowed, and that no rule denies.
    fn may_read(&self, table: &Table, column: &Column) -> bool {
        let (schema, name) = (table.schema.as_deref(), table.name.as_str());
        // What is computed of a column shows it.
        let denied = |read: &String| {
            let mut deny = self.0.iter().flat_map(|rule| &rule.deny);
            deny.any(|pattern| pattern.means_column(schema, name, read))
        };
        self.allows(schema, name, Some(&column.name)) && !column.computed_from.iter().any(denied)
    }

    /// True for a column that some rule denies, and not its table with it.
    fn denies_alone(&self, table: &Table, column: &Column) -> bool {
        let (schema, name) = (table.schema.as_deref(), table.name.as_str());
        let mut deny = self.0.iter().flat_map(|rule| &rule.deny);
        deny.any(|pattern| {
            pattern.means_column(schema, name, &column.name) && !pattern.means_table(schema, name)
        })
    }

    fn allows(&self, schema: Option<&str>, table: &str, column: Option<&str>) -> bool {
        let means = |name: &NamePattern| match column {
            Some(column) => name.means_column(schema, table, column),
            None => name.means_table(schema, table),
        };
        let mut limited = self.0.iter().filter_map(|rule| rule.allow.as_ref()).peekable();
        let allowed = limited.peek().is_none() || limited.any(|allow| allow.iter().any(means));
        allowed && !self.0.iter().any(|rule| rule.deny.iter().any(means))
    }

    /// True if somebody has thought of this view when it was allowed.
    fn names_view(&self, table: &Table) -> bool {
        let allow = self.0.iter().filter_map(|rule| rule.allow.as_ref()).flatten();
        let mut rows = self.0.iter().flat_map(|rule| &rule.rows).map(|(name, _)| name);
        let (schema, name) = (table.schema.as_deref(), table.name.as_str());
        allow
            .chain(rows.by_ref())
            .any(|pattern| pattern.names_table(schema, name))
    }

    /// True for what must not be read through a view: what is denied, and what only some rows may be read of.
    fn keep_back(&self, source: &SourceColumn, known: &KnownColumns<'_>) -> bool {
        let (schema, table) = (source.schema.as_deref(), source.table.as_str());
        let restricted = self
            .0
            .iter()
            .flat_map(|rule| &rule.rows)
            .any(|(name, _)| name.means_table(schema, table));
        if restricted {
            return true;
        }
        match (&source.column, known.0.get(&(schema, table))) {
            (Some(column), _) => !self.allows(schema, table, Some(column)),
            (None, Some(columns)) => columns
                .iter()
                .any(|column| !self.allows(schema, table, Some(&column.name))),
            // Of a table that the user cannot read, the columns are not known.
            (None, None) => {
                let deny = self.0.iter().flat_map(|rule| &rule.deny);
                !self.allows(schema, table, None)
                    || deny.into_iter().any(|name| name.may_mean_in(schema, table))
            }
        }
    }

    /// The conditions on a table's rows, all of which count.
    fn rows(&self, table: &Table, asker: &Asker, dialect: Dialect) -> Result<Option<String>, AccessError> {
        let mut conditions = Vec::new();
        for rule in self.0 {
            for (name, condition) in &rule.rows {
                if !name.means_table(table.schema.as_deref(), &table.name) {
                    continue;
                }
                let condition = row_condition(condition, table, &asker.user, dialect).map_err(|finding| {
                    let reason = format!(
                        "The condition on {} ({}) is wrong: {}.",
                        table.name, rule.source, finding.message
                    );
                    unusable(reason)
                })?;
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
        }
        Ok((!conditions.is_empty()).then(|| conditions.join(" AND ")))
    }
}
