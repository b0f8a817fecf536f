package failure

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"whittle/internal/failure/script"
)

func TestExtended(t *testing.T) {
	recorded := recordings(t)
	var all bytes.Buffer
	for _, r := range recorded {
		all.Write(r.run.Output)
	}
	lines := printed(all.Bytes())
	asked := map[string]bool{}
	for _, r := range recorded {
		for _, s := range All(r.run) {
			for _, line := range s.Criteria.Lines {
				pattern := line.Pattern.String()
				if asked[pattern] {
					continue
				}
				asked[pattern] = true
				if extended, err := script.Extended(line.Pattern); err != nil || extended != pattern {
					t.Errorf("%s: %s to grep is %s, %v", r.name, pattern, extended, err)
				}
				want := 0
				for _, l := range lines {
					if line.Pattern.MatchString(l) {
						want++
					}
				}
				grep := exec.CommandContext(t.Context(), "grep", "-c", "-E", "-e", pattern)
				grep.Env = append(os.Environ(), "LC_ALL=C")
				grep.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
				output, err := grep.CombinedOutput()
				if got := strings.TrimSpace(string(output)); got != strconv.Itoa(want) || err != nil {
					t.Errorf("%s: grep counts %s lines that match %s, Go %d (%v)", r.name, got, pattern, want, err)
				}
			}
		}
	}
	if len(asked) < 60 {
		t.Errorf("only %d patterns", len(asked))
	}
}
