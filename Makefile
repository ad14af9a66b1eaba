# Everything a developer types. `make` lists it.

SHELL := /bin/bash
# What is built does not depend on where the clone lies, so that a new clone builds nothing that another one has built. It is
# compiled and linked without what debuggers read, which takes a tenth of the time to compile and two thirds of that to link a
# test. Who debugs calls go build alone.
export GOFLAGS += -trimpath -ldflags=-s -gcflags=all=-dwarf=false -tags=nomsgpack
FUZZTIME ?= 30s
BENCHTIME ?= 2s
PROFILE := assay/release.pgo
ATONCE := $(shell echo $$((2 * $$(nproc))))
MODULES := $(patsubst assay.dev/%,%,$(shell go list -m))

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: run
run: ## start the whole system; set what `bin/assay up --help` lists
	@tools/debian.sh --beside chromium
	@[ -x bin/assay ] || echo "building bin/assay: two to three minutes the first time"
	@go build -o bin/assay ./assay
	@bin/assay up

# The race detector makes a loop over bytes ten times slower, and all below a package is compiled once more for it. So `make race`
# has it where goroutines share what is written, and nothing else does.
RACED = $(eval RACED := $(shell go list ./platform/bus ./platform/cache ./platform/feed ./platform/flight ./platform/jobs ./platform/kv ./platform/lease ./platform/scrape \
	./platform/worker ./gateway/keys ./gateway/ratelimit ./gateway/usage ./captcha-worker/credits ./courier ./abc-worker/mirror \
	./ltl-worker/archive ./ltl-worker/weeks))$(RACED)

# Tests that take long, such as kills, floods and damage. `make verify` runs them.
LONG := TestSystemFaults TestAFlippedByteIsNeverAWrongAnswer TestASmallDiskIsFilledAndFreed TestARevocation.* TestAlertsFire \
	TestHostileBulkFiles TestMatchIsNeverWrong TestEachChangeIsToldOnceWhoeverDies TestLedgerEqualsTheProvidersCountAfterDeaths \
	TestTheReferenceCanBeTried TestHostileWorkbooks TestWorkbooksTakeTurns TestEachPlaceOfAPage TestAServerDiesDuringAFlight
LONG := ^($(subst $() $(),|,$(strip $(LONG))))$$
PAGES := InABrowser$$|^(TestTheConsoleWithoutScripts|TestTheTableOfASearchHasRoom|TestHostileTextOnTheAccountPage|TestTheReferenceCanBeTried)$$

# Tests wait more than they compute, so twice as many packages, and tests of a package, run as there are cores. Seconds measure nothing
# here. The longest begin first. Less is collected than in the product, which saves a sixth of the processor.
LONGEST := $(addprefix assay.dev/,gateway abc-worker assay assay/system ltl-worker platform/scrape/browser abc-worker/mirror captcha-worker ltl-worker/trust \
	ltl-worker/archive platform/bus ltl-worker/weeks courier platform/feed gateway/usage assay/install)
GOTEST := go test -vet=off -p $(ATONCE) -timeout 90m
test race volume: export GOGC = 400
test race volume: export GOMEMLIMIT = 1GiB
test race volume: export GORACE = atexit_sleep_ms=0
test race volume: export GOTMPDIR := $(or $(TMPDIR),/tmp)
test race volume: export TMPDIR := $(shell tools/tmpdir.sh)

.PHONY: test
test: programs ## all tests but those of `make race` and `make volume`
	$(GOTEST) -parallel $(ATONCE) -skip '$(LONG)' $(LONGEST) $(filter-out $(LONGEST),$(shell go list work))

.PHONY: race
race: ## the tests of what goroutines share, under the race detector
	$(GOTEST) -race $(RACED)

.PHONY: volume
volume: programs ## tests that take minutes: kills, floods, damage, alerts, and all looks of the console
	$(GOTEST) -parallel $(ATONCE) -run '$(LONG)' ./assay ./assay/system ./abc-worker ./gateway/sheet ./ltl-worker/trust
	$(GOTEST) -parallel $(ATONCE) -run '$(PAGES)' ./gateway -looks

