package carriers

import (
	"crypto/rand"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

const averittCookie = "JSESSIONID"

// Averitt returns the handler of tools.averitt.com. The home page sets a cookie. All other pages answer 500 without it.
func (s *Sites) Averitt() http.Handler {
	session := rand.Text()
	site := page.Site("Averitt", map[string]http.HandlerFunc{
		"GET /public/resources/fuelSurcharge/index.jsp": s.page("averitt.html", "Averitt", contracts.AVERITT),
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: averittCookie, Value: session, Path: "/", Secure: true,
				HttpOnly: true})
		} else if c, err := r.Cookie(averittCookie); err != nil || c.Value != session {
			http.Error(w, "HTTP Status 500: java.lang.NullPointerException", http.StatusInternalServerError)
			return
		}
		site.ServeHTTP(w, r)
	})
}
