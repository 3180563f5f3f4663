// What runs here: numbers, models, the audit, settings.

import { duration, element, send, table, tile } from "./common.js";

const by = (id) => document.getElementById(id);
let settings = [];

function uptime(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : `${minutes} min`;
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const dollars = (cost) => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
const spent = ({ spent_usd, per_day_usd }) => (per_day_usd === null ? dollars(spent_usd) : `${dollars(spent_usd)} of ${dollars(per_day_usd)}`);

function drawSettings() {
  const shown = settings.filter((setting) => by("all").checked || !setting.is_default);
  table(by("settings"), [
    ["Setting", (row) => element("code", {}, row.name)],
    ["Value", (row) => element("code", {}, row.value)],
    ["From", (row) => row.source],
    ["What it is", (row) => row.meaning],
  ], shown, "Everything is as it is by default.");
}

async function load() {
  const system = await (await send("/api/v1/system")).json();
  by("tiles").replaceChildren(...[
    tile("Health", system.draining ? "draining" : system.answers ? "ok" : "the database does not answer"),
    tile("Sessions", `${system.sessions} of ${system.capacity}`),
    tile("Connections", system.connections),
    tile("Running for", uptime(system.uptime_s)),
    tile("In front of", `${system.database ?? ""} ${system.leg === "sqlite" ? "(SQLite)" : "(PostgreSQL)"}`),
    tile("Answers kept", system.cache.kept ? `${system.cache.kept.toLocaleString()} (${size(system.cache.bytes)})` : "0"),
    system.models.length ? tile("Spent today", spent(system.budget)) : null,
    tile("Version", system.version),
  ].filter(Boolean));
  const { calls_per_question, tokens_per_question, tokens_per_session } = system.budget;
  const limits = [
    calls_per_question && `${calls_per_question.toLocaleString()} calls a question`,
    tokens_per_question && `${tokens_per_question.toLocaleString()} tokens a question`,
    tokens_per_session && `${tokens_per_session.toLocaleString()} tokens a session`,
  ].filter(Boolean);
  by("budget").textContent = `At most ${limits.join(", ")}.`;
  by("budget").hidden = !system.models.length || !limits.length;
  by("mode").textContent = system.questions ? `mode ${system.mode}, tiers ${system.tiers.join(", ")}` : "questions are switched off";
  table(by("models"), [
    ["Name", (row) => row.name],
    ["Model", (row) => row.model],
    ["Calls today", (row) => row.calls, true],
    ["Tokens today", (row) => row.tokens, true],
    ["Cost today", (row) => `$${row.cost_usd.toFixed(4)}`, true],
    ["Half within", (row) => (row.seen ? duration(row.seen.p50_ms) : ""), true],
    ["Failed lately", (row) => (row.seen ? `${row.seen.failed} of ${row.seen.runs}` : ""), true],
  ], system.models, "No model is configured: the embedded agents answer.");
  by("audit").textContent = !system.audit.enabled
    ? "Questions are not recorded."
    : `Questions are recorded in ${system.audit.store ?? "no place that is known"}${system.audit.required ? ", and none runs that is not" : ""}.`;
  by("check").hidden = !system.audit.enabled;
  settings = system.settings;
  drawSettings();
}

by("all").addEventListener("change", drawSettings);
by("check").addEventListener("click", async () => {
  by("check").disabled = true;
  by("chain").textContent = "checking …";
  try {
    const chain = await (await send("/api/v1/audit/check", {})).json();
    by("chain").textContent = chain.holds
      ? `The chain holds: ${chain.events} events; the last has the hash ${chain.head.slice(0, 16)}….`
      : `The chain is broken at event ${chain.broken_at}: ${chain.reason}`;
  } catch (error) {
    by("chain").textContent = error.message;
  }
  by("check").disabled = false;
});
try {
  await load();
} catch (error) {
  by("problem").textContent = error.message;
  by("problem").hidden = false;
}
