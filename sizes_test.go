package whittle_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// packageLines are without tests.
const (
	fileLines    = 400
	packageLines = 2500
	lineLength   = 120
)

// roomier are exceptions: cmd/whittle has a file for each command, rewrite one for each family.
var roomier = map[string]int{"parse/antlr": 2700, "cmd/whittle": 2700, "bench/ddbench": 2730, "rewrite": 3909,
	"parse/antlr/g4": 2710, "parse": 2727, "internal/run": 3260, "internal/deps": 4449,
	"internal/tool": 2515, "internal/diagnose": 2590, "pass": 2543}

func TestSizes(t *testing.T) {
	lines := map[string]int{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		n, err := countLines(t, path)
		if n > fileLines {
			t.Errorf("%s has %d lines; at most %d", path, n, fileLines)
		}
		if !strings.HasSuffix(path, "_test.go") {
			lines[filepath.Dir(path)] += n
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, n := range lines {
		most, known := roomier[dir]
		if !known {
			most = packageLines
		}
		if n > most {
			t.Errorf("package %s has %d lines; at most %d", dir, n, most)
		}
	}
}

// countLines also checks the length of lines, except for strings in tests.
func countLines(t *testing.T, path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	isTest := strings.HasSuffix(path, "_test.go")
	raw := false // within a raw string
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		line := scanner.Text()
		n++
		hasString := raw || strings.ContainsAny(line, "\"`")
		if strings.Count(line, "`")%2 == 1 {
			raw = !raw
		}
		if length := utf8.RuneCountInString(line); length > lineLength && !(isTest && hasString) {
			t.Errorf("%s:%d has %d characters; at most %d", path, n, length, lineLength)
		}
	}
	return n, scanner.Err()
}
