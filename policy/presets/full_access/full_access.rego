# METADATA
# title: Full access
# description: Allows whatever no other rule speaks of. This is the default.
package policy.presets.full_access

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [{"permission": "*", "pattern": "*", "action": "allow"}]
