//! Who reports to whom, where rows of a table of persons belong to others of it: `how many people does Ann manage`, `who report to
//! her`, `who earn more than their manager`, `managers with more than 3 reports`.

use super::{
    super::{
        super::question::{Token, TokenKind},
        implied::is_birth,
        marked::{self, Marked},
        persons::{is_person, works_here},
        rewording::{is_number, said, word, written},
    },
    bounds, called, has_word, is_name, name_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::Comparison,
};

/// Nouns for whom somebody reports to.
const SUPERIORS: [&str; 5] = ["manager", "supervisor", "boss", "superior", "mentor"];
/// Verbs of whom others report to.
const LEADS: [&str; 6] = ["manage", "supervise", "lead", "oversee", "mentor", "head"];
/// Nouns for persons that no table need be called by.
const PERSONS: [&str; 6] = ["people", "persons", "employees", "staff", "colleagues", "workers"];

/// The one table of persons of whom one reports to another.
struct Line {
    table: usize,
    /// What the key is called that leads to the superior.
    key: ColumnRef,
}

/// Such questions in words that the readings understand.
pub(super) fn of_persons(tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let Some(line) = line(schema) else { return tokens };
    let tokens = whom(tokens, &line, schema);
    let tokens = who_reports(works_for(tokens, &line, snapshot), &line, schema);
    let tokens = who_leads_most(tokens, &line, schema);
    let tokens = with_reports(tokens, &line, schema);
    let tokens = of_each(tokens, &line, schema);
    let tokens = who_are(tokens, &line, snapshot);
    than_superior(tokens, &line, schema)
}

fn line(schema: &Schema) -> Option<Line> {
    let leads = [
        "manager",
        "mgr",
        "supervisor",
        "boss",
        "reports",
        "mentor",
        "superior",
        "lead",
        "head",
    ];
    let persons = |table: usize| is_person(schema, table) || works_here(&schema.tables[table].name);
    let mut own = schema.foreign_keys.iter().filter(|key| {
        let from = key.from[0];
        key.from.len() == 1
            && from.table == key.to[0].table
            && (persons(from.table) && has_word(&schema.column(from).name, &leads)
                || has_word(&schema.column(from).name, &SUPERIORS))
    });
    let only = own.next().filter(|_| own.next().is_none())?.from[0];
    Some(Line {
        table: only.table,
        key: only,
    })
}

impl Line {
    /// True for a noun for whoever is kept in the table.
    fn is_of(&self, noun: &Token, schema: &Schema) -> bool {
        PERSONS.contains(&noun.word.as_str()) && called(schema, noun).is_none_or(|table| table == self.table)
            || called(schema, noun) == Some(self.table)
    }

    /// True for a noun for a superior: how the column says it, or any of them.
    fn is_superior(&self, noun: &str, schema: &Schema) -> bool {
        let one = noun
            .strip_suffix('s')
            .filter(|one| !one.ends_with('s'))
            .unwrap_or(noun);
        let named = has_word(&schema.column(self.key).name, &[one]);
        named || SUPERIORS.contains(&one) || one == "bosse"
    }
}

/// `how many people does Ann manage`, `who does she supervise` as how many and which of them report to her.
fn whom(tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|does| {
        let asks = matches!(word(&tokens, does), "does" | "do" | "did");
        let verb = (does + 2..tokens.len().min(does + 6)).find(|&at| LEADS.contains(&word(&tokens, at)))?;
        let over = matches!(word(&tokens, verb + 1), "" | "?" | "." | "directly");
        let named = (does + 1..verb).all(|at| is_name(&tokens, at));
        (asks && over && named).then_some((does, verb))
    });
    let Some((does, verb)) = found else { return tokens };
    let before = &tokens[..does];
    let mut asked = match before {
        [who] if who.word == "who" || who.word == "whom" => written(&["which"], who),
        [.., noun] if line.is_of(noun, schema) => before[..before.len() - 1].to_vec(),
        _ => return tokens,
    };
    asked.extend(name_of(schema, line.table, &tokens[does]));
    asked.extend(written(&["report", "to"], &tokens[does]));
    asked.extend_from_slice(&tokens[does + 1..verb]);
    asked
}

