package foreign

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A codexRequired is what requirements.toml says besides rules: what config.toml
// may say, and what nobody may read.
type codexRequired struct {
	// approvals and sandboxes are the words that config.toml may have, if listed.
	approvals, sandboxes codexWords

	unread []fileRule
}

// A codexWords is a list of words in requirements, and where it stands.
type codexWords struct {
	words []string
	from  Origin
}

// listed reports whether some file has the list.
func (w codexWords) listed() bool { return w.from.File != "" }

// read reads a requirements file, all but its rules. Of several files, only what
// all of them have may be.
func (c *codexRequired) read(t *tomlFile, b *book) error {
	for _, key := range []string{"rule", "safety_checker"} {
		if _, there := t.root[key]; there {
			return t.errorf(key, "requirements have no %s: give another agent's file to permctl import with that agent", key)
		}
	}
	for _, list := range []struct {
		key   string
		known []string
		into  *codexWords
	}{
		{"allowed_approval_policies", append([]string{"granular"}, codexApprovals...), &c.approvals},
		{"allowed_sandbox_modes", codexSandboxes, &c.sandboxes},
	} {
		if _, there := t.root[list.key]; !there {
			continue
		}
		words, err := t.texts(list.key, t.root[list.key])
		if err != nil {
			return err
		}
		for _, word := range words {
			if !slices.Contains(list.known, word) {
				b.note(Origin{t.name, t.line(list.key), list.key}, "%q is nothing that permctl knows of%s, and allows nothing", word, permission.DidYouMean(word, list.known...))
			}
		}
		if list.into.listed() {
			words = slices.DeleteFunc(words, func(word string) bool { return !slices.Contains(list.into.words, word) })
		}
		*list.into = codexWords{words, Origin{t.name, t.line(list.key), list.key}}
	}
	if err := c.readUnread(t, b); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(t.root)) {
		if !slices.Contains([]string{"rules", "permissions", "allowed_approval_policies", "allowed_sandbox_modes"}, key) {
			b.note(Origin{t.name, t.line(key), key}, "stays in Codex's requirements: of these, only rules, what config.toml may say, and deny_read are imported")
		}
	}
	return nil
}

// readUnread reads what nobody may read.
func (c *codexRequired) readUnread(t *tomlFile, b *book) error {
	const key = "permissions.filesystem.deny_read"
	in := tableIn(t.root, "permissions")
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if name != "filesystem" {
			b.note(Origin{t.name, t.line("permissions." + name), "permissions." + name}, "stays in Codex's requirements: it is about its own sandbox")
		}
	}
	files := tableIn(in, "filesystem")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != "deny_read" {
			b.note(Origin{t.name, t.line("permissions.filesystem." + name), "permissions.filesystem." + name}, "stays in Codex's requirements: it is about its own sandbox")
		}
	}
	if _, there := files["deny_read"]; !there {
		return nil
	}
	patterns, err := t.texts(key, files["deny_read"])
	if err != nil {
		return err
	}
	for _, pattern := range patterns {
		from := Origin{t.name, t.line(key), "deny_read " + pattern}
		r := fileRule{action: permission.Deny, accesses: mayRead, from: "/", origin: from}
		name := strings.ReplaceAll(pattern, `\`, "/")
		rest, home := homeless(name)
		switch {
		case home:
			r.from, name = "home", strings.TrimPrefix(rest, "/")
		case strings.HasPrefix(name, "/"):
			name = strings.TrimPrefix(path.Clean(name), "/")
		default:
			b.note(from, "holds in every folder: Codex counts it from where the requirements lie")
			name = "**/" + strings.TrimPrefix(name, "./")
		}
		r.paths = codexGlob(name)
		c.unread = append(c.unread, r)
	}
	return nil
}

// codexGlob returns the regular expression for what a pattern of paths is for, and
// all below it.
func codexGlob(pattern string) string {
	pattern = strings.TrimSuffix(pattern, "/")
	if pattern == "" {
		return everyPath
	}
	return "(?s)^" + codexStars.ReplaceAllStringFunc(regexp.QuoteMeta(pattern), func(star string) string {
		return map[string]string{`\*\*/`: "(?:.*/)?", `\*\*`: ".*", `\*`: "[^/]*", `\?`: "[^/]"}[star]
	}) + "(?:/.*)?$"
}

var codexStars = regexp.MustCompile(`\\\*\\\*/|\\\*\\\*|\\\*|\\\?`)

// texts returns a list of texts.
func (t *tomlFile) texts(key string, v any) ([]string, error) {
	list, ok := v.([]any)
	var texts []string
	for _, item := range list {
		text, isText := item.(string)
		if !isText || text == "" {
			ok = false
		}
		texts = append(texts, text)
	}
	if !ok {
		return nil, t.errorf(key, "%s must be a list of texts", key)
	}
	return texts, nil
}

// hold makes of what config.toml says and requirements forbid the strictest that
// they allow.
func (c *codexRequired) hold(config *codexConfig, b *book) {
	if c.sandboxes.listed() && !slices.Contains(c.sandboxes.words, config.sandbox.word) && config.sandbox.word != "" {
		word := firstOf(codexSandboxes, c.sandboxes.words)
		b.note(config.sandbox.from, "is not among allowed_sandbox_modes (%s:%d): %s holds", c.sandboxes.from.File, c.sandboxes.from.Line, word)
		config.sandbox = codexSetting{word, c.sandboxes.from}
	}
	if !c.approvals.listed() || slices.Contains(c.approvals.words, config.approval.word) {
		return
	}
	word := firstOf([]string{"untrusted", "on-request", "on-failure", "never"}, c.approvals.words)
	switch {
	case config.approval.word != "":
		b.note(config.approval.from, "is not among allowed_approval_policies (%s:%d): %s holds", c.approvals.from.File, c.approvals.from.Line, word)
	case word != "never":
		return // what no file says is asked already
	}
	config.approval = codexSetting{word, c.approvals.from}
	config.noRules, config.noSandbox = word == "never", word == "never"
}

// firstOf returns the first word that is among those that are allowed, or else the
// first.
func firstOf(words, allowed []string) string {
	for _, word := range words {
		if slices.Contains(allowed, word) {
			return word
		}
	}
	return words[0]
}

// denies reports whether nobody may read a file.
func (c *codexRequired) denies(file string) bool {
	for _, r := range c.unread {
		rest, below := strings.CutPrefix(file, map[string]string{"/": "/", "home": sampleHome + "/"}[r.from])
		if below && regexp.MustCompile(r.paths).MatchString(rest) {
			return true
		}
	}
	return false
}
