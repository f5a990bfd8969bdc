// Package client asks the daemon, over its Unix socket: to decide calls, to
// list what waits for a person, and to take replies.
//
// It trusts no socket that somebody else could have put there, and no answer is
// ever an allow by accident: with an error, every answer is the safe one.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

// ErrNotRunning reports that there is no socket, or that nobody listens on it.
var ErrNotRunning = errors.New("no daemon runs")

// An Error is what the daemon says is wrong.
type Error struct {
	Status  int    // of HTTP
	Message string // what is wrong
	Hint    string // what to do, or ""
}

func (e *Error) Error() string { return e.Message }

// The limits.
const (
	maxConnect = 2 * time.Second // for a connection to the socket
	maxAnswer  = 64 << 20        // bytes in one answer, or in one event
	maxError   = 64 << 10        // bytes in the body of an error
)

// A Client speaks to one daemon. It is safe for concurrent use, and keeps its
// connections. Its methods take as long as their context says, but for the two
// seconds in which a connection has to be made. Their errors are
// [ErrNotRunning], [ErrTooLarge], [private.ErrNotOwn], an [*Error], or the
// context's cause.
type Client struct {
	socket    string
	same      bool // as of [DialSame]
	transport *http.Transport
	http      *http.Client
}

// Dial returns a client of the daemon at a socket. The error is [ErrNotRunning]
// if there is none, or [private.ErrNotOwn] if somebody else could be listening.
// Whether anybody listens shows with the first request.
func Dial(socket string) (*Client, error) {
	if err := check(socket); err != nil {
		return nil, err
	}
	c := &Client{socket: socket}
	c.transport = &http.Transport{
		DialContext:            func(ctx context.Context, _, _ string) (net.Conn, error) { return c.connect(ctx) },
		DisableCompression:     true,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	c.http = &http.Client{
		Transport:     c.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// DialSame is Dial for those who do what the daemon says: where the system tells
// which program listens, it must be the very file that runs here, so that no
// script of an agent's stands in for the daemon just so. Otherwise requests fail
// with [ErrOther]. A program that means to can pass for it: what the daemon says
// may allow what would be asked, and never what is denied.
func DialSame(socket string) (*Client, error) {
	c, err := Dial(socket)
	if err != nil {
		return nil, err
	}
	c.same = true
	return c, nil
}

// ErrOther reports that another program than this one listens on the socket.
var ErrOther = errors.New("another program than this permctl listens on the daemon's socket")

// ErrTooLarge reports an answer that is too large to be read.
var ErrTooLarge = fmt.Errorf("the daemon's answer is larger than %d MiB", maxAnswer>>20)

// Close closes the connections that are idle.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// check is asked before every connection: the socket of a daemon that has ended
// may be another's now.
func check(socket string) error {
	err := private.CheckSocket(socket)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w at %s", ErrNotRunning, socket)
	}
	return err
}

func (c *Client) connect(ctx context.Context) (net.Conn, error) {
	if err := check(c.socket); err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: maxConnect}
	conn, err := dialer.DialContext(ctx, "unix", c.socket)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s", ErrNotRunning, c.socket)
	}
	if err == nil && c.same {
		if err := sameProgram(conn); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, err
}

// Check decides a call, and waits for nobody. With an error the decision is
// [permission.Deny].
func (c *Client) Check(ctx context.Context, req api.CheckRequest) (permission.Decision, error) {
	var decision permission.Decision
	err := c.do(ctx, http.MethodPost, "/v1/check", nil, req, &decision)
	if err == nil {
		_, err = permission.ParseAction(string(decision.Action))
	}
	if err != nil {
		return permission.Decision{Action: permission.Deny, Reason: err.Error()}, err
	}
	return decision, nil
}

// Ask decides a call, and waits for a person if the answer is ask. If ctx ends
// before, the connection is closed, and the request leaves the daemon's list.
// With an error the answer is [api.Denied], and it is never [api.Waiting].
func (c *Client) Ask(ctx context.Context, req api.AskRequest) (api.Answer, error) {
	req.Detach = false
	answer, err := c.answer(ctx, http.MethodPost, "/v1/ask", nil, req)
	if err == nil && answer.Status == api.Waiting {
		return denied(errors.New("the daemon has not waited for an answer"))
	}
	return answer, err
}

// AskDetached is [Client.Ask] without the wait: if the answer is [api.Waiting],
// its id is to be polled at least every 90 seconds.
func (c *Client) AskDetached(ctx context.Context, req api.AskRequest) (api.Answer, error) {
	req.Detach = true
	answer, err := c.answer(ctx, http.MethodPost, "/v1/ask", nil, req)
	if err == nil && answer.Status == api.Waiting && answer.ID == "" {
		return denied(errors.New("the daemon's answer has no id to poll"))
	}
	return answer, err
}

// Poll returns the answer to a detached request, which is [api.Waiting] if there
// is none within wait, at most a minute. With an error it is [api.Denied].
func (c *Client) Poll(ctx context.Context, id string, wait time.Duration) (api.Answer, error) {
	query := url.Values{"wait": {strconv.Itoa(int(min(max(wait, 0), time.Minute) / time.Second))}}
	answer, err := c.answer(ctx, http.MethodGet, "/v1/ask/"+url.PathEscape(id), query, nil)
	if err == nil && answer.ID != id {
		return denied(fmt.Errorf("the daemon's answer is that to another request, %q", answer.ID))
	}
	return answer, err
}

// Withdraw takes a detached request off the list.
func (c *Client) Withdraw(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/ask/"+url.PathEscape(id), nil, nil, nil)
}

// answer returns an answer that says the same in its status and its decision, as
// far as it is an allow.
func (c *Client) answer(ctx context.Context, method, path string, query url.Values, in any) (api.Answer, error) {
	var answer api.Answer
	if err := c.do(ctx, method, path, query, in, &answer); err != nil {
		return denied(err)
	}
	switch {
	case answer.Status == api.Allowed && answer.Decision.Action != permission.Allow:
		return denied(fmt.Errorf("the daemon's answer has the status %q, and the decision %q", answer.Status, answer.Decision.Action))
	case answer.Status == api.Allowed, answer.Status == api.Denied, answer.Status == api.Waiting:
		return answer, nil
	default:
		return denied(fmt.Errorf("the daemon's answer has the unknown status %q", answer.Status))
	}
}

// denied returns the answer that comes with an error.
func denied(err error) (api.Answer, error) {
	return api.Answer{
		Status:   api.Denied,
		Reason:   err.Error(),
		Decision: permission.Decision{Action: permission.Deny, Reason: err.Error()},
	}, err
}

// Pending returns the requests that wait for a person, oldest first: those of a
// session, or all if it is empty.
func (c *Client) Pending(ctx context.Context, session string) ([]api.Pending, error) {
	query := url.Values{}
	set(query, "session", session)
	var pending []api.Pending
	err := c.do(ctx, http.MethodGet, "/v1/pending", query, nil, &pending)
	return pending, err
}

// Get returns a request that waits. The error is an [*Error] with status 404 if
// it does not.
func (c *Client) Get(ctx context.Context, id string) (api.Pending, error) {
	var pending api.Pending
	err := c.do(ctx, http.MethodGet, "/v1/pending/"+url.PathEscape(id), nil, nil, &pending)
	return pending, err
}

// Preview returns what saving an offer of a request would match.
func (c *Client) Preview(ctx context.Context, id string, offer api.Offer) (api.Preview, error) {
	query := url.Values{"permission": {offer.Permission}, "pattern": {offer.Pattern}}
	var preview api.Preview
	err := c.do(ctx, http.MethodGet, "/v1/pending/"+url.PathEscape(id)+"/preview", query, nil, &preview)
	return preview, err
}

// Reply answers a request. The error is an [*Error] with status 404 if there is
// none, 409 if somebody else was first, and 422 for what cannot be saved.
func (c *Client) Reply(ctx context.Context, id string, reply api.Reply) (api.Replied, error) {
	var replied api.Replied
	err := c.do(ctx, http.MethodPost, "/v1/pending/"+url.PathEscape(id)+"/reply", nil, reply, &replied)
	return replied, err
}

// Approvals returns the approvals that hold in the project of a directory.
func (c *Client) Approvals(ctx context.Context, start string) ([]api.Approval, error) {
	query := url.Values{}
	set(query, "start", start)
	var approvals []api.Approval
	err := c.do(ctx, http.MethodGet, "/v1/approvals", query, nil, &approvals)
	return approvals, err
}

// Revoke takes an approval back. The error is an [*Error] with status 404 if
// there is none.
func (c *Client) Revoke(ctx context.Context, r api.Revocation) error {
	return c.do(ctx, http.MethodDelete, "/v1/approvals", nil, r, nil)
}

// Decisions returns the latest decisions, newest first.
func (c *Client) Decisions(ctx context.Context, q api.RecordQuery) ([]api.Record, error) {
	query := url.Values{}
	if q.Limit > 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Before > 0 {
		query.Set("before", strconv.FormatInt(q.Before, 10))
	}
	set(query, "action", string(q.Action))
	set(query, "q", q.Text)
	var records []api.Record
	err := c.do(ctx, http.MethodGet, "/v1/decisions", query, nil, &records)
	return records, err
}

// Rules returns the layers in force in the project of a directory and for an
// agent, as permctl rules --json writes them.
func (c *Client) Rules(ctx context.Context, start, agent string) (json.RawMessage, error) {
	query := url.Values{}
	set(query, "start", start)
	set(query, "agent", agent)
	var rules json.RawMessage
	err := c.do(ctx, http.MethodGet, "/v1/rules", query, nil, &rules)
	return rules, err
}

// Status returns how the daemon fares.
func (c *Client) Status(ctx context.Context) (api.Status, error) {
	var status api.Status
	err := c.do(ctx, http.MethodGet, "/v1/status", nil, nil, &status)
	return status, err
}

// PID returns the process that listens on the socket, if the system tells. (One
// that started it may have opened the socket.)
func (c *Client) PID(ctx context.Context) (pid int, known bool, err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return 0, false, because(ctx, err)
	}
	pid, known = listener(conn)
	return pid, known, conn.Close()
}

