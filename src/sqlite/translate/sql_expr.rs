//! SQLite's expressions as a tree. The rules make it, and [`super::print`] alone writes it, with the quotes and parentheses that
//! it needs; what an expression is can be asked of its shape.

use std::{
    fmt::{self, Display},
    sync::Arc,
};

use super::{
    print,
    sql::{IntoPieces, Sql, sql},
    window_of::Over,
};

/// An expression of SQLite's. Copies share what they are made of.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SqlExpr {
    node: Arc<Node>,
    /// About how long it is when it is written, in bytes.
    length: usize,
}

/// The shapes that expressions have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// `"t"."a"`, `"t".rowid`.
    Name(Vec<Part>),
    Null,
    Star,
    /// The digits of a number, with its sign.
    Number(String),
    /// A string.
    Text(String),
    /// `$1`, `@rows0`.
    Parameter(String),
    Call(Box<Call>),
    /// `NOT a`, `-a`, `EXISTS (…)`.
    Prefix(&'static str, SqlExpr),
    /// `a + b`, `a AND b AND c`, `a IS NULL`, `a IN (…)`: one operator between parts.
    Infix(String, Vec<SqlExpr>),
    /// An operator that is written without parentheses where nothing stands beside it.
    Bare(SqlExpr),
    Case(Case),
    Cast(SqlExpr, &'static str),
    Collate(SqlExpr, String),
    /// Values in parentheses.
    List(Vec<SqlExpr>),
    /// A query in parentheses.
    Query(Sql),
    /// What the file keeps as an expression in SQLite's words, such as a default.
    Kept(String),
    /// A hole of a template.
    Place(Place),
}

/// A name, or a word that SQLite knows without quotes, such as `rowid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Quoted(String),
    Word(&'static str),
}

/// A call of a function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) distinct: bool,
    pub(super) arguments: Vec<SqlExpr>,
    pub(super) order: Vec<SortKey>,
    pub(super) filter: Option<SqlExpr>,
    pub(super) over: Option<Over>,
}

/// `CASE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) operand: Option<SqlExpr>,
    pub(super) whens: Vec<(SqlExpr, SqlExpr)>,
    pub(super) otherwise: Option<SqlExpr>,
}

/// A key of ORDER BY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SortKey {
    pub(super) key: SqlExpr,
    pub(super) descending: bool,
    pub(super) nulls: Option<&'static str>,
}

/// What a template has a place for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// `{0}`: an argument.
    Argument(usize),
    /// `{*}`: all arguments.
    Arguments,
    /// `{type}`: the name of the first argument's type.
    Type,
    /// `{element}`: that of its elements.
    Element,
    /// `{0} COLLATE {collation}`: by what it is compared.
    Collated(SqlExpr),
    /// `%name(…)%`: an aggregate of SQLite's.
    Aggregate(Box<Call>),
}

/// A name in quotes.
pub(super) fn name(name: impl Into<String>) -> SqlExpr {
    Node::Name(vec![Part::Quoted(name.into())]).into()
}

/// A relation's column.
pub(super) fn column(relation: impl Into<String>, column: impl Into<String>) -> SqlExpr {
    Node::Name(vec![Part::Quoted(relation.into()), Part::Quoted(column.into())]).into()
}

/// What every relation of a kind has by this word: `rowid`, `value`, `key`.
pub(super) fn column_word(relation: impl Into<String>, word: &'static str) -> SqlExpr {
    Node::Name(vec![Part::Quoted(relation.into()), Part::Word(word)]).into()
}

pub(super) fn word(word: &'static str) -> SqlExpr {
    Node::Name(vec![Part::Word(word)]).into()
}

pub(super) fn null() -> SqlExpr {
    Node::Null.into()
}

pub(super) fn number(digits: impl Display) -> SqlExpr {
    Node::Number(digits.to_string()).into()
}

pub(super) fn text(content: impl Into<String>) -> SqlExpr {
    Node::Text(content.into()).into()
}

pub(super) fn parameter(name: impl Into<String>) -> SqlExpr {
    Node::Parameter(name.into()).into()
}

pub(super) fn kept(expression: &str) -> SqlExpr {
    Node::Kept(expression.to_owned()).into()
}

pub(super) fn call(name: impl Into<String>, arguments: impl Into<Vec<SqlExpr>>) -> SqlExpr {
    let call = Call {
        name: name.into(),
        arguments: arguments.into(),
        ..Call::default()
    };
    call.into()
}

/// `count(*)`.
pub(super) fn count_all() -> SqlExpr {
    call("count", [Node::Star.into()])
}

