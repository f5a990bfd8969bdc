//go:build e2e

package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// settle is longer than the console's guard against clicks on what has just
// moved.
const settle = 600 * time.Millisecond

// A tab is a page of the browser that shows the console of a daemon.
type tab struct {
	*testing.T
	*fakeDaemon
	ctx context.Context
}

// browser starts Chromium, once for all tests.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium to look at the console with")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1100, 900),
	}
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// open shows a console with the token, and fails the test if a script of the
// page throws or its policy refuses something.
func open(ctx context.Context, t *testing.T, requests ...object) *tab {
	t.Helper()
	d := newDaemon(t)
	d.pending = append(d.pending, requests...)
	tb := visit(ctx, t, d, "/#token="+token)
	tb.wait(`document.querySelector("#state").textContent === "live"`)
	tb.wait(fmt.Sprintf(`document.querySelectorAll(".card").length === %d`, len(requests)))
	return tb
}

func visit(parent context.Context, t *testing.T, d *fakeDaemon, address string) *tab {
	t.Helper()
	return show(parent, t, d, d.URL+address, time.Minute)
}

// show opens a page in a tab of its own, for a time. The daemon may be nil.
func show(parent context.Context, t *testing.T, d *fakeDaemon, address string, most time.Duration) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, most)
	t.Cleanup(cancel)
	listen := func(event any) {
		if thrown, ok := event.(*runtime.EventExceptionThrown); ok {
			t.Errorf("a script of the page failed: %v", thrown.ExceptionDetails)
		}
	}
	if err := chromedp.Listen(ctx, listen); err != nil {
		t.Fatal(err)
	}
	tb := &tab{t, d, ctx}
	const watch = `addEventListener("securitypolicyviolation", (e) => Promise.reject(new Error("refused: " + e.violatedDirective + " " + e.blockedURI)))`
	call(tb, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	tb.run(chromedp.EmulateViewport(1100, 900), chromedp.Navigate(address))
	return tb
}

func (tb *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	tb.Helper()
	if err := chromedp.Do(tb.ctx, actions...); err != nil {
		tb.Fatal(err)
	}
}

// value runs an action that gives something.
func value[T any](tb *tab, action chromedp.Action[T]) T {
	tb.Helper()
	got, err := chromedp.Run(tb.ctx, action)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func call[P, R any](tb *tab, command cdp.Command[P, R], params P) R {
	tb.Helper()
	got, err := chromedp.Call(tb.ctx, command, params)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

// eval returns what a script gives.
func (tb *tab) eval(script string) any {
	tb.Helper()
	return value(tb, chromedp.Evaluate[any](script))
}

func (tb *tab) text(selector string) string {
	tb.Helper()
	return tb.eval(fmt.Sprintf(`document.querySelector(%q)?.innerText ?? "(none)"`, selector)).(string)
}

// wait waits until a script says true.
func (tb *tab) wait(script string) {
	tb.Helper()
	tb.waitFor(script, 15*time.Second)
}

func (tb *tab) waitFor(script string, most time.Duration) {
	tb.Helper()
	poll := chromedp.Poll[any](script, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(most))
	_, err := chromedp.Run(tb.ctx, poll)
	if err != nil && strings.Contains(err.Error(), "context") { // the page was loaded again
		_, err = chromedp.Run(tb.ctx, poll)
	}
	if err != nil {
		tb.Fatalf("%s: %v\nThe page:\n%s", script, err, tb.text("body"))
	}
}

func (tb *tab) want(script string, want any) {
	tb.Helper()
	if diff := cmp.Diff(want, tb.eval(script)); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", script, diff)
	}
}

// click clicks with the mouse, once what is there has been there for a while.
func (tb *tab) click(selector string) {
	tb.Helper()
	tb.run(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Sleep(settle), chromedp.Click(chromedp.CSS(selector)))
}

func (tb *tab) keys(keys string) {
	tb.Helper()
	for _, r := range keys {
		for _, event := range kb.Encode(r) {
			if event.Type == input.DispatchKeyEventTypeKeyDown {
				event.Type = input.DispatchKeyEventTypeRawKeyDown // so that a key that the page takes writes nothing, as a real one
			}
			call(tb, input.DispatchKeyEvent, *event)
		}
	}
}

func (tb *tab) focus(card string) {
	tb.Helper()
	tb.run(chromedp.Focus(chromedp.CSS(card)))
}

// got waits for a request that changes something.
func (tb *tab) got() received {
	tb.Helper()
	select {
	case r := <-tb.received:
		return r
	case <-time.After(10 * time.Second):
		tb.Fatalf("the daemon got nothing; the page:\n%s", tb.text("body"))
		return received{}
	}
}

// nothing says that the daemon got no request that changes something.
func (tb *tab) nothing() {
	tb.Helper()
	tb.run(chromedp.Sleep(100 * time.Millisecond))
	select {
	case r := <-tb.received:
		tb.Errorf("the daemon got %v", r)
	default:
	}
}

func (tb *tab) wantReply(id string, body object) {
	tb.Helper()
	if diff := cmp.Diff(received{"POST", "/v1/pending/" + id + "/reply", body}, tb.got(), cmp.AllowUnexported(received{})); diff != "" {
		tb.Errorf("the reply (-want +got):\n%s", diff)
	}
}

func (tb *tab) screenshot(name string) {
	tb.Helper()
	dir := os.Getenv("PERMCTL_SCREENSHOTS")
	if dir == "" {
		return
	}
	png := value(tb, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		tb.Fatal(err)
	}
}

func card(id string) string { return fmt.Sprintf(`.card[data-id="%s"]`, id) }

func TestConsole(t *testing.T) {
	ctx := browser(t)
	for _, tt := range []struct {
		name string
		test func(context.Context, *testing.T)
	}{
		{"token", testToken},
		{"cards", testCards},
		{"marks", testMarks},
		{"once", testOnce},
		{"always", testAlways},
		{"reject", testReject},
		{"no always", testNoAlways},
		{"keys", testKeys},
		{"moved", testMoved},
		{"somebody else", testSomebodyElse},
		{"hostile text", testHostile},
		{"connection", testConnection},
		{"views", testViews},
		{"many", testMany},
		{"long", testLong},
		{"looks", testLooks},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(ctx, t) })
	}
}

