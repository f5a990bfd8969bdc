package ask_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/permission"
)

// A call is the payload of the tests' requests: what a tool would do, and the
// rules of its agent.
type call struct {
	permission string
	patterns   []string
	rules      []permission.Rule
}

// A world is a broker over rules and approvals in memory.
type world struct {
	broker *ask.Broker

	mu       sync.Mutex // guards what follows
	approved []permission.Rule
	rules    []permission.Rule // above those of the calls
	saveErr  error
	scopes   []ask.Scope
}

func newWorld(hub ask.Hub) *world {
	w := &world{}
	w.broker = ask.New(ask.Config{Judge: w.judge, Save: w.save, Hub: hub})
	return w
}

// judge decides as DESIGN says: the last rule that matches counts, none asks, and
// approvals satisfy only what is asked.
func (w *world) judge(_ context.Context, r *ask.Request) (permission.Decision, error) {
	c, ok := r.Payload.(call)
	if !ok {
		return permission.Decision{}, errors.New("no call")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	d := permission.Decision{Action: permission.Allow}
	request := permission.Request{Permission: c.permission}
	for _, pattern := range c.patterns {
		action, rule := last(append(slices.Clone(c.rules), w.rules...), c.permission, pattern)
		if approved, _ := last(w.approved, c.permission, pattern); action == permission.Ask && approved == permission.Allow {
			action = permission.Allow
		}
		request.Targets = append(request.Targets, permission.Target{Pattern: pattern, Action: action, Rule: rule})
		d.Action = permission.Strictest(d.Action, action)
	}
	d.Requests = []permission.Request{request}
	return d, nil
}

func last(rules []permission.Rule, name, pattern string) (permission.Action, *permission.Rule) {
	for _, r := range slices.Backward(rules) {
		if permission.Match(name, r.Permission) && permission.Match(pattern, r.Pattern) {
			return r.Action, &r
		}
	}
	return permission.Ask, nil
}

func (w *world) save(_ context.Context, _ *ask.Request, rules []permission.Rule, scope ask.Scope, _ time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.saveErr != nil {
		return w.saveErr
	}
	w.scopes = append(w.scopes, scope)
	for _, r := range rules {
		w.approved = append(w.approved, permission.Rule{Permission: r.Permission, Pattern: r.Pattern, Action: permission.Allow})
	}
	return nil
}

// request returns a request for patterns of bash, with those as its offers.
func request(id, session string, patterns ...string) ask.Request {
	r := ask.Request{ID: id, Session: session, Payload: call{"bash", patterns, nil}}
	for _, p := range patterns {
		r.Offers = append(r.Offers, permission.Rule{Permission: "bash", Pattern: p, Action: permission.Allow})
	}
	return r
}

// begin makes a request pending.
func (w *world) begin(t testing.TB, r ask.Request) *ask.Ticket {
	t.Helper()
	ticket, err := w.broker.Begin(t.Context(), r)
	if err != nil || ticket == nil {
		t.Fatalf("%s is not pending: %v, %v", r.ID, ticket, err)
	}
	return ticket
}

// outcome waits for how a request ends, in words.
func outcome(t testing.TB, ticket *ask.Ticket) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	reply, ended, err := ticket.Wait(ctx)
	if !ended {
		return "pending"
	}
	return describe(reply, err)
}

func describe(reply ask.Reply, err error) string {
	if err != nil {
		name := strings.TrimPrefix(fmt.Sprintf("%T", err), "*ask.")
		if name == "errors.errorString" {
			return err.Error()
		}
		return name
	}
	return string(reply.Kind)
}

func (w *world) reply(t testing.TB, id string, r ask.Reply) ask.Result {
	t.Helper()
	result, err := w.broker.Reply(t.Context(), id, r)
	if err != nil {
		t.Fatalf("reply to %s: %v", id, err)
	}
	return result
}

