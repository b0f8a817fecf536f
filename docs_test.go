package whittle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What docs/remote.md shows of a file is that file.
func TestRemotePage(t *testing.T) {
	page, err := os.ReadFile("docs/remote.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/remote/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "\n"+string(content)+"```\n") {
			t.Errorf("docs/remote.md does not show %s as it is", file)
		}
	}
}

// The file for Docker Compose is YAML, and each service says which of Buildbarn's it extends
// and where its files are.
func TestBuildbarnParses(t *testing.T) {
	content, err := os.ReadFile("testdata/remote/buildbarn.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Extends struct{ File, Service string }
			Image   string
			Command []string
			Volumes []string
		}
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"worker-mine", "runner-mine"} {
		s := file.Services[name]
		if s.Extends.File != "docker-compose.yml" || s.Extends.Service == "" || len(s.Volumes) != 1 {
			t.Errorf("%s is %+v", name, s)
		}
	}
	if runner := file.Services["runner-mine"]; runner.Image == "" {
		t.Error("the runner has no image")
	}
}
