package whittle_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

var crashes = regexp.MustCompile(`crash\(\d+\)`)

const racy = `int f0(int a) { return a + 1; }
int f1(int a) { return a * 2; }
int main() {
  f0(3);
  pause();
  f1(4);
  crash(700);
}
`

// Raise gets the result, larger numbers, and lines of the input. Its choice goes through the last passes and is
// confirmed. Without a watch it is not called.
func TestRaise(t *testing.T) {
	for _, watched := range []bool{true, false} {
		var calls [][][]byte
		confirmed := map[string]bool{}
		var improved []string
		o := whittle.Options{
			Input: []byte(racy), Language: grammars.ForFile("a.c"),
			Property: func(_ context.Context, file []byte) (algo.Outcome, error) {
				if crashes.Match(file) && (len(calls) == 0 || bytes.Contains(file, []byte("pause"))) {
					return algo.Interesting, nil
				}
				return algo.Uninteresting, nil
			},
			Confirm: func(_ context.Context, file []byte) (algo.Outcome, error) {
				confirmed[string(file)] = true
				return algo.Interesting, nil
			},
			Watch: func() bool { return watched },
			Raise: func(_ context.Context, files [][]byte) ([]byte, error) {
				calls = append(calls, files)
				if !confirmed[string(files[0])] {
					t.Errorf("%s is not confirmed", files[0])
				}
				has := func(word string) int {
					return slices.IndexFunc(files, func(f []byte) bool { return strings.Contains(string(f), word) })
				}
				switch len(calls) {
				case 1:
					if i := has("pause"); i > 0 {
						return files[i], nil
					}
				case 2:
					if i := has("10"); i > 0 {
						return files[i], nil
					}
				}
				return nil, nil
			},
			Observe: whittle.On(func(e whittle.Improved) { improved = append(improved, string(e.File)) }),
		}
		result, err := whittle.Reduce(t.Context(), o)
		if err != nil || !result.Complete {
			t.Fatalf("%+v, %v", result, err)
		}
		if !watched {
			if calls != nil {
				t.Error("Raise is called for a stable test")
			}
			continue
		}
		file := string(result.File)
		if len(calls) != 3 || !strings.Contains(file, "pause") || !strings.Contains(file, "10") || improved[len(improved)-1] != file {
			t.Errorf("after %d calls: %s", len(calls), file)
		}
	}
}

// An error, or the end of the context, keeps the result.
func TestRaiseStops(t *testing.T) {
	failed := errors.New("failed")
	for _, late := range []bool{true, false} {
		ctx, cancel := context.WithCancelCause(t.Context())
		o := whittle.Options{
			Input: []byte(racy), Language: grammars.ForFile("a.c"),
			Property: func(_ context.Context, file []byte) (algo.Outcome, error) {
				if bytes.Contains(file, []byte("crash(")) {
					return algo.Interesting, nil
				}
				return algo.Uninteresting, nil
			},
			Watch: func() bool { return true },
			Raise: func(ctx context.Context, _ [][]byte) ([]byte, error) {
				if late {
					cancel(context.DeadlineExceeded)
					return nil, ctx.Err()
				}
				return nil, failed
			},
		}
		result, err := whittle.Reduce(ctx, o)
		if late && err != nil || !late && err != failed || result.Complete || !bytes.Contains(result.File, []byte("crash(")) ||
			len(result.File) > 40 {
			t.Errorf("%+v, %v", result, err)
		}
		cancel(nil)
	}
}
