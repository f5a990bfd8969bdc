package hook

import "encoding/json"

// Marked returns the agents whose mark payload bears.
func Marked(payload []byte) []*Agent {
	var fields map[string]json.RawMessage
	if json.Unmarshal(payload, &fields) != nil {
		return nil
	}
	var found []*Agent
	for _, agent := range Agents {
		if agent.wrote(fields) {
			found = append(found, agent)
		}
	}
	return found
}
