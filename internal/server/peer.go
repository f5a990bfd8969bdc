package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
)

// A peer is the process at the other end of a Unix socket.
type peer struct{ uid, pid int }

// own reports whether the process is one of the daemon's own user.
func (p peer) own() bool { return p.uid == os.Geteuid() }

type peerKey struct{}

// withPeer keeps who is at the other end of a connection. Where that cannot be
// told there is no peer, and the folder of the socket is what keeps others out.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	unix, ok := c.(*net.UnixConn)
	if !ok {
		return ctx
	}
	p, known, err := credentials(unix)
	if err != nil {
		p = peer{uid: -1} // nobody's
	} else if !known {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, p)
}

func peerOf(ctx context.Context) (peer, bool) {
	p, ok := ctx.Value(peerKey{}).(peer)
	return p, ok
}

// who says who replies: what the front end calls itself, and which process of
// whom it is.
func who(ctx context.Context, name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most]
	}
	if name == "" {
		name = "a client"
	}
	name = strconv.Quote(name)
	name = name[1 : len(name)-1]
	if p, ok := peerOf(ctx); ok && p.pid > 0 {
		return fmt.Sprintf("%s (uid %d, process %d)", name, p.uid, p.pid)
	}
	return name + " (by the port)"
}

// An origin is a process, for as long as it runs: its number may be another's
// later. The zero value is none.
type origin struct {
	pid     int
	started uint64
}

// agents are the processes that hooks have asked for. It is safe for concurrent
// use.
type agents struct {
	mu    sync.Mutex
	known []origin // the one that has asked last comes last; guarded by mu
}

// note remembers the process that the hook at the other end works for.
func (a *agents) note(ctx context.Context) {
	p, ok := peerOf(ctx)
	if !ok || p.pid <= 0 {
		return
	}
	agent := agentAbove(p.pid)
	if agent == (origin{}) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	const most = 256 // agents that run at once
	a.known = slices.DeleteFunc(a.known, func(o origin) bool { return o == agent })
	a.known = append(a.known[max(0, len(a.known)-most+1):], agent)
}

// refuse returns an error if the process at the other end is an agent or was
// started by one, as far as that can be told: who leaves its family cannot be told
// from others.
func (a *agents) refuse(ctx context.Context) error {
	p, ok := peerOf(ctx)
	if !ok {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) == 0 || !belongs(p.pid, a.known) {
		return nil
	}
	return &httpError{http.StatusForbidden, errors.New("this process was started by an agent that asks, and no agent answers"), "reply from a terminal of your own, or from the console"}
}
