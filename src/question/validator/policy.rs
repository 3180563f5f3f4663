//! What SQL that answers a question may be made of, beside functions: `dialects/*/policy.toml`.

use serde::Deserialize;

/// The policy of one dialect; what each list is for stands in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Policy {
    statements: Vec<String>,
    operators: Vec<String>,
    #[serde(default)]
    collations: Vec<String>,
    /// The longest text, in characters, that a width in a call may ask for.
    pub(super) longest_text: usize,
    /// The most values of a series with bounds that stand in the text.
    pub(super) longest_series: f64,
    /// The most expressions once subqueries stand in the place of their names.
    pub(super) largest_expansion: f64,
    /// The longest value that a query may build, in bytes.
    pub(super) longest_built: f64,
    /// The most bytes that may be made and compared for one row.
    pub(super) largest_work: f64,
    schemas: Vec<String>,
    forbidden_schemas: Vec<String>,
    #[serde(default)]
    forbidden_schema_prefixes: Vec<String>,
    forbidden_tables: Vec<String>,
    forbidden_table_prefixes: Vec<String>,
    catalog_prefixes: Vec<String>,
    #[serde(default)]
    words: Vec<String>,
    session_functions: Vec<String>,
    #[serde(default)]
    session_function_prefixes: Vec<String>,
    forbidden_functions: Vec<String>,
    #[serde(default)]
    forbidden_function_prefixes: Vec<String>,
    #[serde(default)]
    lasting_functions: Vec<String>,
    #[serde(default)]
    lasting_function_prefixes: Vec<String>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    types: Vec<String>,
    #[serde(default)]
    forbidden_type_prefixes: Vec<String>,
    #[serde(default)]
    body_words: Vec<String>,
}

impl Policy {
    /// A statement may begin with this word.
    pub(super) fn allows_statement(&self, word: &str) -> bool {
        contains(&self.statements, word)
    }

    /// An operator, as it is written.
    pub(super) fn allows_operator(&self, operator: &str) -> bool {
        contains(&self.operators, operator)
    }

    /// A collation by its name alone; every one where none are listed.
    pub(super) fn allows_collation(&self, collation: &str) -> bool {
        self.collations.is_empty() || contains(&self.collations, collation)
    }

    /// A table may be qualified with this database.
    pub(super) fn allows_schema(&self, schema: &str) -> bool {
        contains(&self.schemas, schema)
    }

    /// A database that must not be read.
    pub(super) fn forbids_schema(&self, schema: &str) -> bool {
        contains(&self.forbidden_schemas, schema) || begins_with(&self.forbidden_schema_prefixes, schema)
    }

    /// A table that must not be read, whatever the schema says.
    pub(super) fn forbids_table(&self, table: &str) -> bool {
        contains(&self.forbidden_tables, table) || begins_with(&self.forbidden_table_prefixes, table)
    }

    /// A table of the catalogue, unless the schema has one by that name.
    pub(super) fn is_catalog(&self, table: &str) -> bool {
        begins_with(&self.catalog_prefixes, table)
    }

    /// A word without quotes that calls a function, wherever it stands for a column.
    pub(super) fn is_call(&self, word: &str) -> bool {
        contains(&self.words, word)
    }

    /// A function that must not be called.
    pub(super) fn forbids_function(&self, function: &str) -> bool {
        self.tells_of_session(function) || self.reaches_out(function)
    }

    /// A function that changes something, or reaches beyond the data: the owner's views must not call it either.
    pub(super) fn reaches_out(&self, function: &str) -> bool {
        let listed = contains(&self.forbidden_functions, function)
            || begins_with(&self.forbidden_function_prefixes, function);
        listed && !self.tells_of_session(function)
    }

    /// A function that tells of the session or the server, which the owner's views may use.
    fn tells_of_session(&self, function: &str) -> bool {
        contains(&self.session_functions, function) || begins_with(&self.session_function_prefixes, function)
    }

    /// A function of which something stays when its transaction is rolled back.
    pub(super) fn outlasts_rollback(&self, function: &str) -> bool {
        contains(&self.lasting_functions, function) || begins_with(&self.lasting_function_prefixes, function)
    }

    /// An extension whose functions in C reckon with their arguments alone, but for those that reach out.
    pub(super) fn knows_extension(&self, name: &str) -> bool {
        contains(&self.extensions, name)
    }

    /// A built-in type that values may be cast to.
    pub(super) fn allows_type(&self, name: &str) -> bool {
        contains(&self.types, name)
    }

    /// A type that must not be named.
    pub(super) fn forbids_type(&self, name: &str) -> bool {
        begins_with(&self.forbidden_type_prefixes, name)
    }

    /// A key word of a function's body that a parenthesis may follow.
    pub(super) fn is_body_word(&self, word: &str) -> bool {
        contains(&self.body_words, word)
    }
}

fn contains(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn begins_with(prefixes: &[String], name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
}
