//! The column that a name means: of the innermost query that has one, or of those around it.

use sqlparser::ast::Ident;

use super::{
    Result, Translator, Ty, folded, refuse,
    scope::{Typed, absent},
    sql_expr::{self, chain, text},
};

impl Translator<'_> {
    /// The value of a function in FROM that gives one column, by the function's own name.
    fn value_of(&self, name: &str) -> Option<Typed> {
        let relation = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| &scope.relations)
            .find(|relation| relation.name.eq_ignore_ascii_case(name))?;
        match relation.columns.as_slice() {
            [column] if relation.is_scalar => Some(relation.column(column).named(name)),
            _ => None,
        }
    }

    fn note_read(&mut self, column: &Typed, level: usize) {
        self.note_level(level);
        let reads = self.reads.iter_mut();
        reads.for_each(|reads| reads.push(column.expr.clone()));
    }

    /// The column that a name means.
    pub(super) fn column(&mut self, names: &[Ident]) -> Result<Typed> {
        let Some((last, before)) = names.split_last() else {
            return refuse("42601", "a name is missing", None);
        };
        let wanted = folded(last);
        let relation = before.last().map(folded);
        let position = names.first().and_then(|first| self.at(first));
        let innermost = self.scopes.len();
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            let mut found: Vec<Typed> = vec![];
            if relation.is_none()
                && let Some((_, merged)) = scope
                    .merged
                    .iter()
                    .find(|(name, _)| name.eq_ignore_ascii_case(&wanted))
            {
                found.push(merged.clone());
            } else {
                for candidate in &scope.relations {
                    if relation
                        .as_ref()
                        .is_some_and(|relation| !candidate.name.eq_ignore_ascii_case(relation))
                    {
                        continue;
                    }
                    let columns = candidate
                        .columns
                        .iter()
                        .filter(|column| column.name.eq_ignore_ascii_case(&wanted))
                        .filter(|column| column.shown || relation.is_some());
                    found.extend(columns.map(|column| candidate.column(column)));
                }
            }
            if found.len() > 1 {
                return refuse(
                    "42702",
                    format!("column reference \"{wanted}\" is ambiguous"),
                    position,
                );
            }
            if let Some(column) = found.pop() {
                if level + 1 == innermost && self.aggregates == 0 && scope.absent.contains(&column.expr) {
                    return Ok(absent(column).at(position));
                }
                if level + 1 == innermost
                    && self.aggregates == 0
                    && let Some(grouped) = &scope.grouped
                    && !grouped.contains(&column.expr)
                {
                    let owner = column.owner.iter().map(|owner| format!("{owner}."));
                    let name = column.name.iter().cloned();
                    return refuse(
                        "42803",
                        format!(
                            "column \"{}\" must appear in the GROUP BY clause or be used in an aggregate function",
                            owner.chain(name).collect::<String>()
                        ),
                        position,
                    );
                }
                self.note_read(&column, level);
                return Ok(column.at(position));
            }
            let system = match wanted.as_str() {
                "rowid" => Some(("rowid", Ty::Int8)),
                "_rowid_" => Some(("_rowid_", Ty::Int8)),
                "tableoid" => Some(("tableoid", Ty::Oid)),
                "xmin" => Some(("xmin", Ty::Oid)),
                "ctid" => Some(("ctid", Ty::Text)),
                _ => None,
            };
            if let Some((word, ty)) = system {
                let table = scope.relations.iter().find(|candidate| {
                    candidate.is_table
                        && relation
                            .as_ref()
                            .is_none_or(|relation| candidate.name.eq_ignore_ascii_case(relation))
                });
                if let Some(table) = table.cloned() {
                    self.note_level(level);
                    let own = match word {
                        // A row stays at its number as long as it is there.
                        "ctid" => chain("||", [text("(0,"), table.row(), text(")")]),
                        _ => sql_expr::column_word(&table.inner, word),
                    };
                    return Ok(Typed::new(own, ty).named(wanted).at(position));
                }
            }
        }
        if relation.is_none()
            && let Some(alone) = self.value_of(&wanted)
        {
            self.note_read(&alone, innermost.saturating_sub(1));
            return Ok(alone.at(position));
        }
        match relation {
            Some(relation) => {
                if self.has_relation(&relation) {
                    refuse(
                        "42703",
                        format!("column {relation}.{wanted} does not exist"),
                        position,
                    )
                } else {
                    refuse(
                        "42P01",
                        format!("missing FROM-clause entry for table \"{relation}\""),
                        position,
                    )
                }
            }
            None => refuse("42703", format!("column \"{wanted}\" does not exist"), position),
        }
    }

    /// True for the name of a relation of the queries around.
    pub(super) fn has_relation(&self, name: &str) -> bool {
        self.scopes
            .iter()
            .flat_map(|scope| &scope.relations)
            .any(|relation| relation.name.eq_ignore_ascii_case(name))
    }
}
