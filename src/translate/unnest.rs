//! `unnest()` of several arrays: their elements stand side by side, and the shorter ones go on with NULL.

use std::fmt::Write as _;

use sqlparser::ast::{Expr, TableAlias};

use super::{
    Result, Translator, Ty,
    from::name_relation,
    quoted,
    scope::{Relation, ScopeColumn},
};

impl Translator<'_> {
    pub(super) fn side_by_side(
        &mut self,
        arrays: &[Expr],
        alias: Option<&TableAlias>,
        ordinality: bool,
    ) -> Result<String> {
        let column = |name: &str, inner: String, ty| ScopeColumn {
            name: name.to_owned(),
            inner,
            ty,
            exact: ty == Ty::Numeric,
            scale: None,
            not_null: false,
            key: 0,
            shown: true,
        };
        let (mut columns, mut values, mut keys, mut joins) = (vec![], vec![], vec![], String::new());
        for (number, array) in arrays.iter().enumerate() {
            let (sql, ty) = self.set_function("unnest", std::slice::from_ref(array))?;
            columns.push(column("unnest", format!("v{number}"), ty));
            values.push(format!("a{number}.v AS v{number}"));
            keys.push(format!("SELECT key AS k FROM json_each({sql})"));
            // SQLite indexes the rows of a subquery by itself, and not those of a function.
            let _ = write!(
                joins,
                " LEFT JOIN (SELECT key AS k, value AS v FROM json_each({sql})) AS a{number} ON a{number}.k = every.k"
            );
        }
        if ordinality {
            columns.push(column("ordinality", "n".to_owned(), Ty::Int8));
        }
        let mut relation = Relation {
            name: "unnest".to_owned(),
            inner: "unnest".to_owned(),
            columns,
            is_table: false,
        };
        if let Some(alias) = alias {
            name_relation(&mut relation, alias);
        }
        let sql = format!(
            "(SELECT {}, every.k + 1 AS n FROM ({}) AS every{joins} ORDER BY every.k) AS {}",
            values.join(", "),
            keys.join(" UNION "),
            quoted(&relation.inner)
        );
        self.add(relation)?;
        Ok(sql)
    }
}
