// knex and sequelize as applications use them: orm.js URL LIBRARY; prints what each step gave.
"use strict";

const [url, library] = process.argv.slice(2);

async function step(name, act) {
  try {
    const value = await act();
    console.log(name, JSON.stringify(value === undefined ? null : value));
  } catch (error) {
    const cause = error.original || error;
    console.log(name, JSON.stringify({ error: error.name, code: cause.code, constraint: cause.constraint, table: cause.table }));
  }
}

// Migrations as knex keeps them in files: https://knexjs.org/guide/migrations.html
const MIGRATIONS = {
  "1_tables": {
    up: (knex) =>
      knex.schema
        .createTable("people", (table) => {
          table.increments("id");
          table.string("name", 80).notNullable().unique();
          table.boolean("living").notNullable().defaultTo(true);
          table.jsonb("facts");
          table.timestamp("at").defaultTo(knex.fn.now());
        })
        .createTable("books", (table) => {
          table.bigIncrements("id");
          table.string("title").notNullable().index();
          table.integer("author_id").references("id").inTable("people").onDelete("CASCADE");
          table.decimal("price", 8, 2);
          table.date("printed");
          table.uuid("key").unique();
          table.check("?? >= 0", ["price"], "price_not_negative");
        }),
    down: (knex) => knex.schema.dropTable("books").dropTable("people"),
  },
  "2_changes": {
    up: (knex) =>
      knex.schema.alterTable("books", (table) => {
        table.integer("pages").notNullable().defaultTo(100);
        table.renameColumn("printed", "printed_on");
        table.text("title").notNullable().alter();
        table.setNullable("key");
        table.unique(["author_id", "title"], { indexName: "one_title" });
        table.dropColumn("price");
      }),
    down: (knex) =>
      knex.schema.alterTable("books", (table) => {
        table.dropUnique(["author_id", "title"], "one_title");
        table.dropColumn("pages");
        table.renameColumn("printed_on", "printed");
        table.decimal("price", 8, 2);
      }),
  },
};

async function knexSteps() {
  const knex = require("knex")({ client: "pg", connection: url, pool: { min: 1, max: 2 } });
  const migrationSource = {
    getMigrations: async () => Object.keys(MIGRATIONS),
    getMigrationName: (name) => name,
    getMigration: async (name) => MIGRATIONS[name],
  };
  await step("migrate", async () => (await knex.migrate.latest({ migrationSource }))[1]);
  await step("columns", async () => {
    const columns = await knex("books").columnInfo();
    return Object.entries(columns).map(([name, one]) => [name, one.type, one.nullable]);
  });
  await step("has", async () => [await knex.schema.hasTable("books"), await knex.schema.hasColumn("books", "price")]);
  await step("insert", () => knex("people").insert([{ name: "Ann", facts: { a: [1, 2] } }, { name: "Ben" }]).returning(["id", "name", "facts", "living"]));
  await step("conflict", () => knex("people").insert({ name: "Ann", living: false }).onConflict("name").merge().returning(["id", "living"]));
  await step("books", () =>
    knex("books").insert([
      { title: "One", author_id: 1, printed_on: "2024-02-29", key: "00000000-0000-0000-0000-000000000001" },
      { title: "Two", author_id: 1, printed_on: "2023-12-31", pages: 300 },
      { title: "Three", author_id: 2 },
    ]).returning("id"));
  await step("join", () => knex("books").join("people", "people.id", "books.author_id").select("title", "name").orderBy("books.id"));
  await step("group", () => knex("books").select("author_id").count("* as n").sum("pages as pages").groupBy("author_id").orderBy("author_id"));
  await step("json", () => knex("people").whereJsonPath("facts", "$.a[0]", "=", 1).pluck("name"));
  await step("raw", async () => (await knex.raw("SELECT date_trunc('month', printed_on)::date::text AS m, count(*)::int FROM books GROUP BY 1 ORDER BY 1 NULLS LAST")).rows);
  await step("update", () => knex("books").where("author_id", 1).increment("pages", 5).returning(["id", "pages"]));
  await step("unique", () => knex("books").insert({ title: "One", author_id: 1 }));
  await step("foreign key", () => knex("books").insert({ title: "x", author_id: 99 }));
  await step("not null", () => knex("people").insert({ living: true }));
  await step("transaction", async () => {
    await knex.transaction(async (one) => {
      await one("people").insert({ name: "Cy" });
      await one.transaction(async (inner) => {
        await inner("people").insert({ name: "Gone" });
        throw new Error("undone");
      }).catch(() => null);
    });
    return knex("people").orderBy("name").pluck("name");
  });
  await step("cascade", async () => [await knex("people").where("id", 1).del(), await knex("books").count("* as n")]);
  await step("lock", () => knex.transaction((one) => one("people").where("id", 2).forUpdate().first("name")));
  await step("roll back", async () => (await knex.migrate.rollback({ migrationSource }, true))[1]);
  await step("gone", () => knex.schema.hasTable("books"));
  await knex.destroy();
}

