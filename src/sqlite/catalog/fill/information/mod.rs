//! The rows of `information_schema`.

mod keys;
mod routines;

use super::constraints::read_by;
use crate::sqlite::catalog::{
    definitions::Relation,
    describe::{self, Types},
    model::{Model, schema_name},
    rows::{Cell, Filling, Rows},
    source::{Column, Sequence, Table},
};

/// The rows of a view; `None` where there are none.
pub(super) fn rows(model: &Model, relation: &'static Relation) -> Option<Rows> {
    Some(match relation.name {
        "information_schema_catalog_name" => {
            let mut rows = Filling::new(relation, &["catalog_name"]);
            rows.add([Cell::from(&model.database)]);
            rows.done()
        }
        "enabled_roles" => {
            let mut rows = Filling::new(relation, &["role_name"]);
            rows.add([Cell::User]);
            rows.done()
        }
        "character_sets" => {
            let columns = [
                "character_set_name",
                "character_repertoire",
                "form_of_use",
                "default_collate_catalog",
                "default_collate_schema",
                "default_collate_name",
            ];
            let mut rows = Filling::new(relation, &columns);
            let database = Cell::from(&model.database);
            rows.add([
                "UTF8".into(),
                "UCS".into(),
                "UTF8".into(),
                database,
                "pg_catalog".into(),
                "C".into(),
            ]);
            rows.done()
        }
        "collations" | "collation_character_set_applicability" => collations(model, relation),
        "schemata" => schemata(model, relation),
        "tables" => tables(model, relation),
        "columns" => columns(model, relation),
        "views" => views(model, relation),
        "view_table_usage" => views_tables(model, relation),
        "table_constraints" => keys::table_constraints(model, relation),
        "key_column_usage" => keys::key_columns(model, relation),
        "constraint_column_usage" => keys::constraint_columns(model, relation),
        "constraint_table_usage" => keys::constraint_tables(model, relation),
        "referential_constraints" => keys::references(model, relation),
        "check_constraints" => keys::checks(model, relation),
        "sequences" => super::sequences::information(model, relation),
        "routines" => routines::routines(model, relation),
        "parameters" => routines::parameters(model, relation),
        "triggers" => keys::triggers(model, relation),
        "table_privileges" | "role_table_grants" => table_privileges(model, relation),
        "column_privileges" | "role_column_grants" => column_privileges(model, relation),
        _ => return None,
    })
}

fn collations(model: &Model, relation: &Relation) -> Rows {
    let own = relation.name == "collations";
    let last = if own {
        "pad_attribute"
    } else {
        "character_set_name"
    };
    let columns = ["collation_catalog", "collation_schema", "collation_name", last];
    let mut rows = Filling::new(relation, &columns);
    for name in ["C", "POSIX", "ucs_basic"] {
        let last = if own { "NO PAD" } else { "UTF8" };
        rows.add([
            Cell::from(&model.database),
            "pg_catalog".into(),
            name.into(),
            last.into(),
        ]);
    }
    rows.done()
}

/// Catalogue, schema and name, as most views begin.
fn place(model: &Model, table: &Table) -> [Cell; 3] {
    [
        Cell::from(&model.database),
        schema_name(table).to_owned().into(),
        Cell::from(&table.name),
    ]
}

fn schemata(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["catalog_name", "schema_name", "schema_owner"]);
    let own = model.schemas().into_iter().map(|(_, name)| name);
    for name in ["pg_catalog", "information_schema"].into_iter().chain(own) {
        rows.add([Cell::from(&model.database), name.to_owned().into(), Cell::User]);
    }
    rows.done()
}

fn yes(truth: bool) -> Cell {
    (if truth { "YES" } else { "NO" }).into()
}

fn tables(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "table_catalog",
            "table_schema",
            "table_name",
            "table_type",
            "is_insertable_into",
            "is_typed",
        ],
    );
    for (_, table) in model.shown_tables() {
        let ty = match table.schema.as_str() {
            _ if table.is_view => "VIEW",
            "temp" => "LOCAL TEMPORARY",
            _ => "BASE TABLE",
        };
        let [catalog, schema, name] = place(model, table);
        rows.add([catalog, schema, name, ty.into(), yes(!table.is_view), yes(false)]);
    }
    for known in crate::sqlite::catalog::definitions::relations()
        .iter()
        .filter(|known| known.kind != "f")
    {
        let ty = if known.kind == "v" { "VIEW" } else { "BASE TABLE" };
        let catalog = Cell::from(&model.database);
        rows.add([
            catalog,
            known.schema.into(),
            known.name.into(),
            ty.into(),
            yes(false),
            yes(false),
        ]);
    }
    rows.done()
}

