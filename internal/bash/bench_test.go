package bash_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permctl/permctl/internal/bash"
)

// lines are what coding agents run, one after the other.
var lines = []string{
	"git status -s && git diff --stat HEAD~1 -- src | tail -20",
	"cd internal/app && go test ./... 2>&1 | grep -v 'no test files' | head -50",
	"for f in src/*.go; do wc -l \"$f\"; done",
	"grep -rn --include='*.ts' \"func (s \\*Server)\" . | cut -d: -f1 | sort -u",
	"if [ -f package.json ]; then npm run build --silent; else echo 'no package'; fi",
	"NODE_ENV=test timeout 60 npx vitest run --reporter=dot 2>/dev/null",
	"git commit -m \"$(cat <<'EOF'\nfix: it\n\nlonger text, with (brackets) and 'quotes'\nEOF\n)\"",
	"find . -name '*.json' -not -path './node_modules/*' -exec jq -r .name {} +",
}

// text returns so many bytes of lines.
func text(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(lines[i%len(lines)])
		b.WriteByte('\n')
	}
	return b.String()
}

// BenchmarkParse analyses texts, in turns with the parser alone on the same text,
// and reports how many times of that it takes.
func BenchmarkParse(b *testing.B) {
	for _, src := range append([]string{text(1 << 10), text(48 << 10)}, lines...) {
		b.Run(fmt.Sprintf("%d_bytes", len(src)), func(b *testing.B) {
			parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
			var own, alone time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				bash.Parse(src, nil)
				middle := time.Now()
				if _, err := parser.Parse(strings.NewReader(src), ""); err != nil {
					b.Fatal(err)
				}
				own, alone = own+middle.Sub(start), alone+time.Since(middle)
			}
			b.ReportMetric(float64(own)/float64(alone), "x-parser")
		})
	}
}

// BenchmarkParseLength analyses a text of 1 KiB and one of 48 KiB in turns, and
// reports how many times as much a byte of the latter costs.
func BenchmarkParseLength(b *testing.B) {
	short, long := text(1<<10), text(48<<10)
	var one, many time.Duration
	for b.Loop() {
		start := time.Now()
		for range len(long) / len(short) {
			bash.Parse(short, nil)
		}
		middle := time.Now()
		bash.Parse(long, nil)
		one, many = one+middle.Sub(start), many+time.Since(middle)
	}
	b.ReportMetric(float64(many)/float64(one), "x-per-byte")
}
