//! What is dropped or emptied, with what depends on it.

use sqlparser::{
    ast::{CascadeOption, ObjectName, ObjectType, Truncate, TruncateIdentityOption},
    dialect::SQLiteDialect,
    tokenizer::{Token, Tokenizer},
};

use super::{
    KEPT, NOTHING, Object, Refusal, Result, SequenceName, Stop, Translator, dml, refuse, refuse_with,
    sequence_users::users_of_sequence, string, unsupported,
};

/// What is dropped: its kind, the names, and how.
pub(super) struct Dropped<'d> {
    pub(super) kind: ObjectType,
    pub(super) names: &'d [ObjectName],
    pub(super) if_exists: bool,
    pub(super) cascade: bool,
}

/// What refuses to drop an index that alone makes unique what a foreign key refers to: SQLite would take no more rows.
fn unneeded(name: &str, cascades: bool) -> String {
    let (sqlstate, message) = if cascades {
        let message = format!(
            "DROP INDEX {name} CASCADE, which a foreign key needs, is not supported on a SQLite file"
        );
        ("0A000", message)
    } else {
        let message = format!("cannot drop index {name} because other objects depend on it");
        ("2BP01", message)
    };
    let (index, message) = (string(name), string(&message));
    let columns = |source: &str| {
        format!("(SELECT json_group_array(name) FROM (SELECT lower(name) AS name FROM {source} ORDER BY 1))")
    };
    let (of_index, of_primary) = (
        columns("pg_catalog.pragma_index_info(list.name, 'main')"),
        columns("pg_catalog.pragma_table_info(own.tbl_name, 'main') WHERE pk > 0"),
    );
    format!(
        "WITH keys(name, columns) AS (SELECT list.name, {of_index} FROM main.sqlite_schema AS own, \
         pg_catalog.pragma_index_list(own.tbl_name, 'main') AS list \
         WHERE own.name = {index} AND list.\"unique\" AND NOT list.partial) \
         SELECT pg_raise('{sqlstate}', {message}) FROM main.sqlite_schema AS own, main.sqlite_schema AS child \
         WHERE own.name = {index} AND child.type = 'table' AND EXISTS (SELECT 1 FROM \
         (SELECT max(parent) AS parent, json_group_array(name) AS columns FROM \
         (SELECT id, lower(\"to\") AS name, \"table\" AS parent FROM pg_catalog.pragma_foreign_key_list(child.name, 'main') \
         ORDER BY 2) GROUP BY id) AS key WHERE key.parent = own.tbl_name COLLATE NOCASE \
         AND key.columns IN (SELECT columns FROM keys WHERE keys.name = {index}) \
         AND key.columns NOT IN (SELECT columns FROM keys WHERE keys.name <> {index}) \
         AND key.columns <> {of_primary})"
    )
}

