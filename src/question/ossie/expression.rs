//! Expressions in ANSI SQL over the fields of datasets: read, each name looked up, and kept as text with columns in it, in
//! the dialect of the database.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{
        Expr, Function, Ident, Query, SelectItem, SetExpr, Statement, Value, Visit, VisitMut, Visitor,
        VisitorMut,
    },
    dialect::GenericDialect,
    tokenizer::{Token, Tokenizer},
};

use super::{
    dialect, measure,
    names::{Named, Names, PathStep},
    ways,
};
use crate::{
    question::semantic::{Figure, Formula, Piece, Term},
    statement::grammar,
};

/// The longest expression that is read, in bytes.
pub(super) const LONGEST: usize = 16 << 10;
/// The most that one may come to with what its names stand for, in bytes.
const LARGEST: usize = 256 << 10;
/// What a name that is left in it counts for, in bytes.
const NAME: usize = 16;

/// What is wrong with an expression, in words.
pub(super) type Wrong = String;
type Result<T> = std::result::Result<T, Wrong>;

/// An expression's tree, where it is one and nothing else.
pub(super) fn read(text: &str) -> Result<Expr> {
    if text.trim().is_empty() {
        return Err("the expression is empty".to_owned());
    }
    if text.len() > LONGEST {
        return Err(format!("the expression is longer than {LONGEST} bytes"));
    }
    // Placeholders begin with one, so that no name of a file may.
    if text
        .chars()
        .any(|character| character.is_control() && !character.is_whitespace())
    {
        return Err("the expression holds a control character".to_owned());
    }
    let sql = format!("SELECT {text}");
    let unread = || "it is not one SQL expression".to_owned();
    grammar::read_to_keep(&GenericDialect {}, &sql, only_expression)
        .ok()
        .flatten()
        .ok_or_else(unread)
}

fn only_expression(statements: Vec<Statement>) -> Option<Expr> {
    let [Statement::Query(query)] = <[Statement; 1]>::try_from(statements).ok()? else {
        return None;
    };
    // What else a query may have is left out of one that is written anew from the expression alone.
    let SetExpr::Select(select) = &*query.body else {
        return None;
    };
    let [SelectItem::UnnamedExpr(expression)] = &select.projection[..] else {
        return None;
    };
    let alone = format!("SELECT {expression}") == query.to_string();
    alone.then(|| expression.clone())
}

/// How large something is that is made of others: it is refused before it could grow beyond measure.
#[derive(Debug, Default)]
pub(super) struct Size(usize);

impl Size {
    pub(super) fn add(&mut self, bytes: usize) -> Result<()> {
        self.0 = self.0.saturating_add(bytes);
        if self.0 > LARGEST {
            return Err(format!(
                "with all that it is made of it is longer than {LARGEST} bytes"
            ));
        }
        Ok(())
    }

    pub(super) fn add_pieces<T>(&mut self, pieces: &[Piece<T>]) -> Result<()> {
        pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => self.add(text.len()),
            Piece::Part(_) => self.add(NAME),
        })
    }
}

/// A value or condition over the rows of one table. An aggregate in it is over the rows of another one that lead to each.
pub(super) fn scalar(text: &str, table: usize, names: &Names<'_>) -> Result<Vec<Piece<Term>>> {
    over_rows(read(text)?, Some(table), table, names)
}

/// A value or condition over the rows of a table, with every column by its dataset.
pub(super) fn of_rows(text: &str, table: usize, names: &Names<'_>) -> Result<Vec<Piece<Term>>> {
    over_rows(read(text)?, None, table, names)
}

pub(super) fn is_aggregate(function: &Function) -> bool {
    let name = function.name.to_string();
    ["count", "sum", "avg", "min", "max", "median", "percentile_cont"]
        .iter()
        .any(|aggregate| name.eq_ignore_ascii_case(aggregate))
}

/// An expression may not hold a query, a parameter, or a window.
pub(super) fn forbid(tree: &Expr) -> Result<()> {
    match Visit::visit(tree, &mut Forbidden) {
        ControlFlow::Break(what) => Err(format!("{what} must not stand in it")),
        ControlFlow::Continue(()) => Ok(()),
    }
}

struct Forbidden;

