// Package script writes what is interesting as a shell script, for whittle, C-Reduce and
// C-Vise alike: it runs in the directory of the candidate, prints nothing, and exits with 0
// if the candidate is interesting. What belongs to GNU is only timeout.
package script

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"whittle/internal/shell"
	"whittle/oracle"
)

// A Script is a test that asks one stage after the other.
type Script struct {
	Name   string // of the candidate, in the current directory
	About  string // what is interesting, as "death by SIGSEGV"
	Stages []Stage
}

// A Stage is one command of a script, and how it has to end.
type Stage struct {
	About    string          // a line of comment, or none
	Argv     []string        // as the candidate lies in the current directory
	Stdin    bool            // the candidate is its standard input
	Timeout  time.Duration   // 0 is none
	Criteria oracle.Criteria // zero is exit code 0
	Escapes  bool            // what it prints has escape sequences, as of colours, which do not count
	Lines    string          // instead of all these, lines of a script that exit with 1 if they fail
}

// output is where the script puts what the command prints.
const output = "whittle.out"

// Bytes returns the script. The error is about a criterion that a shell cannot ask for.
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
	for _, f := range functions {
		if bytes.Contains(body.Bytes(), []byte("\n"+f.name)) || bytes.Contains(body.Bytes(), []byte(f.name+" '")) {
			b.WriteString(f.text)
		}
	}
	b.Write(body.Bytes())
	b.WriteString("exit 0\n")
	return b.Bytes(), nil
}

// functions are those of a script that look at what the command printed.
var functions = []struct{ name, text string }{
	{"has", "has() { LC_ALL=C grep -q -E -e \"$1\" " + output + "; }\n"},
	{"plain", "plain() {\n  e=$(printf '\\033') b=$(printf '\\007')\n" +
		"  LC_ALL=C sed \"s/$e\\[[0-9;:?]*[A-Za-z]//g; s/$e][^$e$b]*\\($b\\|$e.\\)//g; s/$e(*.//g\" " + output +
		" >whittle.plain\n  mv whittle.plain " + output + "\n}\n"},
	{"lines", "lines() { LC_ALL=C grep -c -E -e \"$1\" " + output + "; }\n"},
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// write writes the command and what it has to end like.
func (s *Stage) write(b *bytes.Buffer, name string) error {
	c := s.Criteria
	if c.Memory {
		return fmt.Errorf("a script cannot ask whether a command takes too much memory")
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

// width is how long the lines of a command are, about.
const width = 100

// folded returns words for a shell, on lines that are not too long.
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

// late is the exit code of timeout for a command that took too long, killed that of one
// that did not end then either.
const late, killed = 124, oracle.ExitSignal + int(syscall.SIGKILL)

// ending is the condition for the exit code; "" if there is none.
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

// isOne asks whether the exit code is one of these.
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

// writeLine writes the question whether so many lines match.
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

// seconds writes a time for timeout.
func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", d.Seconds()), "0"), ".")
}

// quote quotes a word in any case.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
