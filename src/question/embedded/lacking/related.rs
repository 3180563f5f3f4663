//! Rows that belong to those that are asked for: whose they are, who did something, what stands beside them.

use super::{super::reading::is_month, joined, names, word};

/// Words at most between what compares and whom it is compared with: `more than their own manager`.
const NEAR: usize = 4;

/// `who earn more than their manager`: a value of a row against one of whom it belongs to.
pub(super) fn own_superior(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let superior = |word: &str| {
        matches!(
            word.trim_end_matches('s'),
            "manager" | "supervisor" | "bos" | "superior" | "parent" | "mentor" | "lead" | "leader"
        )
    };
    let at = (0..asked.len()).find(|&at| {
        let own = word(at) == "than" && matches!(word(at + 1), "their" | "his" | "her" | "its");
        own && (at + 2..at + NEAR).any(|at| superior(word(at)))
    })?;
    let compares = [" > ", " < ", " >= ", " <= "];
    let columns = compares.iter().any(|sign| {
        sql.split(sign)
            .skip(1)
            .any(|right| right.starts_with(|first: char| first.is_alphabetic() || matches!(first, '"' | '(')))
    });
    (!columns).then(|| joined(asked, at, 3))
}

/// `members referred by volunteers`: that somebody has referred them says nothing of who that was.
pub(super) fn by_whom(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        let key = format!("{}_by", word(asked, at - 1));
        let is_any = ["", "_id", "id"].into_iter().any(|id| {
            let tested = format!("{key}{id}");
            [" is not null", "\" is not null"]
                .iter()
                .any(|test| sql.contains(&format!("{tested}{test}")))
        });
        word(asked, at) == "by"
            && is_any
            && !matches!(
                word(asked, at + 1),
                "" | "someone" | "somebody" | "anyone" | "anybody"
            )
    })?;
    Some(joined(asked, at - 1, 3))
}

/// `vets with their patients`, where nothing but the vets is listed.
pub(super) fn beside(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        matches!(word(asked, at), "with" | "and") && matches!(word(asked, at + 1), "their" | "its")
    })?;
    let (shown, source) = sql.strip_prefix("select ")?.split_once(" from ")?;
    let lists_one = !shown.contains([',', '(', '*'])
        && source
            .chars()
            .all(|sign| sign.is_alphanumeric() || "_\".".contains(sign));
    let is_said = asked[at + 2..]
        .iter()
        .any(|word| sql.contains(word.trim_end_matches('s')));
    (lists_one && !is_said).then(|| joined(asked, at, 3))
}

/// `from Rome to Oslo` as either of them in one column, where each is an end.
pub(super) fn ends_of_way(asked: &[String], sql: &str) -> Option<String> {
    let is_place = |at: usize| {
        let word = word(asked, at);
        !word.is_empty()
            && !word.contains(|sign: char| sign.is_ascii_digit())
            && !is_month(word)
            && !is_day(word)
    };
    let from = asked.iter().position(|word| word == "from")?;
    let to = (from + 2..from + NEAR + 2).find(|&at| matches!(word(asked, at), "to" | "into"))?;
    let either = sql.contains(" in ('") || sql.contains("' or ");
    (either && is_place(from + 1) && is_place(to + 1)).then(|| joined(asked, from, to + 2 - from))
}

/// `players who moved to another club`: that there is a club says nothing of another one.
pub(super) fn another(asked: &[String], sql: &str) -> Option<String> {
    let at = asked.iter().position(|word| word == "another")?;
    let changed = at > 1
        && matches!(word(asked, at - 1), "to" | "for")
        && matches!(
            word(asked, at - 2),
            "moved" | "switched" | "changed" | "transferred" | "went" | "left" | "move" | "switch" | "change"
        );
    let compares = ["<>", "!=", "count(distinct", " having ", "_2.", "lag("];
    (changed && !compares.iter().any(|sign| sql.contains(sign))).then(|| joined(asked, at - 2, 4))
}

