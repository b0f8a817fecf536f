package tool

func cCompilers() []*Tool {
	clang := clang()
	gcc := like(clang, gccDiffers)
	return []*Tool{
		clang,
		like(clang, func(t *Tool) {
			t.Name, t.Reads, t.names, t.Sites = "clang++", words("cpp"), `clang\+\+(-[0-9.]+)?`, clang.Sites[1:]
		}),
		gcc,
		like(gcc, func(t *Tool) {
			t.Name, t.Reads, t.Sites = "g++", words("cpp"), gcc.Sites[1:]
			t.names, t.cross = `(g\+\+|c\+\+)(-[0-9.]+)?`, `.*-(g\+\+|c\+\+)(-[0-9.]+)?`
			t.Bars = words("uninitialized return-type return-local-addr format builtin-declaration-mismatch overflow " +
				"div-by-zero shift-count-overflow shift-count-negative sequence-point sizeof-pointer-memaccess")
		}),
		{
			Name: "tcc", Reads: words("c"), names: `tcc`, cross: `.*-tcc`,
			version:  "-v",
			Checks:   alternatives("-c {}"), // as root, tcc replaces /dev/null by a file
			Builds:   words("-o {program}"),
			language: words("-std=* -D+ -U+ -I+ -include+ -fsigned-char -funsigned-char"),
		},
		{
			Name: "sdcc", Reads: words("c"), names: `sdcc`,
			language: words("--std-* -D+ -U+ -I+"),
			Options: &Options{
				Programs: words("sdcc"),
				Takes: words("-I -D -U -L -l --disable-warning --codeseg --constseg --dataseg --code-loc --code-size --data-loc " +
					"--stack-loc --xram-loc --xram-size --iram-size --idata-loc --stack-size"),
				Keep: words("-c -S -E"), Path: words("-I -L"), Include: words("-I"),
				Preprocess: alternatives("-E"), Faster: words("--less-pedantic"),
			},
			Sites: []Site{{
				reads: words("c"), Language: "c", prefix: "sdcc", agree: 1, without: words("-c -S"),
				versions: "4.0.0 4.1.0 4.2.0 4.3.0 4.4.0 4.5.0 4.6.0",
			}},
		},
		like(clang, func(t *Tool) { t.Name, t.names, t.Sites = "icx", `ic[cx]|icpx`, nil }),
	}
}

