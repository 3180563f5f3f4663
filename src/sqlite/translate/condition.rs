//! Conditions: comparisons, patterns, lists.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query,
};

use super::{
    Result, Translator, Ty, refuse, rows,
    scope::{Literal, Typed},
    sql::{listed, sql},
    sql_expr::{SqlExpr, call, chain, infix, list, name, not_if, number, query, text},
    symmetric,
    ty::Family,
    unsupported,
};

fn like_operator(any_case: bool, negated: bool) -> BinaryOperator {
    match (any_case, negated) {
        (false, false) => BinaryOperator::PGLikeMatch,
        (false, true) => BinaryOperator::PGNotLikeMatch,
        (true, false) => BinaryOperator::PGILikeMatch,
        (true, true) => BinaryOperator::PGNotILikeMatch,
    }
}

/// The patterns of `LIKE ALL (…)`, which the parser takes for a call.
pub(super) fn all_of(pattern: &Expr) -> Option<&Expr> {
    let Expr::Function(Function {
        name,
        args: FunctionArguments::List(list),
        over: None,
        ..
    }) = pattern
    else {
        return None;
    };
    match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(patterns))]
            if name.to_string().eq_ignore_ascii_case("all") =>
        {
            Some(patterns)
        }
        _ => None,
    }
}

