// What the semantic model could say besides: accepted with a click, and written into its file. And the queries that it has, with
// whether they still count.

import { element, inLines, send, showSql } from "./common.js";
import { accepted, isChanged, present } from "./model.js";

const by = (id) => document.getElementById(id);
const names = (table, columns) => `${table} (${columns.join(", ")})`;

function code(sql) {
  const shown = element("code", { class: "sql" });
  showSql(shown, inLines(sql));
  return shown;
}

async function accept(button, what) {
  if (isChanged()) {
    by("accepted").textContent = "Save or undo what you have changed in the file first.";
    return;
  }
  const file = present();
  button.disabled = true;
  try {
    const body = { path: file.path, before: file.text, ...what };
    const { text } = await (await send("/api/v1/semantic-model/suggestions", body)).json();
    accepted(text);
    await load();
    by("accepted").textContent = `Written into ${file.path.split("/").at(-1)}. It counts from the next question on.`;
  } catch (error) {
    button.disabled = false;
    const mistakes = (error.problems ?? []).map(({ message }) => message);
    by("accepted").textContent = [error.message, ...mistakes, error.hint].filter(Boolean).join(". ");
  }
}

function suggestion(what, label, ...told) {
  const button = element("button", { type: "button", "aria-label": `Accept ${label}` }, "Accept");
  button.addEventListener("click", () => accept(button, what));
  return element("li", {}, element("div", {}, ...told), button);
}

async function load() {
  const { verified, queries, references } = await (await send("/api/v1/semantic-model/suggestions")).json();
  const asked = queries.map(({ id, question, sql }) =>
    suggestion({ question, sql }, `the answer to ${question}`,
      element("a", { href: `/questions/${encodeURIComponent(id)}` }, question), " ", element("span", { class: "pill good" }, "✓ found right"), code(sql)));
  const inferred = references.map((key) => {
    const told = `${names(key.from, key.from_columns)} → ${names(key.to, key.to_columns)}`;
    return suggestion(key, `that ${told}`, element("b", {}, told), " ", element("span", { class: "pill" }, "inferred reference"));
  });
  by("suggested").replaceChildren(...asked, ...inferred);
  by("nothing").hidden = asked.length + inferred.length > 0;
  by("suggestions").hidden = false;
  by("verified").hidden = verified.length === 0;
  by("queries").replaceChildren(...verified.map(({ question, sql, file, problem }) =>
    element("li", {}, element("div", {}, element("b", {}, question), " ",
      element("span", { class: `pill ${problem ? "bad" : "good"}` }, problem ? "does not count" : "counts"),
      element("span", { class: "small dim" }, ` ${file.split("/").at(-1)}`),
      problem ? element("p", { class: "small" }, problem) : null, code(sql)))));
}

if (present()) {
  document.addEventListener("model-saved", load);
  await load();
}
