// Draws the figures of the page as a chart. The page says the same without it.
import { element } from "./api.js";

const DAY = 86400;
const HUES = 5;
// The marks of the lines: a shape for each hue, filled for the first five lines, hollow for the next, none for diesel, which has dots.
const MARKS = ["M4 0A4 4 0 1 1 -4 0A4 4 0 1 1 4 0Z", "M-4 -4H4V4H-4Z", "M0 -5L5 4H-5Z", "M0 -5L5 0L0 5L-5 0Z", "M0 5L5 -4H-5Z"];
const plot = document.getElementById("plot");
const seconds = date => Date.parse(date) / 1000; // dates are whole days of UTC
const dateOf = time => new Date(time * 1000).toISOString().slice(0, 10);

// weekOf is one row of a table: the days from begin up to before end, and the value that held on them. Where the table has no last day,
// none is known, and the line is drawn over seven days.
function weekOf(row, isDiesel) {
  const cells = [...row.cells].map(cell => cell.textContent);
  const begin = seconds(cells[0]);
  const last = isDiesel || !cells[1] ? begin + 6 * DAY : seconds(cells[1]);
  return { begin, end: last + DAY, isOpen: !isDiesel && !cells[1], value: Number(cells[isDiesel ? 1 : 2]), proof: row.querySelector("a")?.href };
}

function lineOf(section) {
  const { name, line, doubts } = section.dataset, isDiesel = name === "Diesel";
  const weeks = [...section.querySelectorAll("tbody tr")].map(row => weekOf(row, isDiesel)).sort((a, b) => a.begin - b.begin);
  weeks.forEach((week, i) => { week.end = Math.min(week.end, weeks[i + 1]?.begin ?? Infinity); });
  const isHollow = line > HUES, dash = isDiesel ? [2, 4] : isHollow ? [8, 4] : [];
  return { name, doubts, isDiesel, weeks, dash, isHollow, hue: (line - 1) % HUES + 1, mark: isDiesel ? "" : MARKS[(line - 1) % HUES] };
}

const lines = [...document.querySelectorAll("details.figures")].map(lineOf).filter(line => line.weeks.length);

// times are all days on which any value changes. On each, every line has the week that holds, or none.
const times = [...new Set(lines.flatMap(line => line.weeks.flatMap(week => [week.begin, week.end])))].sort((a, b) => a - b);
for (const line of lines) {
  let next = 0;
  line.at = times.map(time => {
    while (next < line.weeks.length && line.weeks[next].end <= time) next++;
    return line.weeks[next]?.begin <= time ? line.weeks[next] : null;
  });
}

const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colorOf = line => color(line.isDiesel ? "--ink" : `--line-${line.hue}`);

const axis = options => ({ stroke: () => color("--ink"), grid: { stroke: () => color("--grid"), width: 1 }, ticks: { show: false }, ...options });

let chart;

function draw() {
  const began = performance.now();
  chart = new uPlot({
    width: plot.clientWidth, height: 380, tzDate: time => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
    legend: { show: false }, cursor: { drag: { x: false, y: false }, points: { size: 8 } },
    scales: { x: { time: true }, "%": { auto: true }, USD: { auto: true } },
    axes: [axis({}), axis({ scale: "%", values: (_, all) => all.map(v => `${v} %`) }),
      axis({ scale: "USD", side: 1, grid: { show: false }, values: (_, all) => all.map(v => `$${v}`) })],
    series: [{}, ...lines.map(line => ({
      label: line.name, scale: line.isDiesel ? "USD" : "%", stroke: () => colorOf(line), width: 2, dash: line.dash, alpha: line.doubts ? .5 : 1,
      points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }),
    }))],
    hooks: {
      setCursor: [u => tell(u.cursor.idx)],
      drawSeries: [drawMarks],
      ready: [() => {
        performance.measure("chart", { start: began, end: performance.now() });
        moveTo(times.findLastIndex(time => time * 1000 <= Date.now()));
      }],
    },
  }, [times, ...lines.map(line => line.at.map(week => week && week.value))], plot);
  chart.over.append(tip);
  chart.over.addEventListener("click", () => nearest()?.week.proof && location.assign(nearest().week.proof));
}

// drawMarks draws the marks of a line, 70 pixels apart. Those of other lines stand beside them, not above.
function drawMarks(u, series) {
  const line = lines[series - 1], { ctx, bbox } = u, ratio = devicePixelRatio, step = 70 * ratio;
  if (!line?.mark || !u.series[series].show) return;
  for (let x = bbox.left + step * ((series - 1) % 10 + .5) / 10; x < bbox.left + bbox.width; x += step) {
    const time = u.posToVal(x, "x", true), week = line.at[times.findLastIndex(change => change <= time)];
    if (!week) continue;
    ctx.save();
    ctx.translate(x, u.valToPos(week.value, "%", true));
    ctx.scale(ratio, ratio);
    Object.assign(ctx, { strokeStyle: colorOf(line), fillStyle: line.isHollow ? color("--ground") : colorOf(line), lineWidth: 1.5 });
    const shape = new Path2D(line.mark);
    ctx.fill(shape);
    ctx.stroke(shape);
    ctx.restore();
  }
}

