package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"whittle/internal/local"
	"whittle/internal/run"
	"whittle/internal/usage"
	"whittle/oracle"
)

// limitFlags bound what a test may use.
type limitFlags struct {
	timeout      time.Duration
	memory, disk string
	workDir      string
	sandbox      run.Sandbox
	noSandbox    bool
	allowWrite   []string

	changed func(flag string) bool // whether the user gave it
	limits  oracle.Limits          // what the flags say, after check
}

func (f *limitFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.changed = flags.Changed
	usage.Duration(flags, &f.timeout, "timeout", "limit of `time` for each test, as 5s, 2m, or 5 for seconds; "+
		"a candidate that takes longer is not interesting (default ten times what the input takes, from 10s to 10m, "+
		"and ten times its processor time, from 1s)")
	flags.StringVar(&f.memory, "memory-limit", "", "limit of `bytes` of memory for the processes of a test, "+
		"as 2GiB, or none (default 4GiB, or half of the machine's)")
	flags.StringVar(&f.disk, "disk-limit", "", "limit of `bytes` for the files of a test, as 100MB, or none "+
		"(default 512MiB)")
	flags.StringVar(&f.workDir, "work-dir", "", "run the tests in directories below this `path` "+
		"(default TMPDIR, or memory if that is not set, or /tmp)")
	flags.BoolVar(&f.noSandbox, "no-sandbox", os.Getenv("WHITTLE_NO_SANDBOX") != "", "run tests without a sandbox: "+
		"they may write, signal and connect wherever you may")
	flags.StringArrayVar(&f.allowWrite, "allow-write", nil, "let tests write to this `path` and all below it, "+
		"besides their own directories; may be repeated")
	flags.BoolVar(&f.sandbox.Net, "allow-net", false, "let tests use the network, and the services of this machine")
	usage.Group(flags, usage.Limits, "timeout", "memory-limit", "disk-limit", "work-dir",
		"no-sandbox", "allow-write", "allow-net")
}

func (f *limitFlags) check() error {
	if f.timeout <= 0 && f.changed("timeout") {
		return usagef("--timeout %v: a test needs some time", f.timeout)
	}
	f.sandbox.On = !f.noSandbox
	for _, path := range f.allowWrite {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return usagef("--allow-write %s: %w; make it first", path, err)
		}
		f.sandbox.Write = append(f.sandbox.Write, real)
	}
	f.limits = local.DefaultLimits()
	for _, limit := range []struct {
		flag, text string
		bytes      *uint64
	}{{"--memory-limit", f.memory, &f.limits.Memory}, {"--disk-limit", f.disk, &f.limits.Disk}} {
		switch limit.text {
		case "":
		case "none", "0":
			*limit.bytes = 0
		default:
			n, err := humanize.ParseBytes(limit.text)
			if err != nil || strings.HasPrefix(limit.text, "-") {
				return usagef("%s %s: a number of bytes is needed, as 500MB or 2GiB, or none", limit.flag, limit.text)
			}
			*limit.bytes = n
		}
	}
	return nil
}