impl Visitor for Forbidden {
    type Break = &'static str;
    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<&'static str> {
        ControlFlow::Break("a subquery")
    }
    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<&'static str> {
        match expression {
            Expr::Function(function) if function.over.is_some() => ControlFlow::Break("a window function"),
            Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => {
                ControlFlow::Break("a parameter")
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The tables whose columns some expressions name, each once, with what is passed on the way.
pub(super) fn tables(
    expressions: &[&Expr],
    inside: Option<usize>,
    names: &Names<'_>,
) -> Result<Vec<(Vec<PathStep>, usize)>> {
    let mut found = Vec::new();
    let mut wrong = None;
    for expression in expressions {
        let _ = sqlparser::ast::visit_expressions(*expression, |expression| {
            let parts = match expression {
                Expr::Identifier(name) => std::slice::from_ref(name),
                Expr::CompoundIdentifier(parts) => parts,
                _ => return ControlFlow::Continue(()),
            };
            match names.look_up(parts, inside) {
                Ok(Named { steps, table, .. }) => {
                    if !found.contains(&(steps.clone(), table)) {
                        found.push((steps, table));
                    }
                    ControlFlow::Continue(())
                }
                Err(found) => {
                    wrong = Some(found);
                    ControlFlow::Break(())
                }
            }
        });
    }
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(found),
    }
}

/// An expression over rows of a table: its columns are reached from there.
pub(super) fn over_rows(
    mut tree: Expr,
    inside: Option<usize>,
    table: usize,
    names: &Names<'_>,
) -> Result<Vec<Piece<Term>>> {
    forbid(&tree)?;
    let mut columns = Columns {
        inside,
        table,
        names,
        found: Vec::new(),
        size: Size::default(),
        wrong: None,
    };
    let _ = VisitMut::visit(&mut tree, &mut columns);
    if let Some(wrong) = columns.wrong {
        return Err(wrong);
    }
    let tree = dialect::spelled(tree, names.snapshot.dialect)?;
    let mut whole = Vec::new();
    for piece in pieces(&tree.to_string())? {
        match piece {
            Piece::Text(text) => whole.push(Piece::Text(text)),
            Piece::Part(at) => whole.extend(columns.found.get(at).into_iter().flatten().cloned()),
        }
    }
    Ok(whole)
}

/// Puts placeholders where columns stand.
struct Columns<'a> {
    inside: Option<usize>,
    table: usize,
    names: &'a Names<'a>,
    found: Vec<Vec<Piece<Term>>>,
    size: Size,
    wrong: Option<Wrong>,
}

impl Columns<'_> {
    fn column(&self, parts: &[Ident]) -> Result<Vec<Piece<Term>>> {
        let named = self.names.look_up(parts, self.inside)?;
        let way = ways::between(self.table, &named.steps, named.table, self.names)?;
        ways::from_there(named.value, &way, self.names)
            .ok_or_else(|| "a computed field cannot be used here".to_owned())
    }

    /// An aggregate over the rows of another table that lead to each row.
    fn figure(&self, function: &Function) -> Result<Vec<Piece<Term>>> {
        let aggregate = &function.name;
        let Formula::Rows {
            table,
            aggregate: of_rows,
            conditions,
            ..
        } = measure::aggregate(function, None, self.names)?
        else {
            return Err(format!("{aggregate} cannot be used here"));
        };
        if table == self.table {
            return Err(format!(
                "{aggregate} is an aggregate, and this is a value of one row; only rows of others that lead to it can be added up"
            ));
        }
        let figure = Figure {
            way: ways::back(self.table, table, self.names)?,
            aggregate: of_rows,
            conditions,
        };
        Ok(vec![Piece::Part(Term::Figure(Box::new(figure)))])
    }
}

impl VisitorMut for Columns<'_> {
    type Break = ();
    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        let column = match expression {
            Expr::Identifier(name) if number_of(name).is_none() => self.column(std::slice::from_ref(&*name)),
            Expr::CompoundIdentifier(parts) => self.column(parts),
            Expr::Function(function) if is_aggregate(function) => self.figure(function),
            _ => return ControlFlow::Continue(()),
        };
        let fits = column.and_then(|pieces| self.size.add_pieces(&pieces).map(|()| pieces));
        match fits {
            Ok(pieces) => {
                *expression = placeholder(self.found.len());
                self.found.push(pieces);
                ControlFlow::Continue(())
            }
            Err(wrong) => {
                self.wrong = Some(wrong);
                ControlFlow::Break(())
            }
        }
    }
}

/// What stands in a tree for something that is put in later. No name of a file is left there, so none can look like it.
pub(super) fn placeholder(number: usize) -> Expr {
    Expr::Identifier(Ident::with_quote('"', format!("\u{1}{number}")))
}

pub(super) fn number_of(name: &Ident) -> Option<usize> {
    name.value.strip_prefix('\u{1}')?.parse().ok()
}

/// The text of a tree, parted at its placeholders.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece<usize>>> {
    let tokens = Tokenizer::new(&GenericDialect {}, text)
        .with_unescape(false)
        .tokenize()
        .map_err(|_| "it is not one SQL expression".to_owned())?;
    let mut whole: Vec<Piece<usize>> = Vec::new();
    for token in tokens {
        let number = match &token {
            Token::Word(word) if word.quote_style.is_some() => word
                .value
                .strip_prefix('\u{1}')
                .and_then(|number| number.parse().ok()),
            _ => None,
        };
        match (number, whole.last_mut()) {
            (Some(number), _) => whole.push(Piece::Part(number)),
            (None, Some(Piece::Text(text))) => text.push_str(&token.to_string()),
            (None, _) => whole.push(Piece::Text(token.to_string())),
        }
    }
    Ok(whole)
}
