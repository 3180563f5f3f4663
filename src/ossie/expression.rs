//! Expressions in ANSI SQL over the fields of datasets: read, each name looked up, and kept as text with columns in it, in
//! the dialect of the database.

use std::{collections::BTreeMap, ops::ControlFlow};

use sqlparser::{
    ast::{
        DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query,
        SelectItem, SetExpr, Statement, Value, Visit, VisitMut, Visitor, VisitorMut,
    },
    dialect::GenericDialect,
    tokenizer::{Token, Tokenizer},
};

use super::{dialect, ways};
use crate::{
    grammar,
    schema::Snapshot,
    semantic::{Aggregate, Attribute, Condition, Formula, Metric, Piece, Scalar, SemanticModel, Way},
};

/// The longest expression that is read, in bytes.
const LONGEST: usize = 16 << 10;

/// What is wrong with an expression, in words.
pub(super) type Wrong = String;
type Result<T> = std::result::Result<T, Wrong>;

/// The names that expressions may use.
pub(super) struct Names<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    /// What the file calls tables.
    pub(super) datasets: &'a BTreeMap<String, usize>,
    /// What the file calls columns: table, name, column.
    pub(super) fields: &'a BTreeMap<(usize, String), usize>,
    /// What the file calls relationships, each with its keys.
    pub(super) relationships: &'a BTreeMap<String, Vec<usize>>,
}

/// What a way passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A table.
    Table(usize),
    /// One of these keys.
    Key(Vec<usize>),
}

/// A column or computed field that a name stands for.
struct Named {
    /// What the way to its table passes.
    steps: Vec<Step>,
    table: usize,
    value: Scalar,
}

/// What a metric's name stands for inside another one.
pub(super) type Known<'a> = &'a dyn Fn(&str) -> Option<Result<Formula>>;

impl Names<'_> {
    /// The columns of a table and its computed fields, with the table's name or, where it is the only one, without.
    fn look_up(&self, parts: &[Ident], inside: Option<usize>) -> Result<Named> {
        let (steps, table, name) = match parts {
            [name] => match inside {
                Some(table) => (Vec::new(), table, name),
                None => {
                    return Err(format!(
                        "{} must be written with its dataset, as DATASET.{}",
                        name.value, name.value
                    ));
                }
            },
            [path @ .., name] => {
                let steps = path.iter().map(|part| self.step(&part.value));
                let steps = steps.collect::<Result<Vec<_>>>()?;
                let table = match steps.last() {
                    Some(Step::Table(table)) => *table,
                    Some(Step::Key(keys)) => {
                        let to = |key: &usize| self.snapshot.schema.foreign_keys[*key].to[0].table;
                        let mut tables: Vec<usize> = keys.iter().map(to).collect();
                        tables.dedup();
                        match tables[..] {
                            [table] => table,
                            _ => return Err(format!("{} leads to several datasets", path[path.len() - 1])),
                        }
                    }
                    None => return Err("there is no name".to_owned()),
                };
                (steps, table, name)
            }
            [] => return Err("there is no name".to_owned()),
        };
        let named = |value| {
            Ok(Named {
                steps: steps.clone(),
                table,
                value,
            })
        };
        let column_of = |column| Scalar::Column(Attribute::own(column));
        let lower = name.value.to_lowercase();
        if let Some(&column) = self.fields.get(&(table, lower)) {
            return named(column_of(column));
        }
        let computed = &self.model.datasets[table].computed;
        if let Some(field) = computed
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(&name.value))
        {
            return named(field.value.clone());
        }
        let of = &self.snapshot.schema.tables[table];
        match of.column_named(&name.value) {
            Some(column) => named(column_of(column)),
            None => Err(format!("{} has no column or field {}", of.name, name.value)),
        }
    }

    fn step(&self, name: &str) -> Result<Step> {
        match (self.dataset(name), self.relationships.get(&name.to_lowercase())) {
            (Ok(table), _) => Ok(Step::Table(table)),
            (Err(_), Some(keys)) => Ok(Step::Key(keys.clone())),
            (Err(wrong), None) => Err(wrong),
        }
    }

    /// The table that a name stands for.
    pub(super) fn dataset(&self, name: &str) -> Result<usize> {
        self.datasets
            .get(&name.to_lowercase())
            .copied()
            .or_else(|| self.snapshot.schema.table_named(name))
            .ok_or_else(|| format!("there is no dataset {name}"))
    }
}

