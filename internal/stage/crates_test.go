package stage

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"whittle/oracle"
)

func TestLinked(t *testing.T) {
	for _, tt := range []struct{ manifest, want string }{
		{"a = '1'\nab = '2'\nba = '3'", "a = { path = \"../a\" }\nab = '2'\nba = '3'"},
		{`a = { version = "1", features = ["b"] }`, `a = { path = "../a", version = "1", features = ["b"] }`},
		{`"a"="1" # comment`, `"a"={ path = "../a" } # comment`},
		{"a = { workspace = true }", "a = { workspace = true }"},
		{`a = { path = "x" }`, `a = { path = "x" }`},
		{`a = ["std"]`, `a = ["std"]`},
		{"[dependencies.a]\nversion = '1'", "[dependencies.a]\npath = \"../a\"\nversion = '1'"},
		{"[target.'cfg(unix)'.build-dependencies.a]", "[target.'cfg(unix)'.build-dependencies.a]\npath = \"../a\""},
		{"[workspace.dependencies.a]", "[workspace.dependencies.a]\npath = \"../a\""},
		{"[features.a]\n[dependencies.ab]", "[features.a]\n[dependencies.ab]"},
	} {
		if got := string(linked([]byte(tt.manifest), "a", "../a")); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.manifest, got, tt.want)
		}
	}
}

func TestSeparate(t *testing.T) {
	for before, want := range map[string]string{
		"[package]\n[workspace]\nmembers = ['x']\n": "[package]\n[workspace]\nexclude = [\"a\", \"b\"]\nmembers = ['x']\n",
		"[package]\n":                    "[package]\n",
		"[workspace]\nexclude = ['y']\n": "[workspace]\nexclude = ['y']\n",
	} {
		files := []oracle.File{{Path: "x/Cargo.toml", Content: []byte("[workspace]")}, {Path: manifest, Content: []byte(before)}}
		separate(files, []string{"a", "b"})
		if got := string(files[1].Content); got != want || string(files[0].Content) != "[workspace]" {
			t.Errorf("%s became %s", before, got)
		}
	}
}

// Two versions of a crate are told apart by their names in the code.
func TestNeeds(t *testing.T) {
	var g crateGraph
	err := json.Unmarshal([]byte(`{"packages": [
		{"id": "app", "name": "app", "dependencies": [{"name": "a", "rename": null}, {"name": "a", "rename": "old-a"}]},
		{"id": "a2", "name": "a", "dependencies": []},
		{"id": "a1", "name": "a", "dependencies": []}
	], "resolve": {"nodes": [
		{"id": "app", "deps": [{"name": "old_a", "pkg": "a1"}, {"name": "a", "pkg": "a2"}]}
	]}}`), &g)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "a2", "old-a": "a1"}
	for range 2 {
		if got := g.needs(g.Packages[0]); !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		slices.Reverse(g.Resolve.Nodes[0].Deps)
	}
}
