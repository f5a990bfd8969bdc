//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const piPackage = "@mariozechner/pi-coding-agent@0.73.1"

// A host is an agent that permctl is a plugin of: what its tools are called, and
// how a session is run in which the model is m.
type host struct {
	agent, program string

	plugin string // where the user's plugin is, below the home
	path   string // the name of the field for a file's path

	// configure writes the agent's own settings, and command returns a session with
	// the model of a name.
	configure func(t *testing.T, d *desk, m *model)
	command   func(ctx context.Context, d *desk, model string) *exec.Cmd
}

// hosts returns the agents that load plugins.
func hosts(t *testing.T) []host {
	t.Helper()
	opencode, pi := findOpencode(t), findAgent(t, "pi", piPackage, "")
	return []host{
		{
			agent: "opencode", program: opencode, plugin: ".config/opencode/plugins/permctl.js", path: "filePath",
			configure: func(t *testing.T, d *desk, m *model) {
				configure(t, filepath.Join(d.home, ".config", "opencode", "opencode.json"), object{
					"small_model": "mock/m1",
					"provider": object{"mock": object{
						"npm": "@ai-sdk/anthropic", "name": "Mock", "options": object{"baseURL": m.url + "/v1", "apiKey": "none"},
						"models": object{"m1": object{"name": "m1"}, "gpt-5": object{"name": "gpt-5"}},
					}},
				})
				// Where there are plugins, opencode waits until npm has installed its own
				// package beside them, unless it has been there before.
				configure(t, filepath.Join(d.home, ".config", "opencode", "package-lock.json"), object{
					"packages": object{"": object{"dependencies": object{"@opencode-ai/plugin": "1.18.33"}}},
				})
				write(t, filepath.Join(d.home, ".config", "opencode", "node_modules", ".package-lock.json"), "{}")
			},
			command: func(ctx context.Context, d *desk, model string) *exec.Cmd {
				cmd := exec.CommandContext(ctx, opencode, "run", "--model", "mock/"+model, "go on")
				cmd.Env = append(d.environment(), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
					"XDG_DATA_HOME="+filepath.Join(d.home, ".local", "share"), "XDG_CACHE_HOME="+filepath.Join(d.home, ".cache"))
				return cmd
			},
		},
		{
			agent: "pi", program: pi, plugin: ".pi/agent/extensions/permctl.js", path: "path",
			configure: func(t *testing.T, d *desk, m *model) {
				configure(t, filepath.Join(d.home, ".pi", "agent", "models.json"), object{
					"providers": object{"mock": object{
						"baseUrl": m.url, "api": "anthropic-messages", "apiKey": "none", "models": []any{object{"id": "m1"}},
					}},
				})
			},
			command: func(ctx context.Context, d *desk, model string) *exec.Cmd {
				cmd := exec.CommandContext(ctx, pi, "-p", "--provider", "mock", "--model", model, "go on")
				cmd.Env = append(d.environment(), "PI_OFFLINE=1", "PI_TELEMETRY=0")
				return cmd
			},
		},
	}
}

// configure writes v as JSON.
func configure(t *testing.T, path string, v any) {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(text))
}

// bash, write and read are steps in the host's words.
func (host) bash(name string, w want) step {
	return step{call: toolCall{"bash", map[string]any{"command": "mkdir " + name, "description": "Make a directory"}}, want: w, made: name}
}

func (h host) write(d *desk, name string, w want) step {
	return step{
		call: toolCall{"write", map[string]any{h.path: filepath.Join(d.workspace, name), "content": "new\n"}},
		want: w, made: name, text: "new",
	}
}

func (h host) read(d *desk, name string, w want) step {
	return step{call: toolCall{"read", map[string]any{h.path: filepath.Join(d.workspace, name)}}, want: w}
}

// edit is a step that changes a file, in the words of opencode or of pi.
func (h host) edit(d *desk, name string, w want) step {
	input := map[string]any{h.path: filepath.Join(d.workspace, name)}
	if h.agent == "pi" {
		input["edits"] = []any{map[string]any{"oldText": "old", "newText": "changed"}}
	} else {
		input["oldString"], input["newString"] = "old", "changed"
	}
	return step{call: toolCall{"edit", input}, want: w, made: name, text: "changed"}
}

// run has a session make the calls of steps, and looks at what came of them.
func (h host) run(t *testing.T, d *desk, steps []step) {
	t.Helper()
	h.runModel(t, d, "m1", steps)
}

// runModel does so with the model of a name: some names get other tools.
func (h host) runModel(t *testing.T, d *desk, name string, steps []step) {
	t.Helper()
	m := newModel(t, script(steps))
	h.configure(t, d, m)
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	cmd := h.command(ctx, d, name)
	cmd.Dir, cmd.WaitDelay = d.workspace, 5*time.Second
	text := output(t, cmd)
	d.review(t, m, steps)
	if t.Failed() {
		t.Log(text)
	}
}

