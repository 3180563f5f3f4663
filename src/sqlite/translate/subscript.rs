//! What stands within a value: elements and slices of arrays, parts of JSON, fields of records.

use sqlparser::ast::{AccessExpr, Expr, Subscript};

use super::{
    Result, Translator, Ty, cast::How, refuse, scope::Typed, string, ty::Family, types::Target, unsupported,
};

impl Translator<'_> {
    /// `t.a[1]`, `(f(x)).b`: the names in front mean a column.
    pub(super) fn within(&mut self, root: &Expr, chain: &[AccessExpr]) -> Result<Typed> {
        // `(t).x` is `t.x`.
        let row = match root {
            Expr::Nested(inner) => match &**inner {
                Expr::Identifier(name) if self.whole_row(inner).is_some() => Some(name),
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
        let mut indexes = vec![];
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
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    indexes.push(self.expression(index)?);
                }
                AccessExpr::Subscript(Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    ..
                }) => {
                    let mut bound = |bound: &Option<Expr>, default: &str| match bound {
                        Some(bound) => {
                            let bound = self.expression(bound)?;
                            self.place(bound).map(|bound| bound.sql)
                        }
                        None => Ok(default.to_owned()),
                    };
                    let low = bound(lower_bound, "1")?;
                    let high = bound(upper_bound, "2147483647")?;
                    return Ok(Typed {
                        name,
                        ..Typed::new(format!("pg_array_slice({}, {low}, {high})", root.sql), root.ty)
                    });
                }
                AccessExpr::Dot(_) => return unsupported("a field of a value", root.position),
            }
        }
        let mut value = root;
        for index in indexes {
            let sql = value.sql.clone();
            value = match value.ty {
                Ty::Array(of) => {
                    let index = self.place(index)?;
                    Typed::new(
                        format!("pg_array_at({sql}, {}, {})", index.sql, string(&of.kept())),
                        *of,
                    )
                }
                // Which are counted from 0.
                Ty::Vector(of) => {
                    let index = self.place(index)?;
                    let array = self.implicitly(value, of.array())?;
                    let of = of.internal();
                    Typed::new(
                        format!("pg_array_at({}, {} + 1, {})", array.sql, index.sql, string(&of)),
                        Ty::named(&of).unwrap_or(Ty::Int2),
                    )
                }
                // A name is counted from 0, too.
                Ty::Name => {
                    let index = self.implicitly(index, Ty::Int4)?;
                    Typed::new(format!("substr({sql}, {} + 1, 1)", index.sql), Ty::Char)
                }
                Ty::Jsonb => {
                    let index = if index.ty.is_integer() {
                        index
                    } else {
                        self.implicitly(index, Ty::Text)?
                    };
                    Typed::new(format!("pg_json_get({sql}, {})", index.sql), Ty::Jsonb)
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
}
