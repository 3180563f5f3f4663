//! Where a part of a statement begins. The parser's own spans walk through everything below a node, at the
//! cost of the stack; the leftmost token is enough to point at.

use sqlparser::{
    ast::{
        Expr, Function, FunctionArg, FunctionArgExpr, Ident, ObjectName, ObjectNamePart, Query, Select,
        SetExpr, TableFactor, ValueWithSpan, Values, WildcardAdditionalOptions,
    },
    tokenizer::Location,
};

/// The beginning of a node, empty where the parser does not keep it.
pub(super) trait Start {
    fn start(&self) -> Location;
}

impl Start for Ident {
    fn start(&self) -> Location {
        self.span.start
    }
}

impl Start for ObjectName {
    fn start(&self) -> Location {
        self.0
            .first()
            .and_then(ObjectNamePart::as_ident)
            .map_or(Location::empty(), Start::start)
    }
}

impl Start for ValueWithSpan {
    fn start(&self) -> Location {
        self.span.start
    }
}

impl Start for Function {
    fn start(&self) -> Location {
        self.name.start()
    }
}

impl Start for FunctionArg {
    fn start(&self) -> Location {
        match self {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => expr.start(),
            FunctionArg::Named { name, .. } => name.start(),
            _ => Location::empty(),
        }
    }
}

impl Start for Expr {
    fn start(&self) -> Location {
        let mut expr = self;
        loop {
            expr = match expr {
                Expr::Identifier(name) => return name.start(),
                Expr::CompoundIdentifier(parts) => {
                    return parts.first().map_or(Location::empty(), Start::start);
                }
                Expr::Value(value) => return value.start(),
                Expr::Function(function) => return function.start(),
                Expr::Subquery(query) => return query.start(),
                Expr::Case { case_token, .. } => return case_token.0.span.start,
                Expr::Tuple(items) => match items.first() {
                    Some(first) => first,
                    None => return Location::empty(),
                },
                Expr::Exists { subquery, .. } => return subquery.start(),
                Expr::BinaryOp { left, .. }
                | Expr::AnyOp { left, .. }
                | Expr::AllOp { left, .. }
                | Expr::IsDistinctFrom(left, _)
                | Expr::IsNotDistinctFrom(left, _) => left,
                Expr::Nested(inner)
                | Expr::IsNull(inner)
                | Expr::IsNotNull(inner)
                | Expr::IsTrue(inner)
                | Expr::IsNotTrue(inner)
                | Expr::IsFalse(inner)
                | Expr::IsNotFalse(inner)
                | Expr::UnaryOp { expr: inner, .. }
                | Expr::Cast { expr: inner, .. }
                | Expr::Collate { expr: inner, .. }
                | Expr::Like { expr: inner, .. }
                | Expr::ILike { expr: inner, .. }
                | Expr::SimilarTo { expr: inner, .. }
                | Expr::RLike { expr: inner, .. }
                | Expr::Between { expr: inner, .. }
                | Expr::InList { expr: inner, .. }
                | Expr::InSubquery { expr: inner, .. }
                | Expr::Extract { expr: inner, .. }
                | Expr::Ceil { expr: inner, .. }
                | Expr::Floor { expr: inner, .. }
                | Expr::Position { expr: inner, .. }
                | Expr::Substring { expr: inner, .. }
                | Expr::Trim { expr: inner, .. }
                | Expr::AtTimeZone { timestamp: inner, .. } => inner,
                _ => return Location::empty(),
            };
        }
    }
}

impl Start for Select {
    fn start(&self) -> Location {
        self.select_token.0.span.start
    }
}

impl Start for SetExpr {
    fn start(&self) -> Location {
        let mut body = self;
        loop {
            body = match body {
                SetExpr::Select(select) => return select.start(),
                SetExpr::Values(values) => return values.start(),
                SetExpr::Query(query) => &query.body,
                SetExpr::SetOperation { left, .. } => left,
                _ => return Location::empty(),
            };
        }
    }
}

impl Start for Query {
    fn start(&self) -> Location {
        self.with
            .as_ref()
            .map_or_else(|| self.body.start(), |with| with.with_token.0.span.start)
    }
}

impl Start for Values {
    fn start(&self) -> Location {
        self.rows
            .first()
            .map_or(Location::empty(), |row| row.opening_token.0.span.start)
    }
}

impl Start for TableFactor {
    fn start(&self) -> Location {
        match self {
            TableFactor::Table { name, .. } | TableFactor::Function { name, .. } => name.start(),
            TableFactor::Derived { subquery, .. } => subquery.start(),
            TableFactor::NestedJoin { table_with_joins, .. } => table_with_joins.relation.start(),
            _ => Location::empty(),
        }
    }
}

impl Start for WildcardAdditionalOptions {
    fn start(&self) -> Location {
        self.wildcard_token.0.span.start
    }
}
