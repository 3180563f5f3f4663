//! Function calls: which function is meant, what its arguments become, and aggregates with their clauses.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectName, OrderByExpr, WindowFrame, WindowFrameBound, WindowType,
};

use super::{
    Refusal, Result, Stop, Translator, Ty, distinct_aggregates, hypothetical, refuse,
    scope::Typed,
    signatures::{self, Chosen, FunctionKind},
    sortable::has_equality,
    sql::sql,
    sql_expr::{self, Call, Node, SortKey, SqlExpr, call, list, null, query, text, when},
    template, unsupported,
};

/// Words that PostgreSQL reads as calls of functions without parentheses.
const CALLED: &[&str] = &[
    "current_date",
    "current_time",
    "current_timestamp",
    "localtime",
    "localtimestamp",
    "current_user",
    "session_user",
    "current_role",
    "user",
    "current_catalog",
    "current_schema",
];

/// What stands in the parentheses of a call.
pub(super) struct Arguments {
    pub(super) values: Vec<Typed>,
    star: bool,
    /// True for whole rows.
    pub(super) rows: bool,
    distinct: bool,
    order: Vec<OrderByExpr>,
}

impl Translator<'_> {
    /// A name alone: a column, or a function that is called without parentheses.
    pub(super) fn identifier(&mut self, name: &Ident) -> Result<Typed> {
        let lower = name.value.to_ascii_lowercase();
        if name.quote_style.is_none() && CALLED.contains(&lower.as_str()) {
            return Ok(self.call(&lower, vec![])?.named(lower));
        }
        match self.column(std::slice::from_ref(name)) {
            Err(stop) => match self.row_named(name) {
                Some(relation) => Ok(self.row_of(&relation).at(self.at(name))),
                None => Err(stop),
            },
            column => column,
        }
    }

    pub(super) fn function(&mut self, function: &Function) -> Result<Typed> {
        let Some(last) = function.name.0.last().and_then(|part| part.as_ident()) else {
            return Err(Stop::AsItStands);
        };
        let name = super::folded(last);
        let position = self.at(last);
        if name == "row" && function.name.0.len() == 1 && last.quote_style.is_none() {
            let values = super::from::plain_arguments(function)?;
            return self.row_value(&values).map(|row| row.at(position));
        }
        if function.uses_odbc_syntax || function.null_treatment.is_some() {
            return Err(Stop::AsItStands);
        }
        if let Some(done) = self.special_call(function, &name)? {
            return Ok(done);
        }
        match name.as_str() {
            "coalesce" | "greatest" | "least" => return self.choice(&name, function),
            "nullif" => {
                let arguments = self.arguments(function)?;
                let [one, other] = arguments.values.try_into().map_err(|_| Stop::AsItStands)?;
                let ty = Ty::first_compared(one.ty, other.ty);
                let same = self.compared(one.clone(), "=", other)?;
                let one = self.implicitly(one, ty)?;
                let one = when(same.expr, null()).otherwise(one.full());
                return Ok(Typed::new(list([one]), ty).named("nullif"));
            }
            "array" if matches!(function.args, FunctionArguments::Subquery(_)) => {
                if let FunctionArguments::Subquery(rows) = &function.args {
                    let (rows, columns) = self.subquery(rows)?;
                    let Some(column) = columns.first() else {
                        return Err(Stop::AsItStands);
                    };
                    let element = Typed {
                        exact: column.exact,
                        scale: column.scale,
                        ..Typed::new(sql_expr::name(&column.inner), column.ty)
                    };
                    let all = call("pg_array_agg", [element.full(), text(column.ty.kept())]);
                    let all = call("coalesce", [all, text("{}")]);
                    let array = query(sql!["SELECT ", all, " FROM (", rows, ")"]);
                    return Ok(Typed::new(array, column.ty.array()).named("array"));
                }
            }
            "pg_typeof" => return self.type_of(function),
            _ => {}
        }
        let kind = signatures::kind(&name);
        match kind {
            None => self.foreign(function, &name, position),
            Some(FunctionKind::Aggregate) => self.aggregate(function, &name, position),
            Some(FunctionKind::Window) if hypothetical::is_asked(function, &name) => {
                self.hypothetical(function, &name, position)
            }
            Some(FunctionKind::Window) if function.over.is_none() => refuse(
                "42809",
                format!("window function {name} requires an OVER clause"),
                position,
            ),
            Some(FunctionKind::Window) => {
                let arguments = self.arguments(function)?;
                let chosen = Self::chosen(&name, &arguments.values, position)?;
                let over = self.over(function.over.as_ref())?;
                let ranked = match self.fill(&chosen, arguments.values)?.node() {
                    Node::Call(call) => SqlExpr::from(Call {
                        over,
                        ..Call::clone(call)
                    }),
                    // All of them are calls.
                    _ => return Err(Stop::AsItStands),
                };
                Ok(Self::result(ranked, &chosen).named(name))
            }
            Some(FunctionKind::Set) => self.listed(function, &name, position),
            Some(FunctionKind::Plain) => {
                let arguments = self.arguments(function)?;
                if arguments.distinct
                    || arguments.star
                    || function.filter.is_some()
                    || function.over.is_some()
                {
                    return refuse("42809", format!("{name} is not an aggregate function"), position);
                }
                let called = self.call_at(&name, arguments.values, position)?;
                Ok(called.named(name))
            }
        }
    }

    /// A function that PostgreSQL does not have: SQLite's own.
    fn foreign(&mut self, function: &Function, name: &str, position: Option<usize>) -> Result<Typed> {
        if !self.names.has_function(name) {
            // It may be thought to be an aggregate, whose arguments need not be grouped by.
            self.aggregates += 1;
            let arguments = self.arguments(function);
            self.aggregates -= 1;
            let types: Vec<Ty> = arguments?.values.iter().map(|argument| argument.ty).collect();
            return Err(self.no_function(&function.name, &types));
        }
        if function.over.is_some() || function.filter.is_some() || !function.within_group.is_empty() {
            return Err(Stop::AsItStands);
        }
        let arguments = self.arguments(function)?;
        if arguments.star || arguments.distinct || !arguments.order.is_empty() {
            return Err(Stop::AsItStands);
        }
        self.contents.volatile |= name == "randomblob";
        let mut parts = vec![];
        for value in arguments.values {
            parts.push(self.settled(value)?.plain());
        }
        Ok(Typed::by_values(call(name, parts)).named(name).at(position))
    }

    /// A function of the list with these arguments.
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Typed>) -> Result<Typed> {
        let position = arguments.iter().find_map(|argument| argument.position);
        self.call_at(name, arguments, position)
    }

    fn call_at(&mut self, name: &str, arguments: Vec<Typed>, position: Option<usize>) -> Result<Typed> {
        let chosen = Self::chosen(name, &arguments, position)?;
        let value = match self.row_number.clone() {
            Some(mut parts) if matches!(name, "currval" | "lastval") => {
                self.contents.volatile = true;
                parts.extend(self.as_wanted(&chosen, arguments)?);
                call(format!("pg_{name}_of_row"), parts)
            }
            _ => self.fill(&chosen, arguments)?,
        };
        Ok(Self::result(value, &chosen).at(position))
    }

    fn result(value: SqlExpr, chosen: &Chosen) -> Typed {
        Typed::new(value, chosen.result)
    }

    fn fill(&mut self, chosen: &Chosen, arguments: Vec<Typed>) -> Result<SqlExpr> {
        self.is_by_settings |= chosen.signature.is_by_settings;
        self.contents.volatile |= chosen.signature.is_volatile;
        let parts = self.as_wanted(chosen, arguments)?;
        Ok(chosen.signature.template.filled(&parts, chosen.first()))
    }

    /// The arguments as the types that a signature asks for.
    fn as_wanted(&mut self, chosen: &Chosen, arguments: Vec<Typed>) -> Result<Vec<SqlExpr>> {
        let mut parts = vec![];
        for (argument, wanted) in arguments.into_iter().zip(&chosen.arguments) {
            let all = &chosen.signature.arguments;
            let asked = all.get(parts.len()).or(all.last()).copied();
            let makes_json = matches!(chosen.result, Ty::Json | Ty::Jsonb);
            let argument = self.implicitly(argument, *wanted)?;
            if makes_json && matches!(argument.ty, Ty::Composite | Ty::Array(Ty::Composite)) {
                return unsupported("a row in JSON that is no table's", argument.position);
            }
            // What takes anything shows it as text, or as JSON's.
            let is_any = matches!(asked, Some(Ty::Any | Ty::AnyElement | Ty::AnyArray));
            if asked == Some(Ty::Any) || (is_any && (makes_json || chosen.result == Ty::Text)) {
                self.note_written(argument.ty);
            }
            parts.push(match asked {
                Some(Ty::Any) if makes_json => argument.as_json(chosen.result),
                Some(Ty::Any) => shown(&argument),
                Some(Ty::AnyArray) if chosen.result == Ty::Text => shown(&argument),
                Some(Ty::AnyElement | Ty::AnyArray) if makes_json => argument.shown(),
                _ => argument.full(),
            });
        }
        Ok(parts)
    }

    fn chosen(name: &str, arguments: &[Typed], position: Option<usize>) -> Result<Chosen> {
        let types: Vec<Ty> = arguments.iter().map(|argument| argument.ty).collect();
        signatures::choose(name, &types).ok_or_else(|| does_not_exist(name, &types, position))
    }

    /// That there is no such function, or not even its schema.
    pub(super) fn no_function(&self, name: &ObjectName, types: &[Ty]) -> Stop {
        let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        let position = parts.first().and_then(|name| self.at(name));
        let written: Vec<String> = parts.iter().map(|part| super::folded(part)).collect();
        match written.as_slice() {
            [schema, _] if !matches!(schema.as_str(), "public" | "pg_catalog" | "information_schema") => {
                Stop::Refused(Refusal {
                    sqlstate: "3F000",
                    message: format!("schema \"{schema}\" does not exist"),
                    detail: None,
                    hint: None,
                    position,
                })
            }
            _ => {
                let name = written.last().map_or("", String::as_str);
                let known = super::refusing::json_path(name, position);
                known.map_or_else(
                    |refused| refused,
                    |()| does_not_exist(&written.join("."), types, position),
                )
            }
        }
    }

    pub(super) fn arguments(&mut self, function: &Function) -> Result<Arguments> {
        let mut found = Arguments {
            values: vec![],
            star: false,
            rows: false,
            distinct: false,
            order: vec![],
        };
        let list = match &function.args {
            FunctionArguments::None => return Ok(found),
            FunctionArguments::Subquery(_) => return Err(Stop::AsItStands),
            FunctionArguments::List(list) => list,
        };
        found.distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        for clause in &list.clauses {
            match clause {
                FunctionArgumentClause::OrderBy(order) => found.order.clone_from(order),
                _ => return Err(Stop::AsItStands),
            }
        }
        for argument in &list.args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => {
                    let row = self.row_argument(function, expression)?;
                    found.rows |= row.is_some();
                    found.values.push(match row {
                        Some(row) => row,
                        None => self.expression(expression)?,
                    });
                }
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => found.star = true,
                FunctionArg::Named {
                    arg: FunctionArgExpr::Expr(expression),
                    ..
                } => found.values.push(self.expression(expression)?),
                _ => return Err(Stop::AsItStands),
            }
        }
        Ok(found)
    }

    fn aggregate(&mut self, function: &Function, name: &str, position: Option<usize>) -> Result<Typed> {
        let around = std::mem::take(&mut self.levels);
        // The arguments of a window function are those of the grouped row.
        let inside = usize::from(function.over.is_none());
        self.aggregates += inside;
        let arguments = self.arguments(function);
        let filter = function
            .filter
            .as_ref()
            .map(|filter| self.truth(filter, "FILTER"))
            .transpose();
        self.aggregates -= inside;
        let (mut arguments, filter) = (arguments?, filter?);
        if !function.within_group.is_empty() {
            self.aggregates += 1;
            for key in &function.within_group {
                let key = self.expression(&key.expr)?;
                arguments.values.insert(0, key);
            }
            self.aggregates -= 1;
        }
        if arguments.star {
            arguments.values = vec![];
        }
        if arguments.distinct && !arguments.order.is_empty() {
            self.aggregates += inside;
            let checked = self.check_distinct_within(&arguments.values, &arguments.order);
            self.aggregates -= inside;
            checked?;
        }
        if arguments.distinct {
            has_equality(&arguments.values)?;
        }
        let distinct = arguments.distinct && arguments.values.len() > 1 && !arguments.order.is_empty();
        let row_key = if arguments.distinct {
            self.key_of_row(function, &arguments)
        } else {
            None
        };
        let chosen = Self::chosen(name, &arguments.values, position)?;
        let count = arguments.values.len();
        let values = if arguments.star {
            vec![]
        } else {
            let first = arguments.values.first().cloned();
            let mut values = self.as_wanted(&chosen, arguments.values)?;
            if let (Some(first), Some(value)) = (first, values.first_mut())
                && arguments.distinct
                && count == 1
            {
                let ty = chosen.arguments.first().copied().unwrap_or(first.ty);
                let compared = Typed {
                    row: first.row,
                    ..Typed::new(value.clone(), ty)
                };
                *value = compared.key();
            }
            values
        };
        self.aggregates += inside;
        let order = self.order_keys(&arguments.order);
        self.aggregates -= inside;
        let mut order = order?;
        let is_outer = inside > 0 && self.is_of_outer(self.levels, position)?;
        if inside > 0 && !is_outer && self.reads_groups(around) {
            let again = self.aggregate(function, name, position);
            self.is_of_inner = false;
            return again;
        }
        self.levels |= around;
        let stands_inside = self.aggregates > 0 || self.plain_clause.is_some();
        if inside > 0 && !is_outer {
            self.may_aggregate(position)?;
        }
        if distinct {
            // What is the same stands together.
            let keys = values
                .iter()
                .filter(|value| !order.iter().any(|key| key.key == **value));
            let keys: Vec<SortKey> = keys.cloned().map(SortKey::ascending).collect();
            order.extend(keys);
        }
        let over = self.over(function.over.as_ref())?;
        let filling = template::Arguments {
            values: &values,
            first: chosen.first(),
            is_row: arguments.rows,
        };
        let made = chosen
            .signature
            .template
            .with_aggregates(&filling, |mut call, is_last| {
                // SQLite takes DISTINCT with one argument only.
                let own = arguments
                    .distinct
                    .then(|| distinct_aggregates::of_its_own(&call.name, count, !order.is_empty()))
                    .flatten();
                call.distinct = arguments.distinct && count == 1 && own.is_none();
                if own.is_some() && count == 1 {
                    call.arguments.extend(row_key.iter().flatten().cloned());
                }
                let of_a_window = function
                    .over
                    .as_ref()
                    .and_then(|over| of_a_window(&call.name, may_lose_rows(over)));
                if let Some(name) = own.or_else(|| of_a_window.map(str::to_owned)) {
                    call.name = name;
                }
                if function.within_group.iter().any(hypothetical::is_descending) {
                    call.name.push_str("_desc");
                }
                if is_last {
                    call.order.clone_from(&order);
                }
                call.filter.clone_from(&filter);
                call.over.clone_from(&over);
                call
            });
        // SQLite takes one of a query around nowhere but in a select list.
        let made = if is_outer && stands_inside {
            query(sql!["SELECT ", made])
        } else {
            made
        };
        Ok(Self::result(made, &chosen).named(name).at(position))
    }

    /// Keys of an ORDER BY inside of parentheses.
    pub(super) fn order_keys(&mut self, order: &[OrderByExpr]) -> Result<Vec<SortKey>> {
        let mut keys = vec![];
        for key in order {
            keys.extend(self.ordered_by(key, None)?);
        }
        Ok(keys)
    }

    /// A set-returning function: the JSON array of its rows, and their type.
    pub(super) fn set_function(&mut self, name: &str, arguments: &[Expr]) -> Result<(SqlExpr, Ty)> {
        let mut values = vec![];
        for argument in arguments {
            values.push(self.expression(argument)?);
        }
        let chosen = Self::chosen(name, &values, None)?;
        let rows = self.fill(&chosen, values)?;
        Ok((rows, chosen.result))
    }
}

