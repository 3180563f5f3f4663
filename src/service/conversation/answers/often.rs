//! Questions that are slow and asked often: their rows could be kept.

use std::time::Duration;

use moka::sync::Cache;

use crate::question::{
    ask::Answer,
    schema::{Dialect, identifier, words::text_words},
};

/// What the step is called.
const MATERIALIZED_VIEW: &str = "materialized view advice";
/// From so many times on a question is asked often.
const OFTEN: u32 = 5;
/// How long a question is remembered that is not asked again.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);
/// Questions that are counted.
const MOST: u64 = 10_000;
/// Characters of the name of a view that is proposed.
const LONGEST_NAME: usize = 40;
/// What gives other rows each day, or each time.
const OF_THE_MOMENT: &[&str] = &[
    "current_date",
    "current_time",
    "localtime",
    "now(",
    "clock_timestamp(",
    "statement_timestamp(",
    "transaction_timestamp(",
    "random(",
];

/// How often slow questions were asked, by who asks what of which database.
#[derive(Debug)]
pub(super) struct Often(Cache<(String, String, String), u32>);

impl Default for Often {
    fn default() -> Self {
        let counts = Cache::builder()
            .max_capacity(MOST)
            .time_to_idle(REMEMBERED)
            .build();
        Self(counts)
    }
}

impl Often {
    /// Counts an answer; one that is slow, and given often, is told with a view that would keep its rows. Only PostgreSQL has such
    /// views.
    pub(super) fn count(&self, answer: &mut Answer, database: &str, user: &str, question: &str) {
        let Some(took) = answer.slow else { return };
        let sql = answer.sql.as_str();
        let lower = sql.to_lowercase();
        let lasts = !OF_THE_MOMENT.iter().any(|word| lower.contains(word));
        // A policy has written into it what this user may see, and values that are bound later no view can hold.
        let is_own = answer.sql.is_restricted() || answer.sql.parameters() > 0;
        if answer.schema.1 != Dialect::Postgres || is_own || !lasts {
            return;
        }
        let key = (database.to_owned(), user.to_owned(), question.to_owned());
        let times = self.0.get(&key).unwrap_or(0).saturating_add(1);
        self.0.insert(key, times);
        if times >= OFTEN {
            let name = identifier(&name_of(question), Dialect::Postgres);
            let told = format!(
                "asked {times} times, {} ms each: CREATE MATERIALIZED VIEW {name} AS {sql}; then REFRESH MATERIALIZED VIEW \
                 {name} whenever its rows should be of the day",
                took.as_millis()
            );
            answer.steps.push((MATERIALIZED_VIEW.to_owned(), told));
        }
    }
}

/// A name for the rows that answer a question: its words.
fn name_of(question: &str) -> String {
    let mut name = String::new();
    for word in text_words(question) {
        let plain = word.chars().all(|letter| letter.is_ascii_alphanumeric());
        if plain && name.len() + word.len() < LONGEST_NAME {
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(&word);
        }
    }
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_called_as_their_question() {
        assert_eq!(name_of("Sales per region, in 2025?"), "sales_per_region_in_2025");
        assert_eq!(name_of("日本"), "answer");
    }
}
