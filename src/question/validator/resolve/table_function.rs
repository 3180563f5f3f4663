//! Functions in FROM: `json_each(column)`, `unnest(array)`, `generate_series(1, 10)`.

use sqlparser::ast::{Expr, FunctionArg, ObjectName, TableAlias};

use super::{Code, Resolver};
use crate::question::validator::{
    facts::Misuse,
    scope::{Output, Relation, Value},
};

impl Resolver<'_> {
    /// `unnest(array, …)`, which gives one column per array.
    pub(super) fn unnest(&mut self, arrays: &[Expr], with_ordinality: bool, alias: Option<&TableAlias>) {
        let before = self.scope().uses.len();
        for array in arrays {
            self.expr(array);
        }
        let related = self.sources_used_since(before);
        let position = arrays.first().and_then(|array| self.position(array));
        if let Some(array) = arrays.first() {
            self.check_shadow_of(array, "unnest");
        }
        let mut columns = vec!["unnest"; arrays.len()];
        columns.extend(with_ordinality.then_some("ordinality"));
        self.function_source(&columns, "unnest", alias, position);
        self.relate_last(related);
    }

    /// The columns of a function in FROM. One that is called as the function takes the alias's name.
    fn function_source(
        &mut self,
        columns: &[&str],
        called: &str,
        alias: Option<&TableAlias>,
        position: Option<usize>,
    ) {
        let named = alias.filter(|alias| alias.columns.is_empty());
        let outputs: Vec<Output> = match (columns, alias) {
            // The alias lists the columns of a record.
            ([], Some(alias)) => alias
                .columns
                .iter()
                .map(|column| super::output(self.meant(&column.name), Value::default()))
                .collect(),
            _ => columns
                .iter()
                .enumerate()
                .map(|(at, column)| match named {
                    Some(alias) if self.is_postgres() && at == 0 && *column == called => {
                        super::output(self.meant(&alias.name), Value::default())
                    }
                    _ => super::output((*column).to_owned(), Value::default()),
                })
                .collect(),
        };
        let relation = Relation {
            outputs: Some(outputs.into()),
            single_row: false,
        };
        self.source(relation, alias, called, position);
    }

    /// A function in FROM, such as `json_each(column)`; it sees the tables to its left.
    pub(super) fn table_function(
        &mut self,
        name: &ObjectName,
        args: &[FunctionArg],
        alias: Option<&TableAlias>,
        with_ordinality: bool,
    ) {
        let position = self.position(name);
        let before = self.scope().uses.len();
        self.arguments(args);
        let related = self.sources_used_since(before);
        let Some(called) = self.function_name(name) else {
            return self.source(Relation::unknown(), alias, "", position);
        };
        match self.facts.functions.find_table(&called, args.len()) {
            Ok(function) => {
                self.check_shadow(name, &called);
                self.check_series(name, &called, args);
                let mut columns: Vec<&str> = function.columns.iter().map(String::as_str).collect();
                columns.extend(with_ordinality.then_some("ordinality"));
                self.function_source(&columns, &called, alias, position);
            }
            Err(misuse) => {
                let policy = &self.facts.policy;
                if policy.forbids_function(&called) || policy.forbids_table(&called) {
                    self.error(Code::Forbidden, name, format!("a question may not call {name}"));
                } else {
                    let message = match misuse {
                        Misuse::Unknown => format!("there is no table function {name}"),
                        Misuse::Arguments { .. } => format!("{name} takes another number of arguments"),
                    };
                    self.error(Code::UnsupportedFunction, name, message);
                }
                self.source(Relation::unknown(), alias, &called, position);
            }
        }
        self.relate_last(related);
    }
}
