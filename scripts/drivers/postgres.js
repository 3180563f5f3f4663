// postgres.js: types, arrays, cursors, COPY, LISTEN, transactions, describe, and questions.
const postgres = require("postgres");

const [host, port, username, database, asks] = process.argv.slice(2);
const QUESTION = "list the names of all stores";
const notices = [];
const sql = postgres({ host, port: Number(port), username, database, max: 2, onnotice: (notice) => notices.push(notice.message) });

async function step(name, act) {
  let gave;
  try {
    gave = await act();
  } catch (error) {
    gave = { error: error.code || String(error) };
  }
  console.log(`${name}\t${JSON.stringify(gave, (key, value) => (typeof value === "bigint" ? `${value}n` : value))}`);
}

const told = (result) => ({ rows: [...result], columns: result.columns.map((column) => [column.name, column.type]), count: result.count, command: result.command });

(async () => {
  await step("select", async () => told(await sql`SELECT order_id::int AS order_id, status FROM orders WHERE order_id < ${4} ORDER BY 1`));
  await step("types", async () => told(await sql`SELECT 1::smallint AS s, 2 AS i, 3::bigint AS b, 1.5::real AS r, 2.5::float8 AS d,
    12.50::numeric(10,2) AS n, true AS y, 'x'::text AS t, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:00' AS m,
    TIMESTAMPTZ '2024-02-29 12:00+00' AS z, '{"a":1}'::json AS j, '{"b":[2]}'::jsonb AS k, '\x00ff'::bytea AS raw,
    ARRAY[1,2,NULL] AS ints, ARRAY['a','b c'] AS texts, INTERVAL '1 day 02:00' AS v, NULL AS nothing`));
  await step("parameters", async () => told(await sql`SELECT ${7}::int AS i, ${"it's"} AS t, ${true}::boolean AS y, ${new Date(Date.UTC(2024, 1, 29))}::timestamptz AS z,
    ${sql.json({ a: [1] })}::jsonb AS j, ${[1, 2, 3]}::int[] AS l, ${["a", "b"]}::text[] AS s, ${null}::text AS nothing, ${Buffer.from([0, 255])}::bytea AS raw, ${12345678901234n}::bigint AS big`));
  await step("in a list", async () => told(await sql`SELECT order_id::int AS order_id FROM orders WHERE order_id IN ${sql([1, 2, 3])} ORDER BY 1`));
  await step("any", async () => told(await sql`SELECT order_id::int AS order_id FROM orders WHERE order_id = any(${[1, 2]}) ORDER BY 1`));
  await sql`DROP TABLE IF EXISTS postgres_js`;
  await step("create", async () => told(await sql`CREATE TABLE postgres_js (id serial PRIMARY KEY, w text, a int[], j jsonb, t timestamptz)`));
  await step("insert an object", async () => told(await sql`INSERT INTO postgres_js ${sql({ w: "one", a: [1, 2], t: new Date(0) }, "w", "a", "t")} RETURNING *`));
  await step("insert many", async () => told(await sql`INSERT INTO postgres_js ${sql([{ w: "two" }, { w: "three" }])} RETURNING id, w`));
  await step("insert json", async () => told(await sql`INSERT INTO postgres_js (w, j) VALUES ('json', ${sql.json({ x: 1, y: [true, null] })}) RETURNING j`));
  await step("update an object", async () => told(await sql`UPDATE postgres_js SET ${sql({ w: "changed" })} WHERE id = ${1} RETURNING w`));
  await step("update from values", async () => told(await sql`UPDATE postgres_js SET w = v.w FROM (VALUES ${sql([[2, "v2"], [3, "v3"]])}) AS v (id, w) WHERE postgres_js.id = v.id::int RETURNING postgres_js.w`));
  await step("a fragment", async () => told(await sql`SELECT count(*) FROM ${sql("postgres_js")} WHERE ${true ? sql`w LIKE ${"v%"}` : sql``}`));
  await step("a cursor", async () => {
    const found = [];
    await sql`SELECT n FROM generate_series(1, 10) n`.cursor(4, (rows) => { found.push(rows.map((row) => row.n)); });
    return found;
  });
  await step("a cursor that is closed", async () => {
    const found = [];
    for await (const rows of sql`SELECT n FROM generate_series(1, 10) n WHERE n > ${2}`.cursor(3)) {
      found.push(rows.map((row) => row.n));
      if (found.length === 2) break;
    }
    return found;
  });
  await step("each row", async () => {
    const found = [];
    await sql`SELECT n FROM generate_series(1, 3) n`.forEach((row) => found.push(row.n));
    return found;
  });
  await step("copy in", async () => {
    const stream = await sql`COPY postgres_js (w) FROM STDIN`.writable();
    await new Promise((resolve, reject) => {
      stream.on("finish", resolve).on("error", reject);
      stream.write("c1\n");
      stream.end("c2\n");
    });
    return [...(await sql`SELECT w FROM postgres_js WHERE w LIKE 'c_' ORDER BY 1`)];
  });
  await step("copy out", async () => {
    const stream = await sql`COPY (SELECT w FROM postgres_js ORDER BY id) TO STDOUT WITH (FORMAT csv)`.readable();
    let text = "";
    for await (const chunk of stream) text += chunk;
    return text;
  });
  await step("listen", async () => {
    const heard = new Promise((resolve) => {
      sql.listen("postgres_js", (payload) => resolve(payload)).then(() => sql.notify("postgres_js", "hello"));
    });
    return Promise.race([heard, new Promise((resolve) => setTimeout(() => resolve("nothing"), 5000))]);
  });
  await step("a transaction", async () => sql.begin(async (own) => {
    await own`INSERT INTO postgres_js (w) VALUES ('tx')`;
    await own.savepoint((inner) => inner`INSERT INTO postgres_js (id) VALUES (1)`).catch((error) => error.code);
    return [...(await own`SELECT count(*)::int AS n FROM postgres_js`)];
  }));
  await step("a transaction that fails", async () => sql.begin(async (own) => {
    await own`INSERT INTO postgres_js (w) VALUES ('gone')`;
    await own`SELECT 1/0`;
  }));
  await step("many in a transaction", async () => (await sql.begin((own) => [own`SELECT 1 AS a`, own`SELECT 2 AS b`])).map((result) => [...result]));
  await step("describe", async () => {
    const { types, columns } = await sql`SELECT w, id FROM postgres_js WHERE id = ${1} AND w = ${"x"}`.describe();
    return [types, columns.map((column) => [column.name, column.type])];
  });
  await step("values and raw", async () => [await sql`SELECT 1 AS a, 'x' AS b`.values(), (await sql`SELECT 1 AS a`.raw()).map((row) => row.map(String))]);
  await step("unsafe", async () => (await sql.unsafe("SELECT 1 AS a; SELECT 2 AS b")).map((result) => [...result]));
  await step("unsafe with values", async () => [...(await sql.unsafe("SELECT $1::int + 1 AS a", [1]))]);
  await step("simple", async () => (await sql`SELECT 1 AS a; SELECT 2 AS b`.simple()).map((result) => [...result]));
  await step("an error", async () => {
    const error = await sql`INSERT INTO postgres_js (id) VALUES (1)`.catch((error) => error);
    return ["code", "severity", "message", "detail", "table_name", "constraint_name", "schema_name"].map((name) => error[name]);
  });
  await step("after a change of the table", async () => {
    const one = postgres({ host, port: Number(port), username, database, max: 1, onnotice: () => {} });
    const read = () => one`SELECT * FROM postgres_js WHERE id = ${1}`;
    const before = Object.keys((await read())[0]);
    await one`ALTER TABLE postgres_js ADD COLUMN more int`;
    const after = Object.keys((await read())[0]);
    await one.end();
    return [before, after];
  });
  await step("cancel", async () => {
    const query = sql`SELECT count(*) FROM orders a, orders b, orders c`;
    setTimeout(() => query.cancel(), 300);
    return query.then(() => "ended", (error) => error.code);
  });
  if (asks === "asks") {
    const names = (rows) => rows.map((row) => row.name).sort();
    await step("ask in the text", async () => names(await sql.unsafe(`SELECT * FROM nl('${QUESTION}')`)));
    await step("ask in a comment", async () => names(await sql.unsafe(`-- nl: ${QUESTION}`)));
    await step("ask bound", async () => {
      const found = await sql`SELECT * FROM nl(${QUESTION})`;
      return [found.columns.map((column) => column.name), names(found.map((row) => row.nl))];
    });
    await step("ask bound again", async () => {
      const found = await sql`SELECT * FROM nl(${"how many orders are there?"})`;
      return found.map((row) => Object.values(row.nl));
    });
    await step("ask bound in a transaction", async () => sql.begin(async (own) => names((await own`SELECT * FROM nl(${QUESTION})`).map((row) => row.nl))));
    await step("ask and count", async () => [...(await sql`SELECT count(*)::int AS n FROM nl(${QUESTION}) AS t WHERE t IS NOT NULL`)]);
    await step("ask with a cursor", async () => {
      const found = [];
      await sql`SELECT * FROM nl(${QUESTION})`.cursor(5, (rows) => { found.push(...rows.map((row) => row.nl)); });
      return names(found);
    });
    await step("ask what has no answer", async () => sql`SELECT * FROM nl(${"frobnicate the zorblax"})`);
    await step("ask for the steps", async () => Object.keys((await sql`SELECT * FROM nl(${QUESTION}, 'explain')`)[0]));
    await step("ask describe", async () => (await sql`SELECT * FROM nl(${QUESTION})`.describe()).columns.map((column) => [column.name, column.type]));
    await step("ask without preparing", async () => {
      const plain = postgres({ host, port: Number(port), username, database, max: 1, prepare: false, onnotice: () => {} });
      const found = names((await plain`SELECT * FROM nl(${QUESTION})`).map((row) => row.nl));
      await plain.end();
      return found;
    });
  }
  await sql`DROP TABLE postgres_js`;
  await sql.end();
})();
