package approvals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/approvals"
)

// BenchmarkRead reads 100,000 approvals, in turns with reading the file and
// decoding its lines alone, and reports how many times of that it takes.
func BenchmarkRead(b *testing.B) {
	for _, bm := range []struct{ name, format string }{
		{"plain", `{"permission":"bash","pattern":"tool%d run --verbose *","action":"allow"}` + "\n"},
		{"quoted", `{"permission":"bash","pattern":"tool%d \"é\" *","action":"allow"}` + "\n"},
		{"spaced", `{"permission": "bash", "pattern": "tool%d run *", "action": "allow"}` + "\n"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			var text strings.Builder
			for i := range 100_000 {
				fmt.Fprintf(&text, bm.format, i)
			}
			s := &approvals.Store{Path: filepath.Join(b.TempDir(), "p.jsonl")}
			if err := os.WriteFile(s.Path, []byte(text.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			var own, alone time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				if found, _, err := s.Read(); err != nil || len(found) != 100_000 {
					b.Fatalf("%d approvals, %v", len(found), err)
				}
				middle := time.Now()
				decodeLines(b, s.Path)
				own, alone = own+middle.Sub(start), alone+time.Since(middle)
			}
			b.ReportMetric(float64(own)/float64(alone), "x-decoding")
		})
	}
}

// decodeLines reads and decodes the lines of a file, and does nothing else.
func decodeLines(b *testing.B, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var rule struct{ Permission, Pattern, Action string }
		if err := json.Unmarshal(line, &rule); err != nil {
			b.Fatal(err)
		}
	}
}
