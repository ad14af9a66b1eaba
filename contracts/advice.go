package contracts

// Advice says what a client does after an error of this code, in one sentence for people. It is empty for a code that
// clients never see. The clients in clients/ have these words from here.
func (c Code) Advice() string { return advice[c] }

var advice = map[Code]string{
	InvalidRequest:             "Correct what the message names; unknown parameters are refused, never ignored.",
	Unauthorized:               "Check the API key.",
	ProductNotEnabled:          "Ask for a key that has the product.",
	NotFound:                   "What was asked for is not there; reason says what that proves. Do not retry.",
	ComingSoon:                 "This is not available yet.",
	WeekNotArchived:            "The rate of that day is not known; do not take another week's.",
	MethodNotAllowed:           "Use a method that the header Allow names.",
	NotAcceptable:              "Let the header Accept allow the form of the body.",
	Gone:                       "It is kept no longer. Do not retry; in place of a cursor take the cursor of the error.",
	RequestTooLarge:            "Shorten or split the request.",
	UnsupportedMediaType:       "Name the form of the body in the header Content-Type, in UTF-8, without compression.",
	RateLimited:                "Wait as long as Retry-After says, then retry.",
	SourceUnavailable:          "Retry when Retry-After says so; it says nothing about whether the record exists.",
	CaptchaSolverNotConfigured: "This deployment cannot read that register. Do not retry.",
	Internal:                   "Retry once; then report the request id.",
}
