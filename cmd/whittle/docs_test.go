package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whittle/internal/usage"
)

// pages returns the paths of the pages for users and contributors.
func pages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	return append(paths, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md")
}

// A block is a fenced block of a page.
type block struct {
	line  int    // number of its first line, from 0
	info  string // the word after the opening fence
	note  string // the HTML comment before the block, without its marks
	lines []string
}

// blocks returns the fenced blocks of a page.
func blocks(page []string) (found []block) {
	fence, note := "", ""
	for i, line := range page {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
			found = append(found, block{line: i + 1, info: line[len(mark):], note: note})
			note = ""
		case fence != "" && line == fence:
			fence = ""
		case fence != "":
			last := &found[len(found)-1]
			last.lines = append(last.lines, line)
		case strings.HasPrefix(line, "<!--"):
			note = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!--"), "-->"))
		case line != "":
			note = ""
		}
	}
	return found
}

// TestDocs runs the commands of the pages and compares their output. Every console block has a comment before it:
//
//	<!-- run NAME -->              its commands run in the directory NAME
//	<!-- run NAME, needs TOOL -->  they run in TestE2EDocs, where each TOOL is in PATH
//	<!-- not run: REASON -->       they do not run
//
// Blocks after <!-- file NAME PATH --> are files of the directory NAME, and so are the files of
// testdata/docs/NAME.txtar. Its bin is in PATH. In an expected output … stands for any text, and a line … for any
// lines. Times are not compared. With -update the pages get the new outputs.
func TestDocs(t *testing.T) {
	for _, path := range pages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
			t.Parallel()
			runPage(t, path, false)
		})
	}
}

// TestE2EDocs runs the commands that TestDocs leaves out because they need real tools.
func TestE2EDocs(t *testing.T) {
	t.Setenv("PATH", machinePath)
	for _, path := range pages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
			runPage(t, path, true)
		})
	}
}

var (
	runNote  = regexp.MustCompile(`^run ([a-z0-9-]+)(?:, needs ([a-z0-9 -]+))?$`)
	fileNote = regexp.MustCompile(`^file ([a-z0-9-]+) (\S+)$`)
)

