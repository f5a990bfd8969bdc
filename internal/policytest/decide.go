package policytest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// start is when the calls of tables are made that do not say when.
var start = time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)

// table decides the rows of a table, and rewrites it if it is to be.
func (r *runner) table(ctx context.Context, config engine.Config, file string) {
	text, err := readFile(file)
	if err != nil {
		r.broken(file, err)
		return
	}
	t, err := parseTable(file, text)
	if err != nil {
		r.brokenLines(file, err)
		return
	}
	dir, err := os.MkdirTemp("", "permctl-test-")
	if err != nil {
		r.broken(file, err)
		return
	}
	answers, err := r.decide(ctx, config, t, dir)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		r.brokenLines(file, err)
		return
	}
	if r.options.Update {
		if text, err = r.update(t, text, answers); err != nil {
			r.broken(file, err)
			return
		}
		if t, err = parseTable(file, text); err != nil {
			r.brokenLines(file, err)
			return
		}
	}
	if changed := diff.Diff(file, text, "the policy's answers", t.answered(answers, true)); changed != nil {
		r.report.Diffs = append(r.report.Diffs, Diff{File: file, Text: string(changed)})
	}
}

// update rewrites the table's file if an action in it is wrong, and returns
// its text. Only wrong reasons are left among answers.
func (r *runner) update(t *table, text []byte, answers map[int]answer) ([]byte, error) {
	updated := t.answered(answers, false)
	for i := range r.report.Cases {
		c := &r.report.Cases[i]
		a, failed := answers[c.Line]
		if !failed || c.File != t.file || c.Status != Fail {
			continue
		}
		if a.said {
			c.Status, c.Message, c.Name = Pass, "", updatedName(t, c.Line, a.action)
			delete(answers, c.Line)
		}
	}
	if string(updated) == string(text) {
		return text, nil
	}
	r.report.Updated = append(r.report.Updated, t.file)
	return updated, os.WriteFile(t.file, updated, 0o600)
}

// updatedName returns the text of a row with another action.
func updatedName(t *table, number int, action permission.Action) string {
	row := t.lines[number-1].row
	return string(action) + strings.TrimPrefix(row.text, string(row.action))
}

// decide decides the rows of a table, with dir as their workspace, and returns
// the answers to those that are not right.
func (r *runner) decide(ctx context.Context, config engine.Config, t *table, dir string) (map[int]answer, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	s := &setup{
		dir: filepath.Dir(t.file), real: real, base: config, inForce: r.options.Settings,
		presets: engine.PresetsOf(config.Sources), now: start,
	}
	answers := map[int]answer{}
	for _, l := range t.lines {
		at := fmt.Sprintf("%s:%d", t.file, l.number)
		switch {
		case l.word != "":
			if err := s.apply(t.file, l); err != nil {
				return nil, positioned(at, s.unplace(err.Error()))
			}
		case l.row != nil && (r.filter.MatchString(l.row.text) || r.filter.MatchString(t.file)):
			if err := s.prepare(); err != nil {
				return nil, err
			}
			c, a := s.judge(ctx, l.row)
			c.Suite, c.File, c.Line = t.file, t.file, l.number
			r.report.Cases = append(r.report.Cases, c)
			if c.Status == Fail {
				answers[l.number] = a
			}
		}
	}
	return answers, nil
}

// positioned returns an error with the position that it is about, if it has
// none from settings in the table.
func positioned(at, message string) error {
	file, _ := splitPosition(at)
	if strings.HasPrefix(message, file+":") {
		return errors.New(message)
	}
	return fmt.Errorf("%s: %s", at, message)
}

// judge decides a row, and returns its case and what the policy says.
func (s *setup) judge(ctx context.Context, r *row) (Case, answer) {
	c := Case{Name: r.text, Status: Pass, Table: true}
	began := time.Now()
	d, err := s.decide(ctx, r)
	c.Duration = time.Since(began)
	a := answer{action: d.Action, reason: s.unplace(d.Reason)}
	a.said = r.reason == "" || slices.ContainsFunc(explanations(d), func(text string) bool {
		return strings.Contains(s.unplace(text), r.reason)
	})
	switch {
	case err != nil && (r.reason == "" || !a.said):
		c.Status, c.Message = Error, s.unplace(err.Error())
	case d.Action != r.action:
		c.Status, c.Message = Fail, fmt.Sprintf("the answer is %s: %s", a.action, a.reason)
	case !a.said:
		c.Status, c.Message = Fail, fmt.Sprintf("nothing says %q of it, but: %s", r.reason, strings.Join(explanations(d), "; "))
	}
	return c, a
}

// decide returns the decision on a row's call, made as an agent's would be:
// with an error it is a deny.
func (s *setup) decide(ctx context.Context, r *row) (permission.Decision, error) {
	call, err := s.call(r)
	if err != nil {
		return engine.Failed(nil, err), err
	}
	env := s.env
	env.Now = s.now
	doc, err := input.New(call, env)
	if err != nil {
		return engine.Failed(nil, err), err
	}
	return s.engine.Eval(ctx, doc)
}

// explanations are what is said of a decision by all that decided so.
func explanations(d permission.Decision) []string {
	said := []string{d.Reason}
	add := func(action permission.Action, format string, args ...any) {
		if action == d.Action {
			said = append(said, fmt.Sprintf(format, args...))
		}
	}
	for _, f := range d.Floors {
		add(f.Action, "%s (floor: %s)", f.Reason, f.Name)
	}
	for _, f := range d.Findings {
		add(f.Action, "%s (policy: %s)", f.Reason, f.Policy)
	}
	for _, request := range d.Requests {
		for _, t := range request.Targets {
			if t.Rule != nil {
				add(t.Action, "%s %s: by rule %s: {%q: %s} (%s)", request.Permission, t.Pattern, t.Rule.Permission, t.Rule.Pattern, t.Rule.Action, t.Rule.Source)
			}
		}
	}
	return said
}

// brokenLines adds each error in err that has a position to the report as a
// case.
func (r *runner) brokenLines(file string, err error) {
	for text := range strings.Lines(err.Error()) {
		text = strings.TrimRight(text, "\n")
		position, message, _ := strings.Cut(text, ": ")
		at, line := splitPosition(position)
		if line == 0 {
			at, message = file, text
		}
		r.report.Cases = append(r.report.Cases, Case{
			Suite: ownSuite, Name: "the table cannot be read", File: at, Line: line, Status: Error, Message: message,
		})
	}
}
