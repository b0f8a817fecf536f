// Package serverscript has ready test servers for commands that start slowly.
package serverscript

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/internal/shell"
	"whittle/oracle"
)

//go:embed server.java
var java []byte

//go:embed server.py
var python []byte

// A Script is a test server as a program.
type Script struct {
	Name string // as "javac"
	File string
	Text []byte

	run  string         // * is the program of the command
	runs *regexp.Regexp // matches programs of commands
}

const runJava = "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1"

var scripts = []Script{
	{"java", "Server.java", java, runJava, regexp.MustCompile(`^java$`)},
	{"javac", "Server.java", java, runJava, regexp.MustCompile(`^javac$`)},
	{"python", "server.py", python, "*", regexp.MustCompile(`^python[0-9.]*$`)},
}

// Command returns the script for a command, and the shell command that makes it a server with the
// criteria, if possible.
func Command(words []string, c oracle.Criteria) (s Script, command string, ok bool) {
	i := slices.IndexFunc(scripts, func(s Script) bool { return s.runs.MatchString(filepath.Base(words[0])) })
	if i < 0 || len(words) < 2 || c.Timeout || c.Memory || scripts[i].Name != "python" && len(c.Signals) > 0 {
		return Script{}, "", false
	}
	s = scripts[i]
	server := []string{strings.ReplaceAll(s.run, "*", shell.Quote(words[0])), s.File}
	if codes := exits(c); codes != "" {
		server = append(server, "--exit", codes)
	}
	lines := c.Lines
	if c.Output != nil {
		lines = append(lines[:len(lines):len(lines)], oracle.Line{Pattern: c.Output, Least: 1})
	}
	for _, l := range lines {
		server = append(server, "--lines", strconv.Itoa(l.Least), strconv.Itoa(l.Most), shell.Quote(portable(l.Pattern)))
	}
	return s, strings.Join(server, " ") + " -- " + shell.Join(words), true
}

// exits returns the list of exit codes that a criterion allows, or any.
func exits(c oracle.Criteria) string {
	var codes []string
	for _, code := range c.ExitCodes {
		codes = append(codes, strconv.Itoa(code))
	}
	for _, signal := range c.Signals {
		codes = append(codes, strconv.Itoa(oracle.ExitSignal+int(signal)))
	}
	if len(codes) == 0 && !c.IsZero() {
		return "any"
	}
	return strings.Join(codes, ",")
}

// portable returns a Go pattern for Java and Python.
func portable(pattern *regexp.Regexp) string {
	return strings.NewReplacer("[[:space:]]", `\s`, "[:space:]", `\s`, "[^]]", `[^\]]`).Replace(
		strings.TrimPrefix(pattern.String(), "(?m)"))
}
