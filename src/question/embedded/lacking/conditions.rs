//! How conditions go together: one of two, what is denied twice, all that there is of something, every year, two times that both hold.

use super::{
    super::lexicon::{Degree, begins_clause, lexicon, sayings},
    is_month, joined, word,
};

/// Words that deny: what none of two is is written in many ways.
const DENYING: &[&str] = &[
    "not", "no", "never", "without", "neither", "nor", "none", "nobody", "except",
];

/// `uninsured`, `unrated`: what was not done, of which SQL must deny something; twice in `no unpaid bills`.
pub(super) fn undone(asked: &[String], sql: &str) -> Option<String> {
    let at = (0..asked.len()).find(|&at| {
        let word = &asked[at];
        let done = word.strip_prefix("un").unwrap_or_default();
        let is_done = done.len() >= 5 && done.ends_with("ed") || matches!(done, "paid" | "sold" | "read");
        is_done && !sql.contains(word.as_str())
    })?;
    // Keys that are there deny nothing.
    let sql = sql.replace(" is not null", "");
    let denies = ["null", "not ", "<>", "= 0", "false"];
    let denied: usize = denies.iter().map(|denies| sql.matches(denies).count()).sum();
    let none = at > 0 && matches!(asked[at - 1].as_str(), "no" | "without");
    (denied < 1 + usize::from(none)).then(|| asked[at].clone())
}

/// Where one of two conditions is told from the next word on.
fn alternative(asked: &[String]) -> Option<usize> {
    (1..asked.len()).find(|&at| {
        let grows = matches!(
            word(asked, at + 1),
            "more"
                | "less"
                | "fewer"
                | "later"
                | "earlier"
                | "above"
                | "below"
                | "over"
                | "under"
                | "higher"
                | "lower"
                | "longer"
                | "shorter"
                | "older"
                | "younger"
                | "better"
                | "worse"
                | "so"
                | "not"
                | "up"
                | "greater"
                | "larger"
                | "bigger"
                | "smaller"
                | "before"
                | "after"
                | "down"
                | "off"
        ) || word(asked, at + 1) == "out" && word(asked, at + 2) != "of";
        word(asked, at) == "or" && !grows && !matches!(word(asked, at - 1), "with" | "and" | "whether")
    })
}

/// `live in Spain or signed up in 2024`: one of both is enough.
pub(super) fn one_of_two(asked: &[String], sql: &str) -> Option<String> {
    let denies = |word: &String| DENYING.contains(&word.as_str()) || word.ends_with("n't");
    let told = [" or ", " in (", "any(", "union", "between", "case ", "group by"];
    if told.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let at = alternative(asked)?;
    // `not from Spain or Italy` is neither of them, `not members or whose membership has expired` one of them.
    let own_clause = begins_clause(word(asked, at + 1));
    // `in 2024 or 2025 but not in 2026` is one time and not another.
    let of_times = word(asked, at + 1).parse::<u16>().is_ok();
    let before = if of_times { asked.len() } else { at };
    let neither = asked[..before].iter().any(denies) && !own_clause;
    (!neither).then(|| joined(asked, at, 2))
}

/// `without a valid licence`: until when it holds is told by something, and having one is something else.
pub(super) fn validity(asked: &[String], sql: &str) -> Option<String> {
    let told = [
        "valid",
        "'20",
        "expir",
        "until",
        "status",
        "state",
        "current_date",
        "now(",
    ];
    let found = asked
        .iter()
        .find(|word| matches!(word.as_str(), "valid" | "unexpired" | "expired" | "lapsed"))?;
    (!told.iter().any(|told| sql.contains(told))).then(|| found.clone())
}

/// `who never dropped a course`: what became of it is told by something, and having none is something else.
pub(super) fn outcome(asked: &[String], sql: &str) -> Option<String> {
    const OUTCOMES: [&str; 18] = [
        "dropped",
        "failed",
        "missed",
        "skipped",
        "cancelled",
        "canceled",
        "abandoned",
        "returned",
        "refunded",
        "disputed",
        "refused",
        "declined",
        "rejected",
        "passed",
        "completed",
        "finished",
        "damaged",
        "renewed",
    ];
    let at = (0..asked.len()).find(|&at| {
        let article = matches!(word(asked, at + 2), "a" | "an" | "any" | "their" | "the" | "one");
        word(asked, at) == "never" && OUTCOMES.contains(&word(asked, at + 1)) && article
    })?;
    let verb = word(asked, at + 1);
    let opposite = sayings().opposite(verb).unwrap_or(verb);
    // Names are cut short: `canc`, `ret_flag`.
    let cut_short = [verb, opposite].map(|word| word.get(..4).unwrap_or(word));
    let told = [
        cut_short[0],
        cut_short[1],
        "status",
        "state",
        "result",
        "outcome",
        "grade",
        "show",
        "_st",
        "cncl",
    ];
    (!told.iter().any(|told| sql.contains(told))).then(|| joined(asked, at, 2))
}

