// How the agents did: the diagram and the tables, from the same figures.

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
];
/** Tokens in an hour of the period, where there are any. */
function tokens(figures) {
  const all = figures.prompt_tokens + figures.completion_tokens;
  const hours = HOURS[by("since").value];
  if (!all) return null;
  return hours ? `${Math.round(all / hours).toLocaleString()} tokens/h` : `${all.toLocaleString()} tokens`;
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
    for (const node of document.querySelectorAll(".node")) {
      const figures = pipeline.agents[node.dataset.agent];
      node.classList.toggle("unused", !figures);
      node.classList.toggle("slowest", pipeline.bottleneck === node.dataset.agent);
      node.querySelector(".figures").textContent = figures
        ? [`${figures.runs} × ${duration(figures.p50_ms)}`, figures.failed ? `${figures.failed} failed` : null, tokens(figures)].filter(Boolean).join(" · ")
        : "not used";
    }
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

by("since").addEventListener("change", load);
await load();
setInterval(() => document.hidden || load(), 5000);
