//! Rows that are valid now, of tables that keep earlier versions of them and a row for what is not known.

use super::Builder;
use crate::question::{
    schema::ColumnRef,
    semantic::{Attribute, Comparison, Condition, FieldRole, Operand, Scalar},
};

impl Builder<'_> {
    /// That a row of a table is the version that holds now, and none that stands for what is unknown; nothing where the table
    /// has no such rows.
    pub(super) fn valid_now(&mut self, table: usize) -> Vec<Condition> {
        let mut found = Vec::new();
        let current = self.current_flag(table);
        found.extend(current.map(|column| Condition::Flag(Attribute::own(column), true)));
        found.extend(self.not_unknown(table));
        self.possible.current |= !found.is_empty();
        if self.assumed.current { found } else { Vec::new() }
    }

    /// The flag that says which version of a row holds.
    fn current_flag(&self, table: usize) -> Option<usize> {
        let model = self.context.model;
        let filter = model
            .filters
            .iter()
            .find(|filter| filter.dataset == table && filter.name == "current")?;
        match &filter.condition {
            Condition::Flag(of, true) if of.way.hops.is_empty() => Some(of.column),
            _ => None,
        }
    }

    /// That a row is not the one with a key below all others, to which everything refers that is unknown.
    fn not_unknown(&self, table: usize) -> Option<Condition> {
        let schema = &self.context.snapshot.schema;
        let [column] = schema.tables[table].primary_key[..] else {
            return None;
        };
        let at = ColumnRef { table, column };
        let profile = self.context.snapshot.profile.tables.get(table)?.as_ref()?;
        let lowest = profile.columns.get(column)?.lowest?;
        let is_key = self.context.model.field(at).role == FieldRole::Identifier;
        (is_key && lowest < 0.0).then(|| {
            let key = Scalar::Column(Attribute::own(column));
            Condition::Compare(key, Comparison::AtLeast, Operand::Number("0".to_owned()))
        })
    }
}