// TestPlugins has the real agents load the plugins, and a model call tools.
func TestPlugins(t *testing.T) {
	permctl := buildPermctl(t)
	run := func(name string, session func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session(t)
		})
	}
	for _, h := range hosts(t) {
		fmt.Fprintln(t.Output(), h.agent, output(t, exec.CommandContext(t.Context(), h.program, "--version")))
		desk := func(t *testing.T, settings, program string) *desk {
			d := rig{permctl: permctl}.newDesk(t, settings)
			plugin(t, h.agent, program, filepath.Join(d.home, filepath.FromSlash(h.plugin)))
			return d
		}
		run(h.agent+" rules", func(t *testing.T) { h.rules(t, desk(t, settings, permctl)) })
		run(h.agent+" later plugin", func(t *testing.T) { h.later(t, desk(t, settings, permctl)) })
		if h.agent == "opencode" {
			run("opencode patches", func(t *testing.T) { h.patches(t, desk(t, settings, permctl)) })
		}
		run(h.agent+" broken settings", func(t *testing.T) {
			d := desk(t, strings.Replace(settings, ": allow", ": alow", 1), permctl)
			h.run(t, d, []step{h.bash("allowed", refused("mkdir allowed")), h.write(d, "notes/allowed-new.md", want{rule: "deny", told: `"alow"`})})
		})
		run(h.agent+" broken policy", func(t *testing.T) {
			d := desk(t, settings, permctl)
			write(t, filepath.Join(d.home, ".config", "permctl", "policy", "broken.rego"), "package org.broken\n\ndeny contains x\n")
			h.run(t, d, []step{h.bash("allowed", want{rule: "deny", told: "broken.rego"})})
		})
		run(h.agent+" without permctl", func(t *testing.T) {
			gone := filepath.Join(t.TempDir(), "permctl")
			d := desk(t, settings, gone)
			h.run(t, d, []step{
				h.bash("allowed", want{rule: "gone", told: gone + " cannot be started"}),
				h.write(d, "notes/allowed-new.md", want{rule: "gone", told: "ENOENT"}),
			})
		})
		run(h.agent+" failing permctl", func(t *testing.T) {
			for script, told := range map[string]string{
				"cat >/dev/null; exec sleep 600": "did not answer within 0.7 s",
				"kill -SEGV $$":                  "SIGSEGV",
				"cat >/dev/null":                 "said nothing",
			} {
				d := desk(t, settings, pretend(t, script))
				hasten(t, filepath.Join(d.home, filepath.FromSlash(h.plugin)))
				h.run(t, d, []step{h.bash("allowed", want{rule: "fails", told: told}), h.write(d, "notes/allowed-new.md", want{rule: "fails", told: told})})
			}
		})
	}
}

// rules: what is allowed runs, and of what is denied or would have to be asked for
// the model is told why. What no rule names is left to the agent, which runs it.
func (h host) rules(t *testing.T, d *desk) {
	left := want{rule: "none", runs: true}
	steps := []step{
		h.bash("allowed", granted),
		h.bash("denied", refused("mkdir denied")),
		h.bash("asked", asked("mkdir asked")),
		h.bash("unnamed", left),
		h.read(d, "notes/allowed.md", want{rule: "none", runs: true, told: "old"}),
		h.read(d, "notes/denied.md", want{rule: "none", runs: true, told: "old"}),
		h.write(d, "notes/allowed-new.md", granted),
		h.write(d, "notes/denied-new.md", refused("notes/denied*")),
		h.edit(d, "notes/allowed.md", granted),
		h.edit(d, "notes/denied.md", refused("notes/denied*")),
	}
	h.run(t, d, steps)
}

// patches: opencode has its GPT models write by patches, and a patch is as denied as
// the strictest of its paths.
func (h host) patches(t *testing.T, d *desk) {
	patch := func(made string, w want, files ...string) step {
		add := strings.Join(files, "\n+new\n*** Add File: ")
		text := "*** Begin Patch\n*** Add File: " + add + "\n+new\n*** End Patch"
		return step{call: toolCall{"apply_patch", map[string]any{"patchText": text}}, want: w, made: made, text: "new"}
	}
	h.runModel(t, d, "gpt-5", []step{
		patch("notes/allowed-1.md", granted, "notes/allowed-1.md"),
		patch("notes/denied-2.md", refused("notes/denied*"), "notes/allowed-2.md", "notes/denied-2.md"),
	})
	if _, err := os.Stat(filepath.Join(d.workspace, "notes", "allowed-2.md")); err == nil {
		t.Error("a part of the denied patch was made")
	}
}

// later: a plugin that is loaded after permctl's cannot have another call made than
// the one that was judged.
func (h host) later(t *testing.T, d *desk) {
	change := map[string]string{
		"opencode": `export const Later = async () => ({ "tool.execute.before": async (input, output) => { output.args.command = "mkdir denied" } })`,
		"pi":       `export default (pi) => { pi.on("tool_call", async (event) => { event.input.command = "mkdir denied" }) }`,
	}
	write(t, filepath.Join(d.home, filepath.FromSlash(filepath.Dir(h.plugin)), "zz.js"), change[h.agent]+"\n")
	h.run(t, d, []step{h.bash("allowed", want{rule: "allow", told: "read"})}) // read only, or readonly
	if _, err := os.Stat(filepath.Join(d.workspace, "denied")); err == nil {
		t.Error("the call ran as the later plugin has changed it")
	}
}
