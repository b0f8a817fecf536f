package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	// Built with the race detector, each whittle would sleep a second at its end.
	os.Setenv("GORACE", "atexit_sleep_ms=10 "+os.Getenv("GORACE"))
	if filepath.Base(os.Args[0]) != "whittle" {
		os.Setenv("WHITTLE_NO_SANDBOX", "1") // scripts do not inherit it
	}
	testscript.Main(suite{m}, map[string]func(){"whittle": main, "cvise": main, "creduce": main})
}

// TestScripts runs testdata/script. Besides the commands of testscript, scripts have those of scriptCommands, and their
// *.sh files are executable. Their PATH has only whittle and commonTools. After each script,
//   - no file of the archive has changed, except those named by `changes`,
//   - TMPDIR, which is $WORK/tmp, is empty,
//   - no process of the script is alive (on Linux).
func TestScripts(t *testing.T) { runScripts(t, "script") }

// TestE2EScripts runs the scripts about limits of time, signals, real compilers and harmful tests.
func TestE2EScripts(t *testing.T) { runScripts(t, "e2e") }

func TestClusterScripts(t *testing.T) { runScripts(t, "cluster") }

func runScripts(t *testing.T, folder string) {
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("../../testdata", folder),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup:              setUpScript,
		Cmds:               scriptCommands,
		Condition: func(name string) (bool, error) {
			switch name {
			case "root": // permissions do not apply
				return os.Geteuid() == 0, nil
			case "mounts": // unshare -m is allowed
				return exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/tmp").Run() == nil, nil
			case "race": // the race detector is on
				info, _ := debug.ReadBuildInfo()
				return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}), nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
	})
}

// unchanged is the key of the archive's files in a script's values.
type unchanged struct{}

func setUpScript(env *testscript.Env) error {
	files := map[string][]byte{}
	err := filepath.WalkDir(env.WorkDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if filepath.Ext(path) == ".sh" {
			err = os.Chmod(path, 0o755)
		}
		content, readErr := os.ReadFile(path)
		files[path] = content
		return errors.Join(err, readErr)
	})
	if err != nil {
		return err
	}
	env.Values[unchanged{}], env.Values[clusterKey{}] = files, &clusterOf{}
	tmp := filepath.Join(env.WorkDir, "tmp")
	env.Setenv("TMPDIR", tmp)
	// Tests of most scripts write files next to themselves.
	if !strings.Contains(filepath.Base(env.WorkDir), "sandbox") {
		env.Setenv("WHITTLE_NO_SANDBOX", "1")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	env.Setenv("ROOT", root) // of the project
	env.Defer(func() {
		for path, content := range files {
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, content) {
				env.T().Fatal(path, "is not what it was", err)
			}
		}
		if left := leftovers(env.WorkDir, tmp); left != "" {
			env.T().Fatal(left)
		}
	})
	return os.Mkdir(tmp, 0o700)
}

// leftovers lists the files in tmp, and the processes with the directory work in their environment.
func leftovers(work, tmp string) string {
	var left strings.Builder
	entries, err := os.ReadDir(tmp)
	if err != nil {
		fmt.Fprintln(&left, err)
	}
	for _, e := range entries {
		fmt.Fprintln(&left, "left in TMPDIR:", e.Name())
	}
	var alive []string
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		if environment, _ := os.ReadFile(path); bytes.Contains(environment, []byte("="+work+"/")) {
			alive = append(alive, filepath.Base(filepath.Dir(path)))
		}
	}
	for _, pid := range stillAlive(alive) {
		command, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		fmt.Fprintf(&left, "still alive: %s %q\n", pid, command)
	}
	return left.String()
}

var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":    exits,
	"changes":  changes,
	"generate": generate,
	"json":     jsonValue,
	"jsonkeys": jsonKeys,
	"same":     same,
	"trace":    trace,
	"alldead":  allDead,
	"device":   device,
	"between":  between,
	"cluster":  cluster,
	"tools":    tools,
}

// exits CODE PROGRAM ARG...: the program ends with this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 2, "exits CODE PROGRAM ARG...")
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := number(ts, args[0]); code != want {
		ts.Fatalf("exit code %d, not %d", code, want)
	}
}

// changes FILE...: the script changes these files of the archive.
func changes(ts *testscript.TestScript, neg bool, args []string) {
	files := ts.Value(unchanged{}).(map[string][]byte)
	for _, a := range args {
		need(ts, !neg && files[ts.MkAbs(a)] != nil, "changes FILE..., of the archive")
		delete(files, ts.MkAbs(a))
	}
}

// generate FILE lines N: a file of at least N bytes in short lines. One in the middle is "alpha", the last is "omega".
//
// generate FILE nested N BEFORE MIDDLE AFTER: N times BEFORE, then MIDDLE, then N times AFTER.
//
// generate FILE bytes QUOTED: the bytes of a Go string.
//
// generate FILE zeros SIZE: a sparse file.
func generate(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 3, "generate FILE KIND ARG...")
	var b bytes.Buffer
	path := args[0]
	switch kind, args := args[1], args[2:]; kind {
	case "lines":
		for n := number(ts, args[0]); b.Len() < n; {
			before := b.Len()
			fmt.Fprintf(&b, "line at byte %d of this file\n", b.Len())
			if before < n/2 && b.Len() >= n/2 {
				fmt.Fprintln(&b, "alpha")
			}
		}
		fmt.Fprintln(&b, "omega")
	case "nested":
		need(ts, len(args) == 4, "generate FILE nested N BEFORE MIDDLE AFTER")
		n := number(ts, args[0])
		b.WriteString(strings.Repeat(args[1], n) + args[2] + strings.Repeat(args[3], n))
	case "bytes":
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(args[0], `"`, `\"`) + `"`)
		ts.Check(err)
		b.WriteString(s)
	case "zeros":
		defer func() { ts.Check(os.Truncate(ts.MkAbs(path), int64(number(ts, args[0])))) }()
	default:
		ts.Fatalf("cannot generate %q", kind)
	}
	ts.Check(os.WriteFile(ts.MkAbs(path), b.Bytes(), 0o666))
}

