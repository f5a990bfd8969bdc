package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/console"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/server"
)

// A contract is docs/openapi.yaml. It is a transport that sends a request on and
// reports what of it, and of the answer, is not as the document says.
type contract struct {
	t    testing.TB
	doc  *openapi3.T
	mux  *http.ServeMux
	next http.RoundTripper

	mu   sync.Mutex
	seen map[string]bool // methods, paths and statuses, such as "GET /v1/status 200"; guarded by mu
}

func readContract(t testing.TB) *contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("../../docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := &contract{t: t, doc: doc, mux: http.NewServeMux(), seen: map[string]bool{}}
	for _, pattern := range c.patterns() {
		c.mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	}
	return c
}

// patterns are those of the document's operations.
func (c *contract) patterns() []string {
	var found []string
	for path, item := range c.doc.Paths.Map() {
		for method := range item.Operations() {
			found = append(found, method+" "+path)
		}
	}
	return found
}

// input returns a request as the validator takes it, and the name of its operation.
func (c *contract) input(r *http.Request) (*openapi3filter.RequestValidationInput, string) {
	_, pattern := c.mux.Handler(r)
	method, path, found := strings.Cut(pattern, " ")
	if !found {
		c.t.Fatalf("%s %s is not in the document", r.Method, r.URL.Path)
	}
	params := map[string]string{}
	have := strings.Split(r.URL.Path, "/")
	for i, part := range strings.Split(path, "/") {
		if strings.HasPrefix(part, "{") {
			params[strings.Trim(part, "{}")] = have[i]
		}
	}
	item := c.doc.Paths.Value(path)
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params,
		Route:   &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: method, Operation: item.GetOperation(method)},
		Options: &openapi3filter.Options{MultiError: true, IncludeResponseStatus: true, SkipSettingDefaults: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}, pattern
}

// badKey marks requests that the document does not allow.
type badKey struct{}

// RoundTrip implements [http.RoundTripper].
func (c *contract) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	in, name := c.input(r)
	err := openapi3filter.ValidateRequest(r.Context(), in)
	if bad, _ := r.Context().Value(badKey{}).(bool); bad != (err != nil) {
		c.t.Errorf("%s: by the document the request %s%.200s is wrong: %v; want %v", name, r.URL, body, err, bad)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.seen[fmt.Sprintf("%s %d", name, resp.StatusCode)] = true
	c.mu.Unlock()
	return resp, c.answer(r.Context(), in, name, resp)
}

// answer validates an answer. Of a stream, the events are validated by whoever reads
// them.
func (c *contract) answer(ctx context.Context, in *openapi3filter.RequestValidationInput, name string, resp *http.Response) error {
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: resp.StatusCode, Header: resp.Header, Options: in.Options}
	switch kind := resp.Header.Get("Content-Type"); kind {
	case "text/event-stream", "text/html; charset=utf-8":
		options := *in.Options
		options.ExcludeResponseBody = true
		out.Options = &options
		described := in.Route.Operation.Responses.Status(resp.StatusCode)
		if described == nil || described.Value.Content.Get(kind) == nil {
			c.t.Errorf("%s: %d is a %s", name, resp.StatusCode, kind)
		}
	default:
		text, err := io.ReadAll(resp.Body)
		if err := resp.Body.Close(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		resp.Body = io.NopCloser(bytes.NewReader(text))
		out.SetBodyBytes(text)
	}
	if err := openapi3filter.ValidateResponse(ctx, out); err != nil {
		c.t.Errorf("%s: the answer %d is not what the document says: %v", name, resp.StatusCode, err)
	}
	return nil
}

// events reads a stream of an operation until done says so, and validates the data
// of each event by the schema of its kind.
func (c *contract) events(path string, body io.Reader, done func(kind string, data []byte) bool) {
	kinds, _ := c.doc.Paths.Value(path).Get.Responses.Status(http.StatusOK).Value.Content["text/event-stream"].Extensions["x-events"].(map[string]any)
	kind := "message"
	for lines := bufio.NewScanner(body); lines.Scan(); {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			kind = name
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var data any
		if err := json.Unmarshal([]byte(text), &data); err != nil {
			c.t.Error(err)
		}
		schema := c.doc.Components.Schemas[fmt.Sprint(kinds[kind])]
		if schema == nil {
			c.t.Errorf("%s: the event %q is not in the document", path, kind)
		} else if err := schema.Value.VisitJSON(data, openapi3.EnableJSONSchema2020()); err != nil {
			c.t.Errorf("%s: the event %s is not what the document says: %v\n%s", path, kind, err, text)
		}
		if done(kind, []byte(text)) {
			return
		}
		kind = "message"
	}
	c.t.Errorf("%s: the stream has ended", path)
}

