//! What stands within a value: elements and slices of arrays, parts of JSON, fields of records.

use sqlparser::ast::{AccessExpr, Expr, Subscript};

use super::{
    Result, Translator, Ty,
    cast::How,
    refuse,
    scope::Typed,
    sql_expr::{bare, call, call_with, infix, number, text},
    ty::Family,
    types::Target,
    unsupported,
};

impl Translator<'_> {
    /// `t.a[1]`, `(f(x)).b`: the names in front mean a column.
    pub(super) fn within(&mut self, root: &Expr, chain: &[AccessExpr]) -> Result<Typed> {
        // `(t).x` is `t.x`.
        let row = match root {
            Expr::Nested(inner) => match &**inner {
                Expr::Identifier(name) if self.whole_row(inner).is_some() => Some(name),
                Expr::QualifiedWildcard(name, _) => name.0.last().and_then(|part| part.as_ident()),
                _ => None,
            },
            Expr::Identifier(name) => Some(name),
            _ => None,
        };
        if let Some(field) = self.field_of_cast(root, chain)? {
            return Ok(field);
        }
        let Some(first) = row else {
            let root = self.expression(root)?;
            return self.access(root, chain);
        };
        let mut names = vec![first.clone()];
        names.extend(chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
            _ => None,
        }));
        let column = self.column(&names)?;
        self.access(column, &chain[names.len() - 1..])
    }

    /// A subscript, which is assigned to an integer.
    fn place(&mut self, index: Typed) -> Result<Typed> {
        let (ty, position) = (index.ty, index.position);
        let target = Target {
            ty: Ty::Int4,
            modifier: None,
        };
        if ty != Ty::Unknown && ty != Ty::Dynamic && ty.family() != Family::Number {
            return refuse("42804", "array subscript must have type integer", position);
        }
        self.convert(index, target, How::Assignment)
    }

    /// `a[1]`, `a[1:2]`, `(a).b`.
    pub(super) fn access(&mut self, root: Typed, chain: &[AccessExpr]) -> Result<Typed> {
        let name = root.name.clone();
        let mut subscripts = vec![];
        for access in chain {
            match access {
                AccessExpr::Dot(Expr::Identifier(field)) if matches!(root.ty, Ty::Record(_)) => {
                    return root.field(&super::folded(field)).map_or_else(
                        || {
                            refuse(
                                "42703",
                                format!("column \"{}\" not found in data type record", field.value),
                                root.position,
                            )
                        },
                        Ok,
                    );
                }
                AccessExpr::Subscript(subscript) => subscripts.push(subscript),
                AccessExpr::Dot(_) => return unsupported("a field of a value", root.position),
            }
        }
        let is_slice = |subscript: &&Subscript| matches!(subscript, Subscript::Slice { .. });
        if subscripts.iter().any(is_slice) {
            let sliced = self.slice(&root, &subscripts)?;
            return Ok(Typed { name, ..sliced });
        }
        let mut indexes = vec![];
        for subscript in subscripts {
            if let Subscript::Index { index } = subscript {
                indexes.push(self.expression(index)?);
            }
        }
        let mut value = root;
        // An array takes one for each of its dimensions.
        if let Ty::Array(of) = value.ty
            && !indexes.is_empty()
        {
            let mut places = vec![];
            for index in std::mem::take(&mut indexes) {
                places.push(self.place(index)?.expr);
            }
            let mut arguments = vec![value.expr, text(of.kept())];
            arguments.extend(places);
            value = Typed::new(call("pg_array_at", arguments), *of);
        }
        for index in indexes {
            let own = value.expr.clone();
            value = match value.ty {
                // Which are counted from 0.
                Ty::Vector(of) => {
                    let index = self.place(index)?;
                    let array = self.implicitly(value, of.array())?;
                    let of = of.internal();
                    let at = bare(infix(index.expr, "+", number(1)));
                    Typed::new(
                        call("pg_array_at", [array.expr, text(&of), at]),
                        Ty::named(&of).unwrap_or(Ty::Int2),
                    )
                }
                // A name is counted from 0, too.
                Ty::Name => {
                    let index = self.implicitly(index, Ty::Int4)?;
                    let at = bare(infix(index.expr, "+", number(1)));
                    Typed::new(call("substr", [own, at, number(1)]), Ty::Char)
                }
                Ty::Jsonb => {
                    let index = if index.ty.is_integer() {
                        index
                    } else {
                        self.implicitly(index, Ty::Text)?
                    };
                    Typed::new(call("pg_json_get", [own, index.expr]), Ty::Jsonb)
                }
                other => {
                    return refuse(
                        "42804",
                        format!(
                            "cannot subscript type {} because it does not support subscripting",
                            other.shown()
                        ),
                        value.position,
                    );
                }
            };
        }
        Ok(Typed { name, ..value })
    }

    /// `a[1:2]`; where one subscript is a slice, a number among them is one that begins at 1.
    fn slice(&mut self, root: &Typed, subscripts: &[&Subscript]) -> Result<Typed> {
        if !matches!(root.ty, Ty::Array(_)) {
            let words = format!(
                "cannot subscript type {} because it does not support subscripting",
                root.ty.shown()
            );
            return refuse("42804", words, root.position);
        }
        let mut bounds = vec![];
        for subscript in subscripts {
            let (low, high) = match subscript {
                Subscript::Index { index } => (None, Some(index)),
                Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    ..
                } => (lower_bound.as_ref(), upper_bound.as_ref()),
            };
            for (bound, default) in [(low, 1), (high, i32::MAX)] {
                bounds.push(match bound {
                    Some(bound) => {
                        let bound = self.expression(bound)?;
                        self.place(bound)?.expr
                    }
                    None => number(default),
                });
            }
        }
        let slice = call_with("pg_array_slice", root.expr.clone(), bounds);
        Ok(Typed::new(slice, root.ty))
    }
}
