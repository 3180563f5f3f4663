//! One SELECT: what it selects, from what, which rows, how grouped.

use std::{ops::ControlFlow, rc::Rc};

use sqlparser::ast::{
    AccessExpr, Distinct, Expr, Function, GroupByExpr, Select, SelectItem, SelectItemQualifiedWildcardKind,
    Value, ValueWithSpan, visit_expressions,
};

use super::{
    Result, Stop, Translator, composite,
    elements::elements,
    grouping,
    parentheses::peeled,
    refuse,
    scope::{Scope, Typed, absent, part_of_json},
    signatures::{self, FunctionKind},
    sortable::has_equality,
    sql::{Sql, listed, sql},
    sql_expr::{SqlExpr, bare, call, column_word, count_all, infix, number, when},
    unsupported,
    volatile::Contents,
};

/// A SELECT in parts. Its scope is the innermost one until whoever asked for it takes it away.
#[derive(Debug, Default)]
pub(super) struct Selected {
    pub(super) items: Vec<Typed>,
    pub(super) distinct: bool,
    pub(super) distinct_on: Vec<Typed>,
    /// What stands behind FROM, if anything does.
    pub(super) from: Sql,
    /// The condition of WHERE, and what stands in it.
    pub(super) condition: (Option<SqlExpr>, Contents),
    /// GROUP BY, HAVING and WINDOW, each with a space in front.
    pub(super) groups: Sql,
    /// True where one row stands for several.
    pub(super) grouped: bool,
}

impl Selected {
    /// FROM and all that follows, with a space in front.
    pub(super) fn rest(&self) -> Sql {
        let mut rest = Sql::default();
        if !self.from.is_empty() {
            rest.add(sql![" FROM ", &self.from]);
        }
        if let Some(condition) = &self.condition.0 {
            rest.add(sql![" WHERE ", condition]);
        }
        rest.add(&self.groups);
        rest
    }
}

/// The functions of a select list that give rows: all of them step together.
#[derive(Debug)]
pub(super) struct Lists {
    alias: String,
    rows: Vec<SqlExpr>,
    several: bool,
}

/// True where functions that give rows stand side by side, or within other expressions.
fn are_several(projection: &[SelectItem]) -> bool {
    let (mut all, mut whole) = (0, 0);
    for item in projection {
        let (SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. }) = item
        else {
            continue;
        };
        let is_set = |expression: &Expr| match expression {
            Expr::Function(function) => set_name(function).is_some(),
            _ => false,
        };
        whole += usize::from(is_set(within(expression).0));
        let _ = visit_expressions(expression, |part| {
            all += usize::from(is_set(part));
            ControlFlow::<()>::Continue(())
        });
    }
    all > 1 || all > whole
}

/// What a field is taken of, and the field: `(f(x)).a`.
fn within(expression: &Expr) -> (&Expr, &[AccessExpr]) {
    match expression {
        Expr::CompoundFieldAccess { root, access_chain } => match &**root {
            Expr::Nested(inner) => (inner, access_chain),
            root => (root, access_chain),
        },
        other => (other, &[]),
    }
}

/// The name of a function that gives rows.
pub(super) fn set_name(function: &Function) -> Option<String> {
    let name = function.name.0.last().and_then(|part| part.as_ident());
    name.map(super::folded)
        .filter(|name| signatures::kind(name) == Some(FunctionKind::Set))
}

/// The item of a select list that has this name, whether it was given one or is called after its function.
pub(super) fn item_named<'s>(wanted: &str, projection: &'s [SelectItem]) -> Option<&'s Expr> {
    projection.iter().find_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } if super::folded(alias) == wanted => Some(expr),
        SelectItem::UnnamedExpr(expr) => match peeled(expr) {
            Expr::Function(function) => {
                let name = function.name.0.last().and_then(|part| part.as_ident())?;
                (super::folded(name) == wanted).then_some(expr)
            }
            _ => None,
        },
        _ => None,
    })
}

