package reduction

import "fmt"

// Text returns a candidate as people see it: the command, where its arguments shrink, too,
// and the file, or each of several below its name.
func (r *Run) Text(candidate []byte) []byte {
	file, called, ok := r.open(candidate)
	if !ok {
		return candidate
	}
	var text []byte
	if r.list != nil {
		text = fmt.Appendf(text, "$ %s\n", called.Shell(r.Spec.Name))
	}
	if r.Input.Set == nil {
		if text == nil {
			return file
		}
		return append(text, file...)
	}
	entries, err := r.Input.Set.Entries(file)
	if err != nil {
		return candidate
	}
	for _, e := range entries {
		text = fmt.Appendf(text, "==> %s <==\n%s", e.Path, e.Content)
		if n := len(e.Content); n > 0 && e.Content[n-1] != '\n' {
			text = append(text, '\n')
		}
	}
	return text
}
