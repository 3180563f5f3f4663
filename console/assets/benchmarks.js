// The evaluations: what may be evaluated, those that were, and which two to compare.

import { element, may, moment, send, table } from "./common.js";

const by = (id) => document.getElementById(id);
const chosen = new Set();
const percent = (part, of) => (of ? `${((100 * part) / of).toFixed(1)} %` : "–");
const MARKS = { running: "accent", ending: "accent", finished: "good", failed: "bad", paused: "warn", stopped: "" };

function choice(run) {
  const box = element("input", { type: "checkbox", "aria-label": `Compare the evaluation of ${moment(run.begun)}`, checked: chosen.has(run.id) });
  box.addEventListener("change", () => {
    if (box.checked) chosen.add(run.id);
    else chosen.delete(run.id);
    by("compare").disabled = chosen.size !== 2;
  });
  return box;
}

function draw(told) {
  by("none").hidden = told.datasets.length > 0;
  by("start").hidden = told.datasets.length === 0 || !may("operate");
  if (!by("datasets").children.length) {
    by("datasets").append(...told.datasets.map(({ name, there }) =>
      element("option", { value: name, disabled: !there }, there ? name : `${name} (not there)`)));
    by("modes").append(...told.modes.map((mode) => element("option", { value: mode }, mode)));
  }
  by("kept").hidden = !told.runs.length;
  table(by("runs"), [
    ["", choice],
    ["Data set", (run) => element("a", { href: `/benchmarks/${run.id}` }, run.dataset)],
    ["Who answers", (run) => run.mode],
    ["State", (run) => element("span", { class: `pill ${MARKS[run.state] ?? ""}` }, run.state)],
    ["Done", (run) => `${run.done} of ${run.total || "…"}`, true],
    ["Accuracy", (run) => percent(run.correct, run.done), true],
    ["Precision", (run) => percent(run.correct, run.answered), true],
    ["Answered", (run) => percent(run.answered, run.done), true],
    ["Begun", (run) => moment(run.begun)],
  ], told.runs, "");
}

async function load() {
  try {
    draw(await (await send("/api/v1/benchmarks")).json());
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  by("problem").replaceChildren(element("p", {}, error.message), error.hint ? element("p", { class: "more small" }, error.hint) : "");
  by("problem").hidden = false;
}

by("which").addEventListener("change", () => (by("many").hidden = by("which").value === "all"));
by("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { dataset, mode, which, count } = Object.fromEntries(new FormData(by("start")));
  const wanted = { dataset, mode, [which]: which === "all" ? undefined : Number(count) };
  try {
    const { id } = await (await send("/api/v1/benchmarks", wanted)).json();
    location.assign(`/benchmarks/${id}`);
  } catch (error) {
    fail(error);
  }
});
by("compare").addEventListener("click", () => {
  // The older one is what the other is held against.
  const [one, other] = [...chosen].sort();
  location.assign(`/benchmarks/${other}?with=${one}`);
});
await load();
setInterval(() => document.hidden || chosen.size || load(), 3000);
