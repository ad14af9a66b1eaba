/** What to do about each code. Generated from package contracts. */
export const advice: Readonly<Record<string, string>> = {
  CAPTCHA_SOLVER_NOT_CONFIGURED: "This deployment cannot read that register. Do not retry.",
  COMING_SOON: "This is not available yet.",
  GONE: "It is kept no longer. Do not retry; in place of a cursor take the cursor of the error.",
  INTERNAL: "Retry once; then report the request id.",
  INVALID_REQUEST: "Correct what the message names; unknown parameters are refused, never ignored.",
  METHOD_NOT_ALLOWED: "Use a method that the header Allow names.",
  NOT_ACCEPTABLE: "Let the header Accept allow the form of the body.",
  NOT_FOUND: "What was asked for is not there; reason says what that proves. Do not retry.",
  PRODUCT_NOT_ENABLED: "Ask for a key that has the product.",
  RATE_LIMITED: "Wait as long as Retry-After says, then retry.",
  REQUEST_TOO_LARGE: "Shorten or split the request.",
  SOURCE_UNAVAILABLE: "Retry when Retry-After says so; it says nothing about whether the record exists.",
  UNAUTHORIZED: "Check the API key.",
  UNSUPPORTED_MEDIA_TYPE: "Name the form of the body in the header Content-Type, in UTF-8, without compression.",
  WEEK_NOT_ARCHIVED: "The rate of that day is not known; do not take another week's.",
};

/** What to do about a NOT_FOUND of each reason. */
export const reasons: Readonly<Record<string, string>> = {
  LICENSE_ABSENT: "The license is proven not to exist.",
  TYPE_ABSENT: "The number is proven not to stand for a license of that type; leave the type out to see whether it stands for another.",
  STATE_NOT_SERVED: "That state is not served, so nothing is known of the license; ask the state's own register.",
  CARRIER_NOT_SERVED: "That carrier is not served, so nothing is known of its rates; the listing of carriers has the codes.",
  CARRIER_MISNAMED: "Ask again by the code that the message names, where that carrier is meant.",
  TABLE_UNKNOWN: "No bracket table of that carrier is known; what it charges is among its fuel surcharges.",
  DOCUMENT: "Take sha256 and at from one entry of an answer's evidence, with a key of the same environment.",
  NAME: "Nothing is kept under that name or id; check how it is written.",
  PATH: "The path is wrong, so nothing was asked; check the address of the API.",
};

export const proofs: readonly string[] = ["LICENSE_ABSENT", "TYPE_ABSENT"];