/// `in Spain and want the newsletter or live in Italy`: which of them go together is told by no word.
pub(super) fn and_or(asked: &[String], sql: &str) -> Option<String> {
    let leads = |at: &usize| {
        matches!(
            word(asked, *at),
            "who"
                | "that"
                | "which"
                | "where"
                | "with"
                | "from"
                | "in"
                | "above"
                | "below"
                | "over"
                | "under"
        )
    };
    let from = (1..asked.len()).find(leads)?;
    let or = alternative(asked).filter(|at| *at > from)?;
    let and = (from..asked.len()).find(|&at| word(asked, at) == "and")?;
    let both = (sql.contains(" or ") || sql.contains(" in (")) && sql.contains(" and ");
    // `in Spain or Italy and over 30` says no more of the one than of the other.
    let clause = |at: usize| {
        let next = word(asked, at + 1);
        let verb = matches!(
            next,
            "are" | "is" | "were" | "was" | "have" | "has" | "want" | "wants"
        );
        verb || lexicon().is_irregular_participle(next)
            || matches!(
                word(asked, at + 2),
                "in" | "at" | "from" | "than" | "to" | "more" | "less"
            )
            || matches!(
                next,
                "in" | "from" | "with" | "above" | "over" | "under" | "below"
            )
    };
    (both && clause(or) && clause(and)).then(|| "and … or".to_owned())
}

/// `suppliers that only have`, `whose products are all`, `all of whose`: what is not so tells against them.
pub(super) fn all_of_them(asked: &[String], sql: &str) -> Option<String> {
    let told = ["not ", "count(", "min(", "max(", "except", "having", " <> "];
    // That something is there denies nothing.
    let sql = sql.replace("is not null", "");
    if told.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let has = |word: &str| matches!(word, "have" | "has" | "had");
    // `only have 2 orders` is a number of them, `only have 5 star reviews` is none.
    let number = |at: usize| {
        let counted = word(asked, at).parse::<u64>().is_ok() || matches!(word(asked, at), "one" | "two");
        counted && !word(asked, at + 1).starts_with("star")
    };
    let did =
        |word: &String| word.len() > 4 && word.ends_with("ed") || lexicon().is_irregular_participle(word);
    (0..asked.len()).find_map(|at| {
        let length = match (word(asked, at), word(asked, at + 1), word(asked, at + 2)) {
            ("only", other, _) | (other, "only", _) if (has(other) || other == "with") && !number(at + 2) => {
                2
            }
            // `who paid all their bills`
            ("all", "their" | "its" | "his" | "her", _)
                if asked[at.saturating_sub(2)..at].iter().any(did) =>
            {
                2
            }
            ("where" | "which" | "that", "everyone" | "everybody", _) => 2,
            ("all", "of", "whose") | ("whose", _, "all") => 3,
            _ if word(asked, at) == "whose" && word(asked, at + 3) == "all" => 4,
            _ => return None,
        };
        Some(joined(asked, at, length))
    })
}

/// `in March of every year`, `in each December`: months of years that are not told.
pub(super) fn every_year(asked: &[String], sql: &str) -> Option<String> {
    if sql.contains("%m") || sql.contains("month") {
        return None;
    }
    let each = |word: &str| matches!(word, "each" | "every" | "any");
    (0..asked.len()).find_map(|at| {
        let of_year = word(asked, at) == "of" && each(word(asked, at + 1)) && word(asked, at + 2) == "year";
        if at > 0 && is_month(word(asked, at - 1)) && of_year {
            return Some(joined(asked, at, 3));
        }
        (each(word(asked, at)) && is_month(word(asked, at + 1))).then(|| joined(asked, at, 2))
    })
}

/// `hired before 2022 and left in 2024`: both hold of the same rows, which two numbers do not tell.
pub(super) fn both_times(asked: &[String], sql: &str) -> Option<String> {
    if sql.matches("filter (").count() < 2 && sql.matches("case when").count() < 2 {
        return None;
    }
    let done = |word: &str| word.len() > 3 && word.ends_with("ed") || lexicon().is_irregular_participle(word);
    let at = (1..asked.len()).find(|&at| {
        word(asked, at) == "and"
            && done(word(asked, at + 1))
            && matches!(
                word(asked, at + 2),
                "in" | "before" | "after" | "since" | "on" | "during"
            )
    })?;
    Some(joined(asked, at, 3))
}

