// Shows answers as people read them. What a source says stays text.
import { element } from "./api.js";

// factsOf lists names with their values.
export function factsOf(facts) {
  const list = element("dl");
  for (const [name, value] of facts) list.append(element("dt", name), bdi("dd", value));
  return list;
}

// claimsOf are what an answer says of itself.
export function claimsOf(claims) {
  return factsOf([
    ["Confidence", `${claims.extraction_confidence.toFixed(2)}${claims.extraction_confidence < 0.9 ? ", too low to act on" : ""}`],
    ["Read", new Date(claims.source_timestamp).toISOString().replace("T", " ").slice(0, 16) + " UTC"],
    ["Complete", claims.complete ? "yes" : "no: more may exist"],
    ...claims.notes.map(note => [note.code, note.message]),
  ]);
}

// sourceOf is a link only where the address is one of the web.
export function sourceOf(claims) {
  const url = URL.parse(claims.raw_data_evidence_url), line = element("p");
  const isWeb = url && (url.protocol === "https:" || url.protocol === "http:");
  line.append(isWeb ? element("a", "The source", { href: url.href, rel: "noreferrer" }) : element("span", claims.raw_data_evidence_url));
  return line;
}

// The columns: heading, text, and how cells look.
const licenseColumns = [
  ["Number", r => r.license_number], ["Type", r => r.license_type_code], ["Status", r => statusOf(r)], ["Trade name", r => r.dba_name],
  ["Owner", r => r.owner_name], ["Address", r => r.address?.raw], ["Expires", r => r.expiration_date ?? "not known", "whole"],
  ["Suspensions", r => suspensionsOf(r)],
];

const weekColumns = [
  ["From", w => w.effective_date, "whole"], ["To", w => w.end_date ?? "open", "whole"], ["Fuel surcharge %", w => w.fuel_surcharge_pct],
  ["Diesel USD", w => w.doe_diesel_price_usd ?? "not reported"], ["Truckload %", w => w.truckload_pct ?? "not known"],
];

const statusOf = r => r.inferred?.includes("status") ? `${r.status} (inferred)` : r.status;

// An empty list says "none" only where the source shows suspensions.
const suspensionsOf = r => r.not_reported?.includes("suspensions") ? "not reported"
  : r.suspensions?.length ? r.suspensions.map(s => `${s.start_date ?? "not known"} to ${s.end_date ?? "not known"} ${s.reason}`).join("; ") : "none";

export const licensesTable = records => tableOf(records, licenseColumns);
export const weeksTable = weeks => tableOf(weeks, weekColumns);

function tableOf(records, columns) {
  const table = element("table"), head = element("tr"), body = element("tbody");
  head.append(...columns.map(([name]) => element("th", name, { scope: "col" })));
  for (const record of records) {
    const row = element("tr");
    row.append(...columns.map(([, of, look]) => bdi("td", of(record), look)));
    body.append(row);
  }
  table.append(element("thead"), body);
  table.tHead.append(head);
  return table;
}

// bdi keeps the direction of a text from changing what stands around it. look is how it looks, if not as all.
function bdi(name, text, look) {
  const made = element(name, null, look ? { class: look } : {});
  made.append(element("bdi", text));
  return made;
}

// answersOf are the answers in a body, each with _verifiability: those of several carriers, or the one.
export const answersOf = body => body.results && body.errors ? body.results : [body];

// proofOf is a link to the proof of an answer, which is kept for it in this tab. It is nothing where no document is kept. question
// is what the answer answers, as the page of proofs takes it.
export function proofOf(answer, question = {}) {
  const [first] = answersOf(answer), entry = first?._verifiability?.evidence?.[0];
  if (!entry) return "";
  const query = new URLSearchParams({ id: entry.sha256, at: entry.at, ...question });
  const number = answer.record?.license_number;
  if (number) query.set("find", number);
  const link = element("a", "Proof", { href: `/console/proof?${query}` });
  link.addEventListener("click", () => keep(entry.sha256, answer));
  return link;
}

// keep keeps an answer for the page of its proof, in this tab alone.
export function keep(id, answer) {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith("proof ")) sessionStorage.removeItem(name);
  sessionStorage.setItem(`proof ${id}`, JSON.stringify(answer));
}

// kept is the answer that was kept for a proof, or null.
export const kept = id => JSON.parse(sessionStorage.getItem(`proof ${id}`));