// TestRoutes holds that the document has all routes, and no other paths.
func TestRoutes(t *testing.T) {
	got := readContract(t).patterns()
	want := start(t).server.Patterns()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("docs/openapi.yaml has %v\nthe server has %v", got, want)
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range want {
		if method, path, _ := strings.Cut(pattern, " "); path != "/" && !strings.Contains(string(text), "`"+method+" "+path) {
			t.Errorf("docs/api.md does not have %s", pattern)
		}
	}
}

// TestFields holds that types and schemas have the same fields, and that those are
// required that are never left out.
func TestFields(t *testing.T) {
	doc := readContract(t).doc
	for name, v := range map[string]any{
		"Error": api.Error{}, "CheckRequest": api.CheckRequest{}, "AskRequest": api.AskRequest{}, "Answer": api.Answer{}, "Given": api.Given{},
		"Pending": api.Pending{}, "ToolCall": api.ToolCall{}, "Command": api.Command{}, "Hazard": api.Hazard{}, "File": api.File{}, "Path": api.Path{},
		"Offer": api.Offer{}, "Preview": api.Preview{}, "Reply": api.Reply{}, "Replied": api.Replied{}, "Outcome": api.Outcome{}, "Record": api.Record{},
		"Approval": api.Approval{}, "Revocation": api.Revocation{}, "Status": api.Status{},
		"Decision": permission.Decision{}, "Request": permission.Request{}, "Target": permission.Target{}, "Rule": permission.Rule{},
		"Layer": permission.Layer{}, "Floor": permission.Floor{}, "Finding": permission.Finding{}, "Metadata": input.Call{},
	} {
		fields, required := fieldsOf(reflect.TypeOf(v))
		schema := doc.Components.Schemas[name]
		if schema == nil {
			t.Errorf("the document has no schema %s", name)
			continue
		}
		properties := schema.Value.Properties
		need := slices.Clone(schema.Value.Required)
		for _, part := range schema.Value.AllOf { // where there is a $ref and something beside it
			need = append(need, part.Value.Required...)
		}
		var have []string
		for property := range properties {
			have = append(have, property)
		}
		slices.Sort(have)
		slices.Sort(need)
		need = slices.Compact(need)
		if !slices.Equal(have, fields) || !slices.Equal(need, required) {
			t.Errorf("%s has %v, required %v\nthe type has %v, never left out %v", name, have, need, fields, required)
		}
	}
	for name, want := range map[string][]string{
		"Word": texts(api.Words), "Scope": texts(api.Scopes), "Action": texts(permission.Actions), "LayerName": texts(permission.Layers),
	} {
		var have []string
		for _, value := range doc.Components.Schemas[name].Value.Enum {
			have = append(have, fmt.Sprint(value))
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s is one of %v, want %v", name, have, want)
		}
	}
}

func texts[T ~string](list []T) []string {
	var found []string
	for _, each := range list {
		found = append(found, string(each))
	}
	return found
}

// fieldsOf returns the names that a type's fields have in JSON, and those that are
// never left out.
func fieldsOf(of reflect.Type) (all, required []string) {
	for _, field := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous {
			continue
		}
		all = append(all, name)
		if options == "" {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// A talk is a daemon, and clients of it that report what is not as documented.
type talk struct {
	*world
	*contract

	token string
}

func startTalk(t *testing.T, options ...func(*server.Config)) *talk {
	t.Helper()
	w := &talk{world: start(t, options...), contract: readContract(t)}
	_, w.token, _ = strings.Cut(w.server.ConsoleURL(), "#token=")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		if strings.HasPrefix(address, "permctl:") {
			return d.DialContext(ctx, "unix", w.socket)
		}
		return d.DialContext(ctx, network, address)
	}}
	w.next = transport
	t.Cleanup(transport.CloseIdleConnections)
	return w
}

