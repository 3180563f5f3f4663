//! The question as a row of items: names with all that they may mean, words that shape the answer, numbers, times.

use std::{
    collections::HashSet,
    ops::Range,
    sync::{Arc, LazyLock},
};

use time::Date;

use super::{
    super::{
        lexicon::{Degree, Operator, lexicon},
        likeness::Wording,
        question::{Token, TokenKind},
        vocabulary::{self, Similarities, Vocabulary},
    },
    periods::{self, Temporal},
};
use crate::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::{Aggregate, Comparison, FieldRole, Formula, SemanticModel},
};

/// Words of the longest phrase that may name something.
const LONGEST_NAME: usize = 4;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 7;
/// Meanings of one phrase that are looked at.
const MOST_SENSES: usize = 10;
/// What a content word costs that nothing explains.
const UNKNOWN: f32 = -0.3;

/// A part of the question.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its tokens.
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

/// What a part of the question is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// It names something in the database: what that may be, the likeliest first.
    Name(Vec<Sense>),
    /// A day, a period, a length of time.
    Time(Temporal),
    /// A number, as SQL writes it.
    Number(String),
    /// `$n`.
    Parameter(usize),
    /// Text in quotes.
    Quoted(String),
    /// It shapes the answer.
    Cue(Cue),
    /// It may mean something, and nobody knows what.
    Unknown,
}

/// What a name may mean, and how well it fits, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sense {
    pub(super) meaning: Meaning,
    pub(super) score: f32,
}

/// What a name may mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    Dataset(usize),
    Field(ColumnRef),
    Metric(usize),
    Filter(usize),
    /// A stored value.
    Value(ColumnRef, Arc<str>),
}

/// What shapes an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cue {
    HowMany,
    HowMuch,
    HowLong,
    Which,
    Show,
    By,
    Each,
    Of,
    With,
    Who,
    In,
    And,
    Or,
    Both,
    Is,
    Than,
    Order,
    Rank,
    Versus,
    Share,
    Percent,
    Growth,
    Running,
    Distinct,
    Not,
    Without,
    Null,
    NotNull,
    Median,
    Aggregate(Gathering),
    /// The highest or the lowest of something; an adjective says of what.
    Superlative { highest: bool, adjective: Option<usize> },
    /// `oldest first`: an order.
    First { highest: bool, adjective: Option<usize> },
    Ordinal(u64),
    Compare(Comparison),
    CompareAverage(bool),
    /// It is about how good things are.
    Best(bool),
    OrMore,
    OrLess,
    Between,
    Contains,
    Starts,
    Ends,
    Comma,
    /// What was named before does not count.
    LeftOut,
    /// What has come to an end.
    Former,
    /// What has not.
    Current,
    Alphabetical,
    Ascending,
    Descending,
    Ever,
}

/// How values are made into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gathering {
    Sum,
    Average,
    Highest,
    Lowest,
}

/// What the words of a question stand for, before anything is decided.
pub(super) struct Linker<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    vocabulary: Arc<Vocabulary>,
    similarities: Similarities,
    wordings: Vec<Wording>,
    /// What metrics and filters are called, with what each stands for.
    called: Vec<(Meaning, Vec<Wording>)>,
    /// Measures of money, the likeliest first.
    money: Vec<(usize, f32)>,
    today: Date,
}

