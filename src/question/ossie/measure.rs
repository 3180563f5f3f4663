//! Measures in SQL: aggregates of the rows of one table each, and what is reckoned with them.

use std::ops::ControlFlow;

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, VisitMut,
    VisitorMut,
};

use super::{
    dialect,
    expression::{
        Size, Wrong, forbid, is_aggregate, number_of, over_rows, pieces, placeholder, read, tables,
    },
    names::Names,
    ways,
};
use crate::question::semantic::{Aggregate, Condition, Formula, Piece, Scalar, Term, Way};

type Result<T> = std::result::Result<T, Wrong>;

/// What a metric's name stands for inside another one.
pub(super) type MetricLookup<'a> = &'a dyn Fn(&str) -> Option<Result<Formula>>;

/// A measure: aggregates, what is reckoned with them, and other metrics by name. `inside` is the dataset that it is declared
/// in.
pub(super) fn formula(
    text: &str,
    inside: Option<usize>,
    names: &Names<'_>,
    known: MetricLookup<'_>,
) -> Result<Formula> {
    let tree = read(text)?;
    let mut measures = Measures {
        inside,
        names,
        known,
        found: Vec::new(),
        size: Size::default(),
        wrong: None,
    };
    let written = measures.take(tree)?;
    if measures.found.is_empty() {
        return Err("there is no aggregate in it, such as SUM or COUNT".to_owned());
    }
    let found = measures.found;
    let alone = match &written[..] {
        [Piece::Part(0)] => true,
        [Piece::Text(open), Piece::Part(0), Piece::Text(close)] => open == "(" && close == ")",
        _ => false,
    };
    if alone {
        return found.into_iter().next().ok_or_else(String::new);
    }
    let part = |piece: Piece<usize>| match piece {
        Piece::Text(text) => Some(Piece::Text(text)),
        Piece::Part(at) => Some(Piece::Part(found.get(at)?.clone())),
    };
    let whole: Option<Vec<_>> = written.into_iter().map(part).collect();
    whole
        .map(Formula::Written)
        .ok_or_else(|| "it is not one SQL expression".to_owned())
}

/// Replaces what it finds by placeholders.
struct Measures<'a> {
    inside: Option<usize>,
    names: &'a Names<'a>,
    known: MetricLookup<'a>,
    found: Vec<Formula>,
    size: Size,
    wrong: Option<Wrong>,
}

/// Adds what a formula comes to.
fn add(size: &mut Size, formula: &Formula) -> Result<()> {
    if let Formula::Written(pieces) = formula {
        size.add_pieces(pieces)?;
        return pieces.iter().try_for_each(|piece| match piece {
            Piece::Part(of) => add(size, of),
            Piece::Text(_) => Ok(()),
        });
    }
    for of in formula.aggregates() {
        let Formula::Rows {
            aggregate,
            conditions,
            ..
        } = of
        else {
            continue;
        };
        for condition in conditions {
            if let Condition::Written(pieces) = condition {
                size.add_pieces(pieces)?;
            }
        }
        if let Aggregate::CountDistinct(Scalar::Written(pieces))
        | Aggregate::Sum(Scalar::Written(pieces))
        | Aggregate::Average(Scalar::Written(pieces))
        | Aggregate::Minimum(Scalar::Written(pieces))
        | Aggregate::Maximum(Scalar::Written(pieces))
        | Aggregate::Median(Scalar::Written(pieces)) = aggregate
        {
            size.add_pieces(pieces)?;
        }
    }
    size.add(1)
}

impl Measures<'_> {
    fn take(&mut self, mut tree: Expr) -> Result<Vec<Piece<usize>>> {
        forbid(&tree)?;
        let _ = VisitMut::visit(&mut tree, self);
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let tree = dialect::spelled(tree, self.names.snapshot.dialect)?;
        pieces(&tree.to_string())
    }

    fn measure(&mut self, expression: &Expr) -> Result<Option<Formula>> {
        match expression {
            Expr::Function(function) if is_aggregate(function) => {
                aggregate(function, self.inside, self.names).map(Some)
            }
            Expr::Identifier(name) if number_of(name).is_none() => match (self.known)(&name.value) {
                Some(formula) => formula.map(Some),
                None => Err(format!(
                    "{} is no metric, and a column must stand inside an aggregate",
                    name.value
                )),
            },
            Expr::CompoundIdentifier(parts) => {
                let name = parts.last().map(|name| name.value.as_str()).unwrap_or_default();
                match (self.known)(name) {
                    Some(formula) => formula.map(Some),
                    None => Err(format!("{expression} stands outside an aggregate")),
                }
            }
            _ => Ok(None),
        }
    }
}

