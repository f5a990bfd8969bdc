package input

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// askingTool is the tool of Claude Code whose prompt is a question about the page at
// its URL. Others find the addresses in their prompts.
const askingTool = "WebFetch"

// fetch adds the targets of a tool that fetches URLs.
func (b *builder) fetch() {
	urls, odd := b.call.named("url", "uri", "urls", "requests")
	if b.call.Tool != askingTool {
		urls = append(urls, addresses(b.call.text("prompt"))...)
	}
	for _, text := range unique(urls) {
		b.url("webfetch", text)
	}
	for _, text := range odd {
		b.opaque("webfetch", "(unparsed) "+text, -1, AnyRule)
	}
}

// addresses returns the words of a text that are URLs.
func addresses(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF' || strings.ContainsRune("<>\"'`()", r)
	})
	return slices.DeleteFunc(words, func(word string) bool { return !strings.Contains(word, "://") })
}

// url adds the target of a URL, and the URL taken apart. What clients read in
// different ways is for a rule for everything to allow, and for rules that deny
// the reading of browsers.
func (b *builder) url(permission, text string) {
	u := ParseURL(text)
	b.doc.URLs = append(b.doc.URLs, u)
	var strict []string
	if plain := ParseURL(browserForm(text)); plain.Error == "" {
		plain.User = ""
		strict = append(strict, plain.address())
	}
	if u.Error != "" {
		b.opaque(permission, text, -1, AnyRule)
		b.request(permission).add(Target{Pattern: text, Forms: unique(append(strict, text)), Judges: Restriction, Command: -1})
		return
	}
	b.request(permission).add(Target{
		Pattern: text, Forms: unique([]string{u.address(), text}), Strict: strict,
		Authority: u.Scheme + "://" + u.authority(), Rest: u.rest(), Judges: AnyRule, Command: -1,
	}, u.Scheme+"://"+u.authority()+"/*")
}

// address returns the URL in the form in which rules match it.
func (u URL) address() string { return u.Scheme + "://" + u.authority() + u.rest() }

// rest returns what stands behind the authority.
func (u URL) rest() string {
	if u.Query != "" {
		return u.Path + "?" + u.Query
	}
	return u.Path
}

// browserForm returns a URL as the URL standard of browsers reads it, which
// forgives much: https://url.spec.whatwg.org. It is text for [ParseURL].
func browserForm(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(text)
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || strings.ContainsAny(scheme, "/?#.@") {
		scheme, rest = "https", text
	}
	rest = strings.TrimLeft(rest, "/")
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	host := rest[:end]
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if plain, err := url.PathUnescape(host); err == nil {
		host = plain
	}
	name, port, hasPort := strings.Cut(host, ":")
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		name = ascii
	}
	if n, err := strconv.Atoi(port); err == nil {
		port = strconv.Itoa(n)
	}
	if hasPort {
		name += ":" + port
	}
	return strings.ToLower(scheme) + "://" + name + rest[end:]
}

// authority returns the URL's user, host and port as a URL has them, without
// the scheme's own port.
func (u URL) authority() string {
	host := u.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if u.User != "" {
		host = u.User + "@" + host
	}
	if u.Port != "" && u.Port != ownPort(u.Scheme) {
		host += ":" + u.Port
	}
	return host
}

func ownPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	case "ftp":
		return "21"
	default:
		return ""
	}
}

// ParseURL takes a URL apart as a client would that is about to fetch it. One
// without a scheme is taken for https. What cannot be taken apart has an
// Error.
func ParseURL(text string) URL {
	made := URL{URL: text}
	trimmed := strings.TrimSpace(text)
	if !strings.Contains(trimmed, "://") {
		trimmed = "https://" + trimmed
	}
	// Browsers and many clients read a backslash as a slash; those that do not
	// would go elsewhere.
	if strings.ContainsAny(trimmed, "\\\t\r\n") {
		made.Error = "it holds a character that clients read in different ways"
		return made
	}
	u, err := url.Parse(trimmed)
	switch {
	case err != nil:
		made.Error = err.Error()
		return made
	case u.Hostname() == "":
		made.Error = "it has no host"
		return made
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > '~' || r == '%' }):
		made.Error = "its host is not plain ASCII: write it as its Punycode (xn--)"
		return made
	}
	made.Scheme = strings.ToLower(u.Scheme)
	made.User = u.User.String()
	made.Host = strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	made.Port = u.Port()
	if n, err := strconv.Atoi(made.Port); err == nil {
		made.Port = strconv.Itoa(n)
	}
	if made.Port == "" {
		made.Port = ownPort(made.Scheme)
	}
	made.Path = cleanPath(u.EscapedPath())
	made.Query = u.RawQuery
	made.mark()
	return made
}

// cleanPath undoes "." and ".." as clients do before they fetch.
func cleanPath(p string) string {
	plain := strings.NewReplacer("%2e", ".", "%2E", ".").Replace(p)
	cleaned := path.Clean("/" + plain)
	if strings.HasSuffix(plain, "/") && cleaned != "/" {
		cleaned += "/"
	}
	return cleaned
}

// mark tells what kind of host it is.
func (u *URL) mark() {
	if addr, ok := address(u.Host); ok {
		u.Address = true
		u.LinkLocal = addr.IsLinkLocalUnicast() || addr.IsLinkLocalMulticast()
		shared := netip.MustParsePrefix("100.64.0.0/10")
		u.Private = addr.IsPrivate() || addr.IsLoopback() || addr.IsUnspecified() || u.LinkLocal || shared.Contains(addr)
		return
	}
	for _, suffix := range []string{"localhost", "local", "internal", "lan", "home.arpa"} {
		if u.Host == suffix || strings.HasSuffix(u.Host, "."+suffix) {
			u.Private = true
		}
	}
	u.Private = u.Private || !strings.Contains(u.Host, ".")
}

// address reads a host as an IP address, also in the notations that the C
// library and browsers take for one: fewer than four parts, hexadecimal and
// octal numbers.
func address(host string) (netip.Addr, bool) {
	host, _, _ = strings.Cut(host, "%")
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			value |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return netip.Addr{}, false
		}
		value |= n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}
