//! The schema as a session sees it, from the catalogue's rows in one round trip; what it may not read is marked.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use super::{
    Querier, Query, Rows,
    judge::{FUNCTIONS, Judge, Node, REFERENCES, SHADOWS},
    kinds,
    lineage::{self, Sources},
    rows::odd,
    trust::{Reach, Trust},
};
use crate::{
    backend::BackendError,
    question::schema::{
        Column, ColumnKind, ColumnProfile, ColumnRef, ForeignKey, Profile, Schema, SourceColumn, Spelling,
        Statistics, Table, TableProfile, infer_keys,
    },
};

const TABLES: &str = include_str!("../../../dialects/postgres/introspection/tables.sql");
const COLUMNS: &str = include_str!("../../../dialects/postgres/introspection/columns.sql");
const KEYS: &str = include_str!("../../../dialects/postgres/introspection/keys.sql");
const FOREIGN_KEYS: &str = include_str!("../../../dialects/postgres/introspection/foreign_keys.sql");
const ENUMS: &str = include_str!("../../../dialects/postgres/introspection/enums.sql");
const SOURCES: &str = include_str!("../../../dialects/postgres/introspection/sources.sql");
const SHOWN: &str = include_str!("../../../dialects/postgres/introspection/shown.sql");
const STATISTICS: &str = include_str!("../../../dialects/postgres/introspection/statistics.sql");

/// How the session writes and reads what is asked for the catalogue, whatever its client has set: what is read is kept for others
/// of its user's sessions. Compiling takes longer than any of it. Until its transaction is rolled back.
pub(super) const SETTINGS: &str = include_str!("../../../dialects/postgres/introspection/settings.sql");

/// The most characters of one comment, as the statements cut it, and of all of them.
const LONGEST_COMMENT: usize = 2_000;
const ALL_COMMENTS: usize = 1_000_000;

/// What the catalogue says.
pub(super) struct Introspected {
    pub(super) schema: Schema,
    /// Positions of the tables whose rows may be looked at, the smallest first.
    pub(super) sampled: Vec<usize>,
    /// Values that the catalogue knows: labels of enums, most common values.
    pub(super) values: Vec<(ColumnRef, Vec<String>)>,
    /// What columns hold, of tables that the server keeps statistics of.
    pub(super) profile: Profile,
}

/// Reads the catalogue.
pub(super) async fn read(
    querier: &dyn Querier,
    trust: &Trust,
    time_limit: Duration,
) -> Result<Introspected, BackendError> {
    let trusted = trust.statement();
    let statements = [
        SETTINGS,
        TABLES,
        COLUMNS,
        SOURCES,
        SHOWN,
        KEYS,
        FOREIGN_KEYS,
        ENUMS,
        STATISTICS,
        REFERENCES,
        FUNCTIONS,
        SHADOWS,
        &trusted,
    ]
    .map(Query::all);
    let answers = querier.read(&statements, time_limit).await?;
    let [
        _,
        tables,
        columns,
        sources,
        shown,
        keys,
        foreign_keys,
        enums,
        statistics,
        references,
        functions,
        shadows,
        trusted,
    ] = <[Rows; 13]>::try_from(answers).map_err(|_| odd("not every statement was answered"))?;
    let mut reading = Reading {
        judge: Judge::read(
            (Reach::read(&trusted)?, &trust.extensions),
            &references,
            &functions,
            &shadows,
        )?,
        ..Reading::default()
    };
    reading.tables(&tables, trust)?;
    reading.columns(&columns)?;
    reading.sources(&sources)?;
    reading.shown(&shown)?;
    reading.leave_out();
    reading.bound_comments();
    reading.keys(&keys)?;
    reading.foreign_keys(&foreign_keys)?;
    reading.labels(&enums)?;
    reading.statistics(&statistics)?;
    infer_keys(&mut reading.schema);
    Ok(reading.done())
}

/// The schema while it is put together.
#[derive(Default)]
struct Reading {
    schema: Schema,
    /// Positions of tables by their numbers in the catalogue.
    tables: HashMap<u32, usize>,
    /// Positions of columns by their tables' and their own numbers.
    columns: HashMap<(u32, i16), ColumnRef>,
    /// Columns by their enum types.
    by_enum: HashMap<u32, Vec<ColumnRef>>,
    sampled: Vec<bool>,
    /// Tables of which the user may read nothing.
    denied: Vec<bool>,
    /// Tables behind which there is more than is looked through.
    beyond: HashSet<usize>,
    values: Vec<(ColumnRef, Vec<String>)>,
    profile: Profile,
    judge: Judge,
}

