package doctor_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permctl/permctl/internal/doctor"
)

// TestFilesThatAreNone has what is no file, or too long a one, where agents have their
// settings. None of it is waited for, and all is said.
func TestFilesThatAreNone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no pipes and devices with names")
	}
	program := build(t)
	kinds := map[string]func(path string) error{
		"pipe":   func(path string) error { return exec.Command("mkfifo", path).Run() },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"long": func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 16<<20+1)
		},
	}
	for _, place := range []struct{ agent, path, hook, text string }{
		{"codex", "home/.codex/config.toml", "", ""},
		{"codex", "work/.codex/config.toml", "", ""},
		{"codex", "machine/etc/codex/requirements.toml", "", ""},
		{"codex", "home/.codex/.env", "home/.codex/hooks.json", `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$DIR/opt/permctl hook codex"}]}]}}`},
		{"gemini", "home/.gemini/trustedFolders.json", "", ""},
		{"gemini", "machine/etc/gemini-cli/system-defaults.json", "", ""},
		{"gemini", "work/.env", "home/.gemini/settings.json", `{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "$DIR/opt/permctl hook gemini"}]}]}}`},
		{"copilot", "home/.copilot/config.json", "", ""},
		{"pi", "home/.pi/agent/settings.json", "", ""},
		{"senpi", "work/.senpi/settings.json", "", ""},
		{"goose", "home/.config/goose/settings.json", "", ""},
	} {
		for name, plant := range kinds {
			t.Run(place.agent+" "+filepath.Base(place.path)+" "+name, func(t *testing.T) {
				t.Parallel()
				files := []txtar.File{{Name: "bin/" + place.agent, Data: []byte("#!/bin/sh\necho 1.0\n")}}
				if place.hook != "" {
					files = append(files, txtar.File{Name: place.hook, Data: []byte(place.text)})
				}
				b := newBench(t, program, files)
				path := filepath.Join(b.dir, filepath.FromSlash(place.path))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := plant(path); err != nil {
					t.Fatal(err)
				}
				report := examineSoon(t, b, place.agent)
				for _, f := range report.Agents[0].Findings {
					if f.File == path && f.Severity == doctor.Problem && strings.HasPrefix(f.Text, "cannot be read") {
						return
					}
				}
				t.Errorf("nothing is said of %s:\n%s", path, brief(report))
			})
		}
	}
}

// TestFilesWithoutLine has files of which it cannot be told where they are wrong. Each of
// them is said.
func TestFilesWithoutLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a shell script")
	}
	files := []txtar.File{{Name: "bin/claude", Data: []byte("#!/bin/sh\necho 1.0\n")}}
	paths := []string{"home/.claude/settings.json", "work/.claude/settings.json", "machine/etc/claude-code/managed-settings.d/1.json"}
	for _, path := range paths {
		files = append(files, txtar.File{Name: path, Data: []byte(strings.Repeat(" ", 1<<20+1))})
	}
	b := newBench(t, build(t), files)
	report := examineSoon(t, b, "claude")
	for _, path := range paths {
		if !slices.ContainsFunc(report.Agents[0].Findings, func(f doctor.Finding) bool {
			return f.File == filepath.Join(b.dir, filepath.FromSlash(path)) && strings.HasSuffix(f.Text, "nobody knows: more than 1048576 bytes")
		}) {
			t.Errorf("nothing is said of %s:\n%s", path, brief(report))
		}
	}
	for _, f := range report.Agents[0].Findings {
		if strings.HasPrefix(f.Text, "cannot be read") && f.File == "" {
			t.Errorf("it is not said of which file: %s", f.Text)
		}
	}
}

// examineSoon has an agent examined, and fails if that does not end.
func examineSoon(t *testing.T, b *bench, agent string) *doctor.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	done := make(chan *doctor.Report, 1)
	go func() {
		report, err := b.machine.Examine(ctx, []string{agent}, false)
		if err != nil {
			t.Error(err)
		}
		done <- report
	}()
	select {
	case report := <-done:
		return report
	case <-ctx.Done():
		t.Fatal("it does not end")
		return nil
	}
}
