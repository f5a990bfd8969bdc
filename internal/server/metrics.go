package server

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/permission"
)

// meters are what the daemon counts.
type meters struct {
	set *metrics.Set
}

func newMeters(s *Server) *meters {
	m := &meters{metrics.NewSet()}
	m.set.NewGauge("permctl_pending_requests", func() float64 { return float64(s.broker.Len()) })
	m.set.NewGauge("permctl_listeners", func() float64 { return float64(s.listeners.Load()) })
	m.set.NewGauge("permctl_ready", func() float64 {
		if s.trouble() != "" {
			return 0
		}
		return 1
	})
	for _, result := range []string{"ok", "failed"} {
		m.reloads(result)
	}
	for _, action := range []permission.Action{permission.Allow, permission.Ask, permission.Deny} {
		m.decisions(action)
	}
	for _, kind := range []ask.Kind{ask.Once, ask.Always, ask.Reject} {
		m.replies(kind)
	}
	return m
}

func (m *meters) decisions(a permission.Action) *metrics.Counter {
	return m.set.GetOrCreateCounter(`permctl_decisions_total{action="` + string(permission.Strictest(a)) + `"}`)
}

func (m *meters) replies(k ask.Kind) *metrics.Counter {
	return m.set.GetOrCreateCounter(`permctl_replies_total{reply="` + string(k) + `"}`)
}

func (m *meters) reloads(result string) *metrics.Counter {
	return m.set.GetOrCreateCounter(`permctl_reloads_total{result="` + result + `"}`)
}

// decided counts a decision, and how long it took.
func (m *meters) decided(a permission.Action, took time.Duration) {
	m.decisions(a).Inc()
	m.set.GetOrCreatePrometheusHistogram("permctl_decision_seconds").Update(took.Seconds())
}

// replied counts a person's reply.
func (m *meters) replied(k ask.Kind) { m.replies(k).Inc() }

// measures is GET /metrics.
func (s *Server) measures(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.metrics.set.WritePrometheus(w)
	return nil
}

func attrErr(err error) slog.Attr { return slog.String("error", err.Error()) }

func attrPath(r *http.Request) slog.Attr { return slog.String("path", r.URL.Path) }

func levelOf(status int) slog.Level {
	if status == http.StatusServiceUnavailable {
		return slog.LevelInfo
	}
	return slog.LevelError
}
