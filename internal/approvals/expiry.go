package approvals

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/private"
)

// ErrExpiry reports a file of expiries that cannot be read. What expired is then
// not known, and no approval of its store counts.
var ErrExpiry = errors.New("it cannot be told which approvals have expired")

// expiries are when approvals expire, as far as they do.
type expiries map[pair]time.Time

// An expiryFile is the file of expiries.
type expiryFile struct {
	Version   int           `json:"version"` // 1
	Approvals []expiryEntry `json:"approvals"`
}

type expiryEntry struct {
	Permission string    `json:"permission"`
	Pattern    string    `json:"pattern"`
	Until      time.Time `json:"until"`
}

// expiryPath returns the path of the file of expiries.
func (s *Store) expiryPath() string { return strings.TrimSuffix(s.Path, ".jsonl") + ".expiry.json" }

// readExpiries returns the expiries. The error is [ErrExpiry] for a file that
// does not hold them.
func (s *Store) readExpiries() (expiries, error) {
	path := s.expiryPath()
	text, err := readAll(path)
	if err != nil || text == nil {
		return expiries{}, err
	}
	found, err := parseExpiries(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrExpiry, err)
	}
	return found, nil
}

func parseExpiries(text []byte) (expiries, error) {
	var file expiryFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	if !isBlank(text[decoder.InputOffset():]) {
		return nil, errors.New("there is something behind the object")
	}
	if file.Version != 1 {
		return nil, fmt.Errorf("version %d is not known", file.Version)
	}
	found := make(expiries, len(file.Approvals))
	for _, entry := range file.Approvals {
		key := pair{entry.Permission, entry.Pattern}
		if _, again := found[key]; again || entry.Permission == "" || entry.Until.IsZero() {
			return nil, fmt.Errorf("%s %q: is there twice, or says not all that it has to", entry.Permission, entry.Pattern)
		}
		found[key] = entry.Until
	}
	return found, nil
}

// writeExpiries replaces the file of expiries. The store must be locked.
func (s *Store) writeExpiries(all expiries) error {
	file := expiryFile{Version: 1, Approvals: []expiryEntry{}}
	for key, until := range all {
		file.Approvals = append(file.Approvals, expiryEntry{key.permission, key.pattern, until})
	}
	slices.SortFunc(file.Approvals, func(a, b expiryEntry) int {
		return cmp.Or(strings.Compare(a.Permission, b.Permission), strings.Compare(a.Pattern, b.Pattern))
	})
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(file); err != nil {
		return err
	}
	return private.Replace(s.expiryPath(), text.Bytes())
}

// earlier returns the earlier of the expiries of both, so that an approval that
// is revoked or renewed in between is not taken for one that never expires.
func earlier(a, b expiries) expiries {
	for key, until := range b {
		if other, ok := a[key]; !ok || until.Before(other) {
			a[key] = until
		}
	}
	return a
}
