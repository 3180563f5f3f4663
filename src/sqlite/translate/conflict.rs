//! ON CONFLICT: the key that it means, which SQLite wants by its columns, and that no row is affected twice.

use sqlparser::{
    ast::{ConflictTarget, Expr, OnConflict, OnConflictAction},
    dialect::SQLiteDialect,
    tokenizer::{Token, Tokenizer},
};

use super::{
    NamedColumn, OnConflictUpdate, Result, Translator, Write, WriteKind,
    changed::Written,
    conflict_target::{self, Target},
    index_text::IndexText,
    quoted, refuse, refuse_with,
    scope::Relation,
    sql::{Named, Sql, listed, sql},
    sql_expr::{SqlExpr, call, column, number, text, when},
    usual_name, write,
};

impl Translator<'_> {
    /// INSERT or UPDATE of a table, where a row that breaks a constraint is an error, whatever the table's own definition
    /// says: that may leave the row out, replace another one or keep half of the statement.
    pub(super) fn verb(&self, verb: &str, schema: Option<&str>, table: &str) -> String {
        if self.names.resolves_conflicts(schema, table) {
            format!("{verb} OR ABORT")
        } else {
            verb.to_owned()
        }
    }

    /// What becomes of rows whose key is there; the table stands in the innermost scope.
    pub(super) fn on_conflict(
        &mut self,
        conflict: &OnConflict,
        (schema, table): (Option<&str>, &str),
        (relation, columns): (&Relation, &[NamedColumn]),
        write: &mut Write,
    ) -> Result<Sql> {
        let mut sql = sql![" ON CONFLICT"];
        match &conflict.conflict_target {
            None if conflict.action != OnConflictAction::DoNothing => {
                let message = "ON CONFLICT DO UPDATE requires inference specification or constraint name";
                return refuse_with("42601", message, "For example, ON CONFLICT (column_name).");
            }
            None => {}
            Some(ConflictTarget::Columns(names)) => {
                if let Some(target) = conflict_target::marked(names, &self.apart.targets).cloned() {
                    sql.add(self.index_meant(&target, (relation, table), columns)?);
                } else {
                    let names = names.iter().map(|name| sql![Named(&super::folded(name))]);
                    sql.add(sql![" (", listed(names), ")"]);
                }
            }
            Some(ConflictTarget::OnConstraint(name)) => {
                let (_, constraint) = self.split(name)?;
                if let Some(names) = self.unique_columns(schema, table, &constraint) {
                    sql.add(sql![" (", names, ")"]);
                } else if constraint == usual_name::<&str>(table, &[], 'p') {
                    let mut keys: Vec<&NamedColumn> =
                        columns.iter().filter(|column| column.key > 0).collect();
                    keys.sort_by_key(|column| column.key);
                    let names = keys.iter().map(|column| Named(&column.name));
                    sql.add(sql![" (", listed(names), ")"]);
                } else {
                    return refuse(
                        "42704",
                        format!("constraint \"{constraint}\" for table \"{table}\" does not exist"),
                        None,
                    );
                }
            }
        }
        match &conflict.action {
            OnConflictAction::DoNothing => {
                write.on_conflict = Some(write::OnConflict::Nothing);
                sql.add(" DO NOTHING");
            }
            OnConflictAction::DoUpdate(update) => {
                if let Some(scope) = self.scopes.last_mut() {
                    let excluded = Relation {
                        name: "excluded".into(),
                        inner: "excluded".into(),
                        is_table: false,
                        ..Relation::of_table(table, columns)
                    };
                    scope.relations.push(excluded);
                    // A name alone means the row that is there.
                    for column in &mut scope.relations[1].columns {
                        column.shown = false;
                    }
                }
                let target = Written::new(schema, table, WriteKind::Update);
                let (set, condition) = self.before_write(target, |own| {
                    let set = own.assignments(&update.assignments, (schema, table), columns)?;
                    let condition = update.selection.as_ref();
                    let condition = condition.map(|condition| own.truth(condition, "WHERE"));
                    Ok((set, condition.transpose()?))
                })?;
                write.on_conflict = Some(write::OnConflict::Update(OnConflictUpdate {
                    own: relation.inner.clone(),
                    values: set.values().into(),
                    condition: condition.as_ref().map(|condition| sql![condition].into()),
                }));
                let affects = self.affects(schema, table, (relation, columns), condition);
                sql.add(sql![" DO UPDATE SET ", set.sql(), " WHERE ", affects]);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.relations.truncate(1);
                }
            }
        }
        Ok(sql)
    }

    /// The keys of an index and its condition, in the words in which the file has them.
    fn index_meant(
        &mut self,
        target: &Target,
        (relation, table): (&Relation, &str),
        columns: &[NamedColumn],
    ) -> Result<Sql> {
        self.enter_table(table, columns);
        if let Some(own) = self
            .scopes
            .last_mut()
            .and_then(|scope| scope.relations.first_mut())
        {
            own.name.clone_from(&relation.name);
        }
        let mut keys = vec![];
        for key in &target.keys {
            let is_column = matches!(key, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            let value = self.expression(key)?;
            keys.push(if is_column { value.expr } else { value.key() });
        }
        let mut sql = sql![" (", listed(keys), ")"];
        if let Some(predicate) = &target.predicate {
            sql.add(sql![" WHERE ", self.truth(predicate, "WHERE")?]);
        }
        self.scopes.pop();
        Ok(sql)
    }

    /// The condition by which a row is updated that is in the way of a new one: what the statement has affected before is
    /// refused whatever the client's own condition says of it.
    pub(super) fn affects(
        &self,
        schema: Option<&str>,
        table: &str,
        (relation, columns): (&Relation, &[NamedColumn]),
        condition: Option<SqlExpr>,
    ) -> SqlExpr {
        let schema = match schema {
            None if self.names.is_temporary(table) => "temp",
            None | Some("main") => "public",
            Some("pg_temp") => "temp",
            Some(other) => other,
        };
        let objects = self
            .names
            .objects(if schema == "public" { "main" } else { schema });
        let own = objects
            .iter()
            .find(|object| object.kind == "table" && object.name.eq_ignore_ascii_case(table));
        let row = if own.is_some_and(|own| has_no_rowid(&own.sql)) {
            let keys = columns.iter().filter(|column| column.key > 0);
            let keys = keys.map(|key| column(&relation.inner, &key.name));
            call("json_array", keys.collect::<Vec<_>>())
        } else {
            relation.row()
        };
        let name = own.map_or(table, |own| own.name.as_str());
        let affects = |updated: u8| {
            let place = [text(schema), text(name), row.clone(), number(updated)];
            call("pg_affects", place)
        };
        match condition {
            Some(condition) => when(affects(0), when(condition, affects(1)).end()).end(),
            None => affects(1),
        }
    }

    /// The columns of a unique or primary key of this name.
    pub(super) fn unique_columns(
        &self,
        schema: Option<&str>,
        table: &str,
        constraint: &str,
    ) -> Option<String> {
        let is_own = schema == Some("temp") || (schema.is_none() && self.names.is_temporary(table));
        let objects = self.names.objects(if is_own { "temp" } else { "main" });
        let index = objects.iter().find(|object| {
            object.kind == "index"
                && object.table.eq_ignore_ascii_case(table)
                && object.name.eq_ignore_ascii_case(constraint)
        });
        if let Some(index) = index {
            return Some(IndexText::read(&index.sql)?.keys.to_owned());
        }
        let own = objects
            .iter()
            .find(|object| object.kind == "table" && object.name.eq_ignore_ascii_case(table))?;
        if let Some(columns) = named_in(&own.sql, constraint) {
            return Some(columns);
        }
        // Without a name of its own, it has PostgreSQL's.
        let keys = self
            .names
            .keys(schema.filter(|schema| *schema != "public"), table);
        let key = keys
            .iter()
            .find(|columns| constraint == usual_name(table, columns, 'u'))?;
        let columns: Vec<String> = key.iter().map(|column| quoted(column)).collect();
        Some(columns.join(", "))
    }
}

