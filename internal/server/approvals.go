package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/permission"
)

// maxSessionRules is how many approvals there may be for sessions, in all.
const maxSessionRules = 10_000

// sessions are the approvals that end with the daemon.
type sessions struct {
	mu  sync.Mutex
	of  map[sessionKey][]sessionRule // guarded by mu
	all int                          // guarded by mu
}

// A sessionKey is a session of an agent in a workspace: another agent that gives
// itself the same name elsewhere has nothing of its approvals.
type sessionKey struct{ session, root string }

type sessionRule struct {
	rule  permission.Rule
	until time.Time
}

func newSessions() *sessions { return &sessions{of: map[sessionKey][]sessionRule{}} }

// rules returns the approvals of a session that still hold.
func (s *sessions) rules(key sessionKey) []permission.Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rules []permission.Rule
	for _, r := range s.of[key] {
		if r.until.IsZero() || time.Now().Before(r.until) {
			rules = append(rules, r.rule)
		}
	}
	return rules
}

func (s *sessions) add(key sessionKey, rules []permission.Rule, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all+len(rules) > maxSessionRules {
		return &httpError{http.StatusTooManyRequests, errors.New("there are too many approvals for sessions"), "choose the project, or restart the daemon"}
	}
	for _, r := range rules {
		r.Layer, r.Source = permission.LayerApprovals, "session "+key.session
		s.of[key] = append(s.of[key], sessionRule{r, until})
		s.all++
	}
	return nil
}

// revoke removes an approval, and reports whether there was one.
func (s *sessions) revoke(key sessionKey, name, pattern string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.of[key])
	s.of[key] = slices.DeleteFunc(s.of[key], func(r sessionRule) bool { return r.rule.Permission == name && r.rule.Pattern == pattern })
	removed := before - len(s.of[key])
	s.all -= removed
	if len(s.of[key]) == 0 {
		delete(s.of, key)
	}
	return removed > 0
}

// save keeps the approvals of a reply, for the project that the person was shown,
// whatever its folder belongs to by now.
func (s *Server) save(ctx context.Context, r *ask.Request, rules []permission.Rule, scope ask.Scope, until time.Time) error {
	q, ok := r.Payload.(*question)
	if !ok || q.judgement.Project == nil {
		return errors.New("the request has no project")
	}
	if scope == ask.Session {
		if r.Session == "" {
			return &httpError{http.StatusUnprocessableEntity, errors.New("the agent does not say which session the call is of"), "choose the project, or once"}
		}
		return s.session.add(sessionKey{r.Session, r.Group}, rules, until)
	}
	if err := q.judgement.Project.Approve(ctx, rules, scope == ask.Global, until); err != nil {
		return err
	}
	s.approvalsChanged(ctx)
	return nil
}

// listApprovals is GET /v1/approvals.
func (s *Server) listApprovals(w http.ResponseWriter, r *http.Request) error {
	list := []api.Approval{}
	s.session.mu.Lock()
	for key, rules := range s.session.of {
		for _, rule := range rules {
			list = append(list, api.Approval{
				Permission: rule.rule.Permission, Pattern: rule.rule.Pattern, Scope: api.Session, Session: key.session, Expires: rule.until, Source: key.root,
			})
		}
	}
	s.session.mu.Unlock()
	slices.SortStableFunc(list, func(a, b api.Approval) int { return compare(a.Session, b.Session) })
	if start := r.URL.Query().Get("start"); start != "" {
		project, err := s.projectOf(start)
		if err != nil {
			return err
		}
		for _, a := range project.Approved() {
			scope := api.Project
			if a.Global {
				scope = api.Global
			}
			list = append(list, api.Approval{Permission: a.Permission, Pattern: a.Pattern, Scope: scope, Expires: a.Until, Source: a.Source})
		}
	}
	return answer(w, list)
}

// revoke is DELETE /v1/approvals.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) error {
	var body api.Revocation
	if err := read(w, r, maxBody, &body); err != nil {
		return err
	}
	found := false
	switch body.Scope {
	case api.Session:
		project, err := s.projectOf(body.Start)
		if err != nil {
			return err
		}
		found = s.session.revoke(sessionKey{body.Session, project.Root()}, body.Permission, body.Pattern)
	case api.Project, api.Global:
		project, err := s.projectOf(body.Start)
		if err != nil {
			return err
		}
		if found, err = project.Revoke(r.Context(), body.Permission, body.Pattern, body.Scope == api.Global); err != nil {
			return err
		}
		s.approvalsChanged(r.Context())
	default:
		return badRequest(fmt.Errorf("the scope %q is none", body.Scope), "use session, project or global")
	}
	if !found {
		return &httpError{http.StatusNotFound, fmt.Errorf("%s %q is not approved there", body.Permission, body.Pattern), "GET /v1/approvals lists what is"}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
