const { MikroORM, EntitySchema } = require("@mikro-orm/postgresql");
const E = new EntitySchema({ name: "Thing", properties: { id: { type: "number", primary: true }, name: { type: "string", length: 40, default: "x" }, note: { type: "text", nullable: true }, flag: { type: "boolean", default: true }, n: { type: "decimal", precision: 10, scale: 2, nullable: true }, f: { type: "float", columnType: "real", nullable: true }, d: { type: "double", nullable: true }, day: { type: "date", nullable: true }, at: { type: "datetime", defaultRaw: "now()" }, t3: { type: "datetime", length: 3, nullable: true }, tags: { type: "array", columnType: "text[]", nullable: true }, nums: { type: "array", columnType: "int[]", nullable: true }, j: { type: "json", nullable: true }, u: { type: "uuid", defaultRaw: "gen_random_uuid()" }, big: { type: "bigint", nullable: true }, c: { type: "string", columnType: "char(3)", nullable: true }, iv: { type: "string", columnType: "interval", nullable: true }, zero: { type: "number", default: 0 } }, indexes: [{ properties: ["name"] }] });
const K = new EntitySchema({ name: "Kid", properties: { id: { type: "number", primary: true }, thing: { kind: "m:1", entity: "Thing", deleteRule: "cascade" }, mood: { enum: true, items: ["sad", "happy"], default: "sad" } } });
(async () => {
  const orm = await MikroORM.init({ clientUrl: process.argv[2], entities: [E, K], debug: false, discovery: { disableDynamicFileAccess: true } });
  await orm.schema.updateSchema();
  console.log("mikro empty plans", JSON.stringify(await orm.schema.getUpdateSchemaSQL({ wrap: false })));
  const em = orm.em.fork(); const t = em.create("Thing", { tags: ["a"], nums: [1, 2], day: "2024-01-02", c: "ab", f: 1.5, at: new Date(), u: "00000000-0000-0000-0000-000000000001", flag: true, name: "q", zero: 1, iv: "1 day" }); em.create("Kid", { thing: t, mood: "happy" }); await em.flush();
  const r = await orm.em.fork().findOne("Thing", { id: t.id }); console.log("mikro read", JSON.stringify([r.tags, r.nums, r.c, r.f, r.day]));
  await orm.schema.updateSchema();
  console.log("mikro filled plans", JSON.stringify(await orm.schema.getUpdateSchemaSQL({ wrap: false })));
  await orm.close();
})().catch(e => { console.log("mikro FAILED", e.message); process.exit(1); });