/// A value as text or as itself, for functions that take anything.
pub(super) fn shown(value: &Typed) -> SqlExpr {
    let by = |function: &str| call(function, [value.expr.clone()]);
    match value.ty {
        Ty::Bool => by("pg_tag_bool"),
        Ty::Bytea => by("pg_text_bytea"),
        Ty::Float4 | Ty::Float8 | Ty::Date | Ty::Timestamp | Ty::Timestamptz | Ty::Interval => {
            by(&format!("pg_text_{}", value.ty.internal()))
        }
        Ty::Array(_) => value.printed_array(),
        _ => value.shown(),
    }
}

/// The aggregate of ours that is taken over a window in the place of another: sums of numbers with a floating point are
/// added anew where rows leave, and SQLite's own joined text loses a part then, where an empty one stands in it.
fn of_a_window(name: &str, may_lose_rows: bool) -> Option<&'static str> {
    Some(match name {
        "pg_f4_avg" => "pg_f4_avg_over",
        "pg_f4_sum" => "pg_f4_sum_over",
        "pg_f8_avg" => "pg_f8_avg_over",
        "pg_f8_sum" => "pg_f8_sum_over",
        "string_agg" if may_lose_rows => "pg_string_agg",
        _ => return None,
    })
}

/// True for a window that rows may leave.
fn may_lose_rows(over: &WindowType) -> bool {
    match over {
        WindowType::NamedWindow(_) => true,
        WindowType::WindowSpec(spec) => {
            let stays = |frame: &WindowFrame| matches!(frame.start_bound, WindowFrameBound::Preceding(None));
            spec.window_name.is_some() || !spec.window_frame.as_ref().is_none_or(stays)
        }
    }
}

fn does_not_exist(name: &str, types: &[Ty], position: Option<usize>) -> Stop {
    let shown: Vec<String> = types.iter().map(|ty| ty.shown()).collect();
    Stop::Refused(Refusal {
        sqlstate: "42883",
        message: format!("function {name}({}) does not exist", shown.join(", ")),
        detail: None,
        hint: Some(
            "No function matches the given name and argument types. You might need to add explicit type casts."
                .into(),
        ),
        position,
    })
}
