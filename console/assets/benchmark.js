// One evaluation: how far it is and how well it goes, question by question; or held against another.

import { curve } from "./chart.js";
import { duration, element, inLines, may, moment, send, showSql, table, tile } from "./common.js";

const by = (id) => document.getElementById(id);
const { run: id, other } = document.querySelector("main").dataset;
const percent = (part, of) => (of ? `${((100 * part) / of).toFixed(1)} %` : "–");
const KINDS = { "+": ["right", "c-right"], "-": ["wrong", "c-wrong"], "!": ["does not run", "c-broken"], o: ["no answer", "c-none"], "?": ["cannot be judged", "c-void"] };
const STATES = { running: "accent", ending: "accent", finished: "good", failed: "bad", paused: "warn" };
let waiting;

function groups(name, parts) {
  const rows = Object.entries(parts).map(([label, part]) => ({ label, ...part }));
  by(name).closest(".panel").hidden = rows.length === 0;
  table(by(name), [
    ["", (row) => row.label],
    ["Questions", (row) => row.n, true],
    ["Accuracy", (row) => percent(row.correct, row.n), true],
    ["Precision", (row) => percent(row.correct, row.answered), true],
    ["Answered", (row) => percent(row.answered, row.n), true],
  ], rows, "");
}

function cells(figures) {
  const box = by("cells");
  const marks = [...figures.marks];
  // Those that were there stay, so that the one with the focus does.
  marks.forEach((mark, at) => {
    const index = figures.indexes[at];
    const [word, kind] = KINDS[mark];
    let cell = box.children[at];
    if (cell?.dataset.index !== String(index)) {
      cell = element("button", { type: "button", "data-index": index });
      box.insertBefore(cell, box.children[at] ?? null);
    }
    if (cell.className === kind) return;
    cell.className = kind;
    cell.setAttribute("aria-label", `Question ${index + 1}: ${word}`);
    cell.title = `Question ${index + 1}: ${word}`;
  });
  while (box.children.length > marks.length) box.lastElementChild.remove();
}

function draw({ run, figures }) {
  by("title").textContent = run.dataset;
  const which = run.sample ? `${run.sample} at random` : run.limit ? `the first ${run.limit}` : "all questions";
  by("what").textContent = `${run.mode}${run.models.length ? ` (${run.models.join(", ")})` : ""} · ${which} · begun ${moment(run.begun)} by ${run.by}`;
  by("state").textContent = run.state;
  by("state").className = `pill ${STATES[run.state] ?? ""}`;
  const can = { pause: run.state === "running", stop: ["running", "paused"].includes(run.state), resume: ["paused", "stopped", "failed"].includes(run.state), delete: !["running", "ending"].includes(run.state) };
  for (const button of document.querySelectorAll("[data-do]")) button.hidden = !may("operate") || !can[button.dataset.do];
  by("csv").href = `/api/v1/benchmarks/${id}/csv`;
  by("csv").hidden = !figures.done;
  by("problem").hidden = !run.problem;
  by("problem").textContent = run.problem ?? "";
  by("progress").firstElementChild.style.width = `${(100 * figures.done) / (run.total || 1)}%`;
  by("progress").setAttribute("aria-valuemax", run.total);
  by("progress").setAttribute("aria-valuenow", figures.done);
  by("tiles").replaceChildren(...[
    tile("Done", `${figures.done} of ${run.total || "…"}`),
    tile("Accuracy", percent(figures.correct, figures.done)),
    tile("Precision", percent(figures.correct, figures.answered)),
    tile("Answered", percent(figures.answered, figures.done)),
    tile("Half within", duration(figures.p50_ms)),
    tile("95 % within", duration(figures.p95_ms)),
    figures.cost_usd ? tile("Cost", `$${figures.cost_usd.toFixed(4)}`) : null,
    figures.unjudged ? tile("Not judged", figures.unjudged) : null,
  ].filter(Boolean));
  cells(figures);
  for (const name of ["by_difficulty", "by_kind", "by_database"]) groups(name, figures[name]);
  by("error").textContent = figures.calibration_error === null ? "" : `on average ${(100 * figures.calibration_error).toFixed(1)} points apart`;
  const whole = { x: [0, 1], y: [0, 1] };
  curve(by("calibration"), { ...whole, xName: "confidence", yName: "right", diagonal: true,
    points: figures.calibration.map((tenth) => ({ x: tenth.confidence, y: tenth.right, size: tenth.n, said: `${tenth.n} answers of about ${Math.round(100 * tenth.confidence)} %: ${Math.round(100 * tenth.right)} % right` })) });
  curve(by("coverage"), { ...whole, xName: "part of the questions answered", yName: "right", line: true,
    points: figures.coverage.map((point) => ({ x: point.coverage, y: point.precision, said: `from ${point.confidence.toFixed(2)} on: ${Math.round(100 * point.coverage)} % answered, ${Math.round(100 * point.precision)} % of them right` })) });
  for (const name of ["calibration", "coverage"]) by(name).closest(".panel").hidden = !figures[name].length;
  return ["running", "ending"].includes(run.state);
}