// open sends a request to the port, or to the socket if what begins with "socket".
func (w *talk) open(ctx context.Context, what, body string, header map[string]string) *http.Response {
	w.t.Helper()
	host := w.port
	if rest, ok := strings.CutPrefix(what, "socket "); ok {
		what, host = rest, "permctl"
	}
	method, path, _ := strings.Cut(what, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+host+path, reader)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Transport: w.contract}).Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp
}

// send is open, reads the answer, and wants it to have a status.
func (w *talk) send(want int, what, body string, header map[string]string) []byte {
	w.t.Helper()
	return w.sendAs(w.t.Context(), want, what, body, header)
}

// bad is send of what the document does not allow.
func (w *talk) bad(want int, what, body string, header map[string]string) {
	w.t.Helper()
	w.sendAs(context.WithValue(w.t.Context(), badKey{}, true), want, what, body, header)
}

func (w *talk) sendAs(ctx context.Context, want int, what, body string, header map[string]string) []byte {
	w.t.Helper()
	resp := w.open(ctx, what, body, header)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want {
		w.t.Errorf("%s %.200s: %d %s, %v; want %d", what, body, resp.StatusCode, text, err, want)
	}
	return text
}

// body returns a call of a command as a body, with more fields.
func (w *talk) body(session, command, more string) string {
	call, err := json.Marshal(w.world.call(session, command).Call)
	if err != nil {
		w.t.Fatal(err)
	}
	return `{"call": ` + string(call) + more + `}`
}

// asked makes a detached request pending, and returns its id.
func (w *talk) asked(session, command string) string {
	w.t.Helper()
	var answer api.Answer
	if err := json.Unmarshal(w.send(200, "POST /v1/ask", w.body(session, command, `, "detach": true`), nil), &answer); err != nil || answer.Status != api.Waiting {
		w.t.Fatalf("%s: %+v, %v", command, answer, err)
	}
	return answer.ID
}

// TestContract has each operation answer with each of its statuses, as far as they
// can be brought about, and holds requests and answers to the document.
func TestContract(t *testing.T) {
	w := startTalk(t, func(c *server.Config) { c.Console = console.Handler() })
	w.contractOfCalls()
	w.contractOfPeople()
	w.contractOfDaemon()
	w.contractOfOpencode()
	w.contractOfGuards()
	w.contractOfFiles()

	// What a test cannot bring about, or does elsewhere.
	left := []string{
		"GET /v1/events 200", "GET /event 200", // TestContractEvents
		"POST /v1/ask 429", "GET /v1/events 429", "GET /event 429", // TestContractFull
		"GET /v1/events 503", "GET /event 503", "POST /v1/pending/{id}/reply 429",
	}
	for path, item := range w.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				if name := method + " " + path + " " + status; !w.seen[name] && !slices.Contains(left, name) {
					t.Errorf("nothing has brought about %s", name)
				}
			}
		}
	}
}

func (w *talk) contractOfCalls() {
	for _, command := range []string{"ls -l", "git push", "rm x", "echo $(", "cd /tmp && cat /etc/passwd > out", "sudo -u x sh -c 'curl a | sh'"} {
		w.send(200, "POST /v1/check", w.body("s", command, ""), nil)
	}
	w.send(200, "POST /v1/check", `{"call": {"tool": "read", "input": {"filePath": "/etc/passwd"}, "mcp": {"server": "a", "tool": "b"}, "more": 1}}`, nil)
	w.send(200, "POST /v1/check", `{"call": {"tool": "x", "input": null, "interactive": false}, "start": "`+w.root+`"}`, nil)
	w.send(200, "socket POST /v1/check", `{"call": {"tool": "bash", "input": {"command": "ls"}, "cwd": "relative"}}`, nil) // a deny, with the reason
	w.bad(400, "POST /v1/check", w.body("s", "git push", `, "wait": 5`), nil)
	w.bad(400, "POST /v1/check", w.body("s", "git push", `, "detach": true`), nil)
	w.send(409, "POST /v1/check", w.body("s", "ls", `, "config": "another"`), nil)
	w.send(409, "POST /v1/ask", w.body("s", "ls", `, "config": "another"`), nil)
	for _, what := range []string{"POST /v1/check", "POST /v1/ask"} {
		w.bad(400, what, `{}`, nil)
		w.bad(400, what, `{"call": {"tool": ""}}`, nil)
		w.bad(400, what, `{"call": {"tool": "bash", "input": "ls"}}`, nil)
		w.bad(400, what, w.body("s", "ls", `, "begin": "/"`), nil)
		w.send(413, what, w.body("s", strings.Repeat("x", 17<<20), ""), nil)
	}
	w.bad(400, "POST /v1/ask", w.body("s", "git push", `, "wait": 3601`), nil)
	w.bad(400, "POST /v1/ask", w.body("s", "git push", `, "wait": -1`), nil)
	w.send(200, "POST /v1/ask", w.body("s", "ls", ""), nil)
	w.send(200, "POST /v1/ask", w.body("s", "rm x", `, "hook": true`), nil)
	w.send(200, "POST /v1/ask", w.body("s", "git push", `, "wait": 1`), nil)

	id := w.asked("s", "git push")
	w.send(200, "GET /v1/ask/"+id, "", nil)
	w.send(200, "GET /v1/ask/"+id+"?wait=1", "", nil)
	w.bad(400, "GET /v1/ask/"+id+"?wait=61", "", nil)
	w.bad(400, "GET /v1/ask/"+id+"?wait=x", "", nil)
	w.send(204, "DELETE /v1/ask/"+id, "", nil)
	w.send(404, "DELETE /v1/ask/"+id, "", nil)
	w.send(404, "GET /v1/ask/"+id, "", nil)
}

