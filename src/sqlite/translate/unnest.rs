//! `unnest()` of several arrays, whose elements stand side by side.

use sqlparser::ast::{Expr, TableAlias};

use super::{
    Result, Translator,
    elements::elements,
    from::name_relation,
    scope::{Relation, part_of_json},
    sql::Sql,
    sql_expr::{call, column_word},
    table_function::{alias_or, computed, number_of},
};

impl Translator<'_> {
    /// `unnest(a, b)`: the shorter ones are filled with NULL.
    pub(super) fn several(
        &mut self,
        arrays: &[Expr],
        alias: Option<&TableAlias>,
        ordinality: bool,
    ) -> Result<Sql> {
        let own = alias_or(alias, "unnest");
        let mut lists = vec![];
        let mut columns = vec![];
        for (at, array) in arrays.iter().enumerate() {
            let (rows, ty) = self.set_function("unnest", std::slice::from_ref(array))?;
            lists.push(rows);
            let part = part_of_json(column_word(&own, "value"), at);
            columns.push(computed("unnest", part, ty));
        }
        if ordinality {
            columns.push(number_of(&own));
        }
        let mut relation = Relation {
            name: "unnest".into(),
            inner: "unnest".into(),
            columns,
            ..Relation::default()
        };
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let rows = elements(call("pg_json_zip", lists), &relation.inner);
        self.add(relation)?;
        Ok(rows)
    }
}
