// The tables with what they mean: columns, metrics, other names; and what is known of the values that they hold.

import { element, send, table } from "./common.js";

const by = (id) => document.getElementById(id);
let known = null;
/** What tables hold, by the table: a reply, or why there is none. */
let held = new Map();
/** As whom: another user, or nobody but whoever looks at the page. */
let reader;
const count = (number, word) => `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
const keyOf = (dataset) => JSON.stringify([dataset.schema, dataset.name]);

/** Always there, since it is filled later. */
const VALUES = ["Values", (field) => (field.expression ? "" : contentsOf(field.of, field.name))];
const COLUMNS = [
  ["Column", (field) => field.name],
  ["Type", (field) => element("code", {}, field.type ?? "")],
  ["Key", (field) => keysOf(field.dataset, field.name)],
  VALUES,
  ["Role", (field) => field.role ?? ""],
  ["Sums up", (field) => field.additivity ?? ""],
  ["Also called", (field) => names(field.dataset, field.name)],
  ["What it is", (field) => [field.description, field.expression && `= ${field.expression}`, field.unit, field.labels].filter(Boolean).join(" · ")],
];
const METRICS = [
  ["Metric", (metric) => metric.name],
  ["Expression", (metric) => metric.expression],
  ["What it is", (metric) => metric.description ?? ""],
  ["From", (metric) => metric.source ?? ""],
];

/** What a column identifies or refers to, and whether that is declared or was inferred. */
function keysOf(dataset, name) {
  const keys = known.keys.filter((key) => key.dataset === dataset && key.columns.split(", ").includes(name));
  return keys.map((key) => {
    const part = key.columns.includes(", ") ? "part of " : "";
    const told = key.kind === "primary" ? `${part}primary key` : `${part ? `${part}key ` : ""}→ ${key.refers_to}`;
    return key.source === "inferred" ? `${told}, inferred` : told;
  }).join("; ");
}

function names(dataset, name) {
  const found = known.synonyms.filter((row) => row.dataset === dataset && row.name === name);
  return found.map((row) => row.synonym).filter(Boolean).join(", ");
}

const BASES = {
  table: (rows) => (rows === 0 ? "It has no rows." : `Values of all ${count(rows, "row")}`),
  sample: (rows) => `Values of ${count(rows, "row")} that were read as a sample: others may have more`,
  statistics: (rows) => `Values by the server's statistics, of about ${count(rows, "row")}`,
  restricted: () => "What is stored is not told here: some of it is not for every reader.",
  unread: () => "What is stored was not read. Views are not; large databases are read bit by bit, as questions come.",
};

/** What the values are told by, or why none are. */
function basisOf(found) {
  if (!found) return "Looking at what is stored …";
  if (found.message) return found.message;
  const known = found.columns.filter((column) => column.basis !== "private");
  const told = known.find((column) => column.rows !== null) ?? known[0];
  return told ? BASES[told.basis](told.rows) : "";
}

/** The figures of a column, a few words each. */
function figures({ basis, rows, null_share: missing, distinct, lowest, highest, values, complete }) {
  const present = rows === null ? 0 : Math.round(rows * (1 - (missing ?? 0)));
  const told = [];
  if (rows > 0 && present === 0) return ["only NULL"];
  if (distinct > 1 && distinct === present) told.push("all different");
  else if (distinct > 0 && !complete && distinct !== values.length) {
    told.push(`${basis === "table" ? "" : basis === "sample" ? "at least " : "about "}${count(distinct, "value")}`);
  }
  if (lowest !== null && lowest !== highest) told.push(`${lowest} to ${highest}`);
  if (missing > 0) told.push(`${missing < 0.01 ? "<1" : Math.min(99, Math.round(missing * 100))}% NULL`);
  return told;
}

/** A value, and how much of the column it is. */
function chip({ value, rows }, most) {
  const blank = value.trim() === "";
  const made = element("li", { title: value.length > 24 ? value : null },
    blank ? element("i", {}, value ? "blanks" : "empty") : element("bdi", {}, value),
    rows === null ? null : element("span", { class: "number" }, rows.toLocaleString()));
  if (rows !== null) made.style.setProperty("--share", `${(100 * rows) / most}%`);
  return made;
}

/** What a column holds. */
function contentsOf(dataset, name) {
  const column = held.get(keyOf(dataset))?.columns?.find((column) => column.name === name);
  if (!column) return "";
  if (column.basis === "private") return element("span", { class: "small dim" }, "private: not shown");
  const told = figures(column);
  const most = Math.max(...column.values.map((value) => value.rows ?? 0));
  const examples = column.values.some((value) => value.rows === null);
  const numbered = column.values.every((value) => value.rows === 1);
  return element("div", { class: "held" },
    told.length ? element("div", { class: "small dim number" }, ...told.map((words) => element("span", {}, words))) : null,
    column.values.length
      ? element("ul", { "aria-label": `${examples ? "Some values" : column.complete ? "Values" : "Common values"} of ${name}` },
          ...column.values.map((value) => chip(numbered ? { ...value, rows: null } : value, most)),
          column.complete ? null : element("li", { class: "more", "aria-hidden": "true" }, "…"))
      : null);
}

