package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/permctl/permctl/internal/doctor"
)

func TestExamined(t *testing.T) {
	wrong, gone := errors.New("wrong"), errors.New("gone")
	want := &doctor.Report{Guarded: true}
	for _, test := range []struct {
		name  string
		takes time.Duration
		fails error
		ends  time.Duration // of the context, 0 for never
		after time.Duration // it has returned
		err   error
	}{
		{name: "in time", takes: time.Hour, after: time.Hour},
		{name: "wrong", takes: time.Second, fails: wrong, after: time.Second, err: wrong},
		{name: "it heeds the end", takes: 2 * time.Second, ends: time.Second, after: 2 * time.Second, err: gone},
		{name: "it heeds nothing", takes: time.Hour, ends: time.Second, after: time.Second + parting, err: gone},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				if test.ends > 0 {
					time.AfterFunc(test.ends, func() { cancel(gone) })
				}
				start := time.Now()
				report, err := examined(ctx, func() (*doctor.Report, error) {
					<-time.After(test.takes)
					return want, test.fails
				})
				if took := time.Since(start); took != test.after {
					t.Errorf("it took %v, want %v", took, test.after)
				}
				if !errors.Is(err, test.err) || err == nil && report != want {
					t.Errorf("%v, %v, want the error %v", report, err, test.err)
				}
				cancel(nil)
				<-time.After(test.takes) // what was left behind ends before the test
			})
		})
	}
}