impl VisitorMut for Measures<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        match self.measure(expression) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(formula)) => {
                if let Err(wrong) = add(&mut self.size, &formula) {
                    self.wrong = Some(wrong);
                    return ControlFlow::Break(());
                }
                let place = placeholder(self.found.len());
                // What another metric is made of is reckoned first.
                *expression = match formula {
                    Formula::Rows { .. } => place,
                    _ => Expr::Nested(Box::new(place)),
                };
                self.found.push(formula);
                ControlFlow::Continue(())
            }
            Err(wrong) => {
                self.wrong = Some(wrong);
                ControlFlow::Break(())
            }
        }
    }
}

/// One aggregate of the rows of one table.
pub(super) fn aggregate(function: &Function, inside: Option<usize>, names: &Names<'_>) -> Result<Formula> {
    let name = function.name.to_string().to_lowercase();
    let FunctionArguments::List(list) = &function.args else {
        return Err(format!("{name} has no arguments"));
    };
    if function.over.is_some() || !list.clauses.is_empty() {
        return Err(format!("{name} must not have OVER, ORDER BY or LIMIT"));
    }
    let argument = match &list.args[..] {
        [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => None,
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(expression))] => Some(expression.clone()),
        _ => return Err(format!("{name} must have one argument")),
    };
    let filter = function.filter.as_deref().cloned();
    let argument = match (name.as_str(), &function.within_group[..]) {
        ("percentile_cont", [by]) if argument.as_ref().map(ToString::to_string).as_deref() == Some("0.5") => {
            Some(by.expr.clone())
        }
        ("percentile_cont", _) => {
            return Err("of percentiles only the median is known: percentile_cont(0.5)".to_owned());
        }
        _ => argument,
    };
    // What stands in an aggregate of its own is over other rows, which lead to these.
    let parts: Vec<Expr> = argument.iter().chain(&filter).map(without_aggregates).collect();
    let parts: Vec<&Expr> = parts.iter().collect();
    let table = ways::base(&tables(&parts, inside, names)?, inside, names)?;
    let rows = |expression: Expr| over_rows(expression, inside, table, names);
    let mut conditions = Vec::new();
    if let Some(filter) = filter {
        conditions.push(Condition::Written(rows(filter)?));
    }
    let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    let value = |expression: Option<Expr>| {
        let expression = expression.ok_or_else(|| format!("{name} must have an argument"))?;
        rows(expression).map(|pieces| match pieces.as_slice() {
            [Piece::Part(Term::Column(attribute))] => Scalar::Column(attribute.clone()),
            _ => Scalar::Written(pieces),
        })
    };
    let aggregate = match (name.as_str(), distinct) {
        ("count", false) => {
            if let Some(expression) = argument
                && !is_whole_row(&expression)
            {
                let mut present = rows(expression)?;
                present.push(Piece::Text(" IS NOT NULL".to_owned()));
                if !is_never_missing(&present, table, names) {
                    conditions.push(Condition::Written(present));
                }
            }
            Aggregate::Count
        }
        ("count", true) => Aggregate::CountDistinct(value(argument)?),
        ("sum", false) => Aggregate::Sum(value(argument)?),
        ("avg", false) => Aggregate::Average(value(argument)?),
        ("min", _) => Aggregate::Minimum(value(argument)?),
        ("max", _) => Aggregate::Maximum(value(argument)?),
        ("median" | "percentile_cont", false) => Aggregate::Median(value(argument)?),
        (name, _) => return Err(format!("{name}(DISTINCT …) is not known here")),
    };
    Ok(Formula::Rows {
        table,
        aggregate,
        conditions,
        time: None,
    })
}

/// An expression with nothing in place of its aggregates.
fn without_aggregates(expression: &Expr) -> Expr {
    let mut left = expression.clone();
    let _ = sqlparser::ast::visit_expressions_mut(&mut left, |part| {
        if matches!(part, Expr::Function(function) if is_aggregate(function)) {
            *part = Expr::value(Value::Null);
        }
        ControlFlow::<()>::Continue(())
    });
    left
}

fn is_whole_row(expression: &Expr) -> bool {
    matches!(expression, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

/// True for a column that every row has: counting it is counting rows.
fn is_never_missing(present: &[Piece<Term>], table: usize, names: &Names<'_>) -> bool {
    let [Piece::Part(Term::Column(attribute)), Piece::Text(_)] = present else {
        return false;
    };
    attribute.way == Way::here() && names.snapshot.schema.tables[table].columns[attribute.column].not_null
}
