package inbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/permctl/permctl/internal/client"
)

// A Config is what an inbox needs.
type Config struct {
	Client *client.Client

	// In and Out are the terminal.
	In, Out *os.File

	// Colour is whether colours may be used. What decides is marked without
	// them too.
	Colour bool
}

// ErrNoTerminal reports that there is no terminal to be live in.
var ErrNoTerminal = errors.New("the inbox needs a terminal to read from and to write to")

const (
	// enter and leave switch to a screen of its own and back: without a cursor,
	// without wrapping, with marks around what is pasted, and with letters in
	// the order in which they stand, also where they are written to the left.
	enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[8l\x1b[2J"
	leave = "\x1b[0m\x1b[8h\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"

	// tick is how often ages are drawn again.
	tick = time.Second

	// ticks is how many of them it takes to read the list again, for no event
	// says that a caller has gone away.
	ticks = 10

	// patience is how long the rest of a key may take.
	patience = 50 * time.Millisecond
)

// Run shows what waits and takes answers, until the person leaves or ctx ends. It
// leaves the terminal as it was, even if it panics. The error is
// [ErrNoTerminal], or what is wrong with the terminal.
func Run(ctx context.Context, config Config) error {
	in, out := int(config.In.Fd()), int(config.Out.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(out) {
		return ErrNoTerminal
	}
	before, err := term.MakeRaw(in)
	if err != nil {
		return fmt.Errorf("prepare the terminal: %w", err)
	}
	defer func() {
		_, _ = config.Out.WriteString(leave) // a terminal that is gone needs nothing
		_ = term.Restore(in, before)
	}()
	if _, err := config.Out.WriteString(enter); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &session{config: config, model: newModel(config.Client, time.Now), changes: make(chan change), keys: make(chan []byte)}
	defer s.working.Wait()
	defer cancel()
	return s.run(ctx)
}

// A session is one run in a terminal.
type session struct {
	config  Config
	model   *model
	changes chan change
	keys    chan []byte // closed when the terminal sends no more
	working sync.WaitGroup

	drawn  []string // the lines that the terminal shows
	width  int
	height int
}

func (s *session) run(ctx context.Context) error {
	go s.read(ctx)
	s.start(ctx, func() { s.follow(ctx) })
	resized, stop := resizes()
	defer stop()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var keys decoder
	var rest <-chan time.Time
	for ticked := 1; ; {
		if err := s.draw(); err != nil {
			return err
		}
		var effects []effect
		var err error
		select {
		case <-ctx.Done():
			return nil
		case change := <-s.changes:
			effects = change(s.model)
		case more, ok := <-s.keys:
			if !ok {
				return nil
			}
			if effects, err = s.press(keys.feed(more)); len(keys.rest) > 0 {
				rest = time.After(patience)
			}
		case <-rest:
			rest = nil
			effects, err = s.press(keys.flush())
		case <-resized:
			s.drawn = nil
		case <-ticker.C:
			if ticked++; ticked%ticks == 0 && s.model.lost == "" && len(s.model.entries) > 0 {
				effects = s.model.read()
			}
		}
		if err != nil || s.model.done {
			return err
		}
		for _, e := range effects {
			s.start(ctx, func() { s.send(ctx, e(ctx)) })
		}
	}
}

// press hands keys to the model. What a key has done is shown before the next.
func (s *session) press(strokes []stroke) (effects []effect, err error) {
	for _, stroke := range strokes {
		if stroke.key == keyRedraw {
			s.drawn = nil
		}
		effects = append(effects, s.model.press(stroke)...)
		if err := s.draw(); err != nil || s.model.done {
			return nil, err
		}
	}
	return effects, nil
}

// start begins work beside the terminal. A panic in it is one of the session's, so
// that the terminal is restored.
func (s *session) start(ctx context.Context, work func()) {
	s.working.Go(func() {
		defer func() {
			if cause := recover(); cause != nil {
				s.send(ctx, func(*model) []effect { panic(cause) })
			}
		}()
		work()
	})
}

// follow sends the daemon's events.
func (s *session) follow(ctx context.Context) {
	for got, err := range s.config.Client.Events(ctx, false) {
		if err != nil {
			s.send(ctx, disconnected(err))
			continue
		}
		s.send(ctx, event(got))
	}
}

func (s *session) send(ctx context.Context, c change) {
	select {
	case <-ctx.Done():
	case s.changes <- c:
	}
}

// read sends what the terminal does. A read cannot be interrupted, so that this
// goroutine ends with the process.
func (s *session) read(ctx context.Context) {
	defer close(s.keys)
	for {
		buffer := make([]byte, 4096)
		n, err := s.config.In.Read(buffer)
		if n > 0 {
			select {
			case <-ctx.Done():
				return
			case s.keys <- buffer[:n]:
			}
		}
		if err != nil {
			return
		}
	}
}

// draw shows the model, and writes only the lines that have changed.
func (s *session) draw() error {
	width, height, err := term.GetSize(int(s.config.Out.Fd()))
	if err != nil {
		return fmt.Errorf("size of the terminal: %w", err)
	}
	if width == 0 || height == 0 {
		width, height = 80, 24 // a terminal that does not know its size
	}
	var b bytes.Buffer
	if width != s.width || height != s.height || s.drawn == nil {
		s.width, s.height, s.drawn = width, height, make([]string, height)
		b.WriteString("\x1b[0m\x1b[2J")
	}
	lines := s.model.view(width, height)
	for i := range s.drawn {
		text := ""
		if i < len(lines) {
			text = lines[i].text(width, s.config.Colour)
		}
		if text != s.drawn[i] {
			fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[K", i+1, text)
			s.drawn[i] = text
		}
	}
	if b.Len() == 0 {
		return nil
	}
	_, err = s.config.Out.Write(b.Bytes())
	return err
}
