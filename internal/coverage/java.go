package coverage

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"

	"whittle/pass"
)

// The JVM writes an exception, perhaps of several lines, its calls, and its cause in the same form.
var (
	thrown = regexp.MustCompile(`^(?:(?:Exception in thread "[^"]*"|Caused by:) ([\w.$]+)|([\w.$]*(?:Exception|Error)))` +
		`(?:: (.*))?$`)
	called   = regexp.MustCompile(`^\t(at |\.\.\. \d+ more)`)
	thrownAt = regexp.MustCompile(`^\tat (?:[^ /]*/)*([\w.$<>]+)\(([^():]+):(\d+)\)$`)
)

// A javaCall is a line of a stack trace.
type javaCall struct {
	function, file string
	line           int
}

// javaTrace returns the calls of the last exception in an output, the innermost first, and expressions of such an
// exception, without and with its cause.
func javaTrace(output string) (calls []javaCall, made []pass.Made) {
	lines := strings.Split(output, "\n")
	class, message, cause, causer := "", "", "", ""
	for i := 0; i < len(lines); i++ {
		m := thrown.FindStringSubmatch(lines[i])
		end := i + 1
		for end < len(lines) && end < i+maxMessage && !called.MatchString(lines[end]) {
			end++
		}
		if m == nil || end == len(lines) || !called.MatchString(lines[end]) {
			continue
		}
		name, text := m[1]+m[2], strings.Join(append([]string{m[3]}, lines[i+1:end]...), "\n")
		if strings.HasPrefix(lines[i], "Caused by: ") {
			cause, causer = newJava(name, text, ""), name[strings.LastIndexAny(name, ".$")+1:]
		} else {
			calls, class, message, cause = nil, name, text, ""
			for _, line := range lines[end:] {
				at := thrownAt.FindStringSubmatch(line)
				if at == nil && !strings.HasPrefix(line, "\tat ") {
					break
				}
				if at != nil {
					n, _ := strconv.Atoi(at[3])
					calls = append(calls, javaCall{at[1], at[2], n})
				}
			}
		}
		i = end
	}
	if len(calls) == 0 {
		return nil, nil
	}
	simple := class[strings.LastIndexAny(class, ".$")+1:]
	made = append(made, pass.Made{Text: newJava(class, message, ""), Class: simple, Short: "$(String m) { super(m); }"})
	if message == "" {
		made[0].Short = ""
	} else if cause != "" {
		short := "$(String m, Throwable t) { super(m, t); }"
		made = append(made, pass.Made{Text: newJava(class, message, cause), Class: simple, Short: short, Cause: causer})
	}
	return calls, made
}

// maxMessage is the most lines of an exception before its calls.
const maxMessage = 10

// escaped writes a text as a string of Java.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func newJava(class, message, cause string) string {
	arguments := ""
	if message != "" {
		arguments = `"` + escaped.Replace(message) + `"`
	}
	if cause != "" {
		arguments += ", " + cause
	}
	if simple, ok := strings.CutPrefix(class, "java.lang."); ok && !strings.Contains(simple, ".") {
		class = simple
	}
	return "new " + strings.ReplaceAll(class, "$", ".") + "(" + arguments + ")"
}

// javaTraceOf returns the last exception in an output, with its calls in files, which start at these offsets of a text.
func javaTraceOf(output string, text []byte, starts map[string]int) (trace pass.Trace) {
	calls, made := javaTrace(output)
	trace.Made = made
	for _, c := range calls {
		names := strings.Split(c.function, ".") // of packages, a class and a method
		inPackage := "/" + path.Join(path.Join(names[:max(0, len(names)-2)]...), c.file)
		call, at, found := pass.Call{Name: c.function}, 0, false
		for p, start := range starts {
			exact := strings.HasSuffix("/"+p, inPackage)
			if exact || path.Base(p) == c.file && len(starts) == 1 {
				call.Path, call.At, at, found = p, start, start, true
			}
		}
		for n := 1; found && n < c.line; n++ {
			next := bytes.IndexByte(text[at:], '\n')
			if found = next >= 0; found {
				at += next + 1
			}
		}
		if found {
			trace.Calls = append(trace.Calls, call)
			trace.Frames = append(trace.Frames, pass.Frame{At: at})
		}
	}
	return trace
}
