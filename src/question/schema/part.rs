//! Some tables of a database as a database of their own, for work that grows with the number of tables.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use super::{
    Codes, ColumnRef, ForeignKey, JoinGraph, Profile, Schema, Snapshot, Table, ValueIndex,
    words::identifier_words,
};

/// What a part keeps of one table of the whole.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Its position in the whole.
    pub table: usize,
    /// The table as the part has it. Its columns are some of the whole's, in their order.
    pub shown: Table,
    /// Positions in the whole of the columns shown.
    pub columns: Vec<usize>,
    /// Of each of them, whether its stored values may be looked up.
    pub values: Vec<bool>,
}

impl Snapshot {
    /// The same database with these tables alone, in this order. Positions in what comes of it count in the part; SQL
    /// for the part is SQL for the whole. Stored values are looked up in the whole's index.
    #[must_use]
    pub fn part(&self, tables: &[usize]) -> Self {
        let kept = tables.iter().map(|table| self.kept(*table)).collect();
        let mut hasher = DefaultHasher::new();
        (self.fingerprint, tables).hash(&mut hasher);
        let part = self.of_kept(kept, hasher.finish());
        if self.profile.codes.is_empty() {
            return part;
        }
        // What codes stand for is known without the table that tells it: nothing is kept from anybody here.
        let mut profile = Profile::clone(&part.profile);
        for codes in &self.profile.codes {
            let table = tables.iter().position(|table| *table == codes.of.table);
            let of = table.map(|table| ColumnRef {
                table,
                column: codes.of.column,
            });
            if let Some(of) = of.filter(|of| profile.codes.iter().all(|known| known.of != *of)) {
                profile.codes.push(Codes {
                    of,
                    told_by: Vec::new(),
                    labels: codes.labels.clone(),
                });
            }
        }
        Self {
            profile: Arc::new(profile),
            ..part
        }
    }

    /// The same database without the columns that are private, and without tables that have no other.
    #[must_use]
    pub fn without_private(&self) -> Self {
        if !self.schema.has_private() {
            return self.clone();
        }
        let tables = 0..self.schema.tables.len();
        let kept = tables
            .map(|table| {
                self.kept(table)
                    .keeping(|table, column| !table.columns[column].private)
            })
            .filter(|kept| !kept.columns.is_empty());
        let kept = self.without_comments_on_hidden(kept.collect());
        let mut hasher = DefaultHasher::new();
        (self.fingerprint, "without private").hash(&mut hasher);
        self.of_kept(kept, hasher.finish())
    }

    /// The same without comments that name, behind its table's name, a column that is kept back.
    #[must_use]
    pub fn without_comments_on_hidden(&self, mut kept: Vec<Kept>) -> Vec<Kept> {
        let mut hidden = Vec::new();
        for (position, table) in self.schema.tables.iter().enumerate() {
            let shown = kept.iter().find(|kept| kept.table == position);
            let is_hidden = |column: &usize| shown.is_none_or(|shown| !shown.columns.contains(column));
            for column in (0..table.columns.len()).filter(is_hidden) {
                let name = format!("{}.{}", table.name, table.columns[column].name);
                hidden.push(identifier_words(&name));
            }
        }
        for kept in &mut kept {
            kept.forget_comments_on(&hidden);
        }
        kept
    }

    /// All of a table.
    pub fn kept(&self, table: usize) -> Kept {
        let shown = self.schema.tables[table].clone();
        Kept {
            table,
            columns: (0..shown.columns.len()).collect(),
            values: vec![true; shown.columns.len()],
            shown,
        }
    }

    /// The same database with this alone, and with its own fingerprint.
    #[must_use]
    pub fn of_kept(&self, kept: Vec<Kept>, fingerprint: u64) -> Self {
        let whole = &self.schema;
        let mut positions = vec![None; whole.tables.len()];
        for (position, kept) in kept.iter().enumerate() {
            positions[kept.table] = Some(position);
        }
        let there = |at: &ColumnRef| {
            let table = positions[at.table]?;
            let column = kept[table]
                .columns
                .iter()
                .position(|column| *column == at.column)?;
            Some(ColumnRef { table, column })
        };
        let foreign_keys = whole.foreign_keys.iter().filter_map(|key| {
            Some(ForeignKey {
                from: key.from.iter().map(there).collect::<Option<_>>()?,
                to: key.to.iter().map(there).collect::<Option<_>>()?,
                declared: key.declared,
                enforced: key.enforced,
            })
        });
        let foreign_keys = foreign_keys.collect();
        let values = ValueIndex::part(&self.values, &kept);
        let profile = self.profile.part(&kept);
        let schema = Schema {
            tables: kept.into_iter().map(|kept| kept.shown).collect(),
            foreign_keys,
            // Whoever makes this says what it keeps from whom.
            withheld: None,
            shadowed: whole.shadowed.clone(),
            catalog: Arc::clone(&whole.catalog),
            unreadable: Vec::new(),
        };
        Self {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            values: Arc::new(values),
            profile: Arc::new(profile),
            fingerprint,
            dialect: self.dialect,
        }
    }
}

