// The questions, as they come and as the store has them; and one question by itself.

import * as diagram from "./diagram.js";
import { clauses, copy, duration, element, inLines, moment, send, showSql, table } from "./common.js";

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
  const events = new EventSource("/api/v1/events?runs=no");
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

/** What an agent did for a question, all its runs together. */
function work(question) {
  const agents = new Map();
  for (const run of question.runs) {
    const sum = agents.get(run.agent) ?? { runs: 0, milliseconds: 0, tokens: 0, failed: 0, models: new Set() };
    sum.runs += 1;
    sum.milliseconds += run.milliseconds;
    sum.tokens += run.prompt_tokens + run.completion_tokens;
    sum.failed += run.outcome === "ok" ? 0 : 1;
    sum.models.add(run.model);
    agents.set(run.agent, sum);
  }
  return agents;
}

const told = (sum) =>
  !sum ? "–" : [duration(sum.milliseconds), sum.runs > 1 ? `${sum.runs} runs` : null, sum.failed ? `${sum.failed} failed` : null,
    sum.tokens ? `${sum.tokens.toLocaleString()} tokens` : null, [...sum.models].filter((model) => model !== "embedded").join(", ") || null].filter(Boolean).join(" · ");

async function read(id) {
  const question = await (await send(`/api/v1/questions/${encodeURIComponent(id)}`)).json();
  // What was not sure enough to be run is told in the detail.
  if (question.sqlstate === "NL003") question.sql ??= question.detail;
  return question;
}

/** The way that the question took through the agents; who is chosen there is shown with all it was told and said. */
function way(present) {
  diagram.draw(by("diagram"), Object.fromEntries(work(present)), {
    lines: (sum) => [
      [sum.runs > 1 ? `${sum.runs} runs` : null, duration(sum.milliseconds), sum.failed ? `${sum.failed} failed` : null].filter(Boolean).join(" · "),
      [...sum.models].join(", "),
      sum.tokens ? `${sum.tokens.toLocaleString()} tokens` : "",
    ],
  });
  const runs = [...document.querySelectorAll(".fall details")];
  diagram.choosing(by("diagram"), (agent) => {
    for (const run of runs) run.open = run.dataset.agent === agent;
    runs.find((run) => run.open)?.scrollIntoView({ block: "nearest" });
  });
}

/** Earlier answers to the same question, and what was different. */
async function earlier(present) {
  if (!present.question) return;
  const sought = new URLSearchParams({ since: "1970-01-01", text: present.question });
  const { questions } = await (await send(`/api/v1/questions?${sought}`)).json();
  const before = questions.filter((item) => item.question === present.question && item.time < present.time && item.state !== "working");
  if (!before.length) return;
  by("other").append(...before.slice(0, 50).map((item) =>
    element("option", { value: item.id }, `${moment(item.time)} · ${state(item)[0]}${item.cached ? " · answered before" : ""}`)));
  const compare = async () => {
    const other = await read(by("other").value);
    const same = present.sql === other.sql;
    by("differs").textContent = !present.sql || !other.sql ? "One of them has no SQL." : same ? "Both have the same SQL." : "Their SQL is not the same.";
    const [now, then] = [work(present), work(other)];
    const sure = (item) => (item.confidence === null ? "–" : item.confidence.toFixed(2));
    const rows = [
      ["SQL", other.sql ?? "–", present.sql ?? "–"],
      ["Confidence", sure(other), sure(present)],
      ["Answered by", other.tier || "–", present.tier || "–"],
      ["Time to SQL", duration(other.answer_ms), duration(present.answer_ms)],
      ...[...new Set([...then.keys(), ...now.keys()])].map((agent) => [agent.replaceAll("_", " "), told(then.get(agent)), told(now.get(agent))]),
    ];
    const cell = (at) => (row) => (row[0] === "SQL" ? element("code", { class: "sql" }, row[at]) : row[at]);
    table(by("both"), [["", (row) => row[0]], ["Then", cell(1)], ["This time", cell(2)]], rows, "");
  };
  by("other").addEventListener("change", compare);
  await compare();
  by("before").hidden = false;
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
for (const told of document.querySelectorAll('dd[data-step="clauses"]')) told.textContent = clauses(told.textContent);
if (main.dataset.question) {
  const present = await read(main.dataset.question);
  if (by("diagram")) way(present);
  await earlier(present);
}
if (main.dataset.question && document.querySelector(".pill.accent")) setTimeout(() => location.reload(), 1000);
