package sandbox

import "net/http"

// sites is the literal table of the hosts played. A site is a function here or in a file of its own, and a line.
func sites(w *world) map[string]http.Handler {
	return map[string]http.Handler{
		"www.odfl.com":          odfl(w),
		"api.odfl.com":          odflAPI(w),
		"www.saia.com":          saia(w),
		"www.estes-express.com": estes(w),
		"arcb.com":              abf(w),
		"www2.rlcarriers.com":   rlc(w),
		"www.tforcefreight.com": tforce(w),
		"www.xpo.com":           xpo(w),
		"ltl.xpo.com":           xpoLTL(w),
		"www.sefl.com":          sefl(w),
		"tools.averitt.com":     averitt(w),
		"www.fedexfreight.com":  fedexFreight(w),
		"www.fedex.com":         fedexParcel(w),
		"www.eia.gov":           eiaFeed(w),
		"api.eia.gov":           eiaAPI(w),
		"fred.stlouisfed.org":   fred(w),
		ForeignHost:             foreign(w),
	}
}