.PHONY: verify
verify: lint modules k8s-validate fuzz race volume ## what CI runs beside the tests: lint, manifests, fuzz targets, races, volume, the tools' own tests
	cd tools && GOWORK=off go test ./...

.PHONY: check
check: bin/golangci-lint ## seconds: build, vet, and of the packages that changed lint and short tests
	@tools/check.sh

MEASURE = go test -vet=off -count=1 -v -timeout 1h ./bench
.PHONY: bench
bench: programs ## measure side by side on this machine, BENCHTIME a run
	@go build -pgo=$(PROFILE) -o bin/assay ./assay
	@$(MEASURE) -run '^TestMeasure$$' -args -binary=$(CURDIR)/bin/assay -time=$(BENCHTIME)

# A release is optimized for what it does most. Plain builds are not, since that compiles every package a second time.
.PHONY: profile
profile: ## renew the profile that releases, images and bench are built with, after the hot path changed
	@go build -o bin/assay ./assay
	@$(MEASURE) -run '^TestProfile$$' -args -binary=$(CURDIR)/bin/assay -time=8s -profile=$(CURDIR)/$(PROFILE)

FLIPS ?= 20
.PHONY: damage
damage: ## flip FLIPS bytes in each store, start the system on each, and print what became of it
	go test ./assay -run TestAFlippedByteIsNeverAWrongAnswer -damage.flips $(FLIPS) -damage.within 15s -timeout 30m -v | grep -v '^=== '

.PHONY: lint
lint: bin/golangci-lint ## golangci-lint; its govet is go vet
	bin/golangci-lint run $(MODULES:%=./%/...)

.PHONY: modules
modules: ## each module names all that it needs, as an image build wants it
	@for m in $(MODULES); do (cd $$m && GOWORK=off go list -deps -test ./... >/dev/null) || exit 1; done

.PHONY: build
build: modules ## bin/assay
	@go build -o bin/assay ./assay

SYSTEMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
.PHONY: bundles
bundles: build ## pack the tool servers as .mcpb files for desktop agents, into dist/
	@mkdir -p dist
	@for s in $(SYSTEMS); do os=$${s%/*} arch=$${s#*/}; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -pgo=$(PROFILE) -trimpath -ldflags '-s -w' -o dist/assay-$$os-$$arch ./assay || exit 1; \
		for p in ltl abc; do \
			bin/assay agents bundle $$p dist/assay-$$p-$$os-$$arch.mcpb --system $$os --binary dist/assay-$$os-$$arch || exit 1; \
		done; \
	done

.PHONY: release
release: ## binaries, images, SBOMs and checksums of VERSION for two architectures, into dist/VERSION; digests into deploy/k8s
	@VERSION=$(VERSION) REGISTRY=$(REGISTRY) tools/release.sh

.PHONY: tidy
tidy: ## bring every go.mod in line with its imports
	@for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy) || exit 1; done

# In CI 3 s a target, without the compiler's coverage, for which all packages would be compiled once more: what a mutation finds
# at all it mostly finds at once. Who changes a parser fuzzes with it and for longer, such as make fuzz FUZZTIME=5m.
verify: FUZZTIME = 3s
verify: COVERAGE = without-coverage

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME
	@tools/fuzz.sh $(FUZZTIME) $(COVERAGE)

.PHONY: programs
programs: ## install from Debian what tests run beside Go, where root allows it
	@tools/debian.sh chromium chromium-headless-shell promtool node python3

.PHONY: k8s-validate
k8s-validate: ## render the Kubernetes overlays and check them against strict schemas
	@tools/k8s-validate.sh

.PHONY: k8s-settings
k8s-settings: ## every variable that the production overlay gives to a container, and who reads it
	@tools/k8s-validate.sh settings

