//! How much the name of a column says that it refers to a table.

use std::collections::{HashMap, HashSet};

use super::roles::{KEY, PEOPLE, PERSON_ROLES, SELF_ROLES};
use crate::question::schema::{ColumnRef, Profile, Schema, words};

/// What a comment that names a table speaks for a key.
const TOLD: f32 = 0.72;

/// The names of a schema as words, and the columns that can be referred to.
pub(super) struct Names {
    columns: Vec<Vec<Name>>,
    tables: Vec<Vec<String>>,
    /// Keys of one column.
    keys: Vec<Key>,
    /// Positions in `keys` by each word of their own or their table's name that says what they are the key of; by the
    /// initials of such words too.
    by_word: HashMap<String, HashMap<String, Vec<usize>>>,
    /// Keys of tables of people.
    of_people: Vec<usize>,
    /// Keys by their tables.
    by_table: HashMap<usize, Vec<usize>>,
    /// Keys that comments of columns name, by their tables or by themselves.
    told: HashMap<ColumnRef, Vec<usize>>,
}

struct Name {
    stems: Vec<String>,
    squeezed: String,
    /// Without the words that only say that it is a key.
    core: Vec<String>,
    /// True where such words were there.
    says_key: bool,
    /// True for a number of things: `no_of_loans`, `num_students`.
    counts: bool,
    alone_key: bool,
}

struct Key {
    at: ColumnRef,
    /// The words of its table and its own.
    with_table: Vec<String>,
    squeezed_with_table: String,
}

impl Names {
    pub(super) fn new(schema: &Schema, profile: &Profile) -> Self {
        let columns: Vec<Vec<Name>> = schema
            .tables
            .iter()
            .map(|table| {
                let of = |(column, name): (usize, &str)| name_of(name, table.primary_key == [column]);
                table
                    .columns
                    .iter()
                    .map(|column| column.name.as_str())
                    .enumerate()
                    .map(of)
                    .collect()
            })
            .collect();
        let tables: Vec<Vec<String>> = schema
            .tables
            .iter()
            .map(|table| table_stems(&table.name))
            .collect();
        let mut names = Self {
            columns,
            tables,
            keys: Vec::new(),
            by_word: HashMap::new(),
            of_people: Vec::new(),
            by_table: HashMap::new(),
            told: HashMap::new(),
        };
        for table in 0..schema.tables.len() {
            for column in key_columns(schema, profile, table, &names) {
                let number = names.keys.len();
                let at = ColumnRef { table, column };
                let (key, owner) = (&names.columns[table][column], &names.tables[table]);
                let with_table: Vec<String> = owner.iter().chain(&key.stems).cloned().collect();
                names.keys.push(Key {
                    at,
                    squeezed_with_table: with_table.concat(),
                    with_table,
                });
                if owner.iter().any(|word| PEOPLE.contains(&word.as_str())) {
                    names.of_people.push(number);
                }
                names.by_table.entry(table).or_default().push(number);
                for word in key.core.iter().chain(owner) {
                    let alike = names.by_word.entry(initial(word)).or_default();
                    alike.entry(word.clone()).or_default().push(number);
                }
            }
        }
        names.told = names.told_by_comments(schema);
        names
    }

