//! Objects in words: definitions, types, comments, signatures of functions.

use std::{fmt::Write as _, sync::Arc};

use rusqlite::{Connection, Result, functions::Context};

use super::{failed, names, number, scalar, text};
use crate::{
    pgtypes::array::array_elements,
    sqlite::catalog::{
        content::Catalog,
        definitions::{find, fixed_rows, relations},
        describe::{self, Types},
        fill::rule_of,
        indexed,
        model::{Model, OWNER, TEMPORARY},
        pretty::Shown,
        rows::{Cell, Key},
    },
};

/// A function with one object as its first argument: adds it for these numbers of arguments.
fn of_object<F>(
    connection: &Connection,
    catalog: &Arc<Catalog>,
    name: &str,
    arguments: &[i32],
    tell: F,
) -> Result<()>
where
    F: Fn(&Model, i64, &Context<'_>) -> Result<Option<String>> + Clone + Send + 'static,
{
    let catalog = Arc::clone(catalog);
    scalar(connection, name, arguments, move |context| {
        match number(context, 0)? {
            Some(oid) => tell(&catalog.model(), oid, context),
            None => Ok(None),
        }
    })
}

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    definitions(connection, catalog)?;
    comments(connection, catalog)?;
    functions(connection)?;
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_my_temp_schema", &[0], move |_| {
        // It is there once something is in it.
        let own = shown.model().schemas().iter().any(|(oid, _)| *oid == TEMPORARY);
        Ok(if own { TEMPORARY } else { 0 })
    })?;
    let client = catalog.client.clone();
    scalar(connection, "pg_get_userbyid", &[1], move |context| {
        let Some(oid) = number(context, 0)? else {
            return Ok(None);
        };
        if oid == OWNER {
            return Ok(Some(client.user.clone()));
        }
        let known = find("pg_catalog", "pg_authid").and_then(|relation| {
            let rows = fixed_rows(relation);
            let found = *rows.find(0, &Key::Integer(oid)).first()?;
            rows.row(found)[1].text().map(str::to_owned)
        });
        Ok(Some(known.unwrap_or_else(|| format!("unknown (OID={oid})"))))
    })?;
    // Two tables of one name are told apart by their schemas: what is not searched is not visible.
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_table_is_visible", &[1], move |context| {
        let Some(oid) = number(context, 0)? else {
            return Ok(None);
        };
        let own = shown.model();
        if let Some(relation) = own.relation(oid) {
            return Ok(Some(own.is_visible(relation)));
        }
        let known = relations()
            .iter()
            .find(|known| known.oid == oid && known.kind != "f");
        Ok(known.map(|known| known.schema == "pg_catalog"))
    })
}

fn definitions(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    of_object(
        connection,
        catalog,
        "pg_get_indexdef",
        &[1, 2, 3],
        |model, oid, context| {
            let Some(relation) = model.relation(oid) else {
                return Ok(None);
            };
            let Some(keyed) = model.index(relation) else {
                return Ok(None);
            };
            let table = &model.tables[relation.table];
            let position = number(context, 1)?.unwrap_or_default();
            let shown = asked(context, 2)?;
            Ok(match usize::try_from(position) {
                Ok(0) | Err(_) => Some(indexed::definition(table, keyed, shown)),
                Ok(position) => Some(indexed::column(table, keyed, position, shown).unwrap_or_default()),
            })
        },
    )?;
    of_object(
        connection,
        catalog,
        "pg_get_constraintdef",
        &[1, 2],
        |model, oid, context| {
            let shown = asked(context, 1)?;
            Ok(model
                .constraint(oid)
                .map(|constraint| describe::constraint(model, constraint, shown)))
        },
    )?;
    of_object(
        connection,
        catalog,
        "pg_get_triggerdef",
        &[1, 2],
        |model, oid, _| {
            Ok(model
                .triggers
                .iter()
                .find(|trigger| trigger.oid == oid)
                .map(|trigger| trigger.sql.clone()))
        },
    )?;
    of_object(
        connection,
        catalog,
        "format_type",
        &[1, 2],
        |model, oid, context| {
            let types = Types::new();
            Ok(Some(match number(context, 1)? {
                Some(modifier) => types.of_column(model, oid, modifier),
                None => types.shown(model, oid, -1),
            }))
        },
    )?;
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_get_viewdef", &[1, 2], move |context| {
        let model = shown.model();
        let Some(name) = text(context, 0)? else {
            return Ok(None);
        };
        let oid = name
            .parse()
            .ok()
            .or_else(|| names::relation_number(&model, &name));
        let Some(oid) = oid else {
            return Err(failed(format!("relation \"{name}\" does not exist")));
        };
        let view = model
            .relation(oid)
            .map(|relation| &model.tables[relation.table])
            .filter(|table| table.is_view);
        Ok(view.map(describe::view))
    })?;
    of_object(connection, catalog, "pg_get_ruledef", &[1, 2], |model, oid, _| {
        let views = model
            .tables
            .iter()
            .zip(&model.oids)
            .filter(|(table, _)| table.is_view);
        let view = views.into_iter().find(|(_, view)| rule_of(**view) == oid);
        Ok(view.map(|(table, &view)| {
            format!(
                "CREATE RULE \"_RETURN\" AS\n    ON SELECT TO {} DO INSTEAD {}",
                describe::relation(model, view).unwrap_or_default(),
                describe::view(table)
            )
        }))
    })?;
    // Expressions are kept as they are written.
    scalar(connection, "pg_get_expr", &[2, 3], |context| {
        let shown = asked(context, 2)?;
        Ok(text(context, 0)?.map(|expression| shown.of(&expression)))
    })
}

