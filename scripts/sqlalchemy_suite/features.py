"""Which parts of the suite are run: all that PostgreSQL has, whatever a SQLite file may make of it.

Closed in both runs: schemas other than public (a file has one), comments on constraints and materialized views (a file has no place
for them), and what no PostgreSQL has.
"""

from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements

POSTGRESQL_HAS = """
create_table_as create_temp_table_as table_ddl_if_exists index_ddl_if_exists uuid_data_type non_updating_cascade
deferrable_fks boolean_col_expressions nullsordering intersect except_ window_functions window_range
window_range_numeric window_range_non_numeric ctes ctes_with_update_delete ctes_with_values ctes_on_dml tuple_in
table_value_constructor views foreign_key_constraint_name_reflection implicit_default_schema server_side_cursors
sequences reflects_pk_names reflect_tables_no_columns temp_table_comment_reflection comment_reflection
comment_reflection_full_unicode constraint_comment_reflection foreign_key_constraint_option_reflection_ondelete
fk_constraint_option_reflection_ondelete_restrict fk_constraint_option_reflection_ondelete_noaction
foreign_key_constraint_option_reflection_onupdate fk_constraint_option_reflection_onupdate_restrict has_temp_table
temp_table_names temporary_views create_or_replace_view index_reflects_included_columns indexes_with_expressions
reflect_indexes_with_expressions indexes_check_column_order check_constraint_reflection unicode_ddl datetime_interval datetime_literals datetime_timezone time_timezone
timestamp_microseconds datetime_historic date_historic autocommit isolation_level array_type json_type
precision_numerics_enotation_small precision_numerics_many_significant_digits server_defaults
expression_server_defaults aggregate_order_by precision_numerics_retains_significant_digits infinity_floats
float_or_double_precision_behaves_generically savepoints update_from delete_from order_by_label_with_expression
supports_distinct_on identity_columns
identity_columns_standard regexp_match regexp_replace fetch_first fetch_no_order_by fetch_offset_with_options
fetch_expression fetch_ties supports_bitwise_or supports_bitwise_and
supports_bitwise_not supports_bitwise_xor unique_constraints_reflect_as_index supports_bitwise_shift reflect_table_options
""".split()

CLOSED = ["schemas", "schema_reflection", "constraint_comment_reflection", "materialized_views"]


class Features(SuiteRequirements):
    pass


for name in POSTGRESQL_HAS:
    setattr(Features, name, property(lambda self: exclusions.open()))
for name in CLOSED:
    setattr(Features, name, property(lambda self: exclusions.closed()))
Features.get_isolation_levels = lambda self, config: {
    "default": "READ COMMITTED",
    "supported": ["AUTOCOMMIT", "READ COMMITTED", "READ UNCOMMITTED", "REPEATABLE READ", "SERIALIZABLE"],
}
