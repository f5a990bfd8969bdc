package inbox

import (
	"fmt"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/api"
)

// Age returns a time as a person reads it at a glance: "12s", "3m", "2h", "5d".
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	default:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
}

// How says how a request has left the list, and by whom.
func How(o api.Outcome) string {
	how := map[api.Word]string{api.Once: "allowed once", api.Always: "allowed always", api.Reject: "rejected"}[o.Reply]
	if how == "" {
		how = "gone: nobody waits for it any more"
	}
	if o.By != "" {
		how += " by " + o.By
	}
	if o.Message != "" {
		how += ": " + o.Message
	}
	return how
}

// maxCalls is how many past calls are named.
const maxCalls = 3

// Matches says what an approval would match, a line each.
func Matches(p api.Preview, now time.Time) []string {
	var lines []string
	if len(p.Examples) > 0 {
		lines = append(lines, "such as: "+strings.Join(p.Examples, "; "))
	}
	if len(p.Past) > 0 {
		lines = append(lines, fmt.Sprintf("past calls that it covers (%d): %s", len(p.Past), calls(p.Past, now)))
	}
	if len(p.Denied) > 0 {
		lines = append(lines, fmt.Sprintf("past calls that were denied, and that it would match (%d): %s", len(p.Denied), calls(p.Denied, now)))
	}
	return lines
}

func calls(records []api.Record, now time.Time) string {
	var titles []string
	for _, r := range records[:min(len(records), maxCalls)] {
		titles = append(titles, r.Title+" ("+Age(now.Sub(r.Time))+" ago)")
	}
	if len(records) > maxCalls {
		titles = append(titles, "…")
	}
	return strings.Join(titles, "; ")
}
