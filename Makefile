# Bare `make` lists the targets.

GO      ?= go
BIN     := $(CURDIR)/bin
FUZZTIME ?= 60s
COUNT   ?= 10

GOLANGCI_LINT_VERSION := v2.15.0
GOFUMPT_VERSION       := v0.12.0
BENCHSTAT_VERSION     := v0.0.0-20260908200009-22c9c6c9d4da
GOVULNCHECK_VERSION   := v1.9.0

GOLANGCI_LINT := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)
GOFUMPT       := $(BIN)/gofumpt-$(GOFUMPT_VERSION)
BENCHSTAT     := $(BIN)/benchstat-$(BENCHSTAT_VERSION)
GOVULNCHECK   := $(BIN)/govulncheck-$(GOVULNCHECK_VERSION)

# -race needs cgo and a C compiler.
RACE := CGO_ENABLED=1 $(GO) test -race -timeout 12m

.DEFAULT_GOAL := help
.PHONY: help build test race lint format fuzz bench bench-compare soak conformance vuln tidy

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/troupe
	$(GO) build -o $(BIN)/troupe ./cmd/troupe

test: ## everything CI runs: vet, all tests under the race detector, all again without it, each benchmark once
	$(GO) vet ./...
	$(RACE) ./...
	$(GO) test -timeout 8m -bench . -benchtime 1x ./...
	$(GO) test -run Twin ./dispatch/schema -args -pairs 100000

race: ## all tests under the race detector, from scratch
	$(RACE) -count=1 ./...

lint: $(GOLANGCI_LINT) $(GOFUMPT) ## gofumpt and golangci-lint
	@unformatted=$$($(GOFUMPT) -l .) && if [ -n "$$unformatted" ]; then echo "not formatted (make format):"; echo "$$unformatted"; exit 1; fi
	$(GOLANGCI_LINT) run ./...

format: $(GOFUMPT) ## gofumpt -w
	$(GOFUMPT) -w .

fuzz: ## every fuzz target for FUZZTIME (60s) each, all of them even if one finds something
	@failed=; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || failed="$$failed $$target"; \
		done; \
	done; \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

bench: ## every benchmark COUNT (10) times, into bin/bench.new, with a summary
bench: $(BENCHSTAT)
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) -timeout 60m ./... > $(BIN)/bench.new || { cat $(BIN)/bench.new; exit 1; }
	$(BENCHSTAT) $(BIN)/bench.new

bench-compare: $(BENCHSTAT) ## bin/bench.old against bin/bench.new
	$(BENCHSTAT) $(BIN)/bench.old $(BIN)/bench.new

soak: ## 100,000 requests with early closes, resets, panics and deadlines
	TROUPE_SOAK=100000 $(GO) test -count=1 -run Soak -v -timeout 30m .

conformance: build ## the public conformance suite against bin/troupe (needs Node.js and the network)
	cmd/troupe/conformance/run.sh $(BIN)/troupe

vuln: $(GOVULNCHECK) ## known vulnerabilities in what is called (needs the network)
	$(GOVULNCHECK) ./...

tidy: ## go mod tidy and verify
	$(GO) mod tidy
	$(GO) mod verify

# Tools are built once into bin/, under a name with their version, so that a new
# pin builds a new binary.
define install
	@mkdir -p $(BIN)
	GOBIN=$(BIN) $(GO) install $(1)@$(2)
	@mv $(BIN)/$(notdir $(1)) $@
endef

$(GOLANGCI_LINT):
	$(call install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint,$(GOLANGCI_LINT_VERSION))
$(GOFUMPT):
	$(call install,mvdan.cc/gofumpt,$(GOFUMPT_VERSION))
$(BENCHSTAT):
	$(call install,golang.org/x/perf/cmd/benchstat,$(BENCHSTAT_VERSION))
$(GOVULNCHECK):
	$(call install,golang.org/x/vuln/cmd/govulncheck,$(GOVULNCHECK_VERSION))
