// Command measure runs whittle over a folder of reduction cases and prints the
// table of docs/measurements.md. A case is a folder with an input (small.* or
// input.*) and a test.sh; its case.txt may tell the smallest known size.
//
//	measure [-whittle PROGRAM] [-drivers D,…] [-algorithms A,…] [-flags "…"] CASE...
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	program := flag.String("whittle", "whittle", "the `program` to measure")
	drivers := flag.String("drivers", "perses", "drivers, separated by commas")
	algorithms := flag.String("algorithms", "probdd", "algorithms, separated by commas")
	flags := flag.String("flags", "", "further flags of whittle reduce")
	results := flag.String("results", "", "keep the reduced files in this folder")
	flag.Parse()
	dir := *results
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "measure-"); err != nil {
			fatal(err)
		}
		defer os.RemoveAll(dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		fatal(err)
	}
	fmt.Println("| case | driver | algorithm | tokens | of them left | smallest known | gone | tests | accepted | rounds | seconds | still interesting |")
	fmt.Println("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
	for _, folder := range flag.Args() {
		for _, driver := range strings.Split(*drivers, ",") {
			for _, algorithm := range strings.Split(*algorithms, ",") {
				row, err := measure(*program, folder, dir, append(strings.Fields(*flags), "--driver", driver, "--algorithm", algorithm))
				if err != nil {
					row = fmt.Sprintf("| %s | %s | %s | %v |", filepath.Base(folder), driver, algorithm, err)
				}
				fmt.Println(row)
			}
		}
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "measure:", err)
	os.Exit(1)
}

// stats is what measure reads of --stats.
type stats struct {
	Driver, Algorithm string
	TestsRun          int     `json:"tests_run"`
	Accepted          int     `json:"accepted"`
	Rounds            int     `json:"fixpoint_rounds"`
	Seconds           float64 `json:"wall_seconds"`
}

// measure runs one case and gives its row.
func measure(program, folder, dir string, flags []string) (string, error) {
	input, err := findInput(folder)
	if err != nil {
		return "", err
	}
	name := filepath.Base(folder)
	figures := filepath.Join(dir, name+".json")
	output := filepath.Join(dir, name+"."+flags[len(flags)-3]+"."+flags[len(flags)-1]+filepath.Ext(input))
	test := filepath.Join(folder, "test.sh")
	args := append([]string{"reduce", "-q", "--stats", figures, "-o", output}, flags...)
	if out, err := exec.Command(program, append(args, test, input)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", " "))
	}
	var s stats
	b, err := os.ReadFile(figures)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return "", err
	}
	before, after := tokens(input), tokens(output)
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %s | %.2f%% | %d | %d | %d | %.0f | %s |", name, s.Driver, s.Algorithm,
		before, after, smallestKnown(folder), 100-100*float64(after)/float64(before), s.TestsRun, s.Accepted, s.Rounds, s.Seconds,
		stillInteresting(test, output, filepath.Base(input))), nil
}

func findInput(folder string) (string, error) {
	for _, pattern := range []string{"small.*", "input.*"} {
		if found, _ := filepath.Glob(filepath.Join(folder, pattern)); len(found) == 1 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("%s has no input", folder)
}

var token = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\pL_$][\pL\d_$]*|\.?\d[\w.]*|->|\+\+|--|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||::|\.\.\.|\S`)

// tokens counts tokens as a lexer of a language like C would, the same way for
// all files.
func tokens(file string) int {
	b, err := os.ReadFile(file)
	if err != nil {
		fatal(err)
	}
	return len(token.FindAll(b, -1))
}

var known = regexp.MustCompile(`smallest known[^\n]*?(\d+) tokens`)

func smallestKnown(folder string) string {
	b, _ := os.ReadFile(filepath.Join(folder, "case.txt"))
	if m := known.FindSubmatch(b); m != nil {
		return string(m[1])
	}
	return ""
}

// stillInteresting tests the result in a directory of its own.
func stillInteresting(test, file, name string) string {
	dir, err := os.MkdirTemp("", "measure-")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir)
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), b, 0o644)
	}
	if err != nil {
		fatal(err)
	}
	if test, err = filepath.Abs(test); err != nil {
		fatal(err)
	}
	command := exec.Command(test)
	command.Dir = dir
	if command.Run() != nil {
		return "NO"
	}
	return "yes"
}
