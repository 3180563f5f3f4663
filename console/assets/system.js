// What runs here: numbers, models, the audit, settings.

import { duration, element, send, table, tile } from "./common.js";

const by = (id) => document.getElementById(id);
let settings = [];

function uptime(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : `${minutes} min`;
}

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
  by("tiles").replaceChildren(
    tile("Health", system.draining ? "draining" : system.answers ? "ok" : "the database does not answer"),
    tile("Sessions", `${system.sessions} of ${system.capacity}`),
    tile("Connections so far", system.connections),
    tile("Running for", uptime(system.uptime_s)),
    tile("In front of", `${system.database ?? ""} ${system.leg === "sqlite" ? "(SQLite)" : "(PostgreSQL)"}`),
    tile("Version", system.version),
  );
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
