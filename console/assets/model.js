// The semantic model as text: checked while it is changed, saved so that it counts at once.

import { element, inLines, send, showSql } from "./common.js";

const by = (id) => document.getElementById(id);
let files = [];
let sqls = new Map();
let waiting;
let turn = 0;

/** The file that is chosen. */
export const present = () => files[Number(by("files").value)];

/** Whether the editor has what the file has not. */
export const isChanged = () => !by("editor").hidden && by("text").value !== (present().text ?? "");

/** Takes the text that something was added to. */
export function accepted(text) {
  present().text = text;
  if (!by("editor").hidden) choose();
  document.dispatchEvent(new Event("model-accepted"));
}

function number() {
  const lines = by("text").value.split("\n").length;
  by("numbers").textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
  by("numbers").scrollTop = by("text").scrollTop;
}

function choose() {
  const file = present();
  by("text").value = file.text ?? "";
  by("text").disabled = file.text === undefined;
  by("told").textContent = file.problem ?? "";
  number();
  check();
}

/** Puts the cursor where a mistake is. */
function go(line, column) {
  const lines = by("text").value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, column - 1);
  by("text").focus();
  by("text").setSelectionRange(at, at + (lines[line - 1]?.length ?? 0) - Math.max(0, column - 1));
  by("text").scrollTop = (line - 6) * (by("text").scrollHeight / lines.length);
}

function mistakes(problems) {
  by("mistakes").replaceChildren(...(problems.length
    ? problems.map(({ line, column, message }) =>
        element("li", { class: "bad" }, line
          ? element("button", { type: "button", class: "text", onclick: () => go(line, column) }, `Line ${line}, column ${column}`) : "",
        line ? ": " : "", message))
    : [element("li", { class: "good" }, "None.")]));
}

function preview() {
  const { sql, problem } = sqls.get(by("metrics").value) ?? {};
  if (sql) showSql(by("preview"), inLines(sql));
  else by("preview").textContent = problem ?? "There is no metric.";
}

async function check() {
  const mine = ++turn;
  const { path } = present();
  const text = by("text").value;
  by("save").disabled = true;
  try {
    const told = await (await send("/api/v1/semantic-model/check", { path, text })).json();
    if (mine !== turn) return;
    mistakes(told.problems);
    by("save").disabled = told.problems.length > 0 || text === present().text;
    if (told.problems.length) return;
    const chosen = by("metrics").value;
    sqls = new Map(told.metrics.map((metric) => [metric.name, metric]));
    by("metrics").replaceChildren(...told.metrics.map(({ name }) => element("option", { value: name, selected: name === chosen }, name)));
    by("changes").replaceChildren(...(told.changes.length ? told.changes : ["Nothing of what was inferred."]).map((line) => element("li", {}, line)));
    preview();
  } catch (error) {
    by("told").textContent = error.message;
  }
}

by("text").addEventListener("input", () => {
  number();
  by("save").disabled = true;
  by("told").textContent = "";
  clearTimeout(waiting);
  waiting = setTimeout(check, 400);
});
by("text").addEventListener("scroll", () => (by("numbers").scrollTop = by("text").scrollTop));
by("files").addEventListener("change", choose);
by("metrics").addEventListener("change", preview);
by("revert").addEventListener("click", choose);
by("open").addEventListener("click", () => {
  by("editor").hidden = !by("editor").hidden;
  by("open").textContent = by("editor").hidden ? "Edit" : "Close";
  if (!by("editor").hidden) choose();
});
by("save").addEventListener("click", async () => {
  const file = present();
  const text = by("text").value;
  by("save").disabled = true;
  try {
    await send("/api/v1/semantic-model", { path: file.path, before: file.text, text }, undefined, "PUT");
    file.text = text;
    by("told").textContent = "Saved. It counts from the next question on.";
    document.dispatchEvent(new Event("model-saved"));
  } catch (error) {
    if (error.problems) mistakes(error.problems);
    by("told").textContent = [error.message, error.hint].filter(Boolean).join(". ");
  }
});

files = (await (await send("/api/v1/semantic-model")).json()).files;
by("model").hidden = false;
by("open").hidden = by("files").hidden = files.length === 0;
by("files").replaceChildren(...files.map(({ path }, at) => element("option", { value: at, title: path }, path.split("/").at(-1))));
by("how").textContent = files.length
  ? "What is said in the file counts before what was inferred: metrics, other names, filters, what tables and columns mean."
  : "All of this is inferred. To correct it, name a file in semantic.file; querent semantic init writes a first one.";
