// Audits a CSV of invoices: says the price, then asks for the verdicts, and shows them.
import { send, element, reach } from "./api.js";
import { recordsOf } from "./csv.js";

const byId = id => document.getElementById(id);
const form = byId("audit"), pay = byId("pay"), message = byId("message"), progress = byId("progress");
const pageRows = 200; // rows that are shown at once
let chosen = null; // the file that was priced, with what the price was asked with
let latest = 0; // the number of the last choice: only its price is shown
let running = null; // what stops the audit that runs; null while none does

const plural = (n, word) => `${n} ${word}${Number(n) === 1 ? "" : "s"}`;

// keyOf names the file for the gateway: the same content is charged once, also after a reload or a second click. Pages that are not
// served over TLS cannot hash; there each choice of a file has a name of its own.
async function keyOf(body) {
  const bytes = crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", body)) : crypto.getRandomValues(new Uint8Array(32));
  return "console-" + Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

const workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

// typeOf is the media type of a file: that of a workbook by its first bytes.
function typeOf(body) {
  const [first, second] = new Uint8Array(body, 0, Math.min(2, body.byteLength));
  return first === 0x50 && second === 0x4b || first === 0xd0 && second === 0xcf ? workbook : "text/csv";
}

const post = (query, body, headers, signal) => send(`/v1/ltl/audit?${query}`, {
  method: "POST", body, signal, headers: { "Content-Type": typeOf(body), ...headers },
});

// priced sends the form as a browser would, and takes the price and what is read as what out of the page that comes.
async function priced(choices) {
  const body = new FormData(form);
  body.set("script", "1");
  for (const [name, value] of choices) body.set(name, value);
  const reply = await fetch("/console/audit", { method: "POST", body, headers: { Accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  if (page.getElementById("key")) throw new Error("Your session has ended. Reload the page to log in.");
  const part = id => page.getElementById(id);
  const problem = page.querySelector("[role=alert]")?.textContent ?? (part("quote") ? "" : `The gateway answered ${reply.status}.`);
  return { match: part("match"), quote: part("quote"), causes: part("quote-causes"), standing: part("standing")?.textContent, problem };
}

// showMatch puts what is read as what where the form is, so that it can be changed. A date's form that a person chose is remembered.
function showMatch(match) {
  if (!match) return;
  match.querySelector(".by-form").remove();
  for (const hidden of match.querySelectorAll("input[type=hidden]")) hidden.remove();
  form.after(match);
  for (const select of match.querySelectorAll("select")) select.addEventListener("change", () => {
    if (select.name === "date_form") localStorage.setItem(dateForm, select.value);
    price([...match.querySelectorAll("select")].map(s => [s.name, s.value]));
  });
}

const dateForm = "assay-date-form"; // where the browser keeps it
const remembered = () => [["date_form", localStorage.getItem(dateForm) ?? ""]];

function showStanding(reply) {
  const left = reply.headers.get("X-RateLimit-Remaining"), limit = reply.headers.get("X-RateLimit-Limit");
  if (left) byId("standing").textContent = `Requests left in this minute: ${left}${limit ? ` of ${limit}` : ""}.`;
}

// price asks what a file would cost, read as the choices say, and shows both. Nothing is charged for that.
async function price(choices = remembered()) {
  const file = byId("file").files[0], mine = ++latest, focused = document.activeElement?.id;
  chosen = null;
  pay.disabled = true;
  byId("result").hidden = true;
  if (!file) return clear();
  message.textContent = "Asking for the price.";
  try {
    const [body, { match, quote, causes, standing, problem }] = await Promise.all([file.arrayBuffer(), priced(choices)]);
    const key = await keyOf(body);
    if (mine !== latest) return;
    clear();
    if (causes) match?.append(causes);
    showMatch(match);
    byId(focused)?.focus();
    if (standing) byId("standing").textContent = standing;
    if (problem) throw new Error(problem);
    const { all, resolved, linePrice, price: whole } = quote.dataset, free = all - resolved;
    const query = new URLSearchParams(match?.dataset.query);
    for (const name of ["tolerance_points", "tolerance_amount"]) query.set(name, byId(name).value);
    chosen = { body, query, key, quote: { lines: all, resolved, line_price_usd: linePrice, price_usd: whole } };
    message.textContent = `${plural(all, "line")}: ${resolved} will get a verdict, at ${linePrice} USD each; ` +
      `${free} cannot be judged and ${free === 1 ? "is" : "are"} free. Price: ${whole} USD.`;
    pay.textContent = `Audit for ${whole} USD`;
    pay.disabled = false;
  } catch (problem) {
    if (mine === latest) message.textContent = problem.message;
  }
}

// clear takes away what a form was answered with.
function clear() {
  for (const part of document.querySelectorAll(".sent")) part.remove();
}

// read reads an answer that comes in pieces, and counts its rows: no cell has a line end. It returns what came, and what broke it
// off: null for an answer that came whole.
async function read(reply, lines) {
  const decoder = new TextDecoder(), parts = [];
  let rows = -1; // the header is no line
  try {
    for (const reader = reply.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return { text: parts.join(""), problem: null };
      parts.push(decoder.decode(value, { stream: true }));
      rows += parts.at(-1).split("\r\n").length - 1;
      progress.value = Math.min(rows, lines);
      progress.textContent = `${progress.value} of ${lines}`;
    }
  } catch (problem) {
    return { text: parts.join(""), problem };
  }
}

// run asks for the verdicts, once at a time. What came before the audit was stopped or broke off is shown too.
async function run() {
  const { body, query, key, quote } = chosen;
  setRunning(new AbortController());
  Object.assign(progress, { max: quote.lines, value: 0 });
  message.textContent = `Auditing ${plural(quote.lines, "line")}.`;
  try {
    const reply = await post(query, body, { "Idempotency-Key": key }, running.signal);
    showStanding(reply);
    const { text, problem } = await read(reply, quote.lines), whole = text.slice(0, text.lastIndexOf("\r\n") + 2);
    show(whole, recordsOf(whole), quote, running.signal.aborted ? "Stopped." : problem?.message ?? "The answer broke off.");
  } catch (problem) {
    message.textContent = running.signal.aborted ? "Stopped before the first verdict came. Press the button to go on: no line is charged twice."
      : `${problem.message} You may press the button again: no line is charged twice.`;
  } finally {
    setRunning(null);
  }
}

// setRunning keeps the form as it is while an audit runs, so that what was paid for is shown. Only Stop can be pressed.
function setRunning(controller) {
  running = controller;
  for (const control of [...form.elements, ...document.querySelectorAll("#match select")]) control.disabled = Boolean(running);
  progress.hidden = byId("stop").hidden = !running;
  byId("stop").disabled = !running;
}

const unjudged = ["INVALID", "DUPLICATE", "UNRESOLVED"];

// show shows an answer. One without its last row, the totals, is a part: why says what became of the rest.
function show(text, records, quote, why) {
  const isWhole = records.at(-1)?.verdict === "TOTAL", total = isWhole ? records.pop() : null;
  const judged = records.filter(r => !unjudged.includes(r.verdict));
  judged.sort((a, b) => Number(b.recoverable_amount) - Number(a.recoverable_amount)); // stable: the file's order among equals
  showTotals(total, records);
  showPart(isWhole ? "" : `${why} ${partOf(records.length, judged.length, quote)}`);
  download(text, isWhole ? "-audited.csv" : "-audited-part.csv");
  showProblems(problemsOf(total, records));
  showLines(judged);
  message.textContent = isWhole ? "Done." : why;
  byId("result").hidden = false;
  reach(byId("result-title"));
}

// partOf says what of an audit came, and what is charged. The gateway charges the lines that it sent. It may have sent more than came.
function partOf(lines, judged, quote) {
  const came = `${lines} of ${plural(quote.lines, "line")} came, ${judged} of them with a verdict; the totals are missing. `;
  if (Number(quote.price_usd) === 0) return `${came}Nothing is charged. Press the button above for the whole.`;
  return `${came}Charged are at least these ${judged}, ${priceOf(judged, quote)} USD, and at most what was sent before it stopped, ` +
    `${quote.price_usd} USD for all. Press the button above for the rest: no line is charged twice, so that the whole costs ${quote.price_usd} USD.`;
}

// priceOf is the price of some lines, in whole millionths of a dollar, as prices are, with at least two decimals.
const priceOf = (lines, quote) => (Math.round(lines * Number(quote.line_price_usd) * 1e6) / 1e6).toFixed(6).replace(/0{1,4}$/, "");

function showPart(text) {
  byId("part").hidden = !text;
  byId("part").textContent = text;
}

// showTotals shows the sums that the gateway made, and counts verdicts.
function showTotals(total, records) {
  const counts = new Map();
  for (const r of records) counts.set(r.verdict, (counts.get(r.verdict) ?? 0) + 1);
  const sums = total ? [["Recoverable", `${total.recoverable_amount} USD`], ["Billed less expected", `${total.variance_amount} USD`]] : [];
  const facts = [...sums, ["Lines", records.length], ...[...counts].sort((a, b) => b[1] - a[1])];
  byId("totals").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

// download offers the answer as it came, behind a byte order mark, without which Excel takes it for another charset. Its name is
// that of the file with another end.
function download(text, end) {
  const link = byId("download");
  link.hidden = false;
  if (link.href) URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = byId("file").files[0].name.replace(/(\.[^.]*)?$/, end);
}

// growing fills a list with the first entries, and shows more at the press of a button.
function growing(entries, into, button, draw) {
  into.replaceChildren();
  const grow = () => {
    into.append(...entries.splice(0, pageRows).map(draw));
    button.hidden = !entries.length;
  };
  button.onclick = grow;
  grow();
}

// problemsOf are why lines have no verdict: each cause once where the totals are there, else line by line.
function problemsOf(total, records) {
  const told = total ? total.reason.split(" | ").slice(1) : [], alone = total ? ["DUPLICATE"] : unjudged;
  return told.concat(records.filter(r => alone.includes(r.verdict)).map(r => `${r.verdict}${r.id ? `, id ${r.id}` : ""}: ${r.reason}`));
}

function showProblems(problems) {
  byId("problems").hidden = !problems.length;
  growing(problems, byId("problem-list"), byId("more-problems"), text => {
    const item = element("li");
    item.append(element("bdi", text));
    return item;
  });
}

// showLines fills the table that the page has. Its head names the members of a line.
function showLines(judged) {
  const [table] = byId("lines").children;
  table.tBodies[0].replaceChildren();
  growing(judged, table.tBodies[0], byId("more"), record => rowOf(record, table.tHead.rows[0].cells));
}

function rowOf(record, columns) {
  const row = element("tr", undefined, { role: "row" });
  for (const column of columns) {
    const cell = element("td", undefined, { role: "cell", class: column.className, "data-name": column.textContent });
    cell.append(column.dataset.member ? element("bdi", record[column.dataset.member]) : proofOf(record));
    row.append(cell);
  }
  return row;
}

function proofOf({ carrier, ship_date: day }) {
  const query = new URLSearchParams({ carrier, as_of: day });
  return element("a", "Proof", { href: `/console/proof?${query}`, "aria-label": `Proof of ${carrier} on ${day}` });
}

form?.addEventListener("submit", event => {
  event.preventDefault();
  if (chosen && !running) run();
});
form && byId("stop").addEventListener("click", () => running?.abort());
form?.addEventListener("change", () => price());
if (form) {
  pay.disabled = true;
  pay.textContent = "Audit";
  if (byId("file").files.length) price(); // chosen before this script was there
}

// A file may be dropped anywhere on the form.
for (const name of ["dragover", "drop"]) form?.addEventListener(name, event => {
  event.preventDefault();
  form.classList.toggle("dropping", name === "dragover");
  if (name === "drop" && !running && event.dataTransfer.files.length) {
    byId("file").files = event.dataTransfer.files;
    price();
  }
});
form?.addEventListener("dragleave", () => form.classList.remove("dropping"));