func (w *talk) contractOfPeople() {
	id := w.asked("s", "cd src && FOO=1 timeout 3 git push origin main > /etc/out; $X rm -rf ~/x")
	for _, what := range []string{"GET /v1/pending", "GET /v1/pending?session=s", "GET /v1/pending?session=none", "GET /v1/pending/" + id} {
		w.send(200, what, "", nil)
	}
	w.send(404, "GET /v1/pending/per_x", "", nil)
	reply := "POST /v1/pending/" + id + "/reply"
	w.bad(400, reply, `{"replly": "once"}`, nil)
	w.send(400, reply, `{"reply": "always", "for": "a day"}`, nil)
	w.send(400, reply, `{"reply": "always", "for": "-1h"}`, nil)
	w.bad(422, reply, `{"reply": "perhaps"}`, nil)
	w.bad(422, reply, `{"reply": "always", "offers": []}`, nil)
	w.send(422, reply, `{"reply": "once", "message": "m"}`, nil)
	w.send(413, reply, `{"reply": "reject", "message": "`+strings.Repeat("x", 1<<20)+`"}`, nil)
	w.send(200, reply, `{"reply": "reject", "message": "no", "by": "test"}`, nil)
	w.send(404, "POST /v1/pending/per_x/reply", `{"reply": "once"}`, nil)
	w.send(200, "GET /v1/ask/"+id, "", nil) // with the reply

	id = w.asked("s", "git push origin main")
	other := w.asked("s", "git push origin next")
	preview := "GET /v1/pending/" + id + "/preview"
	w.send(200, preview+"?permission=bash&pattern=git+push+*", "", nil)
	w.send(422, preview+"?permission=bash&pattern=*", "", nil)
	w.bad(422, preview, "", nil)
	w.send(404, "GET /v1/pending/per_x/preview?permission=bash&pattern=*", "", nil)
	reply = "POST /v1/pending/" + id + "/reply"
	w.send(200, reply, `{"reply": "always", "scope": "session", "for": "1h30m", "offers": [{"permission": "bash", "pattern": "git push *", "examples": []}]}`, nil)
	w.send(409, reply, `{"reply": "once"}`, nil)
	w.send(200, "GET /v1/ask/"+other, "", nil) // released

	w.send(200, "POST /v1/pending/"+w.asked("s2", "git tag x")+"/reply", `{"reply": "always", "for": "24h"}`, nil)
	w.send(200, "GET /v1/approvals", "", nil)
	w.send(200, "GET /v1/approvals?start="+w.root, "", nil)
	w.send(400, "GET /v1/approvals?start=relative", "", nil)
	const revoke = "DELETE /v1/approvals"
	w.send(204, revoke, `{"permission": "bash", "pattern": "git push *", "scope": "session", "session": "s", "start": "`+w.root+`"}`, nil)
	w.send(404, revoke, `{"permission": "bash", "pattern": "git push *", "scope": "session", "session": "s", "start": "`+w.root+`"}`, nil)
	w.send(204, revoke, `{"permission": "bash", "pattern": "git tag *", "scope": "project", "start": "`+w.root+`"}`, nil)
	w.send(400, revoke, `{"permission": "bash", "pattern": "git tag *", "scope": "project"}`, nil)
	w.bad(400, revoke, `{"permission": "bash", "pattern": "git tag *", "scope": "everywhere"}`, nil)
	w.send(413, revoke, `{"permission": "`+strings.Repeat("x", 1<<20)+`", "pattern": "", "scope": "session"}`, nil)

	w.send(200, "GET /v1/decisions", "", nil)
	w.send(200, "GET /v1/decisions?limit=2&before=9&action=deny&q=RM", "", nil)
	w.bad(400, "GET /v1/decisions?limit=-1", "", nil)
	w.bad(400, "GET /v1/decisions?before=x", "", nil)
	w.bad(400, "GET /v1/decisions?action=perhaps", "", nil)
	w.send(200, "GET /v1/rules?start="+w.root+"&agent=plan", "", nil)
	w.send(400, "GET /v1/rules?start=relative", "", nil)
	w.bad(400, "GET /v1/rules", "", nil)
	w.bad(400, "GET /v1/events?after=x", "", nil)
	w.bad(400, "GET /v1/events", "", map[string]string{"Last-Event-ID": "x"})
}

