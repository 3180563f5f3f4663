// kysely, pg-promise and drizzle as applications use them: builders.js URL LIBRARY; prints what each step gave.
"use strict";

const [url, library] = process.argv.slice(2);

async function step(name, act) {
  try {
    const value = await act();
    console.log(`${name}\t${JSON.stringify(value === undefined ? null : value)}`);
  } catch (error) {
    const cause = error.cause || error;
    console.log(`${name}\t${JSON.stringify({ error: cause.name, code: cause.code, constraint: cause.constraint, table: cause.table })}`);
  }
}

async function kyselySteps() {
  const { Kysely, PostgresDialect, PostgresIntrospector, sql } = require("kysely");
  const { Pool } = require("pg");
  const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }), cursor: require("pg-cursor") }) });
  await step("create", async () => {
    await db.schema
      .createTable("person")
      .ifNotExists()
      .addColumn("id", "serial", (column) => column.primaryKey())
      .addColumn("name", "varchar(80)", (column) => column.notNull().unique())
      .addColumn("born", "date")
      .addColumn("facts", "jsonb")
      .addColumn("made_at", "timestamp", (column) => column.defaultTo(sql`now()`).notNull())
      .execute();
    await db.schema
      .createTable("pet")
      .addColumn("id", "integer", (column) => column.primaryKey().generatedAlwaysAsIdentity())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("owner_id", "integer", (column) => column.references("person.id").onDelete("cascade"))
      .addColumn("species", "text", (column) => column.check(sql`species in ('dog', 'cat')`))
      .execute();
    await db.schema.createIndex("pet_owner").on("pet").column("owner_id").execute();
    await db.schema.createView("dogs").as(db.selectFrom("pet").selectAll().where("species", "=", "dog")).execute();
  });
  await step("tables", async () => {
    const tables = await new PostgresIntrospector(db).getTables();
    return tables.map((table) => [table.name, table.isView, table.schema, table.columns.map((column) => [column.name, column.dataType, column.isNullable, column.isAutoIncrementing, column.hasDefaultValue])]).sort();
  });
  await step("insert", () => db.insertInto("person").values([{ name: "Ann", born: "2000-02-29", facts: JSON.stringify({ a: [1, 2] }) }, { name: "Ben" }, { name: "Cy" }]).returning(["id", "name", "facts"]).execute());
  await step("insert of a query", () =>
    db
      .insertInto("pet")
      .columns(["name", "owner_id", "species"])
      .expression((builder) => builder.selectFrom("person").select((one) => [sql`name || '''s'`.as("n"), "id", one.val("dog").as("s")]))
      .returningAll()
      .execute());
  await step("conflict", () => db.insertInto("person").values({ name: "Ann" }).onConflict((conflict) => conflict.column("name").doUpdateSet({ name: (one) => sql`${one.ref("excluded.name")} || '!'` })).returning("name").execute());
  await step("update with an alias", () => db.updateTable("pet as p").set({ name: "Rex" }).where("p.id", "=", 1).returning(["p.id", "p.name"]).execute());
  await step("update from", () => db.updateTable("pet as p").from("person as o").set((one) => ({ name: one.ref("o.name") })).whereRef("p.owner_id", "=", "o.id").where("o.name", "=", "Ben").returning(["p.id", "p.name", "o.name as owner"]).execute());
  await step("delete using", () => db.deleteFrom("pet").using("person").whereRef("pet.owner_id", "=", "person.id").where("person.name", "=", "Cy").returning(["pet.id", "person.name"]).execute());
  await step("join", () => db.selectFrom("person").leftJoin("pet", "pet.owner_id", "person.id").select(["person.name", "pet.name as pet"]).orderBy("person.id").execute());
  await step("json", () => {
    const { jsonArrayFrom } = require("kysely/helpers/postgres");
    return db.selectFrom("person").select((one) => ["name", jsonArrayFrom(one.selectFrom("pet").select(["pet.id", "pet.species"]).whereRef("pet.owner_id", "=", "person.id").orderBy("pet.id")).as("pets")]).orderBy("name").execute();
  });
  await step("with", () => db.with("new_one", (one) => one.insertInto("person").values({ name: "Dan" }).returning(["id", "name"])).selectFrom("new_one").selectAll().execute());
  await step("exists", () => db.selectFrom("person").select("name").where(({ exists, selectFrom }) => exists(selectFrom("pet").whereRef("pet.owner_id", "=", "person.id"))).orderBy("name").execute());
  await step("group", () => db.selectFrom("pet").select((one) => ["species", one.fn.countAll().as("n"), one.fn.max("id").as("last")]).groupBy("species").execute());
  await step("stream", async () => {
    const names = [];
    for await (const row of db.selectFrom("person").select("name").orderBy("id").stream(2)) names.push(row.name);
    return names;
  });
  await step("unique", () => db.insertInto("person").values({ name: "Ben" }).execute());
  await step("check", () => db.insertInto("pet").values({ name: "Tweety", species: "bird" }).execute());
  await step("transaction", () =>
    db.transaction().setIsolationLevel("serializable").execute(async (transaction) => {
      await transaction.updateTable("person").set({ born: "1999-01-01" }).where("name", "=", "Ben").execute();
      return transaction.selectFrom("person").select(sql`born::text`.as("born")).where("name", "=", "Ben").executeTakeFirst();
    }));
  await step("alter", async () => {
    await db.schema.alterTable("pet").addColumn("weight", "real").execute();
    await db.schema.alterTable("pet").alterColumn("weight", (column) => column.setDefault(2.5)).execute();
    await db.schema.alterTable("pet").renameTo("animal").execute();
    return db.insertInto("animal").values({ name: "Tom", species: "cat" }).returning(["name", "weight"]).execute();
  });
  await step("drop", async () => {
    await db.schema.dropView("dogs").execute();
    await db.schema.dropTable("animal").cascade().execute();
    await db.schema.dropTable("person").ifExists().execute();
  });
  await db.destroy();
}

