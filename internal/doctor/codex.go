package doctor

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/regular"
)

// codexEvents are the names of Codex's events where it keeps what is trusted.
var codexEvents = map[string]string{"PreToolUse": "pre_tool_use", "PermissionRequest": "permission_request"}

// codexFile returns the path of one of Codex's own files.
func (p *patient) codexFile(name string) string { return below(p.folder("CODEX_HOME", ".codex"), name) }

// codexRequirements are the administrator's settings, and codexManaged those of
// the machine.
func (p *patient) codexRequirements() string {
	return p.machine("/etc/codex/requirements.toml", "/etc/codex/requirements.toml", "")
}

func (p *patient) codexManaged() string {
	return p.machine("/etc/codex/managed_config.toml", "/etc/codex/managed_config.toml", "")
}

// codexEntries returns the hooks in Codex's files of TOML.
func codexEntries(p *patient) []install.Entry {
	var found []install.Entry
	type file struct {
		scope install.Scope
		path  string
	}
	files := []file{{install.User, p.codexFile("config.toml")}}
	for _, path := range p.projects(".codex/config.toml") {
		if path == files[0].path {
			continue // the home is a project itself
		}
		files = append(files, file{install.Project, path})
	}
	for _, file := range append(files, file{install.Managed, p.codexRequirements()}, file{install.Managed, p.codexManaged()}) {
		t := p.toml(file.path)
		for _, h := range t.codexHandlers() {
			e := install.Recognise(install.Entry{
				File: file.path, Line: h.line, Scope: file.scope, Event: h.event, Matcher: h.matcher, All: h.takesAll(),
				Shell: h.command, Timeout: h.timeout,
			})
			switch {
			case !e.Ours:
			case h.kind != "command":
				e.Flaw = "its type is not command"
			case !e.All:
				e.Flaw = fmt.Sprintf("its matcher %q leaves out other tools", e.Matcher)
			case h.async:
				e.Flaw = "it is async, and nobody waits for it"
			case h.wrongTime != "":
				e.Flaw = fmt.Sprintf("its timeout is %s, and has to be a whole number above zero", h.wrongTime)
			}
			found = append(found, e)
		}
	}
	return found
}

// A codexHandler is a hook as Codex has it, wherever it is written.
type codexHandler struct {
	event         string
	group, number int
	line          int
	hasMatcher    bool
	matcher       string
	kind          string
	command       string
	async         bool
	timeout       time.Duration
	wrongTime     string  // what stands there, if that is no time
	message       *string // what it shows meanwhile
}

func (h codexHandler) takesAll() bool {
	return !h.hasMatcher || slices.Contains([]string{"", "*", ".*"}, h.matcher)
}

// codexHandlers returns the hooks in a file of TOML on which Codex waits.
func (t table) codexHandlers() []codexHandler {
	var found []codexHandler
	for _, event := range slices.Sorted(maps.Keys(codexEvents)) {
		groups, _ := t.value("hooks", event)
		for i, group := range list(groups) {
			for j, values := range list(group["hooks"]) {
				h := codexHandler{event: event, group: i, number: j}
				h.line = t.lines[key("hooks", event, strconv.Itoa(i), "hooks", strconv.Itoa(j))]
				h.matcher, h.hasMatcher = group["matcher"].(string)
				h.kind, _ = values["type"].(string)
				h.command, _ = values["command"].(string)
				h.async, _ = values["async"].(bool)
				switch seconds, whole := values["timeout"].(int64); {
				case whole && seconds > 0 && seconds <= math.MaxInt32:
					h.timeout = time.Duration(seconds) * time.Second
				case values["timeout"] != nil:
					h.wrongTime = fmt.Sprint(values["timeout"])
				}
				if message, ok := values["statusMessage"].(string); ok {
					h.message = &message
				}
				found = append(found, h)
			}
		}
	}
	return found
}

// codexHandlers returns how a hook of permctl's stands in its file.
func (p *patient) codexHandlers(o *own) []codexHandler {
	var found []codexHandler
	if filepath.Ext(o.entry.File) == ".toml" {
		for _, h := range p.toml(o.entry.File).codexHandlers() {
			if h.event == o.entry.Event && h.line == o.entry.Line && h.command == o.Command {
				found = append(found, h)
			}
		}
		return found
	}
	for _, h := range p.handlers(o) {
		c := codexHandler{event: h.event, group: h.group, number: h.number, line: h.value.Line()}
		c.hasMatcher, c.matcher = h.matcher.Kind() != "", h.matcher.Text()
		c.command, c.async = h.value.Member("command").Text(), h.value.Member("async").True()
		if seconds, ok := h.value.Member("timeout").Int(); ok {
			c.timeout = time.Duration(seconds) * time.Second
		}
		if message := h.value.Member("statusMessage"); message.Kind() != "" {
			text := message.Text()
			c.message = &text
		}
		found = append(found, c)
	}
	return found
}

