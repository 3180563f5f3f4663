//! Which columns tell a person which row it is.

use super::{
    Evidence,
    lexicon::{self, KEY, NAME, abbreviates, stems},
};
use crate::question::{
    schema::{ColumnKind, ColumnProfile, ColumnRef},
    semantic::{Field, FieldRole},
};

/// Names of which there are more are no kinds of rows, however many rows share one.
const MANY: u64 = 20;
/// Columns of a list of what there is at most.
const SHORT_LIST: usize = 4;

/// The display columns of a table, in the order in which people read them; empty where rows have no name of theirs.
pub(super) fn display(of: &Evidence<'_>, table: usize, fields: &[Field]) -> Vec<usize> {
    let description = &of.schema.tables[table];
    let own = lexicon::table_stems(&description.name);
    let names: Vec<Vec<String>> = description
        .columns
        .iter()
        .map(|column| stems(&column.name))
        .collect();
    let worded = |column: usize| {
        description.columns[column].kind == ColumnKind::Text
            && !matches!(
                fields[column].role,
                FieldRole::Reference | FieldRole::Flag(_) | FieldRole::Time | FieldRole::Document
            )
    };
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        (0..names.len()).find(|&column| worded(column) && wanted(&names[column]))
    };
    let is = |word: &str, list: &[&str]| list.contains(&word);

    // `first_name`, `last_name`; `fname`, `lname`; `given`, `family`.
    let initial_name =
        |name: &[String], initial: &str| matches!(name, [one, said] if one == initial && NAME.has(said));
    let first = find(&|name| {
        initial_name(name, "f")
            || name.iter().any(|word| {
                is(
                    word,
                    &[
                        "first", "frst", "fst", "forenam", "fname", "fnam", "givennam", "firstnam", "given",
                        "fnm",
                    ],
                )
            })
    });
    let last = find(&|name| {
        initial_name(name, "l")
            || name.iter().any(|word| {
                is(
                    word,
                    &[
                        "last",
                        "lst",
                        "surnam",
                        "lname",
                        "lnam",
                        "familynam",
                        "lastnam",
                        "famili",
                        "lnm",
                        "snm",
                    ],
                )
            })
    });

    // The name alone, or with the table's own words or a word that says which name is meant.
    let neutral = |word: &String| {
        NAME.has(word)
            || own.contains(word)
            || own.iter().any(|own| abbreviates(word, own))
            || is(
                word,
                &[
                    "full", "display", "offici", "common", "proper", "compani", "short", "long", "gener",
                    "english", "brand",
                ],
            )
    };
    // No more rows have one name than there are of what they are parts of: each festival has its main stage.
    let wholes = (0..names.len()).filter(|&column| fields[column].role == FieldRole::Reference);
    let wholes: Vec<u64> = wholes
        .filter_map(|column| Some(of.column(ColumnRef { table, column })?.distinct))
        .collect();
    let within = |profile: &ColumnProfile| match (&wholes[..], profile.frequent.first()) {
        ([wholes], Some((_, most))) => most <= wholes && profile.distinct > 2,
        _ => false,
    };
    // A name that many rows share is a kind of row, not its name; but many animals are called Bella.
    let unique_enough = |column: usize| {
        let name = &names[column];
        let own_name = name.iter().any(|word| own.contains(word)) && name.iter().all(neutral);
        of.column(ColumnRef { table, column }).is_none_or(|profile| {
            let told_apart = profile.distinct * 5 > profile.values || profile.values < 10;
            profile.missing() < 0.05
                && (told_apart
                    || own_name && profile.distinct > MANY
                    || name.iter().all(neutral) && within(profile))
        })
    };
    let plain = (0..names.len()).find(|&column| {
        let name = &names[column];
        worded(column) && unique_enough(column) && NAME.any(name) && name.iter().all(neutral)
    });
    // What a person is called by is no title.
    let is_title = |column: usize| names[column].iter().any(|word| word.starts_with("titl"));
    let is_person = first.is_some() && last.is_some();
    if let Some(column) = plain.filter(|column| !(is_person && is_title(*column))) {
        return vec![column];
    }
    if let (Some(first), Some(last)) = (first, last) {
        return vec![first, last];
    }
    // `reason` of `reason_codes`.
    let coded: Vec<&String> = own.iter().filter(|word| !KEY.has(word)).collect();
    let called_so = |name: &[String]| {
        name == own.as_slice() || !coded.is_empty() && name.iter().eq(coded.iter().copied())
    };
    // `vaccine` of `vaccinations` is what was given, not its name.
    let tells_apart = |column: &usize| {
        let held = of.column(ColumnRef {
            table,
            column: *column,
        });
        held.is_none_or(|held| held.distinct * 5 > held.values || held.distinct > MANY || held.values < 10)
    };
    if let Some(column) = find(&called_so).filter(tells_apart) {
        return vec![column];
    }
    // Whom a row is about.
    let firm =
        find(&|name| matches!(name, [only] if is(only, &["compani", "firm", "busi", "organ", "organis"])));
    if let Some(column) = firm.filter(|column| unique_enough(*column)) {
        return vec![column];
    }
    // `CName`, `dname`: the table's initial and `name`.
    let initial = |stem: &String| {
        stem.len() >= 5
            && (stem.ends_with("name") || stem.ends_with("nam"))
            && own.iter().any(|own| own.starts_with(&stem[..1]))
    };
    if let Some(column) = find(&|name| matches!(name, [only] if initial(only))) {
        return vec![column];
    }
    let named: Vec<usize> = (0..names.len())
        .filter(|&column| worded(column) && NAME.any(&names[column]) && unique_enough(column))
        .collect();
    if let Some(&column) = named.first() {
        return vec![column];
    }
    if let Some(column) = last.or(first) {
        return vec![column];
    }
    // What describes the row, in a table that is a list of codes; else a number or code that people use.
    let label = find(&|name| {
        name.iter().any(|word| {
            is(
                word,
                &[
                    "descript", "desc", "descr", "dsc", "dscr", "text", "txt", "detail", "subject", "topic",
                    "mean", "label", "lbl",
                ],
            )
        })
    });
    let brief = |column: usize| {
        of.column(ColumnRef { table, column })
            .is_none_or(|profile| profile.tenth_words < 80 && profile.distinct * 2 > profile.values)
    };
    if let Some(column) = label.filter(|&column| brief(column)) {
        return vec![column];
    }
    let key = &description.primary_key;
    // The only text of a short list.
    let only = || {
        let mut texts = (0..names.len()).filter(|&column| worded(column) && !key.contains(&column));
        let only = texts.next().filter(|_| texts.next().is_none())?;
        let told_apart = of.column(ColumnRef { table, column: only })?.is_unique();
        let is_list = names.len() <= SHORT_LIST && wholes.is_empty();
        (is_list && told_apart && brief(only) && !KEY.last(&names[only])).then_some(only)
    };
    if let Some(column) = only().filter(|column| fields[*column].role != FieldRole::Identifier) {
        return vec![column];
    }
    let code = (0..names.len()).find(|&column| {
        !key.contains(&column)
            && !of.refers(ColumnRef { table, column })
            && (description.columns[column].unique
                || of
                    .column(ColumnRef { table, column })
                    .is_some_and(|profile| profile.is_unique() && profile.values > 3))
            && (KEY.last(&names[column])
                || names[column]
                    .iter()
                    .any(|word| is(word, &["plate", "email", "login", "slug", "symbol", "sku", "url"])))
    });
    // `unit_no` of a unit: a number that counts within something else.
    let number = || {
        (0..names.len()).find(|&column| {
            let name = &names[column];
            !key.contains(&column)
                && !of.refers(ColumnRef { table, column })
                && name.len() > 1
                && KEY.last(name)
                && name[..name.len() - 1].iter().all(|word| own.contains(word))
        })
    };
    code.or_else(number)
        .map(|column| vec![column])
        .unwrap_or_default()
}
