//! `unnest()` of several arrays, whose elements stand side by side.

use sqlparser::ast::{Expr, TableAlias};

use super::{
    Result, Translator, Ty,
    from::name_relation,
    quoted,
    scope::Relation,
    table_function::{alias_or, computed},
};

impl Translator<'_> {
    /// `unnest(a, b)`: the shorter ones are filled with NULL.
    pub(super) fn several(
        &mut self,
        arrays: &[Expr],
        alias: Option<&TableAlias>,
        ordinality: bool,
    ) -> Result<String> {
        let own = alias_or(alias, "unnest");
        let mut lists = vec![];
        let mut columns = vec![];
        for (at, array) in arrays.iter().enumerate() {
            let (sql, ty) = self.set_function("unnest", std::slice::from_ref(array))?;
            lists.push(sql);
            let part = format!("json_extract({own}.value, '$[{at}]')");
            columns.push(computed("unnest", part, ty));
        }
        if ordinality {
            columns.push(computed("ordinality", format!("({own}.key + 1)"), Ty::Int8));
        }
        let mut relation = Relation {
            name: "unnest".into(),
            inner: "unnest".into(),
            columns,
            is_table: false,
            is_scalar: false,
            definition: None,
        };
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let sql = format!(
            "json_each(pg_json_zip({})) AS {}",
            lists.join(", "),
            quoted(&relation.inner)
        );
        self.add(relation)?;
        Ok(sql)
    }
}