/// The same with one value before the others.
pub(super) fn call_with(
    name: impl Into<String>,
    first: SqlExpr,
    rest: impl IntoIterator<Item = SqlExpr>,
) -> SqlExpr {
    call(name, std::iter::once(first).chain(rest).collect::<Vec<_>>())
}

pub(super) fn prefix(operator: &'static str, operand: SqlExpr) -> SqlExpr {
    Node::Prefix(operator, operand).into()
}

pub(super) fn not(condition: SqlExpr) -> SqlExpr {
    prefix("NOT", condition)
}

/// The condition, or that it does not hold; in parentheses in either case.
pub(super) fn not_if(negated: bool, condition: SqlExpr) -> SqlExpr {
    if negated {
        not(condition)
    } else {
        list([condition])
    }
}

pub(super) fn infix(left: SqlExpr, operator: impl Into<String>, right: SqlExpr) -> SqlExpr {
    Node::Infix(operator.into(), vec![left, right]).into()
}

/// Parts with one operator between all of them.
pub(super) fn chain(operator: impl Into<String>, parts: impl Into<Vec<SqlExpr>>) -> SqlExpr {
    let parts = parts.into();
    match parts.len() {
        1 => list(parts),
        _ => Node::Infix(operator.into(), parts).into(),
    }
}

pub(super) fn is_null(value: SqlExpr) -> SqlExpr {
    infix(value, "IS", null())
}

pub(super) fn is_not_null(value: SqlExpr) -> SqlExpr {
    infix(value, "IS NOT", null())
}

/// An operator that needs no parentheses where it stands alone.
pub(super) fn bare(operator: SqlExpr) -> SqlExpr {
    Node::Bare(operator).into()
}

pub(super) fn list(values: impl Into<Vec<SqlExpr>>) -> SqlExpr {
    Node::List(values.into()).into()
}

pub(super) fn cast(value: SqlExpr, to: &'static str) -> SqlExpr {
    Node::Cast(value, to).into()
}

pub(super) fn collate(value: SqlExpr, collation: impl Into<String>) -> SqlExpr {
    Node::Collate(value, collation.into()).into()
}

pub(super) fn query(query: impl IntoPieces) -> SqlExpr {
    Node::Query(sql![query]).into()
}

/// `CASE WHEN condition THEN value END`.
pub(super) fn when(condition: SqlExpr, value: SqlExpr) -> Case {
    Case {
        operand: None,
        whens: vec![(condition, value)],
        otherwise: None,
    }
}

/// `CASE operand …`.
pub(super) fn case_of(operand: SqlExpr) -> Case {
    Case {
        operand: Some(operand),
        whens: vec![],
        otherwise: None,
    }
}

impl Case {
    pub(super) fn when(mut self, condition: SqlExpr, value: SqlExpr) -> Self {
        self.whens.push((condition, value));
        self
    }

    pub(super) fn otherwise(self, value: SqlExpr) -> SqlExpr {
        let otherwise = Some(value);
        Node::Case(Self { otherwise, ..self }).into()
    }

    pub(super) fn end(self) -> SqlExpr {
        Node::Case(self).into()
    }
}

impl SqlExpr {
    pub(super) fn node(&self) -> &Node {
        &self.node
    }

    /// About how long it is when it is written, in bytes.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// What it is without parentheses around it.
    pub(super) fn within(&self) -> &Node {
        match self.node() {
            Node::Bare(inner) => inner.within(),
            Node::List(values) => match values.as_slice() {
                [one] => one.within(),
                _ => self.node(),
            },
            node => node,
        }
    }

    /// True for the name of a column, and nothing made of it.
    pub(super) fn is_column(&self) -> bool {
        let is_quoted = |part: &Part| matches!(part, Part::Quoted(_));
        matches!(self.node(), Node::Name(parts) if parts.iter().all(is_quoted))
    }

    /// The name of the function that is called.
    pub(super) fn called(&self) -> Option<&Call> {
        match self.node() {
            Node::Call(call) => Some(call.as_ref()),
            _ => None,
        }
    }

    /// True where it, or something in it, is such.
    pub(super) fn has(&self, is: &mut dyn FnMut(&Self) -> bool) -> bool {
        let mut found = is(self);
        self.node.each_child(&mut |child| found = found || child.has(is));
        found
    }

    /// How often another stands in it.
    pub(super) fn times(&self, other: &Self) -> usize {
        if self == other {
            return 1;
        }
        let mut times = 0;
        self.node.each_child(&mut |child| times += child.times(other));
        times
    }

