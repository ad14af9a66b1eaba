/**
 * Asks the Assay API for fuel surcharges and liquor licenses.
 *
 *     const assay = new Client({ requireConfidence: 0.9 }); // the key is ASSAY_API_KEY
 *     const rate = await assay.fuelSurcharge("ODFL", { asOf: "2026-09-11" });
 *     const license = await assay.license("TX", "100001140");
 *     license.require("suspensions"); // throws where the register shows none
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import createFetch from "openapi-fetch";

import { Answer } from "./answer.js";
import { AssayError, ForeignError } from "./errors.js";
import type { components, operations, paths } from "./schema.js";
import { exchange, type Sending } from "./transport.js";

export { Answer, type Verifiability } from "./answer.js";
export * from "./errors.js";
export type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
export type Audit = Schemas["Audit"];
export type AuditQuote = Schemas["AuditQuote"];
export type Audits = Schemas["Audits"];
export type Contracts = Schemas["Contracts"];
export type KeptContract = Schemas["KeptContract"];
export type Term = Schemas["Term"];
export type Carrier = Schemas["Carrier"];
export type CarrierListings = Schemas["CarrierListings"];
export type Changes = Schemas["Changes"];
export type CustomerMatches = Schemas["CustomerMatches"];
export type CheckedDelivery = Schemas["CheckedDelivery"];
export type Deliveries = Schemas["Deliveries"];
export type Diesel = Schemas["Diesel"];
export type Evidence = Schemas["Evidence"];
export type FuelTable = Schemas["FuelTable"];
export type License = Schemas["License"];
export type Portfolio = Schemas["Portfolio"];
export type PortfolioKept = Schemas["PortfolioKept"];
/** A license of a portfolio that is put. */
export type PortfolioLicense = Schemas["PortfolioLicenses"]["licenses"][number];
export type Portfolios = Schemas["Portfolios"];
export type ShareRequest = Schemas["ProofRequest"];
export type Shared = Schemas["Shared"];
export type Shares = Schemas["Shares"];
export type Search = Schemas["Search"];
export type Sender = Schemas["Sender"];
export type State = Schemas["State"];
export type StateListings = Schemas["StateListings"];
export type Stops = Schemas["Stops"];
export type Surcharge = Schemas["Surcharge"];
export type Surcharges = Schemas["Surcharges"];
export type Webhook = Schemas["Webhook"];
export type WebhookDeliveries = Schemas["WebhookDeliveries"];
export type WebhookOrder = Schemas["WebhookOrder"];
export type Webhooks = Schemas["Webhooks"];
export type WebhookTarget = Schemas["WebhookTarget"];
/** A line of an invoice. Give percents and amounts as texts, such as "46.32", to keep their decimals. */
export type AuditLine = Extract<paths["/v1/ltl/audit"]["post"]["requestBody"]["content"]["application/json"], readonly unknown[]>[number];

/** A customer whose license is looked for. Give the license number, or the name with an address. */
export type DeliveryQuery = paths["/v1/abc/delivery"]["get"]["parameters"]["query"];
export type DeliveryLine = Extract<paths["/v1/abc/delivery"]["post"]["requestBody"]["content"]["application/json"], readonly unknown[]>[number];
export type CustomerLine = Extract<paths["/v1/abc/match"]["post"]["requestBody"]["content"]["application/json"], readonly unknown[]>[number];

/** Whom a client asks and what it takes for an answer. */
export interface Options {
  /** The API key; by default ASSAY_API_KEY, or the content of the file that ASSAY_API_KEY_FILE names. */
  key?: string;
  /** The address of the API before /v1; by default ASSAY_API_URL, or http://127.0.0.1:8080. */
  url?: string;
  /** Answers below are a ConfidenceError. 0.90 is what bills and licenses need, and `require("current")` for the current rate; by default every answer is taken. */
  requireConfidence?: number;
  /** Milliseconds that a call has with its retries; by default 120,000. Some registers take a minute. */
  timeout?: number;
  /** How often a call is sent that is answered with 429 or 503; by default 3, 1 never retries. */
  attempts?: number;
}

