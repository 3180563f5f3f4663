// The page to ask on: sends a question, shows the agents while they work, then what they found.

import * as chart from "./chart.js";
import { clauses, copy, duration, element, eventsOf, inLines, may, send, showSql } from "./common.js";

const by = (id) => document.getElementById(id);
const NUMBER = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;
/** Rows that are drawn at once; more are drawn as one scrolls. */
const PAGE = 200;

let present = null;
let stopping = null;
let found = { columns: [], rows: [] };
let drawn = 0;
let sorted = { at: -1, down: false };
/** How the rows can be drawn, and how they are. */
let shape = { kinds: [], measures: [] };
let view = { kind: "table", measure: 0 };
const VIEWS = { number: "Number", line: "Line", bars: "Bars", table: "Table" };

function reset() {
  present = null;
  found = { columns: [], rows: [] };
  sorted = { at: -1, down: false };
  for (const id of ["problem", "result", "statement", "reading", "others", "sureness", "trace", "link", "rerun"]) by(id).hidden = true;
  edit(false);
  by("agents").replaceChildren();
  by("said").textContent = "";
  for (const button of by("feedback").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", "false");
    button.disabled = false;
  }
}

function fail(error) {
  // The readings stand below to choose from.
  const isOffered = ["NL002", "NL003"].includes(error.sqlstate) && !by("others").hidden;
  by("problem").replaceChildren(
    element("p", {}, error.sqlstate ? `${error.message} (${error.sqlstate})` : error.message),
    ...[isOffered ? null : error.detail, error.hint].filter(Boolean).map((more) => element("p", { class: "more small" }, more)),
  );
  by("problem").hidden = false;
}

const working = element("li", {}, element("span", { class: "dot working" }), element("span", { class: "dim" }, "working …"));

function ran(run) {
  const kind = run.outcome !== "ok" ? "bad" : run.model === "embedded" ? "" : "model";
  const said = run.outcome !== "ok" ? run.outcome : run.agent === "subproblems" ? clauses(run.output) : run.output;
  const line = element(
    "li",
    {},
    element("span", { class: `dot ${kind}` }),
    element("span", {}, run.agent.replaceAll("_", " "), run.model === "embedded" ? "" : ` · ${run.model}`),
    element("span", { class: "small dim number" }, duration(run.milliseconds)),
    said ? element("span", { class: "said" }, said) : null,
  );
  working.remove();
  by("agents").append(line, working);
}

function ended(question) {
  working.remove();
  by("trace").href = `/questions/${encodeURIComponent(question.id)}`;
  for (const id of ["trace", "link"]) by(id).hidden = false;
  if (question.sql) showStatement(question.sql);
  if (question.cached && !by("agents").children.length) {
    by("agents").append(
      element("li", {}, element("span", { class: "dot" }), element("span", {}, "answered before"),
        element("span", { class: "small dim number" }, duration(question.answer_ms))),
    );
  }
  offer(question);
  const read = question.steps.filter(([step]) => !["sql", "confidence", "other reading"].includes(step));
  by("steps").replaceChildren(...read.map(([step, detail]) => reading(step, detail)));
  by("reading").hidden = read.length === 0;
  if (question.confidence !== null && question.state === "answered") {
    const sure = question.confidence;
    const why = question.steps.find(([step]) => step === "confidence")?.[1] ?? "";
    by("sure").textContent = `${Math.floor(sure * 100)} %`;
    by("meter").className = `meter ${sure >= 0.8 ? "" : sure >= 0.5 ? "warn" : "bad"}`;
    by("meter").firstElementChild.style.width = `${sure * 100}%`;
    by("tier").textContent = question.tier;
    const reasons = why.replace(/^[\d.]+: /, "").split("; ").filter(Boolean);
    by("why").replaceChildren(...reasons.map((reason) => element("li", {}, reason)));
    by("sureness").hidden = false;
  }
}

/** A reading of the question with its SQL, as it is told: `words: SQL`, or the SQL alone. */
function alternative(told, share = null) {
  const found = told.match(/^(?:([\s\S]*?): )?((?:select|with|values)\b[\s\S]*)$/i);
  return found ? { words: found[1] ?? null, sql: found[2], share } : null;
}

