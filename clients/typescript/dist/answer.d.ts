import type { components } from "./schema.js";
/** The block of an answer that says where it came from and how sure it is. */
export type Verifiability = components["schemas"]["Verifiability" | "SurchargeVerifiability"];
/** What the API answered to a call. */
export declare class Answer<Body> {
    #private;
    readonly body: Body;
    /** The body as it came. Keep it beside the documents of the answer: `assay evidence verify` reads it. */
    readonly raw: string;
    readonly requestId: string;
    /** live or test. */
    readonly environment: string;
    /** The reply's, such as Age, and Cache-Status: its detail refresh-failed says that no fresh reading was had. */
    readonly headers: Headers;
    /** The _verifiability blocks: one, or one for each carrier of an answer for several. A listing has none. */
    readonly blocks: readonly Verifiability[];
    constructor(body: Body, 
    /** The body as it came. Keep it beside the documents of the answer: `assay evidence verify` reads it. */
    raw: string, requestId: string, 
    /** live or test. */
    environment: string, 
    /** The reply's, such as Age, and Cache-Status: its detail refresh-failed says that no fresh reading was had. */
    headers: Headers);
    /** Throws a ConfidenceError where a block's confidence is lower. */
    requireConfidence(least: number): this;
    /**
     * Throws a MemberError where one of the members is not reported or only inferred, and where records have no such member.
     * Nested members are dotted, such as address.county; address asks for all of its members. current holds
     * where it is true: the newest week is the one that is due.
     */
    require(...members: string[]): this;
}
export declare function isObject(value: unknown): value is Record<string, unknown>;