impl Reading {
    fn tables(&mut self, rows: &Rows, trust: &Trust) -> Result<(), BackendError> {
        for row in rows.iter() {
            let kind = row.some(3)?;
            let estimate: f64 = row.parsed(4).unwrap_or(-1.0);
            let number: u32 = row.parsed(0)?;
            let has_policies = row.flag(8);
            let untrusted = self.judge.untrusted(number);
            let forbidden = if kind == "f" {
                Some("is a foreign table".to_owned())
            } else if let Some(untrusted) = untrusted {
                Some(untrusted.why())
            } else {
                let own_type: u32 = row.parsed(9)?;
                self.judge
                    .verdict(Node::Relation(number))
                    .or_else(|| self.judge.verdict(Node::Policy(number)))
                    .or_else(|| self.judge.harmful_types.get(&own_type).cloned())
            };
            self.tables.insert(number, self.schema.tables.len());
            self.schema.tables.push(Table {
                schema: Some(row.some(1)?),
                name: row.some(2)?,
                // A table that was never analysed says -1, a view 0.
                rows: (estimate >= 0.0 && kind != "v").then_some(estimate as u64),
                is_view: kind == "v" || kind == "m",
                qualified: !row.flag(5),
                comment: row.text(6),
                runs_code: kind == "v" || kind == "f" || has_policies,
                forbidden,
                untrusted_owner: untrusted.map(|untrusted| untrusted.owner.clone()),
                row_security: row.flag(11),
                of_stranger: !(row.flag(13) || trust.is_of(&row.some(12)?)),
                ..Table::default()
            });
            self.sampled.push(row.flag(7) && row.flag(10));
            self.denied.push(!row.flag(10));
        }
        Ok(())
    }

    fn columns(&mut self, rows: &Rows) -> Result<(), BackendError> {
        let mut computed: Vec<(ColumnRef, u32, String)> = Vec::new();
        for row in rows.iter() {
            let number: u32 = row.parsed(0)?;
            let Some(&position) = self.tables.get(&number) else {
                continue;
            };
            let table = &mut self.schema.tables[position];
            for of_type in [row.parsed::<u32>(4)?, row.parsed(10)?, row.parsed(11)?] {
                if let Some(why) = self.judge.harmful_types.get(&of_type) {
                    table.forbidden.get_or_insert_with(|| why.clone());
                }
            }
            let denied = !row.flag(8);
            table.partly_hidden |= denied;
            let at = ColumnRef {
                table: position,
                column: table.columns.len(),
            };
            let (base, form) = (row.parsed(4)?, row.some(5)?);
            if form == "d" {
                let why = "has a column whose domain stands over more others than are looked through";
                table.forbidden.get_or_insert_with(|| why.to_owned());
            }
            let kind = kinds::kind(base, &form, &row.some(6)?);
            table.columns.push(Column {
                name: row.some(2)?,
                declared_type: row.some(3)?,
                kind,
                may_be_other: false,
                exceeds: false,
                spelling: Spelling::default(),
                not_null: row.flag(7),
                null_in_key: false,
                unique: false,
                comment: row.text(9),
                shows: None,
                computed_from: Vec::new(),
                private: false,
                denied,
            });
            computed.extend(row.text(12).map(|numbers| (at, number, numbers)));
            self.columns.insert((number, row.parsed(1)?), at);
            if kind == ColumnKind::Enum {
                self.by_enum.entry(base).or_default().push(at);
            }
        }
        for (at, number, numbers) in computed {
            let of_table = 0..self.schema.tables[at.table].columns.len();
            let read: Vec<usize> = if numbers.split(' ').any(|number| number == "0") {
                of_table.collect()
            } else {
                let known = numbers.split(' ').filter_map(|column| column.parse::<i16>().ok());
                let places = known.filter_map(|column| self.columns.get(&(number, column)));
                let mut places: Vec<usize> = places.map(|place| place.column).collect();
                places.sort_unstable();
                places
            };
            let columns = &mut self.schema.tables[at.table].columns;
            let names = read.into_iter().filter(|read| *read != at.column);
            columns[at.column].computed_from = names.map(|read| columns[read].name.clone()).collect();
        }
        Ok(())
    }

