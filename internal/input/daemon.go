package input

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// socketName is what the daemon's socket is called, in whatever folder it lies.
const socketName = "permctl.sock"

// reachers are the kinds of tools that run code or connect: what their input says
// they may do. Others that hold the same words, such as a text that is written, do
// nothing by it.
var reachers = []string{"shell", "fetch", "search", "eval", "task", "mcp", "other"}

// daemon notes by what the call would reach the daemon that asks and takes the
// replies: its socket, or its port.
func (b *builder) daemon() {
	b.doc.Daemon = []string{}
	if !slices.Contains(reachers, b.doc.Tool.Kind) {
		return
	}
	port := loopbackPort(b.env.Port)
	for _, leaf := range b.call.leaves() {
		text := strings.ToLower(leaf.text)
		if strings.Contains(text, socketName) || strings.Contains(text, "permctl") && connects.MatchString(text) {
			b.reaches(socketName)
		}
		if b.env.Socket != "" && strings.Contains(leaf.text, b.env.Socket) {
			b.reaches(b.env.Socket)
		}
		if port != nil && port.MatchString(text) && (loopback.MatchString(text) || b.env.Host.Name != "" && strings.Contains(text, strings.ToLower(b.env.Host.Name))) {
			b.reaches("port " + strconv.Itoa(b.env.Port))
		}
	}
}

func (b *builder) reaches(way string) {
	if !slices.Contains(b.doc.Daemon, way) {
		b.doc.Daemon = append(b.doc.Daemon, way)
	}
}

// connects finds what connects to some Unix socket.
var connects = regexp.MustCompile(`\.sock\b|--unix-socket|unix-connect|unix-client|\baf_unix\b|\bnc\b.*\s-\w*u|\bncat\b.*\s-\w*u`)

// loopback are the names of this machine for itself, also short and in hexadecimal.
var loopback = regexp.MustCompile(`localhost|\b127\.|::1\b|\b0\.0\.0\.0\b|\b0x7f|\b2130706433\b|ip6-loopback|//0+[:/]|\s0+\s`)

// loopbackPort returns what finds a port, or nil if there is none.
func loopbackPort(port int) *regexp.Regexp {
	if port == 0 {
		return nil
	}
	return regexp.MustCompile(`(^|\D)0*` + strconv.Itoa(port) + `(\D|$)`)
}
