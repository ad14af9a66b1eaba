import { Answer } from "./answer.js";
import type { components, operations, paths } from "./schema.js";
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
/** Asks the API. */
export declare class Client {
    #private;
    constructor(options?: Options);
    /** The carriers and how each is read. */
    carriers(): Promise<Answer<CarrierListings>>;
    /** Weeks of one carrier. */
    fuelSurcharge(carrier: Carrier, weeks?: Weeks): Promise<Answer<Surcharge>>;
    /** Weeks of several carriers, or of all ten when none is named. The body's errors name those that could not be read. */
    fuelSurcharges(carriers?: Carrier[], weeks?: Weeks): Promise<Answer<Surcharges>>;
    /** The bracket table of a carrier that applied on a day, by default today. */
    fuelTable(carrier: Carrier, asOf?: string): Promise<Answer<FuelTable>>;
    /** The national diesel prices of the Mondays from one day to another. */
    diesel(from: string, to: string): Promise<Answer<Diesel>>;
    /** What changed since a cursor. Without one there are no changes, and the body's cursor is where to begin. */
    changes(since?: string, options?: ChangesOptions): Promise<Answer<Changes>>;
    /** Holds invoice lines against what carriers published for their ship dates. The results are in the lines' order. */
    audit(lines: AuditLine[], options?: AuditOptions): Promise<Answer<Audit>>;
    /** Tells what the audit would cost. It is free. */
    quoteAudit(lines: AuditLine[], options?: AuditOptions): Promise<Answer<AuditQuote>>;
    /** The audits that you keep, the newest first. */
    audits(): Promise<Answer<Audits>>;
    /** The audit with an id, as it was answered. It is free. */
    keptAudit(id: string): Promise<Answer<Audit>>;
    /** Deletes an audit. */
    deleteAudit(id: string): Promise<void>;
    /**
     * A ZIP for a carrier, of a kept audit: the letter, the lines that may be contested, and the documents. It is free.
     */
    packet(id: string, carrier: Carrier, sender: Sender): Promise<Uint8Array>;
    /**
     * The licenses of customers, in their order. MATCHED has the license; REVIEW has candidates, between which a person decides. The same
     * customers are charged once within 24 hours.
     */
    match(customers: CustomerLine[]): Promise<Answer<CustomerMatches>>;
    /** Whether to deliver to the holder of a license, by a lookup and the delinquent lists. It fails as a lookup does. */
    delivery(query: DeliveryQuery): Promise<Answer<CheckedDelivery>>;
    /** Whether to deliver, line by line in their order, by our copies of the registers. The same list is charged once within 24 hours. */
    deliveries(lines: DeliveryLine[]): Promise<Answer<Deliveries>>;
    /**
     * Gives a proof an address that anybody opens, without a key: of an answer, of a line of a kept audit, or of a lookup that found no such
     * license. What the documents do not say is refused. It is free.
     */
    share(what: ShareRequest): Promise<Answer<Shared>>;
    /** The proofs that you share, the newest first. */
    shares(): Promise<Answer<Shares>>;
    /** Ends a proof, by its token or id. */
    revokeShare(tokenOrId: string): Promise<void>;
    /** Your webhooks, the oldest first. */
    webhooks(): Promise<Answer<Webhooks>>;
    /** The webhook of an id. */
    webhook(id: string): Promise<Answer<Webhook>>;
    /** Has each change sent to a URL from now on: of some types or all, of a portfolio's licenses or all. The body has the secret, once. */
    createWebhook(target: WebhookTarget): Promise<Answer<Webhook>>;
    /** Tests a webhook, pauses or resumes it, rotates its secret, or sends the event of an id again (replay). */
    actOnWebhook(id: string, order: WebhookOrder): Promise<Answer<Webhook>>;
    /** Deletes a webhook. */
    deleteWebhook(id: string): Promise<void>;
    /** What became of the deliveries of the last 7 days, the newest first. */
    webhookDeliveries(id: string, limit?: number): Promise<Answer<WebhookDeliveries>>;
    /** The portfolios that you keep, by their names. */
    portfolios(): Promise<Answer<Portfolios>>;
    /** The licenses of a portfolio with today's verdicts. */
    portfolio(name: string): Promise<Answer<Portfolio>>;
    /** Whom of a portfolio not to deliver to today or on another day, with the reasons. No source is read, and it is free. */
    stops(name: string, query?: Pick<DeliveryQuery, "beverage" | "on">): Promise<Answer<Stops>>;
    /** Keeps licenses under a name, in place of those that were there. What cannot be read is told in errors. */
    putPortfolio(name: string, licenses: PortfolioLicense[]): Promise<Answer<PortfolioKept>>;
    /**
     * Adds licenses to a portfolio and removes others: all of it or nothing. What is removed with a label goes with that label alone.
     * A license that is added with another label keeps both.
     */
    changePortfolio(name: string, change: {
        add?: PortfolioLicense[];
        remove?: PortfolioLicense[];
    }): Promise<Answer<PortfolioKept>>;
    /** Says how often licenses are looked up whose status no copy prints. With dryRun nothing is changed, and the answer tells what it would cost. */
    confirmPortfolio(name: string, every: "never" | "daily" | "weekly", dryRun?: boolean): Promise<Answer<PortfolioKept>>;
    /** Deletes a portfolio. */
    deletePortfolio(name: string): Promise<void>;
    /** The contracts that you keep, by their names. */
    contracts(): Promise<Answer<Contracts>>;
    /** The contract of a name. */
    contract(name: string): Promise<Answer<KeptContract>>;
    /** Keeps terms under a name, in place of those that were there. */
    putContract(name: string, terms: Term[]): Promise<Answer<KeptContract>>;
    /** Deletes a contract. */
    deleteContract(name: string): Promise<void>;
    /** The states and what each register can prove. */
    states(): Promise<Answer<StateListings>>;
    /** One license. An ApiError that isProofOfAbsence means that it is proven not to exist. */
    license(state: State, licenseNumber: string): Promise<Answer<License>>;
    /** One page of a search. */
    search(state: State, q: Query): Promise<Answer<Search>>;
    /** The pages of a search, from the query's cursor on. Each is an answer of its own, and a charge. */
    searchPages(state: State, query: Query): AsyncGenerator<Answer<Search>, void, void>;
    /** Downloads a document that an answer names. Bytes that do not have the SHA-256 of the answer are an error. */
    evidence(entry: Evidence): Promise<Document>;
}
