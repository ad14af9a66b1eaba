import type { components } from "./schema.js";
type Note = components["schemas"]["Note"];
type Verifiability = components["schemas"]["Verifiability"];
type Violation = components["schemas"]["Violation"];
/** What every error of this client is. */
export declare class AssayError extends Error {
    get name(): string;
}
/** A failure that the API answered with. */
export declare class ApiError extends AssayError {
    #private;
    /** Such as NOT_FOUND. It may be one of a later version of the API; the status says what kind of failure it is. */
    readonly code: string;
    /** What went wrong, in the API's words. */
    readonly detail: string;
    /** What to do about it. */
    readonly advice: string;
    /** What the operator finds the request by. */
    readonly requestId: string;
    readonly status: number;
    /** Seconds after which a retry makes sense; null where the API named none. */
    readonly retryAfter: number | null;
    /** What is wrong with a request that is INVALID_REQUEST. */
    readonly violations: readonly Violation[];
    /** What a NOT_FOUND did not find, such as STATE_NOT_SERVED; empty for other codes. */
    readonly reason: string;
    /** What a proof of absence was read from; null where nothing is proven. */
    readonly proof: Verifiability | null;
    /** Where to begin anew after a GONE of changes; empty for other failures. */
    readonly cursor: string;
    constructor(
    /** Such as NOT_FOUND. It may be one of a later version of the API; the status says what kind of failure it is. */
    code: string, 
    /** What went wrong, in the API's words. */
    detail: string, 
    /** What to do about it. */
    advice: string, 
    /** What the operator finds the request by. */
    requestId: string, status: number, 
    /** Seconds after which a retry makes sense; null where the API named none. */
    retryAfter: number | null, 
    /** What is wrong with a request that is INVALID_REQUEST. */
    violations?: readonly Violation[], 
    /** What a NOT_FOUND did not find, such as STATE_NOT_SERVED; empty for other codes. */
    reason?: string, 
    /** What a proof of absence was read from; null where nothing is proven. */
    proof?: Verifiability | null, raw?: string, 
    /** Where to begin anew after a GONE of changes; empty for other failures. */
    cursor?: string);
    /** The body as it came. Keep it where it is a proof: `assay evidence verify` reads it. */
    get raw(): string;
    /** Whether the license is proven not to exist. No other 404 proves anything. */
    get isProofOfAbsence(): boolean;
}
/** An answer that is less sure than was required. */
export declare class ConfidenceError extends AssayError {
    #private;
    readonly confidence: number;
    readonly required: number;
    /** Why. */
    readonly notes: readonly Note[];
    readonly requestId: string;
    constructor(confidence: number, required: number, 
    /** Why. */
    notes: readonly Note[], requestId: string, raw: string);
    /** The answer as it came, for a person to judge. */
    get raw(): string;
}
/**
 * Why a member does not hold. "not reported": the source cannot show it, so that it is empty means nothing. "inferred": it is
 * computed, no source printed it. "unknown": records have no member of this name. "not true": of current.
 */
export type Doubt = "not reported" | "inferred" | "unknown" | "not true";
/** A member of an answer that does not hold. */
export declare class MemberError extends AssayError {
    readonly member: string;
    readonly why: Doubt;
    readonly notes: readonly Note[];
    constructor(member: string, why: Doubt, notes: readonly Note[]);
}
/** A request without a reply. */
export declare class UnreachableError extends AssayError {
    readonly url: string;
    constructor(url: string, cause: unknown);
}
/** A reply that is none of the API's: something else answers at the address. */
export declare class ForeignError extends AssayError {
    readonly url: string;
    readonly status: number;
    constructor(url: string, status: number);
}
export {};
