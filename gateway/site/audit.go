package site

import (
	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/ratelimit"
)

// auditContent is what the page of audits shows before a file is chosen.
type auditContent struct {
	Allowed, IsLive bool
	LinePrice       contracts.Price
	// Optional are the columns that a file may have beside those that it must have.
	Optional               []string
	MaxLines, MaxMegabytes int
	Standing               ratelimit.Decision
}

func (s *Site) audit(r *Request) (string, frame) {
	c := auditContent{
		Allowed: r.Caller.Allows(contracts.LTL), IsLive: r.Caller.Environment == contracts.Live, LinePrice: s.API.Auditing.LinePrice,
		MaxLines: audit.MaxLines, MaxMegabytes: audit.MaxBytes >> 20, Standing: s.standing(r),
	}
	for _, m := range audit.Members {
		if !m.Required {
			c.Optional = append(c.Optional, m.Name)
		}
	}
	return "audit", frame{Title: "Audit", Path: auditPath, Scripts: []string{"own/audit.js"}, Content: c}
}