func clang() *Tool {
	return &Tool{
		Name: "clang", Family: "llvm", Reads: words("c cpp"), names: `clang(-[0-9.]+)?`,
		details: []string{"-v"},
		Checks:  alternatives("-fsyntax-only {}"),
		Ends:    words("-Wfatal-errors"),
		language: words("-std=* -ansi -x+ -D+ -U+ -I+ -include+ -imacros+ -isystem+ -iquote+ -idirafter+ --sysroot=* " +
			"-pthread -l+ -L+ " +
			"-fms-extensions -fgnu89-inline -fopenmp* -fopenacc -fblocks -fpermissive -fshort-enums -fshort-wchar " +
			"-fsigned-char -funsigned-char -fno-signed-char -fno-unsigned-char -fno-builtin* -ffreestanding -fasm " +
			"-fno-asm -fplan9-extensions -fdollars-in-identifiers -fconcepts* -fcoroutines* -fmodules* -fchar8_t " +
			"-fno-exceptions -fno-rtti -fexceptions -frtti -fno-operator-names -ftemplate-depth* -fconstexpr-* " +
			"-m16 -m32 -m64 -mx32 -march=* -mcpu=* -msse* -mssse3 -mavx* -mbmi* -mf16c -mfma* -maes -mpopcnt -mlzcnt"),
		Bars: words("uninitialized conditional-uninitialized return-type invalid-noreturn return-stack-address dangling " +
			"format incompatible-library-redeclaration incompatible-pointer-types int-conversion array-bounds " +
			"implicit-function-declaration implicit-int deprecated-non-prototype integer-overflow division-by-zero " +
			"shift-count-overflow shift-count-negative unsequenced null-dereference varargs " +
			"sizeof-pointer-memaccess undefined-reinterpret-cast undefined-bool-conversion delete-incomplete " +
			"incompatible-function-pointer-types pointer-to-int-cast"),
		bar:     "-Werror=*",
		allow:   "-Wno-error=*",
		error:   `error: .*\[-W(?:error,-W)?([a-z0-9+-]+)[]=,]`,
		warning: `\[-W*[]=,]`,
		Builds:  words("-o {program}"),
		Parts:   words("-c -S -E -M -MM -fsyntax-only -emit-llvm -shared"),
		Sanitise: alternatives("-fsanitize=undefined,address -fno-sanitize-recover=all",
			"-fsanitize=undefined -fno-sanitize-recover=all", "-fsanitize=undefined -fsanitize-trap=undefined"),
		Starts: "__attribute__((constructor)) static void whittle_starts(void) { * }",
		Dies:   "__builtin_trap();",
		Traced: alternatives("-g -fno-omit-frame-pointer -fsanitize=address,undefined",
			"-g -fno-omit-frame-pointer -fsanitize=address"),
		Bisect: &Bisect{
			Levels:  words("-O0 -O1 -O2 -O3"),
			Limit:   words("-mllvm -opt-bisect-limit=N"),
			Running: llvmRunning,
			Stages: []Stage{
				{"parsing and semantic analysis (front end)", words("-fsyntax-only")},
				{"LLVM IR generation (front end)", words("-emit-llvm -Xclang -disable-llvm-passes")},
				{"passes of the optimizer that always run", words("-emit-llvm")},
				{"code generator", nil},
			},
		},
		Lowers: &Lowering{
			Drops: words("-c -S -E -emit-llvm -emit-obj -fsyntax-only -o"), Hands: "-mllvm",
			Emits: alternatives("-S -emit-llvm -Xclang -disable-llvm-passes", "-S -emit-llvm"),
		},
		Options: &Options{
			Programs: words("clang clang++ clang-cl flang"),
			Takes: words("-x -include -imacros -isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore -isysroot " +
				"-I -D -U -L -l -B -T -u -z -e -MF -MT -MQ -F -arch -target --param -mllvm " +
				"-Xclang -Xassembler -Xlinker -Xpreprocessor -Xanalyzer -Xopenmp-target -ivfsoverlay -serialize-diagnostics " +
				"-load -plugin -mrelocation-model -main-file-name -dwarf-debug-producer -resource-dir -triple -target-cpu " +
				"-target-feature -internal-isystem -internal-externc-isystem -mthread-model -pic-level -fdebug-compilation-dir"),
			Keep:       words("-c -S -E -cc1 -emit-llvm -emit-obj -MF -MT -MQ -serialize-diagnostics"),
			Output:     words("-MF -serialize-diagnostics"),
			Path:       words("-I -L -B -F -isystem -iquote -include -idirafter @"),
			Include:    words("-I -iquote -isystem -idirafter"),
			Preprocess: alternatives("-E -P", "-E"), Resolved: words(resolved),
			Faster:   words("-fno-crash-diagnostics -w -g0 -fsyntax-only -O0 -fno-color-diagnostics -fno-caret-diagnostics"),
			Variable: words(llvmVariables),
			Weaker:   alternatives("-Ofast -O3 -O2 -O1", "-Os -O1", "-Oz -O1"),
		},
		Sites: alsoC(Site{
			reads: words("cpp c"), Language: "c++", prefix: "clang", Trunk: "clang_trunk", agree: 1, target: linuxTarget,
			without: words("-c -S"),
			versions: "3.0.0=30 3.1 3.2 3.3 3.4.1 3.5=350 3.5.1 3.5.2 3.6=36x 3.7=37x 3.7.1 3.8=380 3.8.1 3.9.0 3.9.1 " +
				"4.0.0 4.0.1 5.0.0 5.0.1 5.0.2 6.0.0 6.0.1 7.0.0 7.0.1 7.1.0 8.0.0 8.0.1 9.0.0 9.0.1 10.0.0 10.0.1 " +
				"11.0.0 11.0.1 12.0.0 12.0.1 13.0.0 13.0.1 14.0.0 15.0.0 16.0.0 17.0.1 18.1.0 19.1.0 20.1.0 21.1.0 22.1.0",
		}),
	}
}

