//! What the words of a question stand for in the database, one line each, the most useful first.

use super::{Excerpt, Values, data, ddl, held};
use crate::question::{
    embedded::{self, LONGEST_QUESTION, Phrase, Reading, is_common},
    schema::{ColumnProfile, ColumnRef, Snapshot, ValueHit, words},
    today,
};

/// Lines at most.
const MOST_LINES: usize = 12;
/// Lines about stored values at most.
const MOST_VALUES: usize = 6;
/// Places of a value, or meanings of a phrase, that are told.
const MOST_PLACES: usize = 3;
/// Words of a phrase that may be a stored value.
const LONGEST_PHRASE: usize = 8;
/// Characters of a phrase or a value.
const LONGEST_TEXT: usize = 80;
/// How alike a misspelt value must be.
const NEAR: f64 = 0.9;
/// Characters of one at least; shorter ones are like too many.
const LEAST_MISSPELT: usize = 5;
/// Phrases that are looked up as misspelt values: each look-up reads all values.
const MOST_MISSPELT: usize = 3;
/// Different titles that a column has at least, and words of one on average, times ten.
const LEAST_TITLES: u64 = 10;
const TENTH_WORDS_OF_TITLES: u64 = 15;
/// Characters of a short code, and different ones of a column that has many.
const LONGEST_CODE: usize = 4;
const MANY_CODES: u64 = 100;
/// Below this certainty the other columns that a phrase may mean are told too.
const SURE: f32 = 0.85;

/// What is known of the words of a question: stored values as they are spelled, keys that join the tables, exact names.
/// Only of what the excerpt shows; without values, nothing that is stored is told.
pub fn evidence(question: &str, snapshot: &Snapshot, excerpt: &Excerpt, values: Values) -> Vec<String> {
    if question.chars().count() > LONGEST_QUESTION {
        return Vec::new();
    }
    let part = if excerpt.is_whole() {
        snapshot.clone()
    } else {
        snapshot.part(&excerpt.tables)
    };
    let today = today();
    // What asks for a change is refused elsewhere; its values are told nevertheless.
    let phrases =
        embedded::link(question, today, &part).map_or_else(|_| Vec::new(), |linked| linked.phrases(&part));
    let mut witness = Witness {
        snapshot: &part,
        excerpt,
        tables: Vec::new(),
        named: phrases.iter().flat_map(tables_of).collect(),
    };
    let mut lines = match values {
        Values::Send => witness.values(question, &phrases),
        Values::Withhold => Vec::new(),
    };
    // In a schema that is shown whole, a model does better without what the embedded agents take words for: it would
    // repeat their mistakes.
    if !excerpt.is_whole() {
        let names = witness.names(&phrases);
        lines.extend(witness.joins());
        lines.extend(names);
    }
    lines.truncate(MOST_LINES);
    lines
}

fn tables_of(phrase: &Phrase) -> Vec<usize> {
    match &phrase.reading {
        Reading::Table(table) => vec![*table],
        Reading::Column(column, _) => vec![column.table],
        _ => Vec::new(),
    }
}

struct Witness<'a> {
    /// The part of the database that the excerpt shows.
    snapshot: &'a Snapshot,
    excerpt: &'a Excerpt,
    /// Tables that the lines speak of.
    tables: Vec<usize>,
    /// Tables that the question names, or whose columns it names.
    named: Vec<usize>,
}

