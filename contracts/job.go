package contracts

import "time"

// SolveJob asks for the text in a CAPTCHA image.
type SolveJob struct {
	// Image is the picture as the site sent it, at most 100 kB. Only a report of a bad solve has none.
	Image []byte `json:"image"`
	// CaseSensitive and the bounds of the length help the solver; 0 means unknown.
	CaseSensitive bool `json:"case_sensitive,omitempty"`
	MinLength     int  `json:"min_length,omitempty"`
	MaxLength     int  `json:"max_length,omitempty"`
	// Bad names an earlier solve that the site refused: it is reported to the solver, and nothing is solved.
	Bad *SolveRef `json:"bad,omitempty"`
}

// SolveRef identifies a solve at the provider.
type SolveRef struct {
	Provider string `json:"provider"`
	TaskID   string `json:"task_id"`
}

// SolveResult is the text, and which solve it came from.
type SolveResult struct {
	Text string `json:"text"`
	// Unsolvable: the service gave this image up, at no cost; another may be read.
	Unsolvable bool `json:"unsolvable,omitempty"`
	SolveRef
}

// SolverRequest asks a captcha-worker, on [SolverSubject], which service solves CAPTCHAs in this deployment. It is no
// job: it is answered at once and costs nothing. The failure CAPTCHA_SOLVER_NOT_CONFIGURED says that there is none.
type SolverRequest struct{}

// SolverAnswer names the service that solves CAPTCHAs, as [SolveRef] does: "2captcha".
type SolverAnswer struct {
	Provider string `json:"provider"`
}

// RenderJob asks for the HTML that a browser shows at a URL.
type RenderJob struct {
	URL string `json:"url"`
	// WaitFor is a CSS selector that must be on the page before it is taken.
	WaitFor string `json:"wait_for,omitempty"`
	// MaxCost bounds the credits spent on this render.
	MaxCost int `json:"max_cost,omitempty"`
}

// RenderResult is the page.
type RenderResult struct {
	HTML     []byte `json:"html"`
	FinalURL string `json:"final_url"`
	// ReadAt is when the service rendered it. Workers of before do not say.
	ReadAt time.Time `json:"read_at,omitzero"`
	// Credits is what the service charged.
	Credits int `json:"credits"`
}
