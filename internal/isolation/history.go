package isolation

import (
	"context"
	"strings"
)

// A Commit is a first-parent commit. A merge is one commit with all its changes.
type Commit struct{ Name, Author, Subject string }

// Log returns the commits from old to new, oldest first; nil if old is no first-parent ancestor.
func (r *repository) Log(ctx context.Context, old, new string) ([]Commit, error) {
	out, err := r.output(ctx, nil, "rev-list", "--first-parent", "--reverse", "--no-commit-header",
		"--format=%H%x00%an%x00%s%x00%P", old+".."+new)
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		fields := strings.Split(line, "\x00")
		if len(fields) != 4 {
			return nil, nil
		}
		first, _, _ := strings.Cut(fields[3], " ")
		if len(commits) == 0 && first != old {
			return nil, nil
		}
		commits = append(commits, Commit{fields[0], fields[1], fields[2]})
	}
	return commits, nil
}

// Added returns the commit that added each line of a file at new, "" for lines of old.
func (r *repository) Added(ctx context.Context, old, new, path string) ([]string, error) {
	lines, ends, err := r.blame(ctx, "--porcelain", "--first-parent", old+".."+new, "--", path)
	for i, commit := range lines {
		if ends[commit] {
			lines[i] = ""
		}
	}
	return lines, err
}

// Removed returns the commit that removed each line of a file at old, "" for lines of new.
// commits are from Log.
func (r *repository) Removed(ctx context.Context, commits []Commit, old, new, path string) ([]string, error) {
	lines, _, err := r.blame(ctx, "--porcelain", "--first-parent", "--reverse", old+".."+new, "--", path)
	after := map[string]string{}
	for _, c := range commits {
		after[old], old = c.Name, c.Name
	}
	for i, last := range lines { // the last commit with the line
		lines[i] = after[last]
	}
	return lines, err
}

// blame returns each line's commit, and the boundary commits.
func (r *repository) blame(ctx context.Context, arguments ...string) (lines []string, ends map[string]bool, err error) {
	out, err := r.output(ctx, nil, append([]string{"blame"}, arguments...)...)
	ends = map[string]bool{}
	commit := ""
	for row := range strings.Lines(string(out)) {
		words := strings.Fields(row)
		switch {
		case row[0] == '\t':
		case len(words) > 2 && isName(words[0]): // followed by two line numbers
			commit = words[0]
			lines = append(lines, commit)
		case strings.TrimSpace(row) == "boundary":
			ends[commit] = true
		}
	}
	return lines, ends, err
}

// isName reports whether a word is a full hash.
func isName(word string) bool {
	return (len(word) == 40 || len(word) == 64) && strings.Trim(word, "0123456789abcdef") == ""
}

// Last returns the last commit that changed a path, or "".
func (r *repository) Last(ctx context.Context, old, new, path string) (string, error) {
	return r.text(ctx, "rev-list", "--first-parent", "-1", old+".."+new, "--", path)
}