func (w *world) ids(t testing.TB) string {
	t.Helper()
	list, err := w.broker.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

// TestDecided has what no person is asked for.
func TestDecided(t *testing.T) {
	rule := func(pattern string, action permission.Action) permission.Rule {
		return permission.Rule{Permission: "bash", Pattern: pattern, Action: action, Source: "s.yaml:1"}
	}
	for name, tt := range map[string]struct {
		patterns []string
		rules    []permission.Rule
		want     string
		denied   []string
	}{
		"allowed":          {[]string{"ls"}, []permission.Rule{rule("*", permission.Allow)}, "", nil},
		"all allowed":      {[]string{"echo hello", "ls -la", "pwd"}, []permission.Rule{rule("*", permission.Allow)}, "", nil},
		"denied":           {[]string{"rm -rf /"}, []permission.Rule{rule("*", permission.Deny)}, "DeniedError", []string{"rm -rf /"}},
		"asked and denied": {[]string{"echo hello", "rm -rf /"}, []permission.Rule{rule("echo *", permission.Ask), rule("rm *", permission.Deny)}, "DeniedError", []string{"rm -rf /"}},
	} {
		w := newWorld(nil)
		r := request("per_1", "s", tt.patterns...)
		r.Payload = call{"bash", tt.patterns, tt.rules}
		reply, err := w.broker.Ask(t.Context(), r)
		if got := describe(reply, err); got != tt.want || w.ids(t) != "" {
			t.Errorf("%s: %s, pending %q; want %s and nothing", name, got, w.ids(t), tt.want)
		}
		var e *ask.DeniedError
		if errors.As(err, &e) && (!slices.Equal(e.Patterns, tt.denied) || !strings.Contains(e.Error(), "s.yaml:1")) {
			t.Errorf("%s: %v, of %q; want those of %q with their rule", name, e, e.Patterns, tt.denied)
		}
	}
}

// A step is something that happens to a broker: a new request, or a reply.
type step struct {
	ask     string // an id, with its session behind a colon
	pattern string
	reply   string // an id, with the kind behind a colon
	message string
}

// TestScenarios has what replies do, to the request and to others. It ends with
// how each request ended, in the order of the requests, and what is pending.
func TestScenarios(t *testing.T) {
	for name, tt := range map[string]struct {
		steps   []step
		want    string
		pending string
	}{
		"waits":              {[]step{{ask: "a:s", pattern: "ls"}}, "pending", "a"},
		"once":               {[]step{{ask: "a:s", pattern: "ls"}, {reply: "a:once"}}, "once", ""},
		"reject":             {[]step{{ask: "a:s", pattern: "ls"}, {reply: "a:reject"}}, "RejectedError", ""},
		"reject with a word": {[]step{{ask: "a:s", pattern: "ls"}, {reply: "a:reject", message: "use rg"}}, "CorrectedError", ""},
		"once of two":        {[]step{{ask: "a:s", pattern: "ls"}, {ask: "b:s", pattern: "ls"}, {reply: "a:once"}}, "once pending", "b"},
		"reject ends the session's": {
			[]step{{ask: "a:s", pattern: "ls"}, {ask: "b:s", pattern: "pwd"}, {ask: "c:t", pattern: "ls"}, {reply: "a:reject"}},
			"RejectedError RejectedError pending", "c",
		},
		"feedback is for one": {
			[]step{{ask: "a:s", pattern: "ls"}, {ask: "b:s", pattern: "pwd"}, {reply: "a:reject", message: "no"}}, "CorrectedError RejectedError", "",
		},
		"always releases what it covers": {
			[]step{{ask: "a:s", pattern: "ls"}, {ask: "b:s", pattern: "ls"}, {ask: "c:s", pattern: "pwd"}, {reply: "a:always"}}, "always always pending", "c",
		},
		"always leaves other sessions": {
			[]step{{ask: "a:s", pattern: "ls"}, {ask: "b:t", pattern: "ls"}, {reply: "a:always"}}, "always pending", "b",
		},
		"always holds from then on": {
			[]step{{ask: "a:s", pattern: "ls"}, {reply: "a:always"}, {ask: "b:t", pattern: "ls"}}, "always allowed", "",
		},
		"without a session nobody shares one": {
			[]step{{ask: "a:", pattern: "ls"}, {ask: "b:", pattern: "ls"}, {reply: "a:reject"}}, "RejectedError pending", "b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(nil)
			var tickets []*ask.Ticket
			for _, s := range tt.steps {
				if id, kind, ok := strings.Cut(s.reply, ":"); ok {
					w.reply(t, id, ask.Reply{Kind: ask.Kind(kind), Message: s.message})
					continue
				}
				id, session, _ := strings.Cut(s.ask, ":")
				ticket, err := w.broker.Begin(t.Context(), request(id, session, s.pattern))
				if err != nil {
					t.Fatal(err)
				}
				tickets = append(tickets, ticket)
			}
			var got []string
			for _, ticket := range tickets {
				switch {
				case ticket == nil:
					got = append(got, "allowed")
				case strings.Contains(" "+w.ids(t)+" ", " "+ticket.Request().ID+" "):
					got = append(got, "pending")
				default:
					got = append(got, outcome(t, ticket))
				}
			}
			if strings.Join(got, " ") != tt.want || w.ids(t) != tt.pending {
				t.Errorf("%v, pending %q; want %s, pending %q", got, w.ids(t), tt.want, tt.pending)
			}
		})
	}
}