    /// What stands behind views, and behind tables that are parts of others.
    fn sources(&mut self, rows: &Rows) -> Result<(), BackendError> {
        let mut sources = Sources::default();
        for row in rows.iter() {
            let column = SourceColumn {
                schema: Some(row.some(1)?),
                table: row.some(2)?,
                column: row.text(3),
            };
            sources.insert(row.parsed(0)?, row.parsed(4)?, column);
        }
        for (number, behind) in sources.behind(self.tables.keys().copied()) {
            let position = self.tables[&number];
            match behind {
                Some(behind) => self.schema.tables[position].sources = behind.into(),
                None => {
                    self.beyond.insert(position);
                }
            }
        }
        for (number, planned) in lineage::planned(&self.judge.queries) {
            if let Some(&position) = self.tables.get(&number) {
                self.schema.tables[position].planned = planned;
            }
        }
        Ok(())
    }

    /// What views show as it is.
    fn shown(&mut self, rows: &Rows) -> Result<(), BackendError> {
        for row in rows.iter() {
            if let Some(at) = self.columns.get(&(row.parsed(0)?, row.parsed(1)?)) {
                self.schema.tables[at.table].columns[at.column].shows = Some(Arc::new(SourceColumn {
                    schema: Some(row.some(2)?),
                    table: row.some(3)?,
                    column: row.text(4),
                }));
            }
        }
        Ok(())
    }

    /// Leaves out tables that have no column, which SQL allows and no question is about, and those that a question
    /// cannot name: of several with one name, the search path's is meant, and where it has none of them, the only one
    /// that may be read. And those of which it is not known what they show.
    fn leave_out(&mut self) {
        let mut named: HashMap<String, usize> = HashMap::new();
        let mut on_path: HashSet<String> = HashSet::new();
        for at in &self.beyond {
            let table = &self.schema.tables[*at];
            let name = format!("{}.{}", table.schema.as_deref().unwrap_or_default(), table.name);
            self.schema.unreadable.push((name, lineage::BEYOND.to_owned()));
            self.denied[*at] = true;
        }
        for (table, denied) in self.schema.tables.iter().zip(&self.denied) {
            let name = table.name.to_lowercase();
            if !table.qualified {
                on_path.insert(name.clone());
            }
            *named.entry(name).or_default() += usize::from(!denied);
        }
        let kept: Vec<bool> = self
            .schema
            .tables
            .iter()
            .zip(&self.denied)
            .enumerate()
            .map(|(at, (table, denied))| {
                let name = table.name.to_lowercase();
                let readable = named[&name];
                // One that is denied stands for its name where nothing else does.
                let only = if *denied { readable == 0 } else { readable == 1 };
                let meant = !table.qualified || (!on_path.contains(&name) && only);
                meant && !table.columns.is_empty() && !self.beyond.contains(&at)
            })
            .collect();
        if kept.iter().all(|kept| *kept) {
            return;
        }
        let mut positions = Vec::new();
        let mut next = 0;
        for kept in &kept {
            positions.push(next);
            next += usize::from(*kept);
        }
        let mut keep = kept.iter();
        self.schema.tables.retain(|_| *keep.next().unwrap_or(&true));
        let mut keep = kept.iter();
        self.sampled.retain(|_| *keep.next().unwrap_or(&true));
        let mut keep = kept.iter();
        self.denied.retain(|_| *keep.next().unwrap_or(&true));
        self.tables.retain(|_, position| kept[*position]);
        for position in self.tables.values_mut() {
            *position = positions[*position];
        }
        self.columns.retain(|_, at| kept[at.table]);
        for columns in self.by_enum.values_mut() {
            columns.retain(|at| kept[at.table]);
        }
        let columns = self
            .columns
            .values_mut()
            .chain(self.by_enum.values_mut().flatten());
        for at in columns {
            at.table = positions[at.table];
        }
    }

    /// Comments are anybody's who may make a table, and all of them are looked at for each question: where they are too many, only
    /// the beginning of each counts, so that none takes the place of others.
    fn bound_comments(&mut self) {
        let mut longest = LONGEST_COMMENT;
        loop {
            let comments = self.schema.tables.iter().flat_map(|table| {
                let columns = table
                    .columns
                    .iter()
                    .filter_map(|column| column.comment.as_deref());
                columns.chain(table.comment.as_deref())
            });
            let total: usize = comments
                .map(|comment| comment.chars().take(longest).count())
                .sum();
            if total <= ALL_COMMENTS {
                break;
            }
            longest /= 2;
        }
        if longest == LONGEST_COMMENT {
            return;
        }
        for table in &mut self.schema.tables {
            let columns = table.columns.iter_mut().map(|column| &mut column.comment);
            for comment in columns.chain([&mut table.comment]).filter_map(Option::as_mut) {
                *comment = comment.chars().take(longest).collect();
            }
        }
    }

