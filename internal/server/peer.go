package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
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
	return name
}

// agentOf returns the process that the hook at the other end works for, or 0.
func agentOf(ctx context.Context) int {
	p, ok := peerOf(ctx)
	if !ok || p.pid <= 0 {
		return 0
	}
	return agentAbove(p.pid)
}

// descends reports whether the process at the other end was started by the agent,
// as far as that can be told: who leaves its family cannot be told from others.
func descends(ctx context.Context, agent int) bool {
	p, ok := peerOf(ctx)
	return ok && agent > 1 && belongs(p.pid, agent)
}
