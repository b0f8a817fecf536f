package tool

import (
	"os"
	"path/filepath"
)

// Compilers returns the programs on PATH that can build a program which reports where it
// crashes, one for each name: the one that a shell would run.
func (m *Machine) Compilers() []Program {
	var found []Program
	seen := map[string]bool{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, err := os.ReadDir(dir)
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		for _, entry := range entries {
			t := Find(entry.Name())
			if t == nil || t.Traced == nil || seen[entry.Name()] {
				continue
			}
			if p, ok := t.at(filepath.Join(dir, entry.Name())); ok {
				found = append(found, p)
				seen[entry.Name()] = true
			}
		}
	}
	return found
}
