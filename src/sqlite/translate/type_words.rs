//! Types in words of PostgreSQL's that the parser does not know: `national character varying(5)`, `nchar varying`, and
//! `int array[3]`.

use sqlparser::tokenizer::Token;

use super::{
    Ty,
    parser_fallback::{folded, is_one, solid},
};

/// Words that a type may end with, beside the names in the catalogue.
const LAST: [&str; 14] = [
    "int",
    "integer",
    "smallint",
    "bigint",
    "real",
    "float",
    "precision",
    "decimal",
    "dec",
    "boolean",
    "character",
    "char",
    "varying",
    "zone",
];

/// The text with such types in the parser's words; `None` where there are none.
pub(super) fn known(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let mut words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let mut changed = false;
    for at in 1..solid.len() {
        let is_name = tokens[solid[at - 1]] == Token::Period;
        if is_name {
            continue;
        }
        if word(at, &["national"]) && word(at + 1, &["character", "char"]) {
            words[solid[at]].clear();
        } else if word(at, &["nchar"]) && word(at + 1, &["varying"]) {
            words[solid[at]] = "char".into();
        } else if word(at, &["array"]) && ends_type(&tokens[solid[at - 1]]) {
            words[solid[at]] = match solid.get(at + 1).map(|next| &tokens[*next]) {
                Some(Token::LBracket) => String::new(),
                _ => "[]".into(),
            };
        } else {
            continue;
        }
        changed = true;
    }
    changed.then(|| words.concat())
}

/// True for what no expression ends with in front of ARRAY, which is a reserved word.
fn ends_type(token: &Token) -> bool {
    match token {
        Token::RParen => true,
        Token::Word(word) => {
            let name = folded(word);
            LAST.contains(&name.as_str()) || Ty::named(&name).is_some()
        }
        _ => false,
    }
}
