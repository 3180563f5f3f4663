//! Tables of codes: each row names a column elsewhere, one of its codes, and what this stands for.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{ColumnKind, ColumnRef, Kept, Profile, Schema};

/// Rows of a table of codes at most.
pub const CODE_ROWS: usize = 1_000;
/// Columns of one at most: what has more says other things too.
const WIDEST: usize = 10;
/// Coded columns that it must tell of at least.
const SEVERAL: usize = 2;

/// How names of columns of codes end.
const CODE: [&str; 7] = ["code", "cd", "cod", "value", "val", "key", "id"];
/// How names of columns of labels end.
const LABEL: [&str; 12] = [
    "desc",
    "dsc",
    "descr",
    "description",
    "label",
    "text",
    "txt",
    "name",
    "nam",
    "nm",
    "meaning",
    "title",
];

/// A table that may be one of codes; its rows tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeTable {
    /// Its position.
    pub table: usize,
    /// Positions of its columns: whose codes, the code, what it stands for.
    pub columns: [usize; 3],
}

/// What the codes of one column stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codes {
    /// The column that has them.
    pub of: ColumnRef,
    /// The columns that tell it, as in [`CodeTable::columns`]; none where a part of the database goes without their table.
    pub told_by: Vec<ColumnRef>,
    /// Code and label, as the table has them.
    pub labels: Vec<(String, String)>,
}

impl Codes {
    /// The same in what somebody may read of the database, where that has all of the columns with their values.
    pub(super) fn part(&self, kept: &[Kept]) -> Option<Self> {
        let there = |at: ColumnRef| {
            let table = kept.iter().position(|kept| kept.table == at.table)?;
            let kept = &kept[table];
            let column = kept.columns.iter().position(|column| *column == at.column)?;
            kept.values[column].then_some(ColumnRef { table, column })
        };
        let told_by = self.told_by.iter().map(|at| there(*at));
        Some(Self {
            of: there(self.of)?,
            told_by: told_by.collect::<Option<_>>()?,
            labels: self.labels.clone(),
        })
    }
}

/// The tables that may be of codes: some column's values are names of several columns elsewhere.
pub fn code_tables(names: &ColumnNames<'_>, profile: &Profile) -> Vec<CodeTable> {
    let tables = names.schema.tables.iter().enumerate();
    tables
        .filter_map(|(table, description)| {
            let held = profile.tables.get(table)?.as_ref()?;
            let rows = description.rows.unwrap_or_default().max(held.rows);
            let width = description.columns.len();
            if description.is_view || rows > CODE_ROWS as u64 || !(3..=WIDEST).contains(&width) {
                return None;
            }
            let ends = |column: usize, words: &[&str]| {
                let name = squeezed(&description.columns[column].name);
                words.iter().any(|word| name.ends_with(word))
            };
            let is_label = |column: usize| ends(column, &LABEL);
            let is_code = |column: usize| ends(column, &CODE);
            let label = (0..width).find(|column| is_label(*column) && !is_code(*column))?;
            // The first values tell, where they are known; else the rows will.
            let tells = |column: &usize| {
                let held = &held.columns[*column];
                let values = held.frequent.iter();
                let named = values.filter(|(value, _)| !names.called(table, value).is_empty());
                if held.frequent.is_empty() {
                    description.columns[*column].kind == ColumnKind::Text && held.distinct < held.values
                } else {
                    named.take(SEVERAL).count() == SEVERAL
                }
            };
            let domain = (0..width).find(|column| *column != label && tells(column))?;
            let code = (0..width).find(|column| ![label, domain].contains(column) && is_code(*column))?;
            Some(CodeTable {
                table,
                columns: [domain, code, label],
            })
        })
        .collect()
}

impl CodeTable {
    /// What its rows tell, each with the texts of [`CodeTable::columns`]. It is a table of codes only where several columns
    /// have no other codes than it says.
    pub fn codes(&self, names: &ColumnNames<'_>, profile: &Profile, rows: &[[String; 3]]) -> Vec<Codes> {
        let mut domains: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
        for [domain, code, label] in rows {
            let (code, label) = (code.trim(), label.trim());
            if !code.is_empty() && !label.is_empty() {
                let told = domains.entry(domain.trim()).or_default();
                told.push((code.to_owned(), label.to_owned()));
            }
        }
        let place = |column: usize| ColumnRef {
            table: self.table,
            column,
        };
        let mut found: Vec<Codes> = Vec::new();
        for (domain, labels) in domains {
            for of in names.called(self.table, domain) {
                if holds_only(profile, of, &labels) && found.iter().all(|known| known.of != of) {
                    found.push(Codes {
                        of,
                        told_by: self.columns.map(place).to_vec(),
                        labels: labels.clone(),
                    });
                }
            }
        }
        if found.len() < SEVERAL {
            found.clear();
        }
        found
    }
}

/// The columns of tables by what they are called.
pub struct ColumnNames<'a> {
    schema: &'a Schema,
    /// By the letters and digits of their names.
    columns: HashMap<String, Vec<ColumnRef>>,
}

impl<'a> ColumnNames<'a> {
    /// Those of a schema.
    pub fn new(schema: &'a Schema) -> Self {
        let mut columns: HashMap<String, Vec<ColumnRef>> = HashMap::new();
        for (at, column) in schema.columns() {
            if !schema.tables[at.table].is_view {
                columns.entry(squeezed(&column.name)).or_default().push(at);
            }
        }
        Self { schema, columns }
    }