/// Whether a function's argument asks for as few parentheses as can be.
fn asked(context: &Context<'_>, argument: usize) -> Result<Shown> {
    let is_pretty = context.len() > argument && number(context, argument)? == Some(1);
    Ok(if is_pretty { Shown::Pretty } else { Shown::Full })
}

fn comments(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    of_object(
        connection,
        catalog,
        "col_description",
        &[2],
        |model, oid, context| {
            let position =
                number(context, 1)?.and_then(|position| usize::try_from(position.checked_sub(1)?).ok());
            let table = model.relation(oid).filter(|relation| relation.is_table());
            let column = table
                .zip(position)
                .and_then(|(relation, at)| model.tables[relation.table].columns.get(at));
            Ok(column.and_then(|column| column.comment.clone()))
        },
    )?;
    of_object(
        connection,
        catalog,
        "obj_description",
        &[1, 2],
        |model, oid, context| {
            let catalog = text(context, 1)?;
            let table = model.relation(oid).filter(|relation| relation.is_table());
            let of_relations = catalog.is_none_or(|catalog| catalog == "pg_class");
            Ok(table
                .filter(|_| of_relations)
                .and_then(|relation| model.tables[relation.table].comment.clone()))
        },
    )?;
    scalar(connection, "oidvectortypes", &[1], |context| {
        Ok(text(context, 0)?.map(|types| type_list(&types).join(", ")))
    })?;
    scalar(connection, "shobj_description", &[2], |_| Ok(None::<String>))
}

/// One cell of a function's row in `pg_proc`.
fn of_function(oid: i64, column: &str) -> Option<Cell> {
    let relation = find("pg_catalog", "pg_proc")?;
    let rows = fixed_rows(relation);
    let position = *rows.find(0, &Key::Integer(oid)).first()?;
    let column = relation.columns.iter().position(|known| known.name == column)?;
    Some(rows.row(position)[column].clone())
}

/// A vector of types as SQL spells them.
fn type_list(vector: &str) -> Vec<String> {
    let types = Types::new();
    numbers(vector)
        .into_iter()
        .map(|number| types.shown(&Model::default(), number, -1))
        .collect()
}

/// The numbers of a vector or an array of them.
pub(super) fn numbers(vector: &str) -> Vec<i64> {
    let elements = array_elements(vector).into_iter().flatten();
    elements.filter_map(|number| number.parse().ok()).collect()
}

/// The arguments of a function with their names.
fn arguments(oid: i64) -> Option<String> {
    let list = |column: &str| {
        of_function(oid, column)
            .as_ref()
            .and_then(Cell::text)
            .map(str::to_owned)
    };
    let all = list("proallargtypes");
    let modes = list("proargmodes")
        .map(|modes| array_elements(&modes))
        .unwrap_or_default();
    let names = list("proargnames")
        .map(|names| array_elements(&names))
        .unwrap_or_default();
    let types = type_list(&all.or_else(|| list("proargtypes"))?);
    let mut told = vec![];
    for (at, ty) in types.into_iter().enumerate() {
        let name = names.get(at).cloned().flatten().unwrap_or_default();
        let mode = match modes.get(at).cloned().flatten().as_deref() {
            Some("o") => "OUT ",
            Some("b") => "INOUT ",
            Some("v") => "VARIADIC ",
            Some("t") => continue,
            _ => "",
        };
        let space = if name.is_empty() { "" } else { " " };
        told.push(format!("{mode}{name}{space}{ty}"));
    }
    Some(told.join(", "))
}

fn result(oid: i64) -> Option<String> {
    let ty = of_function(oid, "prorettype")?.integer()?;
    let set = of_function(oid, "proretset")? == Cell::Integer(1);
    let shown = Types::new().shown(&Model::default(), ty, -1);
    Some(if set { format!("SETOF {shown}") } else { shown })
}

/// The statement that would create a built-in function.
fn definition(oid: i64) -> Option<String> {
    let cell = |column: &str| of_function(oid, column);
    let word = |column: &str| cell(column).as_ref().and_then(Cell::text).map(str::to_owned);
    let language = if cell("prolang")?.integer() == Some(14) {
        "sql"
    } else {
        "internal"
    };
    let volatility = match word("provolatile")?.as_str() {
        "i" => " IMMUTABLE",
        "s" => " STABLE",
        _ => "",
    };
    let parallel = match word("proparallel")?.as_str() {
        "s" => " PARALLEL SAFE",
        "r" => " PARALLEL RESTRICTED",
        _ => "",
    };
    let strict = if cell("proisstrict")? == Cell::Integer(1) {
        " STRICT"
    } else {
        ""
    };
    let mut told = format!(
        "CREATE OR REPLACE FUNCTION pg_catalog.{}({})\n",
        word("proname")?,
        arguments(oid)?
    );
    let _ = write!(
        told,
        " RETURNS {}\n LANGUAGE {language}\n{volatility}{parallel}{strict}\n",
        result(oid)?
    );
    let _ = writeln!(told, "AS $function${}$function$", word("prosrc")?);
    Some(told)
}

fn functions(connection: &Connection) -> Result<()> {
    type Tell = fn(i64) -> Option<String>;
    let tell: [(&str, Tell); 4] = [
        ("pg_get_function_arguments", arguments),
        ("pg_get_function_identity_arguments", arguments),
        ("pg_get_function_result", result),
        ("pg_get_functiondef", definition),
    ];
    for (name, tell) in tell {
        scalar(connection, name, &[1], move |context| {
            Ok(number(context, 0)?.and_then(tell))
        })?;
    }
    Ok(())
}
