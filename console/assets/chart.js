// Draws rows as what their shape asks for: one value as a big number, a course of time as a line, groups as bars.

const NUMBER = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;
const TIME = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;
const QUARTER = /^(\d{4})[- ]?Q([1-4])$/i;
/** Groups that are drawn; the table has all. */
const BARS = 30;
const POINTS = 2000;
const SERIES = 6;
const HEIGHT = 300;

const drawn = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const full = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const shorten = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The moment that a text names, in milliseconds; nothing if it names none. */
function momentOf(text) {
  const quarter = text.match(QUARTER);
  if (quarter) return Date.UTC(quarter[1], (quarter[2] - 1) * 3, 1);
  const parts = text.match(TIME);
  if (!parts) return undefined;
  const [, year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** What a column holds: `time`, `number`, `label`, or nothing that can be drawn. */
function kindOf(name, values) {
  const filled = values.filter((value) => value !== null);
  if (!filled.length) return null;
  if (/(^|_)(id|key|uuid)$/i.test(name)) return "label";
  const isYear = /year/i.test(name) && filled.every((value) => /^\d{4}$/.test(value));
  if (isYear || filled.every((value) => !/^\d{4}$/.test(value) && momentOf(value) !== undefined)) return "time";
  return filled.every((value) => NUMBER.test(value)) ? "number" : "label";
}

/**
 * How rows can be drawn: `kinds`, the fittest first, `measures` to choose from, and the columns for time and names.
 */
export function shapeOf({ columns, rows }) {
  const kinds = columns.map((name, at) => kindOf(name, rows.map((row) => row[at])));
  const at = (kind) => kinds.flatMap((found, index) => (found === kind ? [index] : []));
  const [measures, times, labels] = [at("number"), at("time"), at("label")];
  const shape = { kinds: [], measures, time: times[0], label: labels[0], series: undefined };
  if (!measures.length || !rows.length) return shape;
  if (rows.length === 1) {
    if (columns.length <= 4) shape.kinds.push("number");
    return shape;
  }
  const distinct = (index) => new Set(rows.map((row) => row[index])).size;
  if (times.length === 1 && rows.length >= 3 && rows.length <= POINTS) {
    if (distinct(times[0]) === rows.length) shape.kinds.push("line");
    else if (labels.length === 1 && distinct(labels[0]) <= SERIES) {
      shape.series = labels[0];
      shape.kinds.push("line");
    }
  }
  const named = labels[0] ?? times[0];
  if (named !== undefined && shape.series === undefined && rows.length <= POINTS) {
    shape.label = named;
    shape.kinds.push("bars");
  }
  return shape;
}

/** Round steps over a range, and the range that they cover. */
function ticksOf(least, most) {
  const span = most - least || Math.abs(most) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) * power;
  const ticks = [];
  for (let tick = Math.floor(least / step) * step; ; tick += step) {
    ticks.push(Number(tick.toPrecision(12)));
    if (tick >= most) return ticks;
  }
}

/** Draws into an element; `measure` is the column of the values. */
export function draw(into, found, shape, kind, measure) {
  const width = Math.max(280, into.clientWidth - 32);
  const made = { number, line, bars }[kind](found, shape, measure, width);
  into.replaceChildren(made);
}

function number({ columns, rows }, shape) {
  const box = document.createElement("div");
  box.className = "figures";
  for (const at of shape.measures) {
    const value = document.createElement("b");
    value.textContent = rows[0][at] === null ? "–" : full.format(rows[0][at]);
    const name = document.createElement("span");
    name.textContent = columns[at].replaceAll("_", " ");
    const figure = document.createElement("div");
    figure.append(value, name);
    box.append(figure);
  }
  return box;
}

function bars({ columns, rows }, shape, measure, width) {
  const shown = rows.slice(0, BARS).map((row) => ({ name: row[shape.label] ?? "NULL", value: row[measure] === null ? null : Number(row[measure]) }));
  const values = shown.map((bar) => bar.value ?? 0);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = Math.min(width * 0.35, 12 + 7.2 * Math.max(...shown.map((bar) => Math.min(bar.name.length, 34))));
  const letters = Math.floor((room - 12) / 6.6);
  const [left, right, row] = [room, width - 76, shown.length > 15 ? 24 : 30];
  const x = (value) => left + ((value - least) / (most - least || 1)) * (right - left);
  const svg = drawn("svg", {
    viewBox: `0 0 ${width} ${shown.length * row + 8}`,
    width,
    height: shown.length * row + 8,
    role: "img",
    "aria-label": `Bars of ${columns[measure]} by ${columns[shape.label]}; the table has the same values`,
  });
  shown.forEach((bar, index) => {
    const top = index * row + 4;
    const [from, to] = [x(Math.min(0, bar.value ?? 0)), x(Math.max(0, bar.value ?? 0))];
    const text = bar.value === null ? "NULL" : full.format(bar.value);
    svg.append(
      drawn("text", { x: left - 10, y: top + row / 2, class: "name", "text-anchor": "end" }, shorten(bar.name, Math.max(letters, 4))),
      drawn("rect", { x: from, y: top + 3, width: Math.max(to - from, 1), height: row - 6, rx: 3, class: "bar" },
        drawn("title", {}, `${bar.name}: ${text}`)),
      drawn("text", { x: to + 8, y: top + row / 2, class: "value" }, text),
    );
  });
  return withNote(svg, rows.length > BARS ? `The first ${BARS} of ${full.format(rows.length)}; sort the table to choose which.` : "");
}

function line({ columns, rows }, shape, measure, width) {
  const names = shape.series === undefined ? [columns[measure]] : [...new Set(rows.map((row) => row[shape.series] ?? "NULL"))];
  const all = names.map((name) => {
    const own = shape.series === undefined ? rows : rows.filter((row) => (row[shape.series] ?? "NULL") === name);
    const points = own.filter((row) => row[shape.time] !== null && row[measure] !== null)
      .map((row) => ({ at: momentOf(row[shape.time]), said: row[shape.time], value: Number(row[measure]) }));
    return points.sort((one, other) => one.at - other.at);
  });
  const points = all.flat();
  const values = points.map((point) => point.value);
  const ticks = ticksOf(Math.min(0, ...values), Math.max(...values));
  const [least, most] = [ticks[0], ticks.at(-1)];
  const [first, last] = [Math.min(...points.map((point) => point.at)), Math.max(...points.map((point) => point.at))];
  const [left, right, top, bottom] = [56, width - 20, 12, HEIGHT - 30];
  const x = (at) => left + ((at - first) / (last - first || 1)) * (right - left);
  const y = (value) => bottom - ((value - least) / (most - least)) * (bottom - top);
  const svg = drawn("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    width,
    height: HEIGHT,
    role: "img",
    "aria-label": `Line of ${columns[measure]} over ${columns[shape.time]}; the table has the same values`,
  });
  for (const tick of ticks) {
    svg.append(
      drawn("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), class: tick === 0 ? "zero" : "grid" }),
      drawn("text", { x: left - 8, y: y(tick), class: "name", "text-anchor": "end" }, short.format(tick)),
    );
  }
  // As many moments as have room, the first among them.
  const moments = [...new Map(points.map((point) => [point.at, point.said])).entries()].sort(([one], [other]) => one - other);
  let taken = -Infinity;
  for (const [at, said] of moments) {
    const text = said.slice(0, 10);
    const half = text.length * 3.8;
    const middle = Math.min(Math.max(x(at), half), width - half);
    if (middle - half < taken + 22) continue;
    taken = middle + half;
    svg.append(drawn("text", { x: middle, y: HEIGHT - 8, class: "name", "text-anchor": "middle" }, text));
  }
  all.forEach((own, index) => {
    if (!own.length) return;
    const path = own.map((point, place) => `${place ? "L" : "M"}${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}`).join("");
    if (all.length === 1) {
      svg.append(drawn("path", { d: `${path}L${x(own.at(-1).at).toFixed(1)} ${y(Math.max(0, least))}L${x(own[0].at).toFixed(1)} ${y(Math.max(0, least))}Z`, class: "area" }));
    }
    svg.append(drawn("path", { d: path, class: `course s${index}` }));
    for (const point of own) {
      svg.append(drawn("circle", { cx: x(point.at), cy: y(point.value), r: own.length > 80 ? 6 : 4, class: own.length > 80 ? "dot hidden" : `dot s${index}` },
        drawn("title", {}, `${names.length > 1 ? `${names[index]}, ` : ""}${point.said}: ${full.format(point.value)}`)));
    }
  });
  const box = withNote(svg, "");
  if (names.length > 1) {
    const legend = document.createElement("p");
    legend.className = "legend";
    names.forEach((name, index) => {
      const entry = document.createElement("span");
      entry.className = `s${index}`;
      entry.textContent = name;
      legend.append(entry);
    });
    box.prepend(legend);
  }
  return box;
}

function withNote(svg, note) {
  const box = document.createElement("div");
  box.append(svg);
  if (note) {
    const line = document.createElement("p");
    line.className = "small dim";
    line.textContent = note;
    box.append(line);
  }
  return box;
}

/** A curve or points over two shares. */
export function curve(into, { x: [least, most], y: [low, high], xName, yName, points, line, diagonal }) {
  const width = Math.max(260, Math.min(into.clientWidth - 32, 560));
  const height = 260;
  const [left, right, top, bottom] = [52, width - 16, 12, height - 44];
  const x = (value) => left + ((value - least) / (most - least)) * (right - left);
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${yName} by ${xName}: ${points.map((point) => point.said).join("; ")}` });
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(
      drawn("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), class: tick ? "grid" : "zero" }),
      drawn("text", { x: left - 8, y: y(tick), class: "name", "text-anchor": "end" }, `${100 * tick} %`),
      drawn("text", { x: x(tick), y: bottom + 16, class: "name", "text-anchor": tick === 1 ? "end" : "middle" }, `${100 * tick} %`),
    );
  }
  svg.append(drawn("text", { x: (left + right) / 2, y: height - 8, class: "name", "text-anchor": "middle" }, xName));
  if (diagonal) svg.append(drawn("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "even" }));
  if (line) svg.append(drawn("path", { d: points.map((point, at) => `${at ? "L" : "M"}${x(point.x)} ${y(point.y)}`).join(""), class: "course s0" }));
  const largest = Math.max(...points.map((point) => point.size ?? 1));
  for (const point of points) {
    const r = point.size ? 3 + 7 * Math.sqrt(point.size / largest) : 3;
    svg.append(drawn("circle", { cx: x(point.x), cy: y(point.y), r, class: point.size ? "bar" : "dot s0" }, drawn("title", {}, point.said)));
  }
  into.replaceChildren(svg);
}