// TestEvents shows what subscribers see, in its order.
func TestEvents(t *testing.T) {
	w := newWorld(nil)
	sub, err := w.broker.Subscribe(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	w.begin(t, request("a", "s", "ls"))
	w.begin(t, request("b", "s", "ls"))
	w.reply(t, "a", ask.Reply{Kind: ask.Always, By: "ann"})
	var got []string
	var lastID uint64
	for range 4 {
		e := <-sub.Events()
		if e.ID <= lastID {
			t.Errorf("event %d follows %d", e.ID, lastID)
		}
		lastID = e.ID
		switch data := e.Data.(type) {
		case *ask.Request:
			got = append(got, "asked "+data.ID)
		case ask.RepliedEvent:
			got = append(got, fmt.Sprintf("%s %s by %s", data.Reply.Kind, data.RequestID, data.Reply.By))
		}
	}
	want := "asked a, asked b, always a by ann, always b by ann"
	if strings.Join(got, ", ") != want {
		t.Errorf("events %v, want %s", got, want)
	}
	again, err := w.broker.Subscribe(t.Context(), lastID-1)
	if err != nil || again.Missed || (<-again.Events()).ID != lastID {
		t.Errorf("a subscriber that missed one event does not get it: %v", err)
	}
	if later, err := w.broker.Subscribe(t.Context(), lastID+100); err != nil || !later.Missed {
		t.Errorf("a subscriber from another life is not told: %v", err)
	}
}

// TestSlowSubscriber shows that one that does not read holds up nobody, and is
// told what it has missed, or that it has.
func TestSlowSubscriber(t *testing.T) {
	w := newWorld(ask.NewMemory(100_000, 100_000))
	slow, err := w.broker.Subscribe(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	const many = 3000
	for i := range many {
		w.begin(t, request(fmt.Sprintf("per_%d", i), "s", "ls"))
	}
	var seen uint64
	for e := range slow.Events() {
		seen = e.ID
	}
	if seen == 0 || seen >= many {
		t.Fatalf("it has seen %d events of %d", seen, many)
	}
	if again, err := w.broker.Subscribe(t.Context(), seen); err != nil || !again.Missed {
		t.Errorf("it is not told that too much is lost: %v", err)
	}
	slow.Close() // a second time
}

// TestOffers has what an always may save.
func TestOffers(t *testing.T) {
	offer := func(patterns ...string) []permission.Rule {
		rules := []permission.Rule{}
		for _, p := range patterns {
			rules = append(rules, permission.Rule{Permission: "bash", Pattern: p})
		}
		return rules
	}
	for name, tt := range map[string]struct {
		offers []permission.Rule
		reply  ask.Reply
		saved  string
		err    string
	}{
		"all":            {offer("ls *", "pwd"), ask.Reply{Kind: ask.Always}, "ls *, pwd", ""},
		"narrowed":       {offer("ls *", "pwd"), ask.Reply{Kind: ask.Always, Offers: offer("pwd")}, "pwd", ""},
		"not offered":    {offer("ls *"), ask.Reply{Kind: ask.Always, Offers: offer("*")}, "", "was not offered"},
		"another name":   {offer("ls *"), ask.Reply{Kind: ask.Always, Offers: []permission.Rule{{Permission: "*", Pattern: "ls *"}}}, "", "was not offered"},
		"none ticked":    {offer("ls *"), ask.Reply{Kind: ask.Always, Offers: offer()}, "", "saves nothing"},
		"nothing to be":  {nil, ask.Reply{Kind: ask.Always}, "", "there is no always"},
		"no kind":        {offer("ls *"), ask.Reply{}, "", "use once, always or reject"},
		"allow":          {offer("ls *"), ask.Reply{Kind: "allow"}, "", "use once, always or reject"},
		"scope":          {offer("ls *"), ask.Reply{Kind: ask.Always, Scope: "team"}, "", "use session, project or global"},
		"once, message":  {offer("ls *"), ask.Reply{Kind: ask.Once, Message: "x"}, "", "only a reject"},
		"once, offers":   {offer("ls *"), ask.Reply{Kind: ask.Once, Offers: offer("ls *")}, "", "only an always"},
		"reject, scope":  {offer("ls *"), ask.Reply{Kind: ask.Reject, Scope: ask.Session}, "", "only an always"},
		"longer feedbck": {offer("ls *"), ask.Reply{Kind: ask.Reject, Message: strings.Repeat("x", 1<<20)}, "", "longer than"},
	} {
		w := newWorld(nil)
		r := request("a", "s", "ls")
		r.Offers = tt.offers
		w.begin(t, r)
		result, err := w.broker.Reply(t.Context(), "a", tt.reply)
		var saved []string
		for _, rule := range w.approved {
			saved = append(saved, rule.Pattern)
		}
		if strings.Join(saved, ", ") != tt.saved || len(result.Saved) != len(saved) {
			t.Errorf("%s: saves %v, says %v, want %s", name, saved, result.Saved, tt.saved)
		}
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || w.ids(t) != "a") {
			t.Errorf("%s: %v, pending %q; want %q", name, err, w.ids(t), tt.err)
		}
	}
}

// TestSaveFails shows that an approval that cannot be saved leaves the request as
// it was.
func TestSaveFails(t *testing.T) {
	w := newWorld(nil)
	w.saveErr = errors.New("disk full")
	ticket := w.begin(t, request("a", "s", "ls"))
	if _, err := w.broker.Reply(t.Context(), "a", ask.Reply{Kind: ask.Always}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("the reply says %v", err)
	}
	w.reply(t, "a", ask.Reply{Kind: ask.Once})
	if got := outcome(t, ticket); got != "once" {
		t.Errorf("it ends with %s", got)
	}
}

// TestReplies holds that one of many replies at once wins, and the others are
// told who did.
func TestReplies(t *testing.T) {
	for range 50 {
		w := newWorld(nil)
		ticket := w.begin(t, request("a", "s", "ls"))
		var won atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				kind := []ask.Kind{ask.Once, ask.Reject}[i%2]
				_, err := w.broker.Reply(context.Background(), "a", ask.Reply{Kind: kind, By: string(kind)})
				var answered *ask.AnsweredError
				switch {
				case err == nil:
					won.Add(1)
				case !errors.As(err, &answered):
					t.Errorf("a loser gets %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d replies won", won.Load())
		}
		got := outcome(t, ticket)
		_, err := w.broker.Reply(t.Context(), "a", ask.Reply{Kind: ask.Once})
		var answered *ask.AnsweredError
		if !errors.As(err, &answered) || (answered.Kind == ask.Once) != (got == "once") || !strings.Contains(err.Error(), "by "+string(answered.Kind)) {
			t.Errorf("it ended with %s, and a late reply is told %v", got, err)
		}
	}
	w := newWorld(nil)
	if _, err := w.broker.Reply(t.Context(), "per_unknown", ask.Reply{Kind: ask.Once}); !errors.Is(err, ask.ErrNotPending) {
		t.Errorf("an unknown id: %v", err)
	}
}

// TestEnds has what ends a request that nobody answers.
func TestEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(nil)
		r := request("a", "s", "ls")
		r.Deadline = time.Now().Add(time.Minute)
		start := time.Now()
		if _, err := w.broker.Ask(t.Context(), r); !errors.Is(err, ask.ErrExpired) || time.Since(start) != time.Minute {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := w.broker.Ask(ctx, request("b", "s", "ls")); !errors.Is(err, ask.ErrWithdrawn) {
			t.Errorf("a caller that goes away: %v", err)
		}
		time.AfterFunc(time.Second, func() {
			if err := w.broker.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		if _, err := w.broker.Ask(t.Context(), request("c", "s", "ls")); !errors.Is(err, ask.ErrClosed) {
			t.Errorf("a broker that stops: %v", err)
		}
		if _, err := w.broker.Ask(t.Context(), request("d", "s", "ls")); !errors.Is(err, ask.ErrClosed) {
			t.Errorf("a stopped broker: %v", err)
		}
		if got := w.ids(t); got != "" {
			t.Errorf("pending: %s", got)
		}
	})
}

// TestEndsWhileSaved lets the deadline pass while an approval is being saved: the
// caller is told at once, and whoever replied whether it is saved.
func TestEndsWhileSaved(t *testing.T) {
	for _, tt := range []struct {
		name string
		save func(ctx context.Context) error
		says string
	}{
		{"what waits for a lock is not saved", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "nothing is saved"},
		{"a disk that is slow and full", func(context.Context) error { <-time.After(time.Minute); return errors.New("disk full") }, "nothing is saved"},
		{"a disk that is slow", func(context.Context) error { <-time.After(time.Minute); return nil }, "the approvals are saved"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(nil)
			b := ask.New(ask.Config{Judge: w.judge, Save: func(ctx context.Context, _ *ask.Request, _ []permission.Rule, _ ask.Scope, _ time.Time) error {
				return tt.save(ctx)
			}})
			start := time.Now()
			r := request("a", "s", "ls")
			r.Deadline = start.Add(time.Second)
			replied := make(chan error, 1)
			time.AfterFunc(time.Second/2, func() {
				_, err := b.Reply(context.Background(), "a", ask.Reply{Kind: ask.Always})
				replied <- err
			})
			if _, err := b.Ask(t.Context(), r); !errors.Is(err, ask.ErrExpired) || time.Since(start) != time.Second {
				t.Errorf("%s: it ends after %v with %v", tt.name, time.Since(start), err)
			}
			if err := <-replied; !errors.Is(err, ask.ErrNotPending) || !errors.Is(err, ask.ErrExpired) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: the reply says %v", tt.name, err)
			}
		})
	}
}

