package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkHook starts "permctl hook claude" as an agent does, cold, without a
// daemon and with one that notes the decision, in turns with a program that links
// OPA and evaluates "p := true", and reports how many of the latter it costs, and
// its peak memory.
func BenchmarkHook(b *testing.B) {
	dir := b.TempDir()
	own, baseline := build(b, dir, "."), build(b, dir, "./testdata/baseline")
	payload := fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status -s"},"tool_use_id":"t"}`, dir)
	for _, tt := range []struct {
		name, settings string
		daemon         bool
	}{
		{"no settings", "", false},
		{"30 rules", rules(30), false},
		{"30 rules and a daemon", rules(30), true},
	} {
		b.Run(strings.ReplaceAll(tt.name, " ", "_"), func(b *testing.B) {
			home := b.TempDir()
			if err := os.MkdirAll(filepath.Join(home, ".config", "permctl"), 0o700); err != nil {
				b.Fatal(err)
			}
			if tt.settings != "" {
				if err := os.WriteFile(filepath.Join(home, ".config", "permctl", "settings.yaml"), []byte(tt.settings), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			if tt.daemon {
				start(b, home, "", own, "serve", "--background")
				defer start(b, home, "", own, "stop")
			}
			var cold, least time.Duration
			peak := 0.0
			for b.Loop() {
				elapsed, memory := start(b, home, payload, own, "hook", "claude")
				cold, peak = cold+elapsed, max(peak, memory)
				elapsed, _ = start(b, home, "", baseline)
				least += elapsed
			}
			b.ReportMetric(float64(cold)/float64(least), "x-OPA-process")
			b.ReportMetric(peak, "MiB-peak")
		})
	}
}

func rules(n int) string {
	var text strings.Builder
	text.WriteString("permission:\n  bash:\n")
	for i := range n - 1 {
		fmt.Fprintf(&text, "    \"tool%d *\": allow\n", i)
	}
	text.WriteString("    \"git status *\": allow\n")
	return text.String()
}

func build(b *testing.B, dir, pkg string) string {
	b.Helper()
	path := filepath.Join(dir, "bin-"+filepath.Base(pkg))
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return path
}

// start runs a program to its end, and returns the time that took and its peak
// memory in MiB.
func start(b *testing.B, home, stdin, path string, args ...string) (time.Duration, float64) {
	cmd := exec.CommandContext(b.Context(), path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	elapsed := time.Since(begin)
	if err != nil {
		b.Fatalf("%s: %v\n%s", path, err, out)
	}
	return elapsed, peakMemory(cmd.ProcessState)
}
