//go:build unix

package inbox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
	"golang.org/x/term"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
	"github.com/permctl/permctl/internal/inbox"
)

// TestMain runs the tests, or, in a process that a test has started in a
// terminal, an inbox.
func TestMain(m *testing.M) {
	socket := os.Getenv("INBOX_SOCKET")
	if socket == "" {
		m.Run()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c, err := client.Dial(socket)
	if err != nil {
		panic(err)
	}
	if err := inbox.Run(ctx, inbox.Config{Client: c, In: os.Stdin, Out: os.Stdout, Colour: os.Getenv("NO_COLOR") == ""}); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stdout, "left")
}

// A terminal is an emulated one in which an inbox runs.
type terminal struct {
	t    *testing.T
	pty  *os.File
	tty  *os.File
	vt   vt10x.Terminal
	cmd  *exec.Cmd
	done chan error

	mu   sync.Mutex // guards what follows
	sent strings.Builder
	rest []byte // the beginning of a character
}

// start runs an inbox in a terminal.
func start(t *testing.T, socket string, columns, rows int, env ...string) *terminal {
	t.Helper()
	x := &terminal{t: t, vt: vt10x.New(vt10x.WithSize(columns, rows)), done: make(chan error, 1)}
	var err error
	if x.pty, x.tty, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
	x.cmd = exec.CommandContext(t.Context(), os.Args[0])
	x.cmd.Env = append(append(os.Environ(), "INBOX_SOCKET="+socket, "NO_COLOR="), env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.tty, x.tty, x.tty
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(writer{x}, x.pty) // ends with the terminal
	}()
	go func() { x.done <- x.cmd.Wait() }()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.tty.Close()
		_ = x.pty.Close()
		<-read
	})
	return x
}

// A writer is the terminal's side to which the inbox writes.
type writer struct{ *terminal }

func (w writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent.Write(p)
	w.rest = append(w.rest, p...)
	n, err := w.vt.Write(w.rest)
	w.rest = w.rest[n:]
	return len(p), err
}

// screen returns the lines of the screen that are not empty.
func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var lines []string
	for line := range strings.Lines(x.vt.String()) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// raw returns all that the inbox has written.
func (x *terminal) raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.sent.String()
}

