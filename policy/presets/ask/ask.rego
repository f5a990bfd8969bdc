# METADATA
# title: Ask
# description: Asks for everything.
package policy.presets.ask

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [{"permission": "*", "pattern": "*", "action": "ask"}]
