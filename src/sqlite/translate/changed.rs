//! Tables that the statement itself changes. PostgreSQL shows a statement the rows as they were before it; where SQLite
//! would show what has become of them, they are read before the statement runs.

use std::{cell::OnceCell, rc::Rc};

use super::{
    Names, Object, PrecedingStatement, Result, Translator, WriteKind, dml, query::names_of, refuse_with,
    rows_of_step, scope::Relation, sql::sql,
};
use crate::statement::sqlite_lexer;

/// A table that is written, and how.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) schema: Option<String>,
    pub(super) table: String,
    pub(super) kind: WriteKind,
}

impl Written {
    pub(super) fn new(schema: Option<&str>, table: &str, kind: WriteKind) -> Self {
        Self {
            schema: schema.map(str::to_owned),
            table: table.to_owned(),
            kind,
        }
    }
}

/// What some writes change, looked for once somebody wants to know.
#[derive(Debug, Default)]
pub(super) struct Changed {
    targets: Vec<Written>,
    found: OnceCell<Found>,
}

#[derive(Debug)]
struct Found {
    objects: Vec<Object>,
    /// In lower case.
    tables: Vec<String>,
}

impl Changed {
    pub(super) fn by(targets: Vec<Written>) -> Rc<Self> {
        Rc::new(Self {
            targets,
            found: OnceCell::new(),
        })
    }

    /// The same and one more.
    pub(super) fn and(&self, target: Written) -> Rc<Self> {
        Self::by(self.targets.iter().cloned().chain([target]).collect())
    }

    /// True for a table that may change, and for a view that reads one.
    pub(super) fn is_read(&self, names: &dyn Names, name: &str) -> bool {
        if self.targets.is_empty() {
            return false;
        }
        let found = self.found.get_or_init(|| Found::of(&self.targets, names));
        let mut open = vec![name.to_lowercase()];
        let mut at = 0;
        while let Some(name) = open.get(at).cloned() {
            if found.tables.contains(&name) {
                return true;
            }
            let answer = names.answer(&name);
            let views = found.objects.iter().filter(|object| object.kind == "view");
            let views = views.filter(|view| view.name.eq_ignore_ascii_case(&name));
            let texts = views.map(|view| view.sql.as_str()).chain(answer.as_deref());
            let read: Vec<String> = texts.flat_map(words).collect();
            for word in read {
                if !open.contains(&word) {
                    open.push(word);
                }
            }
            at += 1;
        }
        false
    }
}

impl Found {
    /// The tables that are written, and those that foreign keys and triggers write then.
    fn of(targets: &[Written], names: &dyn Names) -> Self {
        let mut schemas = vec!["main".to_owned(), "temp".to_owned()];
        for target in targets {
            let own = target.schema.as_deref().filter(|own| *own != "public");
            if let Some(own) = own.filter(|own| !schemas.iter().any(|schema| schema == own)) {
                schemas.push(own.to_owned());
            }
        }
        let objects: Vec<Object> = schemas.iter().flat_map(|schema| names.objects(schema)).collect();
        let is_table = |word: &String| {
            let mut tables = objects.iter().filter(|object| object.kind == "table");
            tables.any(|table| table.name.eq_ignore_ascii_case(word))
        };
        let mut tables: Vec<String> = vec![];
        let mut open: Vec<(String, bool)> = targets
            .iter()
            .map(|target| (target.table.to_lowercase(), target.kind != WriteKind::Insert))
            .collect();
        while let Some((table, has_children)) = open.pop() {
            for object in &objects {
                let is_child = || {
                    let mut parents = object.parents.iter();
                    has_children
                        && parents.any(|parent| parent.eq_ignore_ascii_case(&table))
                        && acts(&object.sql)
                };
                let more: Vec<String> = match object.kind.as_str() {
                    "table" if is_child() => vec![object.name.to_lowercase()],
                    "trigger" if object.table.eq_ignore_ascii_case(&table) => {
                        words(&object.sql).filter(is_table).collect()
                    }
                    _ => vec![],
                };
                for name in more {
                    if name != table
                        && !tables.contains(&name)
                        && !open.iter().any(|(other, _)| *other == name)
                    {
                        open.push((name, true));
                    }
                }
            }
            tables.push(table);
        }
        Self { objects, tables }
    }
}

