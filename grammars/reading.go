package grammars

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"whittle/parse"
	"whittle/parse/text"
	"whittle/rewrite"
)

// A Reading is how a file, and what becomes of it, is read: by its language, but
// as structure if the language refuses the file. If it refuses what is left of a
// file that it has read, the tree of that is one of structure, too, but as a
// candidate it counts as one with more syntax errors than any.
//
// It is a [parse.Language]. It may be used by many goroutines.
type Reading struct {
	// Late, if it is not nil, ends when nobody waits for a front end any more, which knows
	// nothing of contexts. Parse returns its error then, and Language what was asked for.
	Late context.Context

	language Language
	name     string
	file     []byte
	warn     func(string)

	mu      sync.Mutex
	begun   bool        // the file has been read
	refused bool        // by the language
	first   *parse.Tree // of the file, until Parse gives it away
}

// NewReading makes the Reading of a file by a language. The file is read when
// it, or another text, first is. If something is read as structure, warn is told
// why.
func NewReading(l Language, name string, file []byte, warn func(string)) *Reading {
	return &Reading{language: l, name: name, file: file, warn: warn}
}

// Language returns the language that the file is read by.
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

// Rewrites returns the rewriting rules for the language that the file is read by.
func (r *Reading) Rewrites() []rewrite.Family { return r.Language().Rewrites() }

// inTime returns what f returns, or late's error if late ends before; then f is left behind.
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

// begin reads the file if that has not been done, and reports whether the
// language can.
func (r *Reading) begin() bool {
	if !r.begun {
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

// Parse reads any bytes. It fails only where structure cannot read them either, and when
// it is late.
func (r *Reading) Parse(source []byte) (*parse.Tree, error) {
	return inTime(r.Late, func() (*parse.Tree, error) { return r.parse(source) })
}

func (r *Reading) parse(source []byte) (*parse.Tree, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	r.tell(fmt.Sprintf("what is left of %s cannot be read as %s: %v; for now it is read as structure",
		r.name, r.language.Name, err))
	return text.Structure.Parse(source)
}

// Errors counts the syntax errors of a text.
func (r *Reading) Errors(t []byte) int {
	r.mu.Lock()
	readable := r.begin()
	r.mu.Unlock()
	if !readable {
		return text.Structure.Errors(t)
	}
	n, err := safely(func() (int, error) { return r.language.Errors(t), nil })
	if err != nil {
		return parse.Unreadable
	}
	return n
}

// tell warns of a refusal, unless nobody waits for the file any more: then the front end was
// stopped.
func (r *Reading) tell(text string) {
	if r.Late == nil || r.Late.Err() == nil {
		r.warn(text)
	}
}

func (r *Reading) byLanguage(source []byte) (*parse.Tree, error) {
	return safely(func() (*parse.Tree, error) { return r.language.Parse(source) })
}

func refusal(err error) bool {
	var r *parse.Refusal
	return errors.As(err, &r)
}

// safely takes a panic of a front end for a refusal: it is to cost a language, not
// the run.
func safely[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &parse.Refusal{Reason: fmt.Sprintf("a mistake in whittle: %v; please tell us of this file", p)}
		}
	}()
	return f()
}
