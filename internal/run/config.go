package run

import (
	"time"

	"whittle"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/oracle"
)

// Config is the request of the user. Only Test is required.
type Config struct {
	Test     Test
	Name     string             // of the input, for the test; "" means its own
	Language *grammars.Language // of all files; nil means by name and content
	Grammar  []string           // files of the language

	Stdin           bool
	Interesting     oracle.Criteria
	InterestingText string        // Interesting as the user wrote it
	Frames          int           // of a stack, in a signature; 0 means [diagnose.Frames]
	Timeout         time.Duration // of a test; 0 means an adaptive limit
	Limits          oracle.Limits
	WorkDir         string      // parent of the work directory; "" means the default
	Jobs            int         // tests at once, here and on the cluster
	Repeat          int         // tests that must agree; 0 means 1
	Retry           chain.Retry // of lost tests
	Remote          *Remote     // nil means no cluster
	Valid           Valid
	Sandbox         Sandbox
	Host            *Host      // shared with other runs; nil means a new one
	Turn            chain.Turn // nil means that no other run shares the workers
	Reduction

	// Warn shows a message to the user. It may be called from any goroutine.
	Warn func(text string)
}

// Reduction configures how the input is reduced, and where results go.
type Reduction struct {
	Search       whittle.Options // without input, property, journal, rewriting and observer
	Rules        []string        // paths of the user's rewriting rules
	Format       string          // shell command, FormatAuto or FormatNone
	MaxTime      time.Duration   // of the whole run; 0 means no limit
	Output       string          // "" means the default
	InPlace      bool
	Force        bool // accept a test that finds anything interesting
	NoOther      bool // do not keep candidates with other failures
	KeepFlags    bool // do not reduce the arguments of the command
	Preprocess   bool // preprocess the file first
	Report       bool // record the progress for a report
	Journal      string
	NoJournal    bool
	KeepJournal  bool
	Fresh        bool   // ignore the results of an earlier run
	Stats, Trace string // may be empty
	TraceDiffs   bool   // the trace has a diff for each step

	// Observe receives the events of the reduction, except [whittle.Improved]; nil ignores
	// them.
	Observe func(whittle.Event)
}
