//! Words for amounts, states and lacks that SQL has to have something of.

use super::{joined, names, word};
use crate::question::schema::words;

/// `boats that were booked without a skipper`: what is lacking is named.
pub(super) fn without(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        matches!(word(asked, at), "a" | "an")
            && word(asked, at - 1) == "without"
            && word(asked, at + 1).len() > 2
            && word(asked, at + 1) != "single"
    })?;
    let named = (at + 1..(at + 4).min(asked.len())).any(|at| names(sql, word(asked, at)));
    (!named).then(|| joined(asked, at - 1, 3))
}

/// `course revenue per subject`: no number of rows is money.
pub(super) fn money(asked: &[String], sql: &str) -> Option<String> {
    let at = asked
        .iter()
        .position(|word| matches!(word.as_str(), "revenue" | "turnover" | "profit" | "earnings"))?;
    let counts = sql.contains("count(")
        && !["sum(", "avg(", "max(", "min("]
            .iter()
            .any(|sums| sql.contains(sums));
    let is_told = sql.contains(&asked[at]);
    (counts && !is_told).then(|| asked[at].clone())
}

/// `bookings that are not fully paid`: what was paid is held against what there is to pay.
pub(super) fn in_full(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        matches!(
            (word(asked, at - 1), word(asked, at)),
            ("fully" | "partly" | "partially" | "completely", "paid") | ("in", "full") | ("full", "payment")
        )
    })?;
    let pays = asked.iter().any(|word| word.starts_with("pa"));
    // What is shown beside them says nothing.
    let bounds = sql.split_once(" where ").map_or("", |(_, bounds)| bounds);
    let told = [
        "status",
        "state",
        "full",
        "part",
        "balance",
        "outstanding",
        "remaining",
        "open",
    ];
    let is_told = sql.contains("sum(") || told.iter().any(|told| bounds.contains(told));
    (pays && !is_told).then(|| joined(asked, at - 1, 2))
}

/// `boats at sea`, `rooms in use`, `lessons still to come`, `deposits that we still hold`, `jobs that should have ended`: not all
/// of them.
pub(super) fn now_or_ahead(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        matches!(
            (word(asked, at - 1), word(asked, at)),
            ("in", "use")
                | ("at", "sea")
                | ("on", "board" | "loan")
                | ("to", "come")
                | ("coming", "up")
                | ("still", "hold" | "keep" | "owe")
                | ("should" | "ought" | "supposed", "have" | "be" | "to")
        )
    })?;
    let bounds = [" where ", " having ", " filter "];
    (!bounds.iter().any(|bounds| sql.contains(bounds))).then(|| joined(asked, at - 1, 2))
}

/// `installed projects` as those that are being installed: what is done is told from what is going on by the end of a word.
pub(super) fn done_or_doing(asked: &[String], sql: &str) -> Option<String> {
    let other_end = |word: &str| {
        let swap = |end: &str, other: &str| word.strip_suffix(end).map(|stem| format!("'{stem}{other}'"));
        swap("ed", "ing").or_else(|| swap("ing", "ed"))
    };
    let found = asked.iter().find(|word| {
        let stored = format!("'{word}'");
        other_end(word).is_some_and(|other| sql.contains(&other)) && !sql.contains(&stored)
    })?;
    Some(found.clone())
}

/// `average number of days invoices are paid late`: from the day that it was due, and not from the first.
pub(super) fn days_late(asked: &[String], sql: &str) -> Option<String> {
    let late = asked
        .iter()
        .position(|word| matches!(word.as_str(), "late" | "overdue"))?;
    let counts_days = asked.iter().any(|word| word == "days") && sql.contains("julianday(");
    let due = [
        "due",
        "deadline",
        "expected",
        "promised",
        "planned",
        "scheduled",
        "until",
        "required",
        "date('now",
    ];
    let is_from_due = sql.split("julianday(").skip(1).any(|day| {
        let day = day.split(')').next().unwrap_or_default();
        due.iter().any(|due| day.contains(due))
    });
    (counts_days && !is_from_due).then(|| asked[late].clone())
}

/// `how many deposits have been returned`: how many they are, and not what they come to.
pub(super) fn how_many_amounts(asked: &[String], sql: &str) -> Option<String> {
    let noun = word(asked, 2);
    let is_money = matches!(
        noun,
        "deposits" | "payments" | "fees" | "fines" | "bonuses" | "refunds" | "donations"
    );
    let asks = word(asked, 0) == "how" && word(asked, 1) == "many" && is_money;
    (asks && sql.starts_with("select sum(") && !sql.contains("count(")).then(|| joined(asked, 0, 3))
}

