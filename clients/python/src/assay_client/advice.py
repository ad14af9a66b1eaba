"""What to do about each code. Generated from package contracts."""

ADVICE = {
    "CAPTCHA_SOLVER_NOT_CONFIGURED": "This deployment cannot read that register. Do not retry.",
    "COMING_SOON": "This is not available yet.",
    "GONE": "The document is kept no longer. Do not retry.",
    "INTERNAL": "Retry once; then report the request id.",
    "INVALID_REQUEST": "Correct what the message names; unknown parameters are refused, never ignored.",
    "METHOD_NOT_ALLOWED": "Use a method that the header Allow names.",
    "NOT_ACCEPTABLE": "Let the header Accept allow the form of the body.",
    "NOT_FOUND": "A license is proven not to exist; a carrier, state or path is not known. Do not retry.",
    "PRODUCT_NOT_ENABLED": "Ask for a key that has the product.",
    "RATE_LIMITED": "Wait as long as Retry-After says, then retry.",
    "REQUEST_TOO_LARGE": "Shorten or split the request.",
    "SOURCE_UNAVAILABLE": "Retry after Retry-After; it says nothing about whether the record exists.",
    "UNAUTHORIZED": "Check the API key.",
    "UNSUPPORTED_MEDIA_TYPE": "Name the form of the body in the header Content-Type, in UTF-8, without compression.",
    "WEEK_NOT_ARCHIVED": "The rate of that day is not known; do not take another week's.",
}