fn columns(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "table_catalog",
            "table_schema",
            "table_name",
            "column_name",
            "ordinal_position",
            "column_default",
            "is_nullable",
            "data_type",
            "character_maximum_length",
            "character_octet_length",
            "numeric_precision",
            "numeric_precision_radix",
            "numeric_scale",
            "datetime_precision",
            "interval_type",
            "udt_catalog",
            "udt_schema",
            "udt_name",
            "dtd_identifier",
            "is_self_referencing",
            "is_identity",
            "identity_generation",
            "identity_start",
            "identity_increment",
            "identity_maximum",
            "identity_minimum",
            "identity_cycle",
            "is_generated",
            "generation_expression",
            "is_updatable",
        ],
    );
    let types = Types::new();
    let database = || Cell::from(&model.database);
    let mut add = |[catalog, schema, table]: [Cell; 3],
                   position: i64,
                   column: &Column,
                   (ty, modifier): (i64, i64),
                   (default, generated, updatable, sequence): (
        Option<String>,
        Option<String>,
        bool,
        Option<Sequence>,
    )| {
        let sizes = Sizes::of(ty, modifier);
        let identity = match column.identity {
            "a" => Some("ALWAYS"),
            "d" => Some("BY DEFAULT"),
            _ => None,
        };
        let counted = |tell: fn(&Sequence) -> i64| sequence.as_ref().map(|facts| tell(facts).to_string());
        rows.add([
            catalog,
            schema,
            table,
            Cell::from(&column.name),
            position.into(),
            default.into(),
            yes(!column.not_null),
            data_type(&types, model, ty).into(),
            sizes.characters.into(),
            sizes.octets.into(),
            sizes.precision.into(),
            sizes.radix.into(),
            sizes.scale.into(),
            sizes.fraction.into(),
            interval_type(ty, modifier).into(),
            database(),
            "pg_catalog".into(),
            types.text(ty, "typname").to_owned().into(),
            position.to_string().into(),
            yes(false),
            yes(identity.is_some()),
            identity.into(),
            counted(|facts| facts.start).into(),
            counted(|facts| facts.increment).into(),
            counted(|facts| facts.max).into(),
            counted(|facts| facts.min).into(),
            yes(sequence.as_ref().is_some_and(|facts| facts.cycle)),
            (if generated.is_some() { "ALWAYS" } else { "NEVER" }).into(),
            generated.into(),
            yes(updatable && !column.is_generated),
        ]);
    };
    for (at, table) in model.tables.iter().enumerate() {
        for (position, column) in (1..).zip(&table.columns) {
            let place_of = position as usize - 1;
            let told = model.default_of(at, place_of);
            let (default, generated) = if column.is_generated {
                (None, told)
            } else {
                (told, None)
            };
            let ty = model.column_type(at, place_of);
            let sequence = model
                .sequence(at, place_of)
                .filter(|_| !column.identity.is_empty())
                .map(|own| model.sequence_facts(own));
            add(
                place(model, table),
                position,
                column,
                ty,
                (default, generated, !table.is_view, sequence),
            );
        }
    }
    for known in crate::sqlite::catalog::definitions::relations()
        .iter()
        .filter(|known| known.kind != "f")
    {
        for (position, column) in (1..).zip(&known.columns) {
            let facts = Column {
                name: column.name.to_owned(),
                not_null: column.not_null,
                ..Column::default()
            };
            add(
                [database(), known.schema.into(), known.name.into()],
                position,
                &facts,
                (types.number(column.ty), -1),
                (None, None, false, None),
            );
        }
    }
    rows.done()
}

fn data_type(types: &Types, model: &Model, ty: i64) -> String {
    if types.text(ty, "typcategory") == "A" {
        return "ARRAY".to_owned();
    }
    types.shown(model, ty, -1)
}

/// The number of `interval`.
const INTERVAL: i64 = 1186;

/// The fields of an interval that is restricted to some.
fn interval_type(ty: i64, modifier: i64) -> Option<String> {
    let fields = describe::interval_fields(modifier);
    let digits = match modifier & 0xffff {
        0xffff => String::new(),
        digits => format!("({digits})"),
    };
    (ty == INTERVAL && modifier >= 0 && !fields.is_empty())
        .then(|| format!("{fields}{digits}").to_uppercase())
}