/// True for a table whose foreign keys change rows with the rows that they refer to.
fn acts(table: &str) -> bool {
    let table = table.to_ascii_lowercase();
    ["cascade", "set"].iter().any(|word| table.contains(word))
}

fn words(sql: &str) -> impl Iterator<Item = String> {
    sqlite_lexer::tokens(sql).map(|(_, token)| sqlite_lexer::unquote(token).to_lowercase())
}

impl Translator<'_> {
    /// True for a table or view that what is being translated would see changed.
    pub(super) fn is_changed(&self, name: &str) -> bool {
        self.changed
            .as_ref()
            .is_some_and(|changed| changed.is_read(self.names, name))
    }

    /// Translates what reads the rows as they were before this write and those around.
    pub(super) fn before_write<T>(
        &mut self,
        target: Written,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let changed = match &self.changed {
            Some(changed) => changed.and(target),
            None => Changed::by(vec![target]),
        };
        let outside = self.changed.replace(changed);
        let done = work(self);
        self.changed = outside;
        done
    }

    /// A table or view as it is before the whole statement.
    pub(super) fn as_before(&mut self, schema: Option<&str>, mut relation: Relation) -> Relation {
        let key = (schema.map(str::to_owned), relation.name.to_lowercase());
        let names = names_of(&relation.columns);
        let known = self.read_before.iter().find(|known| known.0 == key);
        let number = if let Some(number) = known.map(|known| known.1) {
            number
        } else {
            let number = self.before.len();
            let source = if let Some(definition) = &relation.definition {
                sql!["(", definition, ")"]
            } else {
                sql![dml::qualified(schema, &relation.inner)]
            };
            let step = PrecedingStatement {
                rows: Some(number),
                ..PrecedingStatement::new(sql!["SELECT ", names, " FROM ", source])
            };
            // The numbers of steps are names: what changes the rows comes behind.
            self.before.insert(0, step);
            self.read_before.push((key, number));
            number
        };
        for column in &mut relation.columns {
            column.is_volatile = false;
        }
        let rows = rows_of_step(number, relation.columns.len());
        relation.definition = Some(self.worked_out(rows, &relation.columns));
        relation.is_table = false;
        // In RETURNING the name of the written table means its row.
        relation.inner = self.fresh();
        relation
    }

    /// A view that gives other values each time it is read.
    pub(super) fn view_worked_out(&mut self, schema: Option<&str>, mut relation: Relation) -> Relation {
        self.is_volatile = true;
        for column in &mut relation.columns {
            column.is_volatile = false;
        }
        // What a view reads is written as it is kept: see `written_schema`.
        let keeps_schema = self.home.as_deref().is_none_or(|home| home == "temp");
        let view = dml::qualified(schema.filter(|_| keeps_schema), &relation.inner);
        let view = sql!["SELECT ", names_of(&relation.columns), " FROM ", view];
        relation.definition = Some(self.worked_out(view, &relation.columns));
        relation.is_table = false;
        relation
    }

    /// A common table expression that is read where its tables are no longer what they were.
    pub(super) fn check_unchanged(&self, name: &str, tables: &[String]) -> Result<()> {
        match tables.iter().find(|table| self.is_changed(table)) {
            None => Ok(()),
            Some(table) => refuse_with(
                "0A000",
                format!(
                    "reading \"{name}\", which reads \"{table}\", where the statement has written is not supported on a \
                     SQLite file"
                ),
                "Read the table itself there, or write in a statement of its own.",
            ),
        }
    }
}