/// The items of a question, as the likeliest division has them.
pub(super) fn items(tokens: &[Token], today: Date, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Item> {
    let vocabulary = vocabulary::of(&snapshot.schema);
    let linker = Linker {
        similarities: vocabulary.meanings(tokens),
        wordings: tokens.iter().map(|token| Wording::of(&token.word)).collect(),
        tokens,
        snapshot,
        model,
        vocabulary,
        called: called(model),
        money: money(snapshot, model),
        today,
    };
    linker.divide()
}

#[derive(Clone)]
struct Best {
    score: f32,
    from: usize,
    kind: Option<Kind>,
}

impl Linker<'_> {
    fn divide(&self) -> Vec<Item> {
        let count = self.tokens.len();
        let nothing = Best {
            score: f32::MIN,
            from: 0,
            kind: None,
        };
        let mut best = vec![nothing; count + 1];
        best[0].score = 0.0;
        for start in 0..count {
            let base = best[start].score;
            for (score, end, kind) in self.readings(start) {
                if base + score > best[end].score {
                    best[end] = Best {
                        score: base + score,
                        from: start,
                        kind,
                    };
                }
            }
        }
        let mut items = Vec::new();
        let mut end = count;
        while end > 0 {
            let from = best[end].from;
            if let Some(kind) = best[end].kind.take() {
                items.push(Item { span: from..end, kind });
            }
            end = from;
        }
        items.reverse();
        items
    }

    /// What may begin here: its score, where it ends, and what it is; nothing for a word without content.
    fn readings(&self, start: usize) -> Vec<(f32, usize, Option<Kind>)> {
        let mut found = Vec::new();
        let token = &self.tokens[start];
        match &token.kind {
            TokenKind::Mark(mark) => {
                let cue = match mark {
                    ',' | ';' | ':' => Some(Cue::Comma),
                    '>' => Some(Cue::Compare(Comparison::Greater)),
                    '<' => Some(Cue::Compare(Comparison::Less)),
                    '=' => Some(Cue::Compare(Comparison::Equal)),
                    '%' => Some(Cue::Percent),
                    '&' => Some(Cue::And),
                    _ => None,
                };
                found.push((0.0, start + 1, cue.map(Kind::Cue)));
            }
            TokenKind::Possessive => found.push((0.0, start + 1, Some(Kind::Cue(Cue::Of)))),
            TokenKind::Number(number) => found.push((1.0, start + 1, Some(Kind::Number(number.clone())))),
            TokenKind::Ordinal(number) => {
                found.push((1.0, start + 1, Some(Kind::Cue(Cue::Ordinal(*number)))));
            }
            TokenKind::Parameter(number) => found.push((1.0, start + 1, Some(Kind::Parameter(*number)))),
            TokenKind::Quoted(text) => found.push((1.0, start + 1, Some(Kind::Quoted(text.clone())))),
            TokenKind::Word(Some(number)) => {
                found.push((0.8, start + 1, Some(Kind::Number(number.to_string()))));
            }
            TokenKind::Word(None) => {
                let filler = lexicon().is_filler(&token.word) || is_polite(&token.word);
                found.push(if filler {
                    (0.0, start + 1, None)
                } else {
                    (UNKNOWN, start + 1, Some(Kind::Unknown))
                });
            }
            TokenKind::Date(_) | TokenKind::Month(_) => {}
        }
        if let Some((temporal, used)) = periods::temporal(self.tokens, start, self.today) {
            let length = matches!(temporal, Temporal::Length(_));
            let score = if length { 0.9 } else { 1.35 * used as f32 };
            found.push((score, start + used, Some(Kind::Time(temporal))));
        } else if matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_)) {
            found.push((0.0, start + 1, Some(Kind::Unknown)));
        }
        let longest = (self.tokens.len() - start).min(LONGEST_VALUE);
        for used in 1..=longest {
            let span = start..start + used;
            if let Some(cue) = self.cue(&span) {
                let score = used as f32 + if used > 1 { 0.15 } else { 0.0 };
                found.push((score, span.end, Some(Kind::Cue(cue))));
            }
            if let Some((score, senses)) = self.named(&span) {
                found.push((score, span.end, Some(Kind::Name(senses))));
            }
        }
        found
    }

    fn phrase(&self, span: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[span.clone()].iter().map(|token| token.word.as_str()).collect();
        words.join(" ")
    }

    fn cue(&self, span: &Range<usize>) -> Option<Cue> {
        let words = &self.tokens[span.clone()];
        if words.iter().any(|token| !matches!(token.kind, TokenKind::Word(_) | TokenKind::Mark('&'))) {
            return None;
        }
        let phrase = self.phrase(span);
        if let Some(cue) = cue_of(&phrase) {
            return Some(cue);
        }
        // `over the months`, `handed over`: nothing is compared without a number.
        let compares = matches!(
            phrase.as_str(),
            "over" | "under" | "above" | "below" | "after" | "before" | "since" | "until" | "following" | "up to" | "more" | "less" | "fewer" | "greater" | "higher" | "lower"
        );
        if compares && !self.number_follows(span.end) {
            return None;
        }
        if let Some((adjective, degree)) = lexicon().adjective_form(&phrase)
            && degree == Degree::Superlative
        {
            let first = self.tokens.get(span.end).is_some_and(|next| next.word == "first");
            let adjective = Some(adjective);
            return Some(if first {
                Cue::First { highest: true, adjective }
            } else {
                Cue::Superlative { highest: true, adjective }
            });
        }
        let operator = lexicon().operator(&phrase)?;
        if operator == Operator::ThanAverage && phrase.starts_with("below") {
            return Some(Cue::CompareAverage(false));
        }
        of_operator(operator)
    }

    fn number_follows(&self, at: usize) -> bool {
        self.tokens[at..]
            .iter()
            .take(2)
            .any(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_)) | TokenKind::Parameter(_)))
    }

    /// What a phrase may name.
    fn named(&self, span: &Range<usize>) -> Option<(f32, Vec<Sense>)> {
        let mut senses = Vec::new();
        let content: Vec<usize> = span
            .clone()
            .filter(|&at| {
                let token = &self.tokens[at];
                !(is_article(&token.word) || matches!(token.kind, TokenKind::Mark(_) | TokenKind::Possessive))
            })
            .collect();
        let whole = content.first() == Some(&span.start) && content.last() == Some(&(span.end - 1));
        let is_word = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Word(_) | TokenKind::Quoted(_));
        if whole && content.iter().all(is_word) && content.len() <= LONGEST_NAME {
            self.names(&content, &mut senses);
        }
        let lexical = senses.iter().map(|sense: &Sense| sense.score).fold(0.0, f32::max);
        let value = self.values(span, lexical, &mut senses);
        if senses.is_empty() {
            return None;
        }
        let length = if lexical >= 0.95 { span.len() } else { content.len() } as f32;
        let names = if lexical > 0.0 {
            length * lexical * 1.15 + (length - 1.0) * 0.35 * lexical
        } else {
            0.0
        };
        senses.sort_by(|one, other| other.score.total_cmp(&one.score));
        senses.truncate(MOST_SENSES);
        Some((names.max(value), senses))
    }

    fn names(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let single = content.len() == 1;
        let word = &self.tokens[content[0]].word;
        if single && matches!(word.as_str(), "no" | "on" | "in" | "at" | "date" | "time" | "first" | "last") {
            return;
        }
        if single && (lexicon().is_filler(word) && !lexicon().knows(&self.tokens[content[0]].stem) || is_polite(word)) {
            return;
        }
        // `seats per plan` is no name with `per` in it.
        let has_cue = !single
            && content.iter().any(|&at| {
                matches!(self.tokens[at].word.as_str(), "per" | "by" | "each" | "and" | "or" | "with" | "without" | "not" | "who" | "that" | "than")
            });
        if has_cue {
            return;
        }
        for (table, score) in self.vocabulary.tables(content, self.tokens, &self.similarities) {
            senses.push(Sense { meaning: Meaning::Dataset(table), score });
        }
        for (column, score) in self.vocabulary.columns(content, self.tokens, &self.similarities) {
            senses.push(Sense { meaning: Meaning::Field(column), score });
        }
        for (meaning, name) in &self.called {
            if let Some(score) = self.is_called(name, content) {
                better(senses, meaning, score);
            }
        }
        if single && is_money(&self.tokens[content[0]]) {
            let verb = self.tokens[content[0]].word.get(..3).unwrap_or_default();
            for (at, score) in &self.money {
                // Who has paid is found with the payments.
                let metric = &self.model.metrics[*at];
                let table = &self.snapshot.schema.tables[metric.dataset].name;
                let near = words::identifier_words(table).iter().any(|word| word.starts_with(verb));
                better(senses, &Meaning::Metric(*at), (score + if near { 0.15 } else { 0.0 }).min(1.0));
            }
        }
        if single {
            self.coded(content[0], senses);
            self.persons(content[0], senses);
            self.ages(content[0], senses);
        }
    }

    /// How well some words of the question are a name of the model: all of it, or nearly so.
    fn is_called(&self, name: &[Wording], content: &[usize]) -> Option<f32> {
        if name.is_empty() || content.len() > name.len() {
            return None;
        }
        let mut sum = 0.0;
        for &at in content {
            let best = name.iter().map(|word| self.wordings[at].likeness(word)).fold(0.0, f32::max);
            if best < 0.6 {
                return None;
            }
            sum += best;
        }
        let covered = content.len() as f32 / name.len() as f32;
        // What the last word says is what it is.
        let says_what = name.last().is_none_or(|last| {
            is_unit_word(&last.text) || content.iter().any(|&at| self.wordings[at].likeness(last) >= 0.6)
        });
        let score = sum / content.len() as f32 * covered.sqrt() * if says_what { 1.0 } else { 0.6 };
        (score >= 0.6).then_some(score)
    }

    /// People are whoever has a name, where nothing is called so.
    fn persons(&self, at: usize, senses: &mut Vec<Sense>) {
        let word = self.tokens[at].word.as_str();
        if !matches!(word, "people" | "everyone" | "everybody" | "persons" | "anyone" | "members" | "individuals") {
            return;
        }
        for table in 0..self.model.datasets.len() {
            if is_person(&self.snapshot.schema, table) {
                better(senses, &Meaning::Dataset(table), 0.65);
            }
        }
    }

    /// An age is told by a birthday, where there is no other.
    fn ages(&self, at: usize, senses: &mut Vec<Sense>) {
        if !matches!(self.tokens[at].word.as_str(), "age" | "ages" | "aged" | "old") || !senses.is_empty() {
            return;
        }
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let place = ColumnRef { table, column };
                if field.role == FieldRole::Time && is_birth(&self.snapshot.schema.column(place).name) {
                    senses.push(Sense { meaning: Meaning::Field(place), score: 0.85 });
                }
            }
        }
    }

    /// `women` is what some column has as `F`.
    fn coded(&self, at: usize, senses: &mut Vec<Sense>) {
        let token = &self.tokens[at];
        let Some(code) = lexicon().code(&token.word).or_else(|| lexicon().code(&token.stem)) else {
            return;
        };
        for (table, profile) in self.snapshot.profile.tables.iter().enumerate() {
            let Some(profile) = profile else { continue };
            for (column, profile) in profile.columns.iter().enumerate() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                if !name.iter().any(|word| code.columns.contains(word)) {
                    continue;
                }
                let stored = code.codes.iter().find_map(|code| {
                    profile.frequent.iter().find(|(value, _)| value.eq_ignore_ascii_case(code))
                });
                if let Some((value, _)) = stored {
                    senses.push(Sense {
                        meaning: Meaning::Value(place, value.as_str().into()),
                        score: 0.95,
                    });
                }
            }
        }
    }

    /// Stored values that a phrase is, and what that counts for.
    fn values(&self, span: &Range<usize>, lexical: f32, senses: &mut Vec<Sense>) -> f32 {
        let tokens = &self.tokens[span.clone()];
        let readable = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Mark(_) | TokenKind::Possessive | TokenKind::Quoted(_)
            )
        };
        let all_numbers = tokens.iter().all(|token| matches!(token.kind, TokenKind::Number(_)));
        if !tokens.iter().all(readable) || all_numbers || matches!(tokens[0].kind, TokenKind::Mark(_)) {
            return 0.0;
        }
        let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let text = text.join(" ").replace(" 's", "'s");
        let mut hits = self.snapshot.values.find(&words::text_words(&text));
        let single = tokens.len() == 1;
        let capital = tokens[0].capital && span.start > 0;
        if single && !capital {
            let word = tokens[0].word.as_str();
            hits.retain(|hit| {
                let stored = hit.stored.to_lowercase();
                stored == word || singular(&stored) == singular(word)
            });
        }
        let common = tokens.iter().all(|token| {
            lexicon().is_filler(&token.word) || lexicon().operator(&token.word).is_some() || token.word.len() == 1
        });
        if hits.is_empty() || common && !capital {
            return 0.0;
        }
        let same_spelling = hits.iter().any(|hit| *hit.stored == *text);
        for hit in hits {
            let field = self.model.field(hit.column);
            // What names rows of a table is called so; a word in running text is not.
            let fit: f32 = match field.role {
                FieldRole::Text | FieldRole::Document => 0.5,
                FieldRole::Identifier | FieldRole::Reference => 0.6,
                _ => 0.9,
            };
            let spelled = if *hit.stored == *text { 0.1 } else { 0.0 };
            senses.push(Sense {
                meaning: Meaning::Value(hit.column, hit.stored),
                score: (fit + spelled).min(1.0),
            });
        }
        let length = tokens.len() as f32;
        let base = if single { 0.9 } else { 1.15 * length };
        let spelled = if same_spelling { 0.15 } else { 0.0 };
        let capitals = if capital { 0.25 * length } else { 0.0 };
        if lexical > 0.9 && single && !capital {
            0.5
        } else {
            base + spelled + capitals
        }
    }
}