/// `… and have no phone, how many?`
pub(super) fn number_asked_last(asked: &[String], sql: &str) -> Option<String> {
    let [.., how, many] = asked else { return None };
    (how == "how" && many == "many" && !sql.contains("count(")).then(|| "how many".to_owned())
}

/// `who have left`, `who are still with us`: the end that they have come to, or not.
pub(super) fn gone(asked: &[String], sql: &str) -> Option<String> {
    let told = [
        "left", "leav", "end", "term", "exit", "quit", "resign", "depart", "until", "status", "activ",
        "gone", "null", "current", "cancel",
    ];
    if told.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let at = (1..asked.len()).find(|&at| {
        let left = word(asked, at) == "left"
            && matches!(word(asked, at - 1), "have" | "has" | "who" | "already")
            && !matches!(word(asked, at + 1), "in" | "over" | "on" | "to" | "a" | "for");
        let works = matches!(word(asked, at), "work" | "works" | "working") && word(asked, at + 1) == "here";
        let here = matches!(word(asked, at), "here" | "employed")
            || word(asked, at) == "with" && word(asked, at + 1) == "us";
        left || word(asked, at - 1) == "still" && (works || here)
    })?;
    Some(joined(asked, at - 1, 2))
}

/// `took longer than a week`: a length that is compared, and no weeks that are counted.
pub(super) fn length(asked: &[String], sql: &str) -> Option<String> {
    if sql.contains('<') || sql.contains('>') || sql.contains("between") {
        return None;
    }
    let unit = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        matches!(one, "minute" | "hour" | "day" | "week" | "month" | "year")
    };
    let at = (1..asked.len()).find(|&at| {
        let compares = matches!(
            word(asked, at - 1),
            "longer" | "more" | "less" | "shorter" | "later" | "older"
        );
        compares && word(asked, at) == "than" && (unit(word(asked, at + 2)) || unit(word(asked, at + 3)))
    })?;
    Some(joined(asked, at - 1, 4))
}

/// `in the same country as`: another row that it is held against.
pub(super) fn same_as(asked: &[String], sql: &str) -> Option<String> {
    let held = ["_2", "(select", " = strftime(", " = date(", " = date_trunc("];
    if held.iter().any(|held| sql.contains(held)) {
        return None;
    }
    let at = (0..asked.len()).find(|&at| word(asked, at) == "same" && word(asked, at + 2) == "as")?;
    Some(joined(asked, at, 3))
}

/// `more than the average of their department`: that of all is another one.
pub(super) fn average_of_own(asked: &[String], sql: &str) -> Option<String> {
    let at = (0..asked.len()).find(|&at| {
        let placed = matches!(word(asked, at + 1), "of" | "in" | "for" | "at" | "within");
        let own = matches!(word(asked, at + 2), "their" | "its" | "his" | "her");
        word(asked, at) == "average" && placed && own
    })?;
    let of_some = |inner: &str| inner.contains(" where ") || inner.contains("group by");
    let told = sql.contains(" over (") || sql.split("(select avg(").skip(1).any(of_some);
    (!told).then(|| joined(asked, at, 4))
}

/// `bought in 2024 but not a single time since`: something was, and something was not.
pub(super) fn but_not_since(asked: &[String], sql: &str) -> Option<String> {
    let told = sql.contains("not ") && sql.matches("exists").count() > 1
        || ["except", "having", " in (select", "left join"]
            .iter()
            .any(|told| sql.contains(told));
    let at = (1..asked.len()).find(|&at| {
        let denies =
            word(asked, at) == "but" && matches!(word(asked, at + 1), "not" | "nothing" | "never" | "none");
        let since = asked[at..]
            .iter()
            .any(|word| matches!(word.as_str(), "since" | "after" | "afterwards"));
        denies && since
    })?;
    (!told).then(|| joined(asked, at, 2))
}

