//! How the templates of the signatures are written: SQLite's words with places in them. Where operators stand in each other,
//! parentheses say so.

use super::sql_expr::{
    Call, Case, Node, Place, SqlExpr, bare, chain, collate, infix, list, null, number, prefix, text,
};

/// What is left of a template to read.
struct Reader<'t>(&'t str);

/// The operators that stand between two values.
const BETWEEN: [&str; 12] = ["||", "<>", "<=", ">=", "+", "-", "*", "/", "&", "|", "=", "<"];

/// The expression that a text spells; `None` where it is none.
pub(super) fn read(text: &str) -> Option<SqlExpr> {
    let mut reader = Reader(text);
    let found = reader.expression()?;
    reader.0.is_empty().then_some(found)
}

impl<'t> Reader<'t> {
    fn takes(&mut self, sign: &str) -> bool {
        match self.0.strip_prefix(sign) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes this word, with what stands around it.
    fn takes_word(&mut self, word: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(word);
        match rest.filter(|rest| !rest.starts_with(is_in_word)) {
            Some(rest) => {
                self.0 = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// What begins with such signs.
    fn while_it(&mut self, is: fn(char) -> bool) -> &'t str {
        let end = self.0.find(|sign| !is(sign)).unwrap_or(self.0.len());
        let (found, rest) = self.0.split_at(end);
        self.0 = rest;
        found
    }

    /// Conditions, or one value.
    fn expression(&mut self) -> Option<SqlExpr> {
        let mut parts = vec![self.compared()?];
        while self.takes_word("AND") {
            parts.push(self.compared()?);
        }
        Some(one_or(parts, "AND"))
    }

    /// One operator at most, which may come again.
    fn compared(&mut self) -> Option<SqlExpr> {
        let mut parts = vec![self.operand()?];
        for (words, operator) in [("IS NOT NULL", "IS NOT"), ("IS NULL", "IS")] {
            if self.takes_word(words) {
                return Some(bare(infix(parts.pop()?, operator, null())));
            }
        }
        let mut operator = None;
        while let Some(found) = BETWEEN.into_iter().find(|sign| self.takes(&format!(" {sign} "))) {
            if *operator.get_or_insert(found) != found {
                return None;
            }
            parts.push(self.operand()?);
        }
        Some(one_or(parts, operator.unwrap_or_default()))
    }

    fn operand(&mut self) -> Option<SqlExpr> {
        let value = self.value()?;
        if !self.takes_word("COLLATE") {
            return Some(value);
        }
        if self.takes("{collation}") {
            return Some(Node::Place(Place::Collated(value)).into());
        }
        let collation = self.while_it(is_in_word);
        (!collation.is_empty()).then(|| collate(value, collation))
    }

    fn value(&mut self) -> Option<SqlExpr> {
        let next = self.0.chars().next()?;
        match next {
            '\'' => {
                let (content, rest) = self.0[1..].split_once('\'')?;
                self.0 = rest;
                Some(text(content))
            }
            '{' => {
                let (place, rest) = self.0[1..].split_once('}')?;
                self.0 = rest;
                Some(Node::Place(named(place)?).into())
            }
            '%' => {
                self.takes("%");
                let found = self.value()?;
                let call = found.called().filter(|_| self.takes("%"))?.clone();
                Some(Node::Place(Place::Aggregate(Box::new(call))).into())
            }
            '(' => {
                self.takes("(");
                let inner = self.expression().filter(|_| self.takes(")"))?;
                Some(match inner.node() {
                    Node::Bare(operator) => operator.clone(),
                    _ => list([inner]),
                })
            }
            '-' | '~' => {
                self.takes(if next == '-' { "-" } else { "~" });
                let digits = self.while_it(is_digit);
                if next == '-' && !digits.is_empty() {
                    return Some(number(format!("-{digits}")));
                }
                let operand = self.value()?;
                Some(bare(prefix(if next == '-' { "-" } else { "~" }, operand)))
            }
            '0'..='9' => Some(number(self.while_it(is_digit))),
            _ if self.takes_word("NOT") => Some(bare(prefix("NOT", self.operand()?))),
            _ if self.takes_word("NULL") => Some(null()),
            _ if self.takes_word("CASE") => self.case(),
            _ => self.call(),
        }
    }

    /// What follows CASE.
    fn case(&mut self) -> Option<SqlExpr> {
        let mut case = Case {
            operand: None,
            whens: vec![],
            otherwise: None,
        };
        if !self.takes_word("WHEN") {
            case.operand = Some(self.expression()?);
            self.takes_word("WHEN").then_some(())?;
        }
        loop {
            let condition = self.expression()?;
            let value = self.takes_word("THEN").then(|| self.expression())??;
            case.whens.push((condition, value));
            if !self.takes_word("WHEN") {
                break;
            }
        }
        if self.takes_word("ELSE") {
            case.otherwise = Some(self.expression()?);
        }
        self.takes_word("END").then(|| case.end())
    }

    fn call(&mut self) -> Option<SqlExpr> {
        let name = self.while_it(is_in_word);
        if name.is_empty() || !self.takes("(") {
            return None;
        }
        let mut arguments = vec![];
        while !self.takes(")") {
            if !arguments.is_empty() && !self.takes(", ") {
                return None;
            }
            arguments.push(if self.takes("*") {
                Node::Star.into()
            } else {
                self.expression()?
            });
        }
        let call = Call {
            name: name.to_owned(),
            arguments,
            ..Call::default()
        };
        Some(call.into())
    }
}

fn one_or(mut parts: Vec<SqlExpr>, operator: &str) -> SqlExpr {
    match parts.len() {
        1 => parts.remove(0),
        _ => bare(chain(operator, parts)),
    }
}

fn named(place: &str) -> Option<Place> {
    Some(match place {
        "*" => Place::Arguments,
        "type" => Place::Type,
        "element" => Place::Element,
        at => Place::Argument(at.parse().ok()?),
    })
}

fn is_in_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

fn is_digit(sign: char) -> bool {
    sign.is_ascii_digit() || sign == '.'
}