/// True for a table of persons, by its columns.
pub(super) fn is_person(schema: &Schema, table: usize) -> bool {
    let names: Vec<Vec<String>> =
        schema.tables[table].columns.iter().map(|column| words::identifier_words(&column.name)).collect();
    let has = |wanted: &[&str]| names.iter().flatten().any(|word| wanted.contains(&word.as_str()));
    has(&["first", "firstname", "fname", "given"]) && has(&["last", "lastname", "lname", "surname", "family"])
        || has(&["surname", "email", "birth", "gender", "sex", "dob", "birthdate"])
}

/// True for the name of a column of birthdays.
pub(super) fn is_birth(name: &str) -> bool {
    words::identifier_words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "birth" | "born" | "dob" | "birthdate" | "birthday"))
}

/// A sense, unless the same is known with a better score.
fn better(senses: &mut Vec<Sense>, meaning: &Meaning, score: f32) {
    match senses.iter_mut().find(|known| known.meaning == *meaning) {
        Some(known) => known.score = known.score.max(score),
        None => senses.push(Sense {
            meaning: meaning.clone(),
            score,
        }),
    }
}

/// What metrics and filters are called. A count of a table's rows is called as the table is.
fn called(model: &SemanticModel) -> Vec<(Meaning, Vec<Wording>)> {
    let words = |name: &str| -> Vec<Wording> {
        words::identifier_words(name).iter().map(|word| Wording::of(word)).collect()
    };
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        let counts = matches!(
            &metric.formula,
            Formula::Rows { aggregate: Aggregate::Count, conditions, .. } if conditions.is_empty()
        );
        let meaning = if counts { Meaning::Dataset(metric.dataset) } else { Meaning::Metric(at) };
        for name in std::iter::once(&metric.name).chain(&metric.wording.synonyms) {
            found.push((meaning.clone(), words(name)));
        }
    }
    for (at, filter) in model.filters.iter().enumerate() {
        for name in std::iter::once(&filter.name).chain(&filter.wording.synonyms) {
            found.push((Meaning::Filter(at), words(name)));
        }
    }
    for (table, dataset) in model.datasets.iter().enumerate() {
        for name in &dataset.wording.synonyms {
            found.push((Meaning::Dataset(table), words(name)));
        }
        for (column, field) in dataset.fields.iter().enumerate() {
            for name in &field.wording.synonyms {
                found.push((Meaning::Field(ColumnRef { table, column }), words(name)));
            }
        }
    }
    found
}