func testToken(ctx context.Context, t *testing.T) {
	tb := open(ctx, t)
	tb.want(`location.href.includes("token") || document.documentElement.outerHTML.includes("`+token+`")`, false)
	tb.want(`location.hash`, "")
	tb.want(`localStorage.length + document.cookie.length`, 0.0)

	tb = visit(ctx, t, newDaemon(t), "/")
	tb.wait(`!document.querySelector("#gate").hidden`)
	if got := tb.text("#gate"); !strings.Contains(got, "permctl serve --listen") || !strings.Contains(got, "permctl status") {
		t.Errorf("without a token, the page does not say what to run: %s", got)
	}
	tb.screenshot("token")
	tb.run(chromedp.SendKeys(chromedp.CSS("#token"), "wrong\r"))
	tb.wait(`document.querySelector("#gate-why").textContent.includes("did not take the token")`)
	tb.want(`sessionStorage.length`, 0.0)
	tb.run(chromedp.SendKeys(chromedp.CSS("#token"), tb.URL+"/#token="+token+"\r"))
	tb.wait(`document.querySelector("#state").textContent === "live" && document.querySelector("#gate").hidden`)
	tb.want(`document.querySelector("#token").value`, "")
}

func testCards(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"))
	tb.want(`document.title`, "(1) permctl")
	tb.focus(card("per_1"))
	tb.asks(push("per_2"), push("per_3"))
	tb.wait(`document.querySelectorAll(".card").length === 3`)
	tb.want(`[...document.querySelectorAll(".card")].map((card) => card.dataset.id).join()`, "per_1,per_2,per_3")
	tb.want(`document.title`, "(3) permctl")
	tb.want(`document.activeElement.dataset.id`, "per_1")
	if got := tb.eval(`document.querySelector("#live").textContent`).(string); !strings.Contains(got, "git push origin per_3") || !strings.Contains(got, "3 asks wait") {
		t.Errorf("a new ask is announced as %q", got)
	}
	tb.want(`document.querySelector(".others").textContent`, "Reject also rejects 2 other asks of this session.")
}

