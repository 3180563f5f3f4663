// The questions, as they come and as the store has them; and one question by itself.

import { copy, duration, element, inLines, moment, send, showSql } from "./common.js";

const by = (id) => document.getElementById(id);
const main = document.querySelector("main");

function state(item) {
  if (item.outcome === "failed" || item.outcome === "cancelled") return [item.outcome, "bad"];
  if (item.state === "working") return ["at work", "accent"];
  if (item.state === "answered") return ["answered", "good"];
  return [item.sqlstate ?? "not answered", "bad"];
}

function line(item) {
  const address = `/questions/${encodeURIComponent(item.id)}`;
  const [word, kind] = state(item);
  const sub = item.sql ?? item.reason;
  const [said, tone] = { good: ["✓ right", "good"], bad: ["✗ wrong", "bad"], fix: ["✎ corrected", "warn"] }[item.verdict] ?? [];
  const made = element(
    "tr",
    { class: "link", id: `q-${item.id}` },
    element("td", { class: "what" }, element("a", { href: address }, item.question || "(not shown)"),
      said ? element("span", { class: `pill ${tone} said` }, said) : null,
      sub ? element("span", { class: "sub" }, sub.replaceAll("\n", " ")) : null),
    element("td", {}, element("span", { class: `pill ${kind}` }, word)),
    element("td", { class: "right" }, item.confidence === null ? "" : item.confidence.toFixed(2)),
    element("td", {}, item.tier, item.cached ? element("span", { class: "dim small" }, " · before") : null),
    element("td", { class: "right" }, item.state === "working" ? "" : duration(item.answer_ms)),
    element("td", {}, item.user),
    element("td", { class: "dim" }, moment(item.time)),
  );
  made.addEventListener("click", (event) => {
    if (!event.target.closest("a") && !getSelection().toString()) location.assign(address);
  });
  return made;
}

function parameters() {
  const given = new URLSearchParams(new FormData(by("filters")));
  const [least, most] = (given.get("confidence") || "").split("-");
  if (least) given.set("min_confidence", least);
  if (most) given.set("max_confidence", most);
  given.delete("confidence");
  return given;
}

/** Whether nothing is filtered, so that what comes can simply be put on top. */
function isPlain() {
  const given = parameters();
  return ["text", "state", "user", "database", "tier", "min_confidence", "max_confidence"].every((name) => !given.get(name));
}

let turn = 0;
async function load() {
  const mine = ++turn;
  try {
    const told = await (await send(`/api/v1/questions?${parameters()}`)).json();
    if (mine !== turn) return;
    by("list").replaceChildren(...told.questions.map(line));
    by("none").hidden = told.questions.length > 0;
    by("problem").hidden = !told.problem;
    by("problem").textContent = told.problem ? `The history cannot be read: ${told.problem}` : "";
    by("source").textContent =
      (told.more ? "Older ones were left out. " : "") +
      (told.source === "store" ? "From the audit." : "Nothing is recorded: these are the last ones since the server started.");
  } catch (error) {
    by("problem").textContent = error.message;
    by("problem").hidden = false;
  }
}

function watch() {
  const events = new EventSource("/api/v1/events");
  const put = (event) => {
    if (!isPlain()) return;
    const item = { outcome: null, verdict: null, ...JSON.parse(event.data) };
    const known = by(`q-${item.id}`);
    if (known) known.replaceWith(line(item));
    else by("list").prepend(line(item));
    by("none").hidden = true;
  };
  events.addEventListener("begun", put);
  events.addEventListener("ended", put);
  events.onopen = () => {
    by("live").textContent = "● live";
    by("live").className = "pill good";
  };
  events.onerror = () => {
    by("live").textContent = "reconnecting";
    by("live").className = "pill warn";
  };
}

if (by("filters")) {
  let waiting;
  by("filters").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(load, 200);
  });
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  await load();
  watch();
} else if (by("sql")) {
  const text = by("sql").textContent;
  showSql(by("sql"), inLines(text));
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button, text));
  }
}
if (main.dataset.question && document.querySelector(".pill.accent")) setTimeout(() => location.reload(), 1000);