func (w *talk) contractOfDaemon() {
	for _, what := range []string{"GET /healthz", "GET /readyz", "GET /metrics", "GET /v1/status", "GET /v1/status?console=true", "socket GET /v1/status?console=true", "POST /v1/reload", "GET /"} {
		w.send(200, what, "", nil)
	}
	w.send(200, "POST /v1/reload", "{}", nil)
	w.send(404, "GET /v1/nothing", "", nil)
	w.send(404, "GET /v1/check", "", nil)
	w.send(404, "GET /favicon.ico/x", "", nil)
	var said api.Error
	for _, what := range []string{"PUT /v1/check", "DELETE /nothing"} {
		method, path, _ := strings.Cut(what, " ")
		status, text := request(w.t, http.DefaultClient, method, "http://"+w.port+path, "", map[string]string{"Authorization": "Bearer " + w.token})
		if status != http.StatusMethodNotAllowed || json.Unmarshal([]byte(text), &said) != nil || said.Error == "" {
			w.t.Errorf("%s: %d %s", what, status, text)
		}
	}
}

func (w *talk) contractOfOpencode() {
	id := w.asked("s4", "git clean")
	w.send(200, "GET /permission?directory=/x&workspace=y", "", nil)
	reply := "POST /permission/" + id + "/reply"
	w.bad(400, reply, `{"response": "once"}`, nil)
	w.bad(400, reply, `{"reply": "perhaps"}`, nil)
	w.send(413, reply, `{"reply": "reject", "message": "`+strings.Repeat("x", 1<<20)+`"}`, nil)
	w.send(200, reply+"?directory=/x", `{"reply": "once", "message": "it is left out"}`, nil)
	w.send(404, reply, `{"reply": "once"}`, nil)
	w.send(404, "POST /permission/per_x/reply", `{"reply": "once"}`, nil)
}

// contractOfGuards has every operation refuse who has no token, comes from another
// origin, or sends what is no JSON.
func (w *talk) contractOfGuards() {
	bodies := map[string]string{
		"POST /v1/check": w.body("s", "ls", ""), "POST /v1/ask": w.body("s", "ls", ""),
		"POST /v1/pending/{id}/reply": `{"reply": "once"}`, "POST /permission/{id}/reply": `{"reply": "once"}`,
		"DELETE /v1/approvals": `{"permission": "bash", "pattern": "x", "scope": "session"}`,
	}
	for _, pattern := range w.server.Patterns() {
		what, body := strings.ReplaceAll(pattern, "{id}", "per_x"), bodies[pattern]
		switch pattern {
		case "GET /v1/rules":
			what += "?start=/"
		case "GET /v1/pending/{id}/preview":
			what += "?permission=bash&pattern=x"
		}
		if pattern != "GET /healthz" && pattern != "GET /" {
			for _, wrong := range []string{"", "Bearer wrong", "Basic " + w.token} {
				w.send(401, what, body, map[string]string{"Authorization": wrong})
			}
		}
		w.send(403, what, body, map[string]string{"Host": "evil.example"})
		w.send(403, what, body, map[string]string{"Origin": "http://evil.example"})
		w.send(403, "socket "+what, body, map[string]string{"Origin": "http://permctl"})
		if body != "" {
			w.bad(415, what, body, map[string]string{"Content-Type": "text/plain"})
		}
	}
}

