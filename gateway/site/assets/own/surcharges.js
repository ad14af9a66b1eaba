// Draws the figures of the page as a chart. The page says the same without it.
import { element } from "./api.js";

const DAY = 86400;
const HUES = 5;
const plot = document.getElementById("plot");
const seconds = date => Date.parse(date) / 1000; // dates are whole days of UTC
const dateOf = time => new Date(time * 1000).toISOString().slice(0, 10);

// weekOf is one row of a table: the days from begin up to before end, and the value that held on them.
function weekOf(row, isDiesel) {
  const cells = [...row.cells].map(cell => cell.textContent);
  const begin = seconds(cells[0]);
  const last = isDiesel || !cells[1] ? begin + 6 * DAY : seconds(cells[1]);
  return { begin, end: last + DAY, value: Number(cells[isDiesel ? 1 : 2]), proof: row.querySelector("a")?.href };
}

function lineOf(section) {
  const { name, line } = section.dataset, isDiesel = name === "Diesel";
  const weeks = [...section.querySelectorAll("tbody tr")].map(row => weekOf(row, isDiesel)).sort((a, b) => a.begin - b.begin);
  weeks.forEach((week, i) => { week.end = Math.min(week.end, weeks[i + 1]?.begin ?? Infinity); });
  return { name, isDiesel, weeks, hue: (line - 1) % HUES + 1, dash: isDiesel ? [2, 4] : line > HUES ? [8, 4] : [] };
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
      label: line.name, scale: line.isDiesel ? "USD" : "%", stroke: () => colorOf(line), width: 2, dash: line.dash,
      points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }),
    }))],
    hooks: {
      setCursor: [u => tell(u.cursor.idx)],
      ready: [() => {
        performance.measure("chart", { start: began, end: performance.now() });
        moveTo(times.findLastIndex(time => time * 1000 <= Date.now()));
      }],
    },
  }, [times, ...lines.map(line => line.at.map(week => week && week.value))], plot);
  chart.over.addEventListener("click", openNearest);
}

// The readout is the table of what holds on the day that is pointed at. Its boxes show and hide lines.
const day = element("caption", "Point at a week of the chart");
const rows = lines.map(rowOf);

function swatchOf(line) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
  picture.setAttribute("viewBox", "0 0 32 12");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("swatch");
  for (const [name, value] of Object.entries({ x1: 0, x2: 32, y1: 6, y2: 6, "stroke-dasharray": line.dash.join(" ") })) stroke.setAttribute(name, value);
  stroke.style.stroke = line.isDiesel ? "var(--ink)" : `var(--line-${line.hue})`;
  picture.append(stroke);
  return picture;
}

function rowOf(line, i) {
  const row = element("tr"), name = element("th", null, { scope: "row" }), label = element("label");
  const box = element("input", null, { type: "checkbox" });
  box.checked = true;
  box.addEventListener("change", () => chart.setSeries(i + 1, { show: box.checked }));
  label.append(box, " ", swatchOf(line), ` ${line.name}`);
  name.append(label);
  const cells = [element("td"), element("td"), element("td")];
  row.append(name, ...cells);
  return { row, cells };
}

// tell shows what holds at a place of the chart.
function tell(at) {
  if (at === null || at === undefined) return;
  day.textContent = `On ${dateOf(times[at])}`;
  lines.forEach((line, i) => {
    const week = line.at[at], [value, span, proof] = rows[i].cells;
    value.textContent = !week ? "not known" : line.isDiesel ? `${week.value} USD` : `${week.value} %`;
    span.textContent = week ? `${dateOf(week.begin)} to ${dateOf(week.end - DAY)}` : "";
    proof.replaceChildren(...(week?.proof ? [element("a", "proof", { href: week.proof })] : []));
  });
}

// openNearest opens the proof of the line that is near where the click was.
function openNearest() {
  const { idx, top } = chart.cursor;
  let nearest = null, least = 16;
  lines.forEach((line, i) => {
    const week = line.at[idx];
    if (!week || !chart.series[i + 1].show) return;
    const away = Math.abs(chart.valToPos(week.value, line.isDiesel ? "USD" : "%") - top);
    if (away < least) [nearest, least] = [week, away];
  });
  if (nearest?.proof) location.assign(nearest.proof);
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
  new ResizeObserver(() => chart.setSize({ width: plot.clientWidth, height: 380 })).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw(false));
}
