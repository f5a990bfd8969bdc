package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForeground asserts that a daemon in the background is started with what was
// given, and not to start another, however that was spelt.
func TestForeground(t *testing.T) {
	for _, background := range []string{"--background", "--background=1", "--background=t", "--background=T", "--background=TRUE", "--background=True"} {
		cmd, args, err := newRoot().Find([]string{"--policy", "a b", "serve", background, "--permission", "bash=deny,read=deny", "--attended=T", "--permission=edit=ask", "--listen", "--background"})
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		want := []string{"--attended=true", "--listen=--background", "--permission=bash=deny,read=deny", "--permission=edit=ask", "--policy=a b"}
		if diff := cmp.Diff(want, foreground(cmd.Flags())); diff != "" {
			t.Errorf("%s: %s", background, diff)
		}
	}
}
