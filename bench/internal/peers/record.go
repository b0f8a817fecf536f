package peers

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"whittle/internal/process"
)

// A key identifies a run.
type key struct {
	Case   string `json:"case"`
	CaseID string `json:"case_id"`
	Peer   string `json:"peer"`
	Jobs   int    `json:"jobs"`
}

// A Record is the result of a run, a line of the file.
type Record struct {
	key
	Version  string    `json:"version"`
	Machine  string    `json:"machine"`
	Date     time.Time `json:"date"` // when the run ended
	Language string    `json:"language"`

	TokensBefore int `json:"tokens_before"`
	Tokens       int `json:"tokens"`
	BytesBefore  int `json:"bytes_before"`
	Bytes        int `json:"bytes"`

	Tests       int     `json:"tests"`
	Seconds     float64 `json:"seconds"` // wall time
	Limit       float64 `json:"limit"`   // seconds
	TimedOut    bool    `json:"timed_out"`
	Interesting bool    `json:"still_interesting"`
	Failed      string  `json:"failed,omitempty"`

	Compiles *Diagnostics `json:"compiles,omitempty"` // nil if there is no compiler for the language
}

// good reports whether the result may be compared with others.
func (r Record) good() bool { return r.Interesting && r.Failed == "" }

// Diagnostics counts the messages of a compiler.
type Diagnostics struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

var (
	anError     = regexp.MustCompile(`(?m)^[^\n]*: (fatal )?error: `)
	aWarning    = regexp.MustCompile(`(?m)^[^\n]*: warning: `)
	compilerBug = regexp.MustCompile(`(?m)internal compiler error`)
)

// compilers check the syntax and types of results, by language.
var compilers = map[string]string{"c": "gcc", "cpp": "g++"}

// compile counts the messages of gcc -fsyntax-only -Wall. It returns nil without a compiler, or if
// gcc crashes, as on some results.
func compile(ctx context.Context, language, path string) *Diagnostics {
	compiler, err := exec.LookPath(compilers[language])
	if err != nil {
		return nil
	}
	output := outputOf(ctx, compiler, "-fsyntax-only", "-Wall", "-fmax-errors=0", path)
	if compilerBug.MatchString(output) {
		return nil
	}
	return &Diagnostics{len(anError.FindAllString(output, -1)), len(aWarning.FindAllString(output, -1))}
}

func machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %d GiB", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		(process.MachineMemory()+1<<29)>>30)
}

func (r Record) resultName(input string) string { return r.Case + "." + r.Peer + filepath.Ext(input) }
