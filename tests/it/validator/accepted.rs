//! Queries as text-to-SQL writes them, which must pass without a finding.

use querent::question::{
    schema::{ColumnKind, Dialect},
    validator::{Clause, inspect, validate},
};

use super::{clinic, column, sqlite};

#[test]
fn usual_queries_pass() {
    let database = sqlite();
    let check = |sql: &str| {
        let findings = inspect(sql, clinic(), Dialect::Sqlite).findings;
        assert!(findings.is_empty(), "{sql}\n{findings:#?}");
        database
            .prepare(sql)
            .unwrap_or_else(|error| panic!("{sql}\n{error}"));
    };
    for sql in [
        "SELECT 1",
        "SELECT count(*) FROM patient",
        "SELECT COUNT(DISTINCT city) FROM Patient",
        "SELECT * FROM patient",
        "SELECT p.* FROM patient AS p",
        "SELECT patient.* FROM patient",
        "SELECT Name, CITY FROM PATIENT",
        "SELECT main.patient.name FROM main.patient",
        "SELECT rowid, name FROM patient ORDER BY rowid",
        "SELECT T1.rowid FROM patient AS T1",
        "SELECT \"phone number\" FROM patient",
        "SELECT [phone number], `city` FROM patient",
        "SELECT \"group\" FROM \"order\" WHERE \"group\" = 'A'",
        "SELECT name FROM patient WHERE city = 'Rome' AND weight > 60.5 OR name LIKE 'A%'",
        "SELECT name FROM patient WHERE born BETWEEN '1980-01-01' AND '1989-12-31'",
        "SELECT name FROM patient WHERE weight NOT BETWEEN 50 AND 90",
        "SELECT name FROM patient WHERE city IN ('Rome', 'Oslo') AND city NOT IN ('Bern')",
        "SELECT name FROM patient WHERE city IS NULL OR city IS NOT NULL",
        "SELECT name FROM patient WHERE NOT (city = 'Rome')",
        "SELECT name FROM patient WHERE lower(city) = 'rome' COLLATE NOCASE",
        "SELECT name FROM patient WHERE city == 'Rome' AND city <> 'Oslo' AND city != 'Bern'",
        "SELECT name FROM patient WHERE name GLOB 'A*'",
        "SELECT name FROM patient WHERE weight = '70'",
        "SELECT name FROM patient WHERE id = -1",
        "SELECT name || ', ' || city AS line FROM patient",
        "SELECT DISTINCT city FROM patient ORDER BY city DESC NULLS LAST LIMIT 10 OFFSET 5",
        "SELECT name FROM patient ORDER BY weight DESC LIMIT 5, 10",
        "SELECT name FROM patient LIMIT -1 OFFSET 3",
        "SELECT name AS n FROM patient ORDER BY n",
        "SELECT name AS n FROM patient WHERE n = 'Ann'",
        "SELECT name, weight FROM patient ORDER BY 2 DESC, 1",
        "SELECT weight / 2 AS half FROM patient ORDER BY -half",
        "SELECT city, count(*) FROM patient GROUP BY city",
        "SELECT city, count(*) AS n FROM patient GROUP BY city HAVING n > 3 ORDER BY n DESC",
        "SELECT city AS place, avg(weight) FROM patient GROUP BY place",
        "SELECT city, avg(weight) FROM patient GROUP BY 1 ORDER BY 2",
        "SELECT strftime('%Y', born) AS year, count(*) FROM patient GROUP BY year",
        "SELECT strftime('%Y', born), count(*) FROM patient GROUP BY strftime('%Y', born)",
        "SELECT substr(name, 1, 1) || '.', count(*) FROM patient GROUP BY substr(name, 1, 1)",
        "SELECT city FROM patient GROUP BY city HAVING count(*) >= 2 AND max(weight) < 100",
        "SELECT city, name, max(weight) FROM patient GROUP BY city",
        "SELECT min(weight), max(weight), avg(weight), sum(weight), total(weight) FROM patient",
        "SELECT group_concat(name, ', ') FROM patient",
        "SELECT group_concat(DISTINCT city) FROM patient",
        "SELECT group_concat(name, ', ' ORDER BY name) FROM patient",
        "SELECT count(*) FILTER (WHERE weight > 80) FROM patient",
        "SELECT max(1, 2), min(weight, 3) FROM patient",
        "SELECT T1.name FROM doctor AS T1 JOIN department AS T2 ON T1.department_id = T2.id WHERE T2.name = 'Eyes'",
        "SELECT d.name FROM doctor d, department e WHERE d.department_id = e.id",
        "SELECT d.name FROM doctor d INNER JOIN department e ON e.id = d.department_id AND e.floor > 2",
        "SELECT d.name FROM doctor d LEFT JOIN visit v ON v.doctor_id = d.id WHERE v.id IS NULL",
        "SELECT d.name FROM doctor d LEFT OUTER JOIN visit v ON (v.doctor_id = d.id)",
        "SELECT d.name FROM department e CROSS JOIN doctor d",
        "SELECT boss.name, one.name FROM doctor one JOIN doctor boss ON one.chief_id = boss.id",
        "SELECT name FROM doctor JOIN (SELECT doctor_id, count(*) AS n FROM visit GROUP BY doctor_id) AS v \
         ON v.doctor_id = doctor.id WHERE n > 5",
        "SELECT p.name, d.name FROM patient p JOIN visit v ON v.patient_id = p.id JOIN doctor d ON d.id = v.doctor_id",
        "SELECT p.name, d.name FROM patient p, visit v, doctor d WHERE v.patient_id = p.id AND d.id = v.doctor_id",
        "SELECT p.name FROM (patient p JOIN visit v ON v.patient_id = p.id)",
        "SELECT t.name, count(*) FROM patient AS t JOIN visit AS v ON v.patient_id = t.id GROUP BY t.id",
        "SELECT t.name, count(*) FROM patient AS t JOIN visit AS v ON v.patient_id = t.id GROUP BY v.patient_id",
        "SELECT p.name, count(*) FROM patient p JOIN visit v ON v.patient_id = p.id WHERE p.id = 7",
        "SELECT id FROM visit JOIN prescription ON visit.id = prescription.visit_id",
        "SELECT name FROM patient WHERE id IN (SELECT patient_id FROM visit WHERE fee > 100)",
        "SELECT name FROM patient WHERE id NOT IN (SELECT patient_id FROM visit)",
        "SELECT name FROM patient p WHERE EXISTS (SELECT 1 FROM visit v WHERE v.patient_id = p.id)",
        "SELECT name FROM patient WHERE NOT EXISTS (SELECT * FROM visit WHERE visit.patient_id = patient.id)",
        "SELECT name FROM patient WHERE weight > (SELECT avg(weight) FROM patient)",
        "SELECT name FROM patient p WHERE weight = (SELECT max(weight) FROM patient q WHERE q.city = p.city)",
        "SELECT name, (SELECT count(*) FROM visit v WHERE v.patient_id = p.id) AS visits FROM patient p",
        "SELECT avg(n) FROM (SELECT count(*) AS n FROM visit GROUP BY patient_id)",
        "SELECT avg(n) FROM (SELECT count(*) AS n FROM visit GROUP BY patient_id) AS t",
        "SELECT name, weight - a FROM patient, (SELECT avg(weight) AS a FROM patient)",
        "SELECT (SELECT count(*) FROM patient) - (SELECT count(*) FROM doctor)",
        "SELECT city FROM patient UNION SELECT name FROM department",
        "SELECT city FROM patient UNION ALL SELECT name FROM doctor ORDER BY city LIMIT 3",
        "SELECT city FROM patient EXCEPT SELECT city FROM patient WHERE weight > 90",
        "SELECT city FROM patient INTERSECT SELECT city FROM patient WHERE weight < 50",
        "SELECT id FROM patient UNION SELECT id FROM doctor INTERSECT SELECT id FROM visit EXCEPT SELECT id FROM visit",
        "SELECT name AS who FROM patient UNION SELECT name FROM doctor ORDER BY who",
        "SELECT p.name FROM patient p UNION SELECT name FROM doctor ORDER BY 1",
        "SELECT p.name FROM patient p UNION SELECT d.name FROM doctor d ORDER BY p.name",
        "SELECT count(*) FROM (SELECT city FROM patient INTERSECT SELECT name FROM department)",
        "WITH heavy AS (SELECT * FROM patient WHERE weight > 90) SELECT name FROM heavy",
        "WITH a AS (SELECT id FROM patient), b (x) AS (SELECT id FROM a) SELECT x FROM b",
        "WITH a AS (SELECT id AS x FROM patient), b AS (SELECT x FROM a) SELECT b.x FROM b",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10) SELECT x FROM n",
        "WITH RECURSIVE up AS (SELECT id, chief_id FROM doctor WHERE id = 1 UNION SELECT d.id, d.chief_id \
         FROM doctor d JOIN up ON d.id = up.chief_id) SELECT count(*) FROM up",
        "WITH t AS (VALUES (1, 'a'), (2, 'b')) SELECT column1 FROM t",
        "SELECT name FROM patient WHERE id IN (WITH t AS (SELECT patient_id FROM visit) SELECT patient_id FROM t)",
        "VALUES (1, 2), (3, 4)",
        "SELECT CASE WHEN weight > 90 THEN 'heavy' WHEN weight > 60 THEN 'middle' ELSE 'light' END AS class, count(*) \
         FROM patient GROUP BY class",
        "SELECT sum(CASE WHEN city = 'Rome' THEN 1 ELSE 0 END) * 100.0 / count(*) FROM patient",
        "SELECT CASE city WHEN 'Rome' THEN 1 END FROM patient",
        "SELECT CAST(weight AS INTEGER), CAST(id AS TEXT), CAST(name AS REAL) FROM patient",
        "SELECT name FROM patient WHERE CAST(strftime('%Y', born) AS INTEGER) = 1980",
        "SELECT name FROM patient WHERE strftime('%Y', born) = '1980'",
        "SELECT name FROM patient WHERE born > date('now', '-30 years')",
        "SELECT (julianday('now') - julianday(born)) / 365.25 FROM patient",
        "SELECT date(at), sum(fee) FROM visit GROUP BY date(at)",
        "SELECT CURRENT_DATE, current_timestamp",
        "SELECT coalesce(city, 'unknown'), ifnull(city, ''), nullif(city, ''), iif(weight > 1, 2, 3) FROM patient",
        "SELECT upper(name), length(name), trim(name), substr(name, 2), replace(name, 'a', 'b'), \
         instr(name, 'x'), round(weight, 1), abs(weight), typeof(weight) FROM patient",
        "SELECT printf('%.2f', weight) FROM patient",
        "SELECT name, rank() OVER (ORDER BY weight DESC) FROM patient",
        "SELECT name, row_number() OVER (PARTITION BY city ORDER BY weight) AS r FROM patient",
        "SELECT name FROM (SELECT name, rank() OVER (PARTITION BY city ORDER BY weight) AS r FROM patient) WHERE r = 1",
        "SELECT city, count(*), rank() OVER (ORDER BY count(*) DESC) FROM patient GROUP BY city",
        "SELECT fee, sum(fee) OVER (ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM visit",
        "SELECT lag(fee, 1, 0) OVER w FROM visit WINDOW w AS (PARTITION BY patient_id ORDER BY at)",
        "SELECT fee * 100.0 / sum(fee) OVER () FROM visit",
        "SELECT name FROM patient WHERE (city, name) IN (SELECT city, name FROM patient)",
        "SELECT name FROM patient WHERE (city, name) = ('Rome', 'Ann')",
        "SELECT name FROM patient WHERE id = $1 AND city = $2",
        "SELECT value FROM json_each('[1,2,3]')",
        "SELECT p.name, j.value FROM patient p, json_each(p.city) AS j",
        "SELECT a.name FROM doctor a JOIN doctor b USING (id)",
        "SELECT id FROM doctor a JOIN doctor b USING (id)",
        "SELECT name FROM patient WHERE weight IS NOT DISTINCT FROM 70",
        "SELECT TRUE, FALSE, NULL, 0x1F, 1e3, .5, x'00ff'",
        "SELECT name FROM patient WHERE city NOTNULL",
        "SELECT name -- who\nFROM patient /* everyone */;",
        "SELECT name FROM patient ORDER BY (SELECT count(*) FROM visit v WHERE v.patient_id = patient.id) DESC LIMIT 1",
        "SELECT city FROM patient GROUP BY city ORDER BY count(*) DESC LIMIT 1",
        "SELECT title FROM drug WHERE code NOT IN (SELECT drug_code FROM prescription)",
        "SELECT d.title, sum(p.amount * d.price) FROM drug d JOIN prescription p ON p.drug_code = d.code GROUP BY d.code",
    ] {
        check(sql);
    }
}

