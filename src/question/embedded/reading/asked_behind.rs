//! What is asked in the same breath: `the price of the lamp, and who makes it`.

use super::{super::question::TokenKind, mentions::Reader};

impl Reader<'_> {
    /// True where a question behind `and` or a comma asks for something of which nothing is known.
    pub(super) fn asks_more_behind(&self) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let joint = (3..self.tokens.len()).rev().find(|&at| {
            let joins =
                word(at - 1) == "and" || matches!(self.tokens[at - 1].kind, TokenKind::Mark(',' | ';'));
            let each = || (at + 2..self.tokens.len()).any(|at| matches!(word(at), "each" | "every"));
            let asks = match word(at) {
                "who" | "what" | "which" | "whose" => true,
                // `reasons and how often each was given`: the number of each.
                "how" if word(at + 1) == "often" => !each(),
                "how" => !matches!(word(at + 1), "many" | "much"),
                _ => false,
            };
            joins && asks
        });
        let Some(joint) = joint else {
            return false;
        };
        let found = &self.found;
        let is_behind = |at: usize| at >= joint;
        let named = found.mentions.iter().any(|mention| is_behind(mention.at))
            || found.periods.iter().any(|period| is_behind(period.at))
            || found.grains.iter().any(|grain| is_behind(grain.at));
        let told = !found.who_too.is_empty()
            || found.where_too
            || found.when
            || found.how_long
            || found.rank.is_some();
        // `what sold and what did not`: not a thing is named, but what happened.
        let negates = self.tokens[joint..]
            .iter()
            .any(|token| token.word == "not" || token.word.ends_with("n't"));
        !named && !told && !negates
    }
}
