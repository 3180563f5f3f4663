//! How deep the tree of a statement may become, told by its tokens.

use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan},
};

/// What a join counts for: `a JOIN b JOIN c … ON … ON …` is read by a recursion of the parser's that has no bound of its
/// own, and no more than 64 tables can be joined anyway.
const JOIN: usize = 200;
/// What EXPLAIN counts for: the parser reads what it explains as a statement anew, and asks for no more stack there.
const EXPLAIN: usize = 200;

/// What a part of a set operation counts for: it is larger than an expression, and more than 500 cannot be had anyway.
const PART: usize = 10;

/// What was counted between an opening bracket and its closing one.
#[derive(Default, Clone, Copy)]
struct Level {
    /// In the item of a list that is being read: what makes it deeper, and the deepest of the brackets in it.
    here: usize,
    inner: usize,
    /// The deepest of the items before.
    most: usize,
    /// The parts of a set operation, of which each is such an item; their lists do not end it.
    sets: usize,
}

impl Level {
    fn end_item(&mut self) {
        self.most = self.most.max(self.here + self.inner);
        (self.here, self.inner) = (0, 0);
    }

    fn depth(mut self) -> usize {
        self.end_item();
        self.most + self.sets
    }
}

/// No tree of these tokens is deeper: each level of one takes a word of the language, a sign or a pair of brackets, and
/// what a comma parts stands side by side.
pub(super) fn depth(tokens: &[TokenWithSpan]) -> usize {
    let mut open = vec![Level::default()];
    let mut most = 0;
    let close = |open: &mut Vec<Level>| {
        let inner = open.pop().map_or(0, Level::depth);
        if let Some(outer) = open.last_mut() {
            outer.here += 1;
            outer.inner = outer.inner.max(inner);
        }
        inner
    };
    // Nothing but words that explain came before.
    let mut explains = true;
    for TokenWithSpan { token, .. } in tokens {
        if open.is_empty() {
            open.push(Level::default());
        }
        let Some(level) = open.last_mut() else { break };
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => open.push(Level::default()),
            Token::RParen | Token::RBracket | Token::RBrace => most = most.max(close(&mut open)),
            Token::Comma => level.end_item(),
            Token::Word(word) => match word.keyword {
                Keyword::NoKeyword => explains = false,
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS => {
                    level.end_item();
                    level.sets += PART;
                }
                Keyword::JOIN => level.here += JOIN,
                Keyword::EXPLAIN | Keyword::DESCRIBE => level.here += EXPLAIN,
                // At the beginning it explains, elsewhere it says an order.
                Keyword::DESC if explains => level.here += EXPLAIN,
                keyword => {
                    level.here += 1;
                    explains &= !matches!(
                        keyword,
                        Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::TABLE
                    );
                }
            },
            Token::SemiColon => {
                level.here += 1;
                explains = true;
            }
            Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_) => {}
            _ => level.here += 1,
        }
    }
    // What is not closed goes on to the end of the text.
    while !open.is_empty() {
        most = most.max(close(&mut open));
    }
    most
}
