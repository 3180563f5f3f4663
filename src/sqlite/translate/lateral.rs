//! What reads the relations before it: LATERAL queries, as one JSON array of their rows; and functions that give records.

use sqlparser::ast::{Expr, Query, SetExpr, TableAlias};

use super::{
    Result, Stop, Translator, Ty,
    cast::How,
    from::name_relation,
    quoted, refuse,
    scope::{Relation, ScopeColumn, Typed},
    string, types, unsupported,
};

impl Translator<'_> {
    /// A query that sees what stands before it.
    pub(super) fn lateral(&mut self, query: &Query, alias: Option<&TableAlias>) -> Result<String> {
        let (mut sql, found) = self.subquery(query)?;
        if matches!(*query.body, SetExpr::Values(_)) {
            // Whose columns SQLite forgets the names of where it reads others' columns.
            let names: Vec<String> = found.iter().map(|column| quoted(&column.inner)).collect();
            let rows = quoted(&self.fresh());
            sql = format!(
                "WITH {rows}({}) AS ({sql}) SELECT * FROM {rows}",
                names.join(", ")
            );
        }
        let own = match alias {
            Some(alias) => super::folded(&alias.name),
            None => self.fresh(),
        };
        let mut values = vec![];
        let mut columns = vec![];
        for (at, column) in found.into_iter().enumerate() {
            let inner = quoted(&column.inner);
            let place = format!("json_extract({}.value, '$[{at}]')", quoted(&own));
            let mut exact = column.exact;
            let (value, back) = match column.ty {
                Ty::Bytea => return unsupported("a column of bytea in a LATERAL query", None),
                // As JSON keeps fifteen digits only.
                Ty::Float4 | Ty::Float8 => (
                    format!("pg_text_float8({inner})"),
                    format!("pg_in_float8({place})"),
                ),
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
        let sql = format!(
            "json_each((SELECT json_group_array(json_array({})) FROM ({sql}))) AS {}",
            values.join(", "),
            quoted(&relation.inner)
        );
        self.add(relation)?;
        Ok(sql)
    }

    /// `json_to_recordset(…) AS x(a int, b text)`.
    pub(super) fn records(
        &mut self,
        name: &str,
        arguments: &[Expr],
        alias: Option<&TableAlias>,
    ) -> Result<String> {
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
        let list = format!("pg_raw_records({}, {})", document.sql, string(name));
        // Of no document at all there is one record, of nothing.
        let list = if name.ends_with("set") {
            list
        } else {
            format!("coalesce({list}, '[\"{{}}\"]')")
        };
        let record = super::folded(&alias.name);
        let place = format!("{}.value", quoted(&record));
        let mut columns = vec![];
        for column in &alias.columns {
            let own = super::folded(&column.name);
            let Some(target) = column.data_type.as_ref().and_then(types::target) else {
                return unsupported("a column of this type", self.at(&column.name));
            };
            let part = format!("pg_raw_get({place}, {})", string(&own));
            let value = match target.ty {
                // Null is no document.
                Ty::Json => Typed::new(format!("nullif({part}, 'null')"), target.ty),
                Ty::Jsonb => Typed::new(format!("pg_in_jsonb(nullif({part}, 'null'))"), target.ty),
                Ty::Array(of) => {
                    let are_json = i32::from(matches!(of, Ty::Json | Ty::Jsonb));
                    let text = Typed::new(format!("pg_raw_array({part}, {are_json})"), Ty::Text);
                    self.convert(text, target, How::Explicit)?
                }
                _ => {
                    let text = Typed::new(format!("pg_raw_get_text({place}, {})", string(&own)), Ty::Text);
                    self.convert(text, target, How::Explicit)?
                }
            };
            columns.push(ScopeColumn {
                inner: own.clone(),
                name: own,
                computed: Some(value.sql),
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
            });
        }
        let relation = Relation {
            name: record.clone(),
            inner: record,
            columns,
            is_table: false,
            is_scalar: false,
            definition: None,
        };
        let sql = format!("json_each({list}) AS {}", quoted(&relation.inner));
        self.add(relation)?;
        Ok(sql)
    }
}
