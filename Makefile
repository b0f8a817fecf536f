# whittle. 'make build' makes ./whittle, 'make demo' shows it at work, 'make check' runs the
# tests that a change needs; 'make help' lists all targets.
GO ?= go
PREFIX ?= $(HOME)/.local
FUZZTIME ?= 60s
SOAKTIME ?= 1h
KILLS ?= 100
FAULTS ?= 200
CASES ?= $(WHITTLE_CASES)
RESULTS ?= $(CURDIR)/bench.out
PAGES = $(CURDIR)/bench/results

.PHONY: help build install demo check lint test e2e cluster nightly race killtest hostile chaos soak fuzz module notices dist dist-test bench workers measure evaluation compare

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /  \1\t/p' Makefile | expand -t 14

build: ## the program, ./whittle
	$(GO) build -o whittle ./cmd/whittle

share = $(DESTDIR)$(PREFIX)/share

install: build ## into $(PREFIX)/bin, with man pages and completions
	install -D whittle $(DESTDIR)$(PREFIX)/bin/whittle
	./whittle man $(share)/man/man1
	mkdir -p $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	./whittle completion bash >$(share)/bash-completion/completions/whittle
	./whittle completion zsh >$(share)/zsh/site-functions/_whittle
	./whittle completion fish >$(share)/fish/vendor_completions.d/whittle.fish

demo: build ## reduce a bundled program against the installed C compiler
	@rm -rf demo.out && mkdir demo.out
	./whittle reduce -v -o demo.out/ledger.reduced.c testdata/demo/test.sh testdata/demo/ledger.c

# The suites. Each test belongs to exactly one: TestE2E… and testdata/e2e are e2e,
# TestCluster… and testdata/cluster are cluster, all others check. With -short, long property
# tests take a part of their cases, another one each day; nightly takes all of them. Lint runs vet.

# Tests make and remove many small files: in memory, if that has room for 4 GB and allows programs, and
# TMPDIR is not set. There ext4 would take a third of the time.
MEMORY := $(shell df -k /dev/shm 2>/dev/null | awk '$$NF == "/dev/shm" && $$4 > 4000000 { print $$NF }')
MEMORY := $(if $(shell grep -s ' $(MEMORY) [^ ]* [^ ]*noexec' /proc/mounts),,$(MEMORY))
test e2e cluster: export TMPDIR := $(or $(TMPDIR),$(MEMORY),/tmp)

check: lint test ## format, vet, staticcheck, unit and command tests

lint:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	GOGC=400 $(GO) tool staticcheck ./...
	cd bench && $(GO) vet ./...
	cd packaging && $(GO) vet ./...

test:
	$(GO) test -vet=off -short -skip '^Test(E2E|Cluster)' -timeout 15m ./...
	cd bench && $(GO) test -vet=off -short ./...

# The packages with tests of a name: to link the tests of all packages would take minutes.
with = $(sort $(dir $(shell grep -rl --include='*_test.go' --exclude-dir=bench '^func $(1)' .)))

e2e: ## signals, kills, terminals, real tools; the module under another name
	$(GO) test -vet=off -short -parallel 4 -run '^TestE2E' -timeout 15m $(call with,TestE2E)
	.ci/module example.org/x/whittle

cluster: ## remote execution, with the real servers that .ci/servers has installed
	$(GO) test -vet=off -short -parallel 8 -run '^TestCluster' -timeout 15m $(call with,TestCluster)

nightly: lint race killtest hostile chaos soak fuzz ## everything, in full: hours
	$(GO) test -timeout 4h ./...
	cd bench && $(GO) vet ./... && $(GO) test -timeout 1h ./...

race: ## the race detector on packages with goroutines
	$(GO) test -race -short -timeout 40m ./oracle/... ./internal/... .

killtest: ## kills whittle KILLS times during each of some reductions
	WHITTLE_KILLS=$(KILLS) $(GO) test ./cmd/whittle -run '^TestE2EKill$$' -v -timeout 2h

hostile: ## 46 tests that would harm the machine, each as a reduction, as root and as another user
	WHITTLE_DESTRUCTIVE=1 $(GO) test ./cmd/whittle -run '^TestE2EDestructive$$' -v -timeout 1h

chaos: ## FAULTS faults of servers and networks during remote reductions, and as many wrong outcomes in a cache
	WHITTLE_FAULTS=$(FAULTS) $(GO) test ./cmd/whittle -run '^TestCluster(Chaos|PoisonedCache)$$' -v -timeout 4h

