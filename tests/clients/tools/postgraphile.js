// PostGraphile: its introspection of a database, the GraphQL schema that follows, and CRUD; a line of JSON for each step.
const { Pool } = require("pg");
const { createPostGraphileSchema, withPostGraphileContext } = require("postgraphile");
const { graphql, printSchema } = require("graphql");

const [, , host, port, database, user] = process.argv;
const pool = new Pool({ host, port: Number(port), database, user });

async function step(name, work) {
  let told;
  try {
    told = await work();
  } catch (error) {
    told = { error: error.code || String(error.message).split("\n")[0] };
  }
  console.log(`${name}\t${JSON.stringify(told)}`);
}

async function main() {
  for (const sql of [
    "CREATE TABLE parents (id serial PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, price numeric(8,2) DEFAULT 1.5)",
    "CREATE TABLE children (id integer PRIMARY KEY, parent integer NOT NULL REFERENCES parents (id) ON DELETE CASCADE, note text, ok boolean, moment timestamp, doc jsonb)",
    "CREATE INDEX children_parent ON children (parent)",
    "CREATE VIEW named AS SELECT p.name, c.note FROM parents p JOIN children c ON c.parent = p.id",
    "COMMENT ON TABLE parents IS 'those before'",
    "COMMENT ON COLUMN parents.name IS 'what it is called'",
  ]) {
    await pool.query(sql);
  }
  let schema;
  await step("introspection", async () => {
    schema = await createPostGraphileSchema(pool, ["public"], { dynamicJson: true });
    return Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith("__")).sort();
  });
  if (!schema) return;
  await step("schema", async () => printSchema(schema).split("\n"));
  const ask = (text, variables) =>
    withPostGraphileContext({ pgPool: pool }, async (context) => {
      const answer = await graphql(schema, text, null, { ...context }, variables);
      return answer.errors ? { errors: answer.errors.map((error) => error.message), data: answer.data } : answer.data;
    });
  const create = "mutation ($name: String!, $price: BigFloat) { createParent(input: {parent: {name: $name, price: $price}}) { parent { id name price } } }";
  await step("create", () => ask(create, { name: "one", price: "2.50" }));
  await step("create with a default", () => ask(create, { name: "two" }));
  await step("create a child", () =>
    ask(
      'mutation { createChild(input: {child: {id: 1, parent: 1, note: "n", ok: true, moment: "2024-01-02T03:04:05", doc: {a: [1]}}}) { child { id doc moment parentByParent { name } } } }',
    ),
  );
  await step("a violated key", () => ask(create, { name: "one" }));
  await step("read", () => ask("{ allParents(orderBy: NAME_DESC) { totalCount nodes { id name price childrenByParent { nodes { note ok } } } } }"));
  await step("pages", () => ask("{ allParents(first: 1, orderBy: ID_ASC) { pageInfo { hasNextPage } edges { cursor node { name } } } }"));
  await step("by key", () => ask("{ parentById(id: 2) { name nodeId } childById(id: 1) { note } parentByName(name: \"one\") { id } }"));
  await step("condition", () => ask("{ allChildren(condition: {ok: true, parent: 1}) { nodes { id note } } }"));
  await step("a view", () => ask("{ allNameds { nodes { name note } } }"));
  await step("update", () => ask('mutation { updateParentById(input: {id: 2, parentPatch: {name: "second", price: "3"}}) { parent { name price } } }'));
  await step("delete", () => ask("mutation { deleteParentById(input: {id: 1}) { deletedParentId parent { name } } }"));
  await step("what is left", () => ask("{ allParents { nodes { id name } } allChildren { totalCount } }"));
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => pool.end());
