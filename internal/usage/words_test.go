package usage_test

import (
	"testing"
	"time"

	"github.com/spf13/pflag"

	"whittle/internal/usage"
)

func TestDidYouMean(t *testing.T) {
	words := []string{"reduce", "report", "rules", "typescript", "javascript", "java", "c", "cpp", "go"}
	for word, want := range map[string]string{
		"redcue": "reduce", "reprot": "report", "rule": "rules", "tyepscript": "typescript", "Javscript": "javascript",
		"jaav": "java", "klingon": "", "x": "", "gooo": "go", "shrink": "", "": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := usage.DidYouMean(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"5": 5 * time.Second, "0.5": time.Second / 2, "2m": 2 * time.Minute, "1h30m": 90 * time.Minute, "-1": -time.Second,
		"x": 0, "5 s": 0, "": 0, "NaN": 0, "1e300": 0,
	} {
		var got time.Duration
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		usage.Duration(flags, &got, "timeout", "a `time`")
		if err := flags.Set("timeout", text); err == nil != (want != 0) || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
