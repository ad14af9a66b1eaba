/** What to do about each code. Generated from package contracts. */
export declare const advice: Readonly<Record<string, string>>;
