//! A gold query that is to be broken: parsed, with the schema around it, and ways to change it at one place.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Ident, Query, Select, SetExpr, Value, Visitor, VisitorMut};

use super::scope::Scope;
use crate::question::{
    schema::{Dialect, Schema, Snapshot},
    validator::{
        parse_query,
        walk::{walk, walk_mut},
    },
};

/// Changes of one query that are looked at per way to break it.
const MAX_CHANGES: usize = 200;

/// A query and the database that it is put to.
pub(super) struct Subject<'a> {
    pub(super) query: Query,
    pub(super) snapshot: &'a Snapshot,
    /// True if text stood in double quotes.
    pub(super) requoted: bool,
}

/// What a way to break the query is shown of it.
trait Node: Clone {
    /// Takes part in both walks, which meet the nodes in the same order.
    fn as_met(place: SyntaxNode<'_>) -> Option<&Self>;
    fn as_met_mut(place: PlaceMut<'_>) -> Option<&mut Self>;
}

#[derive(Clone, Copy)]
enum SyntaxNode<'a> {
    Query(&'a Query),
    Select(&'a Select),
    Expr(&'a Expr),
}

enum PlaceMut<'a> {
    Query(&'a mut Query),
    Select(&'a mut Select),
    Expr(&'a mut Expr),
}

macro_rules! node {
    ($type:ident) => {
        impl Node for $type {
            fn as_met(place: SyntaxNode<'_>) -> Option<&Self> {
                match place {
                    SyntaxNode::$type(node) => Some(node),
                    _ => None,
                }
            }
            fn as_met_mut(place: PlaceMut<'_>) -> Option<&mut Self> {
                match place {
                    PlaceMut::$type(node) => Some(node),
                    _ => None,
                }
            }
        }
    };
}
node!(Query);
node!(Select);
node!(Expr);

impl<'a> Subject<'a> {
    /// `None` if the text is not one query of the dialect.
    pub(super) fn parse(sql: &str, snapshot: &'a Snapshot) -> Option<Self> {
        let query = parse_query(sql.trim().trim_end_matches(';'), snapshot.dialect)?;
        first_select(&query.body)?;
        let mut subject = Self {
            query: *query,
            snapshot,
            requoted: false,
        };
        subject.single_quotes();
        Some(subject)
    }

    pub(super) fn schema(&self) -> &'a Schema {
        &self.snapshot.schema
    }

    /// The query as text.
    pub(super) fn text(&self) -> String {
        self.query.to_string()
    }

    /// SQLite takes `"x"` for text where no column has that name. Such text gets its proper quotes, so that a mutant
    /// has no flaw but its own.
    fn single_quotes(&mut self) {
        let schema = self.schema();
        if self.snapshot.dialect != Dialect::Sqlite {
            return;
        }
        let is_column = |name: &str| {
            schema
                .columns()
                .any(|(_, column)| column.name.eq_ignore_ascii_case(name))
        };
        let mut requoted = false;
        rewrite(&mut self.query, schema, &mut |expr, _| match expr {
            Expr::Identifier(Ident {
                value,
                quote_style: Some('"'),
                ..
            }) if !is_column(value) => {
                requoted = true;
                Some(text_literal(value))
            }
            _ => None,
        });
        self.requoted = requoted;
    }

    /// One text for each change that `change` proposes of a query or subquery.
    pub(super) fn queries(&self, change: impl Fn(&Query, &Scope) -> Vec<Query>) -> Vec<String> {
        self.changed(change)
    }

    /// One text for each change that `change` proposes of a SELECT.
    pub(super) fn selects(&self, change: impl Fn(&Select, &Scope) -> Vec<Select>) -> Vec<String> {
        self.changed(change)
    }

    /// One text for each change that `change` proposes of an expression.
    pub(super) fn exprs(&self, change: impl Fn(&Expr, &Scope) -> Vec<Expr>) -> Vec<String> {
        self.changed(change)
    }

    fn changed<N: Node>(&self, change: impl Fn(&N, &Scope) -> Vec<N>) -> Vec<String> {
        let mut changes: Vec<(usize, N)> = Vec::new();
        let mut met = 0;
        let mut collect = |place: SyntaxNode<'_>, scope: &Scope| {
            if let Some(node) = N::as_met(place) {
                changes.extend(change(node, scope).into_iter().map(|changed| (met, changed)));
                met += 1;
            }
        };
        let mut visitor = Walk {
            schema: self.schema(),
            scopes: Vec::new(),
            meet: &mut collect,
        };
        let _ = walk(&self.query, &mut visitor);
        changes.truncate(MAX_CHANGES);
        changes
            .into_iter()
            .map(|(at, changed)| {
                let mut query = self.query.clone();
                let mut put = Put {
                    left: Some((at, changed)),
                };
                let _ = walk_mut(&mut query, &mut put);
                query.to_string()
            })
            .collect()
    }

    /// For each change of an expression, the text with that change wherever the same stands in the same SELECT,
    /// as who errs about a name does so all along.
    pub(super) fn names(&self, change: impl Fn(&Expr, &Scope) -> Vec<Expr>) -> Vec<String> {
        let mut changes: Vec<(Expr, Expr, String)> = Vec::new();
        let mut collect = |place: SyntaxNode<'_>, scope: &Scope| {
            if let SyntaxNode::Expr(expr) = place {
                for changed in change(expr, scope) {
                    let change = (expr.clone(), changed, scope.id.clone());
                    if !changes.contains(&change) {
                        changes.push(change);
                    }
                }
            }
        };
        let mut visitor = Walk {
            schema: self.schema(),
            scopes: Vec::new(),
            meet: &mut collect,
        };
        let _ = walk(&self.query, &mut visitor);
        changes.truncate(MAX_CHANGES);
        changes
            .into_iter()
            .map(|(from, to, id)| {
                let mut query = self.query.clone();
                rewrite(&mut query, self.schema(), &mut |expr, scope| {
                    (*expr == from && scope.id == id).then(|| to.clone())
                });
                query.to_string()
            })
            .collect()
    }

    /// The query with another qualifier in the place of one.
    pub(super) fn requalified(&self, from: &str, to: &Ident) -> Query {
        let mut query = self.query.clone();
        rewrite(&mut query, self.schema(), &mut |expr, _| match expr {
            Expr::CompoundIdentifier(names) if names[0].value.eq_ignore_ascii_case(from) => {
                let mut names = names.clone();
                names[0] = to.clone();
                Some(Expr::CompoundIdentifier(names))
            }
            _ => None,
        });
        query
    }

    /// The same with every column qualified whose table is known.
    pub(super) fn qualified(&self) -> Self {
        let mut query = self.query.clone();
        let schema = self.schema();
        rewrite(&mut query, schema, &mut |expr, scope| match expr {
            Expr::Identifier(name) => {
                let (source, _) = scope.column(expr, schema)?;
                let qualifier = Ident::new(&scope.sources[source].name);
                Some(Expr::CompoundIdentifier(vec![qualifier, name.clone()]))
            }
            _ => None,
        });
        Self {
            query,
            snapshot: self.snapshot,
            requoted: self.requoted,
        }
    }
}

/// A string literal.
pub(super) fn text_literal(text: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(text.to_owned()))
}

/// A number literal.
pub(super) fn number_literal(number: &str) -> Expr {
    Expr::value(Value::Number(number.to_owned(), false))
}

/// The text of a string literal.
pub(super) fn text_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The digits of a number literal.
pub(super) fn number_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// The leftmost SELECT of a set operation, or the only one.
pub(super) fn first_select(body: &SetExpr) -> Option<&Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        SetExpr::Query(query) => first_select(&query.body),
        SetExpr::SetOperation { left, .. } => first_select(left),
        _ => None,
    }
}