// runPage runs the console blocks of a page that need tools, or the others.
func runPage(t *testing.T, path string, tools bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Split(string(text), "\n")
	directories := map[string]string{}
	for _, b := range slices.Backward(blocks(page)) { // so that line numbers hold while the page is changed
		if !tools {
			checkCommands(t, path, b)
		}
		if strings.HasPrefix(b.note, "not run: ") || b.info != "console" && !strings.HasPrefix(b.note, "file ") {
			continue
		}
		if m := fileNote.FindStringSubmatch(b.note); m != nil {
			writeFile(t, directory(t, directories, m[1]), m[2], strings.Join(b.lines, "\n")+"\n")
		} else if !runNote.MatchString(b.note) {
			t.Errorf("%s:%d: a console block needs a comment: see TestDocs", path, b.line)
		}
	}
	updated := slices.Clone(page)
	offset := 0
	for _, b := range blocks(page) {
		m := runNote.FindStringSubmatch(b.note)
		if m == nil {
			continue
		}
		if tools != (m[2] != "") {
			continue
		}
		if tool := missing(strings.Fields(m[2])); tool != "" {
			t.Logf("%s:%d: not run: no %s", path, b.line, tool)
			continue
		}
		got := runBlock(t, path, b, directory(t, directories, m[1]))
		updated = slices.Replace(updated, b.line+offset, b.line+offset+len(b.lines), got...)
		offset += len(got) - len(b.lines)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(strings.Join(updated, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// missing returns the first of the tools that is not in PATH.
func missing(tools []string) string {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}

// directory returns the directory of a name, which is made when it is first used.
func directory(t *testing.T, made map[string]string, name string) string {
	t.Helper()
	if dir, ok := made[name]; ok {
		return dir
	}
	dir := filepath.Join(t.TempDir(), name)
	made[name] = dir
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile("../../testdata/docs/" + name + ".txtar")
	if os.IsNotExist(err) {
		return dir
	} else if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		writeFile(t, dir, file.Name, string(file.Data))
	}
	return dir
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	path, mode := filepath.Join(dir, name), os.FileMode(0o666)
	if strings.HasPrefix(content, "#!") {
		mode = 0o777
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// runBlock runs the commands of a block in a directory and compares their output. It returns the lines of the block
// with new outputs where they differ.
func runBlock(t *testing.T, path string, b block, dir string) (lines []string) {
	for i := 0; i < len(b.lines); {
		first := i
		for i++; strings.HasSuffix(b.lines[i-1], `\`) && i < len(b.lines); i++ {
		}
		command, ok := strings.CutPrefix(strings.Join(b.lines[first:i], "\n"), "$ ")
		if !ok {
			t.Fatalf("%s:%d: %q is not a command", path, b.line+first, b.lines[first])
		}
		wanted := i
		for ; i < len(b.lines) && !strings.HasPrefix(b.lines[i], "$ "); i++ {
		}
		got := printed(dir, command)
		lines = append(lines, b.lines[first:wanted]...)
		switch {
		case matches(b.lines[wanted:i], got):
			lines = append(lines, b.lines[wanted:i]...)
		case *update:
			lines = append(lines, got...)
		default:
			t.Errorf("%s:%d: %s\nprints\n%s\nnot\n%s", path, b.line+first+1, command,
				strings.Join(got, "\n"), strings.Join(b.lines[wanted:i], "\n"))
		}
	}
	return lines
}

// progress matches the lines that a run prints every ten seconds.
var progress = regexp.MustCompile(`^whittle: .*, (?:\d+m)?\d+s$`)

// printed returns the lines that a command prints to both outputs.
func printed(dir, command string) []string {
	c := exec.Command("sh", "-c", command)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8",
		"WHITTLE_NO_SANDBOX=1", "XDG_CACHE_HOME="+dir+".cache")
	output, _ := c.CombinedOutput()
	text := strings.TrimSuffix(string(output), "\n")
	text = strings.ReplaceAll(text, dir, "~/bug")
	if text == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), progress.MatchString)
}

var times = regexp.MustCompile(`\b[0-9.]+ ?(m|ms|µs|s)([0-9.]+s)?\b`)

// matches reports whether an output is as expected.
func matches(want, got []string) bool {
	var pattern strings.Builder
	for _, line := range want {
		if line == "…" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		line = regexp.QuoteMeta(times.ReplaceAllString(line, "T"))
		pattern.WriteString(strings.ReplaceAll(line, "…", `.*`) + `\n`)
	}
	output := ""
	for _, line := range got {
		output += times.ReplaceAllString(line, "T") + "\n"
	}
	ok, err := regexp.MatchString(`^(?:`+pattern.String()+`)$`, output)
	return ok && err == nil
}

// checkCommands checks that each whittle command of a block has flags that exist.
func checkCommands(t *testing.T, path string, b block) {
	if b.info != "" && b.info != "console" && b.info != "sh" {
		return
	}
	text := strings.ReplaceAll(strings.Join(b.lines, "\n"), "\\\n", " ")
	for line := range strings.Lines(text) {
		line, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "$ "), "whittle ")
		if !ok || strings.ContainsAny(line, "`$;(…") {
			continue
		}
		shell := exec.Command("sh", "-f", "-c", `whittle() { printf '%s\n' "$@" >&3; exit; }; exec 3>&1; whittle `+line)
		shell.Dir = t.TempDir()
		words, err := shell.Output()
		if err != nil {
			t.Errorf("%s:%d: %q: %v", path, b.line, line, err)
			continue
		}
		root := rootCommand()
		c, args, err := root.Find(usage.WithDefault(root, "reduce", strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")))
		if err == nil {
			err = c.ParseFlags(args)
		}
		if err != nil {
			t.Errorf("%s:%d: whittle %s: %v", path, b.line, line, err)
		}
	}
}

// TestFlagsPage checks that docs/flags.md lists all flags of all commands.
func TestFlagsPage(t *testing.T) {
	const path = "../../docs/flags.md"
	want := flagsPage(rootCommand())
	got, err := os.ReadFile(path)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: go test ./cmd/whittle -run TestFlagsPage -update", path)
	}
	if err := os.WriteFile(path, want, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A flagLine is a flag with the commands that have it in the same words.
type flagLine struct {
	flag, text string
	commands   []string
}

// flagsPage returns docs/flags.md.
func flagsPage(root *cobra.Command) []byte {
	var headings []string
	lines := map[string][]*flagLine{}
	everywhere := "batch, bisect, check, isolate, reduce, report, test"
	add := func(c *cobra.Command) {
		name := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "whittle"), " ")
		if name == "" || strings.HasPrefix(name, "completion") {
			return
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			heading := "Other flags"
			for key, values := range f.Annotations {
				if strings.HasSuffix(key, "group") {
					heading = values[0]
				}
			}
			if !slices.Contains(headings, heading) {
				headings = append(headings, heading)
			}
			line := newFlagLine(f)
			i := slices.IndexFunc(lines[heading], func(l *flagLine) bool {
				return l.flag == line.flag && l.text == line.text
			})
			if i < 0 {
				lines[heading] = append(lines[heading], line)
				i = len(lines[heading]) - 1
			}
			if !slices.Contains(lines[heading][i].commands, name) {
				lines[heading][i].commands = append(lines[heading][i].commands, name)
			}
		})
	}
	reduce, _, err := root.Find([]string{"reduce"})
	if err != nil {
		panic(err)
	}
	add(reduce) // the most important command comes first
	all(root, add)
	var b bytes.Buffer
	b.WriteString("# Flags\n\nAll flags of all commands. `go test ./cmd/whittle -run TestFlagsPage -update` writes this " +
		"page from the flags of\nthe program; `whittle COMMAND --help` shows the same for one command. " +
		"\"All\" commands are\n" + everywhere + ".\n")
	for _, heading := range headings {
		fmt.Fprintf(&b, "\n## %s\n| flag | meaning | commands |\n|---|---|---|\n", heading)
		for _, l := range lines[heading] {
			slices.Sort(l.commands)
			commands := strings.Join(l.commands, ", ")
			if commands == everywhere {
				commands = "all"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.flag, l.text, commands)
		}
	}
	return b.Bytes()
}

func newFlagLine(f *pflag.Flag) *flagLine {
	value, text := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch {
	case value != "" && f.NoOptDefVal != "" && f.Value.Type() == "string":
		name += "[=" + strings.ToUpper(strings.TrimSuffix(value, "[=\""+f.NoOptDefVal+"\"]")) + "]"
	case value != "":
		name += " " + strings.ToUpper(value)
	}
	if strings.Contains(f.Usage, "(default") || slices.Contains([]string{"", "0", "[]", "false"}, f.DefValue) ||
		f.Name == "jobs" || f.Value.Type() == "bool" {
		return &flagLine{flag: name, text: escapeCell(text)}
	}
	return &flagLine{flag: name, text: escapeCell(text + " (default " + f.DefValue + ")")}
}

func escapeCell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(text)
}