func testMarks(ctx context.Context, t *testing.T) {
	request := shell("per_1", "echo 'über 🎉 naïve' && git push origin main; rm -rf build | tee log",
		part{"echo 'über 🎉 naïve'", "echo", "allow", nil},
		part{"git push origin main", "git push", "ask", object{"effects": []string{"network"}, "dir": "app"}},
		part{"rm -rf build", "rm", "deny", object{"effects": []string{"delete"}, "hazards": []object{{"kind": "option", "word": "-rf", "reason": "removes without asking"}}, "files": []object{{"path": "build", "access": "write"}}}},
		part{"tee log", "tee", "allow", object{"asks": true, "unparsed": "its input is not known"}})
	request["paths"] = []object{{"path": "/etc/x", "access": "write", "inside": false}, {"path": "log", "access": "write", "inside": true}}
	decision := request["decision"].(object)
	decision["floors"] = []object{{"name": "hazards", "action": "ask", "reason": "tee log runs what it reads", "target": "tee log"}}
	decision["findings"] = []object{{"policy": "org.git", "action": "ask", "reason": "pushes need a person", "target": ""}}
	tb := open(ctx, t, request)
	const marks = `[...document.querySelectorAll(".card pre mark")].map((mark) => mark.className + " " + mark.textContent).join("|")`
	tb.want(marks, "ask git push origin main|ask rm -rf build|ask tee log")
	tb.want(`document.querySelector(".card pre").textContent`, "echo 'über 🎉 naïve' && git push origin main; rm -rf build | tee log")
	why, facts := tb.text(".why"), tb.text(".facts")
	for _, want := range []string{
		`bash: "git push *" → ask`, "global layer, /home/ann/.config/permctl/settings.yaml:7", "floor hazards: tee log runs what it reads", "policy org.git: pushes need a person",
	} {
		if !strings.Contains(why, want) {
			t.Errorf("the reasons do not have %q:\n%s", want, why)
		}
	}
	for _, want := range []string{"network", "hazard: -rf: removes without asking", "not understood: its input is not known", "build: write", "/etc/x outside the workspace", "log inside the workspace", "in app"} {
		if !strings.Contains(facts, want) {
			t.Errorf("the facts do not have %q:\n%s", want, facts)
		}
	}
}

func testOnce(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"), push("per_2"))
	tb.click(card("per_1") + " button.once")
	tb.wantReply("per_1", object{"reply": "once", "by": "console"})
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	tb.want(`document.querySelectorAll("#log li").length`, 1.0)
	tb.focus(card("per_2"))
	tb.keys("j")
	tb.screenshot("focus")
	if got := tb.text("#log"); !strings.Contains(got, "allowed once by you") {
		t.Errorf("the answer is noted as %q", got)
	}
	tb.nothing()
}

func testAlways(ctx context.Context, t *testing.T) {
	line := "git push origin main && npm test"
	tb := open(ctx, t, shell("per_1", line, part{"git push origin main", "git push", "ask", nil}, part{"npm test", "npm test", "ask", nil}))
	tb.want(`document.querySelector(".offers").hidden`, true)
	tb.click("button.always")
	tb.want(`[...document.querySelectorAll(".offers input[type=checkbox]")].every((box) => box.checked)`, true)
	tb.want(`document.querySelector(".offers input[type=radio]:checked").value + document.querySelector(".offers select").value`, "project")
	if got := tb.text(".offers"); !strings.Contains(got, "git push *") || !strings.Contains(got, "for example git push, git push origin main") {
		t.Errorf("the offers are %s", got)
	}
	tb.click(".offer .link")
	tb.wait(`document.querySelectorAll(".preview .records li").length === 2`)
	if got := tb.text(".preview"); !strings.Contains(got, "git push origin fix-login") || !strings.Contains(got, "git push --force origin main") {
		t.Errorf("the preview is %s", got)
	}
	tb.screenshot("always")
	tb.click(".offer:nth-of-type(1) label")
	tb.click(`.offers input[value="global"]`)
	tb.run(chromedp.SetValue(chromedp.CSS(".offers select"), "8h"))
	tb.want(`document.querySelector(".offers button.once").textContent`, "Save 1 pattern and allow")
	tb.click(".offers button.once")
	tb.wantReply("per_1", object{
		"reply": "always", "by": "console", "scope": "global", "for": "8h", "offers": []any{object{"permission": "bash", "pattern": "npm test *"}},
	})
	tb.wait(`document.querySelectorAll(".card").length === 0`)
	if got := tb.text("#log"); !strings.Contains(got, "saved: npm test *") {
		t.Errorf("the answer is noted as %q", got)
	}

	tb = open(ctx, t, push("per_2"))
	tb.click("button.always")
	tb.click(".offer label")
	tb.click(".offers button.once")
	tb.wait(`document.querySelector(".error").textContent.includes("No pattern is ticked")`)
	tb.nothing()
}

