package stage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/oracle"
)

// cargoMetadata prints the crates that a build for this machine needs. Others may be absent from the cache.
const cargoMetadata = `host=$("$0" -vV | sed -n 's/^host: //p') &&
	"$0" metadata --offline --format-version 1 --filter-platform "$host" >`

// A crateGraph is the output of cargo metadata, without the fields that are not needed.
type crateGraph struct {
	Packages []crate
	Resolve  struct {
		Nodes []struct {
			ID   string
			Deps []struct{ Name, Pkg string } // Name is how the code calls it
		}
	}
}

type crate struct {
	Name, Version, ID, Source string

	Manifest     string                          `json:"manifest_path"`
	Dependencies []struct{ Name, Rename string } // Rename is the key in the manifest, or ""
}

// crates returns the crates of registries that a Cargo project needs on this machine, each in a directory of its name,
// and the manifests with the paths of these directories.
func crates(ctx context.Context, r *run.Run, files []oracle.File) (all []oracle.File, err error) {
	dir, err := copied(r, files)
	if err != nil {
		return nil, err
	}
	const output = "whittle-metadata.json"
	rec := Recording{Dir: dir, scratch: dir}
	words := []string{"/bin/sh", "-c", cargoMetadata + output, program(r.Words(), "cargo")}
	if run, err := rec.run(ctx, r, dir, words, nil); err != nil || !run.Ended(0) {
		return nil, err
	}
	var graph crateGraph
	text, err := os.ReadFile(filepath.Join(dir, output))
	if err != nil || json.Unmarshal(text, &graph) != nil {
		return nil, nil
	}
	dirs, rest := map[string]string{}, int64(mostPulled) // dirs by ID
	for _, c := range graph.Packages {
		if !strings.HasPrefix(c.Source, "registry+") {
			continue
		}
		name := c.Name
		if slices.ContainsFunc(slices.Concat(files, all), func(f oracle.File) bool {
			return f.Path == name || strings.HasPrefix(f.Path, name+"/")
		}) {
			name += "-" + c.Version
		}
		cached := project.Project{Root: filepath.Dir(c.Manifest)}
		code, err := cached.Package(".", rest)
		if err != nil {
			return nil, err
		}
		for _, f := range code {
			f.Path = name + "/" + f.Path
			all, rest = append(all, f), rest-int64(len(f.Content))
		}
		dirs[c.ID] = name
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	for _, f := range files {
		if filepath.Base(f.Path) == manifest {
			all = append(all, f)
		}
	}
	separate(all, slices.Sorted(maps.Values(dirs)))
	for _, c := range graph.Packages {
		at, ok := dirs[c.ID]
		if !ok {
			at, _ = filepath.Rel(dir, filepath.Dir(c.Manifest))
		}
		graph.link(all, c, at, dirs)
		if !ok && at != "." { // the manifest of the workspace may have the versions
			graph.link(all, c, ".", dirs)
		}
	}
	return all, nil
}

const manifest = "Cargo.toml"

// separate excludes directories from the workspace in the root. Cargo would also need the packages for their tests.
func separate(files []oracle.File, dirs []string) {
	for i, f := range files {
		if f.Path == manifest && !bytes.Contains(f.Content, []byte("exclude")) {
			text := "${1}\nexclude = [\"" + strings.Join(dirs, `", "`) + `"]`
			files[i].Content = workspace.ReplaceAll(f.Content, []byte(text))
		}
	}
}

var workspace = regexp.MustCompile(`(?m)^(\[workspace\][ \t]*)$`)

// link adds the paths of the crates in dirs to the manifest of a crate in the directory at.
func (g *crateGraph) link(files []oracle.File, c crate, at string, dirs map[string]string) {
	i := slices.IndexFunc(files, func(f oracle.File) bool { return f.Path == path.Join(at, manifest) })
	if i < 0 {
		return
	}
	for key, id := range g.needs(c) {
		if to, err := filepath.Rel(at, dirs[id]); err == nil && dirs[id] != "" {
			files[i].Content = linked(files[i].Content, key, to)
		}
	}
}

// needs returns the IDs of the crates that a crate needs, by their keys in its manifest.
func (g *crateGraph) needs(c crate) map[string]string {
	names, needs := map[string]string{}, map[string]string{}
	for _, other := range g.Packages {
		names[other.ID] = other.Name
	}
	for _, n := range g.Resolve.Nodes {
		if n.ID != c.ID {
			continue
		}
		for _, to := range n.Deps {
			for _, d := range c.Dependencies {
				key := cmp.Or(d.Rename, d.Name)
				called := strings.ReplaceAll(key, "-", "_") == to.Name // a library may have another name than its crate
				if names[to.Pkg] == d.Name && (called || d.Rename == "" && needs[key] == "") {
					needs[key] = to.Pkg
				}
			}
		}
	}
	return needs
}

// placed matches a dependency that has a place.
var placed = regexp.MustCompile(`\b(workspace|path)\s*=`)

// linked returns a manifest in which a dependency has a path, unless the workspace has its version.
func linked(manifest []byte, key, path string) []byte {
	key = `["']?` + regexp.QuoteMeta(key) + `["']?`
	entry := `path = "` + path + `"`
	for _, form := range []struct{ dependency, with string }{
		{`(?m)^(\[([^\]]*\.)?(dev-|build-)?dependencies\.` + key + `\][ \t]*)$`, "${1}\n" + entry},
		{`(?m)^(` + key + `[ \t]*=[ \t]*)["'][^"'\n]*["']`, "${1}{ " + entry + " }"},
		{`(?m)^(` + key + `[ \t]*=[ \t]*\{)([^}\n]*\})`, "${1} " + entry + ",${2}"},
	} {
		dependency := regexp.MustCompile(form.dependency)
		manifest = dependency.ReplaceAllFunc(manifest, func(found []byte) []byte {
			if placed.Match(found) {
				return found
			}
			return dependency.ReplaceAll(found, []byte(form.with))
		})
	}
	return manifest
}