/** Which weeks are asked for; by default the newest four. */
export interface Weeks {
  /** The newest. */
  last?: number;
  /** The one in force on a day, such as 2026-09-11. */
  asOf?: string;
  /** Those that touch the days from this one to the one of `to`. */
  from?: string;
  to?: string;
  /** With days: what would have been answered at that moment. */
  knownAt?: string;
  /** With days: weeks to come too. */
  announced?: boolean;
}

/** A search for licenses. At least one filter is needed. */
export interface Query {
  dbaName?: string;
  ownerName?: string;
  address?: string;
  /** How many results a page holds at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

/** How far a bill may be off, as decimal texts, and the key under which the same lines are charged once within 24 hours. */
export interface AuditOptions {
  tolerancePoints?: string;
  toleranceAmount?: string;
  /** By default the hash of the lines. */
  idempotencyKey?: string;
  /** The name of a contract of yours, whose terms stand in place of what the carriers published. */
  contract?: string;
  /** Keeps the result for 90 days under audit_id; what is kept is charged as a whole. */
  keep?: boolean;
}

/** Which changes are asked for. `wait` is how many seconds the request waits for one while there is none, at most 60. */
export type ChangesOptions = Omit<NonNullable<operations["listChanges"]["parameters"]["query"]>, "since" | "format" | "bom">;

/** A document that an answer was read from, byte for byte. */
export interface Document extends Evidence {
  /** A name for a file, without a directory. */
  name: string;
  bytes: Uint8Array;
}

/** The reply of a typed call whose body is not parsed yet. */
type Reply = Promise<{ data?: unknown; response: Response }>;

/** Asks the API. */
export class Client {
  readonly #sending: Sending;
  readonly #confidence: number;
  readonly #api;

  constructor(options: Options = {}) {
    knowAll<Options>(options, { key: 1, url: 1, requireConfidence: 1, timeout: 1, attempts: 1 });
    this.#sending = {
      base: baseOf(options.url),
      key: keyOf(options.key),
      timeout: options.timeout ?? 120_000,
      attempts: options.attempts ?? 3,
    };
    this.#confidence = options.requireConfidence ?? 0;
    this.#api = createFetch<paths>({ baseUrl: this.#sending.base, fetch: (request) => exchange(this.#sending, request) });
  }

  /** The carriers and how each is read. */
  carriers(): Promise<Answer<CarrierListings>> {
    return this.#ask(this.#api.GET("/v1/ltl/carriers", { parseAs: "text" }));
  }

  /** Weeks of one carrier. */
  fuelSurcharge(carrier: Carrier, weeks: Weeks = {}): Promise<Answer<Surcharge>> {
    return this.#surcharges([carrier], weeks);
  }

  /** Weeks of several carriers, or of all ten when none is named. The body's errors name those that could not be read. */
  async fuelSurcharges(carriers: Carrier[] = [], weeks: Weeks = {}): Promise<Answer<Surcharges>> {
    const { body, raw, requestId, environment, headers } = await this.#surcharges<Surcharge | Surcharges>(carriers, weeks);
    const several = "results" in body ? body : { results: [body], errors: [] }; // else the names are of one carrier
    return new Answer(several, raw, requestId, environment, headers);
  }