/// `with a dog but no cat`: something is there, and something is not.
pub(super) fn but_no(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        let joins = matches!(word(asked, at), "but" | "yet");
        let denies = |word: &str| matches!(word, "no" | "not" | "without" | "never" | "none");
        let (next, behind) = (word(asked, at + 1), word(asked, at + 2));
        let denied =
            denies(next) || matches!(next, "have" | "has" | "had" | "with" | "are" | "is") && denies(behind);
        // `but no more than 3`
        let compares = lexicon()
            .adjective_form(behind)
            .is_some_and(|(_, degree)| degree == Degree::Comparative)
            || matches!(
                behind,
                "more" | "less" | "fewer" | "later" | "over" | "above" | "below" | "under"
            );
        // What somebody has, and not what they have done: `who signed up but never ordered`.
        let has = |&has: &usize| match word(asked, has) {
            "with" => true,
            "have" | "has" | "own" | "owns" => {
                let next = word(asked, has + 1);
                !(next.ends_with("ed") || lexicon().is_irregular_participle(next))
            }
            _ => false,
        };
        joins && denied && !compares && (0..at).any(|at| has(&at))
    })?;
    let sides = outside_brackets(sql);
    let told = [" and ", " join ", " except ", " intersect ", " having "]
        .iter()
        .any(|told| sides.contains(told));
    (!told).then(|| joined(asked, at, 2))
}

/// SQL without what stands in its brackets.
fn outside_brackets(sql: &str) -> String {
    let mut depth = 0_usize;
    let outside = sql.chars().filter(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    outside.collect()
}

/// `paid in the month they were issued`, `returned the same day`: two times of a row that are compared.
pub(super) fn same_period(asked: &[String], sql: &str) -> Option<String> {
    let told = [
        " = strftime(",
        " = date(",
        " = date_trunc(",
        " = to_char(",
        " = extract(",
        " = cast(",
        "_2",
        "group by",
        "julianday(",
        " over (",
        "date_part(",
        "'20",
        " - ",
    ];
    if told.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let unit = |word: &str| matches!(word, "day" | "date" | "week" | "month" | "quarter" | "year");
    let at = (1..asked.len()).find(|&at| {
        let led = at > 1 && matches!(word(asked, at - 2), "in" | "on" | "within" | "during");
        let article = led && word(asked, at - 1) == "the";
        let clause = matches!(word(asked, at + 1), "they" | "it")
            || matches!(word(asked, at + 1), "that" | "when" | "as" | "which")
                && matches!(word(asked, at + 2), "they" | "it");
        let same =
            word(asked, at - 1) == "same" && !matches!(word(asked, at + 1), "last" | "of" | "a" | "in");
        unit(word(asked, at)) && (same || article && clause)
    })?;
    Some(joined(asked, at - 1, 2))
}

/// `events that cost nothing`, `free concerts`: a price of nothing, or none.
pub(super) fn gratis(asked: &[String], sql: &str) -> Option<String> {
    let told = ["= 0", "null", "<= 0", "< 1", "free", "gratis", "= '0"];
    // What is free may be there for whoever wants it.
    let taken = [
        "avail", "status", "state", "not ", "occup", "vacan", "end", "until",
    ];
    let at = (0..asked.len()).find(|&at| {
        let cost =
            matches!(word(asked, at), "cost" | "costs" | "costing") && word(asked, at + 1) == "nothing";
        let free = word(asked, at) == "free"
            && !matches!(word(asked, at + 1), "text" | "trial" | "of" | "from")
            || word(asked, at) == "free" && word(asked, at + 2) == "charge";
        cost || free && !taken.iter().any(|taken| sql.contains(taken))
    })?;
    let told = told
        .iter()
        .any(|told| sql.contains(told) && (*told != "null" || !sql.contains("not null")));
    let length = 1 + usize::from(word(asked, at) != "free");
    (!told).then(|| joined(asked, at, length))
}

/// `the same first and last name`: several rows with it.
pub(super) fn same_among_them(asked: &[String], sql: &str) -> Option<String> {
    if sql.contains("group by") || sql.contains("_2") || sql.contains("(select") || sql.contains(" over (") {
        return None;
    }
    let at = (1..asked.len()).find(|&at| {
        let have = matches!(word(asked, at - 1), "have" | "has" | "share" | "with" | "having");
        have && word(asked, at) == "the" && word(asked, at + 1) == "same"
    })?;
    Some(joined(asked, at, 3))
}

/// `when was the first one sold`: the time that it is the first by is what is asked for.
pub(super) fn when_first(asked: &[String], sql: &str) -> Option<String> {
    if word(asked, 0) != "when" || !sql.ends_with(" limit 1") {
        return None;
    }
    let (shown, ordered) = sql.split_once(" order by ")?;
    let by = ordered.split([' ', ',']).next()?;
    let listed = shown.split_once(" from ")?.0;
    let plain = by.rsplit('.').next()?;
    let shows =
        by.contains('(') || plain.parse::<u32>().is_ok() || listed.contains(plain) || listed.contains('*');
    (!shows).then(|| "when".to_owned())
}
