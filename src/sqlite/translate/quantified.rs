//! ANY and ALL: a value against the members of an array or of a query.

use sqlparser::ast::{BinaryOperator, Expr};

use super::{
    Result, Translator, Ty,
    constants::{is_simple, members},
    quoted, refuse,
    scope::{Literal, Typed},
    string,
};

impl Translator<'_> {
    /// `x = ANY (array or query)` and `x <> ALL (…)`.
    pub(super) fn quantified(
        &mut self,
        left: &Expr,
        compared: &BinaryOperator,
        right: &Expr,
        any: bool,
    ) -> Result<Typed> {
        let operator = match compared {
            BinaryOperator::PGLikeMatch => "~~".into(),
            BinaryOperator::PGNotLikeMatch => "!~~".into(),
            BinaryOperator::PGILikeMatch => "~~*".into(),
            BinaryOperator::PGNotILikeMatch => "!~~*".into(),
            other => other.to_string(),
        };
        let is_membership = (any && operator == "=") || (!any && operator == "<>");
        let right = match right {
            Expr::Nested(inner) => inner,
            other => other,
        };
        if let Expr::Subquery(query) = right {
            if is_membership {
                return self.in_query(left, query, !any);
            }
            let (sql, columns) = self.subquery(query)?;
            let [column] = columns.as_slice() else {
                return refuse("42601", "subquery must return only one column", None);
            };
            let alias = self.fresh();
            let member = column.typed(format!("{}.{}", quoted(&alias), quoted(&column.inner)));
            let value = self.expression(left)?;
            let source = format!("({sql}) AS {}", quoted(&alias));
            return self.decided(value, &operator, member, (&source, any));
        }
        if let Some(all) = members(right).filter(|_| is_simple(left)) {
            // A list takes one type with the value, an array is compared with it.
            if is_membership && self.expression(left)?.ty != Ty::Float4 {
                return self.in_list(left, &all, !any);
            }
            let mut tests = vec![];
            for member in &all {
                tests.push(self.binary(left, compared, member)?.sql);
            }
            let word = if any { " OR " } else { " AND " };
            return Ok(Typed::new(format!("({})", tests.join(word)), Ty::Bool));
        }
        let value = self.expression(left)?;
        let array = self.expression(right)?;
        let element = match (array.ty, value.ty) {
            (Ty::Array(of) | Ty::Vector(of), _) => *of,
            (Ty::Unknown, Ty::Unknown) => Ty::Text,
            (Ty::Unknown, ty) => ty,
            _ => {
                return refuse(
                    "42809",
                    "op ANY/ALL (array) requires array on right side",
                    array.position,
                );
            }
        };
        let array = self.implicitly(array, element.array())?;
        let list = format!("pg_array_json({}, {})", array.sql, string(&element.kept()));
        // No array at all has one element that nobody knows.
        let list = match array.literal {
            Some(Literal::Text(_)) => list,
            _ => format!("CASE WHEN {} IS NULL THEN '[null]' ELSE {list} END", array.sql),
        };
        // What is equal may be kept in several ways.
        let is_kept_alike = |ty: Ty| ty == Ty::Numeric || ty.collation().is_none();
        if is_membership && is_kept_alike(element) && is_kept_alike(value.ty) {
            let (value, _) = self.alike(value, Typed::new("", element), "=")?;
            let (value, column) = match element {
                Ty::Float4 if value.ty == Ty::Float8 => (value.plain(), "pg_float4_float8(value)"),
                Ty::Numeric if value.keeps_digits() => (value.key(), "value"),
                Ty::Numeric => (value.number(), "CAST(value AS NUMERIC)"),
                Ty::Bytea => (value.plain(), "pg_in_bytea(value)"),
                _ => (value.plain(), "value"),
            };
            let not = if any { "" } else { "NOT " };
            let elements = format!("SELECT {column} FROM json_each({list})");
            return Ok(Typed::new(format!("({value} {not}IN ({elements}))"), Ty::Bool));
        }
        let alias = self.fresh();
        let member = Typed::new(format!("{}.value", quoted(&alias)), element);
        let source = format!("json_each({list}) AS {}", quoted(&alias));
        self.decided(value, &operator, member, (&source, any))
    }

    /// Whether a test holds for any or all members of a source.
    fn decided(
        &mut self,
        value: Typed,
        operator: &str,
        member: Typed,
        (source, any): (&str, bool),
    ) -> Result<Typed> {
        let test = match operator {
            "~~" | "!~~" | "~~*" | "!~~*" => {
                let (value, member) = (
                    self.implicitly(value, Ty::Text)?,
                    self.implicitly(member, Ty::Text)?,
                );
                let not = if operator.starts_with('!') { "NOT " } else { "" };
                let function = if operator.ends_with('*') {
                    "pg_ilike"
                } else {
                    "pg_like"
                };
                format!("({not}{function}({}, {}, '\\'))", value.sql, member.sql)
            }
            "=" | "<>" | "<" | "<=" | ">" | ">=" => self.compared(value, operator, member)?.sql,
            _ => self.operate(operator, operator, vec![value, member])?.sql,
        };
        // Three-valued, as PostgreSQL has it: the greatest truth of any, the least of all.
        let (aggregate, empty) = if any { ("max", 0) } else { ("min", 1) };
        let decided = i32::from(any);
        Ok(Typed::new(
            format!(
                "(SELECT CASE WHEN count(*) = 0 THEN {empty} WHEN {aggregate}(t) = {decided} THEN {decided} \
                 WHEN count(t) < count(*) THEN NULL ELSE {aggregate}(t) END FROM (SELECT {test} AS t FROM {source}))"
            ),
            Ty::Bool,
        ))
    }
}