impl Kept {
    /// Without the columns that `keep` says no to, by the table as it is shown so far and the position there. What its
    /// comments say of them goes too.
    #[must_use]
    pub fn keeping(mut self, keep: impl Fn(&Table, usize) -> bool) -> Self {
        let stays: Vec<bool> = (0..self.columns.len())
            .map(|column| keep(&self.shown, column))
            .collect();
        if stays.iter().all(|stays| *stays) {
            return self;
        }
        let position = |column: usize| stays[..column].iter().filter(|stays| **stays).count();
        let key = &self.shown.primary_key;
        // A part of a key is none.
        self.shown.primary_key = if key.iter().all(|column| stays[*column]) {
            key.iter().map(|column| position(*column)).collect()
        } else {
            Vec::new()
        };
        let mut at = stays.iter();
        self.columns.retain(|_| *at.next().unwrap_or(&false));
        let mut at = stays.iter();
        self.values.retain(|_| *at.next().unwrap_or(&false));
        let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(&mut self.shown.columns)
            .into_iter()
            .zip(stays)
            .partition(|(_, stays)| *stays);
        self.shown.columns = stay.into_iter().map(|(column, _)| column).collect();
        let hidden: Vec<_> = go
            .iter()
            .map(|(column, _)| identifier_words(&column.name))
            .collect();
        self.forget_comments_on(&hidden);
        self
    }

    /// Leaves out the comments in which one of these names stands.
    fn forget_comments_on(&mut self, names: &[Vec<String>]) {
        let names_one = |comment: &String| {
            let words = identifier_words(comment);
            names
                .iter()
                .any(|name| !name.is_empty() && words.windows(name.len()).any(|part| part == name.as_slice()))
        };
        let columns = self.shown.columns.iter_mut().map(|column| &mut column.comment);
        for comment in columns.chain([&mut self.shown.comment]) {
            if comment.as_ref().is_some_and(names_one) {
                *comment = None;
            }
        }
    }
}

impl Schema {
    /// True if models must not be told of some column.
    pub fn has_private(&self) -> bool {
        self.tables
            .iter()
            .any(|table| table.columns.iter().any(|column| column.private))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{Column, Table, words::text_words};

    #[test]
    fn comments_say_nothing_of_what_is_kept_back() {
        let column = |name: &str, comment: &str, private| Column {
            name: name.into(),
            comment: Some(comment.into()),
            private,
            ..Column::default()
        };
        let table = |name: &str, comment: &str, columns| Table {
            name: name.into(),
            comment: Some(comment.into()),
            columns,
            ..Table::default()
        };
        let person = vec![
            column("id", "a number", false),
            column("name", "who reads the E-Mail", false),
            column("e_mail", "ann@example.org", true),
        ];
        let visit = vec![
            column("guest", "by person.e_mail", false),
            column("host", "who gets mail", false),
        ];
        let schema = Schema {
            tables: vec![
                table("person", "with e_mail", person),
                table("visit", "e_mail of others", visit),
            ],
            ..Schema::default()
        };
        let whole = Snapshot {
            schema: Arc::new(schema),
            ..Snapshot::default()
        };
        let told = whole.without_private().schema;
        let comments = |table: &Table| -> Vec<Option<String>> {
            let columns = table.columns.iter().map(|column| column.comment.clone());
            std::iter::once(table.comment.clone()).chain(columns).collect()
        };
        let some = |comment: &str| Some(comment.to_owned());
        assert_eq!(comments(&told.tables[0]), [None, some("a number"), None]);
        assert_eq!(
            comments(&told.tables[1]),
            [some("e_mail of others"), None, some("who gets mail")]
        );
    }

    #[test]
    fn a_part_has_keys_and_values_of_its_tables() {
        let table = |name: &str| Table {
            name: name.into(),
            columns: vec![Column::default(), Column::default()],
            ..Table::default()
        };
        let at = |table, column| ColumnRef { table, column };
        let key = |from, to| ForeignKey {
            from: vec![from],
            to: vec![to],
            declared: true,
            enforced: false,
        };
        let schema = Schema {
            tables: ["cities", "orders", "customers"].map(table).into(),
            foreign_keys: vec![key(at(2, 1), at(0, 0)), key(at(1, 1), at(2, 0))],
            ..Schema::default()
        };
        let values = ValueIndex::default();
        values.begin(2);
        assert!(values.insert(at(2, 0), "Oslo") && values.insert(at(1, 0), "Oslo"));
        let whole = Snapshot {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            values: Arc::new(values),
            ..Snapshot::default()
        };

        let part = whole.part(&[2, 0]);
        assert_eq!(part.schema.tables[0].name, "customers");
        assert_eq!(part.schema.foreign_keys, [key(at(0, 1), at(1, 0))]);
        assert_eq!(part.joins.distance(0, 1), Some(1));
        let found = part.values.find(&text_words("oslo"));
        assert_eq!(found.iter().map(|hit| hit.column).collect::<Vec<_>>(), [at(0, 0)]);
        assert_eq!(part.values.distinct_of(at(0, 0)), 1);
        assert_eq!(part.values.first_of(at(1, 0), 9).len(), 0);
        assert_eq!(part.values.progress(), whole.values.progress());
        // What is added to the whole later is there too.
        assert!(whole.values.insert(at(0, 1), "Bergen"));
        assert_eq!(
            part.values.nearest(&text_words("bergne"), 0.8)[0].column,
            at(1, 1)
        );
    }
}