/** Tables whose contents are wanted: one is asked for after the other, as far as they are still looked at. */
const wanted = new Set();
let isAsking = false;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting && target.open) wanted.add(target);
    else wanted.delete(target);
  }
  askForContents();
});

async function askForContents() {
  if (isAsking) return;
  isAsking = true;
  for (const details of wanted) {
    wanted.delete(details);
    seen.unobserve(details);
    if (details.isConnected) await askFor(details);
  }
  isAsking = false;
}

async function askFor(details) {
  const { dataset } = details.told;
  const mine = held;
  const place = new URLSearchParams({ dataset: dataset.name });
  if (dataset.schema) place.set("schema", dataset.schema);
  if (reader) place.set("user", reader);
  let found;
  try {
    found = await (await send(`/api/v1/schema/contents?${place}`)).json();
  } catch (error) {
    found = { message: error.message };
  }
  // Another user's is another matter.
  if (mine !== held) return;
  held.set(keyOf(dataset), found);
  // The search may have drawn it anew meanwhile.
  for (const { told } of by("datasets").children) if (told && keyOf(told.dataset) === keyOf(dataset)) told.fill();
}

/** What is not known for good is asked for again when the table is opened again. */
function opened(details) {
  const found = held.get(keyOf(details.told.dataset));
  if (details.open && !found?.columns?.some((column) => column.rows !== null || column.basis === "private")) seen.observe(details);
}

function draw() {
  seen.disconnect();
  wanted.clear();
  const words = by("search").value.trim().toLowerCase();
  const has = (...texts) => texts.some((text) => text?.toLowerCase().includes(words));
  const shown = [];
  for (const dataset of known.datasets) {
    const fields = known.fields.filter((row) => row.dataset === dataset.name);
    const metrics = known.metrics.filter((row) => row.dataset === dataset.name);
    const own = has(dataset.name, dataset.description);
    const matching = fields.filter((row) => own || has(row.name, row.description));
    const measured = metrics.filter((row) => own || has(row.name, row.expression, row.description));
    if (words && !own && !matching.length && !measured.length) continue;
    const [columns, list, basis] = [element("table"), element("table"), element("p", { class: "small dim basis" })];
    const fill = () => {
      const of = (field) => ({ ...field, of: dataset });
      table(columns, filled(COLUMNS, fields.map(of)), (words ? matching : fields).map(of), "No column of that name.");
      basis.textContent = basisOf(held.get(keyOf(dataset)));
    };
    fill();
    table(list, filled(METRICS, metrics), words ? measured : metrics, "No metrics.");
    const details = element("details", { class: "panel", open: Boolean(words), ontoggle: () => opened(details) },
      element("summary", {}, element("b", {}, dataset.name), " ", element("span", { class: "pill" }, dataset.role ?? ""),
        element("span", { class: "small dim" },
          ` ${count(fields.length, "column")}${metrics.length ? `, ${count(metrics.length, "metric")}` : ""}${dataset.description ? ` · ${dataset.description}` : ""}`)),
      basis,
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Columns of ${dataset.name}` }, columns),
      metrics.length ? element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Metrics of ${dataset.name}` }, list) : null);
    details.told = { dataset, fill };
    shown.push(details);
  }
  by("datasets").replaceChildren(...(shown.length ? shown : [element("div", { class: "panel empty" }, "Nothing is called so.")]));
}

/** A column that says nothing of any row is not shown. */
function filled(all, rows) {
  return all.filter((column, at) => at === 0 || column === VALUES || rows.some((row) => {
    const shown = column[1](row);
    return shown instanceof Node ? shown.textContent : shown;
  }));
}

let turn = 0;
async function load() {
  const mine = ++turn;
  const other = by("as")?.value.trim();
  try {
    const found = await (await send(`/api/v1/schema${other ? `?user=${encodeURIComponent(other)}` : ""}`)).json();
    if (mine !== turn) return;
    known = found;
    reader = other;
    held = new Map();
    by("problem").hidden = true;
    const metrics = known.metrics.length;
    by("summary").textContent = `${known.datasets.length === 1 ? "1 table" : `${known.datasets.length} tables and views`}, ${count(known.fields.length, "column")}, ${count(metrics, "metric")}, as ${other || "you"} may read them`;
    draw();
  } catch (error) {
    if (mine !== turn) return;
    by("problem").replaceChildren(element("p", {}, error.message));
    if (error.hint && error.status !== 403) by("problem").append(element("p", { class: "more small" }, error.hint));
    if (error.status === 403) {
      by("problem").append(element("p", {}, element("a", { href: "/ask" }, "Log in on the page to ask on"), " first."));
    }
    by("problem").hidden = false;
  }
}

let waiting;
by("as")?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(load, 400);
});
by("search").addEventListener("input", () => known && draw());
for (const change of ["model-saved", "model-accepted"]) document.addEventListener(change, load);
await load();
