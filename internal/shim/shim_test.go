package shim_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/shim"
)

var agents = []string{"opencode", "pi", "senpi"}

func TestTextIsRecognised(t *testing.T) {
	for _, agent := range agents {
		for _, program := range []string{
			"/usr/local/bin/permctl",
			"/home/Ann O'Hara/bin/permctl",
			`/tmp/"; process.exit(0); "/permctl`,
			"/tmp/${x}/`y`/\\/permctl",
			"/tmp/</script>\u2028\u2029/permctl",
			"/tmp/two\nlines\r\t\x01/permctl",
			"/Müller/日本/permctl",
		} {
			text, err := shim.Text(agent, program)
			if err != nil {
				t.Errorf("Text(%s, %q): %v", agent, program, err)
				continue
			}
			if got, ours := shim.Program(agent, text); !ours || got != program {
				t.Errorf("Program(%s) of the text for %q = %q, %t", agent, program, got, ours)
			}
			lines := strings.Split(string(text), "\n")
			if want := "permctl uninstall " + agent; !strings.HasPrefix(lines[0], "// Written by permctl") || !strings.HasSuffix(lines[0], want) {
				t.Errorf("the first line of the plugin for %s is %q, want a comment that ends in %q", agent, lines[0], want)
			}
			if !strings.HasPrefix(lines[1], "const program = \"") || !strings.HasPrefix(lines[2], "const dialect = ") {
				t.Errorf("the path %q is not in a line of its own: %q", program, lines[1:3])
			}
		}
	}
}

func TestTextRefusesPaths(t *testing.T) {
	for _, program := range []string{"", "permctl", "./permctl", "bin/permctl", "/tmp/\xff/permctl", "/tmp/\x00/permctl"} {
		if text, err := shim.Text("opencode", program); err == nil || text != nil {
			t.Errorf("Text(opencode, %q) = %.20q, %v; want an error", program, text, err)
		}
	}
	if text, err := shim.Text("claude", "/bin/permctl"); err == nil || text != nil {
		t.Errorf("Text(claude) = %.20q, %v; want an error", text, err)
	}
}

func TestProgramKnowsOthers(t *testing.T) {
	ours, err := shim.Text("opencode", "/bin/permctl")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing":              "",
		"another's":            "export const Permctl = async () => ({})\n",
		"ours behind a line":   "\n" + string(ours),
		"cut off":              string(ours[:90]),
		"of another agent":     strings.Replace(string(ours), "uninstall opencode", "uninstall opencode2", 1),
		"an expression's path": strings.Replace(string(ours), `"/bin/permctl"`, `process.env.PERMCTL`, 1),
	} {
		if program, ok := shim.Program("opencode", []byte(text)); ok {
			t.Errorf("%s counts as our plugin, which starts %q", name, program)
		}
	}
	if program, ok := shim.Program("pi", ours); ok {
		t.Errorf("opencode's plugin counts as pi's, which starts %q", program)
	}
}

// TestTextIsJavaScript has node parse the plugins, where there is one.
func TestTextIsJavaScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	for _, agent := range agents {
		text, err := shim.Text(agent, "/tmp/\"\u2028`${x}`\n/permctl")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "--check")
		cmd.Stdin = strings.NewReader(string(text))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the plugin for %s is no JavaScript: %v\n%s", agent, err, out)
		}
	}
}
