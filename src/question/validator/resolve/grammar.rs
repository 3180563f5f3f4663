//! What the parser reads although SQLite's grammar has no such thing.

use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, OrderBy, OrderByExpr, OrderByKind, OrderBySort, Query, Select, SelectFlavor,
    TableFactor, WildcardAdditionalOptions,
};

use super::{Code, Finding, Resolver};
use crate::question::schema::Dialect;

impl Resolver<'_> {
    /// Clauses of a query that SQLite lacks, or that the policy forbids.
    pub(super) fn check_query_clauses(&mut self, query: &Query) {
        if !query.locks.is_empty() {
            self.error(Code::Forbidden, query, "a question may not lock rows");
        }
        let beyond = [
            (
                query.fetch.is_some() && !self.is_postgres(),
                "FETCH FIRST",
                Some("write LIMIT"),
            ),
            (query.for_clause.is_some(), "FOR clause", None),
            (query.settings.is_some(), "SETTINGS clause", None),
            (query.format_clause.is_some(), "FORMAT clause", None),
            (!query.pipe_operators.is_empty(), "pipe operator", None),
        ];
        for (_, what, hint) in beyond.into_iter().filter(|(present, ..)| *present) {
            self.beyond(query, what, hint);
        }
        if let Some(OrderBy {
            kind: OrderByKind::All(_),
            ..
        }) = &query.order_by
        {
            self.beyond(query, "ORDER BY ALL", None);
        }
        if query
            .order_by
            .as_ref()
            .is_some_and(|order| order.interpolate.is_some())
        {
            self.beyond(query, "INTERPOLATE", None);
        }
    }

    /// Clauses of a SELECT that SQLite lacks, or that the policy forbids.
    pub(super) fn check_select_clauses(&mut self, select: &Select) {
        if select.into.is_some() {
            self.error(
                Code::Forbidden,
                select,
                "a question may not store its result (INTO)",
            );
        }
        let grouping_sets = match &select.group_by {
            GroupByExpr::All(_) => true,
            GroupByExpr::Expressions(_, modifiers) => !modifiers.is_empty(),
        };
        let distinct_on = matches!(select.distinct, Some(Distinct::On(_))) && !self.is_postgres();
        let beyond = [
            (distinct_on, "DISTINCT ON", Some("use a window function")),
            (select.top.is_some(), "TOP", Some("write LIMIT at the end")),
            (
                select.flavor != SelectFlavor::Standard,
                "FROM before SELECT",
                None,
            ),
            (select.projection.is_empty(), "SELECT without columns", None),
            (select.exclude.is_some(), "EXCLUDE", None),
            (!select.lateral_views.is_empty(), "LATERAL VIEW", None),
            (select.prewhere.is_some(), "PREWHERE", Some("write WHERE")),
            (
                !select.connect_by.is_empty(),
                "CONNECT BY",
                Some("use a recursive common table expression"),
            ),
            (grouping_sets, "GROUP BY of this kind", None),
            (!select.cluster_by.is_empty(), "CLUSTER BY", None),
            (!select.distribute_by.is_empty(), "DISTRIBUTE BY", None),
            (!select.sort_by.is_empty(), "SORT BY", Some("write ORDER BY")),
            (
                select.qualify.is_some(),
                "QUALIFY",
                Some("filter in a query around this one"),
            ),
            (select.value_table_mode.is_some(), "SELECT AS", None),
            (select.select_modifiers.is_some(), "modifier of SELECT", None),
            (!select.optimizer_hints.is_empty(), "optimizer hint", None),
        ];
        for (_, what, hint) in beyond.into_iter().filter(|(present, ..)| *present) {
            self.beyond(select, what, hint);
        }
    }

    pub(super) fn check_order_term(&mut self, term: &OrderByExpr) {
        if term.with_fill.is_some() {
            self.beyond(&term.expr, "WITH FILL", None);
        }
        if let Some(OrderBySort::Using(operator)) = &term.options.sort {
            let message = format!("a question may not order by the operator {operator}");
            self.error(Code::Forbidden, &term.expr, message);
        }
    }

    pub(super) fn check_wildcard(&mut self, options: &WildcardAdditionalOptions) {
        let plain = options.opt_ilike.is_none()
            && options.opt_exclude.is_none()
            && options.opt_except.is_none()
            && options.opt_replace.is_none()
            && options.opt_rename.is_none()
            && options.opt_alias.is_none();
        if !plain {
            self.beyond(options, "option behind *", Some("list the columns"));
        }
    }

    /// Expressions that the parser knows from other databases.
    pub(super) fn unsupported(&mut self, expr: &Expr) {
        if self.is_postgres() {
            return self.beyond(expr, "expression like this", None);
        }
        let (code, what, hint) = match expr {
            Expr::Extract { .. } => (
                Code::UnsupportedFunction,
                "function EXTRACT",
                Some("use strftime('%Y', column) and CAST"),
            ),
            Expr::Ceil { .. } => (
                Code::UnsupportedFunction,
                "function CEIL",
                Some("use CAST(… AS INTEGER)"),
            ),
            Expr::Floor { .. } => (
                Code::UnsupportedFunction,
                "function FLOOR",
                Some("use CAST(… AS INTEGER)"),
            ),
            Expr::Position { .. } => (
                Code::UnsupportedFunction,
                "function POSITION",
                Some("use instr(text, part)"),
            ),
            Expr::Overlay { .. } => (
                Code::UnsupportedFunction,
                "function OVERLAY",
                Some("use substr and ||"),
            ),
            Expr::Substring { .. } => (
                Code::UnsupportedFunction,
                "SUBSTRING with FROM",
                Some("use substr(text, from, length)"),
            ),
            Expr::Trim { .. } => (
                Code::UnsupportedFunction,
                "TRIM with FROM",
                Some("use trim, ltrim or rtrim"),
            ),
            Expr::Convert { .. } => (Code::UnsupportedFunction, "function CONVERT", Some("use CAST")),
            Expr::RLike { .. } | Expr::SimilarTo { .. } => (
                Code::UnsupportedFunction,
                "regular expressions",
                Some("use LIKE or GLOB"),
            ),
            Expr::ILike { .. } => (
                Code::UnsupportedFunction,
                "ILIKE",
                Some("LIKE ignores the case of ASCII letters"),
            ),
            Expr::Cast { .. } => (
                Code::SqlSyntaxError,
                "cast like this",
                Some("write CAST(value AS type)"),
            ),
            Expr::Interval(_) => (
                Code::SqlSyntaxError,
                "INTERVAL",
                Some("write date(column, '+1 day') or the like"),
            ),
            Expr::TypedString(_) => (
                Code::SqlSyntaxError,
                "typed literal",
                Some("write the text alone"),
            ),
            Expr::AnyOp { .. } | Expr::AllOp { .. } => (
                Code::SqlSyntaxError,
                "ANY or ALL",
                Some("use IN, or compare with min or max"),
            ),
            Expr::AtTimeZone { .. } => (Code::SqlSyntaxError, "AT TIME ZONE", None),
            Expr::Tuple(_) => (Code::SqlSyntaxError, "row value here", None),
            _ => (Code::SqlSyntaxError, "expression of this kind", None),
        };
        let finding = Finding::error(code, self.position(expr), format!("SQLite has no {what}"));
        self.report(match hint {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        });
    }
}

