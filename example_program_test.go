package whittle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"whittle"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/local"
	"whittle/oracle"
)

func ExampleReduce_program() {
	home, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	program := filepath.Join(home, "interesting.sh")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ngrep -q return small.c\n"), 0o755); err != nil {
		panic(err)
	}
	work, err := local.OpenWork("", 0) // one directory for each test
	if err != nil {
		panic(err)
	}
	defer work.Close()

	test := oracle.Test{
		Spec:     oracle.Spec{Argv: []string{program}, Layout: oracle.Layout{Name: "small.c"}},
		Executor: chain.Build(chain.Config{Executor: &local.Executor{Work: work.Dir}, Slack: 10}).Once,
	}
	c, _ := grammars.Find("c")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: []byte("int x;\nint main(void) {\n  x = 1;\n  return x;\n}\n"), Language: c,
		Property: test.Ask, Jobs: 4,
	})
	fmt.Printf("%s%v\n", result.File, err)
	// Output:
	// return;
	// <nil>
}