    /// What comments of columns that call themselves keys say that these refer to: `manager_id -- tbl_staff`.
    fn told_by_comments(&self, schema: &Schema) -> HashMap<ColumnRef, Vec<usize>> {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, key) in self.keys.iter().enumerate() {
            let table = &schema.tables[key.at.table];
            for name in [&table.name, &table.columns[key.at.column].name] {
                by_name.entry(name.to_lowercase()).or_default().push(number);
            }
        }
        let declared = schema.foreign_keys.iter().filter(|key| key.declared);
        let declared: HashSet<(usize, usize)> =
            declared.map(|key| (key.from[0].table, key.to[0].table)).collect();
        let mut told = HashMap::new();
        for (at, column) in schema.columns() {
            let Some(comment) = &column.comment else { continue };
            if !self.columns[at.table][at.column].says_key {
                continue;
            }
            let comment = comment.to_lowercase();
            let words = comment.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            let named: Vec<usize> = words
                .filter_map(|word| by_name.get(word))
                // What several keys are called by names none.
                .filter_map(|numbers| match numbers[..] {
                    [number] => Some(number),
                    _ => None,
                })
                // `counted anew within the shipment`, to which another column refers.
                .filter(|number| !declared.contains(&(at.table, self.keys[*number].at.table)))
                .collect();
            if !named.is_empty() {
                told.insert(at, named);
            }
        }
        told
    }

    /// The keys with a word that this one is, or that is short for the other.
    fn with_word_like<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let alike = self.by_word.get(&initial(word)).into_iter().flatten();
        let fits = move |key: &str| {
            key == word
                || key.len() == 1
                || word.len() == 1
                || abbreviates(key, word)
                || abbreviates(word, key)
        };
        let fitting = alike.filter(move |(key, _)| fits(key));
        fitting.flat_map(|(_, numbers)| numbers.iter().copied())
    }

    /// The keys that a column may refer to, with how much the names speak for it.
    pub(super) fn targets(&self, from: ColumnRef) -> impl Iterator<Item = (f32, ColumnRef)> {
        let name = &self.columns[from.table][from.column];
        // A key that says no more than that refers to nothing by it; another column may be called like a table of codes.
        let told = if name.core.is_empty() && !name.alone_key {
            &name.stems
        } else {
            &name.core
        };
        let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
        let mut numbers: Vec<usize> = told
            .iter()
            .filter(|word| !is_number(word))
            .flat_map(|word| self.with_word_like(word))
            .collect();
        // A person's role has no letter in common with the table of people.
        if name
            .stems
            .iter()
            .any(|word| is_role(word, &PERSON_ROLES, name.says_key))
            || is_done_by(name)
        {
            numbers.extend(&self.of_people);
        }
        numbers.extend(self.told.get(&from).into_iter().flatten());
        let is_self = |word: &String| is_role(word, &SELF_ROLES, name.says_key);
        if name.stems.iter().any(is_self) {
            numbers.extend(self.by_table.get(&from.table).into_iter().flatten());
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(move |number| {
            let to = &self.keys[number];
            let told = self.told.get(&from).is_some_and(|told| told.contains(&number));
            let told = (told && from != to.at).then_some(TOLD);
            let likeness = self.likeness(from, to);
            let best = [likeness, told].into_iter().flatten().reduce(f32::max);
            Some((best?, to.at))
        })
    }

    /// How many words the names of two tables begin with alike: `crm_orders` and `crm_customers` belong to one part.
    pub(super) fn kin(&self, one: usize, other: usize) -> usize {
        let words = self.tables[one].iter().zip(&self.tables[other]);
        words.take_while(|(one, other)| one == other).count()
    }

    fn likeness(&self, from: ColumnRef, known: &Key) -> Option<f32> {
        let to = known.at;
        if from == to {
            return None;
        }
        let name = &self.columns[from.table][from.column];
        let key = &self.columns[to.table][to.column];
        let table = &self.tables[to.table];
        let same_table = from.table == to.table;
        if name.counts {
            return None;
        }
        // What the key is called beyond `id`: nothing, its table's name, or a word of its own.
        let generic = key.core.is_empty();
        let own_name = !generic
            && key.core.iter().any(|word| {
                table
                    .iter()
                    .any(|table| word == table || abbreviates(word, table))
            });
        let ends = |whole: &[String], end: &[String]| {
            !end.is_empty() && whole.len() > end.len() && whole.ends_with(end)
        };
        if same_table {
            let is_self = |word: &String| is_role(word, &SELF_ROLES, name.says_key);
            let role = name.stems.iter().any(is_self);
            return match () {
                () if !generic && ends(&name.stems, &key.stems) && !name.alone_key => {
                    Some(if role { 0.9 } else { 0.6 })
                }
                () if role && ends(&name.core, table) => Some(0.8),
                // `PARCST` of `CUSTMAST`, where the values agree.
                () if role && name.core.len() > 1 && short_ends(&name.core, table) => Some(0.65),
                () if role
                    && (name.says_key
                        || name
                            .stems
                            .last()
                            .is_some_and(|last| matches!(last.as_str(), "to" | "of" | "by"))) =>
                {
                    let lists_people =
                        |table: &[String]| table.iter().any(|word| PEOPLE.contains(&word.as_str()));
                    let person = name
                        .stems
                        .iter()
                        .any(|word| PERSON_ROLES.contains(&word.as_str()));
                    // A building's manager is one of the staff, where that is listed.
                    let elsewhere = person && !self.of_people.is_empty() && !lists_people(table);
                    Some(if elsewhere { 0.45 } else { 0.65 })
                }
                () => None,
            };
        }
        // A table's own key refers elsewhere only where the other table's name is in it, and not its own table's.
        if name.alone_key {
            let own = &self.tables[from.table];
            let about_itself = name.core.iter().any(|word| {
                own.last()
                    .is_some_and(|own| word == own || abbreviates(word, own))
            });
            let same = !generic && (name.stems == key.stems || name.squeezed == key.squeezed);
            let named_after = name.says_key && (name.core == *table || ends(&name.core, table));
            return match () {
                () if same && own_name => Some(0.8),
                () if named_after && !about_itself => Some(0.75),
                () if same && !about_itself => Some(0.6),
                () => None,
            };
        }
        // What a table calls itself by refers to a part of it nowhere.
        if name.core == self.tables[from.table] && !own_name {
            return None;
        }
        if !generic && (name.stems == key.stems || name.squeezed == key.squeezed) {
            return Some(if own_name { 1.0 } else { 0.85 });
        }
        if name.stems == known.with_table || name.squeezed == known.squeezed_with_table {
            return Some(1.0);
        }
        let key_ends = ends(&name.stems, &key.stems) && (key.stems.len() > 1 || key.squeezed.len() >= 4);
        if !generic && key_ends {
            return Some(if own_name { 0.85 } else { 0.75 });
        }
        if name.says_key && ends(&name.stems, &known.with_table) {
            return Some(0.85);
        }
        if name.core == *table {
            // `country` beside `countries.code`; a number that is only called like a table may count it.
            return Some(if name.says_key { 0.9 } else { 0.87 });
        }
        if name.says_key && ends(&name.core, table) {
            return Some(0.7);
        }
        let last = table.last()?;
        if name.says_key
            && name
                .core
                .last()
                .is_some_and(|core| core == last || abbreviates(core, last))
        {
            return Some(0.6);
        }
        // `s_id` beside `student.id`.
        if name.says_key && name.core.len() == 1 && name.core[0].len() == 1 && last.starts_with(&name.core[0])
        {
            return Some(0.5);
        }
        if own_name && name.core.last().is_some() && name.core.last() == key.core.last() {
            return Some(if name.says_key { 0.65 } else { 0.55 });
        }
        let person = |word: &String| is_role(word, &PERSON_ROLES, name.says_key);
        // `lead_id` leads to somebody, `lead_time_days` does not.
        let says_person =
            name.core.last().is_some_and(person) || name.says_key && name.stems.iter().any(person);
        let plays_role = says_person || is_done_by(name);
        if plays_role && table.iter().any(|word| PEOPLE.contains(&word.as_str())) {
            return Some(0.5);
        }
        None
    }
}