/// `staff fired by Old Mill`, `players who hate Lund`: what became of them, or what they feel, no reference tells.
pub(super) fn deed(asked: &[String], sql: &str) -> Option<String> {
    const FEELS: [&str; 8] = [
        "hate", "hates", "hated", "dislike", "dislikes", "loathe", "fear", "admire",
    ];
    const DONE: [&str; 16] = [
        "fired",
        "sacked",
        "dismissed",
        "injured",
        "stolen",
        "approved",
        "rejected",
        "destroyed",
        "damaged",
        "demoted",
        "recalled",
        "sued",
        "blamed",
        "banned",
        "nominated",
        "audited",
    ];
    const TELLING: [&str; 11] = [
        "status", "state", "result", "outcome", "reason", "stage", "decision", "flag", "flg", "sts", "_st",
    ];
    let at = (0..asked.len()).find(|&at| {
        let was = at > 0
            && matches!(
                word(asked, at - 1),
                "was" | "were" | "been" | "got" | "get" | "is" | "are"
            );
        let done = DONE.contains(&word(asked, at)) && (was || word(asked, at + 1) == "by");
        done || FEELS.contains(&word(asked, at))
    })?;
    let is_told = names(sql, &asked[at]) || TELLING.iter().any(|telling| sql.contains(telling));
    (!is_told).then(|| asked[at].clone())
}

/// `projects with a tile or slate roof and a battery`, where the battery is shown and need not be there.
pub(super) fn flag(asked: &[String], sql: &str) -> Option<String> {
    let (shown, rest) = sql.split_once(" from ")?;
    let at = (1..asked.len()).find(|&at| {
        let flag = ["has_", "is_", "with_"]
            .into_iter()
            .map(|lead| format!("{lead}{}", word(asked, at + 1)));
        let mut flag = flag.filter(|_| matches!(word(asked, at), "a" | "an" | "no"));
        matches!(word(asked, at - 1), "and" | "but" | "with")
            && flag.any(|flag| shown.contains(&flag) && !rest.contains(&flag))
    })?;
    Some(joined(asked, at - 1, 3))
}

/// `with at least one lost and one completed project`: one of each, and not one of either.
pub(super) fn one_of_each(asked: &[String], sql: &str) -> Option<String> {
    let at = (1..asked.len()).find(|&at| {
        let and = (at + 1..at + NEAR).find(|&and| word(asked, and) == "and");
        let again = and.is_some_and(|and| {
            word(asked, and + 1) == "one" || word(asked, and + 1) == "at" && word(asked, and + 3) == "one"
        });
        word(asked, at) == "one"
            && matches!(word(asked, at - 1), "least" | "with" | "have" | "has" | "both")
            && again
    })?;
    let is_either = sql.contains(" in ('") && !sql.contains(" and exists") && !sql.contains("intersect");
    (is_either).then(|| joined(asked, at, 3))
}

/// A day of the week.
fn is_day(word: &str) -> bool {
    word.trim_end_matches('s').ends_with("day")
}

/// `how much of the budget did we spend`: one amount of the other, and not two that nothing relates.
pub(super) fn part_of_amount(asked: &[String], sql: &str) -> Option<String> {
    let asks = word(asked, 0) == "how" && word(asked, 1) == "much" && word(asked, 2) == "of";
    (asks && sql.contains(" cross join ") && !sql.contains('/')).then(|| joined(asked, 0, 3))
}

#[cfg(test)]
mod tests {
    use super::super::lacking;

    #[test]
    fn what_belongs_to_rows_is_not_passed_over() {
        for (question, sql, told) in [
            (
                "members referred by volunteers",
                "SELECT m.name FROM m WHERE m.referred_by IS NOT NULL AND m.is_volunteer = TRUE",
                Some("referred by volunteers"),
            ),
            (
                "members referred by someone",
                "SELECT m.name FROM m WHERE m.referred_by IS NOT NULL",
                None,
            ),
            (
                "vets with their patients",
                "SELECT vets.name FROM vets",
                Some("with their patients"),
            ),
            ("vets with their names", "SELECT vets.name FROM vets", None),
            (
                "owners and their pets",
                "SELECT o.name, p.name FROM o JOIN p ON p.o = o.id",
                None,
            ),
            (
                "how much of the budget did we spend",
                "WITH a AS (SELECT SUM(x) AS m FROM b), c AS (SELECT SUM(y) AS m FROM d) SELECT a.m, c.m FROM a CROSS JOIN c",
                Some("how much of"),
            ),
        ] {
            assert_eq!(lacking(question, sql).as_deref(), told, "{question}");
        }
    }
}
