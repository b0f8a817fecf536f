package ssa_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"whittle/internal/ssa"
	"whittle/internal/testkit/cases"
)

// Candidates of valid functions of MLIR are valid, in the custom and in the generic form. Asides and parts of an
// operation that others need are left out. Without its loop, an index is no dimension of affine.load.
func TestVerifyMLIR(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-16")
	if err != nil {
		t.Skip("mlir-opt-16 is not installed")
	}
	l, facts := language(t, "mlir")
	dir := t.TempDir()
	custom, generic := "testdata/functions.mlir", filepath.Join(dir, "generic.mlir")
	if out, err := exec.Command(opt, "--mlir-print-op-generic", custom, "-o", generic).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	loops, blocks := "../../bench/ir/testdata/loops/small.mlir", "../../bench/ir/testdata/blocks/small.mlir"
	lists := []string{"bodies", "blocks", "jumps", "entities", "parameters", "functions", "instructions"}
	stages := map[string][]string{custom: lists, loops: lists[1:], blocks: lists, generic: lists[:5]}
	for file, stages := range stages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := read(t, l, text)
		for i := range cases.Of(t, 12, 2) {
			for k, stage := range stages {
				r := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				share := r.Float64()
				c, _ := ssa.Without(l, facts, tree, stage, func(int) bool { return r.Float64() < share })
				part := filepath.Join(dir, fmt.Sprint(i, k, ".mlir"))
				if err := os.WriteFile(part, c.Render(), 0o666); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(opt, part, "-o", part+".out").CombinedOutput(); err != nil {
					t.Fatalf("%s, seed %d, %s: %v\n%s\n%s", file, i, stage, err, out, c.Render())
				}
			}
		}
	}
}
