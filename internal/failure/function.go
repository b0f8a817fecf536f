package failure

import (
	"regexp"
	"strconv"
	"strings"
)

// counted matches the numbers in generated names of functions.
var counted = regexp.MustCompile(`\$[0-9]+|\.func[0-9]+(?:\.[0-9]+)*|#[0-9]+`)

// made matches suffixes of functions that compilers derive.
var made = regexp.MustCompile(`(::h[0-9a-f]{16}|\.(part|constprop|isra|cold|lto_priv|llvm)(\.[0-9]+)*)+$`)

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

// demangle returns the start of a mangled C++ name that identifies the function, and its meaning.
func demangle(name string) (mangled, plain string, ok bool) {
	rest, ok := strings.CutPrefix(name, "_Z")
	if !ok {
		return "", "", false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "N"), "KVR")
	var parts []string
	for {
		rest = strings.TrimPrefix(rest, "L") // local to a file
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

// bare returns whether a result precedes the name, the name split at template arguments, and the
// rest.
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

// whole hides brackets that belong to a name, and apart restores them.
var (
	whole = strings.NewReplacer("(anonymous namespace)", "\x00", "operator()", "\x01")
	apart = strings.NewReplacer("\x00", "(anonymous namespace)", "\x01", "operator()")
)

func operator(name string) bool {
	return strings.HasSuffix(strings.TrimRight(name, "<>=-!+*/%&|^~[]"), "operator")
}
