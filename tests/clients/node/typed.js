// node-postgres with values of every type: typed.js REFERENCE URL CASES; what it sees must be the same on both.
"use strict";

const fs = require("fs");
const { Client } = require("pg");

const [reference, url, casesFile] = process.argv.slice(2);

function show(value) {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString("hex")}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  return JSON.stringify(value, (_, part) => (typeof part === "number" && !Number.isFinite(part) ? String(part) : part));
}

async function observed(client, { type, table, ordered, comparable }, values) {
  const seen = [];
  const see = async (text, parameters) => {
    try {
      const { rows, fields } = await client.query({ text, values: parameters, rowMode: "array" });
      seen.push([text, fields.map(({ dataTypeID }) => dataTypeID), rows.map((row) => row.map(show))]);
    } catch (error) {
      seen.push([text, error.code]);
    }
  };
  await client.query("SET TimeZone = 'UTC'");
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  await client.query(`CREATE TABLE ${table} (id integer NOT NULL, v ${type})`);
  for (const [id, value] of values.entries()) await see(`INSERT INTO ${table} VALUES ($1, $2)`, [id, value]);
  await see(`SELECT v, v::text FROM ${table} ORDER BY id`, []);
  if (comparable) for (const value of values) await see(`SELECT id FROM ${table} WHERE v = $1`, [value]);
  if (ordered) await see(`SELECT id FROM ${table} ORDER BY v, id`, []);
  await see(`SELECT $1::${type}`, [values[0]]);
  await client.query(`DROP TABLE ${table}`);
  return seen;
}

async function main() {
  const [theirs, ours] = [new Client({ connectionString: reference }), new Client({ connectionString: url })];
  await Promise.all([theirs.connect(), ours.connect()]);
  const cases = JSON.parse(fs.readFileSync(casesFile, "utf8"));
  let number = 0;
  for (const one of cases) {
    number += 1;
    const { rows } = await theirs.query({ text: one.literals, rowMode: "array" });
    // The library takes objects for JSON, and lists for arrays.
    const values = rows.map((row) => (one.type.match(/^jsonb?$/) ? JSON.stringify(row[1]) : row[1]));
    const [expected, found] = [await observed(theirs, one, values), await observed(ours, one, values)];
    const same = JSON.stringify(expected) === JSON.stringify(found);
    console.log(same ? `ok ${number} ${one.type}` : `not ok ${one.type}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
  }
  console.log(`1..${number}`);
  await Promise.all([theirs.end(), ours.end()]);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