// json FILE KEY VALUE...: the JSON object in the file has these values, written as JSON.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 3 && len(args)%2 == 1, "json FILE KEY VALUE...")
	var object map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &object))
	for pair := range slices.Chunk(args[1:], 2) {
		if got := string(object[pair[0]]); got != pair[1] {
			ts.Fatalf("%s is %s in %s, not %s", pair[0], got, args[0], pair[1])
		}
	}
}

// same FILE.json FILE.json... KEY...: the JSON objects have the same values for these keys.
func same(ts *testscript.TestScript, neg bool, args []string) {
	var objects []map[string]json.RawMessage
	for ; len(args) > 0 && strings.HasSuffix(args[0], ".json"); args = args[1:] {
		objects = append(objects, nil)
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &objects[len(objects)-1]))
	}
	need(ts, !neg && len(objects) > 1 && len(args) > 0, "same FILE.json FILE.json... KEY...")
	for _, key := range args {
		for i, o := range objects {
			if o[key] == nil || string(o[key]) != string(objects[0][key]) {
				ts.Fatalf("%s is %s in the first, but %s in file %d", key, objects[0][key], o[key], i+1)
			}
		}
	}
}

// jsonkeys FILE KEY...: the JSON object in the file has exactly these keys, in this order.
func jsonKeys(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 1, "jsonkeys FILE KEY...")
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var keys []string
	_, err := d.Token()
	for ts.Check(err); d.More(); {
		token, err := d.Token()
		ts.Check(err)
		keys = append(keys, token.(string))
		var value json.RawMessage
		ts.Check(d.Decode(&value))
	}
	if !slices.Equal(keys, args[1:]) {
		ts.Fatalf("the keys of %s are %v", args[0], keys)
	}
}

// between LOW NUMBER HIGH, all included. NUMBER may be FILE:KEY of a JSON object.
func between(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 3, "between LOW NUMBER HIGH")
	var values [3]float64
	for i, a := range args {
		if file, key, ok := strings.Cut(a, ":"); ok {
			var object map[string]json.RawMessage
			ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &object))
			a = string(object[key])
		}
		var err error
		values[i], err = strconv.ParseFloat(a, 64)
		ts.Check(err)
	}
	if !(values[0] <= values[1] && values[1] <= values[2]) {
		ts.Fatalf("%v is not between %v and %v", values[1], values[0], values[2])
	}
}

// trace [-accepted] FILE FIELD...: prints these fields of the candidates in a trace, and checks that the candidates are
// numbered from 1. The field "test" is the number of tests that were run up to this candidate.
func trace(ts *testscript.TestScript, neg bool, args []string) {
	accepted := len(args) > 0 && args[0] == "-accepted"
	if accepted {
		args = args[1:]
	}
	need(ts, !neg && len(args) >= 2, "trace [-accepted] FILE FIELD...")
	tests := 0
	for i, line := range readTrace(ts.Fatalf, ts.ReadFile(args[0])) {
		if string(line["n"]) != strconv.Itoa(i+1) {
			ts.Fatalf("line %d of %s has number %s", i+1, args[0], line["n"])
		}
		if string(line["cached"]) == "false" {
			tests++
		}
		if accepted && string(line["accepted"]) != "true" {
			continue
		}
		line["test"] = json.RawMessage(strconv.Itoa(tests))
		var fields []string
		for _, name := range args[1:] {
			value, ok := line[name]
			if !ok {
				ts.Fatalf("line %d of %s has no %q", i+1, args[0], name)
			}
			fields = append(fields, strings.Trim(string(value), `"[]`))
		}
		fmt.Fprintln(ts.Stdout(), strings.Join(fields, " "))
	}
}

func readTrace(fatalf func(string, ...any), text string) (lines []map[string]json.RawMessage) {
	d := json.NewDecoder(strings.NewReader(text))
	for d.More() {
		line := map[string]json.RawMessage{}
		if err := d.Decode(&line); err != nil {
			fatalf("%v", err)
		}
		lines = append(lines, line)
	}
	return lines
}

// alldead FILE: the processes whose ids are the words of the file are dead.
func allDead(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 1, "alldead FILE")
	pids := strings.Fields(ts.ReadFile(args[0]))
	if len(pids) == 0 {
		ts.Fatalf("%s names no process", args[0])
	}
	if alive := stillAlive(pids); len(alive) > 0 {
		ts.Fatalf("still alive: %v", alive)
	}
}

// stillAlive returns the processes that do not end within some seconds.
func stillAlive(pids []string) []string {
	end := time.Now().Add(10 * time.Second)
	for ; len(pids) > 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		pids = slices.DeleteFunc(pids, func(pid string) bool {
			status, err := os.ReadFile("/proc/" + pid + "/stat")
			_, state, _ := strings.Cut(string(status), ") ")
			return err != nil || strings.HasPrefix(state, "Z")
		})
	}
	return pids
}

// device FILE...: these are devices.
func device(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		info, err := os.Lstat(ts.MkAbs(a))
		ts.Check(err)
		if info.Mode()&fs.ModeDevice == 0 != neg {
			ts.Fatalf("%s has mode %v", a, info.Mode())
		}
	}
}

func need(ts *testscript.TestScript, ok bool, usage string) {
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}
