package tool

func interpreters() []*Tool {
	python := &Tool{
		Name: "python", Family: "python", Reads: words("python"), names: `python[0-9.]*`,
		details: []string{"-VV"},
		Checks:  alternatives("-m py_compile {}"),
		Options: &Options{
			Programs: words("python pypy"), Takes: words("-W -X -m -c --check-hash-based-pycs"), Program: words("-m -c"),
			Runs: RunsScript,
		},
	}
	return []*Tool{
		{
			Name: "node", Reads: words("javascript"), names: `node(js)?`, Checks: alternatives("--check {}"),
			Options: &Options{
				Programs: words("node nodejs deno bun"), Takes: words("-r --require --import -e --eval -p --print --loader"),
				Program: words("-e --eval -p --print"), Runs: RunsScript,
			},
		},
		{
			Name: "esbuild", Reads: words("javascript typescript tsx css"), names: `esbuild`,
			Checks: alternatives("--log-level=error --outfile=/dev/null {}"),
		},
		{
			Name: "tsc", Reads: words("typescript tsx"), names: `tsc`, Checks: alternatives("--noEmit {}"),
			language: words("--target+ --module+ --jsx+ --lib+ --strict"),
		},
		{Name: "terser", Reads: words("javascript"), names: `terser|uglifyjs|swc|babel|webpack|rollup|eslint|prettier|acorn`},
		python,
		like(python, func(t *Tool) { t.Name, t.names = "pypy", `pypy[0-9.]*` }),
		{Name: "mypy", Reads: words("python"), names: `mypy|pyright|black|ruff|pylint|flake8`},
		// Python's parser only checks that XML is well-formed.
		{
			Name: "expat", Reads: words("xml"), names: `python3`, silent: true,
			Checks: [][]string{{"-c",
				"import sys,xml.parsers.expat as e;e.ParserCreate().ParseFile(open(sys.argv[1],'rb'))", File}},
		},
		{
			Name: "xmllint", Reads: words("xml"), names: `xmllint`, Checks: alternatives("--noout --nonet {}"),
			language: words("--noent --recover --huge --html"),
			Options: &Options{
				Programs: words("xmllint"),
				Takes: words("--schema --relaxng --dtdvalid --dtdvalidfpi --xpath --pattern --encode --path --maxmem --pretty " +
					"--schematron"),
				Faster: words("--noout --nowarning"),
				Path:   words("--schema --relaxng --dtdvalid --schematron --path"),
			},
		},
		{Name: "xsltproc", Reads: words("xml"), names: `xsltproc|basex|saxonb-xquery|saxon|xmlstarlet`},
		{Name: "jq", Reads: words("json"), names: `jq`, Checks: alternatives("empty {}")},
		{
			Name: "sqlite3", Reads: words("sql"), Dialect: true, names: `sqlite3`,
			Checks: alternatives("-batch -bail -init {} :memory: .exit"),
			Options: &Options{
				Programs: words("sqlite3"),
				Takes:    words("-separator -nullvalue -newline -mmap -lookaside -cmd -init -vfs -maxsize"),
				Path:     words("-init"),
			},
		},
		{Name: "duckdb", Reads: words("sql"), names: `duckdb|psql|mysql|mariadb`},
		{
			Name: "cvc5", Reads: words("smt2"), names: `cvc[45]`, Checks: alternatives("-q --parse-only {}"),
			language: words("--lang+ -L+"),
		},
		{Name: "z3", Reads: words("smt2"), names: `z3|yices-smt2|mathsat|opensmt|bitwuzla|boolector|smtrat`},
		{
			Name: "java", Reads: words("java"), names: `java`, details: []string{"--version"},
			Options: &Options{
				Programs: words("java"),
				Takes: words("-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports -m --module " +
					"-jar"),
				Program: words("-jar -m --module"), Runs: RunsScript,
			},
		},
		{
			Name: "ruby", Reads: words("ruby"), names: `ruby[0-9.]*`, Checks: alternatives("-c {}"),
			Options: &Options{
				Programs: words("perl ruby php lua Rscript tclsh guile"), Takes: words("-e -E -I -r -f"),
				Program: words("-e -E -r -f"), Runs: RunsScript,
			},
		},
		{Name: "php", Reads: words("php"), names: `php[0-9.]*`, Checks: alternatives("-l {}")},
		{Name: "luac", Reads: words("lua"), names: `luac[0-9.]*`, version: "-v", Checks: alternatives("-p {}")},
		{
			Name: "bash", Reads: words("bash"), names: `bash`, Checks: alternatives("-n {}"),
			Options: &Options{
				Programs: words("sh bash dash zsh ksh busybox"), Takes: words("-c -o"), Program: words("-c"), Runs: RunsAll,
			},
		},
		{Name: "dash", Reads: words("bash"), names: `dash|zsh|ksh|shellcheck`, silent: true},
	}
}

func otherPrograms() []*Tool {
	return []*Tool{
		{Name: "env", Options: &Options{
			Programs: words("env"), Takes: words("-u --unset -C --chdir -S"), Runs: RunsCommand,
		}},
		{Name: "timeout", Options: &Options{
			Programs: words("timeout"), Takes: words("-k -s --kill-after --signal"), Operands: 1, Runs: RunsCommand,
		}},
		{Name: "nice", Options: &Options{
			Programs: words("nice ionice nohup time setsid stdbuf unbuffer prlimit catchsegv"),
			Takes:    words("-n -c -p -i -o -e"), Runs: RunsCommand,
		}},
		{Name: "taskset", Options: &Options{
			Programs: words("taskset setarch chrt"), Operands: 1, Runs: RunsCommand,
		}},
	}
}

// formatters format their standard input, by preference. {name} is the name of the file.
var formatters = []struct {
	languages string
	program   pattern
	arguments string
}{
	{"c cpp java csharp protobuf", `clang-format(-[0-9.]+)?`, "--assume-filename={name}"},
	{"go", `gofmt`, ""},
	{"rust", `rustfmt`, "--edition=2021"},
	{"python", `black`, "-q -"},
	{"python", `ruff`, "format -"},
	{"javascript typescript tsx css html yaml", `prettier`, "--stdin-filepath={name}"},
	{"xml", `xmllint`, "--format -"},
}

// unknown matches messages about unknown options and rejected values. The first group is the
// option, its beginning or its value.
var unknown = []pattern{
	// gcc, g++, gccgo
	`unrecognized command[- ]line option ['‘"](-[^'’"]+)['’"]`,
	`bad value \S+ for ['‘"](-[^'’"]+)['’"]`,
	`unrecognized argument (?:to|in option) ['‘"](-[^'’"]+)['’"]`,
	`unknown pass \S+ specified in ['‘"](-fdisable)`,
	// clang
	`unknown argument:? ['‘"](-[^'’"]+)['’"]`,
	`unsupported option ['‘"](-[^'’"]+)['’"]`,
	`unsupported argument '[^']*' to option ['‘"](-[^'’"]+)['’"]`,
	`invalid value '[^']*' in ['‘"](-[^'’"]+)['’"]`,
	`unknown target CPU '([^']+)'`,
	`Unknown command line argument '(-[^']+)'`,
	// rustc
	`Unrecognized option: '([^']+)'`,
	// go
	`flag provided but not defined: (-\S+)`,
	// tcc
	`invalid option -- ['‘"](-[^'’"]+)['’"]`,
}