async function load() {
  clearTimeout(waiting);
  try {
    const goesOn = draw(await (await send(`/api/v1/benchmarks/${id}`)).json());
    if (goesOn) waiting = setTimeout(load, 1000);
  } catch (error) {
    by("problem").textContent = error.message;
    by("problem").hidden = false;
  }
}

/** How often each row is there. */
const counted = (rows) => rows.reduce((count, row) => {
  const key = JSON.stringify(row);
  return count.set(key, (count.get(key) ?? 0) + 1);
}, new Map());

/** A table in which rows stand out that the other result has not. */
function result(title, looked, others, kind, sql) {
  const box = element("section", { class: "side" }, element("h3", {}, title));
  if (sql) {
    const text = element("pre", { class: "sql", tabindex: "0" });
    showSql(text, inLines(sql));
    box.append(text);
  }
  if (!looked) return box.append(element("p", { class: "dim" }, "There was no answer.")), box;
  if (looked.problem) return box.append(element("p", { class: "notice bad" }, looked.problem.message)), box;
  const there = counted(others?.rows ?? []);
  const rows = looked.rows.map((row) => {
    const key = JSON.stringify(row);
    const known = there.get(key) ?? 0;
    if (known) there.set(key, known - 1);
    return element("tr", { class: known || !others ? null : kind }, ...row.map((value) => element("td", { class: value === null ? "null" : null }, value ?? "NULL")));
  });
  box.append(
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      element("table", {}, element("thead", {}, element("tr", {}, ...looked.columns.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows))),
    element("p", { class: "small dim" }, `${looked.more ? "the first " : ""}${looked.rows.length} ${looked.rows.length === 1 ? "row" : "rows"}`),
  );
  return box;
}

async function look(index) {
  const told = await (await send(`/api/v1/benchmarks/${id}/questions/${index}`)).json();
  const { record, gold, predicted } = told;
  by("asked").textContent = `Question ${record.index + 1}`;
  const facts = [record.db_id, record.difficulty, record.kind, record.tier, record.confidence === null ? null : `confidence ${record.confidence.toFixed(2)}`, duration(record.milliseconds)];
  by("look").replaceChildren(
    element("p", {}, element("b", {}, record.question)),
    element("p", { class: "row small dim" }, element("span", { class: `pill ${record.correct ? "good" : "bad"}` }, record.correct ? "right" : record.predicted ? "wrong" : "no answer"), facts.filter(Boolean).join(" · ")),
    record.error ? element("p", { class: "notice" }, record.error) : "",
    element("div", { class: "halves" },
      result("What is right", gold, predicted && !predicted.problem ? predicted : null, "missing", record.gold),
      result("What was answered", predicted, gold.problem ? null : gold, "surplus", record.predicted)),
  );
  by("detail").hidden = false;
  by("detail").scrollIntoView({ block: "nearest" });
}

async function compare() {
  const told = await (await send(`/api/v1/benchmarks/${other}/compare/${id}`)).json();
  const [before, after] = told.right.map((share) => `${(100 * share).toFixed(1)} %`);
  by("change").textContent = `Held against ${told.before.mode} of ${moment(told.before.begun)}: ${before} → ${after}; ${told.won} won, ${told.lost} lost, ${told.chance < 0.05 ? "hardly" : "perhaps"} by chance (p = ${told.chance.toFixed(3)})`;
  const rows = [...told.gained.map((row) => ({ ...row, word: "won", kind: "good" })), ...told.forfeited.map((row) => ({ ...row, word: "lost", kind: "bad" }))];
  table(by("changes"), [
    ["", (row) => element("span", { class: `pill ${row.kind}` }, row.word)],
    ["Question", (row) => element("button", { type: "button", class: "text", onclick: () => look(row.index) }, row.question)],
    ["Database", (row) => row.db_id],
  ], rows, "Nothing was won or lost.");
  by("won").hidden = false;
}

by("cells").addEventListener("click", (event) => {
  const cell = event.target.closest("[data-index]");
  if (cell) look(cell.dataset.index);
});
by("close").addEventListener("click", () => (by("detail").hidden = true));
by("control").addEventListener("click", async (event) => {
  const what = event.target.dataset.do;
  if (!what) return;
  try {
    if (what === "delete") {
      await send(`/api/v1/benchmarks/${id}`, {}, undefined, "DELETE");
      location.assign("/benchmarks");
      return;
    }
    await send(`/api/v1/benchmarks/${id}/${what}`, {});
    await load();
  } catch (error) {
    by("problem").textContent = error.message;
    by("problem").hidden = false;
  }
});
await load();
if (other) await compare();
