//! Months, quarters and seasons without a year that are still to come: `jobs planned for December`, `workshops in January`
//! where the next ones are kept already.

use jiff::civil::Date;

use super::{
    super::{
        super::question::{Token, TokenKind},
        anchor::date_of,
        moments::month_of,
        rewording::{said, word},
    },
    names_table,
};
use crate::question::{
    schema::{ColumnRef, Snapshot},
    semantic::SemanticModel,
};

/// The question with the year of such a month, where it looks ahead or some rows do.
pub(super) fn ahead(
    mut tokens: Vec<Token>,
    today: Date,
    goes_on: impl Fn(&[Token], Date) -> bool,
) -> Vec<Token> {
    let months = (0..tokens.len()).filter(|&at| month_of(word(&tokens, at)).is_some());
    let months: Vec<usize> = months.collect();
    let [at] = months[..] else { return tokens };
    let is_led = at > 0
        && matches!(
            word(&tokens, at - 1),
            "in" | "for" | "during" | "of" | "next" | "coming"
        );
    let is_dated = matches!(
        tokens.get(at + 1).map(|token| &token.kind),
        Some(TokenKind::Number(_) | TokenKind::Ordinal(_))
    );
    let Some(month) = month_of(word(&tokens, at)).filter(|_| is_led && !is_dated) else {
        return tokens;
    };
    let year = today.year() + i16::from(month < today.month());
    let Ok(first) = Date::new(year, month, 1) else {
        return tokens;
    };
    let begun = first <= today;
    if !begun && (looks_ahead(&tokens) || is_near(first, today) && goes_on(&tokens, first)) {
        let text = format!("{year}-{month:02}");
        tokens[at] = Token {
            kind: TokenKind::Month(text.clone()),
            ..said(&text, &tokens[at])
        };
    }
    tokens
}

/// True for a question after what is still to come.
fn looks_ahead(tokens: &[Token]) -> bool {
    let of_the_past = tokens.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "was" | "were" | "did" | "had" | "last" | "fell"
        )
    });
    !of_the_past
        && tokens.iter().any(|token| {
            matches!(
                token.word.as_str(),
                "next"
                    | "coming"
                    | "upcoming"
                    | "forthcoming"
                    | "future"
                    | "will"
                    | "planned"
                    | "scheduled"
                    | "expected"
                    | "due"
                    | "expire"
                    | "expires"
                    | "expiring"
            )
        })
}

/// True for a month that is nearer than the last one of its name.
fn is_near(first: Date, today: Date) -> bool {
    const HALF: i32 = 180;
    first.since(today).is_ok_and(|span| span.get_days() < HALF)
}

/// True where the rows of what a question names go on until a day.
pub(super) fn go_on_until(tokens: &[Token], day: Date, snapshot: &Snapshot, model: &SemanticModel) -> bool {
    let latest = |table: usize| {
        let column = model.datasets[table].time?;
        let column = ColumnRef { table, column };
        snapshot.profile.column(column)?.latest.and_then(date_of)
    };
    (0..snapshot.schema.tables.len())
        .filter(|&table| names_table(tokens, &snapshot.schema, table))
        .filter_map(latest)
        .any(|latest| latest >= day)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::question::tokens;
    use super::*;

    #[test]
    fn months_are_to_come_where_a_question_or_its_rows_look_ahead() {
        let today = jiff::civil::date(2026, 11, 28);
        for (question, goes_on, expected) in [
            ("jobs planned for December", false, "2026-12"),
            ("tasks due in March", false, "2027-03"),
            ("tasks that were due in March", false, "march"),
            ("orders in December", false, "december"),
            ("workshops in December", true, "2026-12"),
            ("workshops in August", true, "august"),
            ("workshops in November", true, "november"),
            ("tasks due in March 2025", false, "march 2025"),
        ] {
            let told = ahead(tokens(question, today), today, |_, _| goes_on);
            let month = told
                .iter()
                .rfind(|token| token.word != "2025")
                .map(|token| token.word.as_str());
            assert_eq!(month, Some(expected), "{question}");
        }
    }
}
