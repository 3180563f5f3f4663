const { Sequelize, DataTypes } = require("sequelize");
(async () => {
  const log = []; const s = new Sequelize(process.argv[2], { logging: q => log.push(q), dialectOptions: {} });
  const A = s.define("a", { name: { type: DataTypes.STRING(40), allowNull: false, defaultValue: "x" }, n: DataTypes.DECIMAL(10, 2), f: DataTypes.REAL, d: DataTypes.DOUBLE, tags: DataTypes.ARRAY(DataTypes.TEXT), nums: DataTypes.ARRAY(DataTypes.INTEGER), day: DataTypes.DATEONLY, at: DataTypes.DATE, j: DataTypes.JSONB, u: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4 }, b: { type: DataTypes.BOOLEAN, defaultValue: true }, big: DataTypes.BIGINT, c: DataTypes.CHAR(3) });
  await s.sync({ alter: true }); await A.create({ tags: ["q"], nums: [1], c: "ab", day: "2024-01-02", at: new Date(), j: { a: 1 }, f: 1.5 });
  const before = JSON.stringify(await s.getQueryInterface().describeTable("as"));
  log.length = 0; await s.sync({ alter: true }); await s.sync({ alter: true });
  const after = JSON.stringify(await s.getQueryInterface().describeTable("as"));
  const row = await A.findOne();
  console.log("sequelize same description", before === after, JSON.stringify([row.tags, row.nums, row.c, row.f, row.day, row.j]), log.filter(q => /^Executing.*: (ALTER|CREATE|DROP)/.test(q)).length, "DDL");
  console.log("sequelize", after);
  await s.close();
})().catch(e => { console.log("sequelize FAILED", e.message); process.exit(1); });
