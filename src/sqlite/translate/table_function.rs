//! Functions in FROM: each gives rows, as a table does.

use sqlparser::ast::{Expr, FunctionArg, ObjectName, TableAlias};

use super::{
    Result, Stop, Translator, Ty,
    elements::elements,
    from::{name_relation, plain},
    populated,
    scope::{Relation, ScopeColumn, part_of_json},
    signatures::{self, FunctionKind},
    sql::{Named, Sql, listed, sql},
    sql_expr::{SqlExpr, call, column_word, infix, number},
    unsupported,
};

impl Translator<'_> {
    /// A function in FROM.
    pub(super) fn rows_of(
        &mut self,
        name: &ObjectName,
        arguments: &[FunctionArg],
        alias: Option<&TableAlias>,
        ordinality: bool,
    ) -> Result<Sql> {
        let written = name;
        let (_, name) = self.split(name)?;
        if matches!(
            name.as_str(),
            "json_to_recordset" | "jsonb_to_recordset" | "json_to_record" | "jsonb_to_record"
        ) {
            return self.records(&name, &plain(arguments)?, alias);
        }
        if let Some(records) = populated::of_records(&name) {
            return self.populated((&name, records), &plain(arguments)?, alias);
        }
        if signatures::kind(&name) == Some(FunctionKind::Plain) {
            let mut values = vec![];
            for argument in plain(arguments)? {
                values.push(self.expression(&argument)?);
            }
            let done = self.call(&name, values)?;
            if done.ty == Ty::Bytea {
                return unsupported(format!("{name}() in FROM"), done.position);
            }
            let list = call("json_array", [done.full()]);
            return self.each(list, done.ty, &name, (alias, ordinality));
        }
        if let Some(columns) = self.names.relation(Some("pg_catalog"), &name) {
            return self.catalog_rows(&name, &columns, &plain(arguments)?, (alias, ordinality));
        }
        if signatures::kind(&name) != Some(FunctionKind::Set) {
            // SQLite has table-valued functions of its own.
            if self.names.has_function(&name) {
                return Err(Stop::AsItStands);
            }
            let mut types = vec![];
            for argument in plain(arguments)? {
                types.push(self.expression(&argument)?.ty);
            }
            return Err(self.no_function(written, &types));
        }
        let arguments = plain(arguments)?;
        // The parser knows it for what it is only where no LATERAL stands before it.
        if name == "unnest" && arguments.len() > 1 {
            return self.several(&arguments, alias, ordinality);
        }
        let (rows, ty) = self.set_function(&name, &arguments)?;
        self.each(rows, ty, &name, (alias, ordinality))
    }

    /// A function of the catalogue that gives rows.
    fn catalog_rows(
        &mut self,
        name: &str,
        columns: &[super::NamedColumn],
        arguments: &[Expr],
        (alias, ordinality): (Option<&TableAlias>, bool),
    ) -> Result<Sql> {
        let mut values = vec![];
        for argument in arguments {
            let value = self.expression(argument)?;
            values.push(self.settled(value)?.expr);
        }
        let mut relation = Relation::of_table(name, columns);
        if ordinality {
            let place = column_word(alias_or(alias, name), "rowid");
            let place = infix(place, "+", number(1));
            relation.columns.push(computed("ordinality", place, Ty::Int8));
        }
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let rows = sql!["pg_catalog.", Named(name), "(", listed(values), ")"];
        let rows = sql![rows, " AS ", Named(&relation.inner)];
        self.add(relation)?;
        Ok(rows)
    }

    pub(super) fn each(
        &mut self,
        array: SqlExpr,
        ty: Ty,
        name: &str,
        (alias, ordinality): (Option<&TableAlias>, bool),
    ) -> Result<Sql> {
        let pair = matches!(
            name,
            "json_each" | "jsonb_each" | "json_each_text" | "jsonb_each_text"
        );
        let own = alias_or(alias, name);
        let part = |at: usize| part_of_json(column_word(&own, "value"), at);
        let is_scalar = !pair && !ordinality && !matches!(ty, Ty::Record(_));
        let mut columns = if let Ty::Record(fields) = ty {
            let field = |(at, (name, ty)): (usize, &(&str, Ty))| computed(name, part(at), *ty);
            fields.iter().enumerate().map(field).collect()
        } else if pair {
            vec![computed("key", part(0), Ty::Text), computed("value", part(1), ty)]
        } else {
            let own = alias.map_or_else(|| name.to_owned(), |alias| super::folded(&alias.name));
            let own = if name.contains("_array_elements") {
                "value".to_owned()
            } else {
                own
            };
            vec![column(&own, "value", ty)]
        };
        if ordinality {
            columns.push(number_of(&own));
        }
        let mut relation = Relation {
            name: name.to_owned(),
            inner: name.to_owned(),
            columns,
            is_scalar,
            ..Relation::default()
        };
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let rows = elements(array, &relation.inner);
        self.add(relation)?;
        Ok(rows)
    }
}

/// What a relation is called.
pub(super) fn alias_or(alias: Option<&TableAlias>, name: &str) -> String {
    alias.map_or_else(|| name.to_owned(), |alias| super::folded(&alias.name))
}

/// The number of an element of `json_each`, from 1.
pub(super) fn number_of(relation: &str) -> ScopeColumn {
    let number = infix(column_word(relation, "key"), "+", number(1));
    computed("ordinality", number, Ty::Int8)
}

/// A column that is computed from what gives rows.
pub(super) fn computed(name: &str, computed: SqlExpr, ty: Ty) -> ScopeColumn {
    ScopeColumn {
        computed: Some(computed),
        ..column(name, name, ty)
    }
}

/// A column of what gives rows.
pub(super) fn column(name: &str, inner: &str, ty: Ty) -> ScopeColumn {
    ScopeColumn {
        name: name.to_owned(),
        inner: inner.to_owned(),
        computed: None,
        ty,
        exact: ty == Ty::Numeric,
        scale: None,
        modifier: None,
        row: None,
        origin: None,
        not_null: false,
        key: 0,
        shown: true,
        hidden: false,
        is_volatile: false,
        by_values: false,
        is_respelled: false,
        is_foreign: false,
        is_strict: false,
    }
}
