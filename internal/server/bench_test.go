package server_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
)

// commands are what coding agents run, one after the other.
var commands = []string{
	"git status -s && git diff --stat HEAD~1 -- src | tail -20",
	"cd internal/app && go test ./... 2>&1 | grep -v 'no test files' | head -50",
	"ls -l src",
	"grep -rn --include='*.ts' \"func (s \\*Server)\" . | cut -d: -f1 | sort -u",
	"rm -rf build",
	"NODE_ENV=test timeout 60 npx vitest run --reporter=dot 2>/dev/null",
	"git push origin main",
	"ls",
}

// BenchmarkCheck has two clients ask the daemon, each by a connection that it
// keeps, and reports how many checks there are a second, how many there would be if
// nothing else ran on two processors, and how many times the median the slowest
// hundredth takes: of all checks, and of those 2,000 in a row, some collections of
// garbage long, in which other programs were least in the way. Clients and daemon
// share the processors.
func BenchmarkCheck(b *testing.B) {
	w := start(b)
	var mu sync.Mutex
	var took []time.Duration
	b.ReportAllocs()
	begun, worked := time.Now(), processorTime(b)
	var all sync.WaitGroup
	const clients = 2
	for n := range clients {
		all.Go(func() {
			c, err := client.Dial(w.socket)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.Close()
			own := make([]time.Duration, 0, b.N/clients+1)
			for i := n; i < b.N; i += clients {
				start := time.Now()
				if _, err := c.Check(b.Context(), w.call("s", commands[i/clients%len(commands)])); err != nil {
					b.Error(err)
					return
				}
				own = append(own, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
		})
	}
	all.Wait()
	b.ReportMetric(float64(len(took))/time.Since(begun).Seconds(), "checks/s")
	if worked = processorTime(b) - worked; worked > 0 {
		b.ReportMetric(2*float64(len(took))/worked.Seconds(), "checks/2-cpu-s")
	}
	const inRow = 2000
	least := spread(took)
	for part := range slices.Chunk(took, inRow) {
		if len(part) == inRow {
			least = min(least, spread(part))
		}
	}
	b.ReportMetric(spread(took), "x-median-p99")
	b.ReportMetric(least, "x-median-p99-least")
}

// spread returns how many times the median the 99th percentile is.
func spread(took []time.Duration) float64 {
	if len(took) == 0 {
		return 0
	}
	took = slices.Sorted(slices.Values(took))
	return float64(took[len(took)*99/100]) / float64(took[len(took)/2])
}

// BenchmarkPending lists a session and answers a request of it with 10 and with
// 10,000 requests pending, in turns, and reports how many times as long it takes
// with the latter.
func BenchmarkPending(b *testing.B) {
	few, many := pendingWorld(b, 10), pendingWorld(b, 10_000)
	b.Run("list", func(b *testing.B) {
		inTurns(b, few, many, func(w *world) time.Duration {
			start := time.Now()
			if list, err := w.client.Pending(b.Context(), "s0"); err != nil || len(list) != perSession {
				b.Fatalf("%d, %v", len(list), err)
			}
			return time.Since(start)
		})
	})
	b.Run("reply", func(b *testing.B) {
		inTurns(b, few, many, func(w *world) time.Duration {
			answer := w.detached(b, "s0")
			start := time.Now()
			w.reply(b, answer.ID, api.Reply{Reply: api.Once})
			return time.Since(start)
		})
	})
}

// inTurns measures in one world and in the other.
func inTurns(b *testing.B, few, many *world, measure func(*world) time.Duration) {
	b.Helper()
	var one, other time.Duration
	for b.Loop() {
		one += measure(few)
		other += measure(many)
	}
	b.ReportMetric(float64(other)/float64(one), "x-10-pending")
}

// perSession is how many requests are pending in each session.
const perSession = 10

// pendingWorld returns a daemon with so many requests pending.
func pendingWorld(b *testing.B, n int) *world {
	b.Helper()
	w := start(b)
	for i := range n {
		w.detached(b, fmt.Sprintf("s%d", i/perSession))
	}
	return w
}

// detached makes a request pending.
func (w *world) detached(t testing.TB, session string) api.Answer {
	t.Helper()
	answer, err := w.client.AskDetached(t.Context(), api.AskRequest{CheckRequest: w.call(session, "git push"), Wait: 3600})
	if err != nil || answer.Status != api.Waiting {
		t.Fatalf("%+v, %v", answer, err)
	}
	return answer
}
