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

// maskSymbol keeps a name but for the numbers that compilers put in.
func maskSymbol(matched string) (pattern, shown string) {
	var source, title strings.Builder
	end := 0
	for _, at := range counted.FindAllStringIndex(matched, -1) {
		fixed := matched[end:at[0]] + strings.TrimRight(matched[at[0]:at[1]], "0123456789.")
		source.WriteString(quote(fixed) + "[0-9.]+")
		title.WriteString(fixed + "N")
		end = at[1]
	}
	return source.String() + quote(matched[end:]), title.String() + matched[end:]
}

// maskFunction keeps the name of a function without its arguments, template arguments,
// result and offset.
func maskFunction(matched string) (pattern, shown string) {
	name := made.ReplaceAllString(matched, "")
	behind := "" // what may follow the name
	if name != matched {
		behind = "([^A-Za-z0-9_].*)?"
	}
	if mangled, plain, ok := demangle(name); ok {
		return quote(mangled) + ".*", plain
	}
	result, parts, rest := bare(name)
	var source, title strings.Builder
	if result {
		source.WriteString("(.* )?")
	}
	for i, part := range parts {
		if i > 0 {
			source.WriteString("<.*>")
			title.WriteString("<…>")
		}
		p, s := maskSymbol(part)
		source.WriteString(p)
		title.WriteString(s)
	}
	if rest != "" {
		behind = quote(rest[:1]) + ".*"
	}
	return source.String() + behind, title.String()
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
		rest = strings.TrimPrefix(rest, "L") // of this file alone
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

// bare takes the signature of a function of C++, or of a language with simpler ones, apart:
// whether there is a result in front of the name, the name, cut where template arguments
// stand, and what follows it.
func bare(signature string) (result bool, name []string, rest string) {
	text := whole.Replace(signature)
	parts := []string{""}
	depth := 0
scan:
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '<' && i > 0 && !operator(text[:i]) && strings.IndexByte(text[i:], '>') > 0:
			depth++
		case c == '>' && depth > 0 && text[i-1] != '-':
			if depth--; depth == 0 {
				parts = append(parts, "")
			}
		case depth > 0:
		case c == '(' && i > 0:
			rest = text[i:]
			break scan
		case c == ' ' && !operator(text[:i]):
			result, parts = true, []string{""}
		default:
			parts[len(parts)-1] += string(rune(c))
		}
	}
	if last := len(parts) - 1; last > 0 && parts[last] == "" {
		parts, rest = parts[:last], "<"
	}
	for i := range parts {
		parts[i] = apart.Replace(parts[i])
	}
	return result, parts, rest
}

// whole hides brackets that belong to a name, apart shows them again.
var (
	whole = strings.NewReplacer("(anonymous namespace)", "\x00", "operator()", "\x01")
	apart = strings.NewReplacer("\x00", "(anonymous namespace)", "\x01", "operator()")
)

// operator reports whether the operator of a function that is one follows.
func operator(name string) bool {
	return strings.HasSuffix(strings.TrimRight(name, "<>=-!+*/%&|^~[]"), "operator")
}
