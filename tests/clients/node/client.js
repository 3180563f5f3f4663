// node-postgres against a running server: client.js URL CASES MODE; reports in TAP.
"use strict";

const fs = require("fs");
const { Client } = require("pg");
const Cursor = require("pg-cursor");

const [url, casesFile, mode] = process.argv.slice(2);
const NONSENSE = "-- nl: frobnicate the quuxly zorblax";

let count = 0;

async function test(name, act) {
  count += 1;
  try {
    await act();
    console.log(`ok ${count} ${name}`);
  } catch (error) {
    console.log(`not ok ${count} ${name}: ${error.message} ${error.hint || ""}`);
  }
}

function check(actual, expected) {
  const [a, e] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== e) throw new Error(`${a} is not ${e}`);
}

// Numbers compare as numbers, whatever type the driver gave them.
function normal(value) {
  const text = value === null ? "None" : String(value);
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function checkRows(rows, expected) {
  const sorted = (list) => list.map((row) => JSON.stringify(row.map(normal))).sort();
  check(sorted(rows), sorted(expected));
}

function readCases() {
  return fs.readFileSync(casesFile, "utf8").split("\n").filter(Boolean).map((line) => {
    const [name, sql, rows] = line.split("\t");
    return { name, sql, expected: rows.split("\x1e").map((row) => row.split("\x1f")) };
  });
}

async function readByCursor(client, sql) {
  const cursor = client.query(new Cursor(sql, [], { rowMode: "array" }));
  const rows = [];
  for (;;) {
    const some = await cursor.read(2); // Execute with at most 2 rows
    if (some.length === 0) break;
    rows.push(...some);
  }
  await cursor.close();
  return rows;
}

// How each mode gets the rows of a statement.
const READ = {
  simple: async (client, sql) => (await client.query({ text: sql, rowMode: "array" })).rows,
  extended: async (client, sql) => (await client.query({ text: sql, rowMode: "array", queryMode: "extended" })).rows,
  named: async (client, sql, number) => {
    const statement = { name: `s${number}`, text: sql, rowMode: "array" };
    await client.query(statement);
    return (await client.query(statement)).rows; // the second time without Parse
  },
  cursor: readByCursor,
  transaction: async (client, sql) => {
    await client.query("BEGIN");
    const { rows } = await client.query({ text: sql, rowMode: "array", queryMode: "extended" });
    await client.query("COMMIT");
    return rows;
  },
};

async function runCases(client) {
  let number = 0;
  for (const { name, sql, expected } of readCases()) {
    if (name === "parameter") continue;
    number += 1;
    await test(name, async () => checkRows(await READ[mode](client, sql, number), expected));
  }
}

async function fails(act) {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("no error");
}

async function runBehaviour(client) {
  const parameter = readCases().find(({ name }) => name === "parameter");
  for (const [open, close] of [["-- nl: ", ""], ["/* nl: ", " */"], ["SELECT /*+ nl: ", " */"]]) {
    await test(`parameter in ${open.trim()}`, async () => {
      const { rows } = await client.query({ text: open + parameter.sql + close, values: ["Germany"], rowMode: "array" });
      checkRows(rows, parameter.expected);
    });
  }
  await test("notices tell the SQL", async () => {
    const notices = [];
    client.on("notice", (notice) => notices.push(notice.message));
    await client.query("-- nl: list the names of all stores");
    check(notices.some((notice) => notice.startsWith("nl: SELECT")), true);
  });
  for (const values of [undefined, []]) {
    await test(`no answer, ${values ? "extended" : "simple"}`, async () => {
      const error = await fails(() => client.query({ text: NONSENSE, queryMode: values && "extended" }));
      check(error.code, "NL001");
      check(Boolean(error.hint), true);
      checkRows((await client.query({ text: "SELECT 1", rowMode: "array" })).rows, [[1]]);
    });
  }
  await test("no answer in a transaction", async () => {
    await client.query("BEGIN");
    await fails(() => client.query(NONSENSE));
    check((await fails(() => client.query("SELECT 1"))).code, "25P02");
    await client.query("ROLLBACK");
    checkRows((await client.query({ text: "SELECT 1", rowMode: "array" })).rows, [[1]]);
  });
  await test("settings", async () => {
    await client.query("SET querent.notices = off");
    const { rows } = await client.query("SHOW querent.last_sql");
    check(/stores/.test(Object.values(rows[0])[0]), true);
    check(/notices/.test(JSON.stringify(await fails(() => client.query("SET querent.colour = 'red'")))), true);
  });
  await test("several statements", async () => {
    const results = await client.query("SELECT 1 AS a; /* nl: list the names of all stores */; SELECT 'x;y' AS b");
    check(results.map(({ rowCount }) => rowCount), [1, 18, 1]);
  });
  await test("types", async () => {
    const { rows } = await client.query("SELECT name, price, stock, discontinued, launched_on FROM products WHERE product_id = $1", [1]);
    const { name, price, stock, discontinued, launched_on: launched } = rows[0];
    check([typeof name, typeof price, typeof discontinued, launched instanceof Date], ["string", "string", "boolean", true]);
    check(Number.isInteger(Number(stock)), true);
  });
  await test("writes and rollback", async () => {
    await client.query("CREATE TABLE node_scratch (id INTEGER PRIMARY KEY, word TEXT)");
    try {
      for (const [id, word] of [[1, "één"], [2, null]]) {
        await client.query("INSERT INTO node_scratch VALUES ($1, $2)", [id, word]);
      }
      await client.query("BEGIN");
      check((await client.query("UPDATE node_scratch SET word = 'x'")).rowCount, 2);
      await client.query("ROLLBACK");
      const { rows } = await client.query("SELECT word FROM node_scratch ORDER BY id");
      check(rows.map(({ word }) => word), ["één", null]);
    } finally {
      await client.query("DROP TABLE node_scratch");
    }
  });
}

async function main() {
  const client = new Client({ connectionString: url });
  await client.connect();
  await (mode === "behaviour" ? runBehaviour(client) : runCases(client));
  await client.end();
  console.log(`1..${count}`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