impl Translator<'_> {
    /// A schema that is there is a file, which nothing that a client sends takes away.
    fn drop_schema(&mut self, dropped: &Dropped<'_>) -> Result<String> {
        for name in dropped.names {
            let (_, name) = self.split(name)?;
            if name == "public" || self.names.has_schema(&name) {
                return refuse_with(
                    "0A000",
                    format!("DROP SCHEMA \"{name}\" is not supported on a SQLite file"),
                    "A schema is a file of its own: start the server without its --attach.",
                );
            }
            if !dropped.if_exists {
                return refuse("3F000", format!("schema \"{name}\" does not exist"), None);
            }
            self.pass_over_missing(&format!("schema \"{name}\""));
        }
        Ok(NOTHING.into())
    }

    pub(super) fn drop_objects(&mut self, dropped: &Dropped<'_>) -> Result<String> {
        let word = match dropped.kind {
            ObjectType::Table => "table",
            ObjectType::View => "view",
            ObjectType::Index => "index",
            ObjectType::Sequence => return self.drop_sequences(dropped),
            ObjectType::Schema => return self.drop_schema(dropped),
            ObjectType::MaterializedView
            | ObjectType::Type
            | ObjectType::Role
            | ObjectType::Database
            | ObjectType::User
            | ObjectType::Collation => {
                return unsupported(format!("DROP {}", dropped.kind), None);
            }
            _ => return Err(Stop::AsItStands),
        };
        let objects = self.names.objects("main");
        let mut gone: Vec<String> = vec![];
        let mut elsewhere = vec![];
        for name in dropped.names {
            let (schema, name) = self.found_in(name)?;
            let is_own = schema.as_deref() == Some("temp");
            if !is_own && KEPT.iter().any(|kept| name.eq_ignore_ascii_case(kept)) {
                return refuse_with(
                    "42501",
                    format!("permission denied: \"{name}\" is a system catalog"),
                    "DROP SEQUENCE and lo_unlink take away what is in it.",
                );
            }
            let within = schema.as_deref().filter(|schema| !is_files_own(schema));
            let found = objects
                .iter()
                .filter(|object| object.kind != "trigger")
                .find(|object| object.name.eq_ignore_ascii_case(&name));
            match found {
                Some(object) if within.is_none() => {
                    if object.kind != word {
                        let article = if word == "index" { "an" } else { "a" };
                        return refuse_with(
                            "42809",
                            format!("\"{name}\" is not {article} {word}"),
                            &format!("Use DROP {} to remove it.", object.kind.to_uppercase()),
                        );
                    }
                    if !gone.contains(&object.name) {
                        gone.push(object.name.clone());
                    }
                }
                _ if dropped.if_exists && !self.has_object(within.unwrap_or("main"), &name) => {
                    let missing = within.filter(|within| *within != "temp" && !self.names.has_schema(within));
                    let missing = missing.map(|schema| format!("schema \"{schema}\""));
                    self.pass_over_missing(&missing.unwrap_or_else(|| format!("{word} \"{name}\"")));
                }
                // Temporary objects and attached files.
                _ => {
                    if word == "table" && within == Some("temp") {
                        elsewhere.push(with_sequences("pg_drop_sequences_of", (&name, "temp")));
                    }
                    elsewhere.push(format!(
                        "DROP {} {}{}",
                        word.to_uppercase(),
                        if dropped.if_exists { "IF EXISTS " } else { "" },
                        dml::qualified(schema.as_deref(), &name)
                    ));
                }
            }
        }
        if word == "table" || word == "view" {
            self.with_dependents(&objects, &gone, (word, dropped.cascade))?;
        }
        let mut all: Vec<String> = order(&objects, &gone)
            .into_iter()
            .map(|name| format!("DROP {} {}", word.to_uppercase(), self.of_the_file(name)))
            .collect();
        if word == "index" {
            for name in &gone {
                self.first(unneeded(name, dropped.cascade));
            }
        }
        if word == "table" {
            for name in &gone {
                all.insert(0, with_sequences("pg_drop_sequences_of", (name, "main")));
            }
        }
        all.extend(elsewhere);
        let last = all.pop().unwrap_or_else(|| NOTHING.into());
        for sql in all {
            self.first(sql);
        }
        Ok(last)
    }

    /// Schema and name of what is dropped or emptied: the session's own where it hides one of the file.
    fn found_in(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        let (schema, name) = self.to_change(name)?;
        let schema = match schema {
            None if self.names.is_temporary(&name) => Some("temp".into()),
            // What is no more in the file is in no other one either.
            None if self.names.is_attached_alone(&name) => Some("main".into()),
            schema => schema,
        };
        Ok((schema, name))
    }

    /// A table, view or index of the file, whatever else is called so.
    fn of_the_file(&self, name: &str) -> String {
        dml::qualified(Some(&self.schema_of("public".into(), name)), name)
    }

    fn drop_sequences(&mut self, dropped: &Dropped<'_>) -> Result<String> {
        for name in dropped.names {
            let (schema, name) = self.split(name)?;
            self.check_sequence_is_unused(&SequenceName::of(&name, schema.as_deref()), dropped.cascade)?;
            let may = i32::from(dropped.if_exists);
            let schema = schema.map_or_else(|| "NULL".to_owned(), |schema| string(&schema));
            self.first(format!(
                "SELECT pg_drop_sequence({}, {may}, {schema})",
                string(&name)
            ));
        }
        Ok(NOTHING.into())
    }

    /// Refuses to drop a sequence that a column draws from.
    fn check_sequence_is_unused(&self, sequence: &SequenceName, cascade: bool) -> Result<()> {
        let name = &sequence.name;
        for user in users_of_sequence(self.names, sequence) {
            let of = format!("column {} of table {}", user.column, user.table);
            let message = format!("cannot drop sequence {name} because");
            if user.is_identity {
                return refuse_with(
                    "2BP01",
                    format!("{message} {of} requires it"),
                    &format!("You can drop {of} instead."),
                );
            }
            if !cascade {
                return depends(
                    "sequence",
                    name,
                    &format!("default value for {of} depends on sequence {name}"),
                );
            }
        }
        Ok(())
    }

    /// What depends on tables or views that go: it goes too, or they stay.
    fn with_dependents(
        &mut self,
        objects: &[Object],
        gone: &[String],
        (word, cascade): (&str, bool),
    ) -> Result<()> {
        let mut reached: Vec<String> = gone.to_vec();
        let mut at = 0;
        while at < reached.len() {
            let name = reached[at].clone();
            at += 1;
            for view in objects.iter().filter(|object| object.kind == "view") {
                if reached.contains(&view.name) || !reads(&view.sql, &name) {
                    continue;
                }
                if !cascade {
                    return depends(
                        word,
                        &name,
                        &format!("view {} depends on {word} {name}", view.name),
                    );
                }
                self.first(format!("DROP VIEW {}", self.of_the_file(&view.name)));
                reached.push(view.name.clone());
            }
        }
        for child in objects.iter().filter(|object| object.kind == "table") {
            if gone.contains(&child.name) {
                continue;
            }
            let Some(parent) = child
                .parents
                .iter()
                .find(|parent| gone.iter().any(|name| name.eq_ignore_ascii_case(parent)))
            else {
                continue;
            };
            if !cascade {
                let detail = format!("a foreign key of table {} depends on table {parent}", child.name);
                return depends(word, parent, &detail);
            }
            return refuse_with(
                "0A000",
                format!(
                    "DROP TABLE … CASCADE of a table that a foreign key of \"{}\" refers to is not supported on a SQLite file",
                    child.name
                ),
                "Drop the foreign key or its table first.",
            );
        }
        Ok(())
    }

    pub(super) fn truncate(&mut self, truncate: &Truncate) -> Result<String> {
        let objects = self.names.objects("main");
        let mut tables: Vec<String> = vec![];
        let mut elsewhere = vec![];
        let mut counts: Vec<String> = vec![];
        for target in &truncate.table_names {
            let (schema, table) = self.found_in(&target.name)?;
            self.columns_of(schema.as_deref(), &table)?;
            let within = schema.as_deref().is_some_and(|schema| !is_files_own(schema));
            let is_it = |object: &&Object| object.kind == "table" && object.name.eq_ignore_ascii_case(&table);
            if let Some(object) = objects.iter().find(is_it).filter(|_| !within) {
                tables.push(object.name.clone());
                continue;
            }
            let sql = format!("DELETE FROM {}", dml::qualified(schema.as_deref(), &table));
            elsewhere.push(sql);
            if schema.as_deref() == Some("temp") {
                counts.push(table);
            }
        }
        let cascade = truncate.cascade == Some(CascadeOption::Cascade);
        let mut at = 0;
        while at < tables.len() {
            let parent = tables[at].clone();
            at += 1;
            for child in &objects {
                let refers = child
                    .parents
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(&parent));
                if !refers || tables.contains(&child.name) {
                    continue;
                }
                if !cascade {
                    return Err(Stop::Refused(Refusal {
                        sqlstate: "0A000",
                        message: "cannot truncate a table referenced in a foreign key constraint".into(),
                        detail: None,
                        hint: Some(format!(
                            "Truncate table \"{}\" at the same time, or use TRUNCATE ... CASCADE.",
                            child.name
                        )),
                        position: None,
                    }));
                }
                tables.push(child.name.clone());
            }
        }
        let mut all: Vec<String> = order(&objects, &tables)
            .into_iter()
            .map(|name| format!("DELETE FROM {}", self.of_the_file(name)))
            .collect();
        all.extend(elsewhere);
        if truncate.identity == Some(TruncateIdentityOption::Restart) {
            let own = tables.iter().map(|name| (name.as_str(), "main"));
            let others = counts.iter().map(|name| (name.as_str(), "temp"));
            for table in own.chain(others) {
                all.insert(0, with_sequences("pg_restart_sequences_of", table));
            }
        }
        let last = all.pop().unwrap_or_else(|| NOTHING.into());
        for sql in all {
            self.first(sql);
        }
        Ok(last)
    }
}

