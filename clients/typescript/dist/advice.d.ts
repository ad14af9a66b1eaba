/** What to do about each code. Generated from package contracts. */
export declare const advice: Readonly<Record<string, string>>;
/** What to do about a NOT_FOUND of each reason. */
export declare const reasons: Readonly<Record<string, string>>;
export declare const proofs: readonly string[];
