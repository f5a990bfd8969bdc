// Package console is the web page on which people answer what is asked: static
// files, and a handler that serves them.
//
// It knows no secret and answers nothing: the page reads and replies over the
// daemon's HTTP API, with the token that stands behind # in its address.
package console

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var static embed.FS

// policy lets the page load its own files and talk to its own server, and
// nothing else: no text in it can become code, a form or a frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// types are the files that may be in the page, by extension. They do not
// depend on what the machine has in /etc/mime.types.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
}

// A file is what is served at a path.
type file struct {
	text, kind, tag string
}

// Handler serves the page at / and its files below /console/. It wants no
// token, for there is nothing in it that is not in the program's source.
func Handler() http.Handler {
	files, err := load()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		f, found := files[r.URL.Path]
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		case !found:
			http.Error(w, "there is no such page", http.StatusNotFound)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r)
		}
	})
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", "no-cache") // the next version has files of the same names
	header.Set("ETag", f.tag)
	if r.URL.Path == "/" {
		header.Set("Cache-Control", "no-store")
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f.text))
}

// load reads the embedded files, by the path of their address.
func load() (map[string]file, error) {
	files := map[string]file{}
	err := fs.WalkDir(static, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(static, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		f := file{string(text), types[path.Ext(name)], `"` + hex.EncodeToString(sum[:12]) + `"`}
		if name == "static/index.html" {
			files["/"] = f
			return nil
		}
		files["/console/"+strings.TrimPrefix(name, "static/")] = f
		return nil
	})
	return files, err
}
