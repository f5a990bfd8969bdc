# METADATA
# title: Time of day
# description: |
#   Tells when the call is made, by the clock of a time zone. Where the time is
#   not known nothing is between, and everything outside.
# schemas:
#   - input: schema.input
package policy.lib.clock

# METADATA
# description: |
#   Whether the call is made at or after one time of day and before the other,
#   such as between("08:00", "18:00", "Europe/Berlin"); the night is between
#   "22:00" and "06:00".
# scope: document
between(from, to, zone) if {
	from <= to
	now := _now(zone)
	from <= now
	now < to
}

between(from, to, zone) if {
	from > to
	now := _now(zone)
	true in {from <= now, now < to}
}

# METADATA
# description: Whether the call is not sure to be made between the two times of day.
outside(from, to, zone) if not between(from, to, zone)

# METADATA
# description: The day of the week on which the call is made, such as "Sunday".
weekday(zone) := time.weekday([time.parse_rfc3339_ns(input.time), zone]) if input.time != ""

_now(zone) := sprintf("%02d:%02d", [hour, minute]) if {
	input.time != ""
	[hour, minute, _] := time.clock([time.parse_rfc3339_ns(input.time), zone])
}