soak: build ## random reductions in process for FUZZTIME, and with accidents for SOAKTIME; SOAK are flags, as -seed N
	WHITTLE_SOAK=$(FUZZTIME) $(GO) test . -run '^TestRandomReductions$$' -timeout 2h
	cd bench && $(GO) run ./soak -root .. -time $(SOAKTIME) $(SOAK) ../whittle

FUZZ = ./grammars:RoundTripC ./grammars:RoundTripPython ./grammars:RoundTripJavaScript ./grammars:RoundTripXML ./grammars:RoundTripJSON \
	./grammars:RoundTripLines ./grammars:RoundTripStructure ./parse/antlr/g4:Load ./parse/archive:AsAlone

fuzz: ## no text breaks a grammar, no grammar file panics; FUZZTIME for each
	WHITTLE_FUZZ=$(FUZZTIME) $(GO) test ./grammars -run '^TestFuzz$$' -count 1 -v -timeout 24h
	@for f in $(FUZZ); do \
		$(GO) test $${f%:*} -run '^$$' -fuzz "^Fuzz$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x || exit 1; \
	done

# PATH, given on the command line, hides the PATH of make's own environment.
module: ## build a copy of the checkout as another module, as in make module PATH=example.org/x/whittle DIR=copy
	$(if $(filter command,$(origin PATH)),,$(error make module PATH=example.org/x/whittle [DIR=copy]))
	@path=$$(/usr/bin/tr '\0' '\n' 2>/dev/null </proc/$$PPID/environ | /usr/bin/sed -n 's/^PATH=//p'); \
		PATH=$${path:-/usr/local/go/bin:/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin} .ci/module '$(PATH)' $(DIR)

notices: ## THIRD_PARTY_NOTICES, from the licences in the module cache
	cd bench && $(GO) run ./notices -root .. >../THIRD_PARTY_NOTICES

dist: ## the files of release VERSION in dist/, as in make dist VERSION=v0.1.0
	packaging/dist $(or $(VERSION),$(error make dist VERSION=v0.1.0))

dist-test: ## installs what make dist has built in fresh roots, and measures the start
	packaging/dist-test

# The laboratory, a module of its own.
DDBENCH = cd bench && $(GO) run ./ddbench

bench: ## tests per algorithm, own time; the latter needs WHITTLE_CASES
	$(GO) test -run '^$$' -bench . -benchtime 1x . ./algo/grain ./internal/search
	cd bench && $(GO) test -run '^$$' -bench . -benchtime 1x ./synthetic

workers: ## the gain by more jobs: the table of bench/results/measurements.md
	$(GO) test -run '^$$' -bench Workers -benchtime 1x -timeout 30m .

measure: ## runs of the cases CASES, and tables of them in RESULTS; MEASURE are flags of ddbench run
	$(DDBENCH) run --results $(RESULTS) $(MEASURE) $(abspath $(CASES))
	$(DDBENCH) report $(RESULTS)

# The cases that take longest get less time.
BRIEF ?= cxx-clang16-61159-182k,go-119-54348-19k,c-clang16-64047-wrongcode-20k

evaluation: ## the papers' questions on CASES (default: the bundled ones), in bench/results/evaluation.md or, with QUICK=1, in RESULTS
	mkdir -p $(RESULTS)
	$(if $(QUICK),cp $(PAGES)/evaluation.md $(RESULTS)/evaluation.md)
	$(DDBENCH) evaluate -j 2 --results $(RESULTS) --brief $(BRIEF) $(if $(QUICK),--quick --page $(RESULTS)/evaluation.md,--page $(PAGES)/evaluation.md) \
		$(abspath $(or $(CASES),testdata/subjects))

# The runs are kept in COMPARISON.jsonl, the tables are in COMPARISON.md.
COMPARISON ?= $(PAGES)/comparison
JOBS ?= 1

compare: build ## whittle and the other reducers of this machine on CASES; PERSES is a jar, COMPARE are flags of ddbench compare
	$(DDBENCH) compare --out $(COMPARISON).jsonl --page $(COMPARISON).md --jobs $(JOBS) --whittle $(CURDIR)/whittle \
		--grammars $(CURDIR)/grammars $(if $(PERSES),--perses $(PERSES)) $(COMPARE) $(abspath $(CASES))
