package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// listPending is GET /v1/pending.
func (s *Server) listPending(w http.ResponseWriter, r *http.Request) error {
	list, err := s.broker.List(r.Context(), r.URL.Query().Get("session"))
	if err != nil {
		return err
	}
	views := []api.Pending{}
	for _, request := range list {
		views = append(views, view(request))
	}
	return answer(w, views)
}

// getPending is GET /v1/pending/{id}.
func (s *Server) getPending(w http.ResponseWriter, r *http.Request) error {
	request, err := s.broker.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, view(request))
}

// view returns a pending request as front ends show it.
func view(r *ask.Request) api.Pending {
	v := api.Pending{
		ID: r.ID, SessionID: r.Session, Patterns: []string{}, Always: []string{}, Asked: r.Asked, Deadline: r.Deadline,
		Commands: []api.Command{}, Paths: []api.Path{}, Offers: []api.Offer{}, Needs: []string{},
	}
	q, ok := r.Payload.(*question)
	if !ok {
		return v
	}
	v.Metadata, v.Agent, v.Decision = q.call, q.call.Agent, q.judgement.Decision
	v.Title, v.Workspace = title(q), root(q)
	for _, request := range v.Decision.Requests {
		if !asked(v.Decision, request) {
			continue
		}
		if len(v.Needs) == 0 {
			v.Permission, v.Patterns = request.Permission, orEmpty(request.Patterns)
		}
		v.Needs = append(v.Needs, request.Permission)
	}
	for _, offer := range r.Offers {
		if offer.Permission == v.Permission {
			v.Always = append(v.Always, offer.Pattern)
		}
		v.Offers = append(v.Offers, api.Offer{Permission: offer.Permission, Pattern: offer.Pattern, Examples: examples(offer, q)})
	}
	if doc := q.judgement.Document; doc != nil {
		v.Text = doc.Script.Text
		for i := range doc.Commands {
			v.Commands = append(v.Commands, command(&doc.Commands[i].Command, asks(v.Decision, doc, i)))
		}
		for _, p := range doc.Paths {
			v.Paths = append(v.Paths, api.Path{Path: p.Path, Access: p.Access, Inside: p.Inside})
		}
	}
	return v
}

// asked reports whether a request is one that a person has to decide.
func asked(d permission.Decision, r permission.Request) bool {
	return slices.ContainsFunc(r.Targets, func(t permission.Target) bool {
		return t.Action == permission.Ask || slices.ContainsFunc(d.Floors, func(f permission.Floor) bool {
			return f.Action == permission.Ask && slices.Contains(t.Forms, f.Target)
		})
	})
}

func command(c *bash.Command, asks bool) api.Command {
	v := api.Command{
		Text: c.Text, Asks: asks, Start: c.Start, End: c.End, Prefix: c.Prefix, Dir: c.Dir,
		Effects: []string{}, Hazards: []api.Hazard{}, Files: []api.File{}, Wrappers: orEmpty(c.Wrappers), Unparsed: c.Unparsed,
	}
	for _, e := range c.Effects {
		v.Effects = append(v.Effects, string(e))
	}
	for _, h := range c.Hazards {
		v.Hazards = append(v.Hazards, api.Hazard{Kind: h.Kind, Word: h.Word, Reason: h.Reason})
	}
	for _, o := range c.Operations {
		v.Files = append(v.Files, api.File{Path: o.Path, Effect: string(o.Effect), Dynamic: o.Dynamic})
	}
	for _, r := range c.Redirects {
		v.Files = append(v.Files, api.File{Path: r.Path, Effect: string(r.Effect), Dynamic: r.Dynamic})
	}
	return v
}

// asks reports whether a decision on a document asks because of its command i, or
// of a file that the command names.
func asks(d permission.Decision, doc *input.Document, i int) bool {
	c := &doc.Commands[i]
	if c.Unparsed != "" {
		return true
	}
	met := []string{c.Text, c.Source}
	for r, request := range doc.Requests {
		for t, target := range request.Targets {
			if target.Command != i || r >= len(d.Requests) || t >= len(d.Requests[r].Targets) {
				continue
			}
			if d.Requests[r].Targets[t].Action != permission.Allow {
				return true
			}
			met = append(met, target.Forms...)
		}
	}
	return slices.ContainsFunc(d.Floors, func(f permission.Floor) bool { return f.Action != permission.Allow && slices.Contains(met, f.Target) })
}