/// True for a word that says which other row is meant, in a name that says that it is a key for short too: `SUP_NO`.
fn is_role(word: &str, roles: &[&str], says_key: bool) -> bool {
    let named = || KEY.contains(&word) || PERSON_ROLES.contains(&word);
    let short = || word.len() >= 3 && !named() && roles.iter().any(|role| role.starts_with(word));
    roles.contains(&word) || says_key && short()
}

/// `approved_by`, `rptd_by`: somebody did it.
fn is_done_by(name: &Name) -> bool {
    name.stems.len() > 1 && name.stems.last().is_some_and(|last| last == "by")
}

/// True where the last word of one is short for the last of the other.
fn short_ends(name: &[String], table: &[String]) -> bool {
    match (name.last(), table.last()) {
        (Some(one), Some(other)) => abbreviates(one, other) || abbreviates(other, one),
        _ => false,
    }
}

/// The columns of a table that others may refer to: its key, or what is unique and called like one.
fn key_columns(schema: &Schema, profile: &Profile, table: usize, names: &Names) -> Vec<usize> {
    let description = &schema.tables[table];
    if description.is_view {
        return Vec::new();
    }
    if let [column] = description.primary_key[..] {
        return vec![column];
    }
    let named = |column: usize| {
        let name = &names.columns[table][column];
        let own = &names.tables[table];
        let about_table = |word: &String| own.iter().any(|own| word == own || abbreviates(word, own));
        // `dormid` of `Dorm`, `StuNo` of `student`.
        let joined = KEY[..6]
            .iter()
            .chain(["no"].iter())
            .find_map(|key| name.squeezed.strip_suffix(key))
            .is_some_and(|rest| {
                rest.len() >= 2 && own.iter().any(|own| rest == own || abbreviates(rest, own))
            });
        joined || name.says_key && (name.core.is_empty() || name.core.iter().all(about_table))
    };
    let held = profile.tables.get(table).and_then(Option::as_ref);
    let unique = |column: usize| match held {
        Some(held) => held.columns[column].is_unique() && held.rows > 1,
        None => description.primary_key.is_empty(),
    };
    let columns = 0..description.columns.len();
    columns
        .filter(|&column| {
            description.columns[column].unique && description.primary_key.is_empty()
                || named(column) && unique(column)
        })
        .take(2)
        .collect()
}

