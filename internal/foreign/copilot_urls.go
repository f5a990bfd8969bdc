package foreign

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A urlRule is a rule for addresses: a regular expression for one with all its
// parts, scheme://host:port/path?query.
type urlRule struct {
	action     permission.Action
	expression string
	origin     Origin
}

// url translates url and url(…). One that allows is for just the scheme, which is
// https if it is not named, the host and the port; any other is for all addresses
// of the host, and of those below it.
func (t *copilotTranslation) url(r copilotRule) {
	if r.spec != "" && strings.Trim(r.spec, "*") == "" && r.action == permission.Allow {
		t.book.note(r.from, "is left out, and asked: write url for all addresses")
		return
	}
	if strings.Trim(r.spec, "*") == "" {
		t.add(r, "webfetch", "*")
		t.urls = append(t.urls, urlRule{r.action, "(?s)^.*$", r.from})
		return
	}
	expression, ok := allowedAddress(r.spec)
	if r.action != permission.Allow {
		if expression, ok = heldAddress(r.spec); !ok {
			t.book.note(r.from, "holds for every address: nobody can tell the host; write url(HOST)")
			expression = "(?s)^.*$"
		} else if u := addressOf(r.spec); strings.Trim(u.Path, "/*") != "" {
			t.book.note(r.from, "holds for all addresses of that host")
		}
	} else if !ok {
		t.book.note(r.from, "is left out, and asked: write url(HOST), or url(https://HOST/PATH) without a star in the path")
		return
	}
	t.urls = append(t.urls, urlRule{r.action, expression, r.from})
}

// addressOf takes apart what a rule for addresses says.
func addressOf(spec string) *url.URL {
	if !strings.Contains(spec, "://") {
		spec = "https://" + spec
	}
	if u, err := url.Parse(spec); err == nil && u.User == nil {
		return u
	}
	return &url.URL{}
}

// allowedAddress returns the regular expression for the addresses that a rule
// allows.
func allowedAddress(spec string) (expression string, ok bool) {
	u := addressOf(spec)
	host, port := strings.ToLower(u.Hostname()), u.Port()
	standard := map[string]string{"https": "443", "http": "80"}[u.Scheme]
	if !hostPattern.MatchString(host) || standard == "" || u.RawQuery != "" || u.Fragment != "" || strings.Contains(u.Path, "*") && u.Path != "/*" || strings.HasSuffix(host, ".") {
		return "", false
	}
	if port == "" {
		port = standard
	}
	rest := "/.*$"
	if strings.Trim(u.Path, "/*") != "" {
		rest = regexp.QuoteMeta(u.EscapedPath()) + `\?$`
	}
	names := strings.ReplaceAll(regexp.QuoteMeta(host), `\*`, "[^.:/]+")
	return "(?s)^" + u.Scheme + "://" + names + ":" + port + rest, true
}

// heldAddress returns the regular expression for the addresses that a rule denies
// or asks for.
func heldAddress(spec string) (expression string, ok bool) {
	host := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(addressOf(spec).Hostname()), "*."), ".")
	if !hostPattern.MatchString(host) {
		return "", false
	}
	return `(?is)^[^:]*://(?:.*\.)?` + starred(host) + `\.?:.*$`, true
}

// urlsPreset returns Rego for the addresses.
func (t *copilotTranslation) urlsPreset() string {
	var b strings.Builder
	b.WriteString("# The rules for addresses, with all their parts.\n_addresses := [\n")
	for _, r := range t.urls {
		comment(&b, "\t", r.origin)
		fmt.Fprintf(&b, "\t{\"action\": %q, \"address\": %s, \"rule\": %s},\n", string(r.action), quoted(r.expression), quoted(ruleName(r.origin)))
	}
	return b.String() + "]\n" + urlsRego
}

const urlsRego = `
allow contains {"reason": rule.rule, "permission": "webfetch", "target": url.url} if {
	input.tool.kind == "fetch"
	some url in input.urls
	some rule in _addresses
	rule.action == "allow"
	_addressed(url, rule)
}

ask contains {"reason": rule.rule, "target": url.url} if {
	some url in input.urls
	some rule in _addresses
	rule.action == "ask"
	_addressed(url, rule)
}

deny contains {"reason": rule.rule, "target": url.url} if {
	some url in input.urls
	some rule in _addresses
	rule.action == "deny"
	_addressed(url, rule)
}

ask contains {"reason": "no one can tell the host, and some are asked for or denied", "target": url.url} if {
	some url in input.urls
	url.error
	some rule in _addresses
	rule.action != "allow"
}

# A command may reach an address only if a rule allows that, too.
ask contains {"reason": "no rule allows the address", "target": url.url} if {
	input.tool.kind == "shell"
	some url in input.urls
	not _admitted(url)
}

_admitted(url) if {
	some rule in _addresses
	rule.action == "allow"
	_addressed(url, rule)
}

_addressed(url, rule) if {
	not url.error
	path := {true: "/", false: url.path}[url.path == ""]
	regex.match(rule.address, sprintf("%s://%s:%s%s?%s", [url.scheme, url.host, url.port, path, url.query]))
}
`