/// `number of distinct students enrolled`, where enrolments are counted: each student is counted once.
pub(super) fn each_once(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        let counted = matches!(
            (word(asked, at.saturating_sub(2)), word(asked, at - 1)),
            ("number", "of") | ("how", "many") | (_, "count" | "many")
        );
        counted && matches!(word(asked, at), "distinct" | "different" | "unique")
    })?;
    let (_, rows) = sql.split_once(" from ")?;
    let table = rows.split([' ', ',', ')', ';']).next().unwrap_or_default();
    let table = words::table_words(table.trim_matches('"'));
    let thing = words::stem(word(asked, at + 1));
    let is_row = table.last().is_some_and(|last| words::stem(last) == thing);
    let gathers = ["distinct", " group by ", " join ", " exists", " in (", " union "];
    let is_plain = sql.starts_with("select count(") && !gathers.iter().any(|gathers| sql.contains(gathers));
    (is_plain && !is_row).then(|| joined(asked, at, 2))
}

/// `how many words did we translate`, where only a rate per word is kept.
pub(super) fn how_many_of_rate(asked: &[String], sql: &str) -> Option<String> {
    let at = asked
        .windows(2)
        .position(|pair| pair[0] == "how" && pair[1] == "many")?
        + 2;
    let noun = word(asked, at).trim_end_matches('s');
    let is_rate = noun.len() > 2 && sql.contains(&format!("per_{noun}"));
    let kept = [format!("{noun}_"), format!("{noun}s"), format!(" {noun} ")];
    (is_rate && !kept.iter().any(|kept| sql.contains(kept))).then(|| joined(asked, at - 2, 3))
}

/// `word count per translator in 2025` as a list of counts: there is one for each.
pub(super) fn per_each(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| word(asked, at) == "per")?;
    let gathers = [" group by ", "sum(", "avg(", "count(", "max(", "min(", " over "];
    let is_list = sql.contains(" join ")
        && sql.contains(" where ")
        && !gathers.iter().any(|gathers| sql.contains(gathers));
    is_list.then(|| joined(asked, at, 2))
}

#[cfg(test)]
mod tests {
    use super::super::lacking;

    #[test]
    fn amounts_states_and_lacks_are_not_passed_over() {
        for (question, sql, told) in [
            (
                "boats that were booked without a skipper",
                "SELECT name FROM boats WHERE boat_id NOT IN (SELECT boat_id FROM bookings)",
                Some("without a skipper"),
            ),
            (
                "bookings without a skipper",
                "SELECT id FROM bookings WHERE skipper_id IS NULL",
                None,
            ),
            (
                "course revenue per subject",
                "SELECT subject, COUNT(*) FROM course GROUP BY subject",
                Some("revenue"),
            ),
            (
                "revenue per subject",
                "SELECT subject, SUM(price) FROM course GROUP BY subject",
                None,
            ),
            (
                "bookings not fully paid",
                "SELECT id FROM b WHERE NOT EXISTS (SELECT 1 FROM pay)",
                Some("fully paid"),
            ),
            (
                "how many boats are at sea",
                "SELECT COUNT(*) FROM boats",
                Some("at sea"),
            ),
            (
                "installed projects",
                "SELECT title FROM project WHERE stage = 'Installing'",
                Some("installed"),
            ),
            (
                "how much deposit do we still hold",
                "SELECT SUM(deposit) FROM bookings",
                Some("still hold"),
            ),
            (
                "average days invoices are paid late",
                "SELECT AVG(julianday(paid_on) - julianday(issued_on)) FROM invoices",
                Some("late"),
            ),
            (
                "number of distinct students enrolled in courses",
                "SELECT COUNT(*) FROM Student_Course_Enrolment",
                Some("distinct students"),
            ),
            (
                "how many different students are there",
                "SELECT COUNT(*) FROM Students",
                None,
            ),
            (
                "how many deposits have been returned",
                "SELECT SUM(deposit) FROM bookings",
                Some("how many deposits"),
            ),
        ] {
            assert_eq!(lacking(question, sql).as_deref(), told, "{question}");
        }
    }
}