/// True for a word that asks for money without naming an amount.
fn is_money(token: &Token) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        "revenue turnover sales income earnings takings money spend spent spenders proceeds earn"
            .split(' ')
            .map(words::stem)
            .collect()
    });
    STEMS.contains(&token.stem)
        || matches!(token.word.as_str(), "paid" | "pay" | "pays" | "billed" | "invoiced" | "charged" | "payments")
}

/// Sums of money that come in, the likeliest first.
fn money(snapshot: &Snapshot, model: &SemanticModel) -> Vec<(usize, f32)> {
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        if !matches!(&metric.formula, Formula::Rows { aggregate: Aggregate::Sum(_), .. }) {
            continue;
        }
        let name = words::identifier_words(&metric.name);
        let has = |list: &[&str]| name.iter().any(|word| list.contains(&word.as_str()));
        if !has(&["revenue", "sales", "turnover", "amount", "amt", "total", "price", "net", "gross", "paid", "fee", "eur", "usd", "gbp", "charge", "value", "income"]) {
            continue;
        }
        let mut score: f32 = 0.7;
        if has(&["revenue", "sales", "turnover", "income"]) {
            score += 0.2;
        }
        if has(&["net", "total"]) {
            score += 0.05;
        }
        // The insurer's part is not the bill.
        if name.len() > 1 && !has(&["total", "amount", "net", "gross", "price", "eur", "usd", "gbp"]) {
            score -= 0.1;
        }
        if has(&["cost", "costs", "discount", "refund", "tax", "vat", "target", "claimed", "credit", "budget", "quantity", "stock", "odometer", "salary", "bonus", "balance", "limit"]) {
            score -= 0.3;
        }
        let table = words::identifier_words(&snapshot.schema.tables[metric.dataset].name);
        if table.iter().any(|word| matches!(words::stem(word).as_str(), "sale" | "order" | "invoic" | "payment" | "bill" | "book" | "shipment" | "rental" | "receipt" | "purchas")) {
            score += 0.1;
        }
        if table.iter().any(|word| matches!(words::stem(word).as_str(), "return" | "refund" | "target" | "credit" | "claim" | "mainten" | "budget" | "salari")) {
            score -= 0.2;
        }
        found.push((at, score.clamp(0.3, 0.95)));
    }
    found
}

