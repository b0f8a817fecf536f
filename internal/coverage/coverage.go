// Package coverage finds the code of a candidate that its test runs, and the functions on the stack of an exception.
// Python records lines and exceptions by a trace function, Ruby lines. Node.js records ranges by V8's block coverage
// (https://v8.dev/blog/javascript-code-coverage), and exceptions by its debugger. The JVM prints stack traces. Probes
// (package pass) write to the output.
package coverage

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"whittle/internal/local"
	"whittle/internal/process"
	"whittle/oracle"
	"whittle/pass"
)

//go:embed *.py *.cjs *.rb
var recorder embed.FS

// A Record of a test of a candidate uses the paths of its files.
type Record struct {
	Marks map[string][]pass.Mark // of the bytes of each file that an interpreter read
	Edits [][]Edit               // alternatives
	nodes []node
	Run   oracle.Run // the output begins with text files that the test left
}

// A node is the file that whittle_frames.cjs writes.
type node struct {
	Exception *pass.Value
	Elsewhere bool
	Calls     []pass.Call
	Frames    []struct {
		pass.Frame
		Path         string
		Line, Column int
	}
}

// An Edit shortens a function on the stack of the last exception.
type Edit struct {
	Path string
	pass.TextEdit
}

// UnmarshalJSON reads [path, from, to, lines].
func (e *Edit) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&e.Path, &e.From, &e.To, &e.Lines})
}

// Records reports whether an interpreter of a language records.
func Records(language string) bool {
	return slices.Contains([]string{"python", "javascript", "java", "ruby"}, language)
}

// Of returns the marks and edits of a text with the files, which start at these offsets.
func (r Record) Of(text []byte, starts map[string]int) (marks []pass.Mark, raised pass.Raised) {
	marks = make([]pass.Mark, len(text))
	for path, start := range starts {
		copy(marks[start:], r.Marks[path])
	}
	for _, alternative := range r.Edits {
		var own []pass.TextEdit
		for _, e := range alternative {
			if start, ok := starts[e.Path]; ok && start+e.To <= len(text) {
				own = append(own, pass.TextEdit{From: start + e.From, To: start + e.To, Lines: e.Lines})
			}
		}
		raised.Edits = append(raised.Edits, own)
	}
	if trace := javaTraceOf(string(r.Run.Output), text, starts); len(trace.Frames) > 0 {
		raised.Traces = append(raised.Traces, trace)
	}
	for _, n := range r.nodes {
		trace := pass.Trace{Exception: n.Exception, Elsewhere: n.Elsewhere}
		for _, c := range n.Calls {
			if start, ok := starts[c.Path]; ok {
				c.At = start
				trace.Calls = append(trace.Calls, c)
			}
		}
		for _, f := range n.Frames {
			if start, ok := starts[f.Path]; ok {
				f.At += start
				trace.Frames = append(trace.Frames, f.Frame)
			}
		}
		raised.Traces = append(raised.Traces, trace)
	}
	return marks, raised
}

// Run runs the test of a candidate once more. It returns an empty Record on an error, which the next test reports.
func Run(ctx context.Context, x local.Executor, spec oracle.Spec, candidate []byte) Record {
	r, files := Record{Marks: map[string][]pass.Mark{}}, []byte(nil)
	x.Reads = nil
	if !x.Keeper.KeepsBuilds() {
		x.Keeper = local.NewKeeper(ctx.Done(), 1)
		defer x.Keeper.Clear()
	}
	x.Around = func(root, tmp string) ([]string, func()) {
		own := filepath.Join(tmp, "whittle-recorder") // a sandbox may hide other directories
		if os.CopyFS(own, recorder) != nil {
			return nil, func() {}
		}
		path := own
		if p := os.Getenv("PYTHONPATH"); p != "" {
			path += string(os.PathListSeparator) + p
		}
		node := strings.TrimSpace(os.Getenv("NODE_OPTIONS") + ` --require "` + filepath.Join(own, "whittle_frames.cjs") + `"`)
		home := root
		if x.Sandbox != nil {
			home = cmp.Or(x.Sandbox.Home, home)
		}
		variables := []string{
			"WHITTLE_DIR=" + root, "WHITTLE_HOME=" + home, "PYTHONPATH=" + path, "NODE_OPTIONS=" + node,
			"NODE_V8_COVERAGE=" + own,
			"RUBYOPT=" + strings.TrimSpace(os.Getenv("RUBYOPT")+" -r"+filepath.Join(own, "whittle_lines")),
		}
		return variables, func() {
			readLines(root, tmp, r.Marks)
			readV8(root, home, own, r.Marks)
			r.Edits = readEdits(tmp)
			r.nodes = readNodes(root, tmp)
			os.RemoveAll(own)
			files = slices.Concat(left(root), left(tmp))
		}
	}
	spec.KeepOutput = true
	run, err := x.Run(ctx, spec, candidate)
	if err != nil {
		return Record{}
	}
	r.Run = run
	r.Run.Output = slices.Concat(files, run.Output) // the last exception counts
	return r
}

// left returns the names of directories and the text files that a test left.
func left(root string) []byte {
	var all bytes.Buffer
	fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			all.WriteString(d.Name() + "\n")
		}
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() <= process.OutputLimit {
			text, _ := os.ReadFile(filepath.Join(root, path))
			if bytes.IndexByte(text, 0) < 0 { // no program
				all.Write(text)
			}
		}
		return nil
	})
	return all.Bytes()
}

