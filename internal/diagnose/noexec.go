package diagnose

import (
	"context"
	"os"
	"path/filepath"

	"whittle/internal/disk"
)

// runsPrograms leaves a noexec file system.
func (t *Test) runsPrograms(ctx context.Context) (*Cause, error) {
	if !disk.NoExec(t.Executor.Work) {
		return nil, nil
	}
	for _, place := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", t.Dir} {
		if disk.NoExec(place) {
			continue
		}
		work, err := os.MkdirTemp(place, "whittle-noexec-")
		if err != nil {
			continue
		}
		found, err := t.turns(ctx, t.Input, true, func(w *world, _ string) error {
			w.Work = work
			return nil
		})
		disk.RemoveTree(work)
		if err != nil || !found {
			return nil, err // another directory does not help
		}
		return &Cause{"it runs a program that it builds in its directory, on a file system without execution (noexec): " +
			filepath.Dir(t.Executor.Work),
			"choose a directory where programs may run: --work-dir " + place}, nil
	}
	return nil, nil
}
