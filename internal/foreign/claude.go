package foreign

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// Claude is Claude Code: https://code.claude.com/docs/en/permissions. It is taken
// to be started in the workspace's root.
var Claude = &Source{
	Name: "claude",
	Files: "~/.claude/settings.json, .claude/settings.json, .claude/settings.local.json,\n" +
		"managed-settings.json: the lists in permissions, defaultMode, and\n" +
		"additionalDirectories. A pattern /x begins where its file's scope says.",
	strictest: true, read: readClaude,
}

// A claudeRule is a rule of a list.
type claudeRule struct {
	action permission.Action
	tool   string
	spec   string // what stands in the brackets
	bare   bool   // whether there are none, or a star in them
	scope  Scope
	from   Origin
}

// A claudeSetting is all that the files say of permissions.
type claudeSetting struct {
	rules []claudeRule
	mode  string
	from  Origin // of the mode
	dirs  []claudeDir
}

// A claudeDir is one of the additional directories.
type claudeDir struct {
	path string
	from Origin
}

// readClaude makes a book of settings files.
func readClaude(files []File) (*book, error) {
	b := &book{}
	s, err := claudeSettingOf(files, b)
	if err != nil {
		return nil, err
	}
	t := claudeTranslation{book: b, setting: s}
	return b, t.translate()
}

// claudeSettingOf reads settings files, with the rules in the order in which the
// strictest comes last. What is left out is noted.
func claudeSettingOf(files []File, b *book) (*claudeSetting, error) {
	s := claudeSetting{mode: "default"}
	rank := -1
	var managedOnly *Origin
	for _, f := range files {
		root, err := settingsOf(f)
		if err != nil {
			return nil, err
		}
		switch comment, comma := root.Extras(); {
		case comment > 0:
			return nil, fmt.Errorf("%s:%d: there is a comment, for which Claude Code leaves out the whole file: take the comments out", f.Name, comment)
		case comma > 0:
			return nil, fmt.Errorf("%s:%d: there is a comma behind the last element, for which Claude Code leaves out the whole file: take the comma out", f.Name, comma)
		}
		scope := claudeScope(f)
		before := len(s.rules) + len(s.dirs) + len(b.notes)
		if only := root.Member("allowManagedPermissionRulesOnly"); only.True() && scope == Managed {
			managedOnly = &Origin{f.Name, only.Line(), "allowManagedPermissionRulesOnly"}
		}
		r := claudeReader{b, &s, f.Name, scope}
		r.others(root)
		mode, err := r.permissions(root.Member("permissions"))
		if err != nil {
			return nil, err
		}
		if at := claudeRank(scope); mode.Text != "" && at > rank {
			rank, s.mode, s.from = at, mode.Text, mode
		}
		if err := tooMany(f.Name, len(s.rules)); err != nil {
			return nil, err
		}
		if before == len(s.rules)+len(s.dirs)+len(b.notes) && mode.Text == "" {
			known := scope != "" || f.own() || root.Member("permissions").Kind() != jsonc.None || managedOnly != nil && managedOnly.File == f.Name
			if err := b.nothing(f, known, "Claude Code"); err != nil {
				return nil, err
			}
		}
	}
	if managedOnly != nil {
		s.rules = slices.DeleteFunc(s.rules, func(r claudeRule) bool {
			foreign := r.scope != Managed && r.action == permission.Allow
			if foreign {
				b.note(r.from, "is left out: by %s, only managed settings allow", managedOnly)
			}
			return foreign
		})
	}
	order := map[permission.Action]int{permission.Allow: 0, permission.Ask: 1, permission.Deny: 2}
	slices.SortStableFunc(s.rules, func(x, y claudeRule) int { return order[x.action] - order[y.action] })
	return &s, nil
}

