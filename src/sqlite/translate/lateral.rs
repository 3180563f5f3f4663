//! What reads the relations before it: LATERAL queries, as one JSON array of their rows; and functions that give records.

use sqlparser::ast::{Expr, Query, SetExpr, TableAlias};

use super::{
    Result, Stop, Translator, Ty,
    cast::How,
    elements::elements,
    from::name_relation,
    query::names_of,
    refuse,
    scope::{Relation, ScopeColumn, Typed, part_of_json},
    sql::{Named, Sql, sql},
    sql_expr::{call, column_word, name, number, query, text},
    types, unsupported,
};

impl Translator<'_> {
    /// A query that sees what stands before it.
    pub(super) fn lateral(&mut self, select: &Query, alias: Option<&TableAlias>) -> Result<Sql> {
        let (mut sql, found) = self.subquery(select)?;
        if matches!(*select.body, SetExpr::Values(_)) {
            // Whose columns SQLite forgets the names of where it reads others' columns.
            let names = names_of(&found);
            let rows = self.fresh();
            let rows = Named(&rows);
            sql = sql!["WITH ", rows, "(", names, ") AS (", sql, ") SELECT * FROM ", rows];
        }
        let own = match alias {
            Some(alias) => super::folded(&alias.name),
            None => self.fresh(),
        };
        let mut values = vec![];
        let mut columns = vec![];
        for (at, column) in found.into_iter().enumerate() {
            let inner = name(&column.inner);
            let place = part_of_json(column_word(&own, "value"), at);
            let mut exact = column.exact;
            let (value, back) = match column.ty {
                Ty::Bytea => return unsupported("a column of bytea in a LATERAL query", None),
                // As JSON keeps fifteen digits only.
                Ty::Float4 | Ty::Float8 => (call("pg_text_float8", [inner]), call("pg_in_float8", [place])),
                Ty::Numeric => {
                    let typed = Typed {
                        exact: column.exact,
                        scale: column.scale,
                        modifier: column.modifier,
                        ..Typed::new(inner, Ty::Numeric)
                    };
                    exact |= column.scale.is_some();
                    (typed.full(), place)
                }
                _ => (inner, place),
            };
            values.push(value);
            columns.push(ScopeColumn {
                computed: Some(back),
                exact,
                scale: if exact { None } else { column.scale },
                not_null: false,
                is_volatile: false,
                ..column
            });
        }
        let mut relation = Relation {
            columns,
            inner: own,
            ..Relation::default()
        };
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let rows = call("json_group_array", [call("json_array", values)]);
        let rows = query(sql!["SELECT ", rows, " FROM (", sql, ")"]);
        let sql = elements(rows, &relation.inner);
        self.add(relation)?;
        Ok(sql)
    }

    /// `json_to_recordset(…) AS x(a int, b text)`.
    pub(super) fn records(
        &mut self,
        name: &str,
        arguments: &[Expr],
        alias: Option<&TableAlias>,
    ) -> Result<Sql> {
        let [argument] = arguments else {
            return Err(Stop::AsItStands);
        };
        let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else {
            return refuse(
                "42601",
                "a column definition list is required for functions returning \"record\"",
                None,
            );
        };
        let document = self.expression(argument)?;
        let ty = if name.starts_with("jsonb") {
            Ty::Jsonb
        } else {
            Ty::Json
        };
        let document = self.implicitly(document, ty)?;
        let list = call("pg_raw_records", [document.expr, text(name)]);
        // Of no document at all there is one record, of nothing.
        let list = if name.ends_with("set") {
            list
        } else {
            call("coalesce", [list, text("[\"{}\"]")])
        };
        let record = super::folded(&alias.name);
        let place = || column_word(&record, "value");
        let mut columns = vec![];
        for column in &alias.columns {
            let own = super::folded(&column.name);
            let Some(target) = column.data_type.as_ref().and_then(types::target) else {
                return unsupported("a column of this type", self.at(&column.name));
            };
            let part = || call("pg_raw_get", [place(), text(&own)]);
            // Null is no document.
            let document = || call("nullif", [part(), text("null")]);
            let value = match target.ty {
                Ty::Json => Typed::new(document(), target.ty),
                Ty::Jsonb => Typed::new(call("pg_in_jsonb", [document()]), target.ty),
                Ty::Array(of) => {
                    let are_json = number(i32::from(matches!(of, Ty::Json | Ty::Jsonb)));
                    let texts = call("pg_raw_array", [part(), are_json]);
                    self.convert(Typed::new(texts, Ty::Text), target, How::Explicit)?
                }
                _ => {
                    let shown = call("pg_raw_get_text", [place(), text(&own)]);
                    self.convert(Typed::new(shown, Ty::Text), target, How::Explicit)?
                }
            };
            columns.push(ScopeColumn {
                inner: own.clone(),
                name: own,
                computed: Some(value.expr),
                ty: target.ty,
                exact: value.exact,
                scale: None,
                modifier: target.told(),
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
            });
        }
        let relation = Relation {
            name: record.clone(),
            inner: record,
            columns,
            ..Relation::default()
        };
        let sql = elements(list, &relation.inner);
        self.add(relation)?;
        Ok(sql)
    }
}
