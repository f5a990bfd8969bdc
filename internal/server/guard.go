package server

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// newToken returns a secret that nobody can guess.
func newToken() string { return rand.Text() + rand.Text() }

// onSocket returns the handler for the Unix socket: only processes of the
// daemon's own user, and no web page, get through.
func (s *Server) onSocket() http.Handler {
	routes := s.routes()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p, ok := peerOf(r.Context()); {
		case ok && !p.own():
			s.fail(w, r, &httpError{http.StatusForbidden, errors.New("the daemon is another user's"), "start your own with permctl serve"})
		case r.Header.Get("Origin") != "":
			s.fail(w, r, &httpError{http.StatusForbidden, errors.New("no web page may use the socket"), ""})
		default:
			routes.ServeHTTP(w, r)
		}
	})
}

// onPort returns the handler for a loopback port at an address: who has the token
// gets through, under the address's own names and from no other origin.
func (s *Server) onPort(address string) http.Handler {
	routes := s.routes()
	_, port, err := net.SplitHostPort(address)
	hosts := map[string]bool{}
	if err == nil {
		for _, name := range []string{"127.0.0.1", "[::1]", "localhost"} {
			hosts[name+":"+port] = true
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !hosts[strings.ToLower(r.Host)]:
			s.fail(w, r, &httpError{http.StatusForbidden, errors.New("the host " + r.Host + " is not the daemon's"), "use the address that permctl serve has printed"})
		case !ownOrigin(r, hosts):
			s.fail(w, r, &httpError{http.StatusForbidden, errors.New("pages of other origins may not use the daemon"), ""})
		case !open(r) && !s.knows(r.Header.Get("Authorization")):
			w.Header().Set("WWW-Authenticate", "Bearer")
			s.fail(w, r, &httpError{http.StatusUnauthorized, errors.New("the token is missing or wrong"), "permctl status --console shows the address with the token"})
		default:
			routes.ServeHTTP(w, r)
		}
	})
}

// ownOrigin reports whether a request comes from no page, or from one of the
// daemon's own.
func ownOrigin(r *http.Request, hosts map[string]bool) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && hosts[strings.ToLower(u.Host)]
}

// open reports whether a request is for what everybody may read: the page, which
// says nothing without the token, and whether the daemon runs.
func open(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	path := r.URL.Path
	return path == "/" || path == "/healthz" || path == "/favicon.ico" || strings.HasPrefix(path, "/console/")
}

// knows reports whether a header has the token, in a time that does not tell how
// much of it is right.
func (s *Server) knows(header string) bool {
	token, ok := strings.CutPrefix(header, "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}
