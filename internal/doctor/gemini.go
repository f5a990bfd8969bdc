package doctor

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/regular"
)

// geminiFolders returns the folder of Gemini CLI.
func geminiFolders(p install.Places) []string {
	return []string{filepath.Join(cmp.Or(getenv(p, "GEMINI_CLI_HOME"), p.Home), ".gemini")}
}

// checkGemini looks at Gemini CLI's settings. What it makes of them is what the
// code of 0.61.0 does.
func checkGemini(p *patient) {
	const mac, windows = "/Library/Application Support/GeminiCli/", "C:/ProgramData/gemini-cli/"
	folder := geminiFolders(p.m.Places)[0]
	system := cmp.Or(getenv(p.m.Places, "GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
		p.machine("/etc/gemini-cli/settings.json", mac+"settings.json", windows+"settings.json"))
	defaults := cmp.Or(getenv(p.m.Places, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"),
		p.machine("/etc/gemini-cli/system-defaults.json", mac+"system-defaults.json", windows+"system-defaults.json"))
	sources := slices.Concat(
		p.sources(install.Managed, system),
		p.sources(install.Project, p.projects(".gemini/settings.json")...),
		p.sources(install.User, filepath.Join(folder, "settings.json")),
		p.sources(install.Managed, defaults),
	)
	if s, v := first(sources, "hooksConfig", "enabled"); v.Kind() == jsonc.Bool && !v.True() {
		p.switchOff(Finding{Text: "hooksConfig.enabled is false: Gemini CLI runs no hooks", File: s.path, Line: v.Line(), Hint: "set it to true"}, nil)
	}
	p.geminiDisabled(sources)
	if _, v := first(sources, "security", "folderTrust", "enabled"); v.Kind() != jsonc.Bool || v.True() {
		p.geminiTrust(cmp.Or(getenv(p.m.Places, "GEMINI_CLI_TRUSTED_FOLDERS_PATH"), filepath.Join(folder, "trustedFolders.json")))
	}
	p.geminiEnv()
	p.late()
}

// geminiEnv looks at the file from which Gemini CLI sets variables that are not set
// yet, those of its hooks with them. By some permctl finds its settings.
func (p *patient) geminiEnv() {
	file, severity := p.geminiEnvFile()
	if file == "" || len(p.ours) == 0 {
		return
	}
	text, _, err := regular.Read(file, maxFile)
	if err != nil {
		p.unreadable(file, err)
	}
	for v := range dotenv(text) {
		p.misset(file, "Gemini CLI", v, severity, getenv(p.m.Places, v.name) != "")
	}
}

// geminiEnvFile returns the first of the files in which Gemini CLI looks for
// variables: the folder's, those above, and the user's. What the user's say is no
// more than a warning.
func (p *patient) geminiEnvFile() (string, Severity) {
	for dir := p.m.Cwd; ; dir = filepath.Dir(dir) {
		for _, name := range []string{filepath.Join(dir, ".gemini", ".env"), filepath.Join(dir, ".env")} {
			if !exists(name) {
				continue
			}
			if dir == p.m.Places.Home {
				return name, Warning
			}
			return name, Problem
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, name := range []string{p.home(".gemini/.env"), p.home(".env")} {
		if exists(name) {
			return name, Warning
		}
	}
	return "", Note
}

// geminiDisabled looks for hooks that are switched off by their names, which are
// their commands if they have none.
func (p *patient) geminiDisabled(sources []source) {
	for _, s := range sources {
		for _, v := range s.root.Member("hooksConfig", "disabled").Elements() {
			for _, o := range p.ours {
				for _, h := range p.handlers(o) {
					if v.Text() == cmp.Or(h.value.Member("name").Text(), h.value.Member("command").Text()) {
						o.Counts = false
						p.find(Finding{Severity: Problem, Text: "hooksConfig.disabled names permctl's hook", File: s.path, Line: v.Line(), Hint: "take it out", hook: o.Hook})
					}
				}
			}
		}
	}
}

// geminiTrust looks at whether the folder is trusted. In one that is not, Gemini
// CLI runs no hooks, those of the user neither.
func (p *patient) geminiTrust(file string) {
	answer := strings.ToLower(getenv(p.m.Places, "GEMINI_CLI_TRUST_WORKSPACE"))
	trust, rule := p.geminiRule(file)
	f := Finding{Hint: "start gemini here and trust the folder, or see /permissions"}
	switch {
	case getenv(p.m.Places, "GEMINI_RESTRICTED_MODE") == "true":
		f.Text, f.Hint = "GEMINI_RESTRICTED_MODE is set: Gemini CLI runs no hooks then", "unset GEMINI_RESTRICTED_MODE"
	case answer == "false":
		f.Text, f.Hint = "GEMINI_CLI_TRUST_WORKSPACE is false: Gemini CLI runs no hooks then", "unset GEMINI_CLI_TRUST_WORKSPACE"
	case answer == "true", trust == "TRUST_FOLDER", trust == "TRUST_PARENT":
		for _, o := range p.ours {
			o.Trust = Trusted
		}
		return
	case trust == "DO_NOT_TRUST":
		f.Text, f.File, f.Line = "this folder is not to be trusted: Gemini CLI runs no hooks here, not even the user's", file, rule.Line()
	default:
		f.Text = "nobody has said yet whether this folder is to be trusted: until then Gemini CLI runs no hooks here, not even the user's"
	}
	for _, o := range p.ours {
		o.Trust = Untrusted
	}
	p.switchOff(f, nil)
}

// geminiRule returns what the longest rule for this folder says.
func (p *patient) geminiRule(file string) (trust string, rule jsonc.Value) {
	here, length := real(p.m.Cwd), -1
	for path, v := range p.json(file).Members() {
		folder := path.Text()
		if v.Text() == "TRUST_PARENT" {
			folder = filepath.Dir(folder)
		}
		if within(real(folder), here) && len(path.Text()) > length {
			trust, rule, length = v.Text(), v, len(path.Text())
		}
	}
	return trust, rule
}

// real returns a path without symbolic links, where it can be told.
func real(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return filepath.Clean(path)
}

// within reports whether a path is a folder, or lies in it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
