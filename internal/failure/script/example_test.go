package script_test

import (
	"fmt"
	"regexp"
	"time"

	"whittle/internal/failure/script"
	"whittle/oracle"
)

func ExampleScript() {
	s := script.Script{Name: "small.xml", About: "validity error: no declaration", Stages: []script.Stage{{
		Argv:    []string{"xmllint", "--noout", "--valid", "small.xml"},
		Timeout: 10 * time.Second,
		Criteria: oracle.Criteria{ExitCodes: []int{4}, Lines: []oracle.Line{
			{Pattern: regexp.MustCompile(`validity error ?: No declaration for \w+`), Least: 1},
			{Pattern: regexp.MustCompile(`validity error`), Least: 1, Most: 2},
		}},
	}}}
	text, err := s.Bytes()
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// #!/bin/sh
	// # Exits with 0 if small.xml still shows this:
	// # validity error: no declaration
	// # A test for whittle, C-Vise and C-Reduce, which run it in a directory of its own.
	// exec 2>/dev/null
	// has() { LC_ALL=C grep -q -E -e "$1" whittle.out; }
	// lines() { LC_ALL=C grep -c -E -e "$1" whittle.out; }
	//
	// timeout -k 1 10 xmllint --noout --valid small.xml </dev/null >whittle.out 2>&1
	// [ $? -eq 4 ] || exit 1
	// has 'validity error ?: No declaration for [A-Za-z0-9_]+' || exit 1
	// n=$(lines 'validity error'); [ $n -ge 1 ] && [ $n -le 2 ] || exit 1
	// exit 0
	// <nil>
}
