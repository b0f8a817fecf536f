package usage

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Version returns the version in one line: the release or, if it is "", the version of the module,
// with the revision and its date.
func Version(release string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return version(release, info)
}

// Platform returns the Go version, operating system and architecture.
func Platform() string { return runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH }

func version(release string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := release
	if text == "" {
		text = info.Main.Version
	}
	if text == "" {
		text = "(unknown)"
	}
	revision := settings["vcs.revision"]
	revision = revision[:min(len(revision), 12)]
	if revision == "" || strings.Contains(text, revision) { // as in v0.0.0-20261123051952-1bff4cf00000
		return text
	}
	text += ", revision " + revision
	if date, _, found := strings.Cut(settings["vcs.time"], "T"); found {
		text += " of " + date
	}
	if settings["vcs.modified"] == "true" {
		text += " with changes"
	}
	return text
}
