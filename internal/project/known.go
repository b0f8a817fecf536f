package project

import (
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/disk"
)

// VersionControl lists large directories that tests do not need.
var VersionControl = []string{".git", ".hg", ".svn", ".bzr", ".jj", "CVS"}

// dependencies are names of directories with code of others.
var dependencies = strings.Fields(`node_modules bower_components vendor .yarn .bundle Pods _opam .venv .pub-cache
	elm-stuff`)

// products are names of directories that tools make.
var products = strings.Fields(`__pycache__ .tox .nox .eggs .gradle .mypy_cache .pytest_cache .ruff_cache .hypothesis
	.cache .next .nuxt .turbo .parcel-cache .nyc_output .stack-work dist-newstyle .dart_tool .zig-cache zig-cache
	zig-out CMakeFiles _build .terraform`)

// signs are files in or next to a directory that show that a tool made it; * is any name.
var signs = []struct{ name, sign string }{
	{"*", "CACHEDIR.TAG"}, {"*", "CMakeCache.txt"}, {"*", "build.ninja"}, {"*", "meson-info"},
	{"target", "../Cargo.toml"}, {"target", "../pom.xml"}, {"target", "../build.sbt"}, {"target", "../project.clj"},
	{"build", "../build.gradle"}, {"build", "../build.gradle.kts"}, {"build", "../setup.py"},
	{"build", "../pyproject.toml"}, {"dist", "../setup.py"}, {"dist", "../pyproject.toml"}, {"dist", "../package.json"},
	{".build", "../Package.swift"}, {"bin", "../*.csproj"}, {"obj", "../*.csproj"},
}

func isDependency(dir string) bool {
	return slices.Contains(dependencies, filepath.Base(dir)) || disk.Exists(filepath.Join(dir, "pyvenv.cfg"))
}

func isProduct(dir string) bool {
	base := filepath.Base(dir)
	if slices.Contains(products, base) || strings.HasSuffix(base, ".egg-info") {
		return true
	}
	for _, s := range signs {
		if s.name != "*" && s.name != base {
			continue
		}
		if found, _ := filepath.Glob(escaped(dir) + "/" + s.sign); len(found) > 0 {
			return true
		}
	}
	return false
}

func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
