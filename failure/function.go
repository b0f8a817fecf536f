package failure

import (
	"regexp"
	"strconv"
	"strings"
)

// counted are the numbers in the names of functions that compilers made up.
var counted = regexp.MustCompile(`\$[0-9]+|\.func[0-9]+(?:\.[0-9]+)*|#[0-9]+`)

// made is what compilers put behind the name of a function that they made of another.
var made = regexp.MustCompile(`(::h[0-9a-f]{16}|\.(part|constprop|isra|cold|lto_priv|llvm)(\.[0-9]+)*)+$`)

// maskFunction keeps the name of a function without its arguments, template arguments,
// result and offset.
func maskFunction(matched string) (pattern, shown string) {
	name := made.ReplaceAllString(matched, "")
	if mangled, plain, ok := demangle(name); ok {
		return "(.*[^A-Za-z0-9_])?" + quote(mangled) + ".*", plain
	}
	var source, title strings.Builder
	for i, part := range bare(name) {
		if i > 0 {
			source.WriteString("<.*>")
			title.WriteString("<…>")
		}
		end := 0
		for _, at := range counted.FindAllStringIndex(part, -1) {
			fixed := part[end:at[0]] + strings.TrimRight(part[at[0]:at[1]], "0123456789.")
			source.WriteString(quote(fixed) + "[0-9.]+")
			title.WriteString(fixed + "N")
			end = at[1]
		}
		source.WriteString(quote(part[end:]))
		title.WriteString(part[end:])
	}
	return "(.*[^A-Za-z0-9_])?" + source.String() + "([^A-Za-z0-9_].*)?", title.String()
}

// demangle returns the part of a mangled name of C++ that says which function it is, and
// what that is in C++; ok is false where it is not a plain qualified name.
func demangle(name string) (mangled, plain string, ok bool) {
	rest, ok := strings.CutPrefix(name, "_Z")
	if !ok {
		return "", "", false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "N"), "KVR")
	var parts []string
	for {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || digits+n > len(rest) {
			break
		}
		part := rest[digits : digits+n]
		if strings.HasPrefix(part, "_GLOBAL__N_") {
			part = "(anonymous namespace)"
		}
		parts = append(parts, part)
		rest = rest[digits+n:]
	}
	if len(parts) == 0 {
		return "", "", false
	}
	return name[:len(name)-len(rest)], strings.Join(parts, "::"), true
}

// bare returns the name in a signature of C++, or of a language with simpler ones: what
// stands before the arguments and behind the result, cut where template arguments stood.
func bare(signature string) []string {
	name := strings.ReplaceAll(signature, "(anonymous namespace)", "\x00")
	name = strings.ReplaceAll(name, "operator()", "\x01")
	parts := []string{""}
	depth := 0
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '<' && !operator(name[:i]) && strings.IndexByte(name[i:], '>') > 0:
			depth++
		case c == '>' && depth > 0 && name[i-1] != '-':
			if depth--; depth == 0 {
				parts = append(parts, "")
			}
		case depth > 0:
		case c == '(' && i > 0:
			i = len(name) // the arguments
		case c == ' ' && !operator(name[:i]):
			parts = []string{""} // what stood before is the result
		default:
			parts[len(parts)-1] += string(c)
		}
	}
	if last := len(parts) - 1; last > 0 && parts[last] == "" {
		parts = parts[:last]
	}
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(parts[i], "\x00", "(anonymous namespace)"), "\x01", "operator()")
	}
	return parts
}

// operator reports whether the operator of a function that is one follows.
func operator(name string) bool {
	return strings.HasSuffix(strings.TrimRight(name, "<>=-!+*/%&|^~[]"), "operator")
}
