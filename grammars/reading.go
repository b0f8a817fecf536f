package grammars

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"sync"

	"whittle/parse"
	"whittle/parse/text"
	"whittle/rewrite"
)

// A Reading is a [parse.Language] for a file and the candidates of its reduction. If the language
// refuses the file, everything is parsed as structure. If it only refuses a later text, Parse returns
// a structure tree, but Errors returns more errors than any candidate may have.
type Reading struct {
	// Late, if not nil, ends the wait for a front end. Then Parse returns its error, and Language the
	// requested language.
	Late context.Context
	// Coarse: texts of more than 16 MiB are parsed as [text.Coarse] and have no syntax errors. Else they would take a
	// hundred times their size in memory.
	Coarse bool

	language Language
	name     string
	file     []byte
	warn     func(string)

	mu      sync.Mutex
	begun   bool        // the file was parsed
	refused bool        // by the language
	first   *parse.Tree // of the file, for its first Parse
}

// NewReading returns the Reading of a file by a language. It reports each fallback to structure to warn.
func NewReading(l Language, name string, file []byte, warn func(string)) *Reading {
	return &Reading{language: l, name: name, file: file, warn: warn}
}

// Language returns the language of the file, which may be structure.
func (r *Reading) Language() Language {
	refused, _ := inTime(r.Late, func() (bool, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return !r.begin(), nil
	})
	if !refused {
		return r.language
	}
	structure, _ := Find("structure")
	return structure
}

// Spellings returns the spellings of files for [Reading.Language].
func (r *Reading) Spellings() []parse.Spelling { return factsOf(r.Language().Name).Spellings }

// Stub returns a body for emptied functions of [Reading.Language], see [pass.Facts].
func (r *Reading) Stub() string { return factsOf(r.Language().Name).Stub }

// Probe returns the probe of [Reading.Language].
func (r *Reading) Probe() parse.Probe { return factsOf(r.Language().Name).Probe }

// IsData reports whether [Reading.Language] is data, see [Language.IsData]. The trees of structure tell themselves.
func (r *Reading) IsData() bool { return r.Language().IsData() && r.Language().Name != "structure" }

// PackageName implements [archive.Speller].
func (r *Reading) PackageName(file string, content []byte) string {
	for _, p := range factsOf(r.Language().Name).Packages {
		if p[0] == path.Base(file) {
			return wordAfter(p[1], string(content))
		}
	}
	return ""
}

// Rewrites returns the rewriting rules for [Reading.Language].
func (r *Reading) Rewrites() []rewrite.Family { return r.Language().Rewrites() }

// inTime returns the result of f, or late's error if late ends first; then f goes on.
func inTime[T any](late context.Context, f func() (T, error)) (value T, err error) {
	if late == nil {
		return f()
	}
	if err := late.Err(); err != nil {
		return value, err
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-late.Done():
		return value, late.Err()
	}
}

// large is the size of the largest text that is not read coarsely.
const large = 16 << 20

func (r *Reading) coarse(text []byte) bool {
	return r.Coarse && len(text) > large && r.language.FrontEnd != "text"
}

func (r *Reading) begin() bool {
	if !r.begun && !r.coarse(r.file) {
		r.begun = true
		tree, err := r.byLanguage(r.file)
		if refusal(err) {
			r.refused = true
			r.tell(fmt.Sprintf("%s cannot be read as %s: %v; it is read as structure", r.name, r.language.Name, err))
		}
		r.first = tree
	}
	return !r.refused
}

// Parse fails if structure cannot parse the source either, or after Late.
func (r *Reading) Parse(source []byte) (*parse.Tree, error) {
	return inTime(r.Late, func() (*parse.Tree, error) { return r.parse(source) })
}

func (r *Reading) parse(source []byte) (*parse.Tree, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.coarse(source) {
		tree, err := text.Coarse.Parse(source)
		if err == nil {
			tree.NoSyntax, tree.Errors = true, 0
		}
		return tree, err
	}
	if !r.begun && r.coarse(r.file) {
		r.file = source // the first that the language reads
	}
	if !r.begin() {
		return text.Structure.Parse(source)
	}
	if tree := r.first; tree != nil && bytes.Equal(tree.Source, source) {
		r.first = nil
		return tree, nil
	}
	tree, err := r.byLanguage(source)
	if !refusal(err) {
		return tree, err
	}
	r.tell(fmt.Sprintf("the reduced %s cannot be read as %s: %v; for now it is read as structure",
		r.name, r.language.Name, err))
	return text.Structure.Parse(source)
}

// Errors returns the number of syntax errors of a text.
func (r *Reading) Errors(t []byte) int {
	r.mu.Lock()
	readable := r.begin()
	r.mu.Unlock()
	if r.coarse(t) {
		return 0
	}
	if !readable {
		return text.Structure.Errors(t)
	}
	n, err := safely(func() (int, error) { return r.language.Errors(t), nil })
	if err != nil {
		return parse.Unreadable
	}
	return n
}

// tell warns of a refusal. After Late, refusals come from stopped front ends and do not count.
func (r *Reading) tell(text string) {
	if r.Late == nil || r.Late.Err() == nil {
		r.warn(text)
	}
}

func (r *Reading) byLanguage(source []byte) (*parse.Tree, error) {
	return safely(func() (*parse.Tree, error) { return r.language.Parse(source) })
}

func refusal(err error) bool {
	return errors.As(err, new(*parse.Refusal))
}

// safely converts a panic of a front end to a refusal.
func safely[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &parse.Refusal{Reason: fmt.Sprintf("internal error: %v; please report this file", p)}
		}
	}()
	return f()
}