async function promiseSteps() {
  const pgp = require("pg-promise")({ noWarnings: true });
  const QueryStream = require("pg-query-stream");
  const copy = require("pg-copy-streams");
  const { pipeline } = require("node:stream/promises");
  const { Readable } = require("node:stream");
  const db = pgp({ connectionString: url, max: 2 });
  await step("create", () => db.none("CREATE TABLE users(id serial PRIMARY KEY, name text NOT NULL UNIQUE, tags text[], data jsonb, made timestamptz DEFAULT now())"));
  await step("one", () => db.one("INSERT INTO users(name, tags, data) VALUES($1, $2, $3:json) RETURNING id", ["ann", ["x", "y's"], { a: 1 }], (row) => row.id));
  await step("named", () => db.one("INSERT INTO ${table:name}(${this:name}) VALUES(${this:csv}) RETURNING *".replace("${table:name}", "users").replaceAll("this", "row"), { row: { name: "ben", tags: ["z"] } }, (row) => [row.id, row.tags]));
  await step("helpers insert", async () => {
    const columns = new pgp.helpers.ColumnSet(["name", { name: "tags", cast: "text[]" }, { name: "data", mod: ":json", cast: "jsonb" }], { table: "users" });
    return db.map(pgp.helpers.insert([{ name: "cy", tags: [], data: null }, { name: "dan", tags: ["q"], data: [1] }], columns) + " RETURNING id, data", [], (row) => [row.id, row.data]);
  });
  await step("helpers update", () => {
    const columns = new pgp.helpers.ColumnSet(["?id", "name"], { table: "users" });
    const rows = [{ id: 1, name: "Ann" }, { id: 2, name: "Ben" }];
    return db.any(`${pgp.helpers.update(rows, columns)} WHERE v.id = t.id RETURNING t.id, t.name, v.name AS was`);
  });
  await step("delete using", () => db.any("DELETE FROM users AS u USING (VALUES (4, 'gone')) AS v(id, why) WHERE v.id = u.id RETURNING u.name, v.why"));
  await step("prepared", () => db.any({ name: "by-name", text: "SELECT id, name FROM users WHERE name = $1", values: ["Ann"] }));
  await step("in a list", () => db.any("SELECT name FROM users WHERE id IN ($1:csv) ORDER BY id", [[1, 2, 3]]));
  await step("any", () => db.any("SELECT name FROM users WHERE id = ANY($1::int[]) ORDER BY id", [[1, 3]]));
  await step("result", async () => {
    const result = await db.result("SELECT id, name, tags, data FROM users ORDER BY id");
    return [result.rowCount, result.fields.map((field) => [field.name, field.dataTypeID])];
  });
  await step("multi", () => db.multi("SELECT 1 AS a; SELECT 2 AS b, 3 AS c"));
  await step("batch", () => db.task((task) => task.batch([task.one("SELECT count(*)::int AS n FROM users"), task.one("SELECT max(name) AS last FROM users")])));
  await step("transaction", () => db.tx(async (tx) => {
    await tx.none("UPDATE users SET name = upper(name) WHERE id = 1");
    await tx.tx((inner) => inner.none("UPDATE users SET id = id / 0")).catch(() => null);
    return tx.one("SELECT name FROM users WHERE id = 1");
  }));
  await step("stream", async () => {
    const seen = [];
    const done = await db.stream(new QueryStream("SELECT i, 'row ' || i AS t FROM generate_series(1, $1) AS i", [250], { batchSize: 40 }), (stream) => stream.on("data", (row) => seen.push(row.i)));
    return [done.processed, seen.length, seen[249]];
  });
  await step("cursor", async () => {
    const Cursor = require("pg-cursor");
    const connection = await db.connect();
    const cursor = connection.client.query(new Cursor("SELECT i FROM generate_series(1, 10) AS i"));
    const first = await cursor.read(4);
    const rest = await cursor.read(100);
    await cursor.close();
    connection.done();
    return [first.length, rest.length];
  });
  await step("copy in", async () => {
    const connection = await db.connect();
    const stream = connection.client.query(copy.from("COPY users(id, name, tags) FROM STDIN WITH (FORMAT csv)"));
    await pipeline(Readable.from(['10,"a, b","{k,l}"\n', "11,plain,\n"]), stream);
    connection.done();
    return [stream.rowCount, await db.any("SELECT id, name, tags FROM users WHERE id >= 10 ORDER BY id")];
  });
  await step("copy out", async () => {
    const connection = await db.connect();
    let text = "";
    const stream = connection.client.query(copy.to("COPY (SELECT id, name FROM users ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER)"));
    for await (const chunk of stream) text += chunk;
    connection.done();
    return text;
  });
  await step("sequence", async () => [await db.one("SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users)) AS at"), await db.one("SELECT last_value, is_called FROM users_id_seq"), await db.one("INSERT INTO users(name) VALUES('next') RETURNING id")]);
  await step("unique", () => db.none("INSERT INTO users(name) VALUES('next')"));
  await step("none that has", () => db.none("SELECT 1").catch((error) => error.message));
  await step("listen", async () => {
    const connection = await db.connect({ direct: true });
    const heard = new Promise((resolve) => connection.client.on("notification", (data) => resolve([data.channel, data.payload])));
    await connection.none("LISTEN $1:name", "news");
    await db.none("NOTIFY $1:name, $2", ["news", "hello"]);
    const told = await heard;
    await connection.done(true);
    return told;
  });
  await step("drop", () => db.none("DROP TABLE users"));
  pgp.end();
}

