package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/permission"
)

// keptRecords is how many decisions are remembered.
const keptRecords = 2000

// records are the latest decisions.
type records struct {
	mu   sync.Mutex
	list []record // oldest first; guarded by mu
	last int64    // the id of the latest; guarded by mu
}

// A record is a decision, and what it was about.
type record struct {
	api.Record
	judged  permission.Action // by rules and policies, before anybody was asked
	targets []recorded
}

// A recorded is a target of a recorded decision.
type recorded struct {
	permission string
	forms      []string
	action     permission.Action
}

func newRecords() *records { return &records{} }

// add keeps a record, and returns it with its id.
func (rs *records) add(r record) api.Record {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.last++
	r.ID = rs.last
	rs.list = append(rs.list, r)
	if len(rs.list) > 2*keptRecords {
		rs.list = slices.Clone(rs.list[len(rs.list)-keptRecords:])
	}
	return r.Record
}

// latest returns the records, newest first, as far as they are kept.
func (rs *records) latest() []record {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	list := slices.Clone(rs.list[max(0, len(rs.list)-keptRecords):])
	slices.Reverse(list)
	return list
}

// covered returns the recorded calls that an approval would have let pass, and
// those that were denied although it matches what they touch.
func (rs *records) covered(rule permission.Rule) (past, denied []api.Record) {
	const most = 20 // of each
	past, denied = []api.Record{}, []api.Record{}
	for _, r := range rs.latest() {
		all, some := true, false
		for _, t := range r.targets {
			matches := t.permission == rule.Permission && slices.ContainsFunc(t.forms, func(form string) bool { return permission.Match(form, rule.Pattern) })
			some = some || matches
			all = all && (matches || t.action == permission.Allow)
		}
		switch {
		case !some:
		case r.judged == permission.Deny && len(denied) < most:
			denied = append(denied, r.Record)
		case r.judged != permission.Deny && all && len(past) < most:
			past = append(past, r.Record)
		}
	}
	return past, denied
}

// record remembers a decision, and tells of it.
func (s *Server) record(ctx context.Context, q *question, d permission.Decision, reply *api.Given) {
	r := record{judged: permission.Strictest(q.judgement.Action), Record: api.Record{
		Time: time.Now().UTC(), Session: q.call.Session, Agent: q.call.Agent, Workspace: root(q), Tool: q.call.Tool, Title: clip(title(q)),
		Action: permission.Strictest(d.Action), Reason: clip(d.Reason), Reply: reply, Revision: d.Revision,
	}}
	for _, request := range q.judgement.Requests {
		for _, t := range request.Targets {
			r.targets = append(r.targets, recorded{request.Permission, short(t.Forms), t.Action})
		}
	}
	const mostTargets = 50 // of a call that is remembered
	r.targets = r.targets[:min(len(r.targets), mostTargets)]
	s.publish(ctx, api.EventDecision, s.records.add(r))
}

// short returns the texts that are short enough to be remembered: an approval that
// a person reads matches no others.
func short(texts []string) []string {
	const most, each = 16, 1 << 10
	var kept []string
	for _, text := range texts[:min(len(texts), most)] {
		if len(text) <= each {
			kept = append(kept, strings.Clone(text))
		}
	}
	return kept
}

// clip shortens a text that is remembered.
func clip(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …" // a new text, so that the long one can go
}

// listDecisions is GET /v1/decisions.
func (s *Server) listDecisions(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	limit, err := number(query.Get("limit"), "limit", 50)
	if err != nil {
		return err
	}
	before, err := number(query.Get("before"), "before", 0)
	if err != nil {
		return err
	}
	action := query.Get("action")
	if action != "" {
		if _, err := permission.ParseAction(action); err != nil {
			return badRequest(err, "")
		}
	}
	text := strings.ToLower(query.Get("q"))
	list := []api.Record{}
	for _, record := range s.records.latest() {
		if int64(len(list)) >= min(limit, keptRecords) {
			break
		}
		if before > 0 && record.ID >= before || action != "" && string(record.Action) != action {
			continue
		}
		if text == "" || strings.Contains(strings.ToLower(strings.Join([]string{record.Title, record.Reason, record.Tool, record.Session, record.Workspace}, "\n")), text) {
			list = append(list, record.Record)
		}
	}
	return answer(w, list)
}

// number reads a query's number that is not negative.
func number(text, name string, missing int64) (int64, error) {
	if text == "" {
		return missing, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, badRequest(fmt.Errorf("%s is %q, and must be a number that is not negative", name, text), "")
	}
	return n, nil
}

// publish tells all who listen.
func (s *Server) publish(ctx context.Context, kind string, data any) {
	_ = s.broker.Publish(context.WithoutCancel(ctx), event(kind, data)) // it is closed only when the daemon stops
}
