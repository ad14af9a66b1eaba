// Shows an answer beside the document that it was read from, and checks one against the other.
import { ask, element, send } from "./api.js";
import { answersOf, claimsOf, keep, kept, licensesTable, sourceOf, weeksTable } from "./answer.js";

const byId = id => document.getElementById(id);
const proof = byId("proof"), message = byId("message");
const { id, carrier, day, state, number } = proof.dataset;
const question = carrier ? { carrier, as_of: day } : state ? { state, license_number: number } : {};

// valueOf is what to look for in the document: the number of a license, or the percent of the only week.
const valueOf = answer => answer.record?.license_number ?? (answer.weeks?.length === 1 ? answer.weeks[0].fuel_surcharge_pct : undefined);

// open goes to the page of the answer's own document. Where none is kept, the answer is shown here.
function open(answer) {
  const entry = answersOf(answer)[0]?._verifiability?.evidence?.[0];
  if (!entry || entry.sha256 === id) return show(answer);
  keep(entry.sha256, answer);
  location.assign(pageOf(entry, answer));
}

// pageOf is the page of a document of an answer.
function pageOf(entry, answer) {
  const query = new URLSearchParams({ id: entry.sha256, at: entry.at, ...question }), value = valueOf(answer);
  if (value !== undefined) query.set("find", value);
  return `/console/proof?${query}`;
}

function show(answer) {
  const parts = answersOf(answer).flatMap(one => {
    if (!one?._verifiability) throw new Error("This is no answer of a fuel surcharge, a license or a search.");
    const table = element("div", undefined, { class: "scroll", tabindex: "0" });
    table.append(one.weeks ? weeksTable(one.weeks) : licensesTable(one.record ? [one.record] : one.results));
    const title = one.carrier ?? `${one.state}${one.license_number ? ` ${one.license_number}` : ""}`;
    return [element("h3", title), table, claimsOf(one._verifiability), sourceOf(one._verifiability), documentsOf(one)];
  });
  byId("words").replaceChildren(...parts);
  offer(answer);
  byId("asking")?.remove();
  message.textContent = "";
  return check(answer);
}

// documentsOf links the documents of an answer.
function documentsOf(answer) {
  const { evidence } = answer._verifiability;
  if (!evidence.length) return element("p", "No document of this answer is kept.");
  const list = element("ul");
  for (const entry of evidence) {
    const item = element("li", `${entry.role}: `);
    item.append(element("a", entry.sha256.slice(0, 12), { href: pageOf(entry, answer) }));
    list.append(item);
  }
  return list;
}

// offer offers the answer as a file, as `assay evidence verify` reads it.
function offer(answer) {
  const link = byId("download");
  if (link.href) URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answer)], { type: "application/json" }));
  link.download = "answer.json";
  link.hidden = false;
}

// check has the documents read again, and tells what became of each value.
async function check(answer) {
  byId("checking").hidden = false;
  byId("outcome").textContent = "Reading the documents again.";
  byId("checks").replaceChildren();
  try {
    const reply = await send("/console/proof/checks", {
      method: "POST", body: JSON.stringify(answer), headers: { "Content-Type": "application/json" },
    });
    const { verified, checks } = await reply.json();
    byId("checks").replaceChildren(...checks.map(one => {
      const item = element("li", undefined, { class: one.holds ? "check-good" : "check-bad" });
      item.append(element("bdi", `${one.holds ? "✓" : "✗"} ${one.text}`));
      return item;
    }));
    byId("outcome").textContent = verified ? "Verified: all of it stands in the documents." : "Not verified.";
    byId("outcome").className = `state ${verified ? "good" : "bad"}`;
  } catch (problem) {
    byId("outcome").textContent = `This could not be checked: ${problem.message}`;
  }
}

// get asks the question of the address.
async function get() {
  const button = byId("get");
  button.disabled = true;
  message.textContent = "Asking. This can take a minute.";
  try {
    const path = carrier ? "/v1/ltl/fuel-surcharge" : `/v1/abc/license/${encodeURIComponent(number)}`;
    open(await ask(path, carrier ? { carriers: carrier, as_of: day } : { state }));
  } catch (problem) {
    message.textContent = problem.message;
  } finally {
    button.disabled = false;
  }
}

byId("get")?.addEventListener("click", get);
byId("file").addEventListener("change", async event => {
  try {
    open(JSON.parse(await event.target.files[0].text()));
  } catch (problem) {
    message.textContent = problem instanceof SyntaxError ? "This file holds no JSON." : problem.message;
  }
});
if (id && kept(id)) show(kept(id));

// What is asked for is shown first in a long document.
const page = document.querySelector(".exhibit"), asked = page?.querySelector(".asked");
if (asked) page.scrollTop = asked.offsetTop - page.offsetTop - page.clientHeight / 3;
