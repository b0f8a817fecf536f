// Package grammars is the table of languages, with their rewriting rules. [Default] parses files like
// the whittle command.
package grammars

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"

	"whittle/parse"
	"whittle/parse/text"
	"whittle/parse/treesitter"
)

// A Language is an entry of the table.
type Language struct {
	Name     string
	FrontEnd string   // "tree-sitter", "antlr" or "text"
	Names    []string // extensions with their dot, and file names
	parse.Language
}

var data = strings.Fields("csv dockerfile ini json lock markdown structure toml xml yaml")

// IsData reports whether files of the language, such as manifests, define no code.
func (l Language) IsData() bool { return slices.Contains(data, l.Name) }

// All returns the languages, first those with a grammar, by name.
func All() []Language { return slices.Clone(table) }

//go:embed aliases.txt
var aliases string

// Find returns a language by its name, an alias or a file extension.
func Find(name string) (Language, bool) {
	name = strings.ToLower(name)
	for line := range strings.Lines(aliases) {
		if words := strings.Fields(line); words[0] != "#" && slices.Contains(words[1:], name) {
			name = words[0]
		}
	}
	i := slices.IndexFunc(table, func(l Language) bool { return l.Name == name })
	if i < 0 && name != "" {
		extension := "." + strings.TrimPrefix(name, ".")
		i = slices.IndexFunc(table, func(l Language) bool { return slices.Contains(l.Names, extension) })
	}
	if i < 0 {
		return Language{}, false
	}
	return table[i], true
}

// ForFile returns the language of a file by its name, or structure.
func ForFile(path string) Language {
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	for _, name := range []string{base, ext, strings.ToLower(ext)} { // compilers read .C as C++
		for _, l := range table {
			if name != "" && slices.Contains(l.Names, name) {
				return l
			}
		}
	}
	structure, _ := Find("structure")
	return structure
}

// binaryHead is how many bytes ForContent searches for a zero byte.
const binaryHead = 8000

// locks are files that tools write to pin dependencies.
var locks = strings.Fields(`Cargo.lock Gemfile.lock Pipfile.lock composer.lock flake.lock go.sum gradle.lockfile
	npm-shrinkwrap.json package-lock.json packages.lock.json pdm.lock pnpm-lock.yaml poetry.lock pubspec.lock uv.lock
	yarn.lock`)

// checksums match the list of checksums in a file about its directory, such as a vendored dependency. Without it, the
// files may change.
var checksums = map[string]*regexp.Regexp{".cargo-checksum.json": regexp.MustCompile(`"files"\s*:\s*\{[^{}]+\}`)}

// Sealed returns the language of files in a directory with a file of this name, if tools check that they are
// unchanged; otherwise nil.
func Sealed(name string, content []byte) parse.Language {
	if list := checksums[name]; list != nil && list.Match(content) {
		return text.Whole
	}
	return nil
}

// Unsealed returns the content of a file without checksums of others.
func Unsealed(name string, content []byte) []byte {
	if list := checksums[name]; list != nil {
		return list.ReplaceAll(content, []byte(`"files":{}`))
	}
	return content
}

// ForContent returns the language of one of several files. A lock file, or a file with a zero byte near its start, is
// a single token: usually only its presence matters.
func ForContent(path string, content []byte) Language {
	if slices.Contains(locks, filepath.Base(path)) {
		return Language{Name: "lock", FrontEnd: "text", Language: text.Whole}
	}
	if bytes.IndexByte(content[:min(len(content), binaryHead)], 0) >= 0 {
		return Language{Name: "binary", FrontEnd: "text", Language: text.Whole}
	}
	return ForFile(path)
}

func grammar(name string, get func() *sitter.Language, names string) Language {
	return Language{name, "tree-sitter", strings.Fields(names), treesitter.New(get)}
}

func (l Language) laidOut() Language {
	l.Language = l.Language.(*treesitter.Language).LaidOut()
	return l
}

func (l Language) deriving(of func(t *parse.Tree) parse.Derivation) Language {
	l.Language = l.Language.(*treesitter.Language).Deriving(of)
	return l
}

// gnu is GNU C syntax that the grammars of C and C++ do not expect.
var gnu = []treesitter.Mask{
	{Word: "__attribute__", Called: true}, {Word: "__attribute", Called: true},
	{Word: "__asm", Prev: ')', Called: true},
	{Word: treesitter.Macros},
}

// The grammar of C++ does not expect the rest of gnuCPP.
var gnuCPP = append(slices.Clone(gnu),
	treesitter.Mask{Word: "__asm__", Prev: ')', Called: true},
	treesitter.Mask{Word: "__extension__", Read: treesitter.AsPart},
	treesitter.Mask{Word: "extern", Next: "template", Read: treesitter.AsPart},
	treesitter.Mask{Word: "friend", Prev: ']', Read: treesitter.AsPart}, // after an attribute
	treesitter.Mask{Word: "__decltype", Called: true, Read: treesitter.AsName},
	treesitter.Mask{Word: "decltype", Called: true, Listed: true, Read: treesitter.AsName},
	treesitter.Mask{Word: "__typeof__", Called: true, Read: treesitter.AsName},
	treesitter.Mask{Word: "__typeof", Called: true, Read: treesitter.AsName},
	treesitter.Mask{Word: "(", Read: treesitter.AsName},
	treesitter.Mask{Word: "::*", Read: treesitter.AsPart},
	treesitter.Mask{Word: ">=", Read: treesitter.AsEqual},
)

