package console_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/console"
)

func get(t *testing.T, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	console.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, path, nil))
	return recorder
}

func TestHandler(t *testing.T) {
	for _, tt := range []struct {
		method, path string
		status       int
		kind, cache  string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "no-store"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", "no-store"},
		{"GET", "/console/app.js", 200, "text/javascript; charset=utf-8", "no-cache"},
		{"GET", "/console/style.css", 200, "text/css; charset=utf-8", "no-cache"},
		{"GET", "/console/icon.svg", 200, "image/svg+xml", "no-cache"},
		{"POST", "/", 405, "text/plain; charset=utf-8", ""},
		{"DELETE", "/console/app.js", 405, "text/plain; charset=utf-8", ""},
		{"GET", "/console/", 404, "text/plain; charset=utf-8", ""},
		{"GET", "/console/index.html", 404, "text/plain; charset=utf-8", ""},
		{"GET", "/console/../console.go", 404, "text/plain; charset=utf-8", ""},
		{"GET", "/console/static/app.js", 404, "text/plain; charset=utf-8", ""},
		{"GET", "/v1/status", 404, "text/plain; charset=utf-8", ""},
	} {
		response := get(t, tt.method, tt.path)
		header := response.Header()
		if response.Code != tt.status || header.Get("Content-Type") != tt.kind || header.Get("Cache-Control") != tt.cache {
			t.Errorf("%s %s: %d, %q, %q, want %d, %q, %q", tt.method, tt.path,
				response.Code, header.Get("Content-Type"), header.Get("Cache-Control"), tt.status, tt.kind, tt.cache)
		}
		if body := response.Body.String(); tt.status == 200 && (body == "") != (tt.method == "HEAD") {
			t.Errorf("%s %s has %d bytes", tt.method, tt.path, len(body))
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s %s: %s is %q, want %q", tt.method, tt.path, name, got, want)
			}
		}
		const want = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
		if got := header.Get("Content-Security-Policy"); !strings.HasPrefix(got, want) || strings.Contains(got, "unsafe") {
			t.Errorf("%s %s: the content security policy is %q", tt.method, tt.path, got)
		}
	}
}

func TestHandlerUnchanged(t *testing.T) {
	tag := get(t, http.MethodGet, "/console/app.js").Header().Get("ETag")
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/console/app.js", nil)
	request.Header.Set("If-None-Match", tag)
	recorder := httptest.NewRecorder()
	console.Handler().ServeHTTP(recorder, request)
	if tag == "" || recorder.Code != http.StatusNotModified {
		t.Errorf("a file that the browser has is sent again: %d", recorder.Code)
	}
}

// The policy would refuse what these tests find, and the page would not work.
func TestPageLoadsOnlyItsOwn(t *testing.T) {
	page := get(t, http.MethodGet, "/").Body.String()
	if found := regexp.MustCompile(`(?i)\son[a-z]+=|\sstyle=|<style|<script[^>]*>[^<]|<form`).FindString(page); found != "" {
		t.Errorf("the page has something inline: %q", found)
	}
	for _, match := range regexp.MustCompile(`(?:src|href)="([^"#][^"]*)"`).FindAllStringSubmatch(page, -1) {
		if response := get(t, http.MethodGet, match[1]); response.Code != http.StatusOK {
			t.Errorf("the page loads %s, which is not there", match[1])
		}
	}
}

func TestScripts(t *testing.T) {
	entries, err := os.ReadDir("static")
	if err != nil {
		t.Fatal(err)
	}
	sinks := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|setHTML|\.cssText|https?://`)
	loads := regexp.MustCompile(`from "\./([a-z]+\.js)"`)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".js") {
			continue
		}
		script := get(t, http.MethodGet, "/console/"+entry.Name()).Body.String()
		if found := sinks.FindString(script); found != "" {
			t.Errorf("%s has %q: text goes into the page as text, and all comes from this server", entry.Name(), found)
		}
		for _, match := range loads.FindAllStringSubmatch(script, -1) {
			if response := get(t, http.MethodGet, "/console/"+match[1]); response.Code != http.StatusOK {
				t.Errorf("%s loads %s, which is not there", entry.Name(), match[1])
			}
		}
	}
}
