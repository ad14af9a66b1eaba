package sandbox

import (
	"crypto/rand"
	"net/http"

	"assay.dev/contracts"
)

const averittCookie = "JSESSIONID"

// averitt answers 500 to everything but its home page for who does not bring the home page's cookie.
func averitt(w *world) http.Handler {
	session := rand.Text()
	site := w.site("Averitt", map[string]http.HandlerFunc{
		"GET /public/resources/fuelSurcharge/index.jsp": w.page("averitt.html", "Averitt", contracts.AVERITT),
	})
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.SetCookie(rw, &http.Cookie{Name: averittCookie, Value: session, Path: "/", Secure: true, HttpOnly: true})
		} else if c, err := r.Cookie(averittCookie); err != nil || c.Value != session {
			http.Error(rw, "HTTP Status 500: java.lang.NullPointerException", http.StatusInternalServerError)
			return
		}
		site.ServeHTTP(rw, r)
	})
}