// title returns a call as a person reads it in a list: what is decided, and not
// what the call says beside it.
func title(q *question) string {
	doc := q.judgement.Document
	switch {
	case doc == nil:
		return q.call.Tool
	case doc.Script.Text != "":
		return doc.Script.Text
	case len(doc.Requests) > 0 && len(doc.Requests[0].Patterns) > 0 && doc.Requests[0].Patterns[0] != "*":
		return q.call.Tool + " " + strings.Join(doc.Requests[0].Patterns, " ")
	}
	return q.call.Tool
}

func root(q *question) string {
	if q.judgement.Project == nil {
		return ""
	}
	return q.judgement.Project.Root()
}

// examples returns what of a question an approval matches, and what else it would.
func examples(offer permission.Rule, q *question) []string {
	var found []string
	add := func(text string) {
		if !slices.Contains(found, text) && permission.Match(text, offer.Pattern) {
			found = append(found, text)
		}
	}
	for _, request := range q.judgement.Requests {
		if request.Permission != offer.Permission {
			continue
		}
		for _, target := range request.Targets {
			for _, form := range target.Forms {
				add(form)
			}
		}
	}
	if prefix, ok := strings.CutSuffix(offer.Pattern, " *"); ok {
		add(prefix)
		add(prefix + " and anything behind it")
	} else if folder, ok := strings.CutSuffix(offer.Pattern, "/*"); ok {
		add(folder + "/anything/below/it")
	}
	const most = 5
	return found[:min(len(found), most)]
}

// reply is POST /v1/pending/{id}/reply.
func (s *Server) reply(w http.ResponseWriter, r *http.Request) error {
	var body api.Reply
	if err := read(w, r, maxBody, &body); err != nil {
		return err
	}
	reply := ask.Reply{
		Kind: body.Reply, Message: body.Message, Scope: body.Scope, By: who(r.Context(), body.By),
	}
	if body.Offers != nil {
		reply.Offers = []permission.Rule{}
	}
	for i, o := range body.Offers {
		if slices.ContainsFunc(body.Offers[:i], o.Same) {
			continue
		}
		reply.Offers = append(reply.Offers, permission.Rule{Permission: o.Permission, Pattern: o.Pattern, Action: permission.Allow})
	}
	if body.For < 0 {
		return badRequest(fmt.Errorf("for is %s, and must be a time to come", time.Duration(body.For)), "leave it out for good")
	}
	if body.For > 0 {
		reply.Until = time.Now().Add(time.Duration(body.For)).UTC().Truncate(time.Second)
	}
	id := r.PathValue("id")
	if err := s.agents.refuse(r.Context()); err != nil {
		return err
	}
	result, err := s.broker.Reply(r.Context(), id, reply)
	if err != nil {
		return err
	}
	s.metrics.replied(reply.Kind)
	replied := api.Replied{ID: id, Reply: body.Reply, Saved: []api.Offer{}, Released: orEmpty(result.Released), Rejected: orEmpty(result.Rejected)}
	for _, rule := range result.Saved {
		replied.Saved = append(replied.Saved, api.Offer{Permission: rule.Permission, Pattern: rule.Pattern})
	}
	return answer(w, replied)
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// preview is GET /v1/pending/{id}/preview.
func (s *Server) preview(w http.ResponseWriter, r *http.Request) error {
	request, err := s.broker.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	rule := permission.Rule{Permission: r.URL.Query().Get("permission"), Pattern: r.URL.Query().Get("pattern"), Action: permission.Allow}
	if !slices.ContainsFunc(request.Offers, func(o permission.Rule) bool { return o.Permission == rule.Permission && o.Pattern == rule.Pattern }) {
		return &httpError{http.StatusUnprocessableEntity, fmt.Errorf("%s %q was not offered", rule.Permission, rule.Pattern), "name the permission and the pattern of one of the offers"}
	}
	preview := api.Preview{Examples: []string{}}
	if q, ok := request.Payload.(*question); ok {
		preview.Examples = orEmpty(examples(rule, q))
	}
	preview.Past, preview.Denied = s.records.covered(rule)
	return answer(w, preview)
}
