//go:build e2e

package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

const (
	sdkPackage = "@opencode-ai/sdk@1.19.3"
	sdkFile    = "@opencode-ai/sdk/dist/v2/client.js"
)

// A serving is a daemon that runs.
type serving struct {
	client         *client.Client
	address, token string // of its loopback port
	workspace      string
}

// serve starts a daemon by permctl serve --listen.
func serve(t *testing.T, settings string) *serving {
	t.Helper()
	dir, err := os.MkdirTemp("", "permctl") //nolint:usetesting // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &serving{workspace: filepath.Join(dir, "work")}
	write(t, filepath.Join(dir, "config", "permctl", "settings.yaml"), settings)
	write(t, filepath.Join(s.workspace, ".git", "HEAD"), "")
	cmd := exec.CommandContext(t.Context(), buildPermctl(t), "serve", "--listen", "127.0.0.1:0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "XDG_STATE_HOME=" + dir}
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the daemon does not start: %q, %v", line, err)
	}
	if s.client, err = client.Dial(filepath.Join(dir, "permctl", api.Socket)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	console, err := s.client.Console(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.address, s.token, _ = strings.Cut(console, "/#token=")
	return s
}

// ask has a command decided.
func (s *serving) ask(ctx context.Context, t *testing.T, command string) api.Answer {
	t.Helper()
	answer, err := s.client.Ask(ctx, api.AskRequest{CheckRequest: api.CheckRequest{
		Call: input.Call{Tool: "bash", Input: map[string]any{"command": command}, Cwd: s.workspace, Session: "ses_" + strings.ReplaceAll(command, " ", "_")},
	}})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return answer
}

// A sight is what the SDK has read from the stream of events.
type sight struct {
	Error      string
	Type       string
	Properties struct {
		ID, SessionID, RequestID, Permission string
		Reply                                api.Word
		Always                               []string
	}
}

// TestOpencodeSDK has a person answer by opencode's own SDK.
func TestOpencodeSDK(t *testing.T) {
	sdk := filepath.Join(install(t, sdkPackage, sdkFile, ""), "node_modules", filepath.FromSlash(sdkFile))
	s := serve(t, "permission:\n  bash: ask\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if answer := s.ask(ctx, t, "git push"); !answer.Unattended || answer.Status != api.Denied {
		t.Errorf("nobody listens, and the answer is %+v", answer)
	}
	node := exec.CommandContext(ctx, "node", "testdata/opencode.mjs", sdk, s.address, s.token)
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	saw := json.NewDecoder(out)
	next := func(want string) sight {
		t.Helper()
		var saw1 sight
		if err := saw.Decode(&saw1); err != nil && err != io.EOF || saw1.Type != want || saw1.Error != "" {
			t.Errorf("the SDK reads %+v, %v; want %s", saw1, err, want)
		}
		return saw1
	}
	next("server.connected") // at once: nothing else has happened, and nothing is asked before
	for _, tt := range []struct {
		command string
		status  api.State
		reply   api.Given
	}{
		{"git push", api.Allowed, api.Given{Reply: api.Once}},
		{"git tag v1", api.Allowed, api.Given{Reply: api.Always}},
		{"git clean", api.Denied, api.Given{Reply: api.Reject}},
		{"git reset", api.Denied, api.Given{Reply: api.Reject, Message: "use git restore"}},
	} {
		answer := s.ask(ctx, t, tt.command)
		if answer.Status != tt.status || answer.Reply == nil || answer.Reply.Reply != tt.reply.Reply || answer.Reply.Message != tt.reply.Message || answer.Reply.By != "an opencode client (by the port)" {
			t.Errorf("%s: %+v, reply %+v", tt.command, answer, answer.Reply)
		}
		asked := next("permission.asked").Properties
		if asked.ID != answer.ID || asked.Permission != "bash" || len(asked.Always) == 0 {
			t.Errorf("%s is asked as %+v", tt.command, asked)
		}
		if replied := next("permission.replied").Properties; replied.RequestID != answer.ID || replied.SessionID != asked.SessionID || replied.Reply != tt.reply.Reply {
			t.Errorf("%s is answered as %+v", tt.command, replied)
		}
	}
	if err := node.Wait(); err != nil {
		t.Errorf("the SDK's client: %v", err)
	}
	if answer := s.ask(ctx, t, "git tag v2"); answer.Status != api.Allowed || answer.Decision.Action != permission.Allow || answer.Reply != nil {
		t.Errorf("after always: %+v", answer)
	}
}