/// Options of a table in FROM that the database lacks, or that questions do not need.
pub(super) fn factor_beyond(factor: &TableFactor, dialect: Dialect) -> Option<&'static str> {
    let is_postgres = dialect == Dialect::Postgres;
    match factor {
        TableFactor::Table {
            with_hints,
            version,
            with_ordinality,
            partitions,
            json_path,
            sample,
            args,
            alias,
            ..
        } => {
            if !with_hints.is_empty() {
                Some("table hint")
            } else if version.is_some() {
                Some("table version")
            } else if *with_ordinality && (!is_postgres || args.is_none()) {
                Some("WITH ORDINALITY")
            } else if !partitions.is_empty() || json_path.is_some() {
                Some("partition or path behind a table")
            } else if sample.is_some() {
                Some("TABLESAMPLE")
            } else if args.as_ref().is_some_and(|args| args.settings.is_some()) {
                Some("SETTINGS clause")
            } else if alias.as_ref().is_some_and(|alias| alias.at.is_some()) {
                Some("AT behind an alias")
            } else {
                None
            }
        }
        TableFactor::Derived { lateral: true, .. } | TableFactor::Function { lateral: true, .. }
            if !is_postgres =>
        {
            Some("LATERAL")
        }
        TableFactor::Derived { sample: Some(_), .. } => Some("TABLESAMPLE"),
        TableFactor::Function {
            with_ordinality: true,
            ..
        } if !is_postgres => Some("WITH ORDINALITY"),
        _ => None,
    }
}
