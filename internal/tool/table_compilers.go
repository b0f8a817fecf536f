package tool

// bare deletes what LLVM adds to each file.
const bare = ` | sed -E '/^(source_filename|attributes) /d; s/ #[0-9]+$//'`

func compilers() []*Tool {
	optLimit := &Bisect{Levels: words("-O0 -O1 -O2 -O3"), Limit: words("-opt-bisect-limit=N"), Running: llvmRunning}
	llc := Site{
		reads: words("llvm"), Language: "llvm", prefix: "llc", Trunk: "llctrunk", agree: 1,
		versions: "3.2 3.3 3.9.1 4.0.0 4.0.1 5.0.0 6.0.0 7.0.0 8.0.0 9.0.0 10.0.0 10.0.1 11.0.0 11.0.1 12.0.0 12.0.1 " +
			"13.0.0 14.0.0 15.0.0 16.0.0 17.0.1 18.1.0 19.1.0 20.1.0 21.1.0 22.1.0",
	}
	opt := llc
	opt.prefix, opt.Trunk, opt.without = "opt", "opttrunk", words("-S")
	return []*Tool{
		// One analyser suffices to check types; more of them would check style.
		{
			Name: "go", Reads: words("go"), names: `go([0-9][0-9.]*)?`,
			in:      words("/usr/lib/go-*/bin /usr/local/go*/bin"),
			version: "version",
			details: []string{"version",
				"env -json GOVERSION GOOS GOARCH GOAMD64 GOARM64 GOEXPERIMENT GOFLAGS CGO_ENABLED GOTOOLCHAIN"},
			Checks:   alternatives("vet -buildtag {}"),
			language: words("-tags+"),
			Options: &Options{
				Programs: words("compile"),
				Takes:    words("-p -importcfg -trimpath -lang -asmhdr -buildid -symabis -I -D -goversion -embedcfg"),
				Keep:     words("-p"), Path: words("-I"),
			},
		},
		{
			Name: "gofmt", Family: "go", Reads: words("go"), names: `gofmt`,
			in:      words("/usr/lib/go-*/bin /usr/local/go*/bin"),
			version: "version", sibling: "go",
			releaseIn: "go.mod", release: `(?m)^go\s+([0-9.]+)`,
			Checks: alternatives("-e -l {}"),
		},
		{
			Name: "gccgo", Reads: words("go"), names: `gccgo(-[0-9.]+)?`,
			details: []string{"-v"}, Checks: alternatives("-fsyntax-only {}"), Builds: words("-o {program}"),
		},
		rustc(),
		{
			Name: "llvm-as", Reads: words("llvm"), names: `llvm-as(-[0-9.]+)?`,
			Checks: alternatives("-disable-output {}"),
		},
		{
			Name: "mlir-opt", Reads: words("mlir"), names: `mlir-opt(-[0-9.]+)?`, Checks: alternatives("{}"),
			Options: &Options{
				Programs: words("mlir-opt"), Takes: words("-pass-pipeline --pass-pipeline"), Variable: words(llvmVariables),
				Pipeline: mlirPasses,
			},
		},
		{
			Name: "opt", Reads: words("llvm"), names: `opt(-[0-9.]+)?`,
			details: []string{"--version"},
			Checks:  alternatives("-passes=verify -disable-output {}"),
			Bisect:  optLimit, Sites: []Site{opt},
			Proposes: []string{
				"{program} -S -passes='function(sroa,instcombine,simplifycfg),globaldce'" + bare,
				"{program} -S -passes='function(sroa,simplifycfg),globaldce'" + bare,
			},
			Options: &Options{
				Programs: words("opt"), Takes: words("-passes --passes"), Keep: words("-S -c"),
				Faster: words("-disable-output"), Variable: words(llvmVariables), Weaker: alternatives("-O3 -O2 -O1"),
				Pipeline: llvmPasses,
			},
		},
		{
			Name: "llc", Reads: words("llvm"), names: `(llc|lli|llvm-link)(-[0-9.]+)?`,
			details: []string{"--version"}, Bisect: optLimit, Sites: []Site{llc},
			Options: &Options{
				Programs: words("llc lli llvm-link llvm-mc"), Keep: words("-S -c -filetype"),
				Variable: words(llvmVariables), Weaker: alternatives("-O3 -O2 -O1"),
			},
		},
		{Name: "yosys", names: `yosys`, Options: &Options{
			Programs: words("yosys"), Takes: words("-b -c -C -D -e -E -f -l -L -m -p -P -r -s -S -w -x"), Pipeline: yosysPasses,
		}},
		{
			Name: "javac", Reads: words("java"), names: `javac`,
			Checks:   alternatives("-proc:none -nowarn -d . {}"),
			language: words("--release+ -source+ --source+ --enable-preview"),
			Options: &Options{
				Programs: words("javac"),
				Takes: words("-cp -classpath -d -s -h -source -target --release -encoding -processor -processorpath " +
					"-sourcepath"),
				Keep: words("-d"), OutDir: words("-d -s -h"), Faster: words("-nowarn -g:none -proc:none"),
			},
		},
		{Name: "kotlinc", Reads: words("kotlin"), names: `kotlinc`},
		{Name: "scalac", Reads: words("scala"), names: `scalac`, Checks: alternatives("-Ystop-after:typer {}")},
		{Name: "ocamlc", Reads: words("ocaml"), names: `ocaml(c|opt)`, version: "-version", Checks: alternatives("-i {}")},
		{Name: "swiftc", Reads: words("swift"), names: `swiftc`, Checks: alternatives("-typecheck {}")},
		{
			Name: "protoc", Reads: words("protobuf"), names: `protoc`,
			Checks: alternatives("--descriptor_set_out=/dev/null {}"),
		},
		{Name: "terraform", Reads: words("hcl"), names: `terraform|tofu`},
	}
}

