import { ConfidenceError, MemberError, type Doubt } from "./errors.js";
import type { components } from "./schema.js";

/** The block of an answer that says where it came from and how sure it is. */
export type Verifiability = components["schemas"]["Verifiability" | "SurchargeVerifiability"];

/** The part of an answer that one _verifiability block speaks of. */
interface Statement {
  claims: Verifiability;
  records: unknown[];
}

/** What the API answered to a call. */
export class Answer<Body> {
  /** The _verifiability blocks: one, or one for each carrier of an answer for several. A listing has none. */
  readonly blocks: readonly Verifiability[];
  readonly #statements: Statement[];

  constructor(
    readonly body: Body,
    /** The body as it came. Keep it beside the documents of the answer: `assay evidence verify` reads it. */
    readonly raw: string,
    readonly requestId: string,
    /** live or test. */
    readonly environment: string,
    /** The reply's, such as Age, and Cache-Status: its detail refresh-failed says that no fresh reading was had. */
    readonly headers: Headers,
  ) {
    this.#statements = statementsOf(body);
    this.blocks = this.#statements.map((s) => s.claims);
  }

  /** Throws a ConfidenceError where a block's confidence is lower. */
  requireConfidence(least: number): this {
    for (const v of this.blocks) {
      if (!(v.extraction_confidence >= least)) {
        throw new ConfidenceError(v.extraction_confidence, least, v.notes, this.requestId, this.raw);
      }
    }
    return this;
  }

  /**
   * Throws a MemberError where one of the members is not reported or only inferred, and where records have no such member.
   * Nested members are dotted, such as address.county; address asks for all of its members. current holds
   * where it is true: the newest week is the one that is due.
   */
  require(...members: string[]): this {
    for (const member of members) {
      if (this.#statements.length === 0) throw new MemberError(member, "unknown", []);
      for (const s of this.#statements) {
        const why = doubt(s, member);
        if (why) throw new MemberError(member, why, s.claims.notes);
      }
    }
    return this;
  }
}

function statementsOf(body: unknown): Statement[] {
  if (!isObject(body)) return [];
  const lists = [body.weeks, body.rows, body.results].filter(Array.isArray).flat();
  if (isObject(body._verifiability)) {
    const records = body.record === undefined ? lists : [...lists, body.record];
    return [{ claims: body._verifiability as Verifiability, records }];
  }
  return Array.isArray(body.results) ? body.results.flatMap(statementsOf) : [];
}

function doubt({ claims, records }: Statement, member: string): Doubt | undefined {
  const names = (named: string) => named === member || named.startsWith(`${member}.`) || member.startsWith(`${named}.`);
  if (member === "current") return (claims as { current?: boolean | null }).current === true ? undefined : "not true";
  if (claims.not_reported.some(names)) return "not reported";
  if (claims.inferred.some(names)) return "inferred";
  return records.every((r) => has(r, member)) ? undefined : "unknown";
}

/** Tells whether a record has a member, whatever its value. */
function has(record: unknown, member: string): boolean {
  let value = record;
  for (const name of member.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
