package main

import (
	"fmt"
	"strings"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/diagnose"
	"whittle/internal/isolation"
	"whittle/internal/remoteflags"
	"whittle/isolate"
)

// commands is a set of commands that have a flag. Commands in hide(c) accept a flag that
// their help does not show.
type commands uint

const (
	onReduce commands = 1 << iota
	onBatch
	onCheck
	onIsolate
	onReport
	onBisect
	onTest
	onRules   // rules check
	onGrammar // grammar check

	onReducing = onReduce | onBatch | onCheck
	onTesting  = onReducing | onIsolate | onReport | onBisect | onTest
	onReading  = onTesting | onRules
	onRemote   = onReducing | onIsolate
	noCheck    = onReduce | onBatch | hideCheck // flags without an effect on the test
	one        = onReduce | hideCheck           // flags for one input

	hideCheck = onCheck << hideShift
	hideShift = 16
)

func hide(c commands) commands { return c << hideShift }

// A flagEntry is an entry of the table of flags.
type flagEntry struct {
	name  string // with the shorthand, if any: "jobs,j"
	on    commands
	value any    // a pointer, or one of the types below
	help  string // the argument is in back quotes
}

type (
	// A choice is a flag with some valid values. Shells complete them.
	choice struct {
		to     *string
		values []string
		open   bool // other values are valid, too
	}
	// A checked is a flag whose value must meet a condition.
	checked struct {
		value any
		ok    bool
		must  string
	}
	// A list is a flag that takes several values, separated by commas.
	list struct{ to *[]string }
)

func atLeast(least int, to *int) checked {
	return checked{to, *to >= least, fmt.Sprintf("be at least %d", least)}
}

// A group is a part of the table, under a heading of the help.
type group struct {
	heading string
	flags   []flagEntry
}

