require("reflect-metadata");
const { DataSource, EntitySchema } = require("typeorm");
const kinds = ["boolean","smallint","integer","bigint","real","double precision","text","varchar","bytea","date","time","timetz","timestamp","timestamptz","interval","json","jsonb","uuid","inet","cidr","macaddr","money","bit","varbit","xml"];
const columns = { id: { type: "int", primary: true, generated: true } };
kinds.forEach((type, i) => { columns["k" + i] = { type, nullable: true }; });
Object.assign(columns, {
  n: { type: "numeric", precision: 10, scale: 2, default: 0, nullable: true }, v: { type: "varchar", length: 30, default: "x" }, c: { type: "char", length: 3, nullable: true },
  t3: { type: "timestamp", precision: 3, nullable: true }, tz3: { type: "timestamptz", precision: 3, nullable: true }, ia: { type: "int", array: true, nullable: true }, ta: { type: "text", array: true, default: "{}" },
  made: { type: "timestamptz", createDate: true }, changed: { type: "timestamp", updateDate: true }, flag: { type: "boolean", default: true }, off: { type: "boolean", default: false }, amount: { type: "int", default: 5 }, j: { type: "jsonb", default: {} , nullable: true},
  bits: { type: "bit", length: 8, nullable: true } });
const Kind = new EntitySchema({ name: "kind", columns, indices: [{ name: "by_v", columns: ["v"] }], uniques: [{ columns: ["amount", "v"] }] });
const Part = new EntitySchema({ name: "part", columns: { key: { type: "uuid", primary: true, generated: "uuid" }, name: { type: "text" } }, relations: { kind: { type: "many-to-one", target: "kind", joinColumn: true, onDelete: "CASCADE" } }, checks: [{ expression: '"name" <> \'\'' }] });
(async () => {
  const source = new DataSource({ type: "postgres", url: process.argv[2], entities: [Kind, Part], logging: false });
  await source.initialize();
  await source.synchronize();
  const plan = async (when) => { const log = await source.driver.createSchemaBuilder().log(); console.log("typeorm", when, "plans", log.upQueries.length, log.upQueries.map(q => q.query).slice(0, 6)); };
  await plan("empty");
  const kindRows = source.getRepository("kind");
  const kind = await kindRows.save({ k0: true, k9: "2024-01-02", k13: new Date(), k14: "1 day", ia: [1, 2], ta: ["a", "b"], c: "ab", k4: 1.5, n: "1.50", k17: "00000000-0000-0000-0000-000000000001" });
  await source.getRepository("part").save({ name: "p", kind });
  const read = await kindRows.findOneBy({ id: kind.id });
  console.log("typeorm read", JSON.stringify([read.ia, read.ta, read.c, read.n, read.k0, read.k4, read.flag]));
  await source.synchronize();
  await plan("filled");
  await source.destroy();
})().catch(e => { console.log("typeorm FAILED", e.message, e.query || ""); process.exit(1); });