// see waits until the screen matches all patterns, and none that begins with !.
func (x *terminal) see(patterns ...string) {
	x.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		text, missing := x.screen(), ""
		for _, pattern := range patterns {
			wanted, not := strings.CutPrefix(pattern, "!")
			if regexp.MustCompile("(?m)"+wanted).MatchString(text) == not {
				missing = pattern
			}
		}
		if missing == "" {
			return
		}
		select {
		case <-limit:
			x.t.Fatalf("the screen does not show %q:\n%s", missing, text)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.pty, keys); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits until the inbox has ended, and asserts that the terminal is as it was.
func (x *terminal) ends() {
	x.t.Helper()
	select {
	case err := <-x.done:
		if err != nil {
			x.t.Errorf("the inbox has ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		x.t.Fatal("the inbox does not end")
	}
	x.see("^left")
	if mode := x.vt.Mode(); mode&vt10x.ModeAltScreen != 0 || mode&vt10x.ModeHide != 0 || mode&vt10x.ModeWrap == 0 {
		x.t.Errorf("the terminal is left in mode %b", mode)
	}
	if raw := x.raw(); !strings.Contains(raw, "\x1b[?2004l") || !strings.Contains(raw, "left\r\n") {
		x.t.Errorf("the terminal is left raw: %q", raw[max(len(raw)-80, 0):])
	}
}

func TestAnswers(t *testing.T) {
	d := &clienttest.Daemon{Preview: api.Preview{Past: []api.Record{{Title: "git push origin"}}, Denied: []api.Record{{Title: "git push evil"}}}}
	for _, id := range []string{"per_1", "per_2", "per_3", "per_4"} {
		p := pushing(id)
		p.Title, p.SessionID = "call "+id, id
		d.Add(p)
	}
	x := start(t, clienttest.Start(t, d), 80, 24)
	x.see("^permctl inbox  4 waiting  connected$", "^> .*call per_1", "^cd sub && git push --force; ls$", "^! git push --force", "in settings.yaml:3")
	if raw := x.raw(); !strings.Contains(raw, "\x1b[1;4;33mgit push --force\x1b[0m; ls") {
		t.Errorf("what decides is not marked: %q", raw)
	}

	// once; the answered one stays chosen, and keys do it no harm
	x.press("o")
	x.see("3 waiting", "^> allowed once by you +call per_1")
	x.press("o")
	x.see("^already allowed once by you$", "3 waiting")

	// always, with one of the patterns and another scope
	x.press("j")
	x.see("^> .*call per_2", "!call per_1")
	x.press("a")
	x.see("^always, in: this project$", `^> \[x\] bash  git push \*$`, `^  \[x\] bash  git push$`, `past calls that it covers \(1\): git push origin`, "were denied.*git push evil")
	x.press("j s")
	x.see(`^  \[x\] bash  git push \*$`, `^> \[ \] bash  git push$`, "^always, in: all projects$")
	x.press("s")
	x.see("^always, in: this session only$")
	x.press("\r")
	x.see("2 waiting", "^> allowed always by you +call per_2")

	// reject, by arrow keys
	x.press("\x1b[B")
	x.see("^> .*call per_3")
	x.press("r")
	x.see("1 waiting", "^> rejected by you +call per_3")

	// reject with a message, edited
	x.press("\x1b[B")
	x.see("^> .*call per_4")
	x.press("m")
	x.see("^message:")
	x.press("use a branxh\x1b[D\x7fc")
	x.see("^message: use a branch")
	x.press("\r")
	x.see("0 waiting", "^> rejected by you: use a")
	x.press("q")
	x.ends()

	want := []api.Reply{
		{Reply: api.Once, By: "permctl inbox"},
		{Reply: api.Always, Scope: api.Session, Offers: []api.Offer{{Permission: "bash", Pattern: "git push *"}}, By: "permctl inbox"},
		{Reply: api.Reject, By: "permctl inbox"},
		{Reply: api.Reject, Message: "use a branch", By: "permctl inbox"},
	}
	if diff := cmp.Diff(want, d.Replies()); diff != "" {
		t.Error(diff)
	}
}

// TestOthers asserts that what others do is shown, and that nothing of it moves
// what keys are meant for.
func TestOthers(t *testing.T) {
	d := &clienttest.Daemon{}
	x := start(t, clienttest.Start(t, d), 80, 24)
	x.see("0 waiting  connected", "^nothing waits for an answer$")
	x.press("o")
	x.see("^nothing waits for an answer\n(?s:.*)\nnothing waits")
	for _, id := range []string{"per_5", "per_3", "per_7"} {
		d.Add(api.Pending{ID: id, Title: "call " + id})
		x.see("call "+id, "^> .*call per_5")
	}

	// another one is answered
	d.Answer("per_3", api.Reject, "ann (console)", "no")
	x.see("!^  .*call per_3", "^call per_3: rejected by ann .console.: no$", "^> .*call per_5")

	// the chosen one is answered, while a message is typed
	x.press("m")
	x.see("^message:")
	x.press("jo")
	d.Answer("per_5", api.Once, "ann (console)", "")
	x.see("^> allowed once by ann .console. +call per_5", "^already answered message: jo")
	x.press("q\r")
	x.see("^already allowed once by ann .console.$")
	x.press("a")
	x.press("r")
	x.press("j")
	x.see("^> .*call per_7", "!per_5", "1 waiting")

	// there is no always, and what is pasted is no answer
	x.press("a")
	x.see("^there is no always for this call: answer once or reject$")
	x.press("\x1b[200~o\nr\x1b[201~")
	x.see("^what is pasted is no answer$", "^> .*call per_7")
	x.press("?")
	x.see("once: let this one call pass")
	x.press("x")
	x.see("!once: let this one call pass")
	if got := d.Replies(); len(got) != 0 {
		t.Errorf("replies are %+v, want none", got)
	}
	x.press("\x03")
	x.ends()
}

// TestLost asserts that a lost connection is shown, and found again with all that
// has happened.
func TestLost(t *testing.T) {
	d := &clienttest.Daemon{}
	d.Add(api.Pending{ID: "per_1", Title: "call per_1"})
	socket := clienttest.Start(t, d) + "2"
	stop := clienttest.Listen(t, d, socket)
	x := start(t, socket, 80, 24)
	x.see("1 waiting  connected", "^> .*call per_1")
	stop()
	x.see("not connected: no daemon runs; trying again$", "^> .*call per_1")
	x.press("o")
	x.see("^not answered: no daemon runs at ")
	d.Answer("per_1", api.Once, "ann", "")
	d.Add(api.Pending{ID: "per_2", Title: "call per_2"})
	t.Cleanup(clienttest.Listen(t, d, socket))
	x.see("1 waiting  connected", "^  .*call per_2", "^> .* +call per_1")
	d.Put(api.Pending{ID: "per_3", Title: "call per_3"})
	d.Tell(api.EventDecision, api.Record{})
	d.Tell(api.EventReset, struct{}{})
	x.see("2 waiting", "^  .*call per_3")
	x.press("q")
	x.ends()
}

var allowed = regexp.MustCompile(`\x1b\[(\?(1049|25|7|2004)[hl]|8[hl]|2J|K|\d+;1H|[\d;]*m)|[\r\n]`)

// TestHostile asserts that no text of a call reaches the terminal as more than
// visible characters, in any size, and that resizing shows the same.
func TestHostile(t *testing.T) {
	d := &clienttest.Daemon{}
	p := pushing("per_1")
	bad := "\x1b[2J\x1b]0;owned\a\u009b31m\u202e\u2066\u200b e\u0301\u0302\u0303 漢字漢字 \x00\r\xff"
	shell := "echo " + bad + strings.Repeat("x漢", 1<<18) + "\nrm -rf /last"
	p.Title, p.SessionID, p.Workspace = shell, bad, bad
	p.Metadata.Input = map[string]any{"command": shell, bad: bad}
	p.Commands = append(p.Commands, api.Command{Text: bad, Unparsed: bad, Start: 5, End: 40})
	p.Offers = []api.Offer{{Permission: bad, Pattern: bad}}
	p.Decision.Requests[0].Targets[0].Rule.Source = bad
	d.Preview = api.Preview{Examples: []string{bad}}
	d.Add(p)
	x := start(t, clienttest.Start(t, d), 80, 24, "NO_COLOR=1")
	x.see("1 waiting  connected", `^> .*echo \\x1b\[2J\\x1b\]0;owned\\x07\\u009b31m\\u202e`, "lines 1 to .* more below")
	for _, size := range [][2]int{{40, 10}, {20, 6}, {10, 3}, {1, 1}, {200, 50}, {40, 10}} {
		x.mu.Lock()
		x.vt.Resize(size[0], size[1])
		x.mu.Unlock()
		if err := pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])}); err != nil {
			t.Fatal(err)
		}
		if size[0] >= 20 {
			x.see("^permctl inbox  1 wa", "^> ")
			x.press("a")
			x.see(`\[x\]`)
			x.press("\x1b")
			x.see(`!\[x\]`)
		}
	}
	x.press("G")
	x.see("^id: per_1$|^session: ")
	d.Answer("per_1", api.Reject, bad, bad)
	x.see("^> rejected by")
	x.press("q")
	x.ends()
	rest := allowed.ReplaceAllString(x.raw(), "")
	for _, r := range rest {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e' || r == '\u2066' || r == '\u200b' {
			t.Fatalf("%q has reached the terminal", r)
		}
	}
	if colours := regexp.MustCompile(`\x1b\[[\d;]*3\d[\d;]*m`).FindString(x.raw()); colours != "" {
		t.Errorf("there is the colour %q, in spite of NO_COLOR", colours)
	}
}