impl Translator<'_> {
    pub(super) fn select(&mut self, select: &Select) -> Result<Selected> {
        if select.top.is_some()
            || select.exclude.is_some()
            || select.qualify.is_some()
            || select.prewhere.is_some()
            || select.value_table_mode.is_some()
            || !select.lateral_views.is_empty()
            || !select.connect_by.is_empty()
        {
            return Err(Stop::AsItStands);
        }
        if let Some(apart) = self.rows_made_apart(select)? {
            return self.select(&apart);
        }
        self.go_inside();
        let outer = self.scopes.len();
        self.scopes.push(Scope::default());
        let outside = (self.aggregates, self.aggregated, self.plain_clause.take());
        let (lists, is_of_inner) = (self.lists.take(), std::mem::take(&mut self.is_of_inner));
        self.aggregates = 0;
        let selected = self.select_parts(select);
        (self.lists, self.is_of_inner) = (lists, is_of_inner);
        self.aggregates = outside.0;
        self.aggregated = outside.1 || self.was_aggregated(outer);
        self.plain_clause = outside.2;
        selected
    }

    fn select_parts(&mut self, select: &Select) -> Result<Selected> {
        let absent = self.absent.take();
        self.plain_clause = Some("FROM clause of their own query level");
        let mut from = self.from(&select.from)?;
        self.plain_clause = None;
        let condition = match &select.selection {
            Some(condition) => {
                let (truth, contents) = self.noting_contents(|own| own.truth(condition, "WHERE"))?;
                (Some(truth), contents)
            }
            None => Default::default(),
        };
        let GroupByExpr::Expressions(keys, modifiers) = &select.group_by else {
            return unsupported("GROUP BY ALL", None);
        };
        if !modifiers.is_empty() {
            return unsupported("GROUP BY with a modifier", None);
        }
        let unnamed = self.unnamed;
        if let Some(scope) = self.scopes.last_mut() {
            scope.unnamed = unnamed;
        }
        let is_by = !keys.is_empty();
        let keys = self.group_keys(keys, select)?;
        let group: Vec<SqlExpr> = keys.iter().map(|(key, _)| key.expr.clone()).collect();
        // `GROUP BY ()` is a set of no keys too.
        let is_set = absent.is_some() || (is_by && group.is_empty());
        let absent = absent.unwrap_or_default();
        let (absent_items, absent) = grouping::apart(self.group_keys(&absent, select)?, select);
        if !group.is_empty() || is_set {
            self.set_grouped(&group);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.absent = absent;
            scope.absent_items = absent_items;
        }
        self.aggregated = false;
        let mut items = self.items(&select.projection, &mut from)?;
        let is_listed = self.aggregated;
        let mut having = self.having(select)?;
        if self.aggregated && group.is_empty() {
            // Nothing is grouped by, so no column may stand alone.
            self.set_grouped(&[]);
            let mut again = Sql::default();
            items = self.items(&select.projection, &mut again)?;
            having = self.having(select)?;
        }
        if group.is_empty()
            && (is_set || !having.is_empty())
            && !is_listed
            && let Some(first) = items.first_mut()
        {
            // One row of all, which SQLite makes only where the list counts something.
            let counts = bare(infix(count_all(), ">=", number(0)));
            first.expr = when(counts, first.expr.clone()).end();
            first.contents.aggregate = true;
        }
        let grouped = self.aggregated || is_set || !group.is_empty() || !having.is_empty();
        let mut distinct_on = vec![];
        let mut distinct = false;
        match &select.distinct {
            Some(Distinct::Distinct) => {
                has_equality(&items)?;
                distinct = true;
            }
            Some(Distinct::On(keys)) => {
                for key in keys {
                    distinct_on.push(self.key_or_item(key, &items)?);
                }
                has_equality(&distinct_on)?;
            }
            _ => {}
        }
        let mut groups = Sql::default();
        if !group.is_empty() {
            groups.add(sql![
                " GROUP BY ",
                listed(keys.iter().map(|(key, _)| key.key_of_rows()))
            ]);
        }
        groups.add(having);
        groups.add(self.windows(&select.named_window)?);
        Ok(Selected {
            items,
            distinct,
            distinct_on,
            from,
            condition,
            groups,
            grouped,
        })
    }

    fn having(&mut self, select: &Select) -> Result<Sql> {
        match &select.having {
            Some(condition) => Ok(sql![" HAVING ", self.truth(condition, "HAVING")?]),
            None => Ok(Sql::default()),
        }
    }

    fn set_grouped(&mut self, group: &[SqlExpr]) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        let mut grouped = group.to_vec();
        for relation in &scope.relations {
            let mut keys = relation.columns.iter().filter(|column| column.key > 0).peekable();
            let whole = keys.peek().is_some() && keys.all(|key| group.contains(&relation.column(key).expr));
            if whole {
                grouped.extend(relation.columns.iter().map(|column| relation.column(column).expr));
            }
        }
        scope.grouped = Some(grouped);
    }

    /// The keys of GROUP BY, each with what it is written as, which may be an item.
    fn group_keys<'s>(&mut self, keys: &'s [Expr], select: &'s Select) -> Result<Vec<(Typed, &'s Expr)>> {
        let mut group = vec![];
        for key in keys {
            let key = peeled(key);
            let expression = match key {
                Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_) => {
                    return unsupported("GROUP BY with grouping sets", None);
                }
                Expr::Tuple(keys) => {
                    group.extend(self.group_keys(keys, select)?);
                    continue;
                }
                Expr::Value(value) => match self.ordinal(value, "GROUP BY", select.projection.len())? {
                    Some(at) => match &select.projection[at] {
                        SelectItem::UnnamedExpr(expression)
                        | SelectItem::ExprWithAlias { expr: expression, .. } => expression,
                        _ => return unsupported("GROUP BY the position of *", None),
                    },
                    None => key,
                },
                Expr::Identifier(name) => match self.column(std::slice::from_ref(name)) {
                    Ok(_) => key,
                    Err(error) => item_named(&super::folded(name), &select.projection).ok_or(error)?,
                },
                other => other,
            };
            let key = self.expression(peeled(expression))?;
            has_equality([&key])?;
            group.push((key, peeled(expression)));
        }
        Ok(group)
    }

    /// The select list. What gives rows of its own is added to `from`.
    pub(super) fn items(&mut self, projection: &[SelectItem], from: &mut Sql) -> Result<Vec<Typed>> {
        super::columns::check_count(projection.len())?;
        let lists = Lists {
            alias: self.fresh(),
            rows: vec![],
            several: are_several(projection),
        };
        let outside = self.lists.replace(lists);
        let items = self.listed_items(projection);
        let lists = std::mem::replace(&mut self.lists, outside);
        let items = items?;
        if let Some(Lists { alias, rows, several }) = lists.filter(|lists| !lists.rows.is_empty()) {
            if !from.is_empty() {
                from.add(", ");
            }
            let rows = match rows.as_slice() {
                [rows] if !several => rows.clone(),
                _ => call("pg_json_zip", rows),
            };
            from.add(elements(rows, &alias));
        }
        Ok(items)
    }

    fn listed_items(&mut self, projection: &[SelectItem]) -> Result<Vec<Typed>> {
        let mut items = vec![];
        for (at, item) in projection.iter().enumerate() {
            let start = items.len();
            match item {
                SelectItem::UnnamedExpr(expression) => {
                    if let Some(whole) = composite::whole(expression) {
                        let (fields, contents) = self.noting_contents(|own| own.all_fields(whole))?;
                        items.extend(fields.into_iter().map(|field| field.instead_of(contents.clone())));
                    } else {
                        items.push(self.item(expression)?);
                    }
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let item = self.item(expr)?;
                    items.push(item.named(super::folded(alias)));
                }
                SelectItem::Wildcard(_) => {
                    let scope = self.scopes.last().cloned().unwrap_or_default();
                    if scope.relations.is_empty() {
                        return refuse("42601", "SELECT * with no tables specified is not valid", None);
                    }
                    items.extend(
                        scope
                            .merged
                            .iter()
                            .map(|(name, column)| column.clone().named(name.clone())),
                    );
                    for relation in &scope.relations {
                        let shown = relation
                            .columns
                            .iter()
                            .filter(|column| column.shown && !column.hidden);
                        items.extend(shown.map(|column| relation.column(column)));
                    }
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    let reads_row = self.contents.row;
                    let relation = self.row_behind_star(name)?;
                    self.contents.row = reads_row;
                    let shown = relation.columns.iter().filter(|column| !column.hidden);
                    items.extend(shown.map(|column| relation.column(column)));
                }
                _ => return Err(Stop::AsItStands),
            }
            let scope = self.scopes.last();
            if scope.is_some_and(|scope| scope.absent_items.contains(&at)) {
                let constants = items.split_off(start);
                items.extend(constants.into_iter().map(absent));
            }
        }
        Ok(items)
    }

    pub(super) fn item(&mut self, expression: &Expr) -> Result<Typed> {
        let (item, mut contents) = self.noting_contents(|own| own.item_alone(expression))?;
        contents.expression = contents.volatile.then(|| Rc::new(expression.clone()));
        Ok(item.instead_of(contents))
    }

    fn item_alone(&mut self, expression: &Expr) -> Result<Typed> {
        let (called, fields) = within(expression);
        if let Expr::Function(function) = called
            && let Some(name) = set_name(function)
        {
            let value = self.listed(function, &name, None)?;
            return if fields.is_empty() {
                Ok(value)
            } else {
                self.access(value, fields)
            };
        }
        self.expression(expression)
    }

    /// A function that gives rows, where a select list may have one.
    pub(super) fn listed(
        &mut self,
        function: &Function,
        name: &str,
        position: Option<usize>,
    ) -> Result<Typed> {
        if name.contains("_each") {
            return unsupported(format!("{name}() outside of FROM"), position);
        }
        if self.lists.is_none() || self.aggregates > 0 {
            return unsupported(format!("{name}() here"), position);
        }
        let arguments = super::from::plain_arguments(function)?;
        let (list, ty) = self.set_function(name, &arguments)?;
        let Some(lists) = &mut self.lists else {
            return unsupported(format!("{name}() here"), position);
        };
        let mut value = column_word(&lists.alias, "value");
        if lists.several {
            value = part_of_json(value, lists.rows.len());
        }
        lists.rows.push(list);
        Ok(Typed::new(value, ty).named(name))
    }

    /// The place in the select list that a constant means; `None` for a parameter.
    pub(super) fn ordinal(
        &self,
        constant: &ValueWithSpan,
        clause: &str,
        items: usize,
    ) -> Result<Option<usize>> {
        let position = self.position(constant.span.start);
        let number = match &constant.value {
            Value::Placeholder(_) => return Ok(None),
            Value::Number(digits, _) => digits.parse::<usize>().ok(),
            _ => None,
        };
        match number {
            None => refuse("42601", format!("non-integer constant in {clause}"), position),
            Some(at) if at == 0 || at > items => refuse(
                "42P10",
                format!("{clause} position {at} is not in select list"),
                position,
            ),
            Some(at) => Ok(Some(at - 1)),
        }
    }

    /// An expression, or the item that its name or number means.
    pub(super) fn key_or_item(&mut self, key: &Expr, items: &[Typed]) -> Result<Typed> {
        let key = peeled(key);
        match key {
            Expr::Value(value) => {
                if let Some(at) = self.ordinal(value, "ORDER BY", items.len())? {
                    return Ok(items[at].clone());
                }
            }
            Expr::Identifier(name) => {
                let wanted = super::folded(name);
                let mut named = items.iter().filter(|item| item.name.as_deref() == Some(&wanted));
                if let Some(item) = named.next() {
                    if named.any(|other| other.expr != item.expr) {
                        return refuse(
                            "42702",
                            format!("ORDER BY \"{wanted}\" is ambiguous"),
                            self.at(name),
                        );
                    }
                    return Ok(item.clone());
                }
            }
            _ => {}
        }
        let value = self.expression(key)?;
        self.settled(value)
    }
}
