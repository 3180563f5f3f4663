//! The types of whole columns: of set operations, of VALUES, and of what is written into a table.

use super::{
    Result, Stop, Translator, Ty,
    cast::How,
    columns::named,
    destination::Destination,
    query::Body,
    refuse,
    scope::Typed,
    sortable::has_equality,
    sql::{Named, listed, sql},
    sql_expr::{SqlExpr, call, name},
    types::Target,
};

/// What becomes of the values of a set operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// They stay as they are.
    AsKept,
    /// Equal ones are found.
    Compared,
}

impl Translator<'_> {
    /// Gives both parts of a set operation the same types.
    pub(super) fn unify(&mut self, left: &mut Body, right: &mut Body, operator: &str) -> Result<()> {
        let (ones, others) = (left.columns(), right.columns());
        let word = operator.split(' ').next().unwrap_or(operator);
        if ones.len() != others.len() {
            return refuse(
                "42601",
                format!("each {word} query must have the same number of columns"),
                None,
            );
        }
        let mut targets = vec![];
        for (one, other) in ones.iter().zip(&others) {
            let ty = Self::common(word, &[one.clone(), other.clone()])?;
            targets.push(ty);
        }
        let form = if operator == "UNION ALL" {
            Form::AsKept
        } else {
            has_equality(ones.iter().chain(&others))?;
            Form::Compared
        };
        self.coerce_body(left, &targets, form)?;
        self.coerce_body(right, &targets, form)
    }

    fn coerced(&mut self, value: &Typed, ty: Ty, form: Form) -> Result<Typed> {
        let (called, contents) = (value.name.clone(), value.contents.clone());
        let value = whole(self.implicitly(value.clone(), ty)?);
        let value = match form {
            Form::AsKept => value,
            Form::Compared => {
                let exact = ty == Ty::Numeric;
                let value = Typed { exact, ..value };
                Typed {
                    expr: value.key(),
                    ..value
                }
            }
        };
        Ok(Typed {
            name: called,
            contents,
            ..value
        })
    }

    fn coerce_body(&mut self, body: &mut Body, targets: &[Ty], form: Form) -> Result<()> {
        match body {
            Body::Select(selected) => {
                for (item, ty) in selected.items.iter_mut().zip(targets) {
                    *item = self.coerced(item, *ty, form)?;
                }
            }
            Body::Values(rows) => {
                for row in rows {
                    for (cell, ty) in row.iter_mut().zip(targets) {
                        *cell = self.coerced(cell, *ty, form)?;
                    }
                }
            }
            Body::Set { left, right, .. } => {
                self.coerce_body(left, targets, form)?;
                self.coerce_body(right, targets, form)?;
            }
            Body::Query(sql, columns) => {
                let changed = columns.iter().zip(targets).any(|(column, ty)| {
                    let is_compared =
                        form == Form::Compared && (ty.collation().is_some() || column.row.is_some());
                    column.ty != *ty || column.scale.is_some() || is_compared
                });
                if changed {
                    let mut parts = vec![];
                    for (column, ty) in columns.iter_mut().zip(targets) {
                        let typed = column.typed(name(&column.inner));
                        let converted = self.coerced(&typed, *ty, form)?;
                        parts.push(sql![converted.expr, " AS ", Named(&column.inner)]);
                        (column.ty, column.exact, column.scale) = (*ty, converted.exact, None);
                    }
                    *sql = sql!["SELECT ", listed(parts), " FROM (", &*sql, ")"];
                }
            }
        }
        Ok(())
    }

    /// Literals of unknown type become text, the cells of VALUES one type for each column.
    pub(super) fn settle_body(&mut self, body: &mut Body) -> Result<()> {
        if let Body::Select(selected) = body {
            for item in &mut selected.items {
                let contents = item.contents.clone();
                *item = self.settled(item.clone())?.instead_of(contents);
            }
        }
        if let Body::Values(rows) = body {
            let width = rows.first().map_or(0, Vec::len);
            let mut targets = vec![];
            for at in 0..width {
                let column: Vec<Typed> = rows.iter().map(|row| row[at].clone()).collect();
                targets.push(Self::common("VALUES", &column)?);
            }
            self.coerce_body(body, &targets, Form::AsKept)?;
        }
        Ok(())
    }

    pub(super) fn assign_body(&mut self, body: &mut Body, targets: &[Destination]) -> Result<()> {
        match body {
            Body::Select(selected) => {
                for (item, target) in selected.items.iter_mut().zip(targets) {
                    *item = self.assign_to(item.clone(), target)?;
                }
            }
            Body::Values(rows) => {
                for row in rows {
                    for (cell, target) in row.iter_mut().zip(targets) {
                        *cell = self.assign_to(cell.clone(), target)?;
                    }
                }
            }
            Body::Set { .. } | Body::Query(..) => {
                let columns = named(&body.columns());
                let sql = self.render(body, &columns)?;
                let mut parts = vec![];
                for (column, target) in columns.iter().zip(targets) {
                    let typed = column.typed(name(&column.inner));
                    parts.push(self.assign_to(typed, target)?.full());
                }
                *body = Body::Query(sql!["SELECT ", listed(parts), " FROM (", sql, ")"], columns);
            }
        }
        Ok(())
    }

    /// A value for a column.
    pub(super) fn assign(&mut self, value: Typed, column: &str, target: Target) -> Result<Typed> {
        let (ty, position) = (value.ty, value.position);
        let is_given = value.literal.is_some() || value.parameter.is_some();
        let contents = value.contents.clone();
        // A number with a scale of its own keeps that where the column has none.
        let value = if target.ty == Ty::Numeric && target.modifier.is_none() {
            value.scaled()
        } else {
            value
        };
        self.convert(value, target, How::Assignment)
            .map(|value| if is_given { value } else { stored(value) })
            .map(|value| value.instead_of(contents))
            .map_err(|stop| match stop {
                Stop::Refused(refusal) if matches!(refusal.sqlstate, "42846" | "42804") => {
                    Stop::Refused(super::Refusal {
                        sqlstate: "42804",
                        message: format!(
                            "column \"{column}\" is of type {} but expression is of type {}",
                            target.ty.shown(),
                            ty.shown()
                        ),
                        detail: None,
                        hint: Some("You will need to rewrite or cast the expression.".into()),
                        position,
                    })
                }
                other => other,
            })
    }
}

/// What is stored of something that was made of text: not what stands for bytes that a function did not understand.
fn stored(value: Typed) -> Typed {
    let holds_text = matches!(
        value.ty,
        Ty::Text
            | Ty::Varchar
            | Ty::Bpchar
            | Ty::Name
            | Ty::Char
            | Ty::Bytea
            | Ty::Json
            | Ty::Jsonb
            | Ty::Xml
            | Ty::Composite
            | Ty::Dynamic
            | Ty::Array(_)
    );
    let mut is_made = |part: &SqlExpr| part.called().is_some_and(|call| call.name.starts_with("pg_"));
    if !holds_text || !value.expr.has(&mut is_made) {
        return value;
    }
    Typed {
        expr: call("pg_stored", [value.expr]),
        ..value
    }
}

/// A value of which nothing is added when it is shown.
fn whole(value: Typed) -> Typed {
    Typed {
        expr: value.full(),
        exact: value.exact || value.scale.is_some(),
        scale: None,
        ..value
    }
}