// table returns the flags of all commands, which set the fields of f. Its order is that of
// the help. The present values of the fields are the defaults.
func (f *flags) table() []group {
	e, search := &f.remote, &f.Search
	algorithms := whittle.Algorithms()
	return []group{
		{"Input", []flagEntry{
			{"name", onReducing, checked{&f.Name, f.Name != "." && f.Name != ".." && !strings.Contains(f.Name, "/"), "be the " +
				"name of a file, without a directory"}, "give FILE this `name` in the test's directory; it also selects the " +
				"language"},
			{"language", onReading, choice{&f.language, languageNames(), true}, "read FILE as this `language`, such as c++ or " +
				"py; see 'whittle languages' (default: from the name of FILE, otherwise structure)"},
			{"grammar", onReading | onGrammar, &f.Grammar, "read FILE with the ANTLR 4 grammar in this `path`; repeat it for " +
				"each file of the grammar"},
			{"start", onReading | onGrammar, &f.startRule, "the `rule` of the grammar that matches a whole file (default: the " +
				"first rule that ends with EOF)"},
			{"input", onBatch, list{&f.caseInput}, "reduce files with a `name` like this, such as '*.c,*.cc'; in a folder " +
				"with a test, this selects one of several files"},
			{"test", onBatch, &f.caseTest, "the `name` of the test in each folder (default: test.sh, or the only program)"},
			{"one-each", onBatch, &f.oneEach, "reduce only the smallest of the cases that fail in the same way"},
			{"build,p", onReduce | onCheck, &f.build, "take the COMMAND of FILE from compile_commands.json in this `path`"},
			{"git", onIsolate, &f.revisions, "compare the `revisions` OLD..NEW of the repository; OLD alone is compared with " +
				"the work tree"},
			{"level", onIsolate, choice{&f.level, isolate.LevelNames[1:], false}, "the `size` of changes: " +
				strings.Join(isolate.LevelNames[1:], ", ") + " (default hunk; token for two files)"},
		}},
		{"Test", []flagEntry{
			{"stdin", onTesting, &f.Stdin, "also pass the candidate to the test as standard input"},
			{"interesting-exit", onTesting, &f.exits, "these exit `codes` are interesting, such as 1 or 1,3,70-79 (default 0)"},
			{"interesting-output", onTesting, &f.printed, "a line of stdout or stderr that matches this regular `expression` " +
				"is interesting"},
			{"interesting-signal", onTesting, &f.signals, "death by one of these `signals` is interesting, such as SEGV, " +
				"SEGV,ABRT or any"},
			{"interesting-timeout", onTesting, &f.Interesting.Timeout, "a test that runs longer than --timeout is interesting"},
			{"frames", onTesting, checked{&f.Frames, f.Frames > 0 && f.Frames <= diagnose.Frames, fmt.Sprintf("be from 1 to %d",
				diagnose.Frames)}, "recognise a crash by this `number` of stack frames; 1 is only the innermost function"},
			{"server", onReduce | onCheck | onIsolate | hide(onTest), &f.server, "instead of TEST, a shell `command` that " +
				"keeps running: it reads the path of a candidate per line, and answers interesting, uninteresting or unresolved"},
			{"valid", onReducing | onTest | hide(onReport|onBisect), &f.Valid.Command, "keep the result valid: " +
				"this shell `command` must accept it, with {} for the candidate (default: other compilers on this machine that " +
				"accept FILE, without new warnings about undefined behaviour; see docs)"},
			{"no-valid", onReducing | onTest | hide(onReport|onBisect), &f.Valid.Off, "allow an invalid result"},
			{"differs", onTesting &^ onIsolate, &f.differs, "instead of TEST, two shell `commands` that should give the same " +
				"result for FILE, which is {}, but do not: whittle small.c --differs 'gcc -O0 {}' 'gcc -O2 {}'; compiled " +
				"programs are run"},
			{"force", onReducing, &f.Force, "accept a test that finds an empty file or garbage interesting"},
			{"no-other", onReducing, &f.NoOther, "do not keep candidates that fail in another way than FILE (default: keep " +
				"the smallest of each failure in small.other)"},
			{"also", onReport | onBisect, list{&f.also}, "also run these `compilers`, such as gcc-11,gcc-13,clang-16"},
		}},
		{"Running tests", []flagEntry{
			{"jobs,j", onRemote | hide(onReport|onBisect|onTest), atLeast(1, &f.Jobs), "run this many `tests` at once; the " +
				"result is the same for every number (default: the number of processors)"},
			{"timeout", onTesting, checked{&f.Timeout, f.Timeout > 0 || !f.command.Flags().Changed("timeout"), "be positive"},
				"stop a test after this `time`, such as 5s, 2m, or 5 for seconds; the " +
					"candidate is then not interesting (default: ten times the time for the input, from 10s to 10m, and ten times " +
					"its processor time, from 1s)"},
			{"memory-limit", onTesting, &f.memory, "limit the memory of a test to so many `bytes`, such as 2GiB, or none " +
				"(default 4GiB, or half of the machine's memory)"},
			{"disk-limit", onTesting, &f.disk, "limit the files of a test to so many `bytes`, such as 100MB, or none (default " +
				"512MiB)"},
			{"work-dir", onTesting, &f.WorkDir, "run tests in directories below this `path` (default: TMPDIR; if that is not " +
				"set, a file system in memory, or /tmp)"},
			{"keep-build", onReduce, &f.KeepBuild, "let tests of several files build on what earlier tests left (default: for " +
				"a project, if that is faster)"},
			{"clean-build", onReduce, &f.CleanBuild, "run each test in a directory without earlier builds"},
			{"no-sandbox", onTesting, &f.noSandbox, "run tests without a sandbox: they can write, send signals and connect " +
				"with your permissions"},
			{"allow-write", onTesting, &f.allowWrite, "let tests write to this `path` and everything below it; may be repeated"},
			{"allow-net", onTesting, &f.Sandbox.Net, "let tests use the network and the services of this machine"},
			{"retry-exit", onTesting, &f.retryExit, "with one of these exit `codes`, such as 75 or 75,255, a test reports " +
				"that it could not run, for example because a machine went away; it is run again after a pause"},
			{"retry-for", onTesting, checked{&f.Retry.Patience, f.Retry.Patience >= 0, "not be negative"},
				"how much `time` to keep retrying a test that could not run, before " +
					"whittle ends with exit code 3 (default 10m)"},
			{"repeat", noCheck | onIsolate, atLeast(1, &f.Repeat), "accept a candidate only if this many `tests` in a row " +
				"find it interesting; the result is always tested again"},
			{"flaky-error", noCheck | onIsolate, checked{&f.FlakyError, f.FlakyError > 0 && f.FlakyError < 1,
				"be greater than 0 and less than 1"}, "if FILE does not show the failure each time, the `probability` that the " +
				"result shows it more rarely than promised"},
			{"stress", noCheck | onTest, &f.Stress, "also run a flaky test beside load, on one processor and with other hash " +
				"seeds, and keep what shows the failure most often"},
		}},
		{"Remote execution", []flagEntry{
			{"remote", onRemote, &e.Target, "run the tests on the cluster at this `address`, such as grpcs://HOST:PORT, with " +
				"Bazel's Remote Execution API; see docs"},
			{"remote-instance", onRemote, &e.Instance, "the `name` of the cluster's instance"},
			{"remote-platform", onRemote, &e.Properties, "a `property` that workers must have, NAME=VALUE, such as " +
				"container-image=docker://... with a digest; may be repeated"},
			{"remote-header", onRemote, &e.Texts, "send this `header`, NAME=VALUE, with each call; put secrets in a file " +
				"instead"},
			{"remote-header-file", onRemote, &e.HeaderFile, "read headers from this `path`: a .bazelrc, or lines NAME=VALUE; " +
				"read again when the cluster refuses them"},
			{"remote-tls-ca", onRemote, &e.TLS.CA, "trust the certificate authorities in this `path`, PEM (default: the " +
				"machine's)"},
			{"remote-tls-cert", onRemote, &e.TLS.Cert, "authenticate with the client certificate in this `path`, PEM"},
			{"remote-tls-key", onRemote, &e.TLS.Key, "the `path` of the key of --remote-tls-cert, PEM"},
			{"remote-input", onRemote, &e.Uploads, "upload this `path`, a file or directory that the test needs, to a place " +
				"below $WHITTLE_TEST_DIR; may be repeated"},
			{"remote-env", onRemote, &e.Variables, "a `variable` for the test, NAME=VALUE, or NAME for its value here; may be " +
				"repeated (default: only PATH)"},
			{"remote-cache", onRemote, choice{&e.CacheUse, remoteflags.Caches(), false}, "how to `use` the cluster's action " +
				"cache: read-write; write, which takes no outcomes from it; none"},
			{"remote-jobs", onRemote, atLeast(1, &e.Jobs), "run this many `tests` at once on the cluster, in addition to -j, " +
				"if given"},
			{"remote-lost", onRemote, choice{&e.Loss, remoteflags.Losses(), false}, "the `action` if the cluster, after " +
				"the start, does not answer for --retry-for: stop, with exit code 3, or local, continue on this machine"},
			{"remote-check", onRemote, &e.Check, "a shell `command` that must exit with 0 on a worker before each test, such " +
				"as 'gcc --version | grep -q 13.2'; otherwise another worker runs the test"},
		}},
		{"Output", []flagEntry{
			{"report", one, &f.Report, "also write small.report.md and small.report.html: results of other compilers, the " +
				"location of the bug, and how the reduction went"},
			{"stage", one, &f.stage, "also reduce the intermediate code with which a tool for one stage of the compiler, opt " +
				"or llc, fails alone, to small.reduced.ll (default with --report)"},
			{"no-narrow", one, &f.noNarrow, "reduce the whole project, and only it (default: the part of the work that " +
				"fails, such as the compilation of one file, if it fails alone in the same way)"},
			{"also", one, list{&f.also}, "also run these `compilers` for the report, such as gcc-11,gcc-13,clang-16"},
			{"output,o", one, &f.Output, "write the result to this `path`, - is standard output (default small.reduced.c for " +
				"small.c, dir.reduced for dir, dir.repro for a project, reduced for several)"},
			{"output,o", onBatch, &f.Output, "write results below this `directory` (default: next to the cases)"},
			{"output,o", onIsolate, &f.Output, "write the version that behaves like NEW to this `path`"},
			{"output,o", onReport, &f.Output, "write the report to this `path` (default: standard output)"},
			{"good", onIsolate, &f.good, "write the other version to this `path`"},
			{"html", onReport, &f.html, "also write the report as a web page to this `path`"},
			{"in-place", one, &f.InPlace, "replace each FILE; keep the original as FILE.orig, and the journal"},
			{"keep-names", onReducing, &search.KeepNames, "keep identifiers (default: rename them to a, b, c where the test " +
				"allows it)"},
			{"keep-flags", onReducing, &f.KeepFlags, "keep the arguments of COMMAND (default: remove those that are not " +
				"needed)"},
			{"preprocess", onReducing, &f.Preprocess, "first preprocess FILE with COMMAND, if it still fails then (default if " +
				"FILE includes files of yours and needs them to fail)"},
			{"format", onReducing, &f.Format, "format the result with this shell `command` if the test allows it, such as " +
				"gofmt, clang-format, 'xmllint --format -' (a filter) or 'prettier --write {}' (in place); or none; auto formats " +
				"the result of a COMMAND with the language's formatter, if it is in PATH"},
		}},
		{"Search", []flagEntry{
			{"propose", noCheck, &f.Propose.Commands, "when stuck, ask this shell `command` for smaller files: a filter, " +
				"as 'sed s/long/int/', or json: and a program; see docs/rewriting.md"},
			{"propose-share", noCheck, checked{&f.Propose.Share, f.Propose.Share > 0, "be above 0"},
				"bound failed proposals by this `share` of other tests"},
			{"driver", noCheck, choice{&search.Driver, whittle.Drivers().Names(), false}, "how to walk the tree, a `driver`: " +
				strings.Join(whittle.Drivers().Names(), ", ")},
			{"algorithm", noCheck, choice{&search.Algorithm, algorithms.Names(), false}, "how to minimise a list, an " +
				"`algorithm`: " + strings.Join(algorithms.Names(), ", ")},
			{"rules", onReducing, &f.Rules, "also rewrite with the rules in this `path`; may be repeated; see 'whittle rules " +
				"check'"},
			{"prove", onReducing, &search.Prove, "at the end, try once more to remove each part alone"},
			{"no-rewrite", onReducing, &search.NoRewrite, "only delete; do not replace code by simpler code"},
			{"width", noCheck, atLeast(0, &search.Width), fmt.Sprintf("try this `number` of deletions in the same file before "+
				"those that succeed are made together; 1 is one after the other (default %d, 1 for %s)", whittle.DefaultWidth,
				those(algorithms, func(e algo.Entry) bool { return e.Sequential }))},
			{"wide", noCheck, atLeast(0, &search.Wide), "search for this many `workers`: more tests, but fewer of them one " +
				"after the other; the result depends on this number, not on -j (default: as few tests as possible)"},
			{"p0", noCheck, checked{&search.P0, search.P0 > 0 && search.P0 < 1, "be greater than 0 and less than 1"},
				"initial `probability` for " +
					those(algorithms, func(e algo.Entry) bool { return e.P0 }) + ", between 0 and 1"},
			{"seed", hide(onReducing), &f.seed, "no effect; old command lines may have it"},
			{"want", onIsolate, choice{&f.want, []string{isolation.Change, isolation.Difference}, false}, "the `answer`: " +
				"change, the fewest changes that make OLD behave like NEW; or difference, two versions with the fewest changes " +
				"between them (default change; difference for two files)"},
			{"algorithm", onIsolate, choice{&f.changesBy, isolation.Algorithms(), false}, "how to find the fewest changes, an " +
				"`algorithm`: " + strings.Join(isolation.Algorithms(), ", ")},
			{"check", onIsolate, &f.checkOnly, "only check that the test tells OLD and NEW apart, three times each"},
			{"shrink", onIsolate, &f.shrink, "afterwards reduce both files together, as long as the test tells them apart"},
		}},
		{"When to stop", []flagEntry{
			{"max-tests", noCheck | onIsolate, atLeast(0, &search.MaxTests), "stop after so many `tests`, with the best " +
				"result so far (default: no limit)"},
			{"max-time", noCheck | onIsolate, checked{&f.MaxTime, f.MaxTime >= 0, "not be negative"},
				"stop this `time` after the start, with the best result so far " +
					"(default: no limit)"},
			{"target-tokens", noCheck, atLeast(0, &search.TargetTokens), "stop when the result has at most so many `tokens` " +
				"(default: as few as possible)"},
		}},
		{"Journal", []flagEntry{
			{"journal", one | onIsolate, &f.Journal, "keep the outcomes of tests in this `path`, to continue after an " +
				"interruption (default small.reduced.c.journal)"},
			{"no-journal", one | onIsolate, &f.NoJournal, "keep no journal"},
			{"fresh", noCheck | onIsolate, &f.Fresh, "start again, and ignore earlier runs"},
			{"keep-journal", one | onIsolate, &f.KeepJournal, "keep the journal at the end"},
			{"keep-journal", onBatch, &f.KeepJournal, "keep the journals, so that a later run reduces only new cases"},
		}},
		{"Messages and records", []flagEntry{
			{"stats", one | onIsolate, &f.Stats, "write statistics of the run to this `path`, as JSON"},
			{"stats", onBatch, &f.Stats, "write statistics of all cases to this `path`, as JSON"},
			{"trace", one | onIsolate, &f.Trace, "write every candidate to this `path`, as JSON lines"},
			{"trace-diffs", one, &f.TraceDiffs, "add a diff of each accepted step to the trace"},
			{"events", one, &f.Events, "write what happens to this `path` as JSON lines, - for standard output"},
			{"plain", one, &f.plain, "show the progress in one line, not in the whole terminal"},
			{"verbose,v", one | onIsolate | onReport | onBisect | hide(onTest), &f.verbose, "report each step"},
			{"quiet,q", noCheck | onIsolate | onReport | onBisect | onTest, &f.quiet, "print only errors"},
		}},
	}
}

func languageNames() (names []string) {
	for _, l := range grammars.All() {
		names = append(names, l.Name)
	}
	return names
}

// those joins the names of the algorithms for which a fact is true.
func those(algorithms algo.Table, fact func(algo.Entry) bool) string {
	var names []string
	for _, e := range algorithms {
		if fact(e) {
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, ", ")
}