    /// Primary keys, and columns that are unique by themselves.
    fn keys(&mut self, rows: &Rows) -> Result<(), BackendError> {
        for row in rows.iter() {
            let number: u32 = row.parsed(0)?;
            let Some(&position) = self.tables.get(&number) else {
                continue;
            };
            let key_columns: usize = row.parsed(3)?;
            let columns: Vec<i16> = row
                .some(2)?
                .split(' ')
                .take(key_columns)
                .filter_map(|number| number.parse().ok())
                .collect();
            let Some(columns) = self.places(number, &columns) else {
                continue;
            };
            let table = &mut self.schema.tables[position];
            table.loose_keys |= row.flag(4);
            if let [alone] = columns.as_slice() {
                table.columns[alone.column].unique = true;
            }
            if row.flag(1) {
                table.primary_key = columns.iter().map(|at| at.column).collect();
            }
        }
        Ok(())
    }

    fn foreign_keys(&mut self, rows: &Rows) -> Result<(), BackendError> {
        for row in rows.iter() {
            let (from, to): (Vec<i16>, Vec<i16>) = (row.json(1)?, row.json(3)?);
            // A key is of use only where both of its ends can be read.
            if let (Some(from), Some(to)) = (
                self.places(row.parsed(0)?, &from),
                self.places(row.parsed(2)?, &to),
            ) {
                self.schema.foreign_keys.push(ForeignKey {
                    from,
                    to,
                    declared: true,
                    enforced: row.flag(4),
                });
            }
        }
        Ok(())
    }

    /// The columns with these numbers, if all of them can be read.
    fn places(&self, table: u32, columns: &[i16]) -> Option<Vec<ColumnRef>> {
        columns
            .iter()
            .map(|column| self.columns.get(&(table, *column)).copied())
            .collect()
    }

    fn labels(&mut self, rows: &Rows) -> Result<(), BackendError> {
        for row in rows.iter() {
            let Some(columns) = self.by_enum.get(&row.parsed(0)?) else {
                continue;
            };
            let labels: Vec<String> = row.json(1)?;
            for at in columns {
                self.values.push((*at, labels.clone()));
            }
        }
        Ok(())
    }

    fn statistics(&mut self, rows: &Rows) -> Result<(), BackendError> {
        for row in rows.iter() {
            let place = self.columns.get(&(row.parsed(0)?, row.parsed(1)?));
            let Some(at) = place.filter(|at| self.sampled[at.table]) else {
                continue;
            };
            let (number, at) = (row.parsed::<usize>(4).unwrap_or_default(), *at);
            let common: Option<Vec<(String, f64)>> = row.json(5)?;
            let others: Option<Vec<String>> = row.json(6)?;
            let of = Statistics {
                null_share: row.parsed(2)?,
                distinct: row.parsed(3)?,
                all_common: number == common.as_ref().map_or(0, Vec::len),
                common: common.unwrap_or_default(),
                others: others.unwrap_or_default(),
            };
            let table = &self.schema.tables[at.table];
            if let Some(rows) = table.rows.filter(|rows| *rows > 0) {
                self.profile.tables.resize(self.schema.tables.len(), None);
                let profile = self.profile.tables[at.table].get_or_insert_with(|| TableProfile {
                    rows,
                    estimated: true,
                    columns: vec![ColumnProfile::default(); table.columns.len()],
                    ..TableProfile::default()
                });
                let kind = self.schema.column(at).kind;
                profile.columns[at.column] = ColumnProfile::of_statistics(&of, kind, rows);
            }
            if row.flag(7) && number > 0 {
                let values = of.common.into_iter().map(|(value, _)| value);
                self.values.push((at, values.collect()));
            }
        }
        Ok(())
    }

    fn done(mut self) -> Introspected {
        self.schema.shadowed = std::mem::take(&mut self.judge.shadowed);
        // What questions may not read runs code of whoever made it: reading it unasked would run that too.
        let may_be_read =
            |table: &usize| self.sampled[*table] && self.schema.tables[*table].forbidden.is_none();
        let mut sampled: Vec<usize> = (0..self.sampled.len()).filter(may_be_read).collect();
        // The values of small tables are the names of things. A table that was never analysed is small, mostly.
        sampled.sort_by_key(|table| self.schema.tables[*table].rows.unwrap_or(0));
        Introspected {
            schema: self.schema,
            sampled,
            values: self.values,
            profile: self.profile,
        }
    }
}