/// Walks a query and tells each node with the scope that it stands in.
struct Walk<'s, F> {
    schema: &'s Schema,
    scopes: Vec<Scope>,
    meet: F,
}

impl<F: FnMut(SyntaxNode<'_>, &Scope)> Walk<'_, F> {
    fn met(&mut self, place: SyntaxNode<'_>) -> ControlFlow<()> {
        let none = Scope::default();
        (self.meet)(place, self.scopes.last().unwrap_or(&none));
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(SyntaxNode<'_>, &Scope)> Visitor for Walk<'_, F> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.push(Scope::of_query(query, self.schema));
        self.met(SyntaxNode::Query(query))
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.scopes.push(Scope::of(select, self.schema));
        self.met(SyntaxNode::Select(select))
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.met(SyntaxNode::Expr(expr))
    }
}

/// Puts a changed node in the place of the one that is met as the nth of its kind.
struct Put<N> {
    left: Option<(usize, N)>,
}

impl<N: Node> Put<N> {
    fn met(&mut self, place: PlaceMut<'_>) -> ControlFlow<()> {
        let Some(node) = N::as_met_mut(place) else {
            return ControlFlow::Continue(());
        };
        match self.left.take() {
            Some((0, changed)) => {
                *node = changed;
                ControlFlow::Break(())
            }
            Some((at, changed)) => {
                self.left = Some((at - 1, changed));
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

impl<N: Node> VisitorMut for Put<N> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        self.met(PlaceMut::Query(query))
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.met(PlaceMut::Select(select))
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.met(PlaceMut::Expr(expr))
    }
}

/// Puts what `change` gives in the place of every expression for which it gives something.
fn rewrite(query: &mut Query, schema: &Schema, change: &mut impl FnMut(&Expr, &Scope) -> Option<Expr>) {
    let mut rewrite = Rewrite {
        schema,
        scopes: Vec::new(),
        change,
    };
    let _ = walk_mut(query, &mut rewrite);
}

struct Rewrite<'s, F> {
    schema: &'s Schema,
    scopes: Vec<Scope>,
    change: F,
}

impl<F: FnMut(&Expr, &Scope) -> Option<Expr>> VisitorMut for Rewrite<'_, F> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        self.scopes.push(Scope::of_query(query, self.schema));
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.scopes.push(Scope::of(select, self.schema));
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let none = Scope::default();
        if let Some(changed) = (self.change)(expr, self.scopes.last().unwrap_or(&none)) {
            *expr = changed;
        }
        ControlFlow::Continue(())
    }
}
