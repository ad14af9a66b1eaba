// Looks licenses up and searches for them.
import { ask, element, send } from "./api.js";

const byId = id => document.getElementById(id);
const lookup = byId("lookup"), search = byId("search"), more = byId("more"), back = byId("back"), csv = byId("csv");
let pages = []; // the pages of the search that were read, each with its parameters and its body
let at = 0; // which of them is shown
let shown = null; // the path and the parameters of the answer that is shown
let latest = 0; // the number of the request that was made last: only its answer is shown

const columns = [
  ["Number", r => r.license_number], ["Type", r => r.license_type_code], ["Status", r => statusOf(r)], ["Trade name", r => r.dba_name],
  ["Owner", r => r.owner_name], ["Address", r => r.address?.raw], ["Expires", r => r.expiration_date ?? "not known"],
  ["Suspensions", r => suspensionsOf(r)],
];

const statusOf = r => r.inferred?.includes("status") ? `${r.status} (inferred)` : r.status;

// An empty list says "none" only where the source shows suspensions.
const suspensionsOf = r => r.not_reported?.includes("suspensions") ? "not reported"
  : r.suspensions?.length ? r.suspensions.map(s => `${s.start_date ?? "not known"} to ${s.end_date ?? "not known"} ${s.reason}`).join("; ") : "none";

function show(claims, records, message) {
  byId("answer").hidden = false;
  byId("message").textContent = message;
  const facts = element("dl");
  const fact = (name, value) => facts.append(element("dt", name), element("dd", value));
  fact("Confidence", `${claims.extraction_confidence.toFixed(2)}${claims.extraction_confidence < 0.9 ? ", too low to act on" : ""}`);
  fact("Read", new Date(claims.source_timestamp).toISOString().replace("T", " ").slice(0, 16) + " UTC");
  fact("Complete", claims.complete ? "yes" : "no: more may exist");
  for (const note of claims.notes) fact(note.code, note.message);
  byId("facts").replaceChildren(facts, evidenceOf(claims));
  byId("records").replaceChildren(...(records.length ? [tableOf(records)] : []));
}

// evidenceOf is a link only where the address is one of the web.
function evidenceOf(claims) {
  const url = URL.parse(claims.raw_data_evidence_url);
  const line = element("p");
  const isWeb = url && (url.protocol === "https:" || url.protocol === "http:");
  line.append(isWeb ? element("a", "The source", { href: url.href, rel: "noreferrer" }) : element("span", claims.raw_data_evidence_url));
  return line;
}

function tableOf(records) {
  const table = element("table"), head = element("tr"), body = element("tbody");
  head.append(...columns.map(([name]) => element("th", name, { scope: "col" })));
  for (const record of records) {
    const row = element("tr");
    for (const [, of] of columns) {
      const cell = element("td");
      cell.append(element("bdi", of(record)));
      row.append(cell);
    }
    body.append(row);
  }
  table.append(element("thead"), body);
  table.tHead.append(head);
  return table;
}

// run shows what an answer's function makes of it, or why there is none.
async function run(path, parameters, draw) {
  const mine = ++latest;
  more.hidden = back.hidden = csv.hidden = true;
  byId("answer").hidden = false;
  byId("message").textContent = "Asking the source. This can take a minute.";
  byId("facts").replaceChildren();
  byId("records").replaceChildren();
  try {
    const body = await ask(path, parameters);
    if (mine !== latest) return;
    draw(body);
    shown = { path, parameters };
    csv.hidden = false;
  } catch (problem) {
    if (mine === latest) byId("message").textContent = problem.message;
  }
}

lookup?.addEventListener("submit", event => {
  event.preventDefault();
  const { state, license_number: number } = Object.fromEntries(new FormData(lookup));
  run(`/v1/abc/license/${encodeURIComponent(number)}`, { state }, body => show(body._verifiability, [body.record], "One license."));
});

// readPage reads the page of a search after those that were read.
function readPage(parameters) {
  run("/v1/abc/search", parameters, body => {
    pages.push({ parameters, body });
    showPage(pages.length - 1);
  });
}

function showPage(number) {
  const { parameters, body } = pages[at = number];
  show(body._verifiability, body.results, `Page ${number + 1}: ${body.results.length} of ${body.total_results} matches.`);
  shown = { path: "/v1/abc/search", parameters };
  more.hidden = !body.next_cursor;
  back.hidden = number === 0;
}

search?.addEventListener("submit", event => {
  event.preventDefault();
  pages = [];
  readPage({ ...Object.fromEntries(new FormData(search)), limit: "25" });
});

more?.addEventListener("click", () => {
  const { parameters, body } = pages[at];
  if (pages[at + 1]) showPage(at + 1);
  else readPage({ ...parameters, cursor: body.next_cursor });
});

back?.addEventListener("click", () => showPage(at - 1));

// The file is what the API answers: it has columns that the page does not show.
csv?.addEventListener("click", async () => {
  const given = Object.entries({ ...shown.parameters, format: "csv" }).filter(([, value]) => value);
  try {
    const reply = await send(`${shown.path}?${new URLSearchParams(given)}`);
    const address = URL.createObjectURL(await reply.blob());
    element("a", null, { href: address, download: "licenses.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // the download reads it after the click
  } catch (problem) {
    byId("message").textContent = problem.message;
  }
});
