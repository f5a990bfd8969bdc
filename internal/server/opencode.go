package server

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/permctl/permctl/internal/ask"
)

// An opencodeRequest is a pending request as opencode's clients know it.
type opencodeRequest struct {
	ID         string         `json:"id"`
	SessionID  string         `json:"sessionID"`
	Permission string         `json:"permission"`
	Patterns   []string       `json:"patterns"`
	Always     []string       `json:"always"`
	Metadata   map[string]any `json:"metadata"`
}

func opencodeView(r *ask.Request) opencodeRequest {
	v := view(r)
	return opencodeRequest{
		ID: v.ID, SessionID: v.SessionID, Permission: v.Permission, Patterns: v.Patterns, Always: v.Always,
		Metadata: map[string]any{"tool": v.Metadata.Tool, "input": v.Metadata.Input, "cwd": v.Metadata.Cwd, "reason": v.Decision.Reason},
	}
}

// opencodeList is GET /permission.
func (s *Server) opencodeList(w http.ResponseWriter, r *http.Request) error {
	list, err := s.broker.List(r.Context(), "")
	if err != nil {
		return err
	}
	requests := []opencodeRequest{}
	for _, request := range list {
		requests = append(requests, opencodeView(request))
	}
	return answer(w, requests)
}

// opencodeReply is POST /permission/{id}/reply.
func (s *Server) opencodeReply(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Reply   ask.Kind `json:"reply"`
		Message string   `json:"message"`
	}
	if err := read(w, r, maxBody, &body); err != nil {
		return err
	}
	if body.Reply != ask.Reject {
		body.Message = "" // opencode takes it with any, and means it for a reject
	}
	id := r.PathValue("id")
	if err := s.agents.refuse(r.Context()); err != nil {
		return err
	}
	_, err := s.broker.Reply(r.Context(), id, ask.Reply{Kind: body.Reply, Message: body.Message, By: who(r.Context(), "an opencode client")})
	var answered *ask.AnsweredError
	var invalid *ask.InvalidError
	switch {
	case errors.Is(err, ask.ErrNotPending), errors.As(err, &answered):
		return opencodeFail(w, http.StatusNotFound, opencodeError{Tag: "PermissionNotFoundError", RequestID: id, Message: err.Error()})
	case errors.As(err, &invalid):
		return opencodeFail(w, http.StatusBadRequest, opencodeError{Tag: "InvalidRequestError", Message: err.Error()})
	case err != nil:
		return err
	}
	s.metrics.replied(body.Reply)
	return answer(w, true)
}

// An opencodeError is an error as opencode's clients know it. It has the daemon's
// own form too.
type opencodeError struct {
	Tag       string `json:"_tag"`
	RequestID string `json:"requestID,omitempty"`
	Message   string `json:"message"`
	Error     string `json:"error"`
}

func opencodeFail(w http.ResponseWriter, status int, e opencodeError) error {
	e.Error = e.Message
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = writeJSON(w, e) // nobody is there to be told
	return nil
}

// An opencodeEvent is an event as opencode's clients know it.
type opencodeEvent struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Properties any    `json:"properties"`
}

// opencodeEvents is GET /event.
func (s *Server) opencodeEvents(w http.ResponseWriter, r *http.Request) error {
	greet := func(out stream) error {
		return out.send("", "", opencodeEvent{"evt_0", "server.connected", struct{}{}})
	}
	return s.stream(w, r, 0, true, greet, func(out stream, e ask.Event) error {
		id := "evt_" + strconv.FormatUint(e.ID, 10)
		switch data := e.Data.(type) {
		case *ask.Request:
			return out.send("", "", opencodeEvent{id, string(e.Type), opencodeView(data)})
		case ask.RepliedEvent:
			return out.send("", "", opencodeEvent{id, string(e.Type), opencodeReplied{data.SessionID, data.RequestID, data.Reply.Kind}})
		}
		return nil
	})
}

// An opencodeReplied is the end of a request as opencode's clients know it.
type opencodeReplied struct {
	SessionID string   `json:"sessionID"`
	RequestID string   `json:"requestID"`
	Reply     ask.Kind `json:"reply"`
}
