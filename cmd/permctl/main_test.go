package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden files inside the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"permctl": main, "fakedaemon": fakeDaemon, "agent": agent, "talk": talk})
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               setup,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status, "repeat": repeat, "await": await, "pending": pending},
	})
}

// setup makes the script's folder a project of a user who has no settings.
// Nothing of the developer's own environment is in env.
func setup(env *testscript.Env) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Setenv("USER", "ann")
	env.Defer(func() { endDaemons(env.WorkDir) })
	return os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o700)
}

// condition tells whether [root] holds: nothing is forbidden to that user.
func condition(cond string) (bool, error) {
	if cond != "root" {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	return os.Geteuid() == 0, nil
}

// status runs a program, as exec does, that has to end by itself and with the
// given status: "status 3 permctl check read .env".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status NUMBER PROGRAM [ARGUMENT…]")
	}
	got, exit := 0, (*exec.ExitError)(nil)
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("%s has panicked", args[1])
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit status is %d, and must be %s", got, want)
	}
}

// repeat writes a file with a text again and again between two others:
// "repeat FILE BEFORE TEXT TIMES BEHIND".
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: repeat FILE BEFORE TEXT TIMES BEHIND")
	}
	times, err := strconv.Atoi(args[3])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]+strings.Repeat(args[2], times)+args[4]), 0o600))
}