/// Without the plural's ending.
fn singular(word: &str) -> &str {
    word.strip_suffix("ies")
        .or_else(|| word.strip_suffix("es"))
        .or_else(|| word.strip_suffix('s'))
        .or_else(|| word.strip_suffix('y'))
        .unwrap_or(word)
}

/// Words that may stand inside a name without being part of it.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "of" | "in" | "'s" | "our")
}

/// Units in the names of columns.
fn is_unit_word(word: &str) -> bool {
    matches!(word, "eur" | "usd" | "gbp" | "kg" | "km" | "min" | "pct" | "l" | "m3" | "sqm" | "id" | "hours" | "days" | "minutes")
}

/// Words around a question.
fn is_polite(word: &str) -> bool {
    matches!(
        word,
        "hi" | "hello" | "thanks" | "thank" | "hey" | "dear" | "please" | "could" | "i" | "need" | "want" | "know" | "like" | "get" | "got" | "yet" | "actually" | "dr" | "mr" | "mrs" | "ms" | "prof" | "really" | "simply" | "us" | "meeting" | "board"
    )
}

fn cue_of(phrase: &str) -> Option<Cue> {
    Some(match phrase {
        "how much" | "how much money" => Cue::HowMuch,
        "how long" => Cue::HowLong,
        "how often" | "how many times" | "number" | "no of" => Cue::HowMany,
        "which" | "what" => Cue::Which,
        "who" | "whom" => Cue::Who,
        "show" | "list" | "give" | "find" | "show me" | "give me" | "list all" => Cue::Show,
        "by" | "according to" => Cue::By,
        "with" | "and their" | "along with" => Cue::With,
        "in" | "for" | "from" | "at" | "on" | "to" | "among" | "during" => Cue::In,
        "than" => Cue::Than,
        "vs" | "versus" | "against" | "compared with" | "compared to" | "next to" | "side by side" | "in comparison with" => Cue::Versus,
        "share of" | "share" | "what share of" | "proportion of" | "fraction of" | "fraction" | "rate" | "proportion" | "ratio of" => Cue::Share,
        "percentage of" | "percentage" | "percent of" | "percent" | "what percentage of" | "in percent" | "what percent of" => Cue::Percent,
        "rank" => Cue::Rank,
        "growth" | "grow" | "grew" | "change" | "increase" => Cue::Growth,
        "running total" | "running total of" | "cumulative" | "cumulated" => Cue::Running,
        "median" => Cue::Median,
        "left out" | "excluded" | "not counted" | "ignored" | "not included" => Cue::LeftOut,
        "leaving out" | "except" | "excluding" | "not counting" => Cue::Not,
        "no longer" | "any more" | "anymore" | "not any more" | "have left" | "has left" | "left us" | "gone" | "ex" => Cue::Former,
        "still" | "currently" | "at the moment" | "right now" | "now" | "current" => Cue::Current,
        "busiest" | "most active" => Cue::Superlative { highest: true, adjective: None },
        "most" | "the most" => Cue::Superlative { highest: true, adjective: None },
        "best" => Cue::Best(true),
        "top" => Cue::Superlative { highest: true, adjective: None },
        "worst" => Cue::Best(false),
        "second" => Cue::Ordinal(2),
        "third" => Cue::Ordinal(3),
        "newest first" | "latest first" | "most recent first" => Cue::First { highest: true, adjective: None },
        "oldest first" | "earliest first" => Cue::First { highest: false, adjective: None },
        "biggest first" | "largest first" | "highest first" | "most first" | "best first" => Cue::Descending,
        "smallest first" | "lowest first" | "fewest first" => Cue::Ascending,
        "ever" | "so far" | "of all time" => Cue::Ever,
        "nobody" | "no one" | "nothing" | "neither" | "without" | "never" | "without any" | "without a single" => Cue::Without,
        "?" => return None,
        _ => return None,
    })
}

