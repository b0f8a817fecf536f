package forkserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"

	"whittle/oracle"
)

// A Criterion decides which inputs are interesting. Exactly one of the first four fields is set.
type Criterion struct {
	Signal   int    `json:"signal,omitempty"`   // that kills the program
	Exit     int    `json:"exit,omitempty"`     // code
	Hangs    bool   `json:"hangs,omitempty"`    // the program exceeds the limit of time
	Coverage []byte `json:"coverage,omitempty"` // class of each edge's number of runs, or varies
	Edges    bool   `json:"edges,omitempty"`    // only whether an edge ran counts
}

// varies marks an edge with a different coverage in each run of the input.
const varies = 0xff

// calibration is the number of runs for the edges that vary.
const calibration = 8

// Kinds select the criterion of an input.
type Kinds struct {
	Exits    bool // exit codes other than 0 are crashes
	Hangs    bool
	Coverage bool // of a crash, too
	Edges    bool
}

// Recognise runs the input and returns how it ends, or else its coverage.
func (s *Server) Recognise(input []byte, k Kinds) (*Criterion, error) {
	run, err := s.Run(input)
	switch {
	case err != nil:
		return nil, err
	case k.Hangs && !run.TimedOut:
		return nil, fmt.Errorf("the input does not hang: it ends within %v", s.o.Timeout)
	case k.Hangs:
		return &Criterion{Hangs: true}, nil
	case run.TimedOut:
		return nil, fmt.Errorf("the input exceeds the limit of %v; raise it with -t, or reduce a hang with -H", s.o.Timeout)
	case !k.Coverage && run.Signaled():
		return &Criterion{Signal: int(run.Signal())}, nil
	case !k.Coverage && k.Exits && run.ExitStatus() > 0:
		return &Criterion{Exit: run.ExitStatus()}, nil
	}
	c := &Criterion{Edges: k.Edges, Coverage: make([]byte, s.size)}
	ran := false
	for i, n := range s.Coverage() {
		c.Coverage[i] = c.class(n)
		ran = ran || n > 0
	}
	if !ran {
		return nil, fmt.Errorf("%s tells no coverage; build it with afl-clang-fast", s.o.Argv[0])
	}
	for range calibration {
		if _, err := s.Run(input); err != nil {
			return nil, err
		}
		for i, n := range s.Coverage() {
			if c.Coverage[i] != c.class(n) {
				c.Coverage[i] = varies
			}
		}
	}
	return c, nil
}

// Varying returns the number of edges that the criterion ignores.
func (c *Criterion) Varying() (n int) {
	for _, class := range c.Coverage {
		if class == varies {
			n++
		}
	}
	return n
}

// String describes the criterion.
func (c *Criterion) String() string {
	switch {
	case c.Signal != 0:
		return "a crash by signal: " + syscall.Signal(c.Signal).String()
	case c.Exit != 0:
		return fmt.Sprintf("exit code %d", c.Exit)
	case c.Hangs:
		return "a hang"
	}
	ran := 0
	for _, class := range c.Coverage {
		if class != 0 && class != varies {
			ran++
		}
	}
	return fmt.Sprintf("the same coverage, of %d edges", ran)
}

// class returns AFL's class of a number of runs: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, or more.
func (c *Criterion) class(n byte) byte {
	switch {
	case n == 0:
		return 0
	case c.Edges:
		return 1
	case n <= 3:
		return n
	case n < 8:
		return 4
	case n < 16:
		return 5
	case n < 32:
		return 6
	case n < 128:
		return 7
	}
	return 8
}

// Holds judges the last Run of a server.
func (c *Criterion) Holds(s *Server, run Run) bool {
	switch {
	case c.Hangs || run.TimedOut:
		return c.Hangs && run.TimedOut
	case c.Signal != 0:
		return run.Signaled() && int(run.Signal()) == c.Signal
	case c.Exit != 0:
		return run.ExitStatus() == c.Exit
	}
	for i, n := range s.Coverage() {
		if c.Coverage[i] != varies && c.Coverage[i] != c.class(n) {
			return false
		}
	}
	return true
}

// Serve answers about the files whose paths it reads, as a test server of whittle, see docs/tests.md.
func Serve(o Options, criterion string, in io.Reader, out io.Writer) error {
	text, err := os.ReadFile(criterion)
	if err != nil {
		return err
	}
	c := &Criterion{}
	if err := json.Unmarshal(text, c); err != nil {
		return err
	}
	s, err := Start(o)
	if err != nil {
		return err
	}
	defer s.Close()
	if c.Coverage != nil && len(c.Coverage) != s.size {
		return oracle.Errorf("%s has changed since the start", o.Argv[0])
	}
	paths := bufio.NewScanner(in)
	for paths.Scan() {
		input, err := os.ReadFile(paths.Text())
		if err != nil {
			return err
		}
		run, err := s.Run(input)
		if err != nil {
			return err
		}
		answer := "uninteresting"
		if c.Holds(s, run) {
			answer = "interesting"
		} else if run.TimedOut {
			answer = "unresolved"
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return paths.Err()
}
