//! GROUPING SETS, ROLLUP and CUBE: one grouped query for each set, all together.

use sqlparser::ast::{Expr, GroupByExpr, OrderByExpr, Select, SelectItem, SetExpr, Value};

use super::{
    Result, Stop, Translator, Ty,
    parentheses::without,
    query::{Body, MOST_PARTS},
    refuse,
    scope::Typed,
    unsupported,
};

/// More sets than these are refused, as PostgreSQL refuses more than 4,096: each becomes a part of a set operation.
const MOST_SETS: usize = MOST_PARTS;

/// The sets that a GROUP BY asks for; `None` where it is a plain one.
pub(super) fn sets(select: &Select) -> Option<Vec<Vec<Expr>>> {
    let GroupByExpr::Expressions(keys, _) = &select.group_by else {
        return None;
    };
    let special = |key: &Expr| matches!(key, Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_));
    if !keys.iter().any(special) {
        return None;
    }
    let mut all: Vec<Vec<Expr>> = vec![vec![]];
    for key in keys {
        let count = match key {
            Expr::GroupingSets(sets) => sets.len(),
            Expr::Rollup(parts) => parts.len() + 1,
            Expr::Cube(parts) => 1 << parts.len().min(16),
            _ => 1,
        };
        if all.len().saturating_mul(count) > MOST_SETS {
            // They are not worked out.
            return Some(vec![vec![]; MOST_SETS + 1]);
        }
        let more: Vec<Vec<Expr>> = match key {
            Expr::GroupingSets(sets) => sets.clone(),
            Expr::Rollup(parts) => (0..=parts.len())
                .rev()
                .map(|count| parts[..count].concat())
                .collect(),
            Expr::Cube(parts) => (0..1_usize << parts.len())
                .rev()
                .map(|bits| {
                    let taken = parts.iter().enumerate();
                    let taken = taken.filter(|(at, _)| bits >> (parts.len() - 1 - at) & 1 == 1);
                    taken.flat_map(|(_, part)| part.clone()).collect()
                })
                .collect(),
            other => vec![vec![other.clone()]],
        };
        all = all
            .iter()
            .flat_map(|one| more.iter().map(|other| [one.clone(), other.clone()].concat()))
            .collect();
    }
    for key in all.iter_mut().flatten() {
        *key = without(key);
    }
    Some(all)
}

/// Keys of ORDER BY that repeat an item, as its number.
pub(super) fn by_position(order: &[OrderByExpr], select: &Select) -> Vec<OrderByExpr> {
    let mut order = order.to_vec();
    for key in &mut order {
        let wanted = without(&key.expr);
        let at = select.projection.iter().position(|item| match item {
            SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. } => {
                without(item) == wanted
            }
            _ => false,
        });
        if let Some(at) = at {
            key.expr = Expr::Value(Value::Number((at + 1).to_string(), false).into());
        }
    }
    order
}

impl Translator<'_> {
    pub(super) fn by_sets(&mut self, select: &Select, sets: &[Vec<Expr>]) -> Result<Body> {
        if sets.len() > MOST_SETS {
            return refuse(
                "54001",
                format!("too many grouping sets present (maximum {MOST_SETS})"),
                None,
            );
        }
        if select.distinct.is_some() || !select.named_window.is_empty() {
            return unsupported("grouping sets with DISTINCT or windows", None);
        }
        let mut all: Vec<Expr> = vec![];
        for key in sets.iter().flatten() {
            if !all.contains(key) {
                all.push(key.clone());
            }
        }
        let mut whole: Option<Body> = None;
        let scopes = self.scopes.len();
        for set in sets {
            let mut one = select.clone();
            one.group_by = GroupByExpr::Expressions(set.clone(), vec![]);
            self.absent = Some(all.iter().filter(|key| !set.contains(key)).cloned().collect());
            let body = self.body(&SetExpr::Select(Box::new(one)));
            self.scopes.truncate(scopes);
            let mut body = body?;
            whole = Some(match whole {
                None => body,
                Some(mut before) => {
                    self.unify(&mut before, &mut body, "UNION ALL")?;
                    Body::Set {
                        left: Box::new(before),
                        operator: "UNION ALL".into(),
                        right: Box::new(body),
                    }
                }
            });
        }
        whole.ok_or(Stop::AsItStands)
    }

    /// `grouping(a, b)`: a bit for each that is not grouped by here.
    pub(super) fn grouping(&mut self, arguments: &[Expr]) -> Result<Typed> {
        let (grouped, absent) = match self.scopes.last_mut() {
            Some(scope) => (scope.grouped.take(), std::mem::take(&mut scope.absent)),
            None => (None, vec![]),
        };
        let mut bits = 0;
        let mut failed = None;
        for argument in arguments {
            match self.expression(argument) {
                Ok(found) => bits = bits << 1 | i32::from(absent.contains(&found.sql)),
                Err(error) => failed = Some(error),
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.grouped = grouped;
            scope.absent = absent;
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Typed::new(bits.to_string(), Ty::Int4).named("grouping")),
        }
    }
}