// hash returns what Codex calls the hash of a hook: that of 0.171.0 for a command
// on Unix, as codex app-server says it (hooks/list).
func (h codexHandler) hash() string {
	seconds := int64(600)
	if h.timeout != 0 {
		seconds = max(1, int64(h.timeout/time.Second))
	}
	hook := object{"type": "command", "command": h.command, "async": h.async, "timeout": seconds}
	if h.message != nil {
		hook["statusMessage"] = *h.message
	}
	identity := object{"event_name": codexEvents[h.event], "hooks": []any{hook}}
	if h.hasMatcher {
		identity["matcher"] = h.matcher
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(identity) != nil {
		return ""
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// checkCodex looks at Codex's settings. What it makes of them is what 0.171.0 was
// seen to do.
func checkCodex(p *patient) {
	user := p.toml(p.codexFile("config.toml"))
	requirements, machine := p.toml(p.codexRequirements()), p.toml(p.codexManaged())
	for _, o := range p.ours {
		if o.entry.Scope == install.Project && !p.codexProject(user, filepath.Dir(filepath.Dir(o.entry.File))) {
			o.Trust = Untrusted
			p.blame(o, "the project is not trusted, and Codex leaves its hooks out", "start codex here and trust the project, or permctl install codex")
			continue
		}
		if o.entry.Scope != install.Managed {
			p.codexTrust(o, user)
		}
	}
	tables := []table{user, requirements, machine}
	if slices.ContainsFunc(p.folders(), func(folder string) bool { return p.codexProject(user, folder) }) {
		for _, path := range p.projects(".codex/config.toml") {
			tables = append(tables, p.toml(path))
		}
	}
	for _, t := range tables {
		for _, name := range []string{"hooks", "codex_hooks"} { // the second is what it was called once
			if v, line := t.value("features", name); v == false {
				p.switchOff(Finding{Text: "features." + name + " is false: Codex runs no hooks", File: t.path, Line: line, Hint: "take it out"}, nil)
			}
		}
		if v, line := t.value("approval_policy"); v == "never" {
			p.find(Finding{
				Severity: Warning, Text: "approval_policy is never: what no rule of permctl's speaks of runs unasked",
				File: t.path, Line: line, Hint: "take it out, or use a stricter preset than full-access",
			})
		}
	}
	for _, path := range each(p.codexFile("*.config.toml")) {
		if v, line := p.toml(path).value("features", "hooks"); v == false {
			name := strings.TrimSuffix(filepath.Base(path), ".config.toml")
			p.find(Finding{Severity: Warning, Text: "codex --profile " + name + " runs no hooks: features.hooks is false", File: path, Line: line, Hint: "take it out"})
		}
	}
	if v, line := requirements.value("allow_managed_hooks_only"); v == true {
		p.switchOff(Finding{
			Text: "allow_managed_hooks_only is true: only the administrator's hooks are run", File: requirements.path, Line: line, Hint: "permctl install codex --managed",
		}, managed)
	}
	p.codexEnv()
	p.late()
}

// codexEnv looks at the file from which Codex sets variables, for its hooks too.
func (p *patient) codexEnv() {
	file := p.codexFile(".env")
	if len(p.ours) == 0 || !exists(file) {
		return
	}
	text, _, err := regular.Read(file, maxFile)
	if err != nil {
		p.unreadable(file, err)
	}
	for v := range dotenv(text) {
		p.misset(file, "Codex", v, Problem, v.value == getenv(p.m.Places, v.name))
	}
}

// codexProject reports whether the user trusts a folder of the project: by what is
// said of it, or else of the workspace that it is in. What is said of a folder between
// them or above does not count.
func (p *patient) codexProject(user table, folder string) bool {
	if p.m.Places.Workspace == "" {
		return false
	}
	paths := []string{folder, real(folder)}
	if within(p.m.Places.Workspace, folder) {
		paths = append(paths, p.m.Places.Workspace, real(p.m.Places.Workspace))
	}
	for _, path := range paths {
		if v, _ := user.value("projects", path, "trust_level"); v != nil {
			return v == "trusted"
		}
	}
	return false
}

// codexTrust looks at whether a person has agreed to a hook in /hooks, as it is.
func (p *patient) codexTrust(o *own, user table) {
	const hint = "start codex, and trust the hook in /hooks"
	o.Trust = Trusted
	handlers := p.codexHandlers(o)
	if len(handlers) == 0 {
		o.Trust = Unknown
		p.warn(o, "whether the hook is trusted cannot be told", hint)
	}
	for _, h := range handlers {
		var known, trusted bool
		for _, file := range []string{o.entry.File, real(o.entry.File)} {
			name := fmt.Sprintf("%s:%s:%d:%d", file, codexEvents[h.event], h.group, h.number)
			hash, _ := user.value("hooks", "state", name, "trusted_hash")
			known, trusted = known || hash != nil, trusted || hash == h.hash()
			if on, line := user.value("hooks", "state", name, "enabled"); on == false {
				o.Counts = false
				p.find(Finding{Severity: Problem, Text: "permctl's hook is switched off in /hooks", File: user.path, Line: line, Hint: "start codex, and switch it on in /hooks", hook: o.Hook})
				break
			}
		}
		switch {
		case trusted:
		case known:
			o.Trust = Changed
			p.blame(o, "the hook is not as it was when somebody trusted it, and Codex leaves it out without a word", hint)
		default:
			o.Trust = Untrusted
			p.blame(o, "nobody has trusted the hook yet, and Codex leaves it out without a word", hint)
		}
	}
}
