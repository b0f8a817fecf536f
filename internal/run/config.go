package run

import (
	"time"

	"whittle"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/propose"
	"whittle/internal/valid"
	"whittle/oracle"
)

// Config is the request of the user. Only Test is required.
type Config struct {
	Test     Test
	Name     string             // for the test; "" means the name of the input
	Language *grammars.Language // nil means by name and content
	Grammar  []string           // files of the language

	Env             []string          // further variables for the test
	Known           *diagnose.Failure // of an earlier run on the same input, to look for; may be nil
	Seen            *oracle.Run       // of the test on the input; may be nil
	Stdin           bool
	Interesting     oracle.Criteria
	InterestingText string        // Interesting as the user wrote it
	Frames          int           // in a signature; 0 means [diagnose.Frames]
	Timeout         time.Duration // 0 means an adaptive limit
	Limits          oracle.Limits
	WorkDir         string      // "" means the default
	KeepBuild       bool        // tests find what earlier ones wrote; else as measured
	CleanBuild      bool        // they do not
	Jobs            int         // here and on the cluster
	Repeat          int         // tests that must agree; 0 means 1
	FlakyError      float64     // see [chain.Flaky]
	Stress          bool        // try settings that may raise the rate of a flaky test
	Retry           chain.Retry // of lost tests
	Remote          *Remote     // nil means no cluster
	Valid           valid.Options
	Sandbox         Sandbox
	Host            *Host      // shared with other runs; New sets it if it is nil
	Turn            chain.Turn // nil means that no other run shares the workers
	Reduction

	// Warn shows a message, from any goroutine.
	Warn func(text string)
}

// Reduction configures a reduction and its results.
type Reduction struct {
	Search      whittle.Options // without input, property, journal, rewriting and observer
	Rules       []string
	Propose     propose.Config
	Format      string        // shell command, FormatAuto or FormatNone
	MaxTime     time.Duration // 0 means no limit
	Output      string        // "" means the default
	InPlace     bool
	Shared      bool // the result is a directory with a script and a report, as for a project
	Force       bool // accept any test
	NoOther     bool // keep no candidates with other failures
	KeepFlags   bool // keep the arguments of the command
	Preprocess  bool
	Report      bool // record the progress
	Journal     string
	NoJournal   bool
	KeepJournal bool
	Fresh       bool // ignore earlier runs
	output.Records
	TraceDiffs bool // a diff for each step

	// Observe receives all events except [whittle.Improved]; nil ignores them.
	Observe func(whittle.Event)
}
