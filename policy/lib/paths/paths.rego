# METADATA
# title: Paths
# description: |
#   Tells where a path lies and what it is called. A path is an entry of
#   input.paths, or a text. Use within and inside to allow, for they are true
#   only if it is sure; and touches and matches to deny, for they are true also
#   where it may be so. What has no path to be judged is in unclear.
# schemas:
#   - input: schema.input
package policy.lib.paths

import data.policy.lib.effects
import data.policy.match

# METADATA
# description: The paths that the call reads, or for all that is known may read.
reads contains path if {
	some path in input.paths
	path.access in {"read", "unknown"}
}

# METADATA
# description: The paths that the call writes or deletes, or for all that is known may.
writes contains path if {
	some path in input.paths
	path.access in {"write", "delete", "unknown"}
}

# METADATA
# description: |
#   What the call may do to files that are not among input.paths, because only
#   run time knows them or the tool does not say.
# scope: document
unclear contains target.pattern if {
	some request in input.requests
	request.permission in {"read", "edit", "list", "glob", "grep", "external_directory"}
	some target in request.targets
	_nameless(target)
}

unclear contains thing.target if some thing in effects.unclear

# METADATA
# description: |
#   Whether the path is sure to be the folder or to lie in it, both by its words
#   and with symbolic links resolved. A folder is relative to the workspace,
#   absolute, or begins with ~.
within(path, folder) if {
	places := _places(path)
	count(places) > 0
	every place in places {
		some root in _roots(folder)
		_below(place, root)
	}
}

# METADATA
# description: Whether the path is not sure to lie in the folder.
outside(path, folder) if not within(path, folder)

# METADATA
# description: |
#   Whether what is done to the path may touch the folder: it may lie in it, or
#   hold it, or nobody can say where it is.
# scope: document
touches(path, folder) if {
	some place in _places(path)
	some root in _roots(folder)
	some pair in [[place, root], [root, place]]
	_may_be_below(pair)
}

touches(path, _) if count(_places(path)) == 0

# METADATA
# description: |
#   Whether the pattern matches any spelling of the path: as it is written,
#   absolute, resolved, or relative to the workspace; or may match it, if the
#   path has wildcards itself. * also stands for slashes.
# scope: document
matches(path, pattern) if {
	some spelling in _spellings(path)
	match.wildcard(lower(spelling), lower(_homely(pattern)))
}

matches(path, pattern) if {
	some spelling in _spellings(path)
	regex.match(`[*?\[]`, spelling)
	_may_match(lower(spelling), lower(_homely(pattern)))
}

# METADATA
# description: Whether the path's last name is, or may be, one of the names; they may have wildcards.
named(path, names) if {
	some name in names
	some pattern in [name, concat("/", ["*", name])]
	matches(path, pattern)
}

# METADATA
# description: Whether the path ends, or may end, in one of the extensions, given without a dot.
has_extension(path, extensions) if {
	some extension in extensions
	matches(path, concat(".", ["*", extension]))
}

# The absolute spellings of a path, or none if it cannot be told.
_places(path) := {path.absolute, path.real} if {
	is_object(path)
	not path.error
}

_places(path) := set() if path.error

_places(path) := {place |
	written := _homely(path)
	_plain(written)
	place := _joined(written)
} if {
	is_string(path)
}

_joined(text) := text if startswith(text, "/")

_joined(text) := concat("/", [input.workspace.root, text]) if not startswith(text, "/")

# A text can be placed if nothing in it stands for something else.
_plain(text) if not regex.match(`(^|/)\.\.(/|$)|[$\x60]`, text)

_spellings(path) := {path} if is_string(path)

_spellings(path) := {path.path, path.absolute, path.real, path.relative} - {""} if is_object(path)

_roots(folder) := {trim_suffix(_homely(folder), "/")} if regex.match(`^[/~]`, folder)

_roots(folder) := {root |
	some base in {input.workspace.root, input.workspace.real}
	root := trim_suffix(concat("/", [base, trim_prefix(folder, "./")]), "/.")
} if {
	not regex.match(`^[/~]`, folder)
}

_homely(text) := concat("", [input.user.home, substring(text, 1, -1)]) if regex.match(`^~(/|$)`, text)

_homely(text) := text if not regex.match(`^~(/|$)`, text)

_below(place, root) if startswith(_slashed(place), _slashed(root))

_may_be_below([place, root]) if _below(place, root)

_may_be_below([place, root]) if {
	regex.match(`[*?\[]`, concat("", [place, root]))
	_may_match(_slashed(place), concat("", [_slashed(root), "*"]))
}

_slashed(path) := concat("", [trim_right(path, "/"), "/"])

# Whether some text could match both. Beyond a few wildcards that is taken to
# be so, for finding out takes time.
_may_match(one, other) if {
	count(regex.find_n(`[*?\[]+`, concat("", [one, other]), -1)) > 6
}

_may_match(one, other) if {
	count(regex.find_n(`[*?\[]+`, concat("", [one, other]), -1)) <= 6
	regex.globs_match(_glob(one), _glob(other))
}

_glob(text) := regex.replace(regex.replace(text, `[^\pL\pN*?\[\]/_ ]`, `\$0`), `[*?]+|\[[^/]*\]|[\[\]]`, ".*")

_nameless(target) if target.opaque

_nameless(target) if target.forms == ["*"]
