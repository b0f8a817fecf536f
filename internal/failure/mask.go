package failure

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

const longest = 300

const dates = `[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}`

var date = regexp.MustCompile("^" + dates + "$")

// varies matches what differs between runs.
var varies = regexp.MustCompile(dates + `|(?:~|\.\.?)?/[^ '"‘’“”` + "`" + `():,;<>]+|` + // a path
	`0x[0-9a-fA-F]+|` + // an address
	`\.L[A-Z]*[0-9_]+|` + // a label in assembly
	`%[a-z-]+\.[-A-Za-z0-9_.$]+|` + // a value or block of LLVM's machine code; names depend on the tool
	`[0-9a-f]{8,}|[0-9A-F]{8,}|` + // a hash, or an address of Lisp
	`-?[0-9]+(?:\.[0-9]+)*`) // a number

var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"|‘[^’]*’|“[^”]*”|` + "`[^`']*[`']")

func exactly(matched string) (pattern, shown string) { return quote(matched), matched }

// maskIn allows any blocks of a function around the code that failed.
func maskIn(string) (pattern, shown string) { return "([^']* in )?", "" }

func maskAny(string) (pattern, shown string) { return ".+", "…" }

var common = regexp.MustCompile(`^(?:mod\.rs|lib\.rs|main\.rs|__init__\.py|index\.[jt]s)$`)

// maskFile keeps the base name, and the directory of common names.
func maskFile(matched string) (pattern, shown string) {
	dir, name := path.Split(matched)
	if dir == "" {
		return quote(name), name
	}
	if parent := path.Base(dir); common.MatchString(name) && parent != "/" {
		name = parent + "/" + name
		if !strings.Contains(strings.TrimSuffix(dir, "/"), "/") {
			return quote(name), name
		}
	}
	return ".*/" + quote(name), name
}

func maskText(matched string) (pattern, shown string) {
	return maskBut(matched, func(string) bool { return false })
}

// maskValue is maskText, but keeps numbers and hashes.
func maskValue(matched string) (pattern, shown string) { return maskBut(matched, isNumber) }

func isNumber(part string) bool { return strings.Trim(part, "-.0123456789abcdef") == "" }

func maskBut(matched string, keep func(part string) bool) (pattern, shown string) {
	ended := ""
	if len(matched) > longest {
		cut := longest
		for !utf8.RuneStart(matched[cut]) {
			cut--
		}
		matched, ended = matched[:cut], "…"
	}
	pattern, shown = masked(matched, varies, exactly, func(part string) (string, string) {
		switch {
		case keep(part):
			return exactly(part)
		case date.MatchString(part):
			return "[0-9/-]+", "N"
		case strings.Contains(part, "/"):
			return maskPath(part)
		case strings.HasPrefix(part, "0x"):
			return "0x[0-9a-fA-F]+", "N"
		case part[0] == '%':
			kind, _, _ := strings.Cut(part, ".")
			return quote(kind) + `\.[-A-Za-z0-9_.$]+`, kind + ".…"
		case strings.HasPrefix(part, ".L"):
			return `\.L[A-Z]*[0-9_]+`, ".L…"
		case strings.Trim(part, "-0123456789.") == "":
			return "-?[0-9.]+", "N"
		case strings.Trim(part, "0123456789ABCDEF") == "":
			return "[0-9A-F]+", "N"
		}
		return "[0-9a-f]+", "N"
	})
	if ended != "" {
		pattern += ".*"
	}
	return pattern, shown + ended
}

// maskPath keeps the base name, except directly in a temporary directory, such as .tmp of a test.
func maskPath(name string) (pattern, shown string) {
	if dir := path.Dir(name); dir == "/tmp" || dir == "/var/tmp" || path.Base(dir) == ".tmp" {
		return "[^ ]*", "…"
	}
	base := path.Base(name)
	return "[^ ]*" + quote(base), base
}

// maskSaid masks quoted names, too, if enough words remain outside of quotes.
func maskSaid(matched string) (pattern, shown string) {
	if len(words(quoted.ReplaceAllString(matched, ""))) < 2 {
		return maskText(matched)
	}
	return masked(matched, quoted, maskText, maskQuoted)
}

//go:embed tokens.txt
var tokensText string

// tokens are keywords and types of languages. A quoted one identifies the message.
var tokens = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, token := range strings.Fields(tokensText) {
		all[token] = true
	}
	return all
})

// builtIn reports whether a text has only tokens and numbers, such as list[str] or int [3].
func builtIn(text string) bool {
	found := word.FindAllString(text, -1)
	isToken := func(w string) bool { return tokens()[w] }
	return slices.ContainsFunc(found, isToken) &&
		!slices.ContainsFunc(found, func(w string) bool { return !isToken(w) && !isNumber(w) })
}

var (
	word = regexp.MustCompile(`[\pL_0-9]+`)
	// overloaded matches an operator of C++.
	overloaded = regexp.MustCompile(`\boperator ?(?:[-+*/%^&|~!=<>,]+|\(\)|\[])`)
)

var named = regexp.MustCompile(`[A-Za-z0-9_]`)

// maskQuoted masks a quoted name, type or number, but not tokens such as ‘;’ or ‘else’, types such as ‘int’, and
// operators.
func maskQuoted(text string) (pattern, shown string) {
	_, size := utf8.DecodeRuneInString(text)
	_, last := utf8.DecodeLastRuneInString(text)
	open, inner, end := text[:size], text[size:len(text)-last], text[len(text)-last:]
	if builtIn(inner) {
		return maskText(text)
	}
	other := ".*"
	switch {
	case open == "`":
		other = "[^`']*"
	case size == 1:
		other = "[^" + open + "]*"
	case ascii(inner): // a set cannot have multi-byte characters
		other = "[ -~]*"
	}
	if op := overloaded.FindString(inner); op != "" {
		if op == inner {
			return exactly(text)
		}
		return open + other + quote(op) + "([^-+*/%^&|~!=<>]" + other + ")?" + end, open + "…" + op + "…" + end
	}
	switch {
	case named.MatchString(inner):
		return open + other + named.String() + other + end, open + "…" + end
	case ascii(inner):
		return exactly(text)
	}
	return open + other + end, open + "…" + end // a name in another alphabet
}

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func masked(text string, parts *regexp.Regexp, between, part mask) (pattern, shown string) {
	var b, title strings.Builder
	add := func(with mask, text string) {
		p, s := with(text)
		b.WriteString(p)
		title.WriteString(s)
	}
	end := 0
	for _, at := range parts.FindAllStringIndex(text, -1) {
		if text[at[0]] == '-' && !startsWord(text, at[0]) {
			at[0]++ // a hyphen
		}
		if startsWord(text, at[0]) { // otherwise it may be the apostrophe of a word
			add(between, text[end:at[0]])
			add(part, text[at[0]:at[1]])
			end = at[1]
		}
	}
	add(between, text[end:])
	return b.String(), title.String()
}

func startsWord(text string, i int) bool {
	if i == 0 {
		return true
	}
	c := text[i-1]
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')
}

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
