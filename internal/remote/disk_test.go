package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/remotetest"
	"whittle/oracle"
)

// A test repeats if the worker's disk is full, unless the test filled it.
func TestClusterWorkerWithoutRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and is not about what runs beside each other")
	}
	server := remotetest.Start(t, remotetest.Casd)
	if err := server.LimitDisk(t, 64<<20); err != nil {
		t.Skip(err)
	}
	test := filepath.Join(t.TempDir(), "test.sh")
	script := "#!/bin/sh\nsleep 1.25\nhead -c $(cat size) /dev/zero >zeros 2>/dev/null\n"
	if err := os.WriteFile(test, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Dial(t.Context(), Options{Target: "grpc://" + server.Address, Jobs: 1,
		Inputs: []Input{{Local: test, Path: "test.sh"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	spec := oracle.Spec{Argv: []string{test}, Layout: oracle.Layout{Name: "size"}, Timeout: 20 * time.Second}

	begun := make(chan bool)
	go func() {
		for found := false; !found; time.Sleep(10 * time.Millisecond) {
			server.KillActions(func(line string) bool {
				found = found || strings.HasPrefix(line, "sleep 1.25")
				return false
			})
		}
		release, err := server.FillDisk()
		if err != nil {
			t.Error(err)
		}
		time.AfterFunc(4*time.Second, func() {
			if err := release(); err != nil {
				t.Error(err)
			}
			close(begun)
		})
	}()
	if run, err := c.Run(t.Context(), spec, []byte("100000")); err != nil || run.Outcome != algo.Interesting {
		t.Errorf("a test on a disk that others fill: %+v, %v", run, err)
	}
	<-begun
	if run, err := c.Run(t.Context(), spec, []byte("100000000")); err != nil || run.Outcome != algo.Uninteresting {
		t.Errorf("a test that fills the disk: %+v, %v", run, err)
	}
}
