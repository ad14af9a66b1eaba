// Looks licenses up and searches for them.
import { ask, element, send } from "./api.js";
import { claimsOf, licensesTable, proofOf, sourceOf } from "./answer.js";

const byId = id => document.getElementById(id);
const lookup = byId("lookup"), search = byId("search"), more = byId("more"), back = byId("back"), csv = byId("csv");
let pages = []; // the pages of the search that were read, each with its parameters and its body
let at = 0; // which of them is shown
let shown = null; // the path and the parameters of the answer that is shown
let latest = 0; // the number of the request that was made last: only its answer is shown

function show(answer, records, message, question) {
  byId("answer").hidden = false;
  byId("message").textContent = message;
  const links = sourceOf(answer._verifiability), proof = proofOf(answer, question);
  if (proof) links.append(" · ", proof);
  byId("facts").replaceChildren(claimsOf(answer._verifiability), links);
  byId("records").replaceChildren(...(records.length ? [licensesTable(records)] : []));
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
  run(`/v1/abc/license/${encodeURIComponent(number)}`, { state }, body => show(body, [body.record], "One license.", { state, license_number: number }));
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
  show(body, body.results, `Page ${number + 1}: ${body.results.length} of ${body.total_results} matches.`);
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
