package doctor

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/permctl/permctl/internal/hook"
)

// A Process is a program to run.
type Process struct {
	// Argv are the program and its arguments. A program without a folder is
	// looked for on the PATH of this process.
	Argv  []string
	Dir   string
	Env   []string
	Stdin []byte

	// Time is how long it may take.
	Time time.Duration
}

const (
	maxOutput = 1 << 20         // bytes of each stream that are kept
	afterlife = 2 * time.Second // for what else has the streams open
)

// Run runs a program to its end, which comes no later than its time or that of
// ctx. What it has started ends with it, if the system can tell. Of a program
// that a signal has ended, the status is the one that a shell would say.
func Run(ctx context.Context, p Process) hook.Outcome {
	ctx, cancel := context.WithTimeout(ctx, p.Time)
	defer cancel()
	path, err := exec.LookPath(p.Argv[0])
	if err != nil {
		return hook.Outcome{Missing: true}
	}
	var stdout, stderr limited
	cmd := &exec.Cmd{
		Path: path, Args: p.Argv, Dir: p.Dir, Env: p.Env, Stdin: bytes.NewReader(p.Stdin), Stdout: &stdout, Stderr: &stderr,
		SysProcAttr: ownGroup(), WaitDelay: afterlife,
	}
	if err := cmd.Start(); err != nil {
		return hook.Outcome{Missing: true}
	}
	stop := context.AfterFunc(ctx, func() { endGroup(cmd.Process) })
	err = cmd.Wait()
	late := !stop()
	endGroup(cmd.Process)
	outcome := hook.Outcome{TimedOut: late}
	outcome.Stdout, outcome.Stderr = stdout.kept, string(stderr.kept)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		outcome.Status = statusOf(exit.ProcessState)
	}
	return outcome
}

// A limited buffer keeps the first [maxOutput] bytes, and takes all.
type limited struct{ kept []byte }

// Write keeps what there is room for, and never fails.
func (l *limited) Write(b []byte) (int, error) {
	l.kept = append(l.kept, b[:min(len(b), maxOutput-len(l.kept))]...)
	return len(b), nil
}
