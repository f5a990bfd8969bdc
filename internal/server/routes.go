package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
)

// handlers returns what answers, by the pattern of its method and path.
func (s *Server) handlers() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"POST /v1/check":               s.check,
		"POST /v1/ask":                 s.ask,
		"GET /v1/ask/{id}":             s.poll,
		"DELETE /v1/ask/{id}":          s.withdraw,
		"GET /v1/pending":              s.listPending,
		"GET /v1/pending/{id}":         s.getPending,
		"GET /v1/pending/{id}/preview": s.preview,
		"POST /v1/pending/{id}/reply":  s.reply,
		"GET /v1/events":               s.events,
		"GET /v1/decisions":            s.listDecisions,
		"GET /v1/approvals":            s.listApprovals,
		"DELETE /v1/approvals":         s.revoke,
		"GET /v1/rules":                s.rules,
		"GET /v1/status":               s.getStatus,
		"POST /v1/reload":              s.reload,
		"GET /healthz":                 s.healthy,
		"GET /readyz":                  s.ready,
		"GET /metrics":                 s.measures,
		"GET /permission":              s.opencodeList,
		"POST /permission/{id}/reply":  s.opencodeReply,
		"GET /event":                   s.opencodeEvents,
		"GET /":                        s.console,
	}
}

// routes returns the handler of everything, without its guards.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, handler func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := handler(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	for pattern, handler := range s.handlers() {
		handle(pattern, handler)
	}
	handle("/", func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Allow", strings.Join(methods(mux, r), ", "))
		return &httpError{http.StatusMethodNotAllowed, fmt.Errorf("%s does not go with %s", r.Method, r.URL.Path), "docs/api.md has what does"}
	})
	return mux
}

// methods returns those that a request's path has.
func methods(mux *http.ServeMux, r *http.Request) []string {
	var found []string
	for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "/" {
			found = append(found, method)
		}
	}
	return found
}

// console serves the page and its files. Whatever else is nowhere is an error like
// all others.
func (s *Server) console(w http.ResponseWriter, r *http.Request) error {
	if s.config.Console == nil || !open(r) {
		return &httpError{http.StatusNotFound, fmt.Errorf("there is nothing to get at %s", r.URL.Path), "docs/api.md has what there is, and by which methods"}
	}
	s.config.Console.ServeHTTP(w, r)
	return nil
}

// An httpError is an error with a status of its own.
type httpError struct {
	status int
	err    error
	hint   string
}

func (e *httpError) Error() string { return e.err.Error() }
func (e *httpError) Unwrap() error { return e.err }

func badRequest(err error, hint string) error { return &httpError{http.StatusBadRequest, err, hint} }

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, hint := http.StatusInternalServerError, ""
	var known *httpError
	var invalid *ask.InvalidError
	var answered *ask.AnsweredError
	switch {
	case errors.As(err, &known):
		status, hint = known.status, known.hint
	case errors.As(err, &invalid):
		status = http.StatusUnprocessableEntity
	case errors.As(err, &answered):
		status = http.StatusConflict
	case errors.Is(err, ask.ErrNotPending):
		status, hint = http.StatusNotFound, "permctl pending lists what is"
	case errors.Is(err, ask.ErrFull):
		status, hint = http.StatusTooManyRequests, "answer some of those that wait, or let them run out"
	case errors.Is(err, ask.ErrClosed):
		status = http.StatusServiceUnavailable
	}
	if status >= http.StatusInternalServerError {
		s.log.LogAttrs(r.Context(), levelOf(status), "a request failed", attrPath(r), attrErr(err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = writeJSON(w, api.Error{Error: err.Error(), Hint: hint}) // nobody is there to be told
}

// answer writes v as JSON.
func answer(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	_ = writeJSON(w, v) // nobody is there to be told
	return nil
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// maxBody is the size in bytes of the largest body that is no call.
const maxBody = 1 << 20

// hurried gives a request some time to arrive whole, also if nobody reads it.
func hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTime)) // where there is none, it is a test's
		next.ServeHTTP(w, r)
	})
}

// patient lets a request wait that has arrived.
func patient(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
}

// read reads the body of a request, of at most limit bytes, into v.
func read(w http.ResponseWriter, r *http.Request, limit int64, v any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &httpError{http.StatusUnsupportedMediaType, errors.New("the body is not application/json"), "set the header Content-Type: application/json"}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	patient(w)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &httpError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d KiB", limit>>10), ""}
	case err != nil:
		return badRequest(err, "")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return badRequest(fmt.Errorf("the body: %w", err), "docs/api.md has what the body must be")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return badRequest(errors.New("the body goes on behind its object"), "")
	}
	return nil
}
