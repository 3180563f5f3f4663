//! Forms that PostgreSQL tells in other words than they are written in, and what is told as it was written, since nothing
//! better is known; see [`super::deparse`].

use std::ops::ControlFlow;

use sqlparser::ast::{AccessExpr, Expr, Ident, Subscript, Value, visit_expressions_mut};

use super::{
    Translator, Ty,
    condition::all_of,
    deparse::{Said, shown},
    deparse_calls::is_moment,
    quoted, rows, symmetric,
    types::Target,
};

impl Translator<'_> {
    /// Patterns with an escape character, values against several patterns, parts of arrays, rows, literals with a grammar of
    /// their own.
    pub(super) fn said_form(&mut self, expression: &Expr, ty: Ty) -> Option<Said> {
        match expression {
            Expr::CompoundFieldAccess { root, access_chain } => self.said_within(root, access_chain, ty),
            Expr::Interval(_) => {
                let value = self.expression(expression).ok()?;
                let kept = self.names.constant(&value.full().to_string())?;
                let kept = kept.strip_prefix('\'')?.strip_suffix('\'')?;
                Some(Said::new(format!("'{kept}'::interval"), ty))
            }
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedByteStringLiteral(bits) => {
                    Some(Said::new(format!("'{bits}'::\"bit\""), ty))
                }
                _ => None,
            },
            Expr::Collate { expr, collation } => {
                let inner = self.said(expr)?;
                let inner = self.settled_text(inner)?;
                let name = collation.0.last()?.as_ident()?;
                let name = quoted(&super::folded(name));
                Some(Said::new(format!("({inner} COLLATE {name})"), ty))
            }
            Expr::Tuple(_) | Expr::Function(_) => {
                let mut parts = vec![];
                for part in rows::values(expression)? {
                    let part = self.said(&part)?;
                    parts.push(self.settled_text(part)?);
                }
                Some(Said::new(format!("ROW({})", parts.join(", ")), ty))
            }
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let (low, is_symmetric) = symmetric::bound(low);
                let (above, below, inner, outer) = if *negated {
                    ("<", ">", "OR", "AND")
                } else {
                    (">=", "<=", "AND", "OR")
                };
                let mut either = vec![];
                for (low, high) in [(low, &**high), (&**high, low)] {
                    let (one, low) = self.said_pair(expr, above, low)?;
                    let (other, high) = self.said_pair(expr, below, high)?;
                    either.push(format!(
                        "(({one} {above} {low}) {inner} ({other} {below} {high}))"
                    ));
                    if !is_symmetric {
                        return Some(Said::new(either.concat(), ty));
                    }
                }
                Some(Said::new(format!("({})", either.join(&format!(" {outer} "))), ty))
            }
            Expr::Like {
                negated,
                any,
                expr,
                pattern,
                escape_char,
            } => self.said_like(
                expr,
                if *negated { "!~~" } else { "~~" },
                (pattern, escape_char.as_deref()),
                *any,
            ),
            Expr::ILike {
                negated,
                any,
                expr,
                pattern,
                escape_char,
            } => self.said_like(
                expr,
                if *negated { "!~~*" } else { "~~*" },
                (pattern, escape_char.as_deref()),
                *any,
            ),
            Expr::SimilarTo {
                negated,
                expr,
                pattern,
                escape_char,
            } => {
                let operator = if *negated { "!~" } else { "~" };
                self.said_escaped(
                    expr,
                    (operator, "similar_to_escape"),
                    (pattern, escape_char.as_deref()),
                )
            }
            _ => None,
        }
    }

    fn said_like(
        &mut self,
        value: &Expr,
        operator: &str,
        (pattern, escape): (&Expr, Option<&Expr>),
        any: bool,
    ) -> Option<Said> {
        let of = |inner| match inner {
            Expr::Nested(inner) => *inner,
            other => other,
        };
        if any {
            return self.said_quantified(value, operator, &of(pattern.clone()), "ANY");
        }
        if let Some(patterns) = all_of(pattern) {
            return self.said_quantified(value, operator, &of(patterns.clone()), "ALL");
        }
        match escape {
            None => self.said_text_operator(value, operator, pattern),
            Some(_) => self.said_escaped(value, (operator, "like_escape"), (pattern, escape)),
        }
    }

    /// What a pattern is held against: `char(n)` keeps its blanks there.
    pub(super) fn said_matched(&mut self, value: &Expr) -> Option<String> {
        let said = self.said(value)?;
        if said.ty == Ty::Bpchar {
            return Some(said.text);
        }
        Some(self.cast_to(said, Ty::Text, false)?.text)
    }

    /// A pattern whose escape character a function takes away.
    fn said_escaped(
        &mut self,
        value: &Expr,
        (operator, function): (&str, &str),
        (pattern, escape): (&Expr, Option<&Expr>),
    ) -> Option<Said> {
        let value = self.said_matched(value)?;
        let mut arguments = vec![self.said_as(pattern, Ty::Text)?];
        if let Some(escape) = escape {
            arguments.push(self.said_as(escape, Ty::Text)?);
        }
        let pattern = format!("{function}({})", arguments.join(", "));
        Some(Said::new(format!("({value} {operator} {pattern})"), Ty::Bool))
    }

    /// `a[1]`, `(f(x))[1:2]`.
    fn said_within(&mut self, root: &Expr, chain: &[AccessExpr], ty: Ty) -> Option<Said> {
        let said = self.said(root)?;
        let mut text = match root {
            Expr::Identifier(_) => said.text,
            _ if said.text.starts_with('(') => said.text,
            _ => format!("({})", said.text),
        };
        for access in chain {
            let AccessExpr::Subscript(subscript) = access else {
                return None;
            };
            let mut at = |bound: &Expr| self.said_as(bound, Ty::Int4);
            let inner = match subscript {
                Subscript::Index { index } => at(index)?,
                Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    stride: None,
                } => {
                    let mut ends = vec![];
                    for bound in [lower_bound, upper_bound] {
                        ends.push(match bound {
                            Some(bound) => at(bound)?,
                            None => String::new(),
                        });
                    }
                    ends.join(":")
                }
                Subscript::Slice { .. } => return None,
            };
            text.extend(["[", &inner, "]"]);
        }
        Some(Said::new(text, ty))
    }

    /// `(a, b) = (c, d)`.
    pub(super) fn said_rows(&mut self, left: &[Expr], operator: &str, right: &[Expr]) -> Option<Said> {
        if left.len() != right.len() {
            return None;
        }
        if operator.eq_ignore_ascii_case("overlaps") {
            let mut sides = vec![];
            for part in left.iter().chain(right) {
                let part = self.said(part)?;
                sides.push(self.settled_text(part)?);
            }
            let (ones, others) = sides.split_at(left.len());
            let text = format!("(({}) OVERLAPS ({}))", ones.join(", "), others.join(", "));
            return Some(Said::new(text, Ty::Bool));
        }
        let (mut ones, mut others) = (vec![], vec![]);
        for (one, other) in left.iter().zip(right) {
            let (one, other) = self.said_pair(one, operator, other)?;
            ones.push(one);
            others.push(other);
        }
        let word = match operator {
            "=" => "AND",
            "<>" => "OR",
            _ => {
                let text = format!("(ROW({}) {operator} ROW({}))", ones.join(", "), others.join(", "));
                return Some(Said::new(text, Ty::Bool));
            }
        };
        let pairs = ones.iter().zip(&others);
        let tests: Vec<String> = pairs
            .map(|(one, other)| format!("({one} {operator} {other})"))
            .collect();
        Some(Said::new(
            format!("({})", tests.join(&format!(" {word} "))),
            Ty::Bool,
        ))
    }

    /// In the client's own words, which PostgreSQL reads again. Names are in quotes, so that they can be given others.
    pub(super) fn as_written(&mut self, expression: &Expr) -> Option<Said> {
        let ty = self.expression(expression).ok()?.ty;
        shown(ty)?;
        let mut words = expression.clone();
        let told = visit_expressions_mut(&mut words, |part| {
            match part {
                Expr::Identifier(name) if name.quote_style.is_some() || !is_moment(&name.value) => {
                    in_quotes(name);
                }
                // A definition has no table but its own.
                Expr::CompoundIdentifier(names) => {
                    let Some(mut name) = names.pop() else {
                        return ControlFlow::Break(());
                    };
                    in_quotes(&mut name);
                    *part = Expr::Identifier(name);
                }
                Expr::Value(value) => {
                    let text = match &value.value {
                        Value::SingleQuotedString(text)
                        | Value::EscapedStringLiteral(text)
                        | Value::UnicodeStringLiteral(text) => Some(text),
                        Value::DollarQuotedString(text) => Some(&text.value),
                        Value::Placeholder(_) => return ControlFlow::Break(()),
                        _ => None,
                    };
                    if let Some(text) = text {
                        // The printer doubles some of the quotes in a string only.
                        if text.contains('\'') {
                            return ControlFlow::Break(());
                        }
                        value.value = Value::SingleQuotedString(text.clone());
                    }
                }
                Expr::Function(call) => {
                    let name = call.name.to_string();
                    // Marks that stand for what the parser does not know, and what is told of sequences.
                    if name.contains("pg:") || name.to_ascii_lowercase().contains("nextval") {
                        return ControlFlow::Break(());
                    }
                }
                Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => {
                    return ControlFlow::Break(());
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        if told.is_break() {
            return None;
        }
        let is_whole = matches!(
            words,
            Expr::Identifier(_) | Expr::Function(_) | Expr::Nested(_) | Expr::Value(_)
        );
        let text = if is_whole {
            words.to_string()
        } else {
            format!("({words})")
        };
        Some(Said::new(text, ty))
    }
}

fn in_quotes(name: &mut Ident) {
    let folded = super::folded(name);
    *name = Ident::with_quote('"', folded);
}

/// A constant of bytes, as SQLite writes it.
pub(super) fn bytes(kept: &str) -> Option<String> {
    let digits = kept.strip_prefix("X'")?.strip_suffix('\'')?;
    Some(format!("\\x{}", digits.to_lowercase()))
}

/// The name of a type with its length or digits, where it has some.
#[expect(clippy::option_option, reason = "no name, and a name that nobody knows")]
pub(super) fn modified(target: Target) -> Option<Option<String>> {
    Some(match (target.ty, target.modifier) {
        (_, None) => None,
        (Ty::Varchar, Some((length, _))) => Some(format!("character varying({length})")),
        (Ty::Bpchar, Some((length, _))) => Some(format!("character({length})")),
        (Ty::Numeric, Some((precision, scale))) => Some(format!("numeric({precision},{scale})")),
        (Ty::Bit, Some((length, _))) => Some(format!("bit({length})")),
        (Ty::Varbit, Some((length, _))) => Some(format!("bit varying({length})")),
        _ => return None,
    })
}