fn name_of(name: &str, alone_key: bool) -> Name {
    let mut stems = stems(name);
    // The second of several references, as in `club_id_2`, is named as the first.
    if stems.len() > 2
        && stems
            .last()
            .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
    {
        stems.pop();
    }
    let core: Vec<String> = stems
        .iter()
        .filter(|word| !KEY.contains(&word.as_str()))
        .cloned()
        .collect();
    Name {
        squeezed: name
            .to_lowercase()
            .replace(|sign: char| !sign.is_alphanumeric(), ""),
        says_key: is_called_key(&stems),
        counts: is_count(name, &stems),
        core,
        stems,
        alone_key,
    }
}

/// True for a name with a word that keys are called by.
pub(super) fn says_key(name: &str) -> bool {
    is_called_key(&stems(name))
}

/// `customer_id`, `id_customer`; not `no_of_loans`.
fn is_called_key(stems: &[String]) -> bool {
    let last = stems
        .last()
        .is_some_and(|last| KEY.contains(&last.as_str()) && last != "name");
    last || stems
        .first()
        .is_some_and(|first| matches!(first.as_str(), "id" | "fk"))
}

/// True where a name begins with a word for a number and goes on with more than one thing.
fn is_count(name: &str, stems: &[String]) -> bool {
    let number = |first: &String| {
        matches!(
            first.as_str(),
            "no" | "nr"
                | "nbr"
                | "num"
                | "number"
                | "count"
                | "total"
                | "max"
                | "maximum"
                | "min"
                | "minimum"
        )
    };
    let of_many = stems.get(1).is_some_and(|second| second == "of") || name.to_lowercase().ends_with('s');
    stems.first().is_some_and(number) && of_many && !is_called_key(stems)
}

fn table_stems(name: &str) -> Vec<String> {
    let words = words::table_words(name);
    words.iter().map(|word| words::stem(word)).collect()
}

fn stems(identifier: &str) -> Vec<String> {
    words::identifier_words(identifier)
        .iter()
        .map(|word| words::stem(word))
        .collect()
}

fn initial(word: &str) -> String {
    word.chars().take(1).collect()
}

/// True where a word of two letters and more is another with letters left out: `emp`, `cust`, `dept`.
fn abbreviates(short: &str, long: &str) -> bool {
    if short.len() < 2 || short.len() >= long.len() || short.as_bytes()[0] != long.as_bytes()[0] {
        return false;
    }
    let mut rest = long.chars();
    short
        .chars()
        .all(|wanted| rest.any(|character| character == wanted))
}
