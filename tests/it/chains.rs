//! Statements that nest: what a parser reads by recursion, or by a loop into a tree as deep.

/// Statements of `links` parts that a parser nests, or might.
pub(crate) fn chains(links: usize) -> Vec<(&'static str, String)> {
    let behind = |link: &str| format!("SELECT 1{}", link.repeat(links));
    let around = |open: &str, inner: &str, close: &str| {
        format!("SELECT {}{inner}{}", open.repeat(links), close.repeat(links))
    };
    let unions = " UNION ALL SELECT 1".repeat(links);
    vec![
        ("union all", behind(" UNION ALL SELECT 1")),
        ("union", behind(" UNION SELECT 1")),
        ("except", behind(" EXCEPT SELECT 1")),
        ("intersect", behind(" INTERSECT SELECT 1")),
        ("except all", behind(" EXCEPT ALL SELECT 1")),
        (
            "values",
            format!("VALUES (1){}", " UNION VALUES (1)".repeat(links)),
        ),
        ("plus", behind(" + 1")),
        ("concatenation", behind(" || 'a'")),
        ("and", format!("SELECT true{}", " AND true".repeat(links))),
        ("or", format!("SELECT true{}", " OR true".repeat(links))),
        (
            "or of columns",
            format!("SELECT * FROM t WHERE a = 0{}", " OR a = 1".repeat(links)),
        ),
        ("is null", behind(" IS NULL")),
        ("is distinct", behind(" IS DISTINCT FROM 1")),
        ("collate", format!("SELECT 'a'{}", " COLLATE \"C\"".repeat(links))),
        (
            "time zones",
            format!("SELECT now(){}", " AT TIME ZONE 'UTC'".repeat(links)),
        ),
        ("casts", behind("::text")),
        ("array type", format!("SELECT NULL::int{}", "[]".repeat(links))),
        (
            "array type with sizes",
            format!("SELECT NULL::int{}", "[3]".repeat(links)),
        ),
        (
            "cast to an array type",
            format!("SELECT CAST(NULL AS int{})", "[]".repeat(links)),
        ),
        (
            "array type of a column",
            format!("CREATE TABLE u (a int{})", "[]".repeat(links)),
        ),
        (
            "array type of a record",
            format!(
                "SELECT * FROM json_to_recordset('[]') AS x(a int{})",
                "[]".repeat(links)
            ),
        ),
        ("array types", behind("::int[]")),
        ("prepare", format!("{}SELECT 1", "PREPARE p AS ".repeat(links))),
        ("intervals", around("INTERVAL ", "'1 day'", "")),
        (
            "json table",
            format!(
                "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS ({}a int PATH '$'{}))",
                "NESTED PATH '$' COLUMNS (".repeat(links),
                ")".repeat(links)
            ),
        ),
        ("maps", around("NULL::MAP<int, ", "int", ">")),
        ("records", around("NULL::STRUCT<a ", "int", ">")),
        ("subscripts", format!("SELECT (ARRAY[1]){}", "[1]".repeat(links))),
        ("like", format!("SELECT 'a'{}", " LIKE 'a'".repeat(links))),
        ("in", behind(" IN (1)")),
        ("between", behind(" BETWEEN 1 AND 2")),
        ("not", around("NOT ", "true", "")),
        ("minus", around("- ", "1", "")),
        ("case", around("CASE WHEN true THEN ", "1", " END")),
        ("case else", around("CASE WHEN true THEN 1 ELSE ", "1", " END")),
        ("parentheses", around("(", "1", ")")),
        ("open parentheses", around("(", "1", "")),
        ("subqueries", around("(SELECT ", "1", ")")),
        ("functions", around("abs(", "1", ")")),
        ("nullif", around("nullif(", "1", ", 2)")),
        ("coalesce", around("coalesce(", "1", ", 2)")),
        ("iif", around("iif(1, ", "1", ", 2)")),
        ("exclusive or", around("(1 # ", "1", ")")),
        ("arrays", around("ARRAY[", "1", "]")),
        ("braces", around("{", "1", "}")),
        (
            "tables in parentheses",
            format!("SELECT * FROM {}t{}", "(".repeat(links), ")".repeat(links)),
        ),
        (
            "derived tables",
            format!(
                "SELECT * FROM {}t{}",
                "(SELECT * FROM ".repeat(links),
                ") z".repeat(links)
            ),
        ),
        (
            "joins",
            format!("SELECT 1 FROM t{}", " JOIN t ON true".repeat(links)),
        ),
        (
            "nested joins",
            format!(
                "SELECT 1 FROM t{}{}",
                " JOIN t b".repeat(links),
                " ON true".repeat(links)
            ),
        ),
        ("tables", format!("SELECT 1 FROM t{}", ", t".repeat(links))),
        (
            "arrows",
            format!("SELECT '{{}}'::json{}", " -> 'a'".repeat(links)),
        ),
        ("dots", format!("SELECT a{}", ".a".repeat(links))),
        ("any", behind(" = ANY (ARRAY[1])")),
        ("operators", behind(" OPERATOR(pg_catalog.+) 1")),
        ("explain", format!("{}SELECT 1", "EXPLAIN ".repeat(links))),
        ("explain of unions", format!("EXPLAIN SELECT 1{unions}")),
        ("view", format!("CREATE VIEW v AS SELECT 1{unions}")),
        ("insert", format!("INSERT INTO t SELECT 1{unions}")),
        (
            "update",
            format!("UPDATE t SET a = a WHERE false{}", " AND true".repeat(links)),
        ),
        (
            "delete",
            format!("DELETE FROM t WHERE false{}", " AND true".repeat(links)),
        ),
        (
            "returning",
            format!(
                "DELETE FROM t WHERE false RETURNING true{}",
                " OR true".repeat(links)
            ),
        ),
        (
            "check",
            format!("CREATE TABLE u (a int CHECK (true{}))", " AND true".repeat(links)),
        ),
        (
            "default",
            format!("CREATE TABLE u (a int DEFAULT (1{}))", " + 1".repeat(links)),
        ),
        (
            "alter",
            format!("ALTER TABLE t ADD CHECK (true{})", " AND true".repeat(links)),
        ),
        (
            "added column",
            format!(
                "ALTER TABLE t ADD COLUMN z int DEFAULT (1{})",
                " + 1".repeat(links)
            ),
        ),
        (
            "index",
            format!("CREATE INDEX i ON t (a) WHERE true{}", " AND true".repeat(links)),
        ),
        (
            "order",
            format!("SELECT a FROM t ORDER BY a{}", " + 1".repeat(links)),
        ),
        (
            "with in with",
            format!(
                "{}SELECT 1{}",
                "WITH a AS (".repeat(links),
                ") SELECT 1".repeat(links)
            ),
        ),
        (
            "array in a text",
            format!("SELECT '{}{}'::int[]", "{".repeat(links), "}".repeat(links)),
        ),
        (
            "document in a text",
            format!("SELECT '{}{}'::jsonb", "[".repeat(links), "]".repeat(links)),
        ),
        (
            "types",
            format!("SELECT NULL::{}int{}", "array<".repeat(links), ">".repeat(links)),
        ),
        (
            "pivot",
            format!("SELECT * FROM t{}", " PIVOT (sum(a) FOR b IN (c))".repeat(links)),
        ),
        (
            "grouping sets",
            format!(
                "SELECT 1 FROM t GROUP BY GROUPING SETS ((a){})",
                ", (a)".repeat(links)
            ),
        ),
        (
            "rollup",
            format!("SELECT 1 FROM t GROUP BY ROLLUP (a{})", ", a".repeat(links)),
        ),
        (
            "cube",
            format!("SELECT 1 FROM t GROUP BY CUBE (a{})", ", a".repeat(links)),
        ),
        (
            "filters",
            format!("SELECT count(*){}", " FILTER (WHERE true".repeat(links)),
        ),
        (
            "merge",
            format!(
                "MERGE INTO t USING t b ON true{}",
                " WHEN MATCHED THEN DO NOTHING".repeat(links)
            ),
        ),
    ]
}
