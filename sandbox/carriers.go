package sandbox

import (
	"net/http"

	"assay.dev/contracts"
)

// The carriers whose pages hold everything in plain HTML. The others are files of their own.

func saia(w *world) http.Handler {
	return w.site("Saia LTL Freight", map[string]http.HandlerFunc{
		"GET /tools-and-resources/fuel-surcharges": w.page("saia.html", "Saia", contracts.SAIA),
		"GET /tools-and-resources/fuel-surcharge": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "https://www.saia.com/", http.StatusMovedPermanently)
		},
	})
}

func rlc(w *world) http.Handler {
	return w.site("R+L Carriers", map[string]http.HandlerFunc{
		"GET /freight/shipping-fuel-surcharge": w.page("rlc.html", "R+L Carriers", contracts.RLC),
	})
}

func tforce(w *world) http.Handler {
	return w.site("TForce Freight", map[string]http.HandlerFunc{
		"GET /ltl/apps/FuelSurcharge":       w.page("tforce.html", "TForce Freight", contracts.TFORCE),
		"GET /ltl/apps/Resources/fueltable": w.page("tforce.html", "TForce Freight resources", contracts.TFORCE),
	})
}

func xpo(w *world) http.Handler {
	return w.site("XPO", map[string]http.HandlerFunc{
		"GET /fuel-surcharge-table/{$}": w.page("xpo.html", "XPO", contracts.XPO),
	})
}

func xpoLTL(w *world) http.Handler {
	return w.site("XPO LTL", map[string]http.HandlerFunc{
		"GET /fuel-surcharge": w.page("xpo.html", "XPO LTL", contracts.XPO),
	})
}

func sefl(w *world) http.Handler {
	return w.site("Southeastern Freight Lines", map[string]http.HandlerFunc{
		"GET /seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE": w.page("sefl.html", "Southeastern Freight Lines", contracts.SEFL),
	})
}

func fedexFreight(w *world) http.Handler {
	return w.site("FedEx Freight", map[string]http.HandlerFunc{
		"GET /en-us/support-resources/tariffs-rates-information/fuel-surcharges": w.page("fedex.html", "FedEx Freight", contracts.FEDEX),
	})
}

// fedexParcel is the page to stay away from: percents of parcels, and freight in dollars a pound.
func fedexParcel(w *world) http.Handler {
	return w.site("Shipping services", map[string]http.HandlerFunc{
		"GET /en-us/shipping/fuel-surcharge.html": w.page("fedexparcel.html", "Shipping services", contracts.FEDEX),
	})
}

// foreign is where ForeignRedirect leads.
func foreign(w *world) http.Handler {
	return w.site("Surcharges", map[string]http.HandlerFunc{"GET /{path...}": w.page("foreign.html", "Surcharges", contracts.SAIA)})
}