/// `who works for Ann`, where she is one of them: who reports to her.
fn works_for(mut tokens: Vec<Token>, line: &Line, snapshot: &Snapshot) -> Vec<Token> {
    let asks = word(&tokens, 0) == "who"
        && matches!(word(&tokens, 1), "works" | "work")
        && word(&tokens, 2) == "for";
    let is_one = |used: usize| {
        let name: Option<Vec<&str>> = tokens
            .get(3..3 + used)
            .map(|name| name.iter().map(|token| token.text.as_str()).collect());
        let hits = name.map(|name| snapshot.values.find(&words::text_words(&name.join(" "))));
        hits.is_some_and(|hits| hits.iter().any(|hit| hit.column.table == line.table))
    };
    if asks && is_name(&tokens, 3) && (is_one(1) || is_one(2)) {
        let report = written(&["report", "to"], &tokens[1]);
        tokens.splice(1..3, report);
    }
    tokens
}

/// `who reports to Ann`, `how many people report to Ann` with a noun for them.
fn who_reports(mut tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let directly = usize::from(word(&tokens, at + 1) == "directly");
        matches!(word(&tokens, at), "report" | "reports" | "reporting")
            && word(&tokens, at + 1 + directly) == "to"
    });
    let Some(at) = found else { return tokens };
    let noun = at - 1;
    if word(&tokens, noun) == "who" && noun == 0 {
        which_of_them(&mut tokens, line, schema);
    } else if PERSONS.contains(&word(&tokens, noun)) && line.is_of(&tokens[noun], schema) {
        let name = name_of(schema, line.table, &tokens[noun]);
        tokens.splice(noun..=noun, name);
    }
    tokens
}

/// `who supervises the most lawyers` with a noun for who does: one of them.
fn who_leads_most(mut tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let leads = word(&tokens, 0) == "who" && LEADS.contains(&word(&tokens, 1).trim_end_matches('s'));
    let ranks = word(&tokens, 2) == "the" && matches!(word(&tokens, 3), "most" | "fewest" | "least");
    if leads && ranks && tokens.get(4).is_some_and(|noun| line.is_of(noun, schema)) {
        which_of_them(&mut tokens, line, schema);
    }
    tokens
}

/// `who` at the beginning as which of them.
fn which_of_them(tokens: &mut Vec<Token>, line: &Line, schema: &Schema) {
    let mut asked = written(&["which"], &tokens[0]);
    asked.extend(name_of(schema, line.table, &tokens[0]));
    tokens.splice(..1, asked);
}

/// `who is the mentor of each employee`, `who is each employee's mentor` as they and their mentors.
fn of_each(tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let is_each = |at: usize| matches!(word(&tokens, at), "each" | "every" | "all");
    let Some(each) = (0..tokens.len()).find(|&at| is_each(at)) else {
        return tokens;
    };
    let person = each + 1 + usize::from(matches!(word(&tokens, each + 1), "the" | "our"));
    let member = usize::from(matches!(word(&tokens, person + 1), "member" | "members"));
    let end = person + 1 + member;
    let is_over = |at: usize| matches!(word(&tokens, at), "" | "?" | ".");
    let is_person = tokens.get(person).is_some_and(|noun| line.is_of(noun, schema));
    let superior = if word(&tokens, each.saturating_sub(1)) == "of" && is_over(end) {
        each.checked_sub(2)
    } else {
        let is_owner = tokens
            .get(end)
            .is_some_and(|token| token.kind == TokenKind::Possessive);
        Some(end + 1).filter(|noun| is_owner && is_over(noun + 1))
    };
    let Some(noun) = superior.filter(|_| is_person).and_then(|at| tokens.get(at)) else {
        return tokens;
    };
    let key = words::identifier_words(&schema.column(line.key).name);
    let key = key.iter().find(|word| SUPERIORS.contains(&word.as_str()));
    let Some(key) = key.filter(|_| line.is_superior(&noun.word, schema)) else {
        return tokens;
    };
    let mut asked = name_of(schema, line.table, noun);
    asked.extend(written(&["and", "their", key], noun));
    asked
}

