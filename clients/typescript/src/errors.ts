import { proofs } from "./advice.js";
import type { components } from "./schema.js";

type Note = components["schemas"]["Note"];
type Verifiability = components["schemas"]["Verifiability"];
type Violation = components["schemas"]["Violation"];

/** What every error of this client is. */
export class AssayError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** A failure that the API answered with. */
export class ApiError extends AssayError {
  readonly #raw: string;

  constructor(
    /** Such as NOT_FOUND. It may be one of a later version of the API; the status says what kind of failure it is. */
    readonly code: string,
    /** What went wrong, in the API's words. */
    readonly detail: string,
    /** What to do about it. */
    readonly advice: string,
    /** What the operator finds the request by. */
    readonly requestId: string,
    readonly status: number,
    /** Seconds after which a retry makes sense; null where the API named none. */
    readonly retryAfter: number | null,
    /** What is wrong with a request that is INVALID_REQUEST. */
    readonly violations: readonly Violation[] = [],
    /** What a NOT_FOUND did not find, such as STATE_NOT_SERVED; empty for other codes. */
    readonly reason: string = "",
    /** What a proof of absence was read from; null where nothing is proven. */
    readonly proof: Verifiability | null = null,
    raw: string = "",
    /** Where to begin anew after a GONE of changes; empty for other failures. */
    readonly cursor: string = "",
  ) {
    super(`${code}: ${detail}${requestId && ` (request ${requestId})`}`);
    this.#raw = raw; // private: an error that nobody catches is printed with its members
  }

  /** The body as it came. Keep it where it is a proof: `assay evidence verify` reads it. */
  get raw(): string {
    return this.#raw;
  }

  /** Whether the license is proven not to exist. No other 404 proves anything. */
  get isProofOfAbsence(): boolean {
    return proofs.includes(this.reason);
  }
}

/** An answer that is less sure than was required. */
export class ConfidenceError extends AssayError {
  readonly #raw: string;

  constructor(
    readonly confidence: number,
    readonly required: number,
    /** Why. */
    readonly notes: readonly Note[],
    readonly requestId: string,
    raw: string,
  ) {
    super(`the confidence is ${confidence}, below ${required}${notes.map((n) => `; ${n.code}: ${n.message}`).join("")}`);
    this.#raw = raw; // private as that of an ApiError
  }

  /** The answer as it came, for a person to judge. */
  get raw(): string {
    return this.#raw;
  }
}

/**
 * Why a member does not hold. "not reported": the source cannot show it, so that it is empty means nothing. "inferred": it is
 * computed, no source printed it. "unknown": records have no member of this name. "not true": of current.
 */
export type Doubt = "not reported" | "inferred" | "unknown" | "not true";

/** A member of an answer that does not hold. */
export class MemberError extends AssayError {
  constructor(
    readonly member: string,
    readonly why: Doubt,
    readonly notes: readonly Note[],
  ) {
    super(`member "${member}" is ${why}`);
  }
}

/** A request without a reply. */
export class UnreachableError extends AssayError {
  constructor(readonly url: string, cause: unknown) {
    super(`the API at ${url} cannot be reached; check that it runs, with curl ${url}/openapi.json, and that the address (ASSAY_API_URL) is right`, { cause });
  }
}

/** A reply that is none of the API's: something else answers at the address. */
export class ForeignError extends AssayError {
  constructor(
    readonly url: string,
    readonly status: number,
  ) {
    super(`there is no Assay API at ${url}: its answer, status ${status}, is none of the API's`);
  }
}