func testReject(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"), push("per_2"))
	tb.run(chromedp.SendKeys(chromedp.CSS(card("per_1")+" input"), "use a branch"))
	tb.click(card("per_1") + " button.reject")
	tb.wantReply("per_1", object{"reply": "reject", "message": "use a branch", "by": "console"})
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	tb.click(card("per_2") + " button.reject")
	tb.wantReply("per_2", object{"reply": "reject", "by": "console"})
}

func testNoAlways(ctx context.Context, t *testing.T) {
	request := push("per_1")
	request["offers"] = []object{}
	tb := open(ctx, t, request)
	tb.want(`document.querySelectorAll("button.always, .offers").length`, 0.0)
	if got := tb.text(".answers"); !strings.Contains(got, "There is no “Always” for this one") {
		t.Errorf("nothing says why: %s", got)
	}
	tb.focus(card("per_1"))
	tb.keys("aa")
	tb.nothing()
}

func testKeys(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"), push("per_2"), push("per_3"), push("per_4"))
	tb.keys("oar") // nothing is in focus
	tb.nothing()
	tb.keys("j")
	tb.want(`document.activeElement.dataset.id`, "per_1")
	tb.keys("j" + kb.ArrowDown + "kj")
	tb.want(`document.activeElement.dataset.id`, "per_3")

	tb.keys("m")
	tb.keys("o a r j ?")
	tb.want(`document.activeElement.value`, "o a r j ?")
	tb.nothing()
	tb.keys(kb.Escape)
	tb.want(`document.activeElement.dataset.id`, "per_3")
	tb.keys("m" + kb.Enter)
	tb.want(`document.activeElement.textContent`, "Reject")
	tb.nothing()
	tb.keys("r")
	tb.wantReply("per_3", object{"reply": "reject", "message": "o a r j ?", "by": "console"})
	tb.wait(`document.activeElement.dataset.id === "per_4"`)
	tb.keys("o") // too early: the focus has only just come here
	tb.nothing()
	tb.run(chromedp.Sleep(settle))
	tb.keys("o")
	tb.wantReply("per_4", object{"reply": "once", "by": "console"})

	tb.wait(`document.querySelectorAll(".card").length === 2`)
	tb.focus(card("per_1"))
	held := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "o", AutoRepeat: new(true)}
	call(tb, input.DispatchKeyEvent, held)
	tb.nothing()
	tb.keys("aa") // the second is too early to be meant
	tb.want(`document.querySelector(".offers").hidden`, false)
	tb.nothing()
	tb.run(chromedp.Sleep(settle))
	tb.keys("a")
	tb.wantReply("per_1", object{"reply": "always", "scope": "project", "offers": []any{object{"permission": "bash", "pattern": "git push *"}}, "by": "console"})

	// A card that somebody else answers does not hand the focus on.
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	tb.focus(card("per_2"))
	tb.asks(push("per_5"))
	tb.replied("per_2", "once", "ann", "")
	tb.wait(`!document.querySelector('[data-id="per_2"]')`)
	tb.want(`document.activeElement.id`, "asks-title")
	tb.keys("?")
	tb.wait(`document.querySelector("#help").open`)
	tb.keys("o")
	tb.nothing()
}

func testMoved(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"), push("per_2"))
	tb.run(chromedp.Sleep(settle))
	// What moves up under the pointer takes no click.
	tb.replied("per_1", "once", "ann", "")
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	at := tb.eval(`(({ x, y }) => [x + 20, y + 20])(document.querySelector(".card button.once").getBoundingClientRect())`).([]any)
	press := func() {
		tb.run(chromedp.MouseClickXY(at[0].(float64), at[1].(float64)))
	}
	press()
	tb.nothing()
	tb.want(`document.querySelector("#toast").textContent.includes("Click again")`, true)
	tb.run(chromedp.Sleep(settle))

	// A new card, and what is written in another, move nothing.
	tb.asks(push("per_3"))
	tb.wait(`document.querySelectorAll(".card").length === 2`)
	press()
	tb.wantReply("per_2", object{"reply": "once", "by": "console"})
}

