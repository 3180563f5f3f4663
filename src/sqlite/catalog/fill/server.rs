//! What would belong to the server: the database, roles and settings.

use super::catalog;
use crate::sqlite::{
    catalog::{
        SERVER_VERSION, SERVER_VERSION_NUMBER,
        definitions::{self, Relation},
        model::{DATABASE, Model, OWNER, PG_CATALOG, PUBLIC},
        rows::{Cell, Filling, Rows},
    },
    translate::EXTENSIONS,
};

pub(super) fn databases(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "oid",
            "datname",
            "datdba",
            "encoding",
            "datlocprovider",
            "datallowconn",
            "datconnlimit",
            "dattablespace",
            "datcollate",
            "datctype",
        ],
    );
    rows.add([
        DATABASE.into(),
        Cell::from(&model.database),
        OWNER.into(),
        6.into(),
        "c".into(),
        true.into(),
        Cell::Integer(-1),
        1663.into(),
        "C".into(),
        "C.UTF-8".into(),
    ]);
    rows.done()
}

/// The language that every database has, with its version.
const LANGUAGE: (&str, &str) = ("plpgsql", "1.0");

/// The language, and what was created.
pub(super) fn extensions(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "oid",
            "extname",
            "extowner",
            "extnamespace",
            "extrelocatable",
            "extversion",
        ],
    );
    let language = (LANGUAGE.0.to_owned(), LANGUAGE.1.to_owned());
    for (at, (name, version)) in (0..).zip([&language].into_iter().chain(&model.extensions)) {
        let is_language = at == 0;
        rows.add([
            (13_559 + at).into(),
            Cell::from(name),
            OWNER.into(),
            (if is_language { PG_CATALOG } else { PUBLIC }).into(),
            (!is_language).into(),
            Cell::from(version),
        ]);
    }
    rows.done()
}

/// The language, and what can be created.
pub(super) fn available_extensions(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["name", "default_version", "installed_version"]);
    for (name, version) in [LANGUAGE].iter().chain(&EXTENSIONS) {
        let created = model.extensions.iter().find(|(known, _)| known == name);
        let installed = created.map(|(_, version)| version.clone());
        let installed = installed.or((*name == LANGUAGE.0).then(|| LANGUAGE.1.to_owned()));
        rows.add([(*name).into(), (*version).into(), installed.into()]);
    }
    rows.done()
}

const ROLE: [&str; 10] = [
    "oid",
    "rolname",
    "rolsuper",
    "rolinherit",
    "rolcreaterole",
    "rolcreatedb",
    "rolcanlogin",
    "rolreplication",
    "rolbypassrls",
    "rolconnlimit",
];

/// Whoever looks, who owns everything.
fn own_role() -> [Cell; 10] {
    let [yes, no] = [true, false].map(Cell::from);
    [
        OWNER.into(),
        Cell::User,
        no.clone(),
        yes.clone(),
        no.clone(),
        no.clone(),
        yes,
        no.clone(),
        no,
        Cell::Integer(-1),
    ]
}

pub(super) fn authorizations(relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &ROLE);
    rows.add(own_role());
    rows.done()
}

/// The roles that every server has.
fn usual_roles() -> impl Iterator<Item = [Cell; 10]> {
    let authorizations = catalog("pg_authid");
    let rows = definitions::fixed_rows(authorizations);
    let found: Vec<[Cell; 10]> = rows
        .iter()
        .map(|row| {
            ROLE.map(|name| {
                let position = authorizations
                    .columns
                    .iter()
                    .position(|column| column.name == name);
                position.map_or(Cell::Null, |position| row[position].clone())
            })
        })
        .collect();
    found.into_iter()
}

pub(super) fn roles(relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &ROLE);
    rows.add(own_role());
    usual_roles().for_each(|role| rows.add(role));
    rows.done()
}

pub(super) fn users(relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "usename",
            "usesysid",
            "usecreatedb",
            "usesuper",
            "userepl",
            "usebypassrls",
        ],
    );
    let no = || Cell::from(false);
    rows.add([Cell::User, OWNER.into(), no(), no(), no(), no()]);
    rows.done()
}

pub(super) fn settings(relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "name",
            "setting",
            "category",
            "context",
            "vartype",
            "source",
            "boot_val",
            "reset_val",
        ],
    );
    for (name, value, ty) in [
        ("server_version", SERVER_VERSION, "string"),
        ("server_version_num", SERVER_VERSION_NUMBER, "integer"),
    ] {
        let given = [
            name,
            value,
            "Preset Options",
            "internal",
            ty,
            "default",
            value,
            value,
        ];
        rows.add(given.map(Cell::from));
    }
    rows.done()
}
