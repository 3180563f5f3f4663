//! What belongs to something, listed with it: `owners and their pets` as pets with their owners.

use super::{
    super::{
        super::{lexicon::lexicon, question::Token},
        rewording::{said, word},
    },
    called, name_of,
};
use crate::question::schema::Schema;

/// The question as one after what belongs there, or after what says that both belong together.
pub(super) fn with_their_own(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "and" | "with")
            && matches!(word(&tokens, at + 1), "their" | "its" | "his" | "her")
            && at + 3 == tokens.len()
    });
    let Some(at) = found else { return tokens };
    let plain = tokens[..at - 1].iter().all(|token| {
        lexicon().is_filler(&token.word) || matches!(token.word.as_str(), "list" | "show" | "all" | "each")
    });
    let (Some(one), Some(many)) = (called(schema, &tokens[at - 1]), called(schema, &tokens[at + 2])) else {
        return tokens;
    };
    if !plain || one == many {
        return tokens;
    }
    let refers = |from: usize, to: usize| {
        let keys = schema.foreign_keys.iter();
        keys.filter(|key| key.from[0].table == from && key.to[0].table == to)
            .count()
    };
    let links = (0..schema.tables.len()).find(|&link| {
        let table = &schema.tables[link];
        let both = link != one && link != many && refers(link, one) == 1 && refers(link, many) == 1;
        both && table.primary_key.len() == 2
    });
    let mut asked = tokens[..at - 1].to_vec();
    let with = said("with", &tokens[at]);
    match links {
        Some(link) => {
            asked.extend(name_of(schema, link, &tokens[at]));
            asked.extend([
                with,
                tokens[at - 1].clone(),
                said("and", &tokens[at]),
                tokens[at + 2].clone(),
            ]);
        }
        None if refers(many, one) == 1 && refers(one, many) == 0 => {
            asked.extend([
                tokens[at + 2].clone(),
                with,
                tokens[at + 1].clone(),
                tokens[at - 1].clone(),
            ]);
        }
        None => return tokens,
    }
    asked
}