  async #surcharges<Body>(carriers: Carrier[], w: Weeks): Promise<Answer<Body>> {
    knowAll<Weeks>(w, { last: 1, asOf: 1, from: 1, to: 1, knownAt: 1, announced: 1 });
    const query = {
      carriers: carriers.length > 0 ? carriers : undefined,
      weeks: w.last,
      as_of: w.asOf,
      from: w.from,
      to: w.to,
      known_at: w.knownAt,
      announced: w.announced,
    };
    return this.#askData(this.#api.GET("/v1/ltl/fuel-surcharge", { params: { query }, parseAs: "text" }));
  }

  /** The bracket table of a carrier that applied on a day, by default today. */
  fuelTable(carrier: Carrier, asOf?: string): Promise<Answer<FuelTable>> {
    return this.#askData(this.#api.GET("/v1/ltl/fuel-tables", { params: { query: { carrier, as_of: asOf } }, parseAs: "text" }));
  }

  /** The national diesel prices of the Mondays from one day to another. */
  diesel(from: string, to: string): Promise<Answer<Diesel>> {
    return this.#askData(this.#api.GET("/v1/ltl/diesel", { params: { query: { from, to } }, parseAs: "text" }));
  }

  /** What changed since a cursor. Without one there are no changes, and the body's cursor is where to begin. */
  async changes(since?: string, options: ChangesOptions = {}): Promise<Answer<Changes>> {
    knowAll<ChangesOptions>(options, { product: 1, source: 1, type: 1, portfolio: 1, limit: 1, wait: 1 });
    return this.#ask(this.#api.GET("/v1/changes", { params: { query: { since, ...options } }, parseAs: "text" }));
  }

  /** Holds invoice lines against what carriers published for their ship dates. The results are in the lines' order. */
  async audit(lines: AuditLine[], options: AuditOptions = {}): Promise<Answer<Audit>> {
    const answer = await this.#audit<Audit>(lines, options, false);
    if (answer.body.results?.length !== lines.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }

  /** Tells what the audit would cost. It is free. */
  quoteAudit(lines: AuditLine[], options: AuditOptions = {}): Promise<Answer<AuditQuote>> {
    return this.#audit(lines, options, true);
  }

  async #audit<Body>(lines: AuditLine[], o: AuditOptions, dry: boolean): Promise<Answer<Body>> {
    knowAll<AuditOptions>(o, { tolerancePoints: 1, toleranceAmount: 1, idempotencyKey: 1, contract: 1, keep: 1 });
    const text = JSON.stringify(lines);
    return this.#ask(
      this.#api.POST("/v1/ltl/audit", {
        params: {
          // Decimal texts are numbers in the document; as texts they keep their decimals.
          query: { tolerance_points: o.tolerancePoints as never, tolerance_amount: o.toleranceAmount as never, dry_run: dry || undefined, contract: o.contract, keep: o.keep || undefined },
          header: { "Idempotency-Key": o.idempotencyKey ?? sha256(text) },
        },
        body: lines,
        bodySerializer: () => text,
        parseAs: "text",
      }),
    );
  }

  /** The audits that you keep, the newest first. */
  audits(): Promise<Answer<Audits>> {
    return this.#ask(this.#api.GET("/v1/ltl/audits", { parseAs: "text" }));
  }

  /** The audit with an id, as it was answered. It is free. */
  keptAudit(id: string): Promise<Answer<Audit>> {
    return this.#ask(this.#api.GET("/v1/ltl/audits/{id}", { params: { path: { id } }, parseAs: "text" }));
  }

  /** Deletes an audit. */
  async deleteAudit(id: string): Promise<void> {
    await this.#ask(this.#api.DELETE("/v1/ltl/audits/{id}", { params: { path: { id } }, parseAs: "text" }));
  }

  /**
   * A ZIP for a carrier, of a kept audit: the letter, the lines that may be contested, and the documents. It is free.
   */
  async packet(id: string, carrier: Carrier, sender: Sender): Promise<Uint8Array> {
    const init = { params: { path: { id } }, body: { carrier, sender }, parseAs: "arrayBuffer" } as const;
    const { data } = await this.#api.POST("/v1/ltl/audits/{id}/packet", init);
    return new Uint8Array(data as unknown as ArrayBuffer);
  }

  /**
   * The licenses of customers, in their order. MATCHED has the license; REVIEW has candidates, between which a person decides. The same
   * customers are charged once within 24 hours.
   */
  async match(customers: CustomerLine[]): Promise<Answer<CustomerMatches>> {
    const text = JSON.stringify(customers);
    const answer = await this.#ask<CustomerMatches>(
      this.#api.POST("/v1/abc/match", {
        params: { header: { "Idempotency-Key": sha256(text) } },
        body: customers,
        bodySerializer: () => text,
        parseAs: "text",
      }),
    );
    if (answer.body.results?.length !== customers.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }

  /** Whether to deliver to the holder of a license, by a lookup and the delinquent lists. It fails as a lookup does. */
  delivery(query: DeliveryQuery): Promise<Answer<CheckedDelivery>> {
    return this.#ask(this.#api.GET("/v1/abc/delivery", { params: { query }, parseAs: "text" }));
  }

  /** Whether to deliver, line by line in their order, by our copies of the registers. The same list is charged once within 24 hours. */
  async deliveries(lines: DeliveryLine[]): Promise<Answer<Deliveries>> {
    const text = JSON.stringify(lines);
    const answer = await this.#ask<Deliveries>(
      this.#api.POST("/v1/abc/delivery", {
        params: { header: { "Idempotency-Key": sha256(text) } },
        body: lines,
        bodySerializer: () => text,
        parseAs: "text",
      }),
    );
    if (answer.body.results?.length !== lines.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }

  /**
   * Gives a proof an address that anybody opens, without a key: of an answer, of a line of a kept audit, or of a lookup that found no such
   * license. What the documents do not say is refused. It is free.
   */
  share(what: ShareRequest): Promise<Answer<Shared>> {
    return this.#ask(this.#api.POST("/v1/shares", { body: what, parseAs: "text" }));
  }

  /** The proofs that you share, the newest first. */
  shares(): Promise<Answer<Shares>> {
    return this.#ask(this.#api.GET("/v1/shares", { parseAs: "text" }));
  }

  /** Ends a proof, by its token or id. */
  async revokeShare(tokenOrId: string): Promise<void> {
    await this.#ask(this.#api.DELETE("/v1/shares/{share}", { params: { path: { share: tokenOrId } }, parseAs: "text" }));
  }

  /** Your webhooks, the oldest first. */
  webhooks(): Promise<Answer<Webhooks>> {
    return this.#ask(this.#api.GET("/v1/webhooks", { parseAs: "text" }));
  }

  /** The webhook of an id. */
  webhook(id: string): Promise<Answer<Webhook>> {
    return this.#ask(this.#api.GET("/v1/webhooks/{id}", { params: { path: { id } }, parseAs: "text" }));
  }

  /** Has each change sent to a URL from now on: of some types or all, of a portfolio's licenses or all. The body has the secret, once. */
  createWebhook(target: WebhookTarget): Promise<Answer<Webhook>> {
    return this.#ask(this.#api.POST("/v1/webhooks", { body: target, parseAs: "text" }));
  }

  /** Tests a webhook, pauses or resumes it, rotates its secret, or sends the event of an id again (replay). */
  actOnWebhook(id: string, order: WebhookOrder): Promise<Answer<Webhook>> {
    return this.#ask(this.#api.POST("/v1/webhooks/{id}", { params: { path: { id } }, body: order, parseAs: "text" }));
  }

  /** Deletes a webhook. */
  async deleteWebhook(id: string): Promise<void> {
    await this.#ask(this.#api.DELETE("/v1/webhooks/{id}", { params: { path: { id } }, parseAs: "text" }));
  }

  /** What became of the deliveries of the last 7 days, the newest first. */
  webhookDeliveries(id: string, limit?: number): Promise<Answer<WebhookDeliveries>> {
    return this.#ask(this.#api.GET("/v1/webhooks/{id}/deliveries", { params: { path: { id }, query: { limit } }, parseAs: "text" }));
  }

  /** The portfolios that you keep, by their names. */
  portfolios(): Promise<Answer<Portfolios>> {
    return this.#ask(this.#api.GET("/v1/abc/portfolios", { parseAs: "text" }));
  }

  /** The licenses of a portfolio with today's verdicts. */
  portfolio(name: string): Promise<Answer<Portfolio>> {
    return this.#ask(this.#api.GET("/v1/abc/portfolios/{name}", { params: { path: { name } }, parseAs: "text" }));
  }

  /** Whom of a portfolio not to deliver to today or on another day, with the reasons. No source is read, and it is free. */
  stops(name: string, query: Pick<DeliveryQuery, "beverage" | "on"> = {}): Promise<Answer<Stops>> {
    return this.#ask(this.#api.GET("/v1/abc/portfolios/{name}/stops", { params: { path: { name }, query }, parseAs: "text" }));
  }

  /** Keeps licenses under a name, in place of those that were there. What cannot be read is told in errors. */
  putPortfolio(name: string, licenses: PortfolioLicense[]): Promise<Answer<PortfolioKept>> {
    return this.#ask(this.#api.PUT("/v1/abc/portfolios/{name}", { params: { path: { name } }, body: { licenses }, parseAs: "text" }));
  }

  /**
   * Adds licenses to a portfolio and removes others: all of it or nothing. What is removed with a label goes with that label alone.
   * A license that is added with another label keeps both.
   */
  changePortfolio(name: string, change: { add?: PortfolioLicense[]; remove?: PortfolioLicense[] }): Promise<Answer<PortfolioKept>> {
    return this.#ask(this.#api.PATCH("/v1/abc/portfolios/{name}", { params: { path: { name } }, body: change, parseAs: "text" }));
  }

  /** Says how often licenses are looked up whose status no copy prints. With dryRun nothing is changed, and the answer tells what it would cost. */
  confirmPortfolio(name: string, every: "never" | "daily" | "weekly", dryRun = false): Promise<Answer<PortfolioKept>> {
    const query = { confirm: every, ...(dryRun ? { dry_run: true } : {}) };
    return this.#ask(this.#api.PATCH("/v1/abc/portfolios/{name}", { params: { path: { name }, query }, body: {}, parseAs: "text" }));
  }

  /** Deletes a portfolio. */
  async deletePortfolio(name: string): Promise<void> {
    await this.#ask(this.#api.DELETE("/v1/abc/portfolios/{name}", { params: { path: { name } }, parseAs: "text" }));
  }

  /** The contracts that you keep, by their names. */
  contracts(): Promise<Answer<Contracts>> {
    return this.#ask(this.#api.GET("/v1/ltl/contracts", { parseAs: "text" }));
  }

  /** The contract of a name. */
  contract(name: string): Promise<Answer<KeptContract>> {
    return this.#ask(this.#api.GET("/v1/ltl/contracts/{name}", { params: { path: { name } }, parseAs: "text" }));
  }

  /** Keeps terms under a name, in place of those that were there. */
  putContract(name: string, terms: Term[]): Promise<Answer<KeptContract>> {
    return this.#ask(this.#api.PUT("/v1/ltl/contracts/{name}", { params: { path: { name } }, body: { terms }, parseAs: "text" }));
  }

  /** Deletes a contract. */
  async deleteContract(name: string): Promise<void> {
    await this.#ask(this.#api.DELETE("/v1/ltl/contracts/{name}", { params: { path: { name } }, parseAs: "text" }));
  }

  /** The states and what each register can prove. */
  states(): Promise<Answer<StateListings>> {
    return this.#ask(this.#api.GET("/v1/abc/states", { parseAs: "text" }));
  }

  /** One license. An ApiError that isProofOfAbsence means that it is proven not to exist. */
  license(state: State, licenseNumber: string): Promise<Answer<License>> {
    const params = { path: { license_number: licenseNumber }, query: { state } };
    return this.#askData(this.#api.GET("/v1/abc/license/{license_number}", { params, parseAs: "text" }));
  }

  /** One page of a search. */
  async search(state: State, q: Query): Promise<Answer<Search>> {
    knowAll<Query>(q, { dbaName: 1, ownerName: 1, address: 1, limit: 1, cursor: 1 });
    const query = { state, dba_name: q.dbaName, owner_name: q.ownerName, address: q.address, limit: q.limit, cursor: q.cursor };
    return this.#askData(this.#api.GET("/v1/abc/search", { params: { query }, parseAs: "text" }));
  }

  /** The pages of a search, from the query's cursor on. Each is an answer of its own, and a charge. */
  async *searchPages(state: State, query: Query): AsyncGenerator<Answer<Search>, void, void> {
    for (let cursor = query.cursor; ; ) {
      const page = await this.search(state, { ...query, cursor });
      yield page;
      const next = page.body.next_cursor ?? undefined;
      if (next === undefined) return;
      if (next === cursor) throw new AssayError("the page after this cursor is that page itself");
      cursor = next;
    }
  }

  /** Downloads a document that an answer names. Bytes that do not have the SHA-256 of the answer are an error. */
  async evidence(entry: Evidence): Promise<Document> {
    const params = { path: { sha256: entry.sha256 }, query: { at: entry.at } };
    const { data, response } = await this.#api.GET("/v1/evidence/{sha256}", { params, parseAs: "arrayBuffer" });
    const bytes = new Uint8Array((data as ArrayBuffer | undefined) ?? new ArrayBuffer(0));
    if (sha256(bytes) !== entry.sha256) throw new AssayError(`the document that came is not the one with the SHA-256 ${entry.sha256}`);
    return { ...entry, bytes, name: fileName(response.headers.get("Content-Disposition"), entry.sha256) };
  }

  /** Makes a call whose answer has _verifiability blocks. An answer without its proof is none. */
  async #askData<Body>(call: Reply): Promise<Answer<Body>> {
    const answer = await this.#ask<Body>(call);
    if (answer.blocks.length === 0) throw new ForeignError(this.#sending.base, 200);
    return answer.requireConfidence(this.#confidence);
  }

  async #ask<Body>(call: Reply): Promise<Answer<Body>> {
    const { data, response } = await call;
    const header = (name: string) => response.headers.get(name) ?? "";
    try {
      const body = JSON.parse(String(data)) as Body;
      return new Answer(body, String(data), header("X-Request-ID"), header("Assay-Environment"), response.headers);
    } catch {
      throw new ForeignError(this.#sending.base, response.status);
    }
  }
}

/** Refuses an option of another name: one that is passed over would be taken for one that holds. */
function knowAll<T extends object>(options: T, known: Record<keyof T, 1>): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw new AssayError(`unknown option ${name}: there are ${Object.keys(known).join(", ")}`);
  }
}

function keyOf(given?: string): string {
  const file = process.env.ASSAY_API_KEY_FILE;
  const key = given || process.env.ASSAY_API_KEY || (file ? readFileSync(file, "utf8").trim() : "");
  if (!key) throw new AssayError("ASSAY_API_KEY is not set: `assay keys create` issues a key");
  if (!/^[!-~]+$/.test(key)) throw new AssayError("the API key has a blank or a character that no key has");
  return key;
}

function baseOf(given?: string): string {
  const address = given || process.env.ASSAY_API_URL || "http://127.0.0.1:8080";
  const url = URL.canParse?.(address) === false ? undefined : new URL(address);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new AssayError("want an address of the API such as http://127.0.0.1:8080");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The name that the API gives to a document, without a directory; its hash where there is none. */
function fileName(disposition: string | null, hash: string): string {
  const name = basename(/filename="([^"\\]+)"/.exec(disposition ?? "")?.[1] ?? "");
  return name === "" || name === "." || name === ".." ? hash : name;
}
