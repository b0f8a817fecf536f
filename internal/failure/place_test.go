package failure

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/oracle"
)

var programOf = regexp.MustCompile(`(-[gs])?\.txtar$`)

func TestPlaces(t *testing.T) {
	files, err := filepath.Glob("testdata/place/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	runs, places := map[string]oracle.Run{}, map[string]Place{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		run := oracle.Run{Output: archive.Files[0].Data}
		got := "none\n"
		if p, ok := PlaceOf(run); ok {
			got = text([]Signature{p.Signature})
			for _, u := range p.Undefined {
				got += "\tundefined " + u.String() + "\n"
			}
			runs[file], places[file] = run, p
		}
		if want := string(archive.Files[1].Data); *update {
			archive.Files[1].Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != want {
			t.Errorf("%s: got\n%swant\n%s", file, got, want)
		}
	}
	program := func(file string) string { return programOf.ReplaceAllString(file, "") } // with symbols or without
	for file, p := range places {
		for other, run := range runs {
			if file == other && !holds(p.Signature, run) {
				t.Errorf("the place of %s does not hold for it", file)
			}
			if program(file) != program(other) && holds(p.Signature, run) {
				t.Errorf("the place of %s holds for %s", file, other)
			}
		}
	}
}
