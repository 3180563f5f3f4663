//! What indexes and their methods can do, and whether rows of a relation can be written, by the functions that ask for it.

use std::sync::Arc;

use rusqlite::{Connection, Result};

use super::{number, scalar, text};
use crate::sqlite::catalog::{
    content::Catalog,
    definitions::relations,
    describe,
    model::{BTREE, Model},
};

// What can be done, as `pg_relation_is_updatable` has it: 1 shifted by the number of the command.
const UPDATE: i64 = 1 << 2;
const INSERT: i64 = 1 << 3;
const DELETE: i64 = 1 << 4;

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_relation_is_updatable", &[2], move |context| {
        let (Some(oid), Some(by_triggers)) = (number(context, 0)?, number(context, 1)?) else {
            return Ok(None);
        };
        Ok(Some(writable(&shown.model(), oid, by_triggers != 0)))
    })?;
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_column_is_updatable", &[3], move |context| {
        let (Some(oid), Some(column), Some(by_triggers)) =
            (number(context, 0)?, number(context, 1)?, number(context, 2)?)
        else {
            return Ok(None);
        };
        // PostgreSQL calls a column so where its row can be both changed and deleted.
        let both = UPDATE | DELETE;
        let writable = writable(&shown.model(), oid, by_triggers != 0);
        Ok(Some(column > 0 && writable & both == both))
    })?;
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_index_column_has_property", &[3], move |context| {
        let (Some(oid), Some(position), Some(property)) =
            (number(context, 0)?, number(context, 1)?, text(context, 2)?)
        else {
            return Ok(None);
        };
        Ok(of_column(&shown.model(), oid, position, &property))
    })?;
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_index_has_property", &[2], move |context| {
        let (Some(oid), Some(property)) = (number(context, 0)?, text(context, 1)?) else {
            return Ok(None);
        };
        let model = shown.model();
        let is_index = model.relation(oid).and_then(|own| model.index(own)).is_some();
        let known = ["clusterable", "index_scan", "bitmap_scan", "backward_scan"];
        Ok((is_index && is_one_of(&property, &known)).then_some(true))
    })?;
    scalar(connection, "pg_indexam_has_property", &[2], |context| {
        let (Some(method), Some(property)) = (number(context, 0)?, text(context, 1)?) else {
            return Ok(None);
        };
        Ok(of_method(method, &property))
    })
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The commands that write rows of a relation. Those of a view are written by its triggers alone.
fn writable(model: &Model, oid: i64, by_triggers: bool) -> i64 {
    let is_known = |kind: &str| {
        relations()
            .iter()
            .any(|known| known.oid == oid && known.kind == kind)
    };
    let kind = model.relation(oid).map(|own| own.kind);
    if kind == Some('r') || (kind.is_none() && is_known("r")) {
        return INSERT | UPDATE | DELETE;
    }
    let Some(view) = model.relation(oid).filter(|own| own.kind == 'v' && by_triggers) else {
        return 0;
    };
    let own = model
        .triggers
        .iter()
        .filter(|trigger| trigger.table == view.table);
    let events = own
        .map(describe::trigger)
        .filter(|told| told.timing == "INSTEAD OF");
    events.fold(0, |all, told| {
        all | match told.event {
            "INSERT" => INSERT,
            "UPDATE" => UPDATE,
            _ => DELETE,
        }
    })
}

/// What a column of an index can do; `None` where there is no such column or property.
fn of_column(model: &Model, oid: i64, position: i64, property: &str) -> Option<bool> {
    let keyed = model.index(model.relation(oid)?)?;
    let at = usize::try_from(position).ok()?.checked_sub(1)?;
    keyed.columns.get(at)?;
    let descends = keyed
        .index
        .columns
        .get(at)
        .is_some_and(|(_, descending)| *descending);
    Some(match property.to_ascii_lowercase().as_str() {
        "asc" | "nulls_last" => !descends,
        "desc" | "nulls_first" => descends,
        "orderable" | "returnable" | "search_array" | "search_nulls" => true,
        "distance_orderable" => false,
        _ => return None,
    })
}

/// The properties of methods: ordered, unique, of several columns, for exclusion, with further columns.
const METHODS: [&str; 5] = [
    "can_order",
    "can_unique",
    "can_multi_col",
    "can_exclude",
    "can_include",
];

/// What a method of indexes can do: b-trees, hashes, `GiST`, GIN, SP-GiST and BRIN, by their numbers in `pg_am`.
fn of_method(method: i64, property: &str) -> Option<bool> {
    let can = match method {
        BTREE => [true; 5],
        405 => [false, false, false, true, false],
        783 => [false, false, true, true, true],
        2742 | 3580 => [false, false, true, false, false],
        4000 => [false, false, false, true, true],
        _ => return None,
    };
    let asked = METHODS
        .iter()
        .position(|known| property.eq_ignore_ascii_case(known))?;
    Some(can[asked])
}
