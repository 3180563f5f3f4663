//! GROUPING SETS, ROLLUP and CUBE: one grouped query for each set, all together.

use sqlparser::{
    ast::{Expr, GroupByExpr, OrderByExpr, Select, SelectItem, SetExpr, Value},
    tokenizer::Token,
};

use super::{
    Result, Stop, Translator, Ty,
    from::plain_arguments,
    parentheses::{peeled, without},
    parser_fallback::{is_one, solid},
    query::{Body, MOST_PARTS},
    refuse,
    scope::Typed,
    sql_expr::{Node, SqlExpr, number},
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
        let more = sets_of(key);
        if all.len().saturating_mul(more.len()) > MOST_SETS {
            return Some(vec![vec![]; MOST_SETS + 1]);
        }
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

/// The sets of one key.
fn sets_of(key: &Expr) -> Vec<Vec<Expr>> {
    match key {
        Expr::GroupingSets(sets) => sets.iter().flat_map(|set| nested(set)).collect(),
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
    }
}

/// The sets that stand for one of GROUPING SETS: inside of it the parser takes ROLLUP and CUBE for calls.
fn nested(set: &[Expr]) -> Vec<Vec<Expr>> {
    let called = |name: &str| match set {
        [Expr::Function(call)] if call.name.to_string().eq_ignore_ascii_case(name) => {
            let keys = plain_arguments(call).ok()?;
            Some(keys.into_iter().map(|key| match key {
                Expr::Tuple(keys) => keys,
                key => vec![key],
            }))
        }
        _ => None,
    };
    if let Some(keys) = called("rollup") {
        return sets_of(&Expr::Rollup(keys.collect()));
    }
    match called("cube") {
        Some(keys) if keys.len() <= 8 => sets_of(&Expr::Cube(keys.collect())),
        _ => vec![set.to_vec()],
    }
}

/// The statement with parentheses around each key of ROLLUP, CUBE and GROUPING SETS that begins with one and does not end with
/// it: the parser takes `(a)::text` for a list of keys. `None` where there is none.
pub(super) fn keys_enclosed(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let mut words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let token = |at: usize| solid.get(at).map(|place| &tokens[*place]);
    let mut changed = false;
    for head in 0..solid.len() {
        let is_list = is_one(tokens, solid.get(head), &["rollup", "cube", "sets"]);
        if !is_list || token(head + 1) != Some(&Token::LParen) {
            continue;
        }
        let (mut depth, mut start, mut closed) = (0_usize, head + 2, None);
        for at in head + 1..solid.len() {
            match token(at) {
                Some(Token::LParen) => depth += 1,
                Some(Token::RParen) => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = depth == 0 || (depth == 1 && token(at) == Some(&Token::Comma));
            if ends {
                if token(start) == Some(&Token::LParen) && closed.is_some_and(|closed| closed + 1 < at) {
                    words[solid[start]].insert(0, '(');
                    words[solid[at - 1]].push(')');
                    changed = true;
                }
                (start, closed) = (at + 1, None);
            } else if depth == 1 && closed.is_none() && at > start {
                closed = Some(at);
            }
            if depth == 0 {
                break;
            }
        }
    }
    changed.then(|| words.concat())
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

/// Of keys that only other sets group by, the items that are constants, and what is made of columns. PostgreSQL tells a constant
/// by the item that it is, and the rest by what it says.
pub(super) fn apart(keys: Vec<(Typed, &Expr)>, select: &Select) -> (Vec<usize>, Vec<SqlExpr>) {
    let is_made = |key: &SqlExpr| key.has(&mut |part| matches!(part.node(), Node::Name(_) | Node::Query(_)));
    let (mut items, mut made) = (vec![], vec![]);
    for (key, written) in keys {
        if is_made(&key.expr) {
            made.push(key.expr);
            continue;
        }
        let of = |item: &SelectItem, is: &dyn Fn(&Expr) -> bool| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => is(peeled(expr)),
            _ => false,
        };
        let place = |is: &dyn Fn(&Expr) -> bool| select.projection.iter().position(|item| of(item, is));
        items.extend(place(&|item| std::ptr::eq(item, written)).or_else(|| place(&|item| item == written)));
    }
    (items, made)
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
                Ok(found) => bits = bits << 1 | i32::from(absent.contains(&found.expr)),
                Err(error) => failed = Some(error),
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.grouped = grouped;
            scope.absent = absent;
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Typed::new(number(bits), Ty::Int4).named("grouping")),
        }
    }
}
