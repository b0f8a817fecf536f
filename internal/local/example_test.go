package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func ExampleExecutor() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "interesting.sh")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ngrep needle hay.txt"), 0o755); err != nil {
		panic(err)
	}

	test := oracle.Test{
		Spec:     oracle.Spec{Argv: []string{program}, Layout: oracle.Layout{Name: "hay.txt"}, Timeout: time.Minute},
		Executor: &Executor{Work: dir},
	}
	for _, candidate := range []string{"hay needle\n", "hay\n"} {
		run, err := test.Explain(context.Background(), []byte(candidate))
		fmt.Printf("%v, exit code %d, output %q, error %v\n", run.Outcome, run.ExitCode, run.Output, err)
	}
	// Output:
	// interesting, exit code 0, output "hay needle\n", error <nil>
	// uninteresting, exit code 1, output "", error <nil>
}

// BenchmarkTrue compares a test with the least that os/exec can do.
func BenchmarkTrue(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	candidate := bytes.Repeat([]byte("int x;\n"), 10_000)
	c := &command{
		oracle.Spec{Argv: []string{path}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute, Limits: DefaultLimits()},
		Executor{Work: b.TempDir()},
	}
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(path).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("test", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if o, err := c.Ask(context.Background(), candidate); o != algo.Interesting || err != nil {
				b.Fatal(o, err)
			}
		}
	})
	b.Run("explain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r, err := c.Explain(context.Background(), candidate); r.Outcome != algo.Interesting || err != nil {
				b.Fatal(r, err)
			}
		}
	})
}
