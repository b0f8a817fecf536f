package output_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"whittle/internal/output"
)

func Example() {
	dir, err := os.MkdirTemp("", "sink")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "small.c")
	os.WriteFile(path, []byte("int a; int b;\n"), 0o644)
	os.WriteFile(filepath.Join(dir, "small.reduced.c"), []byte("notes of mine\n"), 0o644)

	in, err := output.NewInput(false, path)
	if err == nil {
		err = in.ReadFile("to reduce")
	}
	if err != nil {
		panic(err)
	}
	out, err := output.NewOutput(in, "", "/bin/true")
	if err == nil {
		err = out.Claim()
	}
	if err != nil {
		panic(err)
	}
	defer out.Release()
	out.Moved = func(path, kept string) { fmt.Println(filepath.Base(path), "is kept as", filepath.Base(kept)) }
	for _, file := range []string{"int a;\n", "a;\n"} {
		if err := out.Write([]byte(file)); err != nil {
			panic(err)
		}
	}
	if err := out.Finish(context.Background()); err != nil {
		panic(err)
	}
	result, _ := os.ReadFile(out.Path)
	fmt.Printf("%s: %s", filepath.Base(out.Path), result)
	// Output:
	// small.reduced.c is kept as small.reduced.c.old
	// small.reduced.c: a;
}
