package oracle

import (
	"os"
	"path/filepath"
)

// makeDirectory makes a fresh directory in work that only this user can enter,
// and returns its absolute path.
func makeDirectory(work string) (string, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return "", environmentError("cannot find the directory for tests: %w", err)
	}
	dir, err := os.MkdirTemp(work, "test-*")
	if err != nil {
		return "", environmentError("cannot make a directory for the test: %w%s", err, advice(err))
	}
	return dir, nil
}