async function drizzleSteps() {
  const { drizzle } = require("drizzle-orm/node-postgres");
  const core = require("drizzle-orm/pg-core");
  const { and, arrayContains, count, desc, eq, exists, inArray, relations, sql } = require("drizzle-orm");
  const { Pool } = require("pg");
  const { pushSchema } = require("drizzle-kit/api");
  const authors = core.pgTable("authors", {
    id: core.serial("id").primaryKey(),
    name: core.varchar("name", { length: 80 }).notNull().unique(),
    born: core.date("born"),
    facts: core.jsonb("facts"),
    tags: core.text("tags").array(),
    living: core.boolean("living").notNull().default(true),
    made: core.timestamp("made", { withTimezone: true }).defaultNow(),
  });
  const books = core.pgTable("books", {
    id: core.integer("id").primaryKey().generatedAlwaysAsIdentity(),
    title: core.text("title").notNull(),
    price: core.numeric("price", { precision: 8, scale: 2 }),
    pages: core.smallint("pages"),
    score: core.real("score"),
    exact: core.doublePrecision("exact"),
    key: core.uuid("key"),
    authorId: core.integer("author_id").references(() => authors.id, { onDelete: "cascade" }),
  }, (table) => [core.index("books_title").on(table.title), core.uniqueIndex("books_once").on(table.authorId, table.title)]);
  const schema = {
    authors,
    books,
    authorsHave: relations(authors, ({ many }) => ({ books: many(books) })),
    booksHave: relations(books, ({ one }) => ({ author: one(authors, { fields: [books.authorId], references: [authors.id] }) })),
  };
  const pool = new Pool({ connectionString: url, max: 2 });
  const db = drizzle(pool, { schema });
  const quietly = async (act) => {
    const { log, error } = console;
    const write = process.stdout.write;
    console.log = console.error = () => {};
    process.stdout.write = () => true;
    try {
      return await act();
    } finally {
      Object.assign(console, { log, error });
      process.stdout.write = write;
    }
  };
  await step("push", async () => {
    const plan = await quietly(() => pushSchema({ authors, books }, db));
    await plan.apply();
    return plan.statementsToExecute;
  });
  await step("push again", async () => (await quietly(() => pushSchema({ authors, books }, db))).statementsToExecute);
  await step("insert", () => db.insert(authors).values([{ name: "Ann", born: "2000-02-29", facts: { a: 1 }, tags: ["x"] }, { name: "Ben", tags: [] }]).returning({ id: authors.id, tags: authors.tags, living: authors.living }));
  await step("insert books", () => db.insert(books).values([{ title: "One", price: "9.99", pages: 3, score: 0.5, exact: 0.1, authorId: 1 }, { title: "Two", price: "19.50", pages: 5, authorId: 1 }]).returning());
  await step("push with rows", async () => (await quietly(() => pushSchema({ authors, books }, db))).statementsToExecute);
  await step("relations", () => db.query.authors.findMany({ columns: { name: true }, with: { books: { columns: { title: true, price: true }, orderBy: (book, { asc }) => [asc(book.title)] } }, orderBy: (author, { asc }) => [asc(author.id)] }));
  await step("join", () => db.select({ name: authors.name, n: count(books.id) }).from(authors).leftJoin(books, eq(books.authorId, authors.id)).groupBy(authors.id).orderBy(desc(count(books.id))));
  await step("exists", () => db.select({ name: authors.name }).from(authors).where(exists(db.select({ one: sql`1` }).from(books).where(eq(books.authorId, authors.id)))));
  await step("contains", () => db.select({ id: authors.id }).from(authors).where(and(arrayContains(authors.tags, ["x"]), inArray(authors.name, ["Ann", "Ben"]))));
  await step("conflict", () => db.insert(authors).values({ name: "Ann" }).onConflictDoUpdate({ target: authors.name, set: { living: false } }).returning({ id: authors.id, living: authors.living }));
  await step("update", () => db.update(books).set({ pages: sql`${books.pages} + 1` }).where(eq(books.title, "One")).returning({ pages: books.pages }));
  await step("update from", async () => {
    const rows = await db.update(books).set({ title: sql`${books.title} || ' by ' || ${authors.name}` }).from(authors).where(eq(books.authorId, authors.id)).returning({ title: books.title, name: authors.name });
    return rows.map((row) => [row.title, row.name]).sort();
  });
  await step("prepared", async () => db.select({ title: books.title }).from(books).where(eq(books.pages, sql.placeholder("pages"))).prepare("by_pages").execute({ pages: 4 }));
  await step("with", () => {
    const cheap = db.$with("cheap").as(db.select({ id: books.id, price: books.price }).from(books).where(sql`${books.price} < 10`));
    return db.with(cheap).select().from(cheap);
  });
  await step("unique", () => db.insert(authors).values({ name: "Ben" }));
  await step("transaction", () => db.transaction(async (tx) => {
    await tx.delete(authors).where(eq(authors.name, "Ann"));
    await tx.transaction(async (inner) => {
      await inner.insert(authors).values({ name: "Cy" });
      inner.rollback();
    }).catch(() => null);
    return [await tx.$count(books), await tx.$count(authors)];
  }));
  await step("push of less", async () => {
    const plan = await quietly(() => pushSchema({ authors }, db));
    return plan.statementsToExecute;
  });
  await pool.end();
}

({ kysely: kyselySteps, "pg-promise": promiseSteps, drizzle: drizzleSteps })[library]().catch((error) => {
  console.error(error);
  process.exit(1);
});