// lines may end a member of a type in TypeScript.
var lines = []treesitter.Mask{{Word: "\n", Read: treesitter.AsSemicolon}}

func (l Language) with(masks []treesitter.Mask) Language {
	l.Language = l.Language.(*treesitter.Language).With(masks...)
	return l
}

var table = []Language{
	grammar("bash", bash.GetLanguage, ".sh .bash .ksh .ebuild .eclass PKGBUILD"),
	grammar("c", c.GetLanguage, ".c .h .i .cl .glsl .frag .vert .comp .geom .tesc .tese").with(gnu),
	grammar("cpp", cpp.GetLanguage, `.cc .cpp .cxx .c++ .C .hh .hpp .hxx .H .ii .ino .cu .h++ .inl .ipp .tpp .txx .tcc
		.ixx .cppm .cuh .hlsl .hlsli .metal`).with(gnuCPP),
	grammar("csharp", csharp.GetLanguage, ".cs .csx"),
	grammar("css", css.GetLanguage, ".css"),
	grammar("cue", cue.GetLanguage, ".cue"),
	grammar("dockerfile", dockerfile.GetLanguage, ".dockerfile Dockerfile Containerfile"),
	grammar("elixir", elixir.GetLanguage, ".ex .exs"),
	grammar("elm", elm.GetLanguage, ".elm").laidOut(),
	grammar("go", golang.GetLanguage, ".go").deriving(unused),
	grammar("groovy", groovy.GetLanguage, ".groovy .gradle Jenkinsfile .gvy .gy .gsh"),
	grammar("hcl", hcl.GetLanguage, ".hcl .tf .tfvars .nomad .tofu"),
	grammar("html", html.GetLanguage, ".html .htm"),
	grammar("java", java.GetLanguage, ".java"),
	grammar("javascript", javascript.GetLanguage, ".js .mjs .cjs .jsx .jsm .es6"),
	grammar("kotlin", kotlin.GetLanguage, ".kt .kts"),
	grammar("lua", lua.GetLanguage, ".lua .rockspec .nse"),
	grammar("markdown", markdown.GetLanguage, ".md .markdown .mdown .mkd").laidOut(),
	grammar("ocaml", ocaml.GetLanguage, ".ml"),
	grammar("php", php.GetLanguage, ".php .phtml .php3 .php4 .php5 .phps"),
	grammar("protobuf", protobuf.GetLanguage, ".proto"),
	grammar("python", python.GetLanguage, `.py .pyi .pyw .wsgi .bzl .star BUILD.bazel MODULE.bazel WORKSPACE.bazel
		SConstruct SConscript`).laidOut(),
	grammar("ruby", ruby.GetLanguage, `.rb .rake .gemspec .podspec .ru .rbw Rakefile Gemfile Podfile Vagrantfile
		Brewfile`),
	grammar("rust", rust.GetLanguage, ".rs").deriving(rustRepairs),
	grammar("scala", scala.GetLanguage, ".scala .sc").laidOut(),
	grammar("sql", sql.GetLanguage, ".sql"),
	grammar("svelte", svelte.GetLanguage, ".svelte"),
	grammar("swift", swift.GetLanguage, ".swift .swiftinterface"),
	grammar("toml", toml.GetLanguage, ".toml Pipfile").deriving(pairs),
	grammar("tsx", tsx.GetLanguage, ".tsx"),
	grammar("typescript", typescript.GetLanguage, ".ts .mts .cts").with(lines),
	grammar("yaml", yaml.GetLanguage, ".yaml .yml .cff .ksy .clang-format .clang-tidy").laidOut(),
	ours("csv", "csv.g4", ".csv .tsv"),
	ours("datalog", "datalog.g4", ".dl .datalog"),
	ours("dimacs", "dimacs.g4", ".cnf .dimacs").asDIMACS(),
	ours("dot", "DOTLexer.g4 DOTParser.g4", ".dot .gv"),
	ours("ini", "INILexer.g4 INIParser.g4", `.ini setup.cfg .properties .desktop .service .gitconfig .editorconfig
		.gitmodules .socket .timer .mount .automount .swap .target .path .slice .scope`),
	ours("json", "json.g4", `.json .jsonl .ndjson .geojson .webmanifest .ipynb .jsonld .topojson .avsc .har .sarif
		.gltf .tfstate`),
	ours("llvm", "llvm.g4", ".ll"),
	ours("mlir", "mlir.g4", ".mlir"),
	ours("smt2", "smt2.g4", ".smt2 .smt"),
	ours("xml", "XMLLexer.g4 XMLParser.g4", `.xml .xsd .xsl .xslt .svg .rng .wsdl .xhtml .plist .pom .rss .atom
		.gml .kml .xmi .dae .xlf .csproj .fsproj .vbproj .vcxproj .nuspec .resx .xaml .rdf .opml .xliff .graphml .gpx
		.mathml .mml .urdf .ui .qrc .xib .storyboard .x3d .dita .ditamap .xspf`).asXML(),
	{"structure", "text", nil, text.Structure},
	{"lines", "text", nil, text.Lines},
	{"words", "text", nil, text.Words},
	{"chars", "text", nil, text.Chars},
}
