package approvals_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/approvals"
)

var (
	processes = flag.Int("processes", 6, "how many processes append at once in TestProcesses")
	appends   = flag.Int("appends", 50, "how many approvals each of them appends")
)

// The environment of a process that appends: the file, and its own number.
const (
	appendTo = "PERMCTL_TEST_APPEND_TO"
	appendAs = "PERMCTL_TEST_APPEND_AS"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if path := os.Getenv(appendTo); path != "" {
		if err := appendAndSay(path, os.Getenv(appendAs)); err != nil {
			panic(err)
		}
		return
	}
	m.Run()
}

// appendAndSay appends approvals one by one, and writes the pattern of each to
// standard output once it is saved. Some have an expiry.
func appendAndSay(path, name string) error {
	s := &approvals.Store{Path: path, Own: true}
	for i := range *appends {
		pattern, until := "process"+name+" "+strconv.Itoa(i), time.Time{}
		if i%max(5, *appends/20) == 0 {
			pattern, until = pattern+" for today", time.Now().Add(24*time.Hour)
		}
		if err := s.Append(context.Background(), bash(pattern), until); err != nil {
			return err
		}
		if _, err := os.Stdout.WriteString(pattern + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// TestProcesses has processes append at once, kills a third of them, and
// compacts the file now and then. What one has said to be saved is there, whole,
// once, and with its expiry.
func TestProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &approvals.Store{Path: filepath.Join(t.TempDir(), "approved", "p.jsonl"), Own: true}
	said := make(chan string)
	var wg sync.WaitGroup
	killed := 0
	for i := range *processes {
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		cmd := exec.CommandContext(ctx, self, "-appends", strconv.Itoa(*appends))
		cmd.Env = append(os.Environ(), appendTo+"="+s.Path, appendAs+"="+strconv.Itoa(i))
		after := -1
		if i%3 == 1 {
			after = 1 + rand.IntN(*appends)
			killed++
		}
		wg.Go(func() {
			if err := hear(cmd, said, after, kill); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	go func() { wg.Wait(); close(said) }()

	var patterns []string
	for pattern := range said {
		patterns = append(patterns, pattern)
		if len(patterns)%max(1, *processes**appends/20) != 0 {
			continue
		}
		if _, err := s.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
	found, problems, err := s.Read()
	if err != nil || len(problems) > killed {
		t.Errorf("after %d were killed: %v, %v", killed, problems, err)
	}
	times := make(map[string]int, len(found))
	for _, a := range found {
		times[a.Pattern]++
		if a.Until.IsZero() == strings.HasSuffix(a.Pattern, " for today") {
			t.Errorf("%q has the expiry %v", a.Pattern, a.Until)
		}
	}
	for _, pattern := range patterns {
		if times[pattern] != 1 {
			t.Errorf("%q was said to be saved, and is there %d times", pattern, times[pattern])
		}
	}
	if unsaid := len(found) - len(patterns); unsaid < 0 || unsaid > killed {
		t.Errorf("%d approvals are there, and %d were said to be saved; %d processes were killed", len(found), len(patterns), killed)
	}
	t.Logf("%d approvals of %d processes, %d of them killed", len(found), *processes, killed)
}

// hear runs a process and passes on what it says. If after is not negative, it
// is killed once it has said so many lines.
func hear(cmd *exec.Cmd, said chan<- string, after int, kill func()) error {
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	n := 0
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // a line that is not whole says nothing
		}
		said <- strings.TrimSuffix(line, "\n")
		if n++; n == after {
			kill()
		}
	}
	err = cmd.Wait()
	if after > 0 && n >= after {
		return nil
	}
	if err != nil {
		return errors.Join(err, errors.New(complaints.String()))
	}
	return nil
}
