package grammars_test

import (
	"bytes"
	"context"
	"fmt"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

func ExampleForFile() {
	for _, name := range []string{"small.c", "Dockerfile", "notes.txt"} {
		fmt.Println(name, grammars.ForFile(name).Name)
	}
	// Output:
	// small.c c
	// Dockerfile dockerfile
	// notes.txt structure
}

// A program that reduces files as the whittle command does calls grammars.ServeChild first in
// its main function.
func ExampleDefault() {
	pool := grammars.Default()
	defer pool.Close()
	content := []byte("int f(int x) { if (x) { crash(); } return x; }\n")
	file := pool.Read("small.c", content)
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: content, Language: file, Rewrites: file.Rewrites(),
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if !bytes.Contains(candidate, []byte("crash()")) {
				return algo.Uninteresting, nil
			}
			return algo.Interesting, nil
		},
	})
	fmt.Print(string(result.File), err)
	// Output:
	// crash();
	// <nil>
}