/// An expression's tree, where it is one and nothing else.
pub(super) fn read(text: &str) -> Result<Expr> {
    if text.trim().is_empty() {
        return Err("the expression is empty".to_owned());
    }
    if text.len() > LONGEST {
        return Err(format!("the expression is longer than {LONGEST} bytes"));
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

/// A value or condition over the rows of one table.
pub(super) fn scalar(text: &str, table: usize, names: &Names<'_>) -> Result<Vec<Piece<Attribute>>> {
    let tree = read(text)?;
    if let Some(aggregate) = first_aggregate(&tree) {
        return Err(format!(
            "{aggregate} is an aggregate, and this is a value of one row"
        ));
    }
    over_rows(tree, Some(table), table, names)
}

/// A value or condition over the rows of a table, with every column by its dataset.
pub(super) fn of_rows(text: &str, table: usize, names: &Names<'_>) -> Result<Vec<Piece<Attribute>>> {
    let tree = read(text)?;
    if let Some(aggregate) = first_aggregate(&tree) {
        return Err(format!(
            "{aggregate} is an aggregate, and this is a value of one row"
        ));
    }
    over_rows(tree, None, table, names)
}

/// A measure: aggregates, what is reckoned with them, and other metrics by name. `inside` is the dataset that it is declared
/// in.
pub(super) fn formula(
    text: &str,
    inside: Option<usize>,
    names: &Names<'_>,
    known: Known<'_>,
) -> Result<Formula> {
    let tree = read(text)?;
    let mut measures = Measures {
        inside,
        names,
        known,
        found: Vec::new(),
        wrong: None,
    };
    let written = measures.take(tree)?;
    if measures.found.is_empty() {
        return Err("there is no aggregate in it, such as SUM or COUNT".to_owned());
    }
    let found = measures.found;
    if let [Piece::Part(0)] = written[..] {
        return found.into_iter().next().ok_or_else(String::new);
    }
    let part = |piece| match piece {
        Piece::Text(text) => Piece::Text(text),
        Piece::Part(at) => {
            let at: usize = at;
            Piece::Part(found[at].clone())
        }
    };
    Ok(Formula::Written(written.into_iter().map(part).collect()))
}

/// Replaces what it finds by placeholders.
struct Measures<'a> {
    inside: Option<usize>,
    names: &'a Names<'a>,
    known: Known<'a>,
    found: Vec<Formula>,
    wrong: Option<Wrong>,
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
                *expression = placeholder(self.found.len());
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
fn aggregate(function: &Function, inside: Option<usize>, names: &Names<'_>) -> Result<Formula> {
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
    let parts: Vec<&Expr> = argument.iter().chain(&filter).collect();
    let table = ways::base(&tables(&parts, inside, names)?, inside, names)?;
    let rows = |expression: Expr| over_rows(expression, inside, table, names);
    let mut conditions = Vec::new();
    if let Some(filter) = filter {
        conditions.push(Condition::Written(rows(filter)?));
    }
    let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    let value = |expression: Option<Expr>| {
        let expression = expression.ok_or_else(|| format!("{name} must have an argument"))?;
        rows(expression).map(|mut pieces| match pieces.as_slice() {
            [Piece::Part(_)] => match pieces.remove(0) {
                Piece::Part(attribute) => Scalar::Column(attribute),
                Piece::Text(text) => Scalar::Written(vec![Piece::Text(text)]),
            },
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

fn is_whole_row(expression: &Expr) -> bool {
    matches!(expression, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

/// True for a column that every row has: counting it is counting rows.
fn is_never_missing(present: &[Piece<Attribute>], table: usize, names: &Names<'_>) -> bool {
    let [Piece::Part(attribute), Piece::Text(_)] = present else {
        return false;
    };
    attribute.way == Way::here() && names.snapshot.schema.tables[table].columns[attribute.column].not_null
}

fn is_aggregate(function: &Function) -> bool {
    let name = function.name.to_string();
    ["count", "sum", "avg", "min", "max", "median", "percentile_cont"]
        .iter()
        .any(|aggregate| name.eq_ignore_ascii_case(aggregate))
}

fn first_aggregate(tree: &Expr) -> Option<String> {
    let mut found = None;
    let _ = sqlparser::ast::visit_expressions(tree, |expression| {
        if let Expr::Function(function) = expression
            && is_aggregate(function)
        {
            found = Some(function.name.to_string());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// An expression may not hold a query, a parameter, or a window.
fn forbid(tree: &Expr) -> Result<()> {
    struct Forbidden;
    impl Visitor for Forbidden {
        type Break = &'static str;
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<&'static str> {
            ControlFlow::Break("a subquery")
        }
        fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<&'static str> {
            match expression {
                Expr::Function(function) if function.over.is_some() => {
                    ControlFlow::Break("a window function")
                }
                Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => {
                    ControlFlow::Break("a parameter")
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    match Visit::visit(tree, &mut Forbidden) {
        ControlFlow::Break(what) => Err(format!("{what} must not stand in it")),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The tables whose columns some expressions name, each once, with what is passed on the way.
fn tables(
    expressions: &[&Expr],
    inside: Option<usize>,
    names: &Names<'_>,
) -> Result<Vec<(Vec<Step>, usize)>> {
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
fn over_rows(
    mut tree: Expr,
    inside: Option<usize>,
    table: usize,
    names: &Names<'_>,
) -> Result<Vec<Piece<Attribute>>> {
    forbid(&tree)?;
    struct Columns<'a> {
        inside: Option<usize>,
        table: usize,
        names: &'a Names<'a>,
        found: Vec<Vec<Piece<Attribute>>>,
        wrong: Option<Wrong>,
    }
    impl Columns<'_> {
        fn column(&self, parts: &[Ident]) -> Result<Vec<Piece<Attribute>>> {
            let named = self.names.look_up(parts, self.inside)?;
            let way = ways::between(self.table, &named.steps, named.table, self.names)?;
            ways::from_there(named.value, &way, self.names)
                .ok_or_else(|| "a computed field cannot be used here".to_owned())
        }
    }
    impl VisitorMut for Columns<'_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
            let parts = match expression {
                Expr::Identifier(name) if number_of(name).is_none() => std::slice::from_ref(&*name),
                Expr::CompoundIdentifier(parts) => parts,
                _ => return ControlFlow::Continue(()),
            };
            match self.column(parts) {
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
    let mut columns = Columns {
        inside,
        table,
        names,
        found: Vec::new(),
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
            Piece::Part(at) => whole.extend(columns.found[at].iter().cloned()),
        }
    }
    Ok(whole)
}

/// What stands in a tree for something that is put in later. No name of a file is left there, so none can look like it.
fn placeholder(number: usize) -> Expr {
    Expr::Identifier(Ident::with_quote('"', format!("\u{1}{number}")))
}

fn number_of(name: &Ident) -> Option<usize> {
    name.value.strip_prefix('\u{1}')?.parse().ok()
}

/// The text of a tree, parted at its placeholders.
fn pieces(text: &str) -> Result<Vec<Piece<usize>>> {
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

/// The metric of a name, whatever its letter case.
pub(super) fn metric_named<'m>(metrics: &'m [Metric], name: &str) -> Option<&'m Metric> {
    metrics
        .iter()
        .find(|metric| metric.name.eq_ignore_ascii_case(name))
}
