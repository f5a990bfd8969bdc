# METADATA
# title: URLs
# description: |
#   Tells where a URL leads. A URL is an entry of input.urls, or a text. Use
#   host_in and scheme_in to allow, for they are true only if it is sure; and
#   reaches and private to deny, for they are true also where nobody can tell.
#   Calls of other machines whose URL is not known are in unclear.
# schemas:
#   - input: schema.input
package policy.lib.urls

# METADATA
# description: |
#   Whether the URL is sure to lead to one of the hosts. "*.example.com" stands
#   for all hosts below example.com, and not for itself.
host_in(url, hosts) if {
	some pattern in hosts
	_host_matches(_host(url), pattern)
}

# METADATA
# description: Whether the URL leads to one of the hosts, or nobody can tell.
# scope: document
reaches(url, hosts) if host_in(url, hosts)

reaches(url, _) if not _host(url)

# METADATA
# description: |
#   Whether the URL leads to the machine itself, a private network or a link-local
#   address, or nobody can tell; of a text nobody can, unless it is in input.urls.
# scope: document
private(url) if not _taken_apart(url)

private(url) if {
	facts := _taken_apart(url)
	true in {facts.private, facts.link_local}
}

# METADATA
# description: Whether the URL is sure to have one of the schemes, given in lower case.
scheme_in(url, schemes) if _scheme(url) in schemes

# METADATA
# description: |
#   The commands, and the parts of a shell text, that talk to other machines but
#   do not say clearly to which.
# scope: document
unclear contains command.text if {
	some command in input.commands
	"network" in command.effects
	not _says_where(command)
}

unclear contains unparsed.text if some unparsed in input.script.unparsed

# A program that takes nothing but addresses may be given one without a scheme.
_says_where(command) if {
	not command.dynamic
	command.name in {"curl", "wget", "http", "https", "xh"}
	count(command.operands) > 0
	every word in command.operands {
		contains(word, "://")
	}
}

_says_where(command) if {
	not command.dynamic
	not command.name in {"curl", "wget", "http", "https", "xh"}
	some word in command.args
	contains(word.text, "://")
}

_taken_apart(url) := url if {
	is_object(url)
	not url.error
}

_taken_apart(url) := facts if {
	is_string(url)
	some facts in input.urls
	facts.url == url
	not facts.error
}

_host(url) := url.host if _taken_apart(url) == url

_host(url) := trim_suffix(trim(lower(_parts(url)[2]), "[]"), ".") if is_string(url)

_scheme(url) := url.scheme if _taken_apart(url) == url

_scheme(url) := lower(_parts(url)[1]) if is_string(url)

# Text that programs could read in different ways has no parts.
_parts(text) := regex.find_all_string_submatch_n(
	`^([A-Za-z][A-Za-z0-9+.-]*)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?(?:[/?#][^\\\s]*)?$`,
	text, 1,
)[0]

_host_matches(host, pattern) if host == lower(pattern)

_host_matches(host, pattern) if {
	startswith(pattern, "*.")
	endswith(host, substring(lower(pattern), 1, -1))
	count(host) >= count(pattern)
}

_host_matches(_, "*")