// TestReview has what new rules do to what is pending.
func TestReview(t *testing.T) {
	w := newWorld(nil)
	a, b, c := w.begin(t, request("a", "s", "ls")), w.begin(t, request("b", "t", "rm x")), w.begin(t, request("c", "s", "pwd"))
	w.rules = []permission.Rule{{Permission: "bash", Pattern: "ls", Action: permission.Allow}, {Permission: "bash", Pattern: "rm *", Action: permission.Deny}}
	if err := w.broker.Review(t.Context()); err != nil {
		t.Fatal(err)
	}
	if outcome(t, a) != "once" || outcome(t, b) != "DeniedError" || w.ids(t) != "c" {
		t.Errorf("a ends with %s, b with %s, pending %s", outcome(t, a), outcome(t, b), w.ids(t))
	}
	_ = c
}

// TestLimits holds that what is pending is bounded.
func TestLimits(t *testing.T) {
	w := newWorld(ask.NewMemory(5, 2))
	for i := range 2 {
		w.begin(t, request(fmt.Sprintf("a%d", i), "s", "ls"))
	}
	if _, err := w.broker.Ask(t.Context(), request("a2", "s", "ls")); !errors.Is(err, ask.ErrFull) {
		t.Errorf("a third of one session: %v", err)
	}
	for i := range 3 {
		w.begin(t, request(fmt.Sprintf("b%d", i), strconv.Itoa(i), "ls"))
	}
	if _, err := w.broker.Ask(t.Context(), request("c", "t", "ls")); !errors.Is(err, ask.ErrFull) {
		t.Errorf("a sixth in all: %v", err)
	}
	large := newWorld(nil)
	for range 4 {
		r := request("", "s", "ls")
		r.Size = 64 << 20
		large.begin(t, r)
	}
	heavy := request("", "s", "ls")
	heavy.Size = 1
	if _, err := large.broker.Ask(t.Context(), heavy); !errors.Is(err, ask.ErrFull) {
		t.Errorf("more than there is memory for: %v", err)
	}
	var invalid *ask.InvalidError
	w.reply(t, "a1", ask.Reply{Kind: ask.Once})
	if _, err := w.broker.Ask(t.Context(), request("a0", "u", "ls")); !errors.As(err, &invalid) {
		t.Errorf("an id twice: %v", err)
	}
}