const llvmVariables = "LLVM_DISABLE_SYMBOLIZATION=1 LLVM_DISABLE_CRASH_REPORT=1"

func rustc() *Tool {
	return &Tool{
		Name: "rustc", Reads: words("rust"), names: `rustc(-[0-9.]+)?`,
		details:  []string{"-vV"},
		Checks:   alternatives("--emit=metadata -Awarnings --out-dir=. {}"),
		Builds:   words("-o {program}"),
		language: words("--edition+ --crate-type+ --cfg+ --crate-name+ -C+ --extern+ -L+ --cap-lints+ -A+"),
		Bisect:   &Bisect{Limit: words("-C codegen-units=1 -C llvm-args=-opt-bisect-limit=N"), Running: llvmRunning},
		Options: &Options{
			Programs: words("rustc"),
			Takes: words("-L -l -C -Z -A -W -D -F --cfg --crate-type --crate-name --edition --emit --print --target --out-dir " +
				"--extern --cap-lints --codegen --error-format --color --sysroot --remap-path-prefix"),
			Keep:     words("--emit --out-dir --crate-type"),
			Printing: words("--error-format --json --diagnostic-width"), Path: words("-L"), Names: "--crate-name",
			Faster:   words("--cap-lints=allow -Cdebuginfo=0 --emit=metadata -Copt-level=0 --color=never"),
			Variable: words("RUST_BACKTRACE=0"), Weaker: alternatives("-O -Copt-level=1"),
		},
		Lowers: &Lowering{
			Drops: words("--emit --out-dir -o"), Version: `LLVM version: ([0-9.]+)`,
			Emits: alternatives("--emit=llvm-ir -Cno-prepopulate-passes", "--emit=llvm-ir"),
		},
		Sites: []Site{{
			reads: words("rust"), Language: "rust", prefix: "r", Trunk: "nightly", agree: 2, target: `(?m)^host: x86_64-.*linux`,
			versions: "1.0.0 1.1.0 1.2.0 1.3.0 1.4.0 1.5.0 1.6.0 1.7.0 1.8.0 1.9.0 1.10.0 1.11.0 1.12.0 1.13.0 1.14.0 1.15.1 " +
				"1.16.0 1.17.0 1.18.0 1.19.0 1.20.0 1.21.0 1.22.0 1.23.0 1.24.0 1.25.0 1.26.0 1.27.0 1.27.1 1.28.0 1.29.0 " +
				"1.30.0 1.31.0 1.32.0 1.33.0 1.34.0 1.35.0 1.36.0 1.37.0 1.38.0 1.39.0 1.40.0 1.41.0 1.42.0 1.43.0 1.44.0 " +
				"1.45.0 1.45.2 1.46.0 1.47.0 1.48.0 1.49.0 1.50.0 1.51.0 1.52.0 1.53.0 1.54.0 1.55.0 1.56.0 1.57.0 1.58.0 " +
				"1.59.0 1.60.0 1.61.0 1.62.0 1.63.0 1.64.0 1.65.0 1.66.0 1.67.0 1.68.0 1.69.0 1.70.0 1.71.0 1.72.0 1.73.0 " +
				"1.74.0 1.75.0 1.76.0 1.77.0 1.78.0 1.79.0 1.80.0 1.81.0 1.82.0 1.83.0 1.84.0 1.85.0 1.86.0 1.87.0 1.88.0 " +
				"1.89.0 1.90.0 1.91.0 1.92.0 1.93.0 1.94.0 1.95.0 1.96.0 1.97.0 1.98.0",
		}},
	}
}
