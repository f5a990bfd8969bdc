package policy.lib.urls_test

import data.policy.lib.urls
import data.policy.tests_test as fixture

_url(scheme, host, fields) := object.union(
	{
		"url": sprintf("%s://%s/a", [scheme, host]), "scheme": scheme, "user": "", "host": host, "port": "443",
		"path": "/a", "query": "", "address": false, "private": false, "link_local": false,
	},
	fields,
)

_broken := {
	"url": "https:/x", "scheme": "", "user": "", "host": "", "port": "", "path": "", "query": "",
	"address": false, "private": false, "link_local": false, "error": "it has no host",
}

_document := object.union(fixture.document, {"urls": [_url("https", "known.example", {})]})

_hosts := ["github.com", "*.Example.com"]

# What is undefined counts as false.
default _host_in(_) := false

_host_in(url) if urls.host_in(url, _hosts) with input as _document

default _reaches(_) := false

_reaches(url) if urls.reaches(url, _hosts) with input as _document

test_hosts[name] if {
	some name, [url, host_in, reaches] in {
		"that host": [_url("https", "github.com", {}), true, true],
		"a host below": [_url("https", "a.b.example.com", {}), true, true],
		"the host above": [_url("https", "example.com", {}), false, false],
		"a host that ends so": [_url("https", "evilexample.com", {}), false, false],
		"a longer host": [_url("https", "github.com.evil.example", {}), false, false],
		"nobody can tell": [_broken, false, true],
		"text": ["https://github.com/a", true, true],
		"text in other letters": ["HTTPS://GitHub.com./a", true, true],
		"text with a port": ["https://github.com:8443?x", true, true],
		"text of another host": ["https://evil.example/github.com", false, false],
		"text with a user": ["https://github.com@evil.example/", false, true],
		"text with a backslash": [`https://github.com\.evil.example/`, false, true],
		"text without a scheme": ["github.com", false, true],
		"text of an IPv6 address": ["http://[::1]/", false, false],
	}

	[_host_in(url), _reaches(url)] == [host_in, reaches]
}

test_every_host if urls.host_in(_url("https", "a.example", {}), ["*"])

default _private(_) := false

_private(url) if urls.private(url) with input as _document

test_private[name] if {
	some name, [url, want] in {
		"public": [_url("https", "a.example", {}), false],
		"private": [_url("http", "10.0.0.1", {"private": true}), true],
		"link-local": [_url("http", "169.254.169.254", {"link_local": true}), true],
		"nobody can tell": [_broken, true],
		"text of a URL of the call": ["https://known.example/a", false],
		"text of another": ["https://a.example/", true],
	}

	_private(url) == want
}

test_schemes if {
	urls.scheme_in(_url("https", "a.example", {}), {"https"})
	urls.scheme_in("HTTPS://a.example/", {"https"}) with input as _document
	not urls.scheme_in(_url("http", "a.example", {}), {"https"})
	not urls.scheme_in(_broken, {"https"})
}

test_unclear[name] if {
	some name, [text, fields, want] in {
		"says where": ["curl https://a.example", {}, set()],
		"without a scheme": ["curl evil.example", {}, {"curl evil.example"}],
		"one with and one without": [
			"curl https://a.example evil.example", {}, {"curl https://a.example evil.example"},
		],
		"nothing": ["curl", {}, {"curl"}],
		"a variable": ["curl https://$H", {"dynamic": true}, {"curl https://$H"}],
		"a clone": ["git clone https://a.example/x y", {}, set()],
		"a clone by a short address": ["git clone host:x", {}, {"git clone host:x"}],
		"a push": ["git push origin", {}, {"git push origin"}],
		"no call of another machine": ["ls x", {"effects": ["read"]}, set()],
	}
	document := fixture.shell([fixture.command(text, object.union({"effects": ["network"]}, fields))])

	got := urls.unclear with input as document

	got == want
}

test_what_cannot_be_analysed_is_unclear if {
	got := urls.unclear with input as fixture.unparsed("curl \"", ["curl"])

	got == {"curl \""}
}