/** What else the question may mean, to be chosen. */
function offer(question) {
  let [title, found] = ["Other readings", []];
  if (question.sqlstate === "NL002") {
    [title, found] = ["What do you mean?", (question.detail ?? "").split("\n").map((told) => alternative(told))];
  } else if (question.sqlstate === "NL003") {
    [title, found] = ["It is not sure enough to be an answer", [alternative(question.detail ?? "")]];
  } else {
    const told = question.steps.filter(([step]) => step === "other reading").map(([, detail]) => detail.match(/^([\d.]+): ([\s\S]*)$/));
    found = told.filter(Boolean).map(([, share, told]) => alternative(told, Number(share)));
  }
  found = found.filter(Boolean);
  by("others-title").textContent = title;
  by("others").hidden = found.length === 0;
  by("choices").replaceChildren(...found.map((one) => choice(one)));
}

function choice({ words, sql, share }) {
  const shown = element("code", { class: "sql" });
  showSql(shown, sql);
  const button = element("button", { type: "button", class: "choice", onclick: () => choose(button, sql) },
    element("span", {}, words ?? "Run this", share === null ? "" : " ", share === null ? null : element("span", { class: "pill" }, `${Math.round(share * 100)} %`)),
    shown);
  return element("li", {}, button);
}

/** Runs another reading in place of the answer. */
async function choose(button, sql) {
  await rerun(sql);
  if (!by("problem").hidden) return;
  for (const other of by("choices").querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
  by("sureness").hidden = true;
  by("result").scrollIntoView({ block: "nearest" });
}

function showStatement(sql) {
  showSql(by("sql"), inLines(sql));
  by("sql").dataset.text = sql;
  by("statement").hidden = false;
}

/** Shows rows that have come, as what their shape asks for. */
function show(rows) {
  found = rows;
  shape = chart.shapeOf(found);
  view = { kind: shape.kinds[0] ?? "table", measure: shape.measures[0] };
  const kinds = [...shape.kinds, "table"];
  by("views").hidden = kinds.length < 2;
  by("views").replaceChildren(...kinds.map((kind) =>
    element("button", { type: "button", class: "quiet", "data-kind": kind, onclick: () => turn({ kind }) }, VIEWS[kind])));
  by("measure").replaceChildren(...shape.measures.map((at) => element("option", { value: at }, found.columns[at])));
  draw();
}

function turn(to) {
  view = { ...view, ...to };
  drawChart();
}

function drawChart() {
  const drawn = view.kind !== "table";
  for (const button of by("views").children) button.setAttribute("aria-pressed", String(button.dataset.kind === view.kind));
  by("chart").hidden = !drawn;
  by("rows").parentElement.hidden = view.kind === "number";
  by("measure").hidden = !drawn || view.kind === "number" || shape.measures.length < 2;
  if (drawn) chart.draw(by("chart"), found, shape, view.kind, view.measure);
}

/** A step of the reading; the words of the question stand out. */
function reading(step, detail) {
  if (step === "clauses") return element("li", {}, element("span", { class: "dim" }, "clauses: "), clauses(detail));
  const quoted = step === "read" ? detail.match(/^"(.*?)": ([\s\S]*)$/) : null;
  return quoted
    ? element("li", {}, element("mark", {}, quoted[1]), " → ", quoted[2])
    : element("li", {}, element("span", { class: "dim" }, `${step}: `), detail);
}

function isNumeric(at) {
  const filled = found.rows.map((row) => row[at]).filter((value) => value !== null);
  return filled.length > 0 && filled.every((value) => NUMBER.test(value));
}

function draw() {
  const numeric = found.columns.map((_, at) => isNumeric(at));
  const heads = found.columns.map((name, at) =>
    element(
      "th",
      {
        scope: "col",
        class: numeric[at] ? "right" : null,
        "aria-sort": sorted.at === at ? (sorted.down ? "descending" : "ascending") : null,
      },
      element("button", { type: "button", onclick: () => sort(at, numeric[at]) }, name,
        sorted.at === at ? (sorted.down ? " ↓" : " ↑") : ""),
    ),
  );
  by("rows").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}),
  );
  drawn = 0;
  drawMore(numeric);
  const box = by("rows").parentElement;
  box.onscroll = () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 400) drawMore(numeric);
  };
  const count = found.rows.length.toLocaleString();
  by("count").textContent = `${found.more ? "The first " : ""}${count} ${found.rows.length === 1 ? "row" : "rows"}`;
  by("result").hidden = false;
  drawChart();
}