.PHONY: settings
settings: ## renew the table of settings in docs/settings.md
	@mkdir -p bin && go run ./assay settings >bin/settings.md
	@sed -i -e '/^<!-- settings -->/,/^<!-- end of settings -->/{//!d}' -e '/^<!-- settings -->/r bin/settings.md' docs/settings.md

.PHONY: k8s-images
k8s-images: ## every container image as an archive in bin/images, without a registry or an engine
	@tools/k8s-images.sh

.PHONY: k8s-smoke
k8s-smoke: k8s-validate ## try the local overlay on the cluster of kubectl, or of KUBECTL
	@tools/k8s-smoke.sh

# A run renews the outcomes of its rows and seeds, and leaves the others.
SEEDS ?= 1
RATE ?= 500
FAULTS = go test ./assay -run '^TestSystemFaults$$' -count=1 -v -timeout 3h -args -faults.whole
.PHONY: faults
faults: ## every fault that must be survived, over processes and three NATS servers, into docs/faults.md; half an hour for each of SEEDS
	@mkdir -p bin
	$(FAULTS) -rate=$(RATE) -requests=$$((20 * $(RATE))) -faults.seeds=$(SEEDS) -faults.before=$(BEFORE) -faults.only='$(ROWS)' $(if $(MISSING),-faults.missing) \
		-faults.table=$(CURDIR)/docs/faults.md -faults.kept=$(CURDIR)/docs/faults.json

.PHONY: rolling
rolling: ## replace every process, and kill NATS servers, under 500 requests/s; 100,000 requests each
	$(FAULTS) -rate=500 -requests=100000 -faults.only="^rolling restart|^the gateways' NATS server is killed"

.PHONY: mcp-conformance
mcp-conformance: ## the official MCP conformance suite against both tool servers, both protocol versions
	@go build -o bin/assay ./assay
	@tools/mcp/try.sh conformance

.PHONY: mcp-clients
mcp-clients: ## the official MCP inspector and TypeScript SDKs list and call every tool
	@go build -o bin/assay ./assay
	@tools/mcp/try.sh clients

.PHONY: vuln
vuln: bin/govulncheck ## known vulnerabilities in what is built; needs vuln.go.dev, or a copy of it in GOVULNDB
	@for m in $(MODULES); do echo "vuln $$m"; (cd $$m && $(CURDIR)/bin/govulncheck $(if $(GOVULNDB),-db $(GOVULNDB)) ./...) && continue; \
		[ $$? = 3 ] || echo "nothing was looked for: $${m} has no result. Where https://vuln.go.dev cannot be reached, fetch" \
			"https://vuln.go.dev/vulndb.zip elsewhere, unpack it, and run: make vuln GOVULNDB=file:///path/to/vulndb" >&2; exit 1; done

.PHONY: web-assets
web-assets: ## fetch the scripts of others that pages and their tests use from npm, in the versions that are named
	@tools/web-assets.sh

.PHONY: screenshots
screenshots: programs ## picture every page of a running system at two widths into bin/screenshots; README.md has three of them
	@mkdir -p bin/screenshots && rm -f bin/screenshots/*.webp
	go test ./assay -run TestAPersonAuditsAndProves -count=1 -args -screenshots $(CURDIR)/bin/screenshots
	@cp $(patsubst %,bin/screenshots/%-1440.webp,surcharges audit proof) docs/screenshots/

.PHONY: picture
picture: ## draw docs/architecture.svg from docs/architecture.dot; needs Graphviz
	dot -Tsvg docs/architecture.dot -o docs/architecture.svg

.PHONY: clients
clients: ## renew and pack the clients in bin/clients, for nobody's registry; needs npm
	@tools/clients.sh

.PHONY: clean
clean: ## remove what was built and the data of `make run`
	rm -rf bin .assay

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && GOWORK=off go build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

bin/govulncheck: tools/go.mod tools/go.sum
	cd tools && GOWORK=off go build -o ../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
