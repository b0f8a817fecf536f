package whittle_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// docs/clusters.md shows each file of testdata/remote, or links to it.
func TestClustersPage(t *testing.T) {
	page, err := os.ReadFile("docs/clusters.md")
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
		if !strings.Contains(string(page), "\n"+string(content)+"```\n") && !strings.Contains(string(page), "(../"+file+")") {
			t.Errorf("docs/clusters.md neither shows %s nor links to it", file)
		}
	}
}

// The limits are for the README and the pages for users.
func TestDocsSize(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range append(files, "README.md") {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words, most := len(strings.Fields(string(content))), 4000
		switch file {
		case "README.md":
			most = 1800
		case "docs/architecture.md":
			most = 2500
		}
		if words > most {
			t.Errorf("%s has %d words, more than %d", file, words, most)
		}
		total += words
	}
	if len(files)+1 > 12 || total > 19850 {
		t.Errorf("%d pages with %d words", len(files)+1, total)
	}
}

var (
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	notAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func TestDocsLinks(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "bench/results/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	anchors := func(file string) (found []string) {
		content, _ := os.ReadFile(file)
		for line := range strings.Lines(string(content)) {
			if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
				title = notAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
				found = append(found, strings.ReplaceAll(title, " ", "-"))
			}
		}
		return found
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linkTarget.FindAllStringSubmatch(string(content), -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, ":") {
				continue // an address
			}
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", file, m[1])
			} else if anchor != "" && !slices.Contains(anchors(target), anchor) {
				t.Errorf("%s links to %s: no such heading", file, m[1])
			}
		}
	}
}

// Each service of the Compose file extends one of Buildbarn's.
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