function drawMore(numeric) {
  const body = by("rows").lastElementChild;
  for (const row of found.rows.slice(drawn, drawn + PAGE)) {
    body.append(
      element("tr", {}, ...row.map((value, at) =>
        value === null
          ? element("td", { class: numeric[at] ? "null right" : "null" }, "NULL")
          : element("td", { class: numeric[at] ? "right" : null }, value))),
    );
  }
  drawn = Math.min(drawn + PAGE, found.rows.length);
}

function sort(at, numeric) {
  sorted = { at, down: sorted.at === at ? !sorted.down : numeric };
  const turn = sorted.down ? -1 : 1;
  found.rows.sort((one, other) => {
    const [a, b] = [one[at], other[at]];
    if (a === null || b === null) return (a === null) - (b === null);
    return turn * (numeric ? a - b : a.localeCompare(b));
  });
  draw();
}

async function ask(words) {
  stopping?.abort();
  const mine = new AbortController();
  stopping = mine;
  reset();
  by("answer").hidden = false;
  by("feedback").hidden = !may("teach");
  by("agents").replaceChildren(working);
  by("go").hidden = true;
  by("stop").hidden = false;
  history.replaceState(null, "", `/ask#${encodeURIComponent(words)}`);
  try {
    const response = await send("/api/v1/ask", { question: words }, mine.signal);
    await eventsOf(response, (name, data) => {
      if (mine.signal.aborted) return;
      if (name === "begun") {
        present = data;
        history.replaceState(null, "", `/ask/${encodeURIComponent(data.id)}`);
      } else if (name === "ran") ran(data.run);
      else if (name === "ended") ended(data);
      else if (name === "rows") show(data);
      else if (name === "failed") fail(data);
    });
  } catch (error) {
    // A later question has the page.
    if (stopping !== mine) return;
    if (error.status === 403 && !by("login").dataset.done) by("login").hidden = false;
    if (!mine.signal.aborted) fail(error);
    else fail({ message: "Stopped." });
  } finally {
    if (stopping === mine) rest();
  }
}

/** What the page looks like while nothing is asked. */
function rest() {
  working.remove();
  if (!by("agents").children.length && !present) by("answer").hidden = true;
  by("go").hidden = false;
  by("stop").hidden = true;
}

by("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = by("words").value.trim();
  if (words) ask(words);
});
by("words").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    by("ask").requestSubmit();
  }
});
by("stop").addEventListener("click", () => stopping?.abort());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "")) {
    event.preventDefault();
    by("words").focus();
  }
});

by("copy-sql").addEventListener("click", (event) => copy(event.target, by("sql").dataset.text));
by("link").addEventListener("click", (event) => copy(event.target, location.href));
by("measure").addEventListener("change", () => turn({ measure: Number(by("measure").value) }));
new ResizeObserver(() => by("result").hidden || drawChart()).observe(by("result"));

/** Opens the statement to be changed, or closes that. */
function edit(open, why = "") {
  by("editor").hidden = !open;
  by("sql").hidden = open;
  by("edit").hidden = open;
  if (!open) return;
  by("statement").hidden = false;
  by("edited").value = inLines(by("sql").dataset.text ?? "");
  by("edited").rows = Math.min(18, by("edited").value.split("\n").length + 1);
  by("fix").hidden = by("feedback").hidden;
  by("editing").textContent = why;
  by("edited").focus();
}

