package elsewhere

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/remote"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// remoteFlags say which cluster runs the tests, and what it is to know.
type remoteFlags struct {
	target, instance   string
	platform, headers  []string // NAME=VALUE
	headerFile         string
	tls                remote.TLS
	inputs, env        []string
	cache, lost, check string
	jobs               int
}

// none is what stands for no cluster, where a variable names one.
const none = "none"

// What becomes of tests when the cluster is gone.
const (
	lostStop  = "stop"
	lostLocal = "local"
)

// caches are the values of --remote-cache.
var caches = map[string]remote.Cache{
	"read-write": remote.CacheShared, "write": remote.CacheRefresh, "none": remote.CacheOff,
}

func (f *remoteFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.target, "remote", "", "run the tests on the cluster at this `address`, as grpcs://HOST:PORT, "+
		"of Bazel's Remote Execution API; see docs/remote.md")
	flags.StringVar(&f.instance, "remote-instance", "", "the `name` of the cluster's instance")
	flags.StringArrayVar(&f.platform, "remote-platform", nil, "a `property` that workers must have, NAME=VALUE, as "+
		"container-image=docker://... with a digest; may be given several times")
	flags.StringArrayVar(&f.headers, "remote-header", nil, "send this `header`, NAME=VALUE, with each call; "+
		"a secret is better in a file")
	flags.StringVar(&f.headerFile, "remote-header-file", "", "read headers from this `path`: a .bazelrc, "+
		"or lines NAME=VALUE; read again when the cluster refuses them")
	flags.StringVar(&f.tls.CA, "remote-tls-ca", "", "trust the authorities in this `path`, PEM (default the machine's)")
	flags.StringVar(&f.tls.Cert, "remote-tls-cert", "", "show the cluster the certificate in this `path`, PEM")
	flags.StringVar(&f.tls.Key, "remote-tls-key", "", "the `path` of its key, PEM")
	flags.StringArrayVar(&f.inputs, "remote-input", nil, "a `path` of a file or directory that the test needs; there it "+
		"lies below $WHITTLE_TEST_DIR; may be given several times")
	flags.StringArrayVar(&f.env, "remote-env", nil, "a `variable` for the test, NAME=VALUE, or NAME for its value here; "+
		"may be given several times (default none but PATH)")
	flags.StringVar(&f.cache, "remote-cache", "read-write", "how the cluster's action cache is `used`: read-write; "+
		"write, which takes no outcome from it; none")
	flags.IntVar(&f.jobs, "remote-jobs", 64, "`tests` to run there at once, beside those of -j, if that is given")
	flags.StringVar(&f.lost, "remote-lost", lostStop, "when the cluster gives no answer for --retry-for, `stop` "+
		"with exit code 3, to go on later; or local: go on on this machine")
	flags.StringVar(&f.check, "remote-check", "", "a shell `command` that must exit with 0 on a worker before each test "+
		"there, as 'gcc --version | grep -q 13.2'; else the test goes to another")
	usage.Group(flags, usage.Remote, names...)
	complete(c, "remote-cache", []string{"read-write", "write", "none"})
	complete(c, "remote-lost", []string{lostStop, lostLocal})
}

// names are those of the flags.
var names = []string{"remote", "remote-instance", "remote-platform", "remote-header", "remote-header-file",
	"remote-tls-ca", "remote-tls-cert", "remote-tls-key", "remote-input", "remote-env", "remote-cache", "remote-jobs",
	"remote-lost", "remote-check"}