func testSomebodyElse(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"), push("per_2"), push("per_3"))
	tb.replied("per_1", "reject", "bob (permctl reply, uid 1000)", "not on a Friday")
	tb.wait(`document.querySelectorAll(".card").length === 2`)
	tb.wait(`document.querySelector("#log").innerText.includes("rejected by bob (permctl reply, uid 1000): not on a Friday")`)
	tb.set(func() { tb.conflict = "already allowed once by bob" })
	tb.click(card("per_2") + " button.once")
	tb.got()
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	tb.wait(`document.querySelector("#log").innerText.includes("not answered by you: already allowed once by bob")`)
	tb.set(func() { tb.conflict, tb.pending = "", nil })
	tb.click(card("per_3") + " button.once")
	tb.got()
	tb.wait(`document.querySelectorAll(".card").length === 0 && document.querySelector("#log").innerText.includes("no such request")`)
	tb.want(`document.title`, "permctl")

	// Its time runs out, and no event says so.
	late := push("per_4")
	late["deadline"] = time.Now().Add(time.Second)
	tb.asks(late)
	tb.wait(`document.querySelectorAll(".card").length === 1`)
	tb.set(func() { tb.pending = nil })
	tb.wait(`document.querySelectorAll(".card").length === 0 && document.querySelector("#log").innerText.includes("no longer waits")`)
}

func testHostile(ctx context.Context, t *testing.T) {
	evil := `<img src=x onerror="document.title='pwned'">`
	line := "echo " + evil + " \u202egnp.exe\u202c\x1b[2K\u200b\nx"
	request := shell("per_1", line, part{"echo " + evil, "echo", "ask", object{"effects": []string{evil}, "files": []string{evil}, "wrappers": []string{evil}, "unparsed": evil}})
	for _, field := range []string{"sessionID", "agent", "workspace"} {
		request[field] = evil
	}
	request["needs"] = []string{evil}
	request["offers"] = []object{{"permission": evil, "pattern": evil, "examples": []string{evil}}}
	request["decision"].(object)["findings"] = []object{{"policy": evil, "action": "deny", "reason": evil, "target": evil}}
	other := object{"id": "per_2", "sessionID": "s1", "permission": "mcp_" + evil, "metadata": object{"tool": evil, "input": object{evil: evil}}, "asked": time.Now(), "offers": nil}
	tb := open(ctx, t, request, other)
	tb.set(func() { tb.decisions = []object{record(1, "ask", evil)} })
	tb.replied("per_2", "reject", evil, evil)
	tb.wait(`document.querySelectorAll("#log li").length === 1`)
	tb.click("button.always")
	tb.eval(`location.hash = "decisions"`)
	tb.wait(`document.querySelectorAll(".decisions li").length === 1`)
	tb.want(`document.querySelectorAll("main img, main script, #toast img").length`, 0.0)
	tb.want(`document.title`, "(1) permctl")
	tb.want(`document.querySelector(".card pre").textContent`, "echo "+evil+" RLOgnp.exePDFESC[2KZWSP⏎\nx")
	tb.want(`document.querySelector(".card .warn").textContent.includes("cannot be seen")`, true)
	tb.want(`getComputedStyle(document.querySelector(".card pre")).unicodeBidi`, "isolate-override")
}

func testConnection(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"))
	tb.asks(push("per_2"))
	tb.wait(`document.querySelectorAll(".card").length === 2`)
	tb.drop()
	tb.wait(`document.querySelector("#state").textContent.startsWith("not connected")`)
	tb.asks(push("per_3")) // while nobody listens
	tb.wait(`document.querySelector("#state").textContent === "live"`)
	tb.wait(`document.querySelectorAll(".card").length === 3`)
	tb.set(func() {
		if diff := cmp.Diff([]string{"", "1"}, tb.lastIDs); diff != "" {
			t.Errorf("the events that listeners had (-want +got):\n%s", diff)
		}
		tb.pending = []object{push("per_4")}
	})
	tb.send("reset", object{})
	tb.wait(`[...document.querySelectorAll(".card")].map((card) => card.dataset.id).join() === "per_4"`)
	tb.CloseClientConnections()
	tb.drop()
	tb.wait(`document.querySelector("#state").textContent === "live"`)
}

