package server_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/server"
	"github.com/permctl/permctl/internal/settings"
)

// is waits until the daemon decides a command so.
func (w *world) is(t *testing.T, command string, want permission.Action) {
	t.Helper()
	eventually(t, func() bool { return w.now(t, command) == want })
}

func (w *world) now(t *testing.T, command string) permission.Action {
	t.Helper()
	d, err := w.client.Check(t.Context(), w.call("s", command))
	if err != nil {
		t.Fatal(err)
	}
	return d.Action
}

// stores returns where the approvals of a folder are.
func (w *world) stores(t *testing.T, root string) gate.Stores {
	t.Helper()
	stores, err := gate.Config{Dirs: settings.Dirs{Home: w.home, Config: filepath.Join(w.home, "config"), State: filepath.Join(w.home, "state")}}.Stores(root)
	if err != nil {
		t.Fatal(err)
	}
	return stores
}

// always has a command asked for and approved for good.
func (w *world) always(t *testing.T, command string) {
	t.Helper()
	answers := w.ask(t, "s", command)
	w.reply(t, w.pending(t, 1)[0].ID, api.Reply{Reply: api.Always})
	if answer := <-answers; answer.Status != api.Allowed {
		t.Fatalf("%s: %+v", command, answer)
	}
}

// TestRevokedElsewhere holds that another process can revoke the first approval
// that the daemon has ever saved, also while settings are broken.
func TestRevokedElsewhere(t *testing.T) {
	for _, broken := range []string{"", "config/settings.yaml"} {
		w := start(t)
		w.always(t, "git push origin")
		if got := w.now(t, "git push origin"); got != permission.Allow {
			t.Fatalf("what is approved: %s", got)
		}
		if broken != "" {
			w.write(t, broken, "permission: [\n")
			eventually(t, func() bool { status, _ := w.get(t, "/readyz"); return status == http.StatusServiceUnavailable })
		}
		revoked, err := w.stores(t, w.root).Project.RevokeAll(t.Context())
		if err != nil || len(revoked) == 0 {
			t.Fatalf("%d are revoked, %v", len(revoked), err)
		}
		w.is(t, "git push origin", permission.Ask)
	}
}