/// `technicians who are not supervisors`, `who supervise nobody` as those to whom nobody reports, or somebody does.
fn who_are(tokens: Vec<Token>, line: &Line, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let is_over = |at: usize| matches!(word(&tokens, at), "" | "?" | ".");
    // Where a job is kept that is called so, it is one of a job.
    let is_stored = |at: usize| {
        let hits = snapshot.values.find(&[words::stem(word(&tokens, at))]);
        hits.iter().any(|hit| hit.column.table == line.table)
    };
    let found = (1..tokens.len()).find_map(|at| {
        let denied = usize::from(word(&tokens, at + 1) == "not");
        let article = usize::from(matches!(word(&tokens, at + 1 + denied), "a" | "an"));
        let noun = at + 1 + denied + article;
        let is_one = matches!(word(&tokens, at), "are" | "is")
            && line.is_superior(word(&tokens, noun), schema)
            && is_over(noun + 1)
            && !is_stored(noun);
        let verb = at
            + if matches!(word(&tokens, at), "do" | "does") && word(&tokens, at + 1) == "not" {
                2
            } else {
                0
            };
        let leads = LEADS.contains(&word(&tokens, verb).trim_end_matches('s'));
        let nobody = match word(&tokens, verb + 1) {
            "nobody" | "none" => verb == at && is_over(verb + 2),
            "no" => verb == at && word(&tokens, verb + 2) == "one" && is_over(verb + 3),
            "anyone" | "anybody" => verb > at && is_over(verb + 2),
            _ => false,
        };
        match (is_one, leads && nobody) {
            (true, _) => Some((at, denied == 0)),
            (_, true) => Some((at, false)),
            _ => None,
        }
    });
    let Some((mut at, is_so)) = found else {
        return tokens;
    };
    while at > 1 && matches!(word(&tokens, at - 1), "who" | "that" | "which") {
        at -= 1;
    }
    let mut asked = tokens[..at].to_vec();
    if word(&asked, 0) == "who" {
        which_of_them(&mut asked, line, schema);
    }
    let Some(noun) = asked.iter().position(|noun| line.is_of(noun, schema)) else {
        return tokens;
    };
    let name = name_of(schema, line.table, &asked[noun]);
    asked.splice(noun..=noun, name);
    let comparison = if is_so {
        Comparison::Greater
    } else {
        Comparison::Equal
    };
    asked.push(marked::token(Marked::Below(comparison, 0), &tokens[at]));
    asked
}

/// `managers with more than 3 direct reports` as those to whom so many report.
fn with_reports(tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let has = matches!(word(&tokens, at), "with" | "have" | "has" | "having");
        let exactly = usize::from(word(&tokens, at + 1) == "exactly");
        let (comparison, number) = bounds::bound(&tokens, at + 1)
            .map_or((Comparison::Equal, at + 1 + exactly), |bound| {
                (bound.comparison, bound.number)
            });
        let count = match word(&tokens, number) {
            "no" => 0,
            text if tokens.get(number).is_some_and(is_number) => text.parse().ok()?,
            _ => return None,
        };
        let direct = usize::from(word(&tokens, number + 1) == "direct");
        let noun = number + 1 + direct;
        let reports = matches!(
            word(&tokens, noun),
            "reports" | "subordinates" | "report" | "reportees"
        ) && tokens
            .get(noun)
            .is_some_and(|noun| called(schema, noun).is_none());
        let under = tokens.get(noun).is_some_and(|noun| line.is_of(noun, schema))
            && (word(&tokens, noun + 1) == "reporting" && word(&tokens, noun + 2) == "to"
                || matches!(word(&tokens, noun + 1), "under" | "below"))
            && matches!(
                tokens.last().map(|last| last.word.as_str()),
                Some("them" | "him" | "her")
            );
        let end = if under { tokens.len() } else { noun + 1 };
        (has && (reports || under)).then_some((at, comparison, count, end))
    });
    let Some((at, comparison, count, end)) = found else {
        return tokens;
    };
    // Who has them: whoever is named, or is a superior of somebody.
    let mut asked = tokens[..at].to_vec();
    let whose = asked.iter().position(|noun| line.is_superior(&noun.word, schema));
    if let Some(whose) = whose {
        let name = name_of(schema, line.table, &asked[whose]);
        asked.splice(whose..=whose, name);
    } else if let [who] = &asked[..]
        && who.word == "who"
    {
        asked = written(&["which"], &tokens[0]);
        asked.extend(name_of(schema, line.table, &tokens[0]));
    } else if !asked.iter().any(|noun| line.is_of(noun, schema)) {
        return tokens;
    }
    asked.push(marked::token(Marked::Below(comparison, count), &tokens[at]));
    asked.extend_from_slice(&tokens[end..]);
    asked
}