fn of_operator(operator: Operator) -> Option<Cue> {
    let superlative = |highest| Cue::Superlative { highest, adjective: None };
    Some(match operator {
        Operator::Count => Cue::HowMany,
        Operator::Average => Cue::Aggregate(Gathering::Average),
        Operator::Sum => Cue::Aggregate(Gathering::Sum),
        Operator::Maximum => Cue::Aggregate(Gathering::Highest),
        Operator::Minimum => Cue::Aggregate(Gathering::Lowest),
        Operator::Highest | Operator::MostCommon => superlative(true),
        Operator::Lowest | Operator::LeastCommon => superlative(false),
        Operator::Greater | Operator::After => Cue::Compare(Comparison::Greater),
        Operator::AtLeast | Operator::Since => Cue::Compare(Comparison::AtLeast),
        Operator::Less | Operator::Before => Cue::Compare(Comparison::Less),
        Operator::AtMost | Operator::Until => Cue::Compare(Comparison::AtMost),
        Operator::Equal => Cue::Compare(Comparison::Equal),
        Operator::OrMore => Cue::OrMore,
        Operator::OrLess => Cue::OrLess,
        Operator::Between => Cue::Between,
        Operator::ThanAverage => Cue::CompareAverage(true),
        Operator::Group => Cue::Each,
        Operator::Order => Cue::Order,
        Operator::Ascending => Cue::Ascending,
        Operator::Alphabetical => Cue::Alphabetical,
        Operator::Descending => Cue::Descending,
        Operator::Distinct => Cue::Distinct,
        Operator::Not => Cue::Not,
        Operator::Without => Cue::Without,
        Operator::Both => Cue::Both,
        Operator::Or | Operator::Either => Cue::Or,
        Operator::And => Cue::And,
        Operator::Contains => Cue::Contains,
        Operator::Starts => Cue::Starts,
        Operator::Ends => Cue::Ends,
        Operator::Boundary => Cue::Who,
        Operator::Is => Cue::Is,
        Operator::Of => Cue::Of,
        Operator::Null => Cue::Null,
        Operator::NotNull => Cue::NotNull,
        Operator::Everything => return None,
    })
}