// claudeScope returns whose settings a file has, or "" if its name does not say.
func claudeScope(f File) Scope {
	name := strings.ReplaceAll(f.Name, `\`, "/")
	dir, base := path.Base(path.Dir(name)), path.Base(name)
	switch {
	case f.Scope != "" && f.Scope != User:
		return f.Scope
	case strings.HasPrefix(base, "managed-settings") || dir == "managed-settings.d":
		return Managed
	case base == "settings.local.json" && f.own() && f.Scope == "":
		return "" // for the project that the home itself is
	case base == "settings.local.json":
		return Local
	case f.Scope == User || f.own() && dir == ".claude" && path.Dir(f.Home) == ".claude":
		return User
	case dir == ".claude":
		return Project
	}
	return ""
}

// claudeRank says which file's mode counts: that of the highest.
func claudeRank(s Scope) int { return slices.Index([]Scope{"", User, Project, Local, Managed}, s) }

// A claudeReader reads one file.
type claudeReader struct {
	book    *book
	setting *claudeSetting
	file    string
	scope   Scope
}

// errorf returns an error at a value.
func (r claudeReader) errorf(v jsonc.Value, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, v.Line(), fmt.Sprintf(format, args...))
}

// others notes what bears upon permissions elsewhere in settings.
func (r claudeReader) others(root jsonc.Value) {
	for key, value := range root.Members() {
		from := Origin{r.file, value.Line(), key.Text()}
		switch key.Text() {
		case "sandbox":
			r.book.note(from, "stays in Claude Code's settings, which goes on to keep commands in it; what it lets run without asking for being in it, permctl asks for")
		case "disabledMcpjsonServers", "deniedMcpServers":
			r.book.note(from, "stays in Claude Code's settings, which goes on to start no such server")
		case "disableAllHooks":
			if value.True() {
				r.book.note(from, "has to go: with it, Claude Code runs no hook, and asks permctl for nothing")
			}
		default:
			if permissionKey.MatchString(key.Text()) && !slices.Contains(claudeKeys, key.Text()) {
				r.book.note(from, "is left out: Claude Code has no such setting; its rules stand in permissions.allow, permissions.ask and permissions.deny")
			}
		}
	}
}

// claudeKeys are settings that sound as if they held rules for calls.
var claudeKeys = []string{
	"permissions", "allowManagedPermissionRulesOnly", "allowManagedHooksOnly", "allowManagedMcpServersOnly", "allowedHttpHookUrls", "allowedMcpServers",
	"blockedMarketplaces", "deniedMcpServers", "disabledMcpjsonServers",
}

// permissions reads the part of settings that is about permissions, and returns
// the mode in it.
func (r claudeReader) permissions(v jsonc.Value) (mode Origin, err error) {
	if v.Kind() == jsonc.None || v.Kind() == jsonc.Null {
		return mode, nil
	}
	if v.Kind() != jsonc.Object {
		return mode, r.errorf(v, "permissions must be an object with the lists allow, ask and deny")
	}
	for key, value := range v.Members() {
		at := Origin{r.file, value.Line(), "permissions." + key.Text()}
		switch name := key.Text(); name {
		case "allow", "ask", "deny":
			err = r.list(permission.Action(name), value)
		case "defaultMode":
			if value.Kind() != jsonc.String {
				return mode, r.errorf(value, "permissions.defaultMode must be the name of a mode")
			}
			mode = Origin{r.file, value.Line(), value.Text()}
		case "additionalDirectories":
			err = r.directories(value)
		case "disableBypassPermissionsMode", "disableAutoMode", "skipDangerousModePermissionPrompt":
			r.book.note(at, "stays in Claude Code's settings: it is about Claude Code's own modes, and permctl knows none that allows everything")
		default:
			r.book.note(at, "is left out: it is no list of permissions that is known%s", permission.DidYouMean(name, "allow", "ask", "deny", "defaultMode", "additionalDirectories"))
		}
		if err != nil {
			return mode, err
		}
	}
	return mode, nil
}

// list reads a list of rules.
func (r claudeReader) list(action permission.Action, v jsonc.Value) error {
	if v.Kind() != jsonc.Array {
		return r.errorf(v, "permissions.%s must be a list of rules", action)
	}
	for _, item := range v.Elements() {
		if item.Kind() != jsonc.String {
			return r.errorf(item, "a rule of permissions.%s must be text, such as \"Bash(git status)\"", action)
		}
		text := strings.TrimSpace(item.Text())
		tool, spec, open := strings.Cut(text, "(")
		inner, closed := strings.CutSuffix(spec, ")")
		if tool == "" || open != closed || open && strings.TrimSpace(inner) == "" || strings.ContainsAny(tool, " \t)") {
			return r.errorf(item, "%q is no rule: write a tool, or a tool and what it is given in brackets, such as Bash(git status)", item.Text())
		}
		if why := unwieldy(text); why != "" {
			return r.errorf(item, "%s", why)
		}
		r.setting.rules = append(r.setting.rules, claudeRule{
			action: action, tool: tool, spec: strings.TrimSpace(inner), bare: !open || strings.TrimSpace(inner) == "*",
			scope: r.scope, from: Origin{r.file, item.Line(), text},
		})
	}
	return nil
}

func (r claudeReader) directories(v jsonc.Value) error {
	if v.Kind() != jsonc.Array {
		return r.errorf(v, "permissions.additionalDirectories must be a list of folders")
	}
	for _, item := range v.Elements() {
		if item.Text() == "" {
			return r.errorf(item, "a folder of permissions.additionalDirectories must be a path")
		}
		r.setting.dirs = append(r.setting.dirs, claudeDir{item.Text(), Origin{r.file, item.Line(), "additionalDirectories " + item.Text()}})
	}
	return nil
}