#[test]
fn a_validated_query_tells_what_it_reads() {
    let schema = clinic();
    let check = |sql: &str, output: &[&str], tables: &[&str], columns: &[&str], parameters: usize| {
        let valid = validate(sql, schema, Dialect::Sqlite).unwrap();
        let mut tables: Vec<_> = tables
            .iter()
            .map(|name| schema.table_named(name).unwrap())
            .collect();
        let mut columns: Vec<_> = columns.iter().map(|name| column(schema, name)).collect();
        tables.sort_unstable();
        columns.sort_unstable();
        assert_eq!(valid.columns(), output, "{sql}");
        assert_eq!(valid.tables(), tables, "{sql}");
        assert_eq!(valid.columns_read(), columns, "{sql}");
        assert_eq!(valid.parameters(), parameters, "{sql}");
    };
    check(
        "SELECT NAME, p.City AS c FROM patient p",
        &["name", "c"],
        &["patient"],
        &["patient.name", "patient.city"],
        0,
    );
    check("SELECT count(*) FROM drug", &["count(*)"], &["drug"], &[], 0);
    check(
        "SELECT * FROM drug WHERE price < $2 AND code = $1",
        &["code", "title", "price"],
        &["drug"],
        &["drug.code", "drug.title", "drug.price"],
        2,
    );
    check(
        "WITH v AS (SELECT patient_id AS p FROM visit) SELECT name FROM patient WHERE id IN (SELECT p FROM v)",
        &["name"],
        &["visit", "patient"],
        &["visit.patient_id", "patient.name", "patient.id"],
        0,
    );
}

