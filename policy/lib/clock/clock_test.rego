package policy.lib.clock_test

import data.policy.lib.clock

# What is undefined counts as false.
default _between(_, _, _) := false

_between(from, to, zone) if clock.between(from, to, zone)

test_between[name] if {
	some name, [at, from, to, zone, want] in {
		"by day": ["2026-11-30T09:00:00Z", "08:00", "18:00", "UTC", true],
		"at the beginning": ["2026-11-30T08:00:00Z", "08:00", "18:00", "UTC", true],
		"at the end": ["2026-11-30T18:00:00Z", "08:00", "18:00", "UTC", false],
		"by night": ["2026-11-30T23:30:00Z", "22:00", "06:00", "UTC", true],
		"in the morning": ["2026-11-30T05:59:59Z", "22:00", "06:00", "UTC", true],
		"not by night": ["2026-11-30T12:00:00Z", "22:00", "06:00", "UTC", false],
		"elsewhere": ["2026-11-30T23:30:00Z", "08:00", "18:00", "Asia/Tokyo", true],
		"time not known": ["", "00:00", "24:00", "UTC", false],
	}

	_between(from, to, zone) == want with input as {"time": at}
}

test_outside if {
	clock.outside("08:00", "18:00", "UTC") with input as {"time": "2026-11-30T20:00:00Z"}
	clock.outside("08:00", "18:00", "UTC") with input as {"time": ""}
	not clock.outside("08:00", "18:00", "UTC") with input as {"time": "2026-11-30T09:00:00Z"}
}

test_weekday if {
	clock.weekday("UTC") == "Sunday" with input as {"time": "2026-11-29T23:30:00Z"}
	clock.weekday("Europe/Berlin") == "Monday" with input as {"time": "2026-11-29T23:30:00Z"}
	not clock.weekday("UTC") with input as {"time": ""}
}
