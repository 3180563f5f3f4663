//! Function calls: on the allow-list, with the right arguments, and where such a function may stand.

use sqlparser::ast::{
    Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArgumentList, FunctionArguments,
    NamedWindowExpr, ObjectName, ObjectNamePart, WindowFrameBound, WindowType,
};

use super::{Code, Finding, Resolver, equivalent};
use crate::question::{
    schema::{ColumnKind, Dialect},
    validator::{
        facts::{Call, Misuse, Takes},
        names::nearest,
        resolved::Clause,
        scope::{Literal, Value},
        start::Start,
    },
};

impl Resolver<'_> {
    pub(super) fn function(&mut self, function: &Function) -> Value {
        let Some(name) = self.function_name(&function.name) else {
            return Value::default();
        };
        let name = name.as_str();
        let list = match &function.args {
            FunctionArguments::None => None,
            FunctionArguments::List(list) => Some(list),
            FunctionArguments::Subquery(query) if self.is_postgres() && name == "array" => {
                self.subquery(query, 1);
                return Value {
                    kind: Some(ColumnKind::Other),
                    ..Value::default()
                };
            }
            FunctionArguments::Subquery(query) => {
                self.beyond(
                    function,
                    "subquery as an argument",
                    Some("put it into parentheses of its own"),
                );
                self.query(query);
                return Value::default();
            }
        };
        let arguments = list.map_or(0, |list| list.args.len());
        let star = list.is_some_and(|list| {
            matches!(
                list.args.as_slice(),
                [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]
            )
        });
        if list.is_none()
            && self.is_postgres()
            && let Some(value) = self.column_in_disguise(function, name)
        {
            return value;
        }
        if self.facts.policy.forbids_function(name) {
            self.error(
                Code::Forbidden,
                function,
                format!("a question may not call {name}"),
            );
            return Value::default();
        }
        let counted = if star && name == "count" { 0 } else { arguments };
        let (call, facts) = match self.facts.functions.find(name, counted) {
            Ok(found) => found,
            Err(misuse) => {
                self.misuse(function, name, &misuse);
                list.map(|list| self.arguments(&list.args));
                return Value::default();
            }
        };
        self.check_shadow(&function.name, name);
        if let Some(list) = list {
            self.check_series(function, name, &list.args);
        }
        if star && name != "count" {
            self.error(Code::UnsupportedFunction, function, format!("{name} takes no *"));
        }
        self.check_call(function, name, call, list);

        let aggregated = call == Call::Aggregate && function.over.is_none();
        if aggregated {
            self.enter_aggregate(function, name);
        }
        let outside = self.scope().in_aggregate;
        self.scope().in_aggregate |= aggregated;
        let uses = self.uses_per_scope();
        let mut values = list.map(|list| self.arguments(&list.args)).unwrap_or_default();
        if aggregated {
            self.check_owner(function, name, &uses);
        }
        for clause in list.iter().flat_map(|list| &list.clauses) {
            if let FunctionArgumentClause::OrderBy(terms) = clause {
                for term in terms {
                    self.check_order_term(term);
                    self.expr(&term.expr);
                }
            }
        }
        for term in &function.within_group {
            self.check_order_term(term);
            values.push(self.expr(&term.expr));
        }
        if let Some(filter) = &function.filter {
            self.expr(filter);
        }
        self.scope().in_aggregate = outside;
        match &function.over {
            Some(WindowType::WindowSpec(spec)) => self.window(spec),
            Some(WindowType::NamedWindow(window)) => self.window_named(window),
            None => {}
        }
        if matches!(name, "printf" | "format") {
            self.check_format(function, values.first());
        }
        if let Some(width) = facts.width {
            self.check_width(function, list.and_then(|list| list.args.get(width)));
        }
        if self.facts.functions.find_table(name, arguments).is_ok() {
            self.scope().returns_sets = true;
        }
        if facts.takes == Some(Takes::Number) && self.is_postgres() {
            self.check_number(function, name, values.first());
        } else if facts.takes == Some(Takes::Number)
            && values
                .first()
                .is_some_and(|value| value.kind.is_some_and(ColumnKind::is_calendar))
        {
            // SQLite would reckon with the digits that the text begins with.
            let message = format!("{name} of dates or times");
            self.error(Code::ConditionTypeMismatch, function, message);
        } else if facts.takes == Some(Takes::Number)
            && let Some(value) = values
                .first()
                .filter(|value| value.kind == Some(ColumnKind::Text))
            && value.origin.is_some()
        {
            let message = format!("{name} of a column that holds text");
            self.report(Finding::warning(
                Code::ConditionTypeMismatch,
                self.position(function),
                message,
            ));
        }
        // PostgreSQL gives a literal the type of what stands beside it.
        let typed = |value: &&Value| !self.is_postgres() || value.literal.is_none();
        let first = values.iter().find(typed);
        let aggregate = aggregated || values.iter().any(|value| value.aggregate);
        Value {
            kind: facts.result(first.and_then(|value| value.kind)),
            aggregate,
            ..Value::default()
        }
    }

    /// The arguments of any call.
    pub(super) fn arguments(&mut self, args: &[FunctionArg]) -> Vec<Value> {
        let mut values = vec![];
        for arg in args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => values.push(self.expr(expr)),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => {}
                FunctionArg::Named {
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                } if self.is_postgres() => values.push(self.expr(expr)),
                other => self.beyond(other, "argument of this kind", None),
            }
        }
        values
    }

    /// What a function is called as, in lower case; reports one that is none of the database's own.
    pub(super) fn function_name(&mut self, name: &ObjectName) -> Option<String> {
        if !self.is_postgres() {
            let name = name.to_string().to_lowercase();
            return Some(name.trim_matches(['"', '`', '[', ']']).to_owned());
        }
        let parts: Vec<_> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        match parts[..] {
            [function] if name.0.len() == 1 => Some(self.meant(function)),
            [schema, function] if name.0.len() == 2 && self.meant(schema) == "pg_catalog" => {
                Some(self.meant(function))
            }
            _ => {
                let message = format!("a question may not call {name}, only built-in functions");
                self.error(Code::Forbidden, name, message);
                None
            }
        }
    }

    /// `user` and its like are functions; where a column is called so, that is meant.
    fn column_in_disguise(&mut self, function: &Function, name: &str) -> Option<Value> {
        let ident = function.name.0.last()?.as_ident()?.clone();
        let level = self.scopes.len() - 1;
        if ident.quote_style.is_some() || self.places_named(level, name).is_empty() {
            return None;
        }
        let message = format!("{name} without quotes is a function");
        let finding = Finding::error(Code::ColMissing, self.position(function), message);
        let repair = format!("\"{name}\"");
        let finding = finding
            .with_hint(format!("write {repair} for the column"))
            .with_repair(repair);
        self.report_at(finding, ident.span);
        Some(Value::default())
    }

    fn is_within_group(&self, name: &str) -> bool {
        let known = [1, 0].map(|arguments| self.facts.functions.find(name, arguments).ok());
        known.into_iter().flatten().any(|(_, function)| function.within)
    }

    /// How long a text gets must be a small number.
    fn check_width(&mut self, function: &Function, argument: Option<&FunctionArg>) {
        let most = self.facts.policy.longest_text;
        let width = argument.and_then(|argument| argument.to_string().parse().ok());
        if width.is_none_or(|width: usize| width > most) {
            let message = format!("the length must be a literal number of at most {most}");
            self.error(Code::Forbidden, function, message);
        }
    }

    /// Sums and averages are made of numbers and spans of time alone.
    fn check_number(&mut self, function: &Function, name: &str, value: Option<&Value>) {
        let Some(value) = value.filter(|value| value.literal.is_none()) else {
            return;
        };
        let what = match value.kind {
            Some(ColumnKind::Text | ColumnKind::Enum) => "text",
            Some(ColumnKind::Boolean) => "truth values",
            Some(ColumnKind::Date | ColumnKind::Timestamp) => "dates",
            Some(ColumnKind::Uuid) => "identifiers",
            _ => return,
        };
        let message = format!("{name} of {what}, which are no numbers");
        self.error(Code::ConditionTypeMismatch, function, message);
    }

    fn misuse(&mut self, function: &Function, name: &str, misuse: &Misuse) {
        let position = self.position(function);
        let finding = match misuse {
            Misuse::Unknown => {
                let message = format!(
                    "{} has no function {name} that may be called here",
                    self.dialect.name()
                );
                let finding = Finding::error(Code::UnsupportedFunction, position, message);
                let other = match self.dialect {
                    Dialect::Sqlite => equivalent::of_sqlite(name),
                    Dialect::Postgres => equivalent::of_postgres(name),
                };
                match other.or_else(|| nearest(name, self.facts.functions.names())) {
                    Some(other) => finding.with_hint(format!("use {other}")),
                    None => finding,
                }
            }
            Misuse::Arguments { least, most } => {
                let range = if least == most {
                    least.to_string()
                } else {
                    format!("{least} to {most}")
                };
                Finding::error(
                    Code::UnsupportedFunction,
                    position,
                    format!("{name} takes {range} arguments"),
                )
            }
        };
        self.report(finding);
    }

    /// What may stand around the arguments depends on what kind of function it is.
    fn check_call(
        &mut self,
        function: &Function,
        name: &str,
        call: Call,
        list: Option<&FunctionArgumentList>,
    ) {
        if !matches!(function.parameters, FunctionArguments::None)
            || self.is_within_group(name) == function.within_group.is_empty()
            || function.null_treatment.is_some()
            || function.uses_odbc_syntax
        {
            self.beyond(function, "function call of this form", None);
        }
        let distinct = list.is_some_and(|list| list.duplicate_treatment.is_some());
        let star = list.is_some_and(|list| {
            list.args
                .iter()
                .any(|arg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)))
        });
        let ordered = list.is_some_and(|list| !list.clauses.is_empty());
        let only_order = list.is_none_or(|list| {
            list.clauses
                .iter()
                .all(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)))
        });
        let fail = |what: &str| Some((Code::SqlSyntaxError, format!("{name} is called {what}")));
        let wrong = match call {
            _ if !only_order => fail("with a clause that the database lacks"),
            Call::Aggregate if distinct && star => fail("with DISTINCT and *"),
            Call::Aggregate if distinct && function.over.is_some() => fail("with DISTINCT over a window"),
            Call::Aggregate => None,
            _ if distinct || ordered => fail("with DISTINCT or ORDER BY, but is no aggregate"),
            Call::Window if function.over.is_none() => fail("without OVER"),
            Call::Scalar if function.over.is_some() || function.filter.is_some() => {
                fail("with OVER or FILTER, but is no aggregate")
            }
            Call::Window | Call::Scalar => None,
        };
        if let Some((code, message)) = wrong {
            self.error(code, function, message);
        }
        if function.over.is_some() && !matches!(self.scope().clause, Clause::Select | Clause::OrderBy) {
            let message = format!("{name} over a window stands where rows are still being chosen");
            let finding = Finding::error(Code::SubqueryMissing, self.position(function), message);
            self.report(finding.with_hint("compute it in a subquery and filter its result"));
        }
    }

    /// An aggregate has a value per group: not in WHERE, and not in another aggregate.
    fn enter_aggregate(&mut self, function: &Function, name: &str) {
        let position = self.position(function);
        let scope = self.scope();
        let wrong = match scope.clause {
            _ if scope.in_aggregate => Some((
                Code::SubqueryMissing,
                format!("{name} stands inside another aggregate"),
                "aggregate in a subquery, and its results around it",
            )),
            Clause::Where => Some((
                Code::HavingVsWhere,
                format!("{name} in WHERE, where there are no groups yet"),
                "put the condition into HAVING, or compare with a subquery",
            )),
            Clause::From => Some((
                Code::HavingVsWhere,
                format!("{name} in a join condition"),
                "join a subquery that aggregates",
            )),
            Clause::Limit => Some((
                Code::SqlSyntaxError,
                format!("{name} in LIMIT"),
                "write a number or a subquery",
            )),
            _ => None,
        };
        match wrong {
            None => scope.aggregates.push(name.to_owned()),
            Some((code, message, hint)) => {
                self.report(Finding::error(code, position, message).with_hint(hint));
            }
        }
    }

    fn uses_per_scope(&self) -> Vec<usize> {
        self.scopes.iter().map(|scope| scope.uses.len()).collect()
    }

    /// An aggregate belongs to the innermost SELECT whose columns it names, which may be one further out.
    fn check_owner(&mut self, function: &Function, name: &str, before: &[usize]) {
        let used = before
            .iter()
            .zip(&self.scopes)
            .rposition(|(before, scope)| scope.uses.len() > *before);
        let Some(owner) = used.filter(|level| level + 1 < self.scopes.len()) else {
            return;
        };
        if matches!(self.scopes[owner].clause, Clause::Where | Clause::From) {
            let message = format!("{name} has only columns of the query around it, in whose WHERE it stands");
            let finding = Finding::error(Code::HavingVsWhere, self.position(function), message);
            self.report(finding.with_hint("name the table in the subquery's FROM"));
        }
    }

    fn window(&mut self, spec: &sqlparser::ast::WindowSpec) {
        if let Some(name) = &spec.window_name {
            self.window_named(name);
        }
        for expr in &spec.partition_by {
            self.expr(expr);
        }
        for term in &spec.order_by {
            self.check_order_term(term);
            self.expr(&term.expr);
        }
        if let Some(frame) = &spec.window_frame {
            for bound in std::iter::once(&frame.start_bound).chain(&frame.end_bound) {
                if let WindowFrameBound::Preceding(Some(expr)) | WindowFrameBound::Following(Some(expr)) =
                    bound
                {
                    self.expr(expr);
                }
            }
        }
    }

    fn window_named(&mut self, name: &sqlparser::ast::Ident) {
        if !self.scope().windows.contains(&name.value.to_lowercase()) {
            self.error(Code::InvalidAlias, name, format!("there is no window {name}"));
        }
    }

    /// A window of the WINDOW clause.
    pub(super) fn named_window(&mut self, window: &NamedWindowExpr) {
        match window {
            NamedWindowExpr::NamedWindow(name) => self.window_named(name),
            NamedWindowExpr::WindowSpec(spec) => self.window(spec),
        }
    }

    /// The format of printf must be a literal that asks for no huge widths.
    fn check_format(&mut self, function: &impl Start, format: Option<&Value>) {
        let most = self.facts.policy.longest_text;
        let modest = match format.and_then(|value| value.literal.as_ref()) {
            Some(Literal::Text(format)) => {
                let mut numbers = format.split(|character: char| !character.is_ascii_digit());
                !format.contains('*')
                    && numbers.all(|width| {
                        width.is_empty() || width.parse().is_ok_and(|width: usize| width <= most)
                    })
            }
            _ => false,
        };
        if !modest {
            let message = format!("the format must be a literal with widths of at most {most}");
            self.error(Code::Forbidden, function, message);
        }
    }
}
