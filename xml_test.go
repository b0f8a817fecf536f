package whittle_test

import (
	"bytes"
	"context"
	"os/exec"
	"testing"

	"whittle"
	"whittle/algo"
)

// According to xmllint.
func TestXMLStaysWellFormed(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed; it is in the package libxml2-utils")
	}
	for _, in := range inputs {
		if in.language != "xml" {
			continue
		}
		t.Run(in.pattern, func(t *testing.T) {
			tested := 0
			property := containing(in.pattern)
			_, err := whittle.Reduce(context.Background(), whittle.Options{
				Input: readInput(t, in.file), Language: language(t, in.language),
				NoRewrite: true, // rewrites may name an unknown encoding
				Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
					tested++
					c := exec.Command("xmllint", "--noout", "--nonet", "-")
					c.Stdin = bytes.NewReader(candidate)
					if message, err := c.CombinedOutput(); err != nil || len(message) > 0 {
						t.Errorf("%v: %s\n%s", err, message, candidate)
					}
					return property(ctx, candidate)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if tested < 20 {
				t.Errorf("only %d candidates were tested", tested)
			}
		})
	}
}
