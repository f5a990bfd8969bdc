package server

import (
	"cmp"
	"net/http"
	"path/filepath"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// projectOf returns the project of a directory.
func (s *Server) projectOf(start string) (*gate.Project, error) {
	if !filepath.IsAbs(start) {
		return nil, badRequest(errRelative, "give the absolute path of a directory in the project as start")
	}
	project, err := s.gate.Load().From(start).Project(input.Call{Cwd: start})
	if err != nil {
		return nil, &httpError{http.StatusUnprocessableEntity, err, ""}
	}
	return project, nil
}

// rules is GET /v1/rules.
func (s *Server) rules(w http.ResponseWriter, r *http.Request) error {
	project, err := s.projectOf(r.URL.Query().Get("start"))
	if err != nil {
		return err
	}
	policy, err := project.Engine(r.URL.Query().Get("agent"))
	if err != nil {
		return &httpError{http.StatusUnprocessableEntity, err, ""}
	}
	return answer(w, policy.Layers())
}

// getStatus is GET /v1/status. Over the socket it has the console's whole address, but
// not for an agent: who has the token can answer.
func (s *Server) getStatus(w http.ResponseWriter, r *http.Request) error {
	status := s.status()
	if _, ok := peerOf(r.Context()); ok && r.URL.Query().Get("console") == "true" {
		if err := s.agents.refuse(r.Context()); err != nil {
			return err
		}
		status.Console = s.ConsoleURL()
	}
	return answer(w, status)
}

// reload is POST /v1/reload.
func (s *Server) reload(w http.ResponseWriter, r *http.Request) error {
	if err := s.refresh(r.Context()); err != nil {
		return &httpError{http.StatusUnprocessableEntity, err, "the last good settings and policies stay in force"}
	}
	return answer(w, s.status())
}

// healthy is GET /healthz.
func (*Server) healthy(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, map[string]string{"status": "ok"})
}

// ready is GET /readyz.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) error {
	problem := s.trouble()
	if problem == "" {
		return answer(w, map[string]string{"status": "ok"})
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	return writeJSON(w, map[string]string{"status": "not ready", "problem": problem, "error": problem})
}
