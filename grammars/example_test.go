package grammars_test

import (
	"fmt"

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