func complete(c *cobra.Command, flag string, values []string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// variable returns the name of the environment variable that stands for a flag.
func variable(flag string) string {
	return "WHITTLE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment sets the flags that were not given by their variables. One that may be
// given several times has a line for each.
func fromEnvironment(c *cobra.Command) error {
	for _, name := range names {
		value, is := os.LookupEnv(variable(name))
		flag := c.Flags().Lookup(name)
		if !is || value == "" || flag.Changed {
			continue
		}
		values := []string{value}
		if flag.Value.Type() == "stringArray" {
			values = slices.DeleteFunc(strings.Split(value, "\n"), func(v string) bool { return strings.TrimSpace(v) == "" })
		}
		if name == "remote-header" {
			os.Unsetenv(variable(name)) // no test is to see it
		}
		for _, v := range values {
			if err := flag.Value.Set(v); err != nil {
				return fmt.Errorf("%s: %w", variable(name), err)
			}
		}
	}
	return nil
}

// options returns what the flags say; nil if there is no cluster.
func (f *remoteFlags) options(c *cobra.Command, patience run.Retry) (*run.Remote, error) {
	var file settings
	if f.headerFile != "" && f.target != none {
		var err error
		if file, err = readSettings(f.headerFile); err != nil {
			return nil, fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	if f.target == "" && c.Flags().Changed("remote") {
		return nil, errors.New("--remote is empty; give the address of a cluster, as grpcs://build.example.com, or none")
	}
	target := cmp.Or(f.target, file.executor)
	if target == none || target == "" {
		return nil, f.unused(c)
	}
	cache, known := caches[f.cache]
	switch {
	case !known:
		return nil, fmt.Errorf("--remote-cache %s: it is read-write, write or none", f.cache)
	case f.lost != lostStop && f.lost != lostLocal:
		return nil, fmt.Errorf("--remote-lost %s: it is stop or local", f.lost)
	case f.jobs < 1:
		return nil, fmt.Errorf("--remote-jobs %d: at least one test must run at once", f.jobs)
	}
	r := &run.Remote{GoesOn: f.lost == lostLocal, Options: remote.Options{
		Target: target, Instance: cmp.Or(f.instance, file.instance), Cache: cache, Jobs: f.jobs, Check: f.check,
		TLS: remote.TLS{CA: cmp.Or(f.tls.CA, file.tls.CA), Cert: cmp.Or(f.tls.Cert, file.tls.Cert),
			Key: cmp.Or(f.tls.Key, file.tls.Key)},
		Platform: map[string]string{}, Headers: f.readHeaders, Lost: patience.Patience,
	}}
	for _, p := range slices.Concat(file.platform, f.platform) {
		name, value, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--remote-platform %s: NAME=VALUE is needed, as OSFamily=linux", p)
		}
		r.Platform[name] = value
	}
	if _, err := r.Headers(); err != nil {
		return nil, err
	}
	for _, v := range f.env {
		name, _, found := strings.Cut(v, "=")
		if value, is := os.LookupEnv(name); !found && is {
			v += "=" + value
		} else if !found || name == "" {
			return nil, fmt.Errorf("--remote-env %s: there is no such variable here; give NAME=VALUE", v)
		}
		r.Env = append(r.Env, v)
	}
	for _, path := range f.inputs {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("--remote-input: %w", err)
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("--remote-input: %w", err)
		}
		r.Files = append(r.Files, absolute)
	}
	return r, nil
}

// readHeaders returns those of the flags and of the file, which may have changed. The error
// shows no value.
func (f *remoteFlags) readHeaders() ([]remote.Header, error) {
	var file settings
	if f.headerFile != "" {
		var err error
		if file, err = readSettings(f.headerFile); err != nil {
			return nil, fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	all := file.headers
	for _, text := range f.headers {
		h, err := parseHeader(text)
		if err != nil {
			return nil, fmt.Errorf("--remote-header: %w", err)
		}
		all = append(all, h)
	}
	return all, nil
}

// unused returns an error if there are flags for a cluster, and no cluster.
func (f *remoteFlags) unused(c *cobra.Command) error {
	if f.target == none {
		return nil
	}
	for _, name := range names[1:] {
		if c.Flags().Changed(name) {
			return errors.New("--" + name + " needs --remote, the address of a cluster, as grpcs://build.example.com")
		}
	}
	return nil
}
