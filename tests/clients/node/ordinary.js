// node-postgres with ordinary SQL: ordinary.js URL STATEMENTS MODE; prints all that it sees.
"use strict";

const fs = require("fs");
const { Client } = require("pg");

const [url, statementsFile, mode] = process.argv.slice(2);

function print(what, value) {
  console.log(what, JSON.stringify(value));
}

function told(error) {
  const { code, severity, message, detail, hint, position, where, schema, table, column, dataType, constraint } = error;
  return { code, severity, message, detail, hint, position, where, schema, table, column, dataType, constraint };
}

async function main() {
  const client = new Client({ connectionString: url });
  client.on("notice", (notice) => print("notice", told(notice)));
  client.on("notification", ({ channel, payload }) => print("notification", { channel, payload }));
  await client.connect();
  let number = 0;
  for (const text of fs.readFileSync(statementsFile, "utf8").split("\0")) {
    number += 1;
    print("statement", text);
    const query = { text, rowMode: "array" };
    if (mode !== "simple") query.queryMode = "extended";
    if (mode === "named") query.name = `s${number}`;
    for (let time = 0; time < (mode === "named" ? 2 : 1); time += 1) {
      try {
        const { command, rowCount, fields, rows } = await client.query(query);
        print("result", { command, rowCount, fields: (fields || []).map(({ name, dataTypeID, format }) => [name, dataTypeID, format]), rows });
      } catch (error) {
        print("error", told(error));
      }
    }
  }
  // Many at once on one connection: they queue in the client, and answers must come to whom they belong.
  const many = await Promise.all(Array.from({ length: 200 }, (_, n) => client.query("SELECT $1::int * 2 AS n", [n])));
  print("many", many.map(({ rows }) => rows[0].n));
  await client.end();
  console.log("finished");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
