// What all pages share: requests, elements from data (never from HTML), SQL in colours, copying, light and dark.

/** Whether whoever looks at the page may see_all, teach or operate. */
export const may = (role) => (document.body.dataset.may ?? "").split(" ").includes(role);

const csrf = document.querySelector('meta[name="csrf"]')?.content;

/** Sends a request to the interface for programs. */
export async function send(path, body, signal, method = "POST") {
  const options = { headers: { "x-csrf-token": csrf ?? "" }, signal };
  if (body !== undefined) {
    options.method = method;
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  const response = await fetch(path, options);
  if (response.status === 401) location.assign("/sign-in");
  if (!response.ok) {
    const told = (await response.json().catch(() => ({}))).error ?? {};
    throw Object.assign(new Error(told.message ?? `the server said ${response.status}`), {
      status: response.status,
      ...told,
    });
  }
  return response;
}

/** Calls `each(name, data)` for every server-sent event of a response. */
export async function eventsOf(response, each) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += value;
    let end;
    while ((end = pending.indexOf("\n\n")) >= 0) {
      const [name, data] = pending.slice(0, end).split("\n");
      pending = pending.slice(end + 2);
      each(name.slice("event: ".length), JSON.parse(data.slice("data: ".length)));
    }
  }
}

/** An element; texts become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const TOKEN =
  /('(?:[^']|'')*')|("(?:[^"]|"")*")|(--[^\n]*|\/\*[\s\S]*?\*\/)|\b(\d+(?:\.\d+)?)\b|\b(select|from|where|group|by|order|having|limit|offset|join|left|right|full|inner|outer|cross|on|using|as|and|or|not|in|is|null|like|ilike|between|case|when|then|else|end|distinct|union|all|except|intersect|exists|with|recursive|asc|desc|nulls|first|last|over|partition|filter|interval|cast|true|false|values|lateral|(?:count|sum|avg|min|max|coalesce|extract|round)(?=\())\b/gi;
const BREAK = /\s+(?=(?:from|where|group by|order by|having|limit|offset|(?:left |right |full |inner |cross )?join|union(?: all)?|except|intersect)\b)/gi;

/** Writes SQL into an element, in colours. */
export function showSql(into, sql) {
  into.replaceChildren();
  let at = 0;
  for (const found of sql.matchAll(TOKEN)) {
    into.append(sql.slice(at, found.index));
    const [text, string, , comment, number, keyword] = found;
    const kind = string ? "s" : number ? "n" : keyword ? "k" : comment ? "dim" : null;
    into.append(kind ? element("span", { class: kind }, text) : text);
    at = found.index + text.length;
  }
  into.append(sql.slice(at));
}

/** The same statement with its clauses on lines of their own, where no string could be changed by it. */
export function inLines(sql) {
  return sql.includes("\n") || /['"]/.test(sql) ? sql : sql.replace(BREAK, "\n");
}

/** Copies text, and says so on the button. */
export async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = before), 1500);
}

/** Milliseconds for people. */
export function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A moment for people: the time today, else the day too. */
export function moment(time) {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  const clock = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return today ? clock : `${date.toLocaleDateString()} ${clock}`;
}

for (const time of document.querySelectorAll("time[datetime]")) time.textContent = moment(time.dateTime);

const root = document.documentElement;
const chosen = localStorage.getItem("theme");
if (chosen) root.dataset.theme = chosen;
document.getElementById("theme")?.addEventListener("click", () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

/** The clauses that an agent has noted, as a sentence. */
export function clauses(detail) {
  try {
    return JSON.parse(detail).map(({ clause, expression }) => `${clause} ${expression}`).join(" · ");
  } catch {
    return detail;
  }
}

/** A figure with its name. */
export function tile(name, value) {
  return element("div", { class: "panel tile" }, element("h2", {}, name), element("b", { class: "number" }, String(value)));
}

/** Fills a table: each column is its name, what a row has there, and whether it is a number. */
export function table(into, columns, rows, none) {
  const head = columns.map(([name, , right]) => element("th", { scope: "col", class: right ? "right" : null }, name));
  const body = rows.map((row) =>
    element("tr", {}, ...columns.map(([, value, right]) => {
      const shown = value(row);
      return element("td", { class: right ? "right" : null }, shown instanceof Node ? shown : String(shown ?? ""));
    })));
  if (!rows.length) body.push(element("tr", {}, element("td", { colspan: columns.length, class: "dim" }, none)));
  into.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
}