// readEdits reads the files of the recorder about the last exceptions of processes.
func readEdits(tmp string) (all [][]Edit) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "whittle-frames-*"))
	for _, log := range logs {
		var edits [][]Edit
		text, _ := os.ReadFile(log)
		if json.Unmarshal(text, &edits) == nil { // else a process was killed while it wrote
			all = append(all, edits...)
		}
	}
	return all
}

// readNodes reads the files of whittle_frames.cjs.
func readNodes(root, tmp string) (all []node) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "whittle-node-*"))
	for _, log := range logs {
		var n node
		text, _ := os.ReadFile(log)
		if json.Unmarshal(text, &n) != nil {
			continue // as above
		}
		for i := range n.Frames {
			f := &n.Frames[i]
			source, _ := os.ReadFile(filepath.Join(root, f.Path))
			for line := range bytes.Lines(source) {
				if f.Line--; f.Line < 0 {
					at := offsets(string(line))
					f.At += at[min(f.Column, len(at)-1)]
					break
				}
				f.At += len(line)
			}
		}
		all = append(all, n)
	}
	return all
}

// mark adds the marks of a process.
func mark(all map[string][]pass.Mark, path string, marks []pass.Mark) {
	if old := all[path]; len(old) == len(marks) {
		for i, m := range old {
			if m == pass.Ran || marks[i] == pass.NoCode {
				marks[i] = m
			}
		}
	}
	all[path] = marks
}

// readLines reads the files of the recorders of Python and Ruby. A line of them is the number of a line, whether it
// ran, and a path.
func readLines(root, tmp string, all map[string][]pass.Mark) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "whittle-lines-*"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		files, starts := map[string][]pass.Mark{}, map[string][]int{}
		for entry := range strings.Lines(string(text)) {
			f := strings.SplitN(strings.TrimSuffix(entry, "\n"), " ", 3)
			if len(f) != 3 {
				continue
			}
			path := f[2]
			if starts[path] == nil {
				source, _ := os.ReadFile(filepath.Join(root, path))
				files[path] = make([]pass.Mark, len(source))
				at := 0
				for line := range bytes.Lines(source) {
					starts[path] = append(starts[path], at)
					at += len(line)
				}
				starts[path] = append(starts[path], at)
			}
			m := pass.NotRan
			if f[1] == "1" {
				m = pass.Ran
			}
			if line, _ := strconv.Atoi(f[0]); line > 0 && line < len(starts[path]) {
				fill(files[path], starts[path][line-1], starts[path][line], m)
			}
		}
		for path, marks := range files {
			mark(all, path, marks)
		}
	}
}

func fill(marks []pass.Mark, from, to int, m pass.Mark) {
	for i := max(from, 0); i < min(to, len(marks)); i++ {
		marks[i] = m
	}
}

// A script is the result of V8 for a file. Offsets are in UTF-16 code units. Ranges contain each other, the outer ones
// first.
type script struct {
	URL       string
	Functions []struct {
		Ranges []struct{ StartOffset, EndOffset, Count int }
	}
}

// readV8 reads the JSON files of NODE_V8_COVERAGE.
func readV8(root, home, tmp string, all map[string][]pass.Mark) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "coverage-*.json"))
	for _, log := range logs {
		var read struct{ Result []script }
		text, _ := os.ReadFile(log)
		if json.Unmarshal(text, &read) != nil {
			continue // a process was killed while it wrote
		}
		for _, s := range read.Result {
			u, err := url.Parse(s.URL)
			if err != nil || u.Scheme != "file" {
				continue // a module of Node.js
			}
			path, is := strings.CutPrefix(u.Path, root+"/")
			if !is {
				path, is = strings.CutPrefix(u.Path, home+"/")
			}
			source, err := os.ReadFile(filepath.Join(root, path))
			at := offsets(string(source))
			if is && err == nil && s.of(at) {
				mark(all, path, s.marks(at))
			}
		}
	}
}

// of reports whether the ranges are those of the file with these offsets. Jest runs compiled code under the path of its
// source.
func (s *script) of(at []int) bool {
	return len(s.Functions) > 0 && len(s.Functions[0].Ranges) > 0 && s.Functions[0].Ranges[0].EndOffset == len(at)-1
}

func (s *script) marks(at []int) []pass.Mark {
	marks := slices.Repeat([]pass.Mark{pass.Ran}, at[len(at)-1])
	for _, f := range s.Functions {
		for _, r := range f.Ranges {
			switch {
			case r.StartOffset < 0 || r.EndOffset >= len(at) || r.StartOffset > r.EndOffset:
			case r.Count > 0:
				fill(marks, at[r.StartOffset], at[r.EndOffset], pass.Ran)
			default: // the first byte stays: others may name the function that begins there
				fill(marks, at[r.StartOffset]+1, at[r.EndOffset], pass.NotRan)
			}
		}
	}
	return marks
}

// offsets returns the byte of each UTF-16 code unit, and the length.
func offsets(source string) (at []int) {
	for i, r := range source {
		at = append(at, slices.Repeat([]int{i}, max(utf16.RuneLen(r), 1))...)
	}
	return append(at, len(source))
}
