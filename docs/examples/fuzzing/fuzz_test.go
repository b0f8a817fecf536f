// Package fuzzing shows how a fuzz test of Go reports its failures reduced, by the grammar of the input.
package fuzzing

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

// failure calls the code under test, and returns its panic as text, or "".
func failure(input string) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	order := struct{ Items, Shares []int }{}
	if json.Unmarshal([]byte(input), &order) == nil {
		for i := range order.Shares {
			order.Shares[i] = order.Items[i] * 100 // panics with more shares than items
		}
	}
	return ""
}

// reduced returns the smallest JSON text with the same failure.
func reduced(t *testing.T, input string) string {
	language, _ := grammars.Find("json")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: []byte(input), Language: language,
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if failure(string(candidate)) != failure(input) {
				return algo.Uninteresting, nil
			}
			return algo.Interesting, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.File)
}

// FuzzOrder is run by go test -fuzz Order -fuzzminimizetime 1x.
func FuzzOrder(f *testing.F) {
	f.Add(`{"items": [3, 4], "shares": [1, 1], "notes": {"gift": true}}`)
	f.Fuzz(func(t *testing.T, input string) {
		if text := failure(input); text != "" {
			t.Errorf("%s: %s", text, reduced(t, input))
		}
	})
}

func TestReduced(t *testing.T) {
	got := reduced(t, `{"items": [3, 4], "shares": [1, 1, 9], "notes": {"gift": true, "wrap": ["red", "blue"]}}`)
	if want := `{"items": [0, 0], "shares": [0, 0, 0]}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