/// True for the schema of the file itself.
fn is_files_own(schema: &str) -> bool {
    matches!(schema, "public" | "main")
}

/// What a function does with the sequences of a table, which is in a schema of SQLite's.
fn with_sequences(function: &str, (table, schema): (&str, &str)) -> String {
    format!("SELECT {function}({}, {})", string(table), string(schema))
}

fn depends<T>(word: &str, name: &str, detail: &str) -> Result<T> {
    Err(Stop::Refused(Refusal {
        sqlstate: "2BP01",
        message: format!("cannot drop {word} {name} because other objects depend on it"),
        detail: Some(detail.to_owned()),
        hint: Some("Use DROP ... CASCADE to drop the dependent objects too.".into()),
        position: None,
    }))
}

/// Those that refer to others first.
fn order<'n>(objects: &[Object], names: &'n [String]) -> Vec<&'n str> {
    let mut left: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut done = vec![];
    while !left.is_empty() {
        let free = left.iter().position(|name| {
            !objects.iter().any(|object| {
                object.name != *name
                    && left.contains(&object.name.as_str())
                    && object
                        .parents
                        .iter()
                        .any(|parent| parent.eq_ignore_ascii_case(name))
            })
        });
        done.push(left.remove(free.unwrap_or(0)));
    }
    done
}

/// Whether a view's definition reads a relation.
fn reads(sql: &str, name: &str) -> bool {
    let Ok(tokens) = Tokenizer::new(&SQLiteDialect {}, sql).tokenize() else {
        return false;
    };
    let mut before: Option<&Token> = None;
    for token in tokens
        .iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
    {
        if let Token::Word(word) = token
            && word.value.eq_ignore_ascii_case(name)
        {
            let stands = match before {
                Some(Token::Comma | Token::Period | Token::LParen) => true,
                Some(Token::Word(word)) => ["from", "join"]
                    .iter()
                    .any(|known| word.value.eq_ignore_ascii_case(known)),
                _ => false,
            };
            if stands {
                return true;
            }
        }
        before = Some(token);
    }
    false
}