/// How large values of a column may be.
#[derive(Default)]
struct Sizes {
    characters: Option<i64>,
    octets: Option<i64>,
    precision: Option<i64>,
    radix: Option<i64>,
    scale: Option<i64>,
    fraction: Option<i64>,
}

impl Sizes {
    fn of(ty: i64, modifier: i64) -> Self {
        let length = (modifier >= 4).then(|| modifier - 4);
        let binary = |precision, scale| Self {
            precision: Some(precision),
            radix: Some(2),
            scale,
            ..Self::default()
        };
        match ty {
            21 => binary(16, Some(0)),
            23 => binary(32, Some(0)),
            20 => binary(64, Some(0)),
            700 => binary(24, None),
            701 => binary(53, None),
            1700 => Self {
                precision: length.map(|length| length >> 16),
                radix: Some(10),
                scale: length.map(|length| length & 0x7ff),
                ..Self::default()
            },
            25 => Self {
                octets: Some(1 << 30),
                ..Self::default()
            },
            1042 | 1043 => Self {
                characters: length,
                octets: Some(length.map_or(1 << 30, |length| length * 4)),
                ..Self::default()
            },
            1082 => Self {
                fraction: Some(0),
                ..Self::default()
            },
            1083 | 1114 | 1184 | 1266 => Self {
                fraction: Some(if modifier < 0 { 6 } else { modifier }),
                ..Self::default()
            },
            INTERVAL => Self {
                fraction: Some(match modifier & 0xffff {
                    0xffff => 6,
                    digits => digits,
                }),
                ..Self::default()
            },
            1560 | 1562 => Self {
                characters: (modifier >= 0).then_some(modifier),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

fn views(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "table_catalog",
            "table_schema",
            "table_name",
            "view_definition",
            "check_option",
            "is_updatable",
            "is_insertable_into",
            "is_trigger_updatable",
            "is_trigger_deletable",
            "is_trigger_insertable_into",
        ],
    );
    for table in model.tables.iter().filter(|table| table.is_view) {
        let [catalog, schema, name] = place(model, table);
        let no = || yes(false);
        rows.add([
            catalog,
            schema,
            name,
            describe::view(table).into(),
            "NONE".into(),
            no(),
            no(),
            no(),
            no(),
            no(),
        ]);
    }
    rows.done()
}

/// The tables and views that each view reads.
fn views_tables(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "view_catalog",
        "view_schema",
        "view_name",
        "table_catalog",
        "table_schema",
        "table_name",
    ];
    let mut rows = Filling::new(relation, &columns);
    for view in model.tables.iter().filter(|table| table.is_view) {
        for read in read_by(model, view) {
            let read = model.relation(read).map(|own| &model.tables[own.table]);
            let places = read.map(|read| place(model, view).into_iter().chain(place(model, read)));
            rows.add_all(places.into_iter().flatten());
        }
    }
    rows.done()
}

/// Whoever can log in may do everything.
const PRIVILEGES: [&str; 4] = ["INSERT", "SELECT", "UPDATE", "DELETE"];

fn table_privileges(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "grantor",
            "grantee",
            "table_catalog",
            "table_schema",
            "table_name",
            "privilege_type",
            "is_grantable",
            "with_hierarchy",
        ],
    );
    for (_, table) in model.shown_tables() {
        for privilege in PRIVILEGES {
            let [catalog, schema, name] = place(model, table);
            let hierarchy = yes(privilege == "SELECT");
            rows.add([
                Cell::User,
                Cell::User,
                catalog,
                schema,
                name,
                privilege.into(),
                yes(true),
                hierarchy,
            ]);
        }
    }
    rows.done()
}

fn column_privileges(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "grantor",
            "grantee",
            "table_catalog",
            "table_schema",
            "table_name",
            "column_name",
            "privilege_type",
            "is_grantable",
        ],
    );
    for table in &model.tables {
        for column in &table.columns {
            for privilege in &PRIVILEGES[..3] {
                let [catalog, schema, name] = place(model, table);
                let column = Cell::from(&column.name);
                rows.add([
                    Cell::User,
                    Cell::User,
                    catalog,
                    schema,
                    name,
                    column,
                    (*privilege).into(),
                    yes(true),
                ]);
            }
        }
    }
    rows.done()
}
