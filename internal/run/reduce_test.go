package run_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"whittle"
	"whittle/internal/output"
	"whittle/internal/run"
)

func reduce(t *testing.T, o run.Reduction) (whittle.Result, run.End, error) {
	t.Helper()
	r := run.New(t.Context(), run.Config{
		Test: run.Test{Argv: []string{"grep", "needed", "{}"}, Inline: true}, Jobs: 2, Reduction: o,
		Warn: func(text string) { t.Log(text) },
	})
	defer r.Close()
	in, err := output.NewInput(o.InPlace, "list.txt")
	if err != nil {
		return whittle.Result{}, run.End{}, err
	}
	input, err := r.ReadFile(in, "to reduce", run.Lines)
	if err == nil {
		err = r.Find(input)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Open(t.Context()); err != nil {
		return whittle.Result{}, run.End{}, err
	}
	result, err := r.Reduce(t.Context())
	end, err := r.Finish(t.Context(), result, err)
	return result, end, err
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A reduction in place runs once, again, and after the user changed the result.
func TestInPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "list.txt", "a\nb\nneeded\nc\n")
	first, end, err := reduce(t, run.Reduction{InPlace: true, Records: output.Records{Stats: "stats.json"}})
	if err != nil || !end.Written || end.Already || end.Ahead {
		t.Fatalf("%+v, %v", end, err)
	}
	if got, _ := os.ReadFile("list.txt"); string(got) != "needed\n" {
		t.Errorf("it comes to %q", got)
	}
	var stats struct {
		Before int `json:"bytes_before"`
		Tests  int `json:"tests_run"`
	}
	if text, err := os.ReadFile("stats.json"); err != nil || json.Unmarshal(text, &stats) != nil {
		t.Error(err)
	}
	if stats.Before != 13 || stats.Tests != first.Tests {
		t.Errorf("the figures are %+v", stats)
	}
	second, end, err := reduce(t, run.Reduction{InPlace: true})
	if err != nil || !end.Already || second.Replayed != second.Tests {
		t.Errorf("again: %+v, %v; %d of %d tests replayed", end, err, second.Replayed, second.Tests)
	}
	write(t, "list.txt", "mine\n")
	if _, _, err := reduce(t, run.Reduction{InPlace: true}); err == nil || !strings.Contains(err.Error(), "move") {
		t.Errorf("the work of somebody else: %v", err)
	}
}

// Open refuses one path for two files.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "list.txt", "needed\n")
	type files = output.Records
	for _, o := range []run.Reduction{
		{Records: files{Stats: "list.txt"}}, {Records: files{Stats: "x", Trace: "./x"}}, {Journal: "list.txt"},
		{Records: files{Trace: "list.reduced.txt"}}, {Records: files{Events: "list.txt"}},
		{Records: files{Stats: "list.reduced.txt.journal"}}, {InPlace: true, Records: files{Trace: "list.txt.orig"}},
	} {
		if _, _, err := reduce(t, o); err == nil || !strings.Contains(err.Error(), "overwrite") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
