//! The agents that call a model: one row each, with a template of the same name in `prompts/`.

macro_rules! agents {
    ($($(#[$doc:meta])* $agent:ident: $name:literal;)*) => {
        /// An agent that calls a model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Agent {
            $($(#[$doc])* $agent,)*
        }

        impl Agent {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$agent),*];

            /// As the configuration, the trace and its template have it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$agent => $name,)*
                }
            }

            /// The template that is built in.
            pub(super) fn template(self) -> &'static str {
                match self {
                    $(Self::$agent => include_str!(concat!("../../../prompts/", $name, ".md")),)*
                }
            }
        }
    };
}

agents! {
    /// Asks with the schema and nothing else, to measure what the others add.
    Plain: "plain";
    /// Writes SQL in one call.
    Single: "single";
    /// Finds the tables and columns of a question.
    SchemaLinking: "schema_linking";
    /// Finds the clauses that a question poses.
    Subproblems: "subproblems";
    /// Plans the query in prose.
    QueryPlan: "query_plan";
    /// Writes the SQL of a plan.
    Sql: "sql";
    /// Plans what to change in SQL that failed.
    CorrectionPlan: "correction_plan";
    /// Changes it.
    CorrectionSql: "correction_sql";
}

impl Agent {
    /// The agent of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.name() == name)
    }
}