async function sequelizeSteps() {
  const { Sequelize, DataTypes, Op, fn, col } = require("sequelize");
  const db = new Sequelize(url, { logging: false });
  const Person = db.define("Person", {
    name: { type: DataTypes.STRING(80), allowNull: false, unique: true },
    born: DataTypes.DATEONLY,
    facts: DataTypes.JSONB,
    tags: DataTypes.ARRAY(DataTypes.TEXT),
    score: DataTypes.DOUBLE,
  });
  const Book = db.define("Book", { title: DataTypes.STRING, pages: DataTypes.INTEGER, key: { type: DataTypes.UUID } }, { indexes: [{ fields: ["title"] }] });
  Person.hasMany(Book, { onDelete: "CASCADE" });
  Book.belongsTo(Person);
  await step("authenticate", () => db.authenticate());
  await step("sync", async () => Object.keys((await db.sync({ force: true })).models));
  await step("alter", async () => {
    await db.getQueryInterface().addColumn("Books", "price", { type: DataTypes.DECIMAL(8, 2), defaultValue: 1.5 });
    await db.getQueryInterface().changeColumn("Books", "pages", { type: DataTypes.BIGINT, allowNull: false, defaultValue: 7 });
    await db.getQueryInterface().addConstraint("Books", { fields: ["title", "PersonId"], type: "unique", name: "one_title" });
  });
  await step("tables", async () => (await db.getQueryInterface().showAllTables()).sort());
  await step("columns", async () => {
    const columns = await db.getQueryInterface().describeTable("Books");
    return Object.entries(columns).map(([name, one]) => [name, one.type, one.allowNull, one.primaryKey]);
  });
  await step("indexes", async () => {
    const indexes = await db.getQueryInterface().showIndex("Books");
    return indexes.map((one) => [one.name, one.unique, one.primary, one.fields.map((field) => field.attribute)]).sort();
  });
  await step("foreign keys", async () => {
    const keys = await db.getQueryInterface().getForeignKeyReferencesForTable("Books");
    return keys.map((one) => [one.columnName, one.referencedTableName, one.referencedColumnName]);
  });
  await step("create", async () => {
    const ann = await Person.create({ name: "Ann", born: "2000-02-29", facts: { a: 1 }, tags: ["x", "y"], score: 0.1, Books: [{ title: "One", pages: 3 }, { title: "Two", pages: 5 }] }, { include: Book });
    return [ann.id, ann.born, ann.facts, ann.tags, ann.Books.length];
  });
  await step("bulkCreate", async () => (await Person.bulkCreate([{ name: "Ben" }, { name: "Cy" }])).map((one) => one.id));
  await step("findOrCreate", async () => (await Person.findOrCreate({ where: { name: "Ben" } }))[1]);
  await step("upsert", async () => (await Person.upsert({ name: "Ben", score: 2 }))[0].score);
  await step("include", async () => (await Person.findAll({ include: Book, order: ["name", [Book, "title"]] })).map((one) => [one.name, one.Books.map((book) => book.title)]));
  await step("where", async () => Person.count({ where: { name: { [Op.iLike]: "a%" }, tags: { [Op.contains]: ["x"] }, "facts.a": 1 } }));
  await step("aggregate", () => Book.findAll({ attributes: ["PersonId", [fn("sum", col("pages")), "sum"], [fn("count", col("id")), "n"]], group: "PersonId", raw: true }));
  await step("update", () => Book.update({ pages: 9 }, { where: { title: "One" }, returning: ["id", "pages"] }).then(([count, rows]) => [count, rows.map((row) => row.pages)]));
  await step("unique", () => Person.create({ name: "Ann" }));
  await step("transaction", async () => {
    await db.transaction(async (transaction) => {
      await Person.create({ name: "Gone" }, { transaction });
      throw new Error("undone");
    }).catch(() => null);
    return Person.count();
  });
  await step("destroy", async () => [await Person.destroy({ where: { name: "Ann" } }), await Book.count()]);
  await step("drop", async () => {
    await db.drop();
    return db.getQueryInterface().showAllTables();
  });
  await db.close();
}

(library === "knex" ? knexSteps() : sequelizeSteps()).catch((error) => {
  console.error(error);
  process.exit(1);
});
