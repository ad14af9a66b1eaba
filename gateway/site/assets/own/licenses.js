// Looks licenses up and searches for them.
import { ask } from "./api.js";
import { claimsOf, licensesTable, proofOf, sourceOf } from "./answer.js";

const byId = id => document.getElementById(id);
const lookup = byId("lookup"), search = byId("search"), more = byId("more");
let next = null; // the parameters of the next page of the search that is shown
let latest = 0; // the number of the request that was made last: only its answer is shown

function show(answer, records, message, question) {
  byId("answer").hidden = false;
  byId("message").textContent = message;
  const links = sourceOf(answer._verifiability);
  links.append(" ", proofOf(answer, question));
  byId("facts").replaceChildren(claimsOf(answer._verifiability), links);
  byId("records").replaceChildren(...(records.length ? [licensesTable(records)] : []));
}

// run shows what an answer's function makes of it, or why there is none.
async function run(path, parameters, draw) {
  const mine = ++latest;
  more.hidden = true;
  byId("answer").hidden = false;
  byId("message").textContent = "Asking the source. This can take a minute.";
  byId("facts").replaceChildren();
  byId("records").replaceChildren();
  try {
    const body = await ask(path, parameters);
    if (mine === latest) draw(body);
  } catch (problem) {
    if (mine === latest) byId("message").textContent = problem.message;
  }
}

lookup?.addEventListener("submit", event => {
  event.preventDefault();
  const { state, license_number: number } = Object.fromEntries(new FormData(lookup));
  run(`/v1/abc/license/${encodeURIComponent(number)}`, { state }, body => show(body, [body.record], "One license.", { state, license_number: number }));
});

function runSearch(parameters) {
  run("/v1/abc/search", parameters, body => {
    show(body, body.results, `${body.results.length} of ${body.total_results} matches on this page.`);
    next = body.next_cursor && { ...parameters, cursor: body.next_cursor };
    more.hidden = !next;
  });
}

search?.addEventListener("submit", event => {
  event.preventDefault();
  runSearch({ ...Object.fromEntries(new FormData(search)), limit: "25" });
});
more?.addEventListener("click", () => runSearch(next));
