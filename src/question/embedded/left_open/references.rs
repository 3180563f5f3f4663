//! Which of two references to one table is meant, and what a table's reference to itself is asked for.

use super::super::{framing, taken::Taken};
use crate::question::{
    lexicon::is_verb,
    schema::{ColumnRef, Schema, words},
};

/// What two references to one table are called that are two sides of the same: whoever speaks of one of them says so.
const SIDES: &[(&str, &str)] = &[
    ("home", "away"),
    ("host", "guest"),
    ("host", "visitor"),
    ("local", "visitor"),
    ("from", "to"),
    ("source", "target"),
    ("source", "destination"),
    ("origin", "destination"),
    ("departure", "arrival"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("winner", "loser"),
    ("first", "second"),
    ("1", "2"),
    ("a", "b"),
];

/// A reference of one column, and the table that it leads to.
type Reference = (ColumnRef, usize);

/// What a question says of the references of tables that SQL reads, and which of them it takes.
struct References<'a> {
    asked: Vec<String>,
    taken: Taken<'a>,
    schema: &'a Schema,
    all: Vec<Reference>,
}

impl<'a> References<'a> {
    fn of(question: &str, sql: &'a str, schema: &'a Schema) -> Self {
        let taken = Taken::by(sql, schema);
        let keys = schema.foreign_keys.iter().filter(|key| key.from.len() == 1);
        let references = keys.map(|key| (key.from[0], key.to[0].table));
        Self {
            all: references.filter(|(at, _)| taken.has_table(at.table)).collect(),
            asked: framing::words(question),
            taken,
            schema,
        }
    }

    fn name(&self, (at, _): Reference) -> &str {
        &self.schema.column(at).name
    }

    fn is_taken(&self, reference: Reference) -> bool {
        self.taken.has(self.name(reference))
    }

    /// What tells a reference from others to the same table.
    fn own_words(&self, (at, target): Reference) -> Vec<String> {
        let of_table = words::table_words(&self.schema.tables[target].name);
        let of_table: Vec<String> = of_table.iter().map(|word| words::stem(word)).collect();
        let mut name = words::identifier_words(&self.schema.column(at).name);
        name.retain(|word| {
            !of_table.contains(&words::stem(word))
                && !matches!(word.as_str(), "id" | "no" | "code" | "key" | "number" | "by")
        });
        name
    }

    fn is_said(&self, reference: Reference) -> bool {
        let own = self.own_words(reference);
        own.iter().any(|own| {
            self.asked
                .iter()
                .any(|asked| words::stem(asked) == words::stem(own))
        })
    }

    /// True where the question has a word that is made from one of the reference, too, or that this is short for.
    fn is_meant(&self, reference: Reference) -> bool {
        let own = self.own_words(reference);
        // A word of a stored value is no other's: `billing tickets`.
        let asked = || {
            self.asked
                .iter()
                .filter(|word| !self.taken.sql.contains(&format!("'{word}")))
        };
        let same = |own: &str, word: &str| {
            words::stem(own) == words::stem(word) || is_from_same(own, word) || is_short_for(own, word)
        };
        // What the table itself is called by says nothing of one of its references.
        let table = words::table_words(&self.schema.tables[reference.0.table].name);
        let of_table = |own: &str| table.iter().any(|word| same(own, word) || same(word, own));
        own.iter()
            .filter(|own| own.len() > 2 && !of_table(own))
            .any(|own| asked().any(|word| same(own, word)))
    }

    fn are_sides(&self, one: Reference, other: Reference) -> bool {
        let (one, other) = (self.own_words(one), self.own_words(other));
        let has = |words: &[String], side: &str| words.iter().any(|word| word == side);
        SIDES
            .iter()
            .any(|(this, that)| has(&one, this) && has(&other, that) || has(&one, that) && has(&other, this))
    }

    fn rivals(&self, of: Reference) -> impl Iterator<Item = Reference> {
        let apart = self.all.iter().copied();
        apart.filter(move |other| other.0 != of.0 && other.0.table == of.0.table && other.1 == of.1)
    }

    /// Two references of one table to another.
    fn pairs(&self) -> impl Iterator<Item = (Reference, Reference)> {
        let apart = self
            .all
            .iter()
            .copied()
            .filter(|(at, target)| at.table != *target);
        apart.flat_map(|one| self.rivals(one).map(move |rival| (one, rival)))
    }
}

/// True for `reviewer` and `reviewed`.
fn is_from_same(one: &str, other: &str) -> bool {
    const ALIKE: usize = 5;
    one.len() >= ALIKE && other.get(..ALIKE) == one.get(..ALIKE)
}