    /// The columns outside of a table that a text names: `CUSTST`, `CUSTMAST.CUSTST`, `cust_st` of `cust_st_cd`.
    fn called(&self, except: usize, text: &str) -> Vec<ColumnRef> {
        let (table, column) = text
            .rsplit_once('.')
            .map_or((None, text), |(table, column)| (Some(table), column));
        let wanted = squeezed(column);
        if wanted.len() < 2 {
            return Vec::new();
        }
        let forms = ["", "cd", "code"].map(|end| format!("{wanted}{end}"));
        let called = forms.iter().filter_map(|name| self.columns.get(name)).flatten();
        let is_in =
            |table: &str, at: &ColumnRef| squeezed(table) == squeezed(&self.schema.tables[at.table].name);
        let mut found: Vec<ColumnRef> = called
            .filter(|at| at.table != except && table.is_none_or(|table| is_in(table, at)))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }
}

/// True where a column has values, and hardly any that is no code of these.
fn holds_only(profile: &Profile, at: ColumnRef, labels: &[(String, String)]) -> bool {
    let column = profile
        .tables
        .get(at.table)
        .and_then(|table| table.as_ref()?.columns.get(at.column));
    let codes: HashSet<&str> = labels.iter().map(|(code, _)| code.as_str()).collect();
    let values = column.into_iter().flat_map(|column| &column.frequent);
    let (mut known, mut all) = (0, 0);
    for (value, count) in values.filter(|(value, _)| !value.trim().is_empty()) {
        all += count;
        known += if codes.contains(value.trim()) { *count } else { 0 };
    }
    all > 0 && known * 20 >= all * 19
}

fn squeezed(name: &str) -> String {
    let letters = name.chars().filter(|sign| sign.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{Cell, Column, Profiler, Table};

    fn database(values: &[(&str, &str, &[&str])]) -> (Schema, Profile) {
        let (mut schema, mut profile) = (Schema::default(), Profile::default());
        for (table, columns, rows) in values {
            let names: Vec<&str> = columns.split(' ').collect();
            let mut profiler = Profiler::new(names.len());
            for row in *rows {
                profiler.row(row.split('|').map(Cell::Text));
            }
            profile.tables.push(Some(profiler.finish(true)));
            schema.tables.push(Table {
                name: (*table).to_owned(),
                columns: names
                    .iter()
                    .map(|name| Column {
                        name: (*name).to_owned(),
                        ..Column::default()
                    })
                    .collect(),
                ..Table::default()
            });
        }
        (schema, profile)
    }

    fn told((schema, profile): &(Schema, Profile), rows: &[&str]) -> Vec<String> {
        let rows: Vec<[String; 3]> = rows
            .iter()
            .map(|row| row.split('|').map(str::to_owned).collect::<Vec<_>>())
            .map(|row| row.try_into().expect("three texts"))
            .collect();
        let names = ColumnNames::new(schema);
        let tables = code_tables(&names, profile);
        let codes = tables
            .iter()
            .flat_map(|table| table.codes(&names, profile, &rows));
        codes
            .map(|codes| {
                let labels: Vec<String> = codes.labels.iter().map(|(_, label)| label.clone()).collect();
                format!("{}: {}", schema.column(codes.of).name, labels.join(", "))
            })
            .collect()
    }

    const CODES: [&str; 4] = [
        "STATUS|O|Open",
        "STATUS|P|Paid",
        "pay_mtd|C|Card",
        "pay_mtd|B|Bank",
    ];

    #[test]
    fn rows_that_name_columns_tell_what_their_codes_are() {
        let bills: &[&str] = &["O|C", "P|B", "O|C"];
        let database = database(&[
            ("bill", "status pay_mtd_cd", bills),
            ("codes", "domain code descr", &CODES),
        ]);
        assert_eq!(
            told(&database, &CODES),
            ["status: Open, Paid", "pay_mtd_cd: Card, Bank"]
        );
    }

    #[test]
    fn other_codes_and_a_single_column_are_no_proof() {
        let bills: &[&str] = &["open|C", "paid|B", "open|C"];
        let other = database(&[
            ("bill", "status pay_mtd_cd", bills),
            ("codes", "domain code descr", &CODES),
        ]);
        assert!(told(&other, &CODES).is_empty(), "the states are no codes of it");
        let words: &[&str] = &["status|1|Good", "colour|2|Red"];
        let single = database(&[
            ("bill", "status", &["1", "1"]),
            ("notes", "about code text", words),
        ]);
        assert!(told(&single, words).is_empty());
    }

    #[test]
    fn who_may_not_read_the_table_is_told_nothing() {
        let bills: &[&str] = &["O|C", "P|B", "O|C"];
        let (schema, mut profile) = database(&[
            ("bill", "status pay_mtd_cd", bills),
            ("codes", "domain code descr", &CODES),
        ]);
        let rows: Vec<[String; 3]> = [
            ["STATUS", "O", "Open"],
            ["pay_mtd", "C", "Card"],
            ["STATUS", "P", "Paid"],
            ["pay_mtd", "B", "Bank"],
        ]
        .map(|row| row.map(str::to_owned))
        .to_vec();
        let names = ColumnNames::new(&schema);
        profile.codes = code_tables(&names, &profile)[0].codes(&names, &profile, &rows);
        let kept = |table: usize, values: &[bool]| Kept {
            table,
            shown: schema.tables[table].clone(),
            columns: (0..values.len()).collect(),
            values: values.to_vec(),
        };
        let all = [kept(0, &[true; 2]), kept(1, &[true; 3])];
        assert_eq!(profile.part(&all).codes.len(), 2);
        assert!(profile.part(&all[..1]).codes.is_empty());
        let hidden = [kept(0, &[true; 2]), kept(1, &[true, true, false])];
        assert!(profile.part(&hidden).codes.is_empty());
    }
}
