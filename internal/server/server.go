// Package server is the daemon: it decides calls over HTTP, keeps what waits for a
// person, and takes the replies. docs/api.md says what it understands.
//
// It decides nothing that gate would decide otherwise. Settings, policies and
// approvals are watched; if the user's own cannot be read, the last good ones stay
// in force, and a project that cannot denies its calls.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/gate"
)

// A Config is what a daemon is started with.
type Config struct {
	// Gate says where settings, policies and approvals are.
	Gate gate.Config

	// Attended is true if there is a person even while nobody listens.
	Attended bool

	// Console serves the pages at "/" and below "/console/". If nil, there are
	// none.
	Console http.Handler

	// Version is that of the program, as the status tells it.
	Version string

	// Log takes what the daemon has to say. If nil, it says nothing.
	Log *slog.Logger
}

// A Server is a daemon. It is safe for concurrent use.
type Server struct {
	config  Config
	log     *slog.Logger
	broker  *ask.Broker
	started time.Time
	metrics *meters
	records *records
	session *sessions
	tickets *tickets
	agents  agents
	token   string

	gate      atomic.Pointer[gate.Gate]
	listeners atomic.Int64 // streams that count as a person
	streams   atomic.Int64 // all of them
	reloads   atomic.Int64

	reloading sync.Mutex // held by one reload at a time

	mu      sync.Mutex // guards what follows
	problem string     // of the user's own settings and policies, or empty
	socket  string
	address string
	watcher *watcher
}

// New returns a daemon that does not listen yet. The error is that of the
// settings or policies.
func New(config Config) (*Server, error) {
	g, err := gate.Open(config.Gate)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: config, log: config.Log, started: time.Now(), token: newToken(),
		records: newRecords(), session: newSessions(), tickets: newTickets(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.gate.Store(g)
	s.broker = ask.New(ask.Config{Judge: s.rejudge, Save: s.save})
	s.metrics = newMeters(s)
	return s, nil
}

// Times after which a connection that does not do its part is closed.
const (
	readTime   = 10 * time.Second // for a request's header and body
	idleTime   = 2 * time.Minute  // between requests
	maxHeaders = 32 << 10
)

// Serve answers on a Unix socket and, if port is not nil, on a loopback port,
// until ctx ends; it calls ready once it does. Then what is pending fails, and Serve
// returns when all requests have been answered, or after ten seconds.
func (s *Server) Serve(ctx context.Context, socket, port net.Listener, ready func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.watch(ctx); err != nil {
		return fmt.Errorf("watch the settings: %w", err)
	}
	errs := make(chan error, 2)
	var servers []*http.Server
	serve := func(l net.Listener, handler http.Handler, peers bool) {
		server := &http.Server{
			Handler: hurried(handler), ReadHeaderTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
			ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		}
		if peers {
			server.ConnContext = withPeer
		}
		servers = append(servers, server)
		go func() { errs <- server.Serve(l) }()
	}
	s.mu.Lock()
	s.socket = socket.Addr().String()
	serve(socket, s.onSocket(), true)
	if port != nil {
		s.address = port.Addr().String()
		serve(port, s.onPort(s.address), false)
	}
	s.mu.Unlock()
	ready()

	var err error
	select {
	case <-ctx.Done():
	case err = <-errs:
	}
	return errors.Join(err, s.stop(context.WithoutCancel(ctx), servers))
}

// stop ends what is pending, and then the servers.
func (s *Server) stop(ctx context.Context, servers []*http.Server) error {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.broker.Close(ctx)
	for _, server := range servers {
		err = errors.Join(err, server.Shutdown(ctx), server.Close())
	}
	return err
}

// ConsoleURL returns the address of the console with the token in it, or "" if
// there is no port.
func (s *Server) ConsoleURL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.address == "" {
		return ""
	}
	return "http://" + s.address + "/#token=" + s.token
}

// status returns how the daemon fares.
func (s *Server) status() api.Status {
	problem := s.trouble()
	s.mu.Lock()
	defer s.mu.Unlock()
	return api.Status{
		Version: s.config.Version, PID: os.Getpid(), Started: s.started, Socket: s.socket, Address: s.address,
		Pending: s.broker.Len(), Listeners: int(s.listeners.Load()), Attended: s.config.Attended,
		Reloads: int(s.reloads.Load()), Problem: problem, Config: s.config.Gate.Key(),
	}
}
