package install

import (
	"github.com/permctl/permctl/internal/jsonc"
)

// gooseManifest is the form of the file that makes a folder a plugin of Goose. It
// has no hooks itself.
type gooseManifest struct{}

// entries is [form.entries].
func (gooseManifest) entries([]byte) ([]Entry, error) { return nil, nil }

// put is [form.put].
func (gooseManifest) put(text []byte, _ handler) ([]byte, error) {
	want, err := jsonc.Format(jsonc.Members{
		{Name: "name", Value: "permctl"},
		{Name: "version", Value: "1.0.0"},
		{Name: "description", Value: "permctl as the hook of each tool"},
	})
	if err != nil || text == nil {
		return want, err
	}
	root, err := jsonc.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case root.Member("name").Text() != "permctl":
		return nil, errNotOurs
	}
	return text, nil
}

// take is [form.take]. Only its record tells whether permctl made the file.
func (gooseManifest) take(text []byte) ([]byte, error) { return text, nil }
