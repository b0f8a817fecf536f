package isolate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/journal"
	"whittle/isolate"
	"whittle/oracle"
)

func between(good, bad string) *isolate.Changes {
	version := func(text string) isolate.Version {
		return isolate.Version{File: []byte(text), Language: grammars.ForFile("a.c").Language}
	}
	c, err := isolate.Files(version(good), version(bad), "token")
	if err != nil {
		panic(err)
	}
	return c
}

func contains(text string) oracle.Property {
	return func(_ context.Context, file []byte) (algo.Outcome, error) {
		if bytes.Contains(file, []byte(text)) {
			return algo.Interesting, nil
		}
		return algo.Uninteresting, nil
	}
}

func ExampleFind() {
	result, err := isolate.Find(context.Background(), isolate.Options{
		Changes: between("int f(int a) { int b = 1; return a * b; }\n",
			"int f(int x) { int y = 2; return x / y; }\n"),
		Property: contains("/"),
	})
	fmt.Printf("%s%s%d of %d changes, %v\n", result.Good, result.Bad, result.Left, result.Changes, err)
	// Output:
	// int f(int x) { int y = 2; return x * b; }
	// int f(int x) { int y = 2; return x / b; }
	// 1 of 6 changes, <nil>
}

func TestVersions(t *testing.T) {
	unresolved := func(context.Context, []byte) (algo.Outcome, error) { return algo.Unresolved, nil }
	for _, c := range []struct {
		good, bad string
		property  oracle.Property
		want      error
	}{
		{"int a;", "int a;", contains("a"), isolate.ErrSame},
		{"int a;", "int b;", contains("c"), &isolate.VersionError{Bad: true, Outcome: algo.Uninteresting}},
		{"int a;", "int b;", contains("int"), &isolate.VersionError{Outcome: algo.Interesting}},
		{"int a;", "int b;", unresolved, &isolate.VersionError{Bad: true, Outcome: algo.Unresolved}},
	} {
		o := isolate.Options{Changes: between(c.good, c.bad), Property: c.property}
		result, err := isolate.Find(t.Context(), o)
		if fmt.Sprint(err) != c.want.Error() || result.Good != nil {
			t.Errorf("%s and %s: %v, want %v", c.good, c.bad, err, c.want)
		}
	}
}

func TestFlaky(t *testing.T) {
	o := isolate.Options{Changes: between("int a;", "int b;"), Property: contains("b"), Confirm: contains("a")}
	result, err := isolate.Find(t.Context(), o)
	if flaky := (&isolate.FlakyError{}); !errors.As(err, &flaky) || flaky.Now != algo.Interesting {
		t.Errorf("got %v", err)
	}
	if string(result.Bad) != "int b;" || result.Complete {
		t.Errorf("got %+v", result)
	}
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	var results []isolate.Result
	for run := range 2 {
		j, err := journal.Open(path, journal.Identity{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Begin(); err != nil {
			t.Fatal(err)
		}
		tested := 0
		o := isolate.Options{
			Changes: between("int f(int a) { return a - 1; }", "long g(int b) { return b / 2; }"),
			Journal: j, Confirm: contains("/"),
			Property: func(ctx context.Context, file []byte) (algo.Outcome, error) {
				tested++
				return contains("/")(ctx, file)
			},
		}
		improved := 0
		o.Improved = func(isolate.Result) error { improved++; return nil }
		result, err := isolate.Find(t.Context(), o)
		if err != nil || improved == 0 || !result.Complete {
			t.Errorf("run %d: %+v after %d steps, %v", run, result, improved, err)
		}
		if run == 1 && (tested > 0 || result.Replayed != result.Tests) {
			t.Errorf("%d tests in the second run, %d of %d replayed", tested, result.Replayed, result.Tests)
		}
		results = append(results, result)
		if err := j.Close(true); err != nil {
			t.Error(err)
		}
	}
	if !bytes.Equal(results[0].Bad, results[1].Bad) || results[0].Left != results[1].Left {
		t.Errorf("%+v, then %+v", results[0], results[1])
	}
}

func TestCallbackError(t *testing.T) {
	full := errors.New("the disk is full")
	o := isolate.Options{
		Changes:  between("int f(int a) { return a - 1; }", "long g(int b) { return b / 2; }"),
		Property: contains("/"), Improved: func(isolate.Result) error { return full },
	}
	if result, err := isolate.Find(t.Context(), o); err != full || result.Left == 0 {
		t.Errorf("%+v, %v", result, err)
	}
}