    /// The same with other expressions in the place of those that it is made of.
    pub(super) fn rebuilt(&self, each: &mut dyn FnMut(&Self) -> Self) -> Self {
        self.node.rebuilt(each).into()
    }
}

impl Node {
    fn each_child<'n>(&'n self, see: &mut dyn FnMut(&'n SqlExpr)) {
        match self {
            Self::Call(call) | Self::Place(Place::Aggregate(call)) => call.each_child(see),
            Self::Prefix(_, inner)
            | Self::Bare(inner)
            | Self::Cast(inner, _)
            | Self::Collate(inner, _)
            | Self::Place(Place::Collated(inner)) => see(inner),
            Self::Infix(_, parts) | Self::List(parts) => parts.iter().for_each(see),
            Self::Case(case) => {
                case.operand.iter().for_each(&mut *see);
                for (condition, value) in &case.whens {
                    see(condition);
                    see(value);
                }
                case.otherwise.iter().for_each(see);
            }
            Self::Query(query) => query.each_expression(see),
            Self::Name(_)
            | Self::Null
            | Self::Star
            | Self::Number(_)
            | Self::Text(_)
            | Self::Parameter(_)
            | Self::Kept(_)
            | Self::Place(_) => {}
        }
    }

    fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        match self {
            Self::Call(call) => Self::Call(Box::new(call.rebuilt(each))),
            Self::Prefix(operator, inner) => Self::Prefix(operator, each(inner)),
            Self::Bare(inner) => Self::Bare(each(inner)),
            Self::Cast(inner, to) => Self::Cast(each(inner), to),
            Self::Collate(inner, collation) => Self::Collate(each(inner), collation.clone()),
            Self::Infix(operator, parts) => Self::Infix(operator.clone(), parts.iter().map(each).collect()),
            Self::List(parts) => Self::List(parts.iter().map(each).collect()),
            Self::Case(case) => Self::Case(Case {
                operand: case.operand.as_ref().map(&mut *each),
                whens: case
                    .whens
                    .iter()
                    .map(|(condition, value)| (each(condition), each(value)))
                    .collect(),
                otherwise: case.otherwise.as_ref().map(each),
            }),
            Self::Query(query) => Self::Query(query.rebuilt(each)),
            leaf => leaf.clone(),
        }
    }

    /// About how long it is, without what it is made of.
    fn own_length(&self) -> usize {
        match self {
            Self::Name(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Quoted(name) => name.len() + 3,
                    Part::Word(word) => word.len() + 1,
                })
                .sum(),
            Self::Number(text) | Self::Text(text) | Self::Parameter(text) | Self::Kept(text) => {
                text.len() + 2
            }
            Self::Call(call) => call.name.len() + 2 * (call.arguments.len() + 1),
            Self::Infix(operator, parts) => (operator.len() + 2) * parts.len(),
            Self::List(parts) => 2 * parts.len() + 2,
            Self::Case(case) => 9 + 12 * case.whens.len(),
            Self::Query(query) => query.own_length(),
            _ => 8,
        }
    }
}

impl Call {
    fn each_child<'n>(&'n self, see: &mut dyn FnMut(&'n SqlExpr)) {
        self.arguments.iter().for_each(&mut *see);
        self.order.iter().map(|key| &key.key).for_each(&mut *see);
        self.filter.iter().for_each(&mut *see);
        self.over.iter().for_each(|over| over.each_child(see));
    }

    fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        Self {
            name: self.name.clone(),
            distinct: self.distinct,
            arguments: self.arguments.iter().map(&mut *each).collect(),
            order: self.order.iter().map(|key| key.rebuilt(each)).collect(),
            filter: self.filter.as_ref().map(&mut *each),
            over: self.over.as_ref().map(|over| over.rebuilt(each)),
        }
    }
}

impl SortKey {
    /// In ascending order, as PostgreSQL has it.
    pub(super) fn ascending(key: SqlExpr) -> Self {
        Self {
            key,
            descending: false,
            nulls: Some("LAST"),
        }
    }

    pub(super) fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        Self {
            key: each(&self.key),
            ..self.clone()
        }
    }
}

impl From<Node> for SqlExpr {
    fn from(node: Node) -> Self {
        let mut length = node.own_length();
        node.each_child(&mut |child| length = length.saturating_add(child.length));
        Self {
            node: Arc::new(node),
            length,
        }
    }
}

impl From<Call> for SqlExpr {
    fn from(call: Call) -> Self {
        Node::Call(Box::new(call)).into()
    }
}

impl Display for SqlExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sql = String::with_capacity(self.length);
        print::expression(&mut sql, self);
        f.write_str(&sql)
    }
}

impl fmt::Debug for SqlExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