func testViews(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, push("per_1"))
	tb.set(func() {
		for id := 260; id > 20; id-- {
			tb.decisions = append(tb.decisions, record(id, []string{"allow", "ask", "deny"}[id%3], fmt.Sprintf("git push origin topic-%d", id)))
		}
		tb.approvals = []object{
			{"permission": "bash", "pattern": "npm test *", "scope": "project", "session": "", "expires": nil, "source": "/home/ann/.local/state/permctl/approved/b011ea26.jsonl:1"},
			{"permission": "bash", "pattern": "git push *", "scope": "session", "session": "s1", "expires": time.Now().Add(time.Hour), "source": ""},
		}
	})
	tb.click(`nav a[href="#decisions"]`)
	tb.wait(`document.querySelectorAll(".decisions li").length === 50`)
	tb.screenshot("decisions")
	tb.eval(`document.querySelector("#decisions-list > .link").click()`)
	tb.wait(`document.querySelectorAll(".decisions li").length === 240`)
	tb.run(chromedp.SendKeys(chromedp.CSS("#search"), "topic-25"))
	tb.wait(`document.querySelectorAll(".decisions li").length === 11`)
	tb.run(chromedp.SetValue(chromedp.CSS("#action"), "deny"))
	tb.eval(`document.querySelector("#action").dispatchEvent(new Event("change"))`)
	tb.wait(`document.querySelectorAll(".decisions li").length === 3`)
	tb.send("decision", record(300, "allow", "git push topic-25x"))
	tb.send("decision", record(301, "deny", "git push topic-25y"))
	tb.wait(`document.querySelectorAll(".decisions li").length === 4 && document.querySelector(".decisions li").innerText.includes("topic-25y")`)

	tb.click(`nav a[href="#rules"]`)
	tb.wait(`document.querySelectorAll(".layer").length === 3`)
	tb.want(`document.querySelector(".layer:nth-of-type(2) tbody").rows.length`, 2.0)
	tb.screenshot("rules")
	tb.click(`nav a[href="#approvals"]`)
	tb.wait(`document.querySelectorAll(".approval").length === 2`)
	tb.click(".approval button")
	tb.nothing()
	tb.want(`document.activeElement.textContent`, "Keep it")
	tb.screenshot("approvals")
	tb.click(".approval button.reject")
	want := received{"DELETE", "/v1/approvals", object{"permission": "bash", "pattern": "npm test *", "scope": "project", "start": "/home/ann/app", "session": ""}}
	if diff := cmp.Diff(want, tb.got(), cmp.AllowUnexported(received{})); diff != "" {
		t.Errorf("the revocation (-want +got):\n%s", diff)
	}
	tb.wait(`document.querySelectorAll(".approval").length === 1`)

	tb.click(`nav a[href="#status"]`)
	tb.wait(`document.querySelector("#status-list").innerText.includes("127.0.0.1:7411")`)
	tb.set(func() { tb.status["problem"] = "settings.yaml:3: unknown action \"alow\" (did you mean \"allow\"?)" })
	tb.send("status", tb.status)
	tb.wait(`document.querySelector("#problem").innerText.includes("did you mean")`)
	tb.screenshot("status")
}

func testMany(ctx context.Context, t *testing.T) {
	var requests []object
	for i := range 120 {
		requests = append(requests, push(fmt.Sprintf("per_%03d", i)))
	}
	d := newDaemon(t)
	d.pending = requests
	tb := visit(ctx, t, d, "/#token="+token)
	tb.wait(`document.querySelectorAll(".card").length === 50`)
	tb.want(`document.title`, "(120) permctl")
	tb.eval(`document.querySelector("#more").click()`)
	tb.wait(`document.querySelectorAll(".card").length === 100`)
	tb.replied("per_000", "once", "ann", "")
	tb.wait(`document.querySelector(".card").dataset.id === "per_001" && document.title === "(119) permctl"`)
	tb.want(`document.querySelectorAll(".card").length`, 100.0)
}

