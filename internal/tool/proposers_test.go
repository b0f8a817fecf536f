package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The proposing tool has the version of the tool in the command or the script; otherwise it is the newest.
func TestProposers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, version := range []string{"14.0.6", "16.0.6", "19.1.0"} {
		for _, name := range []string{"opt-", "llc-"} {
			write(name+version[:2], "echo LLVM version "+version)
		}
	}
	for _, program := range []string{"sh", "timeout", "grep"} {
		write(program, "")
	}
	t.Setenv("PATH", dir)
	for _, tt := range []struct {
		words, language, want string
	}{
		{"timeout 10 llc-14 {}", "llvm", "opt-14"},
		{"test.sh # with llc-16 timeout 30 -O2 small.ll", "llvm", "opt-16"},
		{"test.sh grep crash small.ll", "llvm", "opt-19"},
		{"/none {}", "llvm", "opt-19"},
		{"gcc {}", "c", ""},
	} {
		got := (&Machine{}).Proposers(t.Context(), words(tt.words), tt.language)
		if (len(got) > 0) != (tt.want != "") {
			t.Errorf("%s: %q", tt.words, got)
		}
		for _, command := range got {
			if !strings.HasPrefix(command, filepath.Join(dir, tt.want)+" -S ") {
				t.Errorf("%s: %s, want %s", tt.words, command, tt.want)
			}
		}
	}
}
