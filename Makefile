# The tools are pinned and run from source: nothing needs to be installed.
GOLANGCI  := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
DEADCODE  := go run golang.org/x/tools/cmd/deadcode@v0.52.0
OPA       := go run github.com/open-policy-agent/opa@$(shell go list -m -f '{{.Version}}' github.com/open-policy-agent/opa)
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME  ?= 30s

.PHONY: check build fmt lint rego cross test race fuzz bench stock stress e2e

check: lint rego cross race test ## All that CI checks.

build: ## The program, as ./permctl.
	CGO_ENABLED=0 go build -trimpath -o permctl ./cmd/permctl

fmt: ## Go and Rego in their usual form.
	$(GOLANGCI) fmt
	$(OPA) fmt -w policy cmd/permctl/sample bundles

lint: ## What a reviewer should not have to say.
	$(GOLANGCI) config verify
	$(GOLANGCI) run
	go mod tidy -diff
	dead=$$($(DEADCODE) -test ./...) && echo "$$dead" && test -z "$$dead"

rego: ## The shipped policy and the sample bundle, by stock OPA.
	$(OPA) check --strict --schema policy/schema policy
	$(OPA) test --timeout 60s policy
	$(OPA) test --timeout 60s --threshold 95 policy > /dev/null
	$(OPA) check --strict --schema policy/schema -b bundles/sample
	$(OPA) test -b bundles/sample

cross: ## It builds for every platform.
	set -e; for p in $(PLATFORMS); do echo $$p; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} go build -o /dev/null ./cmd/permctl; done

test: ## All tests.
	go test ./...

race: ## Those of packages that run things at once.
	go test -race -shuffle=on ./internal/ask ./internal/client ./internal/engine ./internal/gate ./internal/hook ./internal/inbox ./internal/mcp ./internal/server

fuzz: ## Each fuzz target for FUZZTIME.
	set -e; for pkg in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$pkg; done; done

bench: ## Ratios to OPA itself (x-OPA-…) and to other least work (x-…), checks a second, and allocations.
	go test -run '^$$' -bench . -benchmem ./internal/ask ./internal/gate ./internal/approvals ./internal/bash ./internal/permission ./internal/server ./internal/workspace ./cmd/permctl

stock: ## Stock OPA decides as permctl does, on 200 calls.
	go test -tags stock -count=1 -v -run TestStock ./cmd/permctl

stress: ## 32 processes append 1,000 approvals each at once, and some are killed. Two minutes.
	go test -count=1 -v -run TestProcesses ./internal/approvals -processes 32 -appends 1000

e2e: ## The real Claude Code, Codex, Gemini CLI, opencode and pi, with a scripted model on loopback, and the console in Chromium. Needs npm and chromium.
	go test -tags e2e -count=1 -timeout 20m -v ./e2e
	go test -tags e2e -count=1 -timeout 20m -v -run TestReal ./internal/foreign
