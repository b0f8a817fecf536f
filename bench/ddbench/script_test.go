package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ddbench": main})
}

// TestScripts runs testdata/*.txtar. Their *.sh files are executable.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireUniqueNames: true, Setup: func(env *testscript.Env) error {
		return filepath.WalkDir(env.WorkDir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".sh" {
				err = os.Chmod(path, 0o755)
			}
			return err
		})
	}})
}