// TestIDs holds that ids ascend, however fast they are given.
func TestIDs(t *testing.T) {
	w := newWorld(nil)
	before := ""
	for range 500 {
		id := w.begin(t, request("", "s", "ls")).Request().ID
		if id <= before || !strings.HasPrefix(id, "per_") {
			t.Fatalf("%s follows %s", id, before)
		}
		before = id
	}
}

// TestMany lets sessions ask and people answer at once, and looks for requests
// that are lost or end twice.
func TestMany(t *testing.T) {
	w := newWorld(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var ended atomic.Int64
	var asking, answering sync.WaitGroup
	for s := range 20 {
		asking.Go(func() {
			for i := range 50 {
				_, err := w.broker.Ask(ctx, request("", strconv.Itoa(s), fmt.Sprintf("c%d", i)))
				var rejected *ask.RejectedError
				if err != nil && !errors.As(err, &rejected) {
					t.Error(err)
				}
				ended.Add(1)
			}
		})
	}
	stop := make(chan struct{})
	for n := range 4 {
		answering.Go(func() {
			for i := n; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				list, err := w.broker.List(ctx, "")
				if err != nil {
					t.Error(err)
				}
				for _, r := range list {
					kind := []ask.Kind{ask.Once, ask.Reject, ask.Always}[i%3]
					_, err := w.broker.Reply(ctx, r.ID, ask.Reply{Kind: kind})
					var answered *ask.AnsweredError
					if err != nil && !errors.As(err, &answered) && !errors.Is(err, ask.ErrNotPending) {
						t.Error(err)
					}
				}
			}
		})
	}
	asking.Wait()
	close(stop)
	answering.Wait()
	if ended.Load() != 1000 || w.ids(t) != "" {
		t.Errorf("%d of 1000 ended, pending %q", ended.Load(), w.ids(t))
	}
}

// BenchmarkPending compares what a reply, and a look at one session, cost with 10
// and with 10,000 requests pending.
func BenchmarkPending(b *testing.B) {
	fill := func(n int) *world {
		w := newWorld(nil)
		for i := range n {
			w.begin(b, request("", fmt.Sprint("s", i/10), "ls"))
		}
		return w
	}
	few, many := fill(10), fill(10_000)
	for name, f := range map[string]func(w *world){
		"reply": func(w *world) {
			w.begin(b, request("x", "x", "ls"))
			w.reply(b, "x", ask.Reply{Kind: ask.Once})
		},
		"list": func(w *world) {
			if list, err := w.broker.List(b.Context(), "s0"); err != nil || len(list) != 10 {
				b.Fatal(len(list), err)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			var one, other time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				f(few)
				middle := time.Now()
				f(many)
				one, other = one+middle.Sub(start), other+time.Since(middle)
			}
			b.ReportMetric(float64(other)/float64(one), "x-10-pending")
		})
	}
}