// TestStart holds that nothing is lost between the reading and the watching.
func TestStart(t *testing.T) {
	home := t.TempDir()
	w := &world{home: home, root: filepath.Join(home, "project")}
	w.write(t, "project/.git/HEAD", "")
	var err error
	w.server, err = server.New(server.Config{Gate: gate.Config{Dirs: settings.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")}}})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "config/settings.yaml", "permission:\n  bash: deny\n")
	w.serve(t)
	w.is(t, "git push", permission.Deny)
}

// TestNewProject holds that a first call from another project swallows no change.
func TestNewProject(t *testing.T) {
	w := start(t)
	w.is(t, "git push", permission.Ask)
	for i := range 5 {
		action := []permission.Action{permission.Deny, permission.Allow}[i%2]
		w.write(t, "config/settings.yaml", fmt.Sprintf("permission:\n  bash: %s\n", action))
		w.write(t, fmt.Sprintf("other%d/.git/HEAD", i), "")
		req := api.CheckRequest{Call: input.Call{Tool: "bash", Input: map[string]any{"command": "ls"}, Cwd: filepath.Join(w.home, fmt.Sprintf("other%d", i))}}
		if _, err := w.client.Check(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		w.is(t, "git push", action)
	}
}

// TestLinks holds that what links lead to is watched, as a folder that comes later
// is.
func TestLinks(t *testing.T) {
	w := start(t, func(c *server.Config) {
		c.Gate.Policies = []string{filepath.Join(filepath.Dir(c.Gate.Dirs.Config), "linked")}
		dotfiles := filepath.Join(c.Gate.Dirs.Home, "dotfiles")
		err := errors.Join(
			os.MkdirAll(filepath.Join(dotfiles, "policy"), 0o700),
			os.WriteFile(filepath.Join(dotfiles, "policy", "p.rego"), []byte("package org.p\n\nx := 1\n"), 0o600),
			os.Rename(filepath.Join(c.Gate.Dirs.Config, "settings.yaml"), filepath.Join(dotfiles, "mine.yaml")),
			os.Symlink(filepath.Join(dotfiles, "mine.yaml"), filepath.Join(c.Gate.Dirs.Config, "settings.yaml")),
			os.Symlink(filepath.Join(dotfiles, "policy"), c.Gate.Policies[0]),
		)
		if err != nil {
			t.Skip(err)
		}
	})
	w.is(t, "git push", permission.Ask)
	w.write(t, "dotfiles/mine.yaml", "permission:\n  bash: allow\n")
	w.is(t, "git push", permission.Allow)
	w.write(t, "dotfiles/policy/p.rego", "package org.p\n\ndeny contains \"no\" if input.call.tool == \"bash\"\n")
	w.is(t, "git push", permission.Deny)
	w.write(t, "dotfiles/policy/p.rego", "package org.p\n\nx := 1\n")
	w.is(t, "git push", permission.Allow)
	w.write(t, "project/.permctl/policy/q.rego", "package org.q\n\ndeny contains \"no\" if input.call.tool == \"bash\"\n")
	w.is(t, "git push", permission.Deny)
}

// TestBrokenProject holds that one project which cannot be read stops neither the
// user's own changes nor other projects, and that it is named.
func TestBrokenProject(t *testing.T) {
	w := start(t)
	w.is(t, "ls -l", permission.Allow)
	w.write(t, "bad/.permctl/settings.yaml", "permission:\n  bash: ask\n")
	bad := api.CheckRequest{Call: input.Call{Tool: "bash", Input: map[string]any{"command": "ls -l"}, Cwd: filepath.Join(w.home, "bad")}}
	isBad := func(want permission.Action) {
		t.Helper()
		eventually(t, func() bool {
			d, err := w.client.Check(t.Context(), bad)
			return err == nil && d.Action == want
		})
	}
	isBad(permission.Ask)
	w.write(t, "bad/.permctl/settings.yaml", "permission: [\n")
	isBad(permission.Deny)
	eventually(t, func() bool {
		status, body := w.get(t, "/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(body, filepath.Join(w.home, "bad"))
	})
	w.write(t, "config/settings.yaml", "permission:\n  bash: deny\n")
	w.is(t, "ls -l", permission.Deny)
	if err := os.RemoveAll(filepath.Join(w.home, "bad")); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { status, _ := w.get(t, "/readyz"); return status == http.StatusOK })
}

// TestSteadyWrites holds that whoever writes without a pause puts nothing off.
func TestSteadyWrites(t *testing.T) {
	w := start(t)
	w.is(t, "git push", permission.Ask)
	w.write(t, "config/settings.yaml", "permission:\n  bash: deny\n")
	write := time.NewTicker(20 * time.Millisecond)
	defer write.Stop()
	begun := time.Now()
	for i := 0; w.now(t, "git push") != permission.Deny; i++ {
		<-write.C
		w.write(t, "config/policy/data.json", fmt.Sprintf("{\"n\": %d}", i))
		if time.Since(begun) > 15*time.Second {
			t.Fatal("it is put off")
		}
	}
}

// TestOwnWrites holds that what an agent writes in its project is no reason to read
// anything again.
func TestOwnWrites(t *testing.T) {
	w := start(t)
	w.is(t, "git push", permission.Ask)
	w.always(t, "git push")
	for i := range 20 {
		w.write(t, fmt.Sprintf("project/file%d", i), "x")
	}
	<-time.After(3 * time.Second) // longer than any change takes to count
	status, err := w.client.Status(t.Context())
	if err != nil || status.Reloads != 0 {
		t.Errorf("there were %d reloads, %v", status.Reloads, err)
	}
}

// TestLockedApprovals holds that a lock which somebody keeps fails the reply, and
// that a request ends in time nevertheless, with nothing saved later.
func TestLockedApprovals(t *testing.T) {
	w := start(t)
	w.is(t, "git push", permission.Ask)
	store := w.stores(t, w.root).Project
	if err := os.MkdirAll(filepath.Dir(store.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(store.Path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	answers := make(chan api.Answer, 1)
	begun := time.Now()
	go func() {
		answer, err := w.client.Ask(t.Context(), api.AskRequest{CheckRequest: w.call("s", "git push"), Wait: 1})
		if err != nil {
			t.Error(err)
		}
		answers <- answer
	}()
	id := w.pending(t, 1)[0].ID
	var said *client.Error
	if _, err := w.client.Reply(t.Context(), id, api.Reply{Reply: api.Always}); !errors.As(err, &said) || !strings.Contains(said.Message, "nothing is saved") {
		t.Errorf("the reply says %v", err)
	}
	if answer := <-answers; answer.Status != api.Denied || time.Since(begun) > 2500*time.Millisecond {
		t.Errorf("after %v: %+v", time.Since(begun), answer)
	}

	later := w.ask(t, "s", "git pull") // and with time enough
	id = w.pending(t, 1)[0].ID
	if _, err := w.client.Reply(t.Context(), id, api.Reply{Reply: api.Always}); !errors.As(err, &said) || !strings.Contains(said.Message, "another process") {
		t.Errorf("the reply says %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if found, _, err := store.Read(); err != nil || len(found) > 0 {
		t.Errorf("%v is saved, %v", found, err)
	}
	w.reply(t, id, api.Reply{Reply: api.Always})
	if answer := <-later; answer.Status != api.Allowed {
		t.Errorf("with the lock free: %+v", answer)
	}
}

// TestHalfSaved holds that an always that cannot be read again saves nothing.
func TestHalfSaved(t *testing.T) {
	w := start(t)
	answers := w.ask(t, "s", "git push")
	id := w.pending(t, 1)[0].ID
	stores := w.stores(t, w.root)
	if err := os.MkdirAll(filepath.Dir(stores.Global.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", stores.Global.Path); err != nil {
		t.Skip(err)
	}
	if _, err := w.client.Reply(t.Context(), id, api.Reply{Reply: api.Always}); err == nil {
		t.Error("the reply is taken")
	}
	if _, err := os.Lstat(stores.Project.Path); err == nil {
		t.Error("something is saved")
	}
	w.reply(t, id, api.Reply{Reply: api.Once})
	if answer := <-answers; answer.Status != api.Allowed {
		t.Errorf("once: %+v", answer)
	}
	eventually(t, func() bool { status, _ := w.get(t, "/readyz"); return status == http.StatusServiceUnavailable })
	if got := w.now(t, "ls"); got != permission.Deny {
		t.Errorf("while they cannot be read: %s", got)
	}
	if err := os.Remove(stores.Global.Path); err != nil {
		t.Fatal(err)
	}
	w.is(t, "git push", permission.Ask)
}

// TestShownProject holds that an approval is for the project that was shown, and no
// other that the folder has come to belong to.
func TestShownProject(t *testing.T) {
	w := start(t)
	w.write(t, "project/in/.git/HEAD", "")
	inner := filepath.Join(w.root, "in")
	req := w.call("s", "git push")
	req.Call.Cwd = inner
	answers := make(chan api.Answer, 1)
	go func() {
		answer, err := w.client.Ask(t.Context(), api.AskRequest{CheckRequest: req, Wait: 60})
		if err != nil {
			t.Error(err)
		}
		answers <- answer
	}()
	pending := w.pending(t, 1)[0]
	if pending.Workspace != inner {
		t.Fatalf("%s is shown", pending.Workspace)
	}
	if err := os.RemoveAll(filepath.Join(inner, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.reply(t, pending.ID, api.Reply{Reply: api.Always})
	if answer := <-answers; answer.Status != api.Allowed {
		t.Errorf("it ends with %+v", answer)
	}
	if found, _, err := w.stores(t, w.root).Project.Read(); err != nil || len(found) > 0 {
		t.Errorf("the outer project has %v, %v", found, err)
	}
	if found, _, err := w.stores(t, inner).Project.Read(); err != nil || len(found) == 0 {
		t.Errorf("the inner project has %v, %v", found, err)
	}
}