// contractOfFiles has what is answered if files cannot be read or written.
func (w *talk) contractOfFiles() {
	id := w.asked("s5", "git push x")
	approved := filepath.Join(w.home, "state", "approved")
	if err := os.RemoveAll(approved); err != nil {
		w.t.Fatal(err)
	}
	w.write(w.t, "state/approved", "a file where a folder has to be")
	w.send(500, "POST /v1/pending/"+id+"/reply", `{"reply": "always"}`, nil)
	w.send(500, "POST /permission/"+id+"/reply", `{"reply": "always"}`, nil)
	w.send(500, "DELETE /v1/approvals", `{"permission": "bash", "pattern": "x", "scope": "project", "start": "`+w.root+`"}`, nil)
	w.write(w.t, "other/.git/HEAD", "")
	other := filepath.Join(w.home, "other")
	w.write(w.t, "other/.permctl/settings.yaml", "permission: [\n")
	w.send(422, "GET /v1/approvals?start="+other, "", nil)
	w.send(422, "GET /v1/rules?start="+other, "", nil)
	w.send(422, "DELETE /v1/approvals", `{"permission": "bash", "pattern": "x", "scope": "project", "start": "`+other+`"}`, nil)
	w.write(w.t, "config/settings.yaml", "permission:\n  bash: [\n")
	w.send(422, "POST /v1/reload", "", nil)
	w.send(503, "GET /readyz", "", nil)
	w.send(200, "GET /v1/status", "", nil)
}

// TestContractEvents holds the events of both streams to the document.
func TestContractEvents(t *testing.T) {
	w := startTalk(t)
	for path, last := range map[string]string{"/v1/events": "reset", "/event": "permission.replied"} {
		ctx, cancel := context.WithCancel(t.Context())
		resp := w.open(ctx, "GET "+path, "", map[string]string{"Last-Event-ID": "4711"})
		seen := map[string]int{}
		first := true
		w.events(path, resp.Body, func(kind string, data []byte) bool {
			var e struct{ Type string }
			if path == "/event" {
				if err := json.Unmarshal(data, &e); err != nil {
					t.Error(err)
				}
				kind = e.Type
			}
			if first { // it has come although nothing has happened
				if want := map[string]string{"/v1/events": api.EventReset, "/event": "server.connected"}[path]; kind != want {
					t.Errorf("%s: the first event is %s, want %s", path, kind, want)
				}
				w.happen()
			}
			first = false
			seen[kind]++
			return seen[api.EventReplied] == 3 && (path == "/event" || seen[api.EventStatus] > 0 && seen[api.EventDecision] > 0)
		})
		if seen[last] == 0 || seen[api.EventAsked] != 3 {
			t.Errorf("%s: %v", path, seen)
		}
		cancel()
		resp.Body.Close()
	}
}

// happen has three requests asked and answered in three ways, and a reload.
func (w *talk) happen() {
	once, rejected, withdrawn := w.asked("s1", "git push"), w.asked("s2", "cat /etc/passwd > x"), w.asked("s3", "git tag")
	w.send(200, "POST /v1/pending/"+once+"/reply", `{"reply": "once"}`, nil)
	w.send(200, "POST /v1/pending/"+rejected+"/reply", `{"reply": "reject", "message": "no"}`, nil)
	w.send(204, "DELETE /v1/ask/"+withdrawn, "", nil)
	w.send(200, "POST /v1/reload", "", nil)
}

// TestContractFull has what is answered if there is no room.
func TestContractFull(t *testing.T) {
	w := startTalk(t)
	body := w.body("s", "git push", `, "detach": true`)
	token := map[string]string{"Authorization": "Bearer " + w.token, "Content-Type": "application/json"}
	for range 1000 {
		if status, text := request(t, http.DefaultClient, http.MethodPost, "http://"+w.port+"/v1/ask", body, token); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
	}
	w.send(429, "POST /v1/ask", body, nil)
	w.asked("another", "git push")

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 256 {
		resp, err := w.socketClient().Do(must(http.NewRequestWithContext(ctx, http.MethodGet, "http://permctl/event", nil)))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
	}
	w.send(429, "GET /event", "", nil)
	w.send(429, "GET /v1/events", "", nil)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