#[test]
fn what_was_resolved_can_be_built_upon() {
    let schema = clinic();
    let sql = "SELECT n FROM (SELECT name AS n, born FROM patient WHERE weight > 5) ORDER BY born";
    let resolved = inspect(sql, schema, Dialect::Sqlite).resolved.unwrap();
    assert_eq!(resolved.output[0].origin, Some(column(schema, "patient.name")));
    assert_eq!(resolved.output[0].kind, Some(ColumnKind::Text));
    let weight = resolved
        .uses
        .iter()
        .find(|used| used.column == column(schema, "patient.weight"))
        .unwrap();
    assert_eq!(
        (weight.clause, weight.position),
        (Clause::Where, sql.find("weight").map(|at| at + 1))
    );
}

#[test]
fn comments_and_the_semicolon_are_gone_from_what_runs() {
    let check = |sql: &str, expected: &str| {
        assert_eq!(
            validate(sql, clinic(), Dialect::Sqlite).unwrap().as_str(),
            expected
        );
    };
    check("SELECT 1;", "SELECT 1");
    check("SELECT 1 ; ; ", "SELECT 1");
    check("SELECT 1 -- one", "SELECT 1");
    check(
        "SELECT /*é*/ name\nFROM patient -- x\n;",
        "SELECT       name\nFROM patient",
    );
    check("SELECT '--', '/*' FROM patient", "SELECT '--', '/*' FROM patient");
}