impl Translator<'_> {
    pub(super) fn condition(&mut self, expression: &Expr) -> Result<Typed> {
        match expression {
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            Expr::InSubquery {
                expr,
                subquery,
                negated,
            } => self.in_query(expr, subquery, *negated),
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let (low, symmetric) = symmetric::bound(low);
                let above = self.comparison(expr, ">=", low)?;
                let below = self.comparison(expr, "<=", high)?;
                let mut is_between = infix(above.expr, "AND", below.expr);
                if symmetric {
                    let above = self.comparison(expr, ">=", high)?;
                    let below = self.comparison(expr, "<=", low)?;
                    is_between = infix(is_between, "OR", infix(above.expr, "AND", below.expr));
                }
                Ok(Typed::new(not_if(*negated, is_between), Ty::Bool))
            }
            Expr::Like {
                negated,
                any: true,
                expr,
                pattern,
                ..
            } => self.quantified(expr, &like_operator(false, *negated), pattern, true),
            Expr::ILike {
                negated,
                any: true,
                expr,
                pattern,
                ..
            } => self.quantified(expr, &like_operator(true, *negated), pattern, true),
            Expr::Like {
                negated,
                any: false,
                expr,
                pattern,
                escape_char,
            } => self.like(expr, pattern, escape_char.as_deref(), (false, *negated)),
            Expr::ILike {
                negated,
                any: false,
                expr,
                pattern,
                escape_char,
            } => self.like(expr, pattern, escape_char.as_deref(), (true, *negated)),
            Expr::SimilarTo {
                negated,
                expr,
                pattern,
                escape_char,
            } => {
                let value = self.expression(expr)?;
                let (value, pattern) = (self.matched(value)?.expr, self.text(pattern)?);
                let escape = self.escape(escape_char.as_deref())?;
                let is_similar = call("pg_similar", [value, pattern, escape]);
                Ok(Typed::new(not_if(*negated, is_similar), Ty::Bool))
            }
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            } => self.quantified(left, compare_op, right, true),
            Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.quantified(left, compare_op, right, false),
            other => self.special(other),
        }
    }

    /// What a pattern is held against, and the pattern: `char(n)` is as long there as it is kept.
    pub(super) fn matched(&mut self, value: Typed) -> Result<Typed> {
        let ty = if value.ty == Ty::Bpchar {
            Ty::Text
        } else {
            value.ty
        };
        self.implicitly(Typed { ty, ..value }, Ty::Text)
    }

    /// A text.
    pub(super) fn text(&mut self, expression: &Expr) -> Result<SqlExpr> {
        let value = self.expression(expression)?;
        self.implicitly(value, Ty::Text).map(|value| value.expr)
    }

    fn escape(&mut self, escape: Option<&Expr>) -> Result<SqlExpr> {
        escape.map_or_else(|| Ok(text("\\")), |escape| self.text(escape))
    }

    /// LIKE with or without letter case.
    pub(super) fn like(
        &mut self,
        value: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
        (any_case, negated): (bool, bool),
    ) -> Result<Typed> {
        if let Some(patterns) = all_of(pattern) {
            return self.quantified(value, &like_operator(any_case, negated), patterns, false);
        }
        let (value, pattern) = (self.expression(value)?, self.expression(pattern)?);
        let position = value.position;
        for side in [&value, &pattern] {
            if !(side.ty.is_string() || matches!(side.ty, Ty::Unknown | Ty::Dynamic)) {
                let operator = match (any_case, negated) {
                    (false, false) => "~~",
                    (false, true) => "!~~",
                    (true, false) => "~~*",
                    (true, true) => "!~~*",
                };
                return refuse(
                    "42883",
                    format!(
                        "operator does not exist: {} {operator} {}",
                        value.ty.shown(),
                        pattern.ty.shown()
                    ),
                    position,
                );
            }
        }
        let value = self.matched(value)?;
        let pattern = self.implicitly(pattern, Ty::Text)?;
        if let (false, None, Some(Literal::Text(like))) = (any_case, escape, &pattern.literal)
            && !like.contains('\\')
        {
            // SQLite finds the like of this by an index.
            let glob: String = like
                .chars()
                .map(|c| match c {
                    '%' => "*".to_owned(),
                    '_' => "?".to_owned(),
                    '*' | '?' | '[' => format!("[{c}]"),
                    other => other.to_string(),
                })
                .collect();
            let operator = if negated { "NOT GLOB" } else { "GLOB" };
            return Ok(Typed::new(infix(value.expr, operator, text(glob)), Ty::Bool));
        }
        let function = if any_case { "pg_ilike" } else { "pg_like" };
        let escape = self.escape(escape)?;
        let is_like = call(function, [value.expr, pattern.expr, escape]);
        Ok(Typed::new(not_if(negated, is_like), Ty::Bool))
    }

    pub(super) fn comparison(&mut self, left: &Expr, operator: &str, right: &Expr) -> Result<Typed> {
        if let (Some(left), Some(right)) = (rows::values(left), rows::values(right)) {
            if left.len() != right.len() {
                return refuse("42601", "unequal number of entries in row expressions", None);
            }
            let (mut ones, mut others) = (vec![], vec![]);
            for (one, other) in left.iter().zip(&right) {
                let (one, other) = (self.expression(one)?, self.expression(other)?);
                let (one, other) = self.alike(one, other, operator)?;
                let mut pair = Typed::comparable(&[one, other]);
                others.extend(pair.pop());
                ones.extend(pair.pop());
            }
            return Ok(Typed::new(infix(list(ones), operator, list(others)), Ty::Bool));
        }
        if let (Some(row), Expr::Subquery(query)) = (rows::values(left), right) {
            return self.row_against(&row, operator, query);
        }
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        self.compared(left, operator, right)
    }

    /// `(a, b) = (SELECT …)`.
    fn row_against(&mut self, row: &[Expr], operator: &str, query: &Query) -> Result<Typed> {
        let (parts, rows) = self.beside(row, query)?;
        Ok(Typed::new(infix(list(parts), operator, rows), Ty::Bool))
    }

    /// Values and a query in the form in which they compare.
    fn beside(&mut self, values: &[Expr], rows: &Query) -> Result<(Vec<SqlExpr>, SqlExpr)> {
        let (rows, columns) = self.subquery(rows)?;
        if values.len() != columns.len() {
            let words = if values.len() < columns.len() {
                "subquery has too many columns"
            } else {
                "subquery has too few columns"
            };
            return refuse("42601", words, None);
        }
        let (mut parts, mut cells) = (vec![], vec![]);
        let mut as_it_is = true;
        for (value, column) in values.iter().zip(&columns) {
            let value = self.expression(value)?;
            let own = name(&column.inner);
            let (value, cell) = self.alike(value, column.typed(own.clone()), "=")?;
            let mut pair = Typed::comparable(&[value, cell]);
            if let Some(cell) = pair.pop() {
                as_it_is &= cell == own;
                cells.push(sql![cell, " AS ", &own]);
            }
            parts.extend(pair.pop());
        }
        if as_it_is {
            return Ok((parts, query(rows)));
        }
        Ok((parts, query(sql!["SELECT ", listed(cells), " FROM (", rows, ")"])))
    }

    /// Two values compared.
    pub(super) fn compared(&mut self, left: Typed, operator: &str, right: Typed) -> Result<Typed> {
        if let Some(compared) = self.single_compared(&left, operator, &right)? {
            return Ok(compared);
        }
        if let Some(compared) = self.any_compared(&left, operator, &right)? {
            return Ok(compared);
        }
        let (left, right) = self.alike(left, right, operator)?;
        let (one, other) = match left.ty {
            Ty::Numeric if left.keeps_digits() || right.keeps_digits() => {
                (call("pg_num_cmp", [left.expr, right.expr]), number(0))
            }
            Ty::Json => {
                return refuse(
                    "42883",
                    format!("operator does not exist: json {operator} json"),
                    left.position,
                );
            }
            Ty::Numeric => (left.number(), right.number()),
            _ if left.has_collation() => (left.key(), right.key()),
            _ => (left.plain(), right.plain()),
        };
        Ok(Typed::new(infix(one, operator, other), Ty::Bool))
    }

    /// A column of any type and a text are compared as texts, one and a number as numbers. Equal is what is shown so: the text and the number are both found
    /// by an index.
    fn any_compared(&mut self, left: &Typed, operator: &str, right: &Typed) -> Result<Option<Typed>> {
        let (any, other) = if left.is_any() {
            (left, right)
        } else {
            (right, left)
        };
        if any.is_any() && other.ty.family() == Family::Number && !matches!(operator, "=" | "<>") {
            let compared = infix(left.reckoned(), operator, right.reckoned());
            return Ok(Some(Typed::new(compared, Ty::Bool)));
        }
        if !any.is_any() || !is_shown(other) {
            return Ok(None);
        }
        if !matches!(operator, "=" | "<>") {
            let shown = |side: &Typed| {
                if side.is_any() {
                    side.clone().into_text()
                } else {
                    side.clone()
                }
            };
            return self.compared(shown(left), operator, shown(right)).map(Some);
        }
        let members = self.shown_so(other.clone())?;
        let found = is_in(operator == "<>", [vec![any.plain()], members].concat());
        Ok(Some(Typed::new(found, Ty::Bool)))
    }

    /// A text, and the number that is shown so.
    fn shown_so(&mut self, text: Typed) -> Result<Vec<SqlExpr>> {
        let text = self.settled(text)?.plain();
        Ok(vec![text.clone(), call("pg_shown_so", [text])])
    }

    /// Two values as the one type in which they compare.
    pub(super) fn alike(&mut self, left: Typed, right: Typed, operator: &str) -> Result<(Typed, Typed)> {
        if left.ty == Ty::Dynamic || right.ty == Ty::Dynamic {
            // Nothing tells more than SQLite's own rules.
            return Ok((left, right));
        }
        let Ok(ty) = Ty::compared(left.ty, right.ty) else {
            return refuse(
                "42883",
                format!(
                    "operator does not exist: {} {operator} {}",
                    left.ty.shown(),
                    right.ty.shown()
                ),
                left.position,
            );
        };
        if matches!(ty, Ty::Composite | Ty::Array(Ty::Composite)) {
            return unsupported("comparing whole rows", left.position);
        }
        // A literal is not cut to the length of what it is compared with.
        let ty = if ty == Ty::Varchar { Ty::Text } else { ty };
        Ok((self.implicitly(left, ty)?, self.implicitly(right, ty)?))
    }

    pub(super) fn in_list(&mut self, value: &Expr, members: &[Expr], negated: bool) -> Result<Typed> {
        if rows::values(value).is_some() {
            let mut parts = vec![];
            for item in members {
                parts.push(self.comparison(value, "=", item)?.expr);
            }
            return Ok(Typed::new(not_if(negated, chain("OR", parts)), Ty::Bool));
        }
        let value = self.expression(value)?;
        let mut items = vec![value];
        for item in members {
            items.push(self.expression(item)?);
        }
        if items.iter().any(|item| item.ty == Ty::Dynamic) {
            let is_any = items[0].is_any();
            let mut parts = vec![];
            for item in items {
                if is_any && is_shown(&item) {
                    parts.extend(self.shown_so(item)?);
                } else {
                    parts.push(item.plain());
                }
            }
            return Ok(Typed::new(is_in(negated, parts), Ty::Bool));
        }
        if let Some(whole) = self.single_in_list(&items, negated)? {
            return Ok(whole);
        }
        let is_each = |member: &Typed| Ty::compared(items[0].ty, member.ty).map(drop);
        let compared = items[1..].iter().try_for_each(is_each);
        let ty = match compared.and_then(|()| Ty::common(items.iter().map(|item| item.ty))) {
            Ok(ty) => ty,
            Err((one, other)) => {
                return refuse(
                    "42883",
                    format!("operator does not exist: {} = {}", one.shown(), other.shown()),
                    items[0].position,
                );
            }
        };
        for item in &mut items {
            *item = self.implicitly(item.clone(), ty)?;
        }
        let parts = Typed::comparable(&items);
        Ok(Typed::new(is_in(negated, parts), Ty::Bool))
    }

    pub(super) fn in_query(&mut self, value: &Expr, query: &Query, negated: bool) -> Result<Typed> {
        let values = rows::values(value).unwrap_or_else(|| vec![value.clone()]);
        let (mut parts, rows) = self.beside(&values, query)?;
        let value = if parts.len() == 1 {
            parts.remove(0)
        } else {
            list(parts)
        };
        Ok(Typed::new(infix(value, in_or_not(negated), rows), Ty::Bool))
    }
}

pub(super) fn in_or_not(negated: bool) -> &'static str {
    if negated { "NOT IN" } else { "IN" }
}

/// True for a text that may be how a number is shown.
fn is_shown(value: &Typed) -> bool {
    matches!(value.ty, Ty::Unknown | Ty::Text | Ty::Varchar | Ty::Name)
        && value.literal != Some(Literal::Null)
}

/// The first of these, and whether it is among the others.
fn is_in(negated: bool, mut values: Vec<SqlExpr>) -> SqlExpr {
    let members = values.split_off(1);
    chain(in_or_not(negated), [values, vec![list(members)]].concat())
}
