//! Questions read into analytic queries: words become items, items mentions, mentions play parts, and parts become
//! queries over what tables are about. Every way of reading is a candidate; what speaks for each decides.

use time::Date;

use super::question::tokens;
use crate::{
    analytic::{self, AnalyticQuery},
    schema::Snapshot,
    semantic::SemanticModel,
};

mod build;
#[cfg(test)]
mod dev;
mod items;
mod periods;
mod question;
mod roles;
mod ways;
mod weights;

/// A way to read a question.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) query: AnalyticQuery,
    pub(crate) sql: String,
    /// The higher, the likelier; comparable among the readings of one question.
    pub(crate) score: f32,
}

/// Ways to read a question, the likeliest first, each with other SQL.
pub(crate) fn readings(question: &str, today: Date, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Reading> {
    let tokens = tokens(question, today);
    let items = items::items(&tokens, today, snapshot, model);
    let asked = question::question(&items, &tokens);
    let context = build::Context::new(snapshot, model);
    let mut found: Vec<Reading> = Vec::new();
    for cast in roles::casts(&asked, snapshot, model) {
        let Some(built) = build::build(&asked, &cast, &context) else {
            continue;
        };
        let Ok(sql) = analytic::compile(&built.query, snapshot, model) else {
            continue;
        };
        let score = cast.score
            - 0.25 * built.distance
            - built.guesses
            - 0.5 * asked.unknown.len() as f32
            - 1.0 * (asked.unheard + asked.loose_numbers) as f32;
        if found.iter().all(|known| known.sql != sql) {
            found.push(Reading {
                query: built.query,
                sql,
                score,
            });
        }
    }
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
    found
}
