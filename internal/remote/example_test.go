package remote_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"whittle/internal/remote"
	"whittle/internal/testkit/fake"
	"whittle/oracle"
)

// The cluster of this example is in this process.
func Example() {
	server, err := fake.Start(fake.Options{}, fake.Hooks{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "test.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ngrep -q needle hay.txt\n"), 0o700); err != nil {
		log.Fatal(err)
	}
	cluster, err := remote.Dial(context.Background(), remote.Options{
		Target: server.Target(),
		Inputs: []remote.Input{{Local: script, Path: "test.sh"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()
	test := oracle.Test{
		Spec:     oracle.Spec{Argv: []string{script}, Layout: oracle.Layout{Name: "hay.txt"}, Timeout: time.Minute},
		Executor: cluster,
	}
	for _, candidate := range []string{"hay needle hay", "hay hay"} {
		outcome, err := test.Ask(context.Background(), []byte(candidate))
		fmt.Println(outcome, err)
	}
	// Output:
	// interesting <nil>
	// uninteresting <nil>
}