// TestEnds asserts that the terminal is restored however the inbox ends.
func TestEnds(t *testing.T) {
	d := &clienttest.Daemon{}
	d.Add(pushing("per_1"))
	x := start(t, clienttest.Start(t, d), 40, 10)
	x.see("1 waiting", "^> ")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.ends()
}

// TestPanic asserts that the terminal is restored if there is a mistake in work
// beside it: without a client, there is one.
func TestPanic(t *testing.T) {
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptm.Close()
	defer tty.Close()
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there is no panic")
			}
		}()
		t.Errorf("Run: %v", inbox.Run(t.Context(), inbox.Config{In: tty, Out: tty}))
	}()
	after, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprint(*before), fmt.Sprint(*after)); diff != "" {
		t.Errorf("the terminal's state is another: %s", diff)
	}
	shown := make([]byte, 1<<16)
	n, err := ptm.Read(shown)
	for err == nil && !strings.Contains(string(shown[:n]), "\x1b[?1049l") {
		var more int
		more, err = ptm.Read(shown[n:])
		n += more
	}
	if err != nil {
		t.Errorf("%q, %v: the screen is not left", shown[:n], err)
	}
}

func TestNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := inbox.Run(t.Context(), inbox.Config{In: r, Out: w}); !errors.Is(err, inbox.ErrNoTerminal) {
		t.Errorf("Run: %v, want ErrNoTerminal", err)
	}
}
