package remote

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/protobuf/types/known/durationpb"

	"whittle/internal/process"
	"whittle/oracle"
)

const outputName = "whittle.output"

const blockSize = 512 // of ulimit -f

// roundUp returns the next of 1, 2, 5, 10, 20, … seconds, so that adaptive limits do not make actions differ between
// users.
func roundUp(limit time.Duration) time.Duration {
	for unit := time.Second; ; unit *= 10 {
		for _, s := range []time.Duration{1, 2, 5} {
			if limit <= s*unit {
				return s * unit
			}
		}
	}
}

// A question is an unsalted test of a candidate.
type question struct {
	spec    *oracle.Spec
	limit   time.Duration // 0 means no limit
	output  bool
	command blob
	root    digest
	blobs   []blob // without the blobs of the base and the action
}

func (c *Cluster) ask(spec *oracle.Spec, candidate []byte) (*question, error) {
	q := &question{spec: spec, output: process.Recorded(spec)}
	if spec.Timeout > 0 {
		q.limit = roundUp(spec.Timeout)
	}
	var err error
	if q.root, q.blobs, err = c.base.root(&c.hash, &spec.Layout, candidate); err != nil {
		return nil, err
	}
	q.command = c.hash.message(c.commandOf(q))
	q.blobs = append(q.blobs, q.command)
	return q, nil
}

func (c *Cluster) commandOf(q *question) *repb.Command {
	input, output, temporary := os.DevNull, os.DevNull, path.Join("test", q.temporary())
	if q.spec.Stdin {
		input = q.spec.Name
	}
	if q.output {
		output = outputName
	}
	if q.spec.Several() {
		temporary = ".tmp" // in the directory of the candidate
	}
	seconds := strconv.Itoa(int(q.limit / time.Second))
	blocks := strconv.FormatUint(q.spec.Disk/blockSize, 10)
	words := []string{"/bin/sh", scriptName, seconds, blocks, input, temporary, output, c.options.Check}
	for _, word := range q.spec.Arguments() {
		words = append(words, c.base.remotePath(word))
	}
	command := &repb.Command{Arguments: words, EnvironmentVariables: c.environment(q.spec.Env)}
	command.Platform = c.platform //lint:ignore SA1019 Older servers look for it here, not in the action.
	if q.output {
		if c.oldOutputs {
			command.OutputFiles = []string{outputName} //lint:ignore SA1019 Older servers know no other.
		} else {
			command.OutputPaths = []string{outputName}
		}
	}
	return command
}

func (q *question) temporary() string {
	name := ".tmp"
	for name == q.spec.Name {
		name += "_"
	}
	return name
}

func (c *Cluster) environment(env []string) []*repb.Command_EnvironmentVariable {
	ours := os.Environ()
	added := slices.DeleteFunc(slices.Clone(env), func(v string) bool { return slices.Contains(ours, v) })
	values := map[string]string{}
	for _, v := range slices.Concat(c.options.Env, added) {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	var all []*repb.Command_EnvironmentVariable
	for _, name := range sortedKeys(values) {
		all = append(all, &repb.Command_EnvironmentVariable{Name: name, Value: values[name]})
	}
	return all
}

func (c *Cluster) action(q *question, salt string, keep bool) blob {
	a := &repb.Action{
		CommandDigest: q.command.Proto(), InputRootDigest: q.root.Proto(),
		DoNotCache: !keep, Salt: []byte(salt), Platform: c.platform,
	}
	if q.limit > 0 {
		// The server's measurement starts before the script's.
		a.Timeout = durationpb.New(roundUp(q.limit + time.Second))
	}
	return c.hash.message(a)
}

// remotePath replaces local paths in a word, as in -I/src/include.
func (b *base) remotePath(word string) string {
	inputs := slices.Clone(b.inputs)
	slices.SortFunc(inputs, func(x, y Input) int { return cmp.Compare(len(y.Local), len(x.Local)) })
	for _, in := range inputs {
		var done strings.Builder
		for rest := word; ; {
			i := strings.Index(rest, in.Local)
			if i < 0 {
				word = done.String() + rest
				break
			}
			before, after := rest[:i], rest[i+len(in.Local):]
			done.WriteString(before)
			if inPath(before) || strings.HasSuffix(before, testMark) || isNamed(after) {
				done.WriteString(in.Local)
			} else {
				done.WriteString(testMark + in.Path)
			}
			rest = after
		}
	}
	return word
}

func inPath(text string) bool {
	return strings.Contains(text[strings.LastIndexAny(text, " \t\n=:;,|&<>()'\"")+1:], "/")
}

// isNamed reports whether a text begins in the middle of a file name.
func isNamed(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-+@%~", r))
}