// Console returns the address of the daemon's console, with the token that opens
// it, or "" if it has none.
func (c *Client) Console(ctx context.Context) (string, error) {
	var status api.Status
	err := c.do(ctx, http.MethodGet, "/v1/status", url.Values{"console": {"true"}}, nil, &status)
	return status.Console, err
}

// Reload has the daemon read settings, policies and approvals again. The error
// is an [*Error] with status 422 if they cannot be read: the last good ones
// stay.
func (c *Client) Reload(ctx context.Context) (api.Status, error) {
	var status api.Status
	err := c.do(ctx, http.MethodPost, "/v1/reload", nil, struct{}{}, &status)
	return status, err
}

// set sets a value of a query, unless it is empty.
func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

// do sends in as JSON, if it is not nil, and reads the answer into out, if that
// is not nil.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := request(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	resp, err := c.send(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return because(ctx, fmt.Errorf("the daemon's answer ends too early: %w", err))
	case len(text) > maxAnswer:
		return ErrTooLarge
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("the daemon's answer is not what its API says: %w", err)
	}
	return nil
}

func request(ctx context.Context, method, path string, query url.Values, body io.Reader) (*http.Request, error) {
	address := "http://permctl" + path // the host says nothing: every connection is to the socket
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if path == "/v1/check" || path == "/v1/ask" {
		// To decide twice does no harm, so the transport may send it again if a
		// kept connection turns out to be closed. No header is sent for this.
		req.Header["X-Idempotency-Key"] = []string{}
	}
	return req, nil
}

// send returns the daemon's answer, the body of which the caller closes. An
// answer that is no success is an [*Error].
func (c *Client) send(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err // the address says nothing
		}
		return nil, because(req.Context(), err)
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	problem := &Error{Status: resp.StatusCode, Message: "the daemon answers " + resp.Status}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxError))
	var said api.Error
	if err == nil && json.Unmarshal(text, &said) == nil && said.Error != "" {
		problem.Message, problem.Hint = said.Error, said.Hint
	}
	return nil, problem
}

// because returns the cause of the context's end, if it has ended, and else err.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
