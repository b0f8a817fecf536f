package remoteflags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/remote"
	"whittle/internal/run"
)

// Flags has the values of the flags. Target, Instance, Check, TLS and Jobs need no parsing.
type Flags struct {
	remote.Options
	Properties, Texts, Variables []string // NAME=VALUE: of workers, of headers, for the test
	HeaderFile                   string
	Uploads                      []string
	CacheUse, Loss               string // of Caches and Losses
}

// none overrides the environment variable.
const none = "none"

// Values of --remote-lost.
const (
	lostStop  = "stop"
	lostLocal = "local"
)

var caches = map[string]remote.Cache{
	"read-write": remote.CacheShared, "write": remote.CacheRefresh, "none": remote.CacheOff,
}

// Caches and Losses return the valid values of --remote-cache and --remote-lost, the default first.
func Caches() []string { return []string{"read-write", "write", "none"} }
func Losses() []string { return []string{lostStop, lostLocal} }

// Config returns the configuration of the cluster, or nil without one. given lists the flags on the
// command line, without dashes.
func (f *Flags) Config(given []string) (*run.Remote, error) {
	var file settings
	var err error
	if f.Target != none {
		if file, err = f.readFile(); err != nil {
			return nil, err
		}
	}
	if f.Target == "" && slices.Contains(given, "remote") {
		return nil, errors.New("--remote is empty; give the address of a cluster, as grpcs://build.example.com, or none")
	}
	r := &run.Remote{Options: f.Options, GoesOn: f.Loss == lostLocal}
	r.Target = cmp.Or(f.Target, file.executor)
	if r.Target == none || r.Target == "" {
		return nil, f.unused(given)
	}
	r.Instance, r.Cache, r.Headers = cmp.Or(f.Instance, file.instance), caches[f.CacheUse], f.readHeaders
	r.TLS = remote.TLS{CA: cmp.Or(f.TLS.CA, file.tls.CA), Cert: cmp.Or(f.TLS.Cert, file.tls.Cert),
		Key: cmp.Or(f.TLS.Key, file.tls.Key)}
	r.Platform = map[string]string{}
	for _, p := range slices.Concat(file.platform, f.Properties) {
		name, value, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--remote-platform %s: NAME=VALUE is needed, as OSFamily=linux", p)
		}
		r.Platform[name] = value
	}
	if _, err := r.Headers(); err != nil {
		return nil, err
	}
	for _, v := range f.Variables {
		name, _, found := strings.Cut(v, "=")
		if value, is := os.LookupEnv(name); !found && is {
			v += "=" + value
		} else if !found || name == "" {
			return nil, fmt.Errorf("--remote-env %s: there is no such variable here; give NAME=VALUE", v)
		}
		r.Env = append(r.Env, v)
	}
	for _, path := range f.Uploads {
		absolute, err := filepath.Abs(path)
		if _, missing := os.Stat(path); cmp.Or(missing, err) != nil {
			return nil, fmt.Errorf("--remote-input: %w", cmp.Or(missing, err))
		}
		r.Files = append(r.Files, absolute)
	}
	return r, nil
}

// readFile returns the settings of the file with the headers. The error hides values.
func (f *Flags) readFile() (file settings, err error) {
	if f.HeaderFile != "" {
		if file, err = readSettings(f.HeaderFile); err != nil {
			err = fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	return file, err
}

// readHeaders reads the headers again, as the file may have changed. The error hides values.
func (f *Flags) readHeaders() ([]remote.Header, error) {
	file, err := f.readFile()
	for _, text := range f.Texts {
		h, wrong := parseHeader(text)
		if wrong != nil {
			err = cmp.Or(err, fmt.Errorf("--remote-header: %w", wrong))
		}
		file.headers = append(file.headers, h)
	}
	return file.headers, err
}

// unused returns an error for flags of a cluster without one.
func (f *Flags) unused(given []string) error {
	i := slices.IndexFunc(given, func(name string) bool { return strings.HasPrefix(name, "remote-") })
	if f.Target == none || i < 0 {
		return nil
	}
	return errors.New("--" + given[i] + " needs --remote, the address of a cluster, as grpcs://build.example.com")
}

// WithoutSecrets removes the values of headers from a command line.
func WithoutSecrets(args []string) []string {
	const flag, hidden = "--remote-header", "HIDDEN"
	shown := slices.Clone(args)
	for i, arg := range args {
		value, joined := strings.CutPrefix(arg, flag+"=")
		if !joined && (i == 0 || args[i-1] != flag) {
			continue
		}
		shown[i] = value[:max(0, strings.IndexAny(value, "=:"))] + "=" + hidden
		if joined {
			shown[i] = flag + "=" + shown[i]
		}
	}
	return shown
}
