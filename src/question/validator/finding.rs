//! What can be wrong with generated SQL: the taxonomy of SQL-of-Thought (2025) as types, 31 codes in
//! 9 categories, and what the policy forbids.

use std::fmt;

use serde::Deserialize;

/// One thing that is wrong, or suspect, with a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which error of the taxonomy, or [`Code::Forbidden`].
    pub code: Code,
    /// Whether the statement can be run nevertheless.
    pub severity: Severity,
    /// One line, lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The text to put in place of the one at `position`, where that is safe to say.
    pub repair: Option<String>,
    /// Where in the statement, in characters from 1.
    pub position: Option<usize>,
    /// Which rule found it: its name, or the code's where there is but one.
    pub rule: &'static str,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// As a warning, but of a rule that finds about as much in right statements as in wrong ones: of no account.
    Note,
    /// The statement runs, but may not answer what was asked.
    Warning,
    /// The statement does not run, or cannot mean what was asked.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! taxonomy {
    ($($category:ident $category_name:literal { $($code:ident $name:literal $meaning:literal)* })*) => {
        /// The errors of the taxonomy, and beside them what the policy forbids.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $meaning] $code,)*)*
            /// Not an error of the taxonomy: the policy refuses the statement (SQLSTATE 42501).
            Forbidden,
            /// Neither: the statement goes beyond what one may become (SQLSTATE 54000).
            OverLimit,
        }

        /// The groups of the taxonomy.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Category {
            $(#[doc = $category_name] $category,)*
            /// Outside the taxonomy: what the policy refuses.
            Policy,
        }

        impl Code {
            /// The 31 codes of the taxonomy.
            pub const TAXONOMY: &[Code] = &[$($(Code::$code,)*)*];

            /// The code as the papers spell it.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$code => $name,)*)*
                    Self::Forbidden => "forbidden",
                    Self::OverLimit => "over_limit",
                }
            }

            /// The sentence in this file's documentation, to compare with the taxonomy's.
            #[cfg(test)]
            pub(super) fn documented(self) -> &'static str {
                match self {
                    $($(Self::$code => $meaning,)*)*
                    Self::Forbidden | Self::OverLimit => "",
                }
            }

            /// The group it belongs to.
            pub fn category(self) -> Category {
                match self {
                    $($(Self::$code)|* => Category::$category,)*
                    Self::Forbidden | Self::OverLimit => Category::Policy,
                }
            }
        }

        impl Category {
            /// The group's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$category => $category_name,)*
                    Self::Policy => "Policy",
                }
            }
        }
    };
}

taxonomy! {
    Syntax "Syntax" {
        SqlSyntaxError "sql_syntax_error" "The text is not one statement of the dialect."
        InvalidAlias "invalid_alias" "A qualifier names no table or alias of the query."
    }
    SchemaLink "Schema Link" {
        TableMissing "table_missing" "The schema has no such table."
        ColMissing "col_missing" "No table in reach has such a column."
        AmbiguousCol "ambiguous_col" "Several tables in reach have a column of that name."
        IncorrectForeignKey "incorrect_foreign_key" "Tables are joined on columns that are not their key."
    }
    Join "Join" {
        JoinMissing "join_missing" "Tables stand side by side without a condition that relates them."
        JoinWrongType "join_wrong_type" "An inner join where an outer one is meant, or the reverse."
        ExtraTable "extra_table" "A table that contributes nothing."
        IncorrectCol "incorrect_col" "A column of the wrong table or meaning."
    }
    Filter "Filter" {
        WhereMissing "where_missing" "A condition of the question has no counterpart."
        ConditionWrongCol "condition_wrong_col" "A condition on another column than the one meant."
        ConditionTypeMismatch "condition_type_mismatch" "A comparison between values of different types."
    }
    Aggregation "Aggregation" {
        AggNoGroupby "agg_no_groupby" "A plain column beside an aggregate, without GROUP BY."
        GroupbyMissingCol "groupby_missing_col" "A column that GROUP BY neither names nor determines."
        HavingWithoutGroupby "having_without_groupby" "HAVING where nothing is grouped."
        HavingIncorrect "having_incorrect" "HAVING on something that is not one value per group."
        HavingVsWhere "having_vs_where" "An aggregate in WHERE, or a condition on rows in HAVING."
    }
    Value "Value" {
        HardcodedValue "hardcoded_value" "A literal that should have been looked up."
        ValueFormatWrong "value_format_wrong" "A literal that is spelled otherwise than the stored values."
    }
    Subquery "Subquery" {
        UnusedSubquery "unused_subquery" "A subquery that nothing reads."
        SubqueryMissing "subquery_missing" "Something that needs a subquery is written without one."
        SubqueryCorrelationError "subquery_correlation_error" "A subquery that does not fit where it stands."
    }
    SetOperations "Set Operations" {
        UnionMissing "union_missing" "Two results are meant to be united."
        IntersectMissing "intersect_missing" "Two results are meant to be intersected."
        ExceptMissing "except_missing" "One result is meant to be taken from another."
    }
    Other "Other" {
        OrderByMissing "order_by_missing" "An order is meant, or a limit stands without one."
        LimitMissing "limit_missing" "A number of rows is meant."
        DuplicateSelect "duplicate_select" "The same column is selected twice, or the same rows may come twice."
        UnsupportedFunction "unsupported_function" "The database has no such function, or not with these arguments."
        ExtraValuesSelected "extra_values_selected" "More columns than were asked for, or than fit."
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl Finding {
    /// True if the statement must not be run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// True unless it is a note.
    pub fn counts(&self) -> bool {
        self.severity != Severity::Note
    }

    /// An error; add what else is known with the `with_` methods.
    pub(super) fn error(code: Code, position: Option<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            hint: None,
            repair: None,
            position,
            rule: code.name(),
        }
    }

    /// A warning; add what else is known with the `with_` methods.
    pub(super) fn warning(code: Code, position: Option<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, position, message)
        }
    }

    /// The same, found by a rule that has a name of its own.
    pub(super) fn by(self, rule: &'static str) -> Self {
        Self { rule, ..self }
    }

    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    pub(super) fn with_repair(self, repair: impl Into<String>) -> Self {
        Self {
            repair: Some(repair.into()),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_taxonomy_has_31_codes_in_9_categories() {
        let names: BTreeSet<_> = Code::TAXONOMY.iter().map(|code| code.name()).collect();
        let categories: BTreeSet<_> = Code::TAXONOMY.iter().map(|code| code.category()).collect();
        assert_eq!((names.len(), categories.len()), (31, 9));
        assert!(!Code::TAXONOMY.contains(&Code::Forbidden));
    }
}