impl Witness<'_> {
    /// Stored values that the question names, in the order of the question; then those that it may have misspelt.
    fn values(&mut self, question: &str, phrases: &[Phrase]) -> Vec<String> {
        let mut found: Vec<(String, Vec<ValueHit>)> = self.stored(question, phrases);
        for phrase in phrases {
            // A code has another spelling than the word that stands for it.
            if let Reading::Value(hits) = &phrase.reading
                && !found.iter().any(|(text, _)| same_words(text, &phrase.text))
            {
                let is_name = phrase.is_name || phrase.text.contains(' ');
                let mut hits = hits.clone();
                hits.retain(|hit| is_name || !self.is_by_chance(hit));
                found.push((phrase.text.clone(), hits));
            }
        }
        let mut lines: Vec<String> = found
            .into_iter()
            .filter_map(|(text, hits)| self.value(&text, hits, "is stored as"))
            .take(MOST_VALUES)
            .collect();
        let misspelt = phrases.iter().filter(|phrase| {
            let long = phrase.text.chars().count() >= LEAST_MISSPELT;
            long && phrase.is_name && matches!(phrase.reading, Reading::Unknown)
        });
        for phrase in misspelt.take(MOST_MISSPELT) {
            let hits = self
                .snapshot
                .values
                .nearest(&words::text_words(&phrase.text), NEAR);
            lines.extend(self.value(&phrase.text, hits, "may be"));
        }
        lines
    }

    /// The longest phrases that are stored, however they are cased and inflected.
    fn stored(&self, question: &str, phrases: &[Phrase]) -> Vec<(String, Vec<ValueHit>)> {
        let spoken_for: Vec<String> = phrases.iter().flat_map(|phrase| self.explained(phrase)).collect();
        let words = words::text_words(question);
        let stems: Vec<String> = words.iter().map(|word| words::stem(word)).collect();
        let mut found = Vec::new();
        let mut start = 0;
        while start < words.len() {
            let longest = LONGEST_PHRASE.min(words.len() - start);
            let hit = (1..=longest).rev().find_map(|length| {
                let phrase = &words[start..start + length];
                let empty = |word: &String| is_common(word) || word.chars().count() < 2;
                if phrase.iter().all(empty) {
                    return None;
                }
                let key = stems[start..start + length].join(" ");
                let mut hits = self.snapshot.values.find_key(&key);
                if let [word] = phrase {
                    // `driver` is the table and not somebody of that name, unless it is written as a name.
                    if spoken_for.contains(&key) && !is_written_as_name(question, word) {
                        return None;
                    }
                    let is_name = is_written_as_name(question, word);
                    hits.retain(|hit| same_word(word, &hit.stored) && (is_name || !self.is_by_chance(hit)));
                }
                (!hits.is_empty()).then(|| (length, phrase.join(" "), hits))
            });
            match hit {
                Some((length, text, hits)) => {
                    found.push((text, hits));
                    start += length;
                }
                None => start += 1,
            }
        }
        found
    }

    /// The stems of a phrase that the names of what it stands for have too, or that shape the query.
    fn explained(&self, phrase: &Phrase) -> Vec<String> {
        let schema = &self.snapshot.schema;
        let mut found = stems(&phrase.text);
        match &phrase.reading {
            Reading::Table(table) => {
                let name = stems(&schema.tables[*table].name);
                found.retain(|stem| name.contains(stem));
            }
            Reading::Column(column, _) => {
                let name = stems(&schema.column(*column).name);
                found.retain(|stem| name.contains(stem));
            }
            Reading::Shape => {}
            _ => found.clear(),
        }
        found
    }

    /// One line about a value: the places that the question speaks of where there are some, and how it is spelled.
    fn value(&mut self, text: &str, mut hits: Vec<ValueHit>, verb: &str) -> Option<String> {
        hits.retain(|hit| self.shows(hit.column));
        let named = |hit: &ValueHit| self.named.contains(&hit.column.table);
        if hits.iter().any(named) {
            hits.retain(|hit| self.is_near(hit.column.table));
        }
        // Best first: what the question names, where the value is at home, where a word of everyday is likelier meant.
        hits.sort_by_key(|hit| {
            (
                !named(hit),
                self.is_reference(hit.column),
                self.is_title(hit.column),
                hit.column,
            )
        });
        let mut spellings: Vec<(String, Vec<ColumnRef>)> = Vec::new();
        for hit in &hits {
            let Some(literal) = held::stored(&hit.stored, LONGEST_TEXT) else {
                continue;
            };
            match spellings.iter_mut().find(|(known, _)| *known == literal) {
                Some((_, places)) => places.push(hit.column),
                None => spellings.push((literal, vec![hit.column])),
            }
        }
        if spellings.is_empty() {
            return None;
        }
        if let [(_, places)] = spellings.as_slice()
            && let [place] = places.as_slice()
            && self.is_near(place.table)
        {
            self.tables.push(place.table);
        }
        let told: Vec<String> = spellings
            .iter()
            .take(MOST_PLACES)
            .map(|(literal, places)| {
                let names: Vec<String> = places
                    .iter()
                    .take(MOST_PLACES)
                    .map(|at| self.column(*at))
                    .collect();
                format!("{literal} in {}", names.join(" and "))
            })
            .collect();
        let text = data::line(text, LONGEST_TEXT);
        Some(format!("\"{text}\" {verb} {}", told.join(", or ")))
    }

    /// The exact names of what the words mean: dates first, then columns, then tables that are called otherwise.
    fn names(&mut self, phrases: &[Phrase]) -> Vec<String> {
        let (mut dates, mut columns, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for phrase in phrases {
            let text = data::line(&phrase.text, LONGEST_TEXT);
            match &phrase.reading {
                Reading::Date(date) => dates.push(format!("\"{text}\" is {date}")),
                Reading::Table(table) => {
                    self.tables.push(*table);
                    let name = &self.snapshot.schema.tables[*table].name;
                    if !same_words(name, &text) {
                        tables.push(format!("\"{text}\" is the table {}", self.table(*table)));
                    }
                }
                Reading::Column(column, others) if self.shows(*column) => {
                    self.tables.push(column.table);
                    let mut meant = vec![self.column(*column)];
                    if phrase.certainty < SURE {
                        let others = others
                            .iter()
                            .filter(|other| self.shows(**other))
                            .take(MOST_PLACES - 1);
                        meant.extend(others.map(|other| self.column(*other)));
                    }
                    // `all` and the like name a column by chance, unless it is clear which.
                    if meant.len() > 1 && is_common(&text.to_lowercase()) {
                        continue;
                    }
                    let verb = if meant.len() > 1 { "may be" } else { "is" };
                    columns.push(format!("\"{text}\" {verb} {}", meant.join(" or ")));
                }
                _ => {}
            }
        }
        let mut lines: Vec<String> = Vec::new();
        for line in dates.into_iter().chain(columns).chain(tables) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The keys that connect the tables which the lines speak of, as far as keys lead.
    fn joins(&self) -> Option<String> {
        let mut tables: Vec<usize> = Vec::new();
        let mut steps = Vec::new();
        for table in &self.tables {
            if tables.contains(table) {
                continue;
            }
            tables.push(*table);
            match self.snapshot.joins.connect(&tables, &[]) {
                Some(connected) => steps = connected,
                None => drop(tables.pop()),
            }
        }
        let ties: Vec<String> = steps
            .iter()
            .flat_map(|step| {
                let key = &self.snapshot.schema.foreign_keys[step.key];
                key.from.iter().zip(&key.to)
            })
            .map(|(from, to)| format!("{} = {}", self.column(*from), self.column(*to)))
            .collect();
        (!ties.is_empty()).then(|| format!("the tables join on {}", ties.join(" AND ")))
    }

    /// True for a table that the question names, or that a key ties to one.
    fn is_near(&self, table: usize) -> bool {
        let near = |named: &usize| {
            let distance = self.snapshot.joins.distance(*named, table);
            distance.is_some_and(|distance| distance <= 1)
        };
        self.named.is_empty() || self.named.iter().any(near)
    }

    fn shows(&self, at: ColumnRef) -> bool {
        let table = if self.excerpt.is_whole() {
            at.table
        } else {
            self.excerpt.tables[at.table]
        };
        self.excerpt.shows(ColumnRef { table, ..at })
    }

    /// True for what an everyday word meets by chance: a title, or one of many short codes, as `GO` is of airports.
    fn is_by_chance(&self, hit: &ValueHit) -> bool {
        let is_code = hit.stored.len() <= LONGEST_CODE && !hit.stored.contains(char::is_lowercase);
        let is_of_many = self
            .held(hit.column)
            .is_some_and(|held| held.distinct >= MANY_CODES);
        self.is_title(hit.column) || (is_code && is_of_many)
    }

    fn held(&self, at: ColumnRef) -> Option<&ColumnProfile> {
        let table = self.snapshot.profile.tables.get(at.table)?.as_ref()?;
        table.columns.get(at.column)
    }

    /// True for titles, names of works and the like, each another one and most of several words: there an everyday word stands
    /// by chance.
    fn is_title(&self, at: ColumnRef) -> bool {
        let table = self
            .snapshot
            .profile
            .tables
            .get(at.table)
            .and_then(Option::as_ref);
        let held = table.and_then(|table| table.columns.get(at.column));
        held.is_some_and(|held| {
            held.distinct >= LEAST_TITLES
                && held.tenth_words >= TENTH_WORDS_OF_TITLES
                && held.distinct * 10 >= held.values * 9
        })
    }

    /// True for a column that only refers to where the value is at home.
    fn is_reference(&self, at: ColumnRef) -> bool {
        let keys = &self.snapshot.schema.foreign_keys;
        keys.iter().any(|key| key.from.contains(&at))
    }

    fn table(&self, table: usize) -> String {
        ddl::table_name(&self.snapshot.schema.tables[table], self.snapshot.dialect)
    }

    fn column(&self, at: ColumnRef) -> String {
        ddl::column_name(&self.snapshot.schema, at, self.snapshot.dialect)
    }
}

/// True for a word in capitals or quotes, not counting the capital that opens the question.
fn is_written_as_name(question: &str, word: &str) -> bool {
    question.split_whitespace().enumerate().any(|(at, text)| {
        let bare = text.trim_matches(|character: char| !character.is_alphanumeric());
        bare.to_lowercase() == word
            && (text.starts_with(['"', '\'', '“', '‘']) || (at > 0 && bare.starts_with(char::is_uppercase)))
    })
}

/// `based` is not the stored `BASE`: a single word may differ in case and number only, in number not from capitals.
fn same_word(word: &str, stored: &str) -> bool {
    fn singular(word: &str) -> &str {
        word.strip_suffix("es")
            .or_else(|| word.strip_suffix('s'))
            .unwrap_or(word)
    }
    let is_code = stored.chars().all(|character| !character.is_lowercase());
    let folded = stored.to_lowercase();
    words::text_words(&folded)
        .first()
        .is_some_and(|stored| stored == word || (!is_code && singular(stored) == singular(word)))
}

/// True for the same words in any case and number.
fn same_words(one: &str, other: &str) -> bool {
    stems(one) == stems(other)
}

fn stems(text: &str) -> Vec<String> {
    words::identifier_words(text)
        .iter()
        .map(|word| words::stem(word))
        .collect()
}
