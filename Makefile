# whittle: 'make demo' shows it at work, 'make check' runs everything that CI runs.
GO ?= go
PREFIX ?= $(HOME)/.local
FUZZTIME ?= 60s
CASES ?= $(WHITTLE_CASES)
KILLS ?= 100
FAULTS ?= 200
SOAKTIME ?= 1h
RESULTS ?= bench.out
PACKAGES = ./... whittle/bench/...

.PHONY: build install demo test race killtest hostile chaos soak fuzz bench workers measure evaluation compare lint check

build: ## the program, ./whittle
	$(GO) build -o whittle ./cmd/whittle

share = $(DESTDIR)$(PREFIX)/share

install: build ## into $(PREFIX)/bin, with pages for man and completions for shells
	install -D whittle $(DESTDIR)$(PREFIX)/bin/whittle
	./whittle man $(share)/man/man1
	mkdir -p $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	./whittle completion bash >$(share)/bash-completion/completions/whittle
	./whittle completion zsh >$(share)/zsh/site-functions/_whittle
	./whittle completion fish >$(share)/fish/vendor_completions.d/whittle.fish

demo: build ## reduce a bundled program against the installed C compiler
	@rm -rf demo.out && mkdir demo.out
	./whittle reduce -v -o demo.out/ledger.reduced.c testdata/demo/test.sh testdata/demo/ledger.c

test:
	$(GO) test -timeout 40m $(PACKAGES)

race: ## the packages with goroutines; what takes long there looks for races in a part of its cases only
	$(GO) test -race -short -timeout 40m ./oracle/... ./internal/... .

killtest: ## kills whittle KILLS times during each of some reductions
	WHITTLE_KILLS=$(KILLS) $(GO) test ./cmd/whittle -run '^TestKill$$' -v -timeout 2h

hostile: ## 46 tests that would harm the machine, each as a reduction, as root and as another user
	WHITTLE_DESTRUCTIVE=1 $(GO) test ./cmd/whittle -run '^TestDestructive$$' -v -timeout 1h

chaos: ## FAULTS faults of servers and networks during remote reductions, and as many wrong outcomes in a cache
	WHITTLE_FAULTS=$(FAULTS) $(GO) test ./cmd/whittle -run '^Test(Chaos|PoisonedCache)$$' -v -timeout 4h

soak: build ## random reductions, in process for FUZZTIME, and with what may befall them for SOAKTIME; SOAK are flags, as -seed N
	WHITTLE_SOAK=$(FUZZTIME) $(GO) test . -run '^TestRandomReductions$$' -timeout 2h
	$(GO) run ./bench/soak -time $(SOAKTIME) $(SOAK) ./whittle

FUZZ = ./grammars:RoundTripC ./grammars:RoundTripPython ./grammars:RoundTripJavaScript ./grammars:RoundTripXML ./grammars:RoundTripJSON \
	./grammars:RoundTripLines ./grammars:RoundTripStructure ./parse/antlr/g4:Load ./parse/archive:AsAlone

fuzz: ## no text breaks a grammar, untouched trees render to the input, no grammar file panics; FUZZTIME for each
	WHITTLE_FUZZ=$(FUZZTIME) $(GO) test ./grammars -run '^TestFuzz$$' -count 1 -v -timeout 24h
	@for f in $(FUZZ); do \
		$(GO) test $${f%:*} -run '^$$' -fuzz "^Fuzz$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x || exit 1; \
	done

bench: ## tests per algorithm, own time; the latter needs WHITTLE_CASES
	$(GO) test -run '^$$' -bench . -benchtime 1x . ./algo/grain 

workers: ## what more jobs gain, and what rounds cost: the table of bench/results/measurements.md
	$(GO) test -run '^$$' -bench Workers -benchtime 1x -timeout 30m .

measure: ## runs of the cases CASES, and tables of them in RESULTS; MEASURE are flags of ddbench run
	$(GO) run ./bench/ddbench run --results $(RESULTS) $(MEASURE) $(CASES)
	$(GO) run ./bench/ddbench report $(RESULTS)

# The cases that take longest get less time.
BRIEF ?= cxx-clang16-61159-182k,go-119-54348-19k,c-clang16-64047-wrongcode-20k

evaluation: ## answers the papers' questions on CASES (default: the bundled ones) in bench/results/evaluation.md, or with QUICK=1 in $(RESULTS)/evaluation.md
	mkdir -p $(RESULTS)
	$(if $(QUICK),cp bench/results/evaluation.md $(RESULTS)/evaluation.md)
	$(GO) run ./bench/ddbench evaluate -j 2 --results $(RESULTS) --brief $(BRIEF) $(if $(QUICK),--quick --page $(RESULTS)/evaluation.md,--page bench/results/evaluation.md) \
		$(or $(CASES),testdata/subjects)

# The runs are kept in COMPARISON.jsonl, the tables are in COMPARISON.md.
COMPARISON ?= bench/results/comparison
JOBS ?= 1

compare: build ## whittle beside the reducers that are found, on CASES; PERSES is a jar, COMPARE are flags of ddbench compare
	$(GO) run ./bench/ddbench compare --out $(COMPARISON).jsonl --page $(COMPARISON).md --jobs $(JOBS) --whittle ./whittle \
		--grammars grammars $(if $(PERSES),--perses $(PERSES)) $(COMPARE) $(CASES)

lint:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; }
	$(GO) vet $(PACKAGES)
	$(GO) tool staticcheck $(PACKAGES)

check: lint test race build