/// `who earn more than their manager`, `older than their boss` as what is more than that of whom they report to.
fn than_superior(tokens: Vec<Token>, line: &Line, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let own = usize::from(word(&tokens, at + 2) == "own");
        let noun = at + 2 + own;
        let over = matches!(word(&tokens, noun + 1), "" | "?" | "." | "does" | "do" | "is");
        word(&tokens, at) == "than"
            && matches!(word(&tokens, at + 1), "their" | "his" | "her")
            && line.is_superior(word(&tokens, noun), schema)
            && over
    });
    let Some(than) = found else { return tokens };
    let compares = than - 1;
    let columns = || {
        let columns = schema.columns();
        columns.filter(|(at, _)| at.table == line.table)
    };
    let pay =
        || columns().find(|(_, column)| has_word(&column.name, &["salary", "wage", "sal", "pay", "income"]));
    let born = || columns().find(|(_, column)| is_birth(&column.name));
    let hired =
        || columns().find(|(_, column)| has_word(&column.name, &["hired", "hire", "joined", "started"]));
    let (begin, column, comparison) = match word(&tokens, compares) {
        // `with a higher salary than`
        _ if compares > 1 && bounds::grows(word(&tokens, compares - 1)).is_some() => {
            let stem = &tokens[compares].stem;
            let found = columns().find(|(_, column)| {
                let name = words::identifier_words(&column.name);
                column.kind.is_numeric() && name.last().is_some_and(|last| words::stem(last) == *stem)
            });
            let article = usize::from(matches!(word(&tokens, compares - 2), "a" | "an"));
            (
                compares - 1 - article,
                found,
                bounds::grows(word(&tokens, compares - 1)),
            )
        }
        degree @ ("more" | "less") => {
            let verb = compares.saturating_sub(1).max(1);
            let earns = matches!(
                word(&tokens, verb),
                "earn" | "earns" | "make" | "makes" | "paid" | "earning" | "making" | "earned"
            );
            let are = usize::from(matches!(word(&tokens, verb - 1), "are" | "is" | "get" | "gets"));
            (verb - are, pay().filter(|_| earns), bounds::grows(degree))
        }
        "older" => (compares, born(), Some(Comparison::Less)),
        "younger" => (compares, born(), Some(Comparison::Greater)),
        "longer" => (compares, hired(), Some(Comparison::Less)),
        _ => return tokens,
    };
    let (Some((at, _)), Some(comparison)) = (column, comparison) else {
        return tokens;
    };
    let leads = |word: &str| {
        matches!(
            word,
            "who" | "that" | "with" | "are" | "is" | "have" | "has" | "were"
        )
    };
    let mut from = begin;
    while from > 1 && leads(word(&tokens, from - 1)) {
        from -= 1;
    }
    let mut asked = tokens[..from].to_vec();
    match &asked[..] {
        [who] if who.word == "who" => {
            asked = written(&["which"], &tokens[0]);
            asked.extend(name_of(schema, line.table, &tokens[0]));
        }
        _ if !asked.iter().any(|noun| line.is_of(noun, schema)) => return tokens,
        _ => {}
    }
    asked.push(said("with", &tokens[than]));
    asked.extend(written(
        &words::identifier_words(&schema.column(at).name),
        &tokens[than],
    ));
    asked.push(marked::token(Marked::ThanSuperior(comparison), &tokens[than]));
    asked
}