/// True for a table that is made WITHOUT ROWID.
fn has_no_rowid(table: &str) -> bool {
    let words: Vec<String> = Tokenizer::new(&SQLiteDialect {}, table)
        .tokenize()
        .unwrap_or_default()
        .iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .map(|token| token.to_string().to_lowercase())
        .collect();
    let behind = words.iter().rposition(|word| word == ")").unwrap_or_default();
    words[behind..]
        .windows(2)
        .any(|pair| pair == ["without", "rowid"])
}

/// The columns of the key that has this name in a table's text.
fn named_in(table: &str, constraint: &str) -> Option<String> {
    let tokens = Tokenizer::new(&SQLiteDialect {}, table).tokenize().ok()?;
    let tokens: Vec<Token> = tokens
        .into_iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    let is = |at: usize, word: &str| matches!(tokens.get(at), Some(Token::Word(found)) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word));
    let named = |at: usize| matches!(tokens.get(at), Some(Token::Word(found)) if found.value.eq_ignore_ascii_case(constraint));
    let at = (0..tokens.len()).find(|at| is(*at, "constraint") && named(at + 1))?;
    let behind = if is(at + 2, "unique") {
        at + 3
    } else if is(at + 2, "primary") {
        at + 4
    } else {
        return None;
    };
    if tokens.get(behind) == Some(&Token::LParen) {
        let columns = tokens[behind + 1..]
            .iter()
            .take_while(|token| **token != Token::RParen);
        return Some(columns.map(ToString::to_string).collect::<Vec<_>>().join(" "));
    }
    // It stands behind its column, which is the first word of the item.
    let mut depth = 0;
    let start = tokens[..at].iter().rposition(|token| {
        match token {
            Token::RParen => depth += 1,
            Token::LParen if depth > 0 => depth -= 1,
            Token::LParen => return true,
            Token::Comma => return depth == 0,
            _ => {}
        }
        false
    })?;
    match tokens.get(start + 1)? {
        Token::Word(column) => Some(quoted(&column.value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_their_names() {
        let table = "CREATE TABLE t(a NUMERIC(5, 2) CONSTRAINT \"a key\" UNIQUE, \
                     \"b c\" INT4 DEFAULT (abs(1)) NOT NULL CONSTRAINT k PRIMARY KEY, CONSTRAINT both UNIQUE (a, \"b c\"), \
                     CONSTRAINT positive CHECK (a > 0))";
        for (name, expected) in [
            ("a key", Some("\"a\"")),
            ("K", Some("\"b c\"")),
            ("both", Some("a , \"b c\"")),
            ("positive", None),
            ("nosuch", None),
        ] {
            assert_eq!(named_in(table, name).as_deref(), expected, "{name}");
        }
    }
}
