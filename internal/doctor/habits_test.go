package doctor

import (
	"errors"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/install"
)

// Each agent that permctl can be installed into is known here, and the dry call is
// one on which it waits for an answer.
func TestEveryAgent(t *testing.T) {
	for _, agent := range install.Agents {
		p, err := Machine{Cwd: "/srv"}.patient(agent)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(p.habit.programs) == 0 || len(p.habit.folders(install.Places{Home: "/home/ann"})) == 0 {
			t.Errorf("nothing tells that %s is here", agent.Name)
		}
		called := 0
		for _, event := range agent.Events {
			payload, err := p.canary(event)
			if err != nil {
				t.Errorf("%s, %s: %v", agent.Name, event, err)
			}
			if payload == nil {
				continue
			}
			called++
			heard, err := p.dialect.Decode(payload)
			if err != nil || !heard.Decides || heard.Name != event {
				t.Errorf("%s hears %s as %s, which it waits on: %v, %v", agent.Name, event, heard.Name, heard.Decides, err)
			}
			if effect := p.dialect.Reads(payload, hook.Outcome{Answer: p.dialect.Fail(payload, errors.New("no"))}, false); effect != hook.Blocked {
				t.Errorf("%s: a refusal of the dry call on %s is %s", agent.Name, event, effect)
			}
		}
		if called == 0 {
			t.Errorf("%s has no event with a dry call", agent.Name)
		}
	}
	if len(habits) != len(install.Agents) {
		t.Errorf("%d agents are known, and permctl is installed into %d", len(habits), len(install.Agents))
	}
}