const resolved = "-D -U -I -include -imacros -iquote -isystem -idirafter -iprefix -iwithprefix"

const llvmRunning pattern = `BISECT: running pass \((\d+)\) (.*)`

const linuxTarget pattern = `(?m)^Target: x86_64-.*linux`

func gccDiffers(t *Tool) {
	t.Name, t.Family, t.Lowers = "gcc", "gcc", nil
	t.names, t.cross = `(gcc|cc)(-[0-9.]+)?`, `.*-(gcc|cc)(-[0-9.]+)?`
	t.Bars = words("uninitialized return-type return-local-addr format builtin-declaration-mismatch int-conversion " +
		"incompatible-pointer-types implicit-function-declaration implicit-int overflow div-by-zero " +
		"shift-count-overflow shift-count-negative sequence-point sizeof-pointer-memaccess pointer-to-int-cast")
	t.error = `error: .*\[-Werror=([a-z0-9+-]+)[]=]`
	t.Bisect = &Bisect{
		Levels:        words("-O0 -O1 -O2 -O3"),
		Names:         `(?m)^during (GIMPLE|RTL|IPA) pass: (\S+)`,
		Passes:        words("-fdump-passes"),
		Optimizations: words("-Q --help=optimizers"),
		Optimizes:     `(?m)^ *-f(\S+)\s+\[enabled\]`,
		Counters:      words("-fsyntax-only -fdbg-cnt-list"),
		Counter:       `(?m)^ *(\w+) +\d+ +unset`,
	}
	t.Options = &Options{
		Programs: words("gcc g++ cc c++ gfortran gdc cc1 cc1plus f951 mpicc mpicxx"),
		Takes: words("-x -include -imacros -isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore -isysroot " +
			"-imultilib -I -D -U -L -l -B -T -u -z -e -A -aux-info -dumpbase -dumpbase-ext -dumpdir -MF -MT -MQ -MD -MMD " +
			"--param -Xassembler -Xlinker -Xpreprocessor -wrapper -specs -arch"),
		Keep:       words("-c -S -E -MF -MT -MQ -aux-info -dumpbase -dumpbase-ext -dumpdir"),
		Output:     words("-MF -aux-info"),
		OutDir:     words("-dumpdir"),
		Path:       words("-I -L -B -isystem -iquote -include -idirafter @"),
		Include:    words("-I -iquote -isystem -idirafter"),
		Preprocess: alternatives("-E -P", "-E"), Resolved: words(resolved),
		Faster: words("-w -g0 -fsyntax-only -O0 -fdiagnostics-color=never -fno-diagnostics-show-caret"),
		Weaker: alternatives("-Ofast -O3 -O2 -O1", "-Os -O1", "-Oz -O1", "-g3 -g"),
	}
	t.Sites = alsoC(Site{
		reads: words("cpp c"), Language: "c++", prefix: "g", Trunk: "gsnapshot", agree: 1, target: linuxTarget,
		without: words("-c -S"),
		versions: "3.4.6 4.0.4 4.1.2 4.4.7 4.5.3 4.6.4 4.7.1 4.7.2 4.7.3 4.7.4 4.8.1 4.8.2 4.8.3 4.8.4 4.8.5 4.9.0 4.9.1 " +
			"4.9.2 4.9.3 4.9.4 5.1=510 5.2=520 5.3=530 5.4=540 6.1=6 6.2 6.3 6.5 7.1 7.2 7.3 7.4 7.5 8.1 8.2 8.3 8.4 " +
			"8.5 9.1 9.2 9.3 9.4 9.5 10.1 10.2 10.3 10.4 10.5 11.1 11.2 11.3 11.4 11.5 12.1 12.2 12.3 12.4 12.5 13.1 " +
			"13.2 13.3 13.4 14.1 14.2 14.3 14.4 15.1 15.2 15.3 16.1 16.2",
	})
}

// alsoC returns the sites of a compiler of C and C++ from that for C++.
func alsoC(cpp Site) []Site {
	c := cpp
	c.reads, c.Language, c.prefix, c.Trunk = words("c"), "c", "c"+cpp.prefix, "c"+cpp.Trunk
	return []Site{c, cpp}
}