/// True for `offc` and `officiated`.
fn is_short_for(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    (3..=5).contains(&short.len())
        && word.len() >= short.len() + 3
        && word.chars().next() == short.chars().next()
        && short.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

/// Of two references of a table to another, which SQL (in lower case) takes one of though the question has no word of either:
/// `fixtures per club`, where a fixture has a home club and an away club.
pub(in crate::question::embedded) fn which_reference(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let known = References::of(question, sql, schema);
    // `lessons per teacher`, where only who stands in for one is referred to.
    let stands_in = |reference: Reference| {
        let stands_in = [
            "substitute",
            "deputy",
            "backup",
            "previous",
            "former",
            "alternate",
            "emergency",
        ];
        let own = known.own_words(reference);
        own.iter().any(|word| stands_in.contains(&word.as_str())) && !known.is_said(reference)
    };
    let alone = |reference: Reference| {
        let is_between = reference.0.table != reference.1;
        is_between && known.is_taken(reference) && !known.rivals(reference).any(|rival| known.is_taken(rival))
    };
    let mut all = known.all.iter().copied();
    if let Some(found) = all.find(|reference| alone(*reference) && stands_in(*reference)) {
        return Some(known.name(found).to_owned());
    }
    let open = known.pairs().find(|&(one, rival)| {
        let one_of_them = known.is_taken(one) && !known.is_taken(rival);
        one_of_them && !known.is_said(one) && !known.is_said(rival) && known.are_sides(one, rival)
    });
    // `players transferred to Lund`, which is none of the present club.
    let is_way = known
        .asked
        .iter()
        .any(|word| matches!(word.as_str(), "from" | "to" | "into"));
    let passed_over = || {
        known.pairs().find(|&(one, rival)| {
            let is_from = known.own_words(one).iter().any(|word| word == "from");
            let used = known.taken.has_table(one.0.table) && known.taken.has_table(one.1);
            let unused = !known.is_taken(one) && !known.is_taken(rival) && used;
            is_way && is_from && known.are_sides(one, rival) && unused
        })
    };
    let (one, other) = open.or_else(passed_over)?;
    Some(format!("{} or {}", known.name(one), known.name(other)))
}

/// The reference that a question speaks of where SQL, in lower case, takes another one to the same table: `staff who officiated no
/// burials` by who dug the graves.
pub(in crate::question::embedded) fn other_reference(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let known = References::of(question, sql, schema);
    let (_, meant) = known.pairs().find(|&(one, rival)| {
        let one_of_them = known.is_taken(one) && !known.is_taken(rival);
        one_of_them && known.is_meant(rival) && !known.is_meant(one)
    })?;
    Some(known.name(meant).to_owned())
}

/// What a table's reference to itself is asked for where SQL, in lower case, lists those that are named: `staff who supervise
/// gardeners` as the gardeners, `clients who referred others` as those that were referred.
pub(in crate::question::embedded) fn own_reference(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let known = References::of(question, sql, schema);
    let mut own = known.all.iter().copied();
    let reference = own.find(|(at, target)| at.table == *target)?;
    let word = |at: usize| known.asked.get(at).map_or("", String::as_str);
    let leads = |at: usize| matches!(word(at), "who" | "that" | "which");
    let named = |at: usize| {
        let noun = words::stem(word(at));
        words::is_plural(word(at)) && known.taken.texts().any(|text| words::stem(text) == noun)
    };
    let listed = (1..known.asked.len()).find(|&at| {
        let no = usize::from(matches!(word(at + 1), "no" | "the" | "any" | "all" | "only"));
        let does = leads(at - 1) && is_verb(word(at)) || word(at).ends_with("ing") || word(at) == "with";
        does && !known.is_taken(reference) && known.taken.tables().count() == 1 && named(at + 1 + no)
    });
    let reversed = || {
        (1..known.asked.len()).find(|&at| {
            let done = format!("{}_by", word(at));
            let name = known.name(reference).to_lowercase();
            let passive = known.asked.iter().any(|word| word == "by");
            let active = leads(at - 1) && !passive && !word(at).is_empty() && name.starts_with(&done);
            active && sql.contains(&format!("{name} is not null"))
        })
    };
    let at = listed.or_else(reversed)?;
    Some(format!("{} {}", word(at), word(at + 1)).trim().to_owned())
}

/// What somebody does where SQL, in lower case, counts who did it: `number of reviews per translator` as the number of reviewers.
pub(in crate::question::embedded) fn counted_reference(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let known = References::of(question, sql, schema);
    let counted = sql.split("count(distinct ").skip(1).filter_map(|rest| {
        let column = rest.split(')').next()?;
        Some(column.rsplit('.').next()?.trim_matches('"'))
    });
    let counted: Vec<&str> = counted.collect();
    let mut all = known.all.iter().copied();
    all.find_map(|reference| {
        let own = known.own_words(reference);
        let is_counted = counted.contains(&known.name(reference).to_lowercase().as_str());
        let is_person = |asked: &str| own.iter().any(|own| asked.trim_end_matches('s') == own);
        let is_deed = |asked: &&String| !is_person(asked) && own.iter().any(|own| is_from_same(own, asked));
        let says_who = known.asked.iter().any(|asked| is_person(asked));
        known
            .asked
            .iter()
            .find(|asked| is_counted && !says_who && is_deed(asked))
            .cloned()
    })
}