func testLong(ctx context.Context, t *testing.T) {
	var lines []string
	var parts []part
	for i := range 300 {
		lines = append(lines, fmt.Sprintf("echo %d ü", i))
		parts = append(parts, part{lines[i], "echo", "allow", nil})
	}
	lines, parts = append(lines, "rm -rf /srv"), append(parts, part{"rm -rf /srv", "rm", "ask", nil})
	tb := open(ctx, t, shell("per_1", strings.Join(lines, "\n"), parts...))
	tb.want(`document.querySelector(".card pre mark").textContent`, "rm -rf /srv")
	tb.want(`document.querySelectorAll(".part > .segments li").length`, 1.0)
	tb.want(`document.querySelector(".part summary").textContent`, "300 commands that no one has to decide")
	tb.want(`document.querySelectorAll("details .segments li").length`, 50.0)
	tb.want(`document.querySelector(".card pre").offsetHeight < 400`, true)
	tb.click("pre + .link")
	tb.want(`document.querySelector(".card pre").offsetHeight > 4000`, true)
}

// testLooks opens a page that has something of everything, at several widths
// and in both schemes.
func testLooks(ctx context.Context, t *testing.T) {
	tb := open(ctx, t, sights()...)
	tb.set(func() {
		tb.decisions = []object{record(3, "deny", strings.Repeat("long", 100)), record(2, "ask", "git push origin main")}
	})
	for _, scheme := range []string{"light", "dark"} {
		call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		for _, width := range []int64{1100, 360} {
			tb.run(chromedp.EmulateViewport(width, 800))
			for _, view := range []string{"decisions", "rules", "approvals", "status", "asks"} {
				tb.eval(fmt.Sprintf("location.hash = %q", view))
				tb.wait(fmt.Sprintf("!document.querySelector('#%s').hidden", view))
				if got := tb.eval(`document.documentElement.scrollWidth`).(float64); got > float64(width) {
					t.Errorf("%s is %v wide on a page of %d", view, got, width)
				}
				if low := tb.eval(contrast).(string); low != "" {
					t.Errorf("%s, %s: too little contrast:\n%s", view, scheme, low)
				}
			}
			tb.screenshot(fmt.Sprintf("asks-%s-%d", scheme, width))
		}
	}
	tb.want(`getComputedStyle(document.body).backgroundColor`, "rgb(20, 23, 28)")
	tb.eval(`document.querySelectorAll("button.always, details:not([open]) summary").forEach((each) => each.click())`)
	for _, view := range []string{"asks", "decisions", "rules", "approvals", "status"} {
		tb.eval(fmt.Sprintf("location.hash = %q", view))
		tb.wait(fmt.Sprintf("!document.querySelector('#%s').hidden", view))
		tb.named(view)
	}
}

// named says that every control has a name, and headings and landmarks are
// there.
func (tb *tab) named(view string) {
	tb.Helper()
	nodes := call(tb, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	controls := map[string]bool{"button": true, "checkbox": true, "radio": true, "textbox": true, "searchbox": true, "combobox": true, "link": true, "article": true, "region": true, "group": false}
	roles := map[string]int{}
	for _, node := range nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		role := strings.Trim(string(node.Role.Value), `"`)
		roles[role]++
		if controls[role] && (node.Name == nil || strings.Trim(string(node.Name.Value), `" `) == "") {
			tb.Errorf("%s: a %s has no name", view, role)
		}
	}
	for _, role := range []string{"main", "banner", "navigation", "heading", "status"} {
		if roles[role] == 0 {
			tb.Errorf("%s: there is no %s", view, role)
		}
	}
}

// contrast is a script that returns the texts whose contrast is below AA.
const contrast = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const rgb = (color, under) => {
		canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
		return canvas.getImageData(0, 0, 1, 1).data;
	};
	const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = (node) => {
		for (; node; node = node.parentElement) {
			const color = getComputedStyle(node).backgroundColor;
			if (!/, 0\)$|transparent/.test(color)) return color;
		}
		return "white";
	};
	const low = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text = walker.nextNode(); text; text = walker.nextNode()) {
		const node = text.parentElement;
		if (!text.data.trim() || !node.checkVisibility() || node.closest("option, [aria-busy=true]")) continue;
		const under = ground(node);
		const [a, b] = [light(rgb(getComputedStyle(node).color, under)), light(rgb(under, "white"))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) low.add(ratio.toFixed(2) + " " + node.tagName + "." + node.className + " " + text.data.slice(0, 30));
	}
	return [...low].join("\n");
})()`
