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

// A key is what tells runs apart.
type key struct {
	Case   string `json:"case"`
	CaseID string `json:"case_id"`
	Peer   string `json:"peer"`
	Jobs   int    `json:"jobs"`
}

// A Record is what a run came to, a line of the file.
type Record struct {
	key
	Version  string    `json:"version"`
	Machine  string    `json:"machine"`
	Date     time.Time `json:"date"` // of the run's end
	Language string    `json:"language"`

	TokensBefore int `json:"tokens_before"`
	Tokens       int `json:"tokens"`
	BytesBefore  int `json:"bytes_before"`
	Bytes        int `json:"bytes"`

	Tests       int     `json:"tests"`
	Seconds     float64 `json:"seconds"` // of the clock
	Limit       float64 `json:"limit"`   // seconds
	TimedOut    bool    `json:"timed_out"`
	Interesting bool    `json:"still_interesting"`
	Failed      string  `json:"failed,omitempty"`

	Compiles *Diagnostics `json:"compiles,omitempty"` // what a compiler says of the result, if there is one for it
}

// good reports whether the run's result may be compared with others.
func (r Record) good() bool { return r.Interesting && r.Failed == "" }

// Diagnostics are how much a compiler complains of.
type Diagnostics struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

var (
	anError   = regexp.MustCompile(`(?m)^[^\n]*: (fatal )?error: `)
	aWarning  = regexp.MustCompile(`(?m)^[^\n]*: warning: `)
	itsOwnBug = regexp.MustCompile(`(?m)internal compiler error`)
)

// compilers are the programs that files are compiled by to see whether they are right.
var compilers = map[string]string{"c": "gcc", "cpp": "g++"}

// compile returns what gcc -fsyntax-only -Wall says of a file; nil if it is none for it, or
// there is no gcc, or it fails by a bug of its own, as it may here.
func compile(ctx context.Context, language, path string) *Diagnostics {
	compiler, err := exec.LookPath(compilers[language])
	if err != nil {
		return nil
	}
	said := said(ctx, compiler, "-fsyntax-only", "-Wall", "-fmax-errors=0", path)
	if itsOwnBug.MatchString(said) {
		return nil
	}
	return &Diagnostics{len(anError.FindAllString(said, -1)), len(aWarning.FindAllString(said, -1))}
}

// machine says where the runs are done.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %d GiB", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		(process.MachineMemory()+1<<29)>>30)
}

// resultName is what the result of a run is kept as.
func (r Record) resultName(input string) string { return r.Case + "." + r.Peer + filepath.Ext(input) }
