// How the agents did: the diagram and the tables, from the same figures.

import * as diagram from "./diagram.js";
import { duration, element, send, table, tile } from "./common.js";

const by = (id) => document.getElementById(id);
const percent = (part) => `${Math.round(part * 100)} %`;

function columns(first, figures) {
  const hasTokens = Object.values(figures).some((row) => row.prompt_tokens || row.completion_tokens);
  return [
    [first, (row) => row.name.replaceAll("_", " ")],
    ["Runs", (row) => row.runs, true],
    ["Failed", (row) => (row.runs ? percent(row.failed / row.runs) : ""), true],
    ["Half within", (row) => duration(row.p50_ms), true],
    ["95 % within", (row) => duration(row.p95_ms), true],
    ["Part of the time", (row) => percent(row.share), true],
    ...(hasTokens ? TOKENS : []),
  ];
}
const TOKENS = [
  ["Tokens read", (row) => row.prompt_tokens || "", true],
  ["Tokens written", (row) => row.completion_tokens || "", true],
  ["Tokens", (row) => tokens(row)?.replace(" tokens", "") ?? "", true],
  ["Cost", (row) => dollars(row.cost_usd), true],
];
/** Tokens in an hour of the period, where there are any. */
function tokens(figures) {
  const all = figures.prompt_tokens + figures.completion_tokens;
  const hours = HOURS[by("since").value];
  if (!all) return null;
  return hours ? `${few(Math.round(all / hours))} tokens/h` : `${few(all)} tokens`;
}
const few = (number) => number.toLocaleString([], { notation: "compact" });
const dollars = (cost) => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;

let agents = {};
let chosen = null;
/** All figures of the agent that is chosen. */
function tell() {
  by("chosen").hidden = chosen === null;
  if (chosen === null) return;
  const row = agents[chosen];
  const name = chosen.replaceAll("_", " ");
  const facts = !row ? [["Runs", "none in this period"]] : [
    ["Runs", `${row.runs.toLocaleString()} for ${row.questions.toLocaleString()} questions`],
    ["Failed", `${row.failed.toLocaleString()} (${percent(row.failed / row.runs)})`],
    ["Corrected after it", `${row.corrected.toLocaleString()} questions (${percent(row.corrected / row.questions)})`],
    ["Half within", duration(row.p50_ms)],
    ["95 % within", duration(row.p95_ms)],
    ["Part of the time", `${percent(row.share)}, ${duration(row.total_ms)} in all`],
    row.prompt_tokens || row.completion_tokens
      ? ["Tokens", `${row.prompt_tokens.toLocaleString()} read, ${row.completion_tokens.toLocaleString()} written, ${dollars(row.cost_usd)}`]
      : null,
  ];
  by("chosen").replaceChildren(
    element("h3", {}, name[0].toUpperCase() + name.slice(1)),
    element("dl", { class: "facts" }, ...facts.filter(Boolean).flatMap(([term, detail]) => [element("dt", {}, term), element("dd", {}, detail)])),
  );
}
const HOURS = { "1h": 1, "1d": 24, "7d": 168, "30d": 720 };
const rowsOf = (figures) =>
  Object.entries(figures).map(([name, row]) => ({ name, ...row })).sort((a, b) => b.total_ms - a.total_ms);

async function load() {
  try {
    const { pipeline, totals } = await (await send(`/api/v1/pipeline?since=${by("since").value}`)).json();
    const answered = totals.questions ? percent(totals.answered / totals.questions) : "–";
    const tiles = [
      tile("Questions", totals.questions),
      tile("Answered", answered),
      tile("Not answered", totals.unanswered),
      tile("Failed to run", totals.failed),
      tile("Answered before", totals.cached),
      tile("Judged right / wrong", `${totals.good} / ${totals.bad}`),
      tile("Half within", duration(pipeline.answer_p50_ms)),
      tile("95 % within", duration(pipeline.answer_p95_ms)),
      totals.model_calls ? tile("Model calls", totals.model_calls) : null,
      totals.model_calls ? tile("Cost", `$${totals.cost_usd.toFixed(4)}`) : null,
    ];
    by("tiles").replaceChildren(...tiles.filter(Boolean));
    const corrected = pipeline.questions ? ` (${percent(pipeline.corrected / pipeline.questions)})` : "";
    by("seen").textContent = `${pipeline.questions} questions ${pipeline.source === "store" ? "of which the runs are kept" : "since the server started"}, ${pipeline.corrected}${corrected} of them corrected`;
    agents = pipeline.agents;
    diagram.draw(by("diagram"), agents, {
      slowest: pipeline.bottleneck,
      lines: (row) => [
        [`${few(row.runs)} × ${duration(row.p50_ms)}`, row.failed ? `${few(row.failed)} failed` : null].filter(Boolean).join(" · "),
        `95 % within ${duration(row.p95_ms)}`,
        [tokens(row), row.cost_usd ? dollars(row.cost_usd) : null].filter(Boolean).join(" · "),
      ],
    });
    tell();
    by("bottleneck").textContent = pipeline.bottleneck
      ? `The most time goes into ${pipeline.bottleneck.replaceAll("_", " ")}: ${percent(pipeline.agents[pipeline.bottleneck].share)}`
      : "";
    table(by("agents"), columns("Agent", pipeline.agents), rowsOf(pipeline.agents), "No question was worked on.");
    by("by-model").hidden = Object.keys(pipeline.models).length < 2;
    table(by("models"), columns("Model", pipeline.models), rowsOf(pipeline.models), "");
  } catch (error) {
    by("problem").replaceChildren(element("p", {}, error.message));
    by("problem").hidden = false;
  }
}

diagram.choosing(by("diagram"), (agent) => {
  chosen = agent;
  tell();
});
by("since").addEventListener("change", load);
await load();
setInterval(() => document.hidden || load(), 5000);
