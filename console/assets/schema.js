// The tables with what they mean: columns, metrics, other names.

import { element, send, table } from "./common.js";

const by = (id) => document.getElementById(id);
let known = null;
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

const COLUMNS = [
  ["Column", (field) => field.name],
  ["Type", (field) => element("code", {}, field.type ?? "")],
  ["Role", (field) => field.role ?? ""],
  ["Key", (field) => keysOf(field.dataset, field.name)],
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

function draw() {
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
    const [columns, list] = [element("table"), element("table")];
    table(columns, filled(COLUMNS, fields), words ? matching : fields, "No column of that name.");
    table(list, filled(METRICS, metrics), words ? measured : metrics, "No metrics.");
    shown.push(
      element("details", { class: "panel", open: Boolean(words) },
        element("summary", {}, element("b", {}, dataset.name), " ", element("span", { class: "pill" }, dataset.role ?? ""),
          element("span", { class: "small dim" },
            ` ${count(fields.length, "column")}${metrics.length ? `, ${count(metrics.length, "metric")}` : ""}${dataset.description ? ` · ${dataset.description}` : ""}`)),
        element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Columns of ${dataset.name}` }, columns),
        metrics.length ? element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Metrics of ${dataset.name}` }, list) : null,
      ),
    );
  }
  by("datasets").replaceChildren(...(shown.length ? shown : [element("div", { class: "panel empty" }, "Nothing is called so.")]));
}

/** A column that says nothing of any row is not shown. */
function filled(all, rows) {
  return all.filter(([, value], at) => at === 0 || rows.some((row) => {
    const shown = value(row);
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
