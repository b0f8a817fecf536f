// Package script writes tests as shell scripts for whittle, C-Reduce and C-Vise. A script runs in the directory of the
// candidate, prints nothing, and exits with 0 if the candidate is interesting. Its only GNU command is timeout.
package script

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"whittle/internal/shell"
	"whittle/oracle"
)

// A Script is a test of several stages.
type Script struct {
	Name   string // of the candidate in the current directory
	About  string // the failure, such as "death by SIGSEGV"
	Stages []Stage
}

// A Stage is one command of a script with its criteria.
type Stage struct {
	About    string          // a comment; may be ""
	Argv     []string        // for a candidate in the current directory
	Stdin    bool            // the candidate is its standard input
	Timeout  time.Duration   // 0 is no limit
	Criteria oracle.Criteria // zero means exit code 0
	Escapes  bool            // ignore escape sequences, such as colors, in the output
	Lines    string          // instead of the other fields, lines of a script that exit with 1 on failure
}

// output is a file that functions.sh names, too.
const output = "whittle.out"

// Bytes returns the script. It fails for criteria that a shell cannot check.
func (s *Script) Bytes() ([]byte, error) {
	var body bytes.Buffer
	for _, stage := range s.Stages {
		if err := stage.write(&body, s.Name); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "#!/bin/sh\n# Exits with 0 if %s still shows this:\n# %s\n", s.Name, oneLine(s.About))
	b.WriteString("# A test for whittle, C-Vise and C-Reduce, which run it in a directory of its own.\n")
	b.WriteString("exec 2>/dev/null\n")
	for text := range strings.SplitSeq(functions, "\n\n") {
		name, _, _ := strings.Cut(text, "(")
		if bytes.Contains(body.Bytes(), []byte("\n"+name)) || bytes.Contains(body.Bytes(), []byte(name+" '")) {
			b.WriteString(strings.TrimSpace(text) + "\n")
		}
	}
	b.Write(body.Bytes())
	b.WriteString("exit 0\n")
	return b.Bytes(), nil
}

// functions check the output of a command. A script contains the ones that it uses.
//
//go:embed functions.sh
var functions string

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s *Stage) write(b *bytes.Buffer, name string) error {
	c := s.Criteria
	if c.Memory {
		return fmt.Errorf("a script cannot check whether a command uses too much memory")
	}
	b.WriteByte('\n')
	if s.About != "" {
		fmt.Fprintf(b, "# %s\n", oneLine(s.About))
	}
	if s.Lines != "" {
		b.WriteString(s.Lines)
		return nil
	}
	words := s.Argv
	if s.Timeout > 0 {
		words = append([]string{"timeout", "-k", "1", seconds(s.Timeout)}, words...)
	}
	from := "/dev/null"
	if s.Stdin {
		from = shell.Quote(name)
	}
	fmt.Fprintf(b, "%s <%s >%s 2>&1\n", folded(words), from, output)
	if condition := ending(c, s.Timeout > 0); condition != "" {
		fmt.Fprintf(b, "%s || exit 1\n", condition)
	}
	if s.Escapes && (len(c.Lines) > 0 || c.Output != nil) {
		b.WriteString("plain\n")
	}
	lines := c.Lines
	if c.Output != nil {
		lines = append(slices.Clip(lines), oracle.Line{Pattern: c.Output, Least: 1})
	}
	for _, line := range lines {
		if err := writeLine(b, line); err != nil {
			return err
		}
	}
	return nil
}

const width = 100

func folded(words []string) string {
	var b strings.Builder
	length := 0
	for i, word := range words {
		word = shell.Join([]string{word})
		switch {
		case i > 0 && length+len(word) > width:
			b.WriteString(" \\\n    ")
			length = 4
		case i > 0:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}

// Exit codes of timeout for a command that took too long, and that had to be killed.
const late, killed = 124, oracle.ExitSignal + int(syscall.SIGKILL)

// ending returns the condition on the exit code; may be "".
func ending(c oracle.Criteria, limited bool) string {
	codes := slices.Clone(c.ExitCodes)
	for _, signal := range c.Signals {
		codes = append(codes, oracle.ExitSignal+int(signal))
	}
	switch {
	case c.Timeout:
		return isOne([]int{late, killed})
	case len(codes) > 0:
		return isOne(codes)
	case c.IsZero():
		return "[ $? -eq 0 ]"
	case limited:
		return fmt.Sprintf("[ $? -ne %d ]", late)
	}
	return ""
}

func isOne(codes []int) string {
	slices.Sort(codes)
	codes = slices.Compact(codes)
	low, high := codes[0], codes[len(codes)-1]
	switch {
	case low == high:
		return fmt.Sprintf("[ $? -eq %d ]", low)
	case high-low == len(codes)-1:
		return fmt.Sprintf("code=$?; [ $code -ge %d ] && [ $code -le %d ]", low, high)
	}
	var list []string
	for _, code := range codes {
		list = append(list, strconv.Itoa(code))
	}
	return fmt.Sprintf("case $? in %s) ;; *) false ;; esac", strings.Join(list, "|"))
}

func writeLine(b *bytes.Buffer, line oracle.Line) error {
	pattern, err := Extended(line.Pattern)
	if err != nil {
		return err
	}
	switch {
	case line.Least == 1 && line.Most == 0:
		fmt.Fprintf(b, "has %s || exit 1\n", quote(pattern))
	case line.Least == line.Most:
		fmt.Fprintf(b, "[ $(lines %s) -eq %d ] || exit 1\n", quote(pattern), line.Least)
	case line.Most == 0:
		fmt.Fprintf(b, "[ $(lines %s) -ge %d ] || exit 1\n", quote(pattern), line.Least)
	case line.Least == 0:
		fmt.Fprintf(b, "[ $(lines %s) -le %d ] || exit 1\n", quote(pattern), line.Most)
	default:
		fmt.Fprintf(b, "n=$(lines %s); [ $n -ge %d ] && [ $n -le %d ] || exit 1\n", quote(pattern), line.Least, line.Most)
	}
	return nil
}

func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", d.Seconds()), "0"), ".")
}

// quote always quotes a word.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