// The readout is the table of what holds on the day that is pointed at. Its boxes show and hide lines.
const day = element("caption", "Point at a week of the chart");
const rows = lines.map(rowOf);

// The tip says the same at the pointer.
const tip = element("div", null, { id: "tip", "aria-hidden": "true" });
tip.hidden = true;

function swatchOf(line) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line"), mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
  picture.setAttribute("viewBox", "0 0 32 12");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("swatch");
  for (const [name, value] of Object.entries({ x1: 0, x2: 32, y1: 6, y2: 6, "stroke-dasharray": line.dash.join(" ") })) stroke.setAttribute(name, value);
  for (const [name, value] of Object.entries({ d: line.mark, transform: "translate(16 6)" })) mark.setAttribute(name, value);
  const hue = line.isDiesel ? "var(--ink)" : `var(--line-${line.hue})`;
  Object.assign(stroke.style, { stroke: hue });
  Object.assign(mark.style, { stroke: hue, fill: line.isHollow ? "var(--ground)" : hue });
  picture.append(stroke, mark);
  return picture;
}

function rowOf(line, i) {
  const row = element("tr"), name = element("th", null, { scope: "row" }), label = element("label");
  const box = element("input", null, { type: "checkbox" });
  box.checked = true;
  box.addEventListener("change", () => chart.setSeries(i + 1, { show: box.checked }));
  label.append(box, " ", swatchOf(line), ` ${line.name}`);
  name.append(label);
  if (line.doubts) name.append(element("div", line.doubts, { class: "hint doubts" }));
  const cells = [element("td"), element("td")];
  row.append(name, ...cells);
  return { row, cells };
}

// tell shows what holds at a place of the chart.
function tell(at) {
  if (at === null || at === undefined) return;
  day.textContent = `On ${dateOf(times[at])}`;
  lines.forEach((line, i) => {
    const week = line.at[at], [value, span] = rows[i].cells;
    const proof = { href: week?.proof, "aria-label": `Proof of ${valueOf(line, week)} of ${line.name}` };
    value.replaceChildren(week?.proof ? element("a", valueOf(line, week), proof) : valueOf(line, week));
    span.replaceChildren(...spanOf(week));
  });
  showTip(at);
}

const spanOf = week => !week ? [] : week.isOpen ? ["from ", whole(dateOf(week.begin))] : [whole(`${dateOf(week.begin)} to`), " ", whole(dateOf(week.end - DAY))];
const whole = text => element("span", text, { class: "whole" });
const valueOf = (line, week) => !week ? "not known" : line.isDiesel ? `${week.value} USD` : `${week.value} %`;

// showTip shows beside the pointer what the lines are at a place, the highest first. The line that is pointed at stands out.
function showTip(at) {
  const { left, top } = chart.cursor, { x, width, height } = chart.over.getBoundingClientRect(), pointed = nearest()?.line;
  const shown = lines.filter((line, i) => line.at[at] && chart.series[i + 1].show);
  shown.sort((a, b) => a.isDiesel - b.isDiesel || b.at[at].value - a.at[at].value);
  tip.replaceChildren(element("strong", dateOf(times[at])), ...shown.map(line => {
    const entry = element("div", null, line === pointed ? { class: "pointed" } : {});
    entry.append(swatchOf(line), ` ${line.name} ${valueOf(line, line.at[at])}${line.doubts ? " ?" : ""}`);
    return entry;
  }));
  tip.hidden = left < 0 || !shown.length;
  tip.style.left = `${left < width / 2 ? left + 12 : Math.max(plot.getBoundingClientRect().x - x, left - 12 - tip.offsetWidth)}px`;
  tip.style.top = `${Math.max(0, Math.min(top, height - tip.offsetHeight))}px`;
}

// nearest is the line that is near the pointer, with its week there; undefined for none.
function nearest() {
  const { idx, top } = chart.cursor;
  const away = lines.flatMap((line, i) => {
    const week = line.at[idx];
    if (!week || !chart.series[i + 1].show) return [];
    return [{ line, week, by: Math.abs(chart.valToPos(week.value, line.isDiesel ? "USD" : "%") - top) }];
  });
  return away.filter(one => one.by < 16).sort((a, b) => a.by - b.by)[0];
}

function moveTo(wanted) {
  const at = Math.max(0, Math.min(times.length - 1, wanted));
  const shown = lines.findIndex(line => line.at[at]);
  const top = shown < 0 ? 0 : chart.valToPos(lines[shown].at[at].value, lines[shown].isDiesel ? "USD" : "%");
  chart.setCursor({ left: chart.valToPos(times[at], "x"), top });
}

plot.addEventListener("keydown", event => {
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
  if (!steps) return;
  event.preventDefault();
  moveTo((chart.cursor.idx ?? times.length) + steps);
});

if (lines.some(line => line.weeks.length > 1)) {
  document.getElementById("chart").hidden = false;
  const table = element("table"), body = element("tbody");
  body.append(...rows.map(({ row }) => row));
  table.append(day, body);
  document.getElementById("readout").append(table);
  draw();
  new ResizeObserver(() => {
    tip.hidden = true;
    chart.setSize({ width: plot.clientWidth, height: 380 });
  }).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw(false));
}