/** Runs a statement as it stands; it can only read. */
async function rerun(sql) {
  by("problem").hidden = true;
  by("rerun").disabled = by("run").disabled = true;
  try {
    show(await (await send("/api/v1/query", { sql })).json());
    showStatement(sql);
    edit(false);
    by("rerun").hidden = true;
  } catch (error) {
    fail(error);
  } finally {
    by("rerun").disabled = by("run").disabled = false;
  }
}
by("edit").addEventListener("click", () => edit(true, "It runs with your rights and can only read."));
by("cancel").addEventListener("click", () => edit(false));
by("rerun").addEventListener("click", () => rerun(by("sql").dataset.text));
by("editor").addEventListener("submit", (event) => {
  event.preventDefault();
  rerun(by("edited").value);
});
by("edited").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) by("editor").requestSubmit();
  if (event.key === "Escape") edit(false);
});
by("fix").addEventListener("click", async () => {
  if (await judge("fix", by("edited").value)) await rerun(by("edited").value);
});

/** A value of CSV. A spreadsheet must not take text for a formula. */
function csvValue(value) {
  if (value === null) return "";
  const text = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
const lines = (write, separator) =>
  [found.columns, ...found.rows].map((row) => row.map(write).join(separator)).join("\n") + "\n";
by("copy-rows").addEventListener("click", (event) =>
  copy(event.target, lines((value) => (value ?? "").replaceAll(/[\t\n]/g, " "), "\t")));
by("csv").addEventListener("click", () => save("answer.csv", "text/csv", lines(csvValue, ",")));
by("json").addEventListener("click", () => {
  // A number whose digits JavaScript cannot keep stays text.
  const typed = (value) => (value !== null && NUMBER.test(value) && String(Number(value)) === value ? Number(value) : value);
  const objects = found.rows.map((row) => Object.fromEntries(found.columns.map((name, at) => [name, typed(row[at])])));
  save("answer.json", "application/json", JSON.stringify(objects, null, 2));
});
by("parquet").addEventListener("click", async () => {
  const { columns, rows } = found;
  try {
    save("answer.parquet", "application/vnd.apache.parquet", await (await send("/api/v1/parquet", { columns, rows })).blob());
  } catch (error) {
    fail(error);
  }
});
function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

by("feedback").addEventListener("click", (event) => {
  const verdict = event.target.closest("button")?.dataset.verdict;
  if (verdict === "fix") edit(true, "Write the statement that is right; it is kept as what the question means.");
  else if (verdict) judge(verdict);
});

/** Says what one thinks of the answer; true if that was heard. */
async function judge(verdict, sql) {
  if (!present) return false;
  const buttons = by("feedback").querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  try {
    await send("/api/v1/feedback", { id: present.id, verdict, sql });
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
    by("said").textContent = "Thank you.";
    return true;
  } catch (error) {
    by("said").textContent = error.hint ?? error.message;
    for (const button of buttons) button.disabled = false;
    return false;
  }
}

by("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  // What was asked before the database wanted to know who asks.
  const words = by("words").value.trim();
  try {
    await send("/api/v1/login", Object.fromEntries(new FormData(by("login"))));
    by("login").hidden = true;
    by("problem").hidden = true;
    by("login").reset();
    await examples();
    if (words) ask(words);
  } catch (error) {
    fail(error);
  }
});

async function examples() {
  try {
    const { questions } = await (await send("/api/v1/examples")).json();
    by("examples").replaceChildren(
      ...questions.map((words) =>
        element("button", {
          type: "button",
          onclick: () => {
            by("words").value = words;
            ask(words);
          },
        }, words)),
    );
  } catch (error) {
    if (error.status === 403) by("login").hidden = false;
    else fail(error);
  }
}

/** An answer of before: all of it but its rows, which nobody has kept. */
async function recall(id) {
  try {
    const question = await (await send(`/api/v1/questions/${encodeURIComponent(id)}`)).json();
    reset();
    by("words").value = question.question;
    by("answer").hidden = false;
    by("feedback").hidden = true;
    for (const run of question.runs) ran(run);
    ended(question);
    if (question.reason) fail({ ...question, message: question.reason });
    by("rerun").hidden = !question.sql || question.state !== "answered";
  } catch (error) {
    fail(error);
  }
}

const recalled = document.querySelector("main").dataset.answer;
if (recalled) recall(recalled);
await examples();
const linked = decodeURIComponent(location.hash.slice(1));
if (linked) {
  by("words").value = linked;
  by("words").focus();
}
