// Runs cases of clients/cases.json: a case a line of standard input, its outcome a line of standard output.
import { createInterface } from "node:readline";

import { ApiError, AssayError, Client, ConfidenceError, ForeignError, MemberError, UnreachableError } from "../dist/index.js";

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const camelNames = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [camel(name), value]));

const calls = {
  carriers: (c) => c.carriers(),
  states: (c) => c.states(),
  fuel_surcharge: (c, { carrier, weeks, ...w }) => c.fuelSurcharge(carrier, { last: weeks, ...camelNames(w) }),
  fuel_surcharges: (c, { carriers, weeks, ...w }) => c.fuelSurcharges(carriers, { last: weeks, ...camelNames(w) }),
  fuel_table: (c, { carrier, as_of }) => c.fuelTable(carrier, as_of),
  diesel: (c, { from, to }) => c.diesel(from, to),
  changes: (c, { since, ...options }) => c.changes(since, options),
  license: (c, { state, license_number }) => c.license(state, license_number),
  search: (c, { state, ...query }) => c.search(state, camelNames(query)),
  audit: (c, { lines, ...options }) => c.audit(lines, camelNames(options)),
  quote_audit: (c, { lines }) => c.quoteAudit(lines),
  put_portfolio: (c, { name, licenses }) => c.putPortfolio(name, licenses),
  confirm_portfolio: (c, { name, every, dry_run: dryRun }) => c.confirmPortfolio(name, every, dryRun),
  change_portfolio: (c, { name, ...change }) => c.changePortfolio(name, change),
  stops: (c, { name }) => c.stops(name),
  act_on_webhook: (c, { webhook_id, ...order }) => c.actOnWebhook(webhook_id, order),
  webhook_deliveries: (c, { webhook_id, limit }) => c.webhookDeliveries(webhook_id, limit),
  delivery: (c, query) => c.delivery(query),
  match: (c, { customers }) => c.match(customers),
};

/** An audit that is kept, found in the list, read, made a packet of, and deleted. */
async function kept(client, { lines, carrier, sender }) {
  const made = await client.audit(lines, { keep: true, idempotencyKey: `kept-${Math.random()}` });
  const id = made.body.audit_id;
  const listed = (await client.audits()).body.audits.some((a) => a.id === id);
  const read = (await client.keptAudit(id)).body.results.length;
  const packet = await client.packet(id, carrier, sender);
  const again = await client.packet(id, carrier, sender);
  await client.deleteAudit(id);
  const gone = await client.keptAudit(id).catch((e) => e.reason);
  return { listed, read, packet: Buffer.from(packet.slice(0, 2)).toString(), same: Buffer.compare(packet, again) === 0, gone };
}

/** The proof of an answer that is shared, found in the list, and revoked. */
async function shared(client, { carrier, weeks }) {
  const answer = (await client.fuelSurcharge(carrier, { last: weeks })).body;
  const made = (await client.share({ answer, days: 1 })).body;
  const listed = (await client.shares()).body.shares.some((s) => s.id === made.id);
  await client.revokeShare(made.token);
  const gone = await client.revokeShare(made.id).catch((e) => e.reason);
  return { listed, address: new URL(made.url).pathname.replace(made.token, ""), kind: made.kind, gone };
}

/** A webhook that is made, found, given a new secret, paused and deleted. */
async function webhook(client, target) {
  const made = (await client.createWebhook(target)).body;
  const listed = (await client.webhooks()).body.webhooks.some((w) => w.id === made.id);
  const read = (await client.webhook(made.id)).body.types;
  const rotated = (await client.actOnWebhook(made.id, { action: "rotate" })).body.secret !== made.secret;
  const status = (await client.actOnWebhook(made.id, { action: "pause" })).body.status;
  const deliveries = (await client.webhookDeliveries(made.id)).body.deliveries;
  await client.deleteWebhook(made.id);
  const gone = await client.webhook(made.id).catch((e) => e.reason);
  return { listed, read, secret: made.secret.slice(0, 6), rotated, status, deliveries, gone };
}

async function run(test) {
  const { timeout, ...options } = camelNames(test.options ?? {});
  const client = new Client({ key: test.key, url: test.url, timeout: timeout && timeout * 1000, ...options });
  const args = test.args ?? {};
  if (test.call === "search_pages") {
    const { state, ...query } = args;
    const pages = [];
    for await (const page of client.searchPages(state, camelNames(query))) pages.push(page.body);
    return { pages };
  }
  if (test.call === "kept_audit") return kept(client, args);
  if (test.call === "shared_proof") return shared(client, args);
  if (test.call === "kept_webhook") return webhook(client, args);
  const answer = await calls[test.call](client, args);
  answer.require(...(test.require ?? []));
  const outcome = { body: answer.body, environment: answer.environment, request_id: answer.requestId, age: answer.headers.get("Age") };
  if (test.documents) {
    outcome.documents = [];
    for (const entry of answer.blocks[0].evidence) {
      const document = await client.evidence(entry);
      outcome.documents.push({ name: document.name, size: document.bytes.length });
    }
  }
  return outcome;
}

function failed(e) {
  if (e instanceof ApiError) {
    const { code, advice, status, reason } = e;
    const proof = { reason, is_proof_of_absence: e.isProofOfAbsence, has_proof: e.proof !== null, cursor: e.cursor, raw: e.raw };
    return { error: "api", code, message: e.detail, advice, request_id: e.requestId, status, retry_after: e.retryAfter, ...proof };
  }
  if (e instanceof ConfidenceError) return { error: "confidence", confidence: e.confidence, required: e.required, notes: e.notes };
  if (e instanceof MemberError) return { error: "member", member: e.member, why: e.why };
  if (e instanceof UnreachableError) return { error: "unreachable" };
  if (e instanceof ForeignError) return { error: "foreign", status: e.status };
  if (e instanceof AssayError) return { error: "other", message: e.message };
  throw e;
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(line)).catch(failed)) + "\n");
}
