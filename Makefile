# Hansu. `make` without a target lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# Number of keys that `make keys` presses.
KEYS ?= 1000000
# Seconds for each fuzz target.
SECONDS_EACH ?= 600
# Number of positions that `make soak` compares with other libraries, and of its kills.
POSITIONS ?= 5000000
KILLS ?= 1000
# Moves a second of `make load-nodes`.
RATE ?= 2000
# Minutes under load of `make soak`.
MINUTES ?= 30
BUILT = $(abspath $(or $(CARGO_TARGET_DIR),target))
LOAD = $(BUILT)/release/hansu-load
# The program as `make units` builds it. A separate build would enable other features of the
# dependencies and take as long again.
PROGRAM = $(BUILT)/debug/hansu
# Number of worlds and races that `make soak` simulates.
SEEDS ?= 100000
RACES ?= 1000000
# People at once and their moves a second for `make scale`; seed of `make scale` and `make
# adversary`.
PEOPLE ?= 150000
MOVES ?= 16000
SEED ?= 1
# Kills and faults of `make adversary` in each check that has some, and the checks to run (all if
# empty).
ROUNDS ?= 100
ONLY ?=
# Games in the log that `make bench` fills.
GAMES ?= 1000000

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The compiler target of the page's own games; without it the page plays only at the server.
.PHONY: wasm-target
wasm-target:
	@[ -d "$$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || rustup --quiet target add wasm32-unknown-unknown || echo "Without it the page plays only while the server can be reached."

# The program for playing. The first time, the page's WebAssembly is built in parallel: Cargo would
# begin it only when the second core has nothing else to do. Its errors show when the page is built.
FOR_PLAYING = if [ ! -x $(BUILT)/play/hansu ]; then node web/tools/modules.mjs >/dev/null 2>&1 & fi; \
	$(CARGO) build --profile play --locked -p hansu

.PHONY: play
play: wasm-target ## Play in the terminal
	@$(FOR_PLAYING)
	@$(BUILT)/play/hansu

.PHONY: serve
serve: wasm-target ## Start the server on this machine and open the browser
	@[ -x $(BUILT)/play/hansu ] || echo "Building the program and its page: four to five minutes the first time."
	@$(FOR_PLAYING)
	@$(BUILT)/play/hansu serve --open

.PHONY: release
release: wasm-target ## Build the optimised program and its list of components (SBOM) in target/release
	$(CARGO) build --release --locked -p hansu
	node tools/sbom.mjs > $(BUILT)/release/hansu.cdx.json
	@ls -l $(BUILT)/release/hansu $(BUILT)/release/hansu.cdx.json

.PHONY: pin
pin: ## Write the digests of all images into deploy/ (needs a registry)
	node tools/pin.mjs

.PHONY: static
static: wasm-target modules ## Build the page as static files that need no Hansu server, in target/static
	@cd web && npm run --silent static -- --outDir $(BUILT)/static --logLevel warn
	@echo "For any web server, for example: python3 -m http.server --directory $(BUILT)/static"

.PHONY: wire
wire: ## Regenerate the TypeScript of the protocol
	HANSU_WRITE=1 $(CARGO) test --quiet --locked -p hansu-protocol

.PHONY: sequences
sequences: ## Regenerate the random test sequences of both clients
	HANSU_WRITE=1 $(CARGO) test --quiet --locked -p hansu-client --test sequences

.PHONY: answers
answers: ## Regenerate the computer's answers that the page's computer must give as well
	HANSU_WRITE=1 $(CARGO) test --quiet --locked -p hansu-computer --test answers

.PHONY: test
test: export HANSU_BIN = $(PROGRAM)
test: tools format modules ## Run all checks that a change must pass
	$(call both,page,lint)
	@$(MAKE) --no-print-directory wasm docs licences built
	$(call both,tested,browser)

# Runs two targets at once, since each leaves a part of the processors unused. Fails after both have
# ended if one of them fails.
both = @$(MAKE) --no-print-directory $(1) & first=$$!; trap 'kill $$first' INT TERM; second=0; \
	$(MAKE) --no-print-directory $(2) || second=$$?; wait $$first && exit $$second

.PHONY: check
check: format modules ## The quick version of make test, for the inner loop: no browser, no long runs
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked --lib
	$(CARGO) test --locked -p hansu-chess -p hansu-play -p hansu-words -p hansu-protocol --tests
	cd web && npm run --silent check

.PHONY: tools
tools: ## Install what the tests need
	@tools/install.sh

.PHONY: format
format: ## Check the formatting
	$(CARGO) fmt --all --check

.PHONY: lint
lint: ## Run Clippy; a warning is an error
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# Crates that must also run in a browser.
PURE = chess play protocol words view client engine annals computer teacher module browser archive
.PHONY: wasm
wasm: ## Check that the crates without I/O compile to WebAssembly
	$(CARGO) check --locked --quiet --target wasm32-unknown-unknown $(PURE:%=-p hansu-%)

.PHONY: docs
docs: ## Build the documentation; a warning is an error
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet

.PHONY: licences
licences: ## Check licences, sources and known vulnerabilities of dependencies (the latter need github.com)
	$(CARGO) deny --locked check bans licenses sources
	@if $(CARGO) deny fetch db >/dev/null 2>&1; then $(CARGO) deny --locked check advisories; \
	else echo "Known holes were NOT checked: the list of RustSec (github.com) cannot be reached."; fi

UNITS = $(CARGO) test --workspace --locked
# Most of these tests wait for disks, sockets and other processes: running twice as many at once as
# there are processors takes a sixth less time.
UNITS_AT_ONCE = $$((2 * $$(getconf _NPROCESSORS_ONLN)))
.PHONY: units
units: built tested ## Run unit, property and black-box tests, and the comparison with other chess libraries

.PHONY: built
built:
	$(UNITS) --no-run

.PHONY: tested
tested:
	HANSU_BIN=$(PROGRAM) RUST_TEST_THREADS=$(UNITS_AT_ONCE) $(UNITS) --no-fail-fast

.PHONY: modules
modules:
	cd web && { cmp -s package-lock.json node_modules/.hansu-lock || { npm ci && cp package-lock.json node_modules/.hansu-lock; }; }

.PHONY: page
page: modules ## Check the page: types, lint, format, tests, weight
	cd web && npm run --silent check && npm run --silent weight

.PHONY: browser
browser: modules ## Test the page in a real browser against the real server
	[ -n "$${HANSU_BIN:-}" ] || $(CARGO) build --locked -p hansu
	cd web && npm run --silent browser

.PHONY: pictures
pictures: modules ## Take pictures of the page, into docs/pictures and target/pictures
	$(CARGO) build --locked -p hansu
	cd web && npm run --silent pictures

.PHONY: audit
audit: modules ## Run Lighthouse on the home page and on a game (quiet machine, chromium with a window)
	@[ -x "$${CHROMIUM:-/usr/bin/chromium}" ] || { echo "Missing: apt-get install chromium" >&2; exit 1; }
	$(CARGO) build --locked -p hansu
	cd web/audit && npm ci
	cd web && npm run --silent audit

.PHONY: oracle
oracle: ## Compare with other chess libraries
	$(CARGO) test --locked -p hansu-oracle -p hansu-peers

.PHONY: bench
bench: ## Measure against other libraries, and the log with GAMES games (quiet machine, half an hour)
	@mkdir -p target
	rigs/peers/bench.sh all --json target/bench.json
	$(CARGO) run --release --locked -p hansu-records --example figures -- $(GAMES)

.PHONY: growth
growth: ## Measure how costs grow with the games in the log, up to GAMES, in SQLite and PostgreSQL (5 minutes)
	@mkdir -p target
	$(CARGO) run --release --locked -p hansu-records --example growth -- $(GAMES) target/growth.svg

.PHONY: keys
keys: ## Send KEYS random keys, clicks and resizes to the board in the terminal
	HANSU_KEYS=$(KEYS) $(CARGO) test --locked -p hansu-console --test screen random_keys

.PHONY: fuzz
fuzz: ## Fuzz every parser, SECONDS_EACH seconds each
	tools/fuzz.sh $(SECONDS_EACH)

.PHONY: mutants
mutants: ## Run mutation tests: small changes of the code that a test must notice
	tools/mutants.sh

.PHONY: soak
soak: ## Run the long tests: POSITIONS compared, KILLS kills, SEEDS and RACES simulated
	$(CARGO) run --release --locked -p hansu-oracle -- --positions $(POSITIONS)
	HANSU_KILLS=$(KILLS) $(CARGO) test --locked -p hansu-records --test durability
	HANSU_SEEDS=$(SEEDS) HANSU_RACES=$(RACES) $(CARGO) test --locked -p hansu-simulation -- --nocapture
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) kill --kills $(KILLS)
	$(LOAD) soak --minutes $(MINUTES)

.PHONY: load
load: ## Measure the server under load, at its limit, and when all players reconnect at once (10 minutes)
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) play
	$(LOAD) play --rate max --no-echo
	$(LOAD) reconnect

.PHONY: abuse
abuse: ## Test the server with thousands of hostile clients
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) abuse

.PHONY: soak-server
soak-server: ## Run the server under load for MINUTES minutes: memory and open files must not grow
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) soak --minutes $(MINUTES)

.PHONY: load-nodes
load-nodes: ## Measure one, two and three nodes over PostgreSQL and NATS at RATE moves a second
	$(CARGO) build --release --locked -p hansu -p hansu-load
	for nodes in 1 2 3; do $(LOAD) nodes --nodes $$nodes --games 1000 --watchers 0 --rate $(RATE) || exit 1; done

.PHONY: soak-nodes
soak-nodes: ## Run three nodes while they, PostgreSQL and NATS are killed, frozen and cut off (15 minutes)
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) nodes --node-kills 100 --database-kills 20 --bus-kills 50 --freezes 50 --cuts 20

.PHONY: adversary
adversary: ## Attack the real server: ROUNDS kills and faults from SEED, forgeries, bombs, bad disks
	[ -n "$${HANSU_BIN:-}" ] || $(CARGO) build --locked -p hansu
	$(CARGO) build --locked -p hansu-adversary
	$(BUILT)/debug/hansu-adversary --rounds $(ROUNDS) --seed $(SEED) $(ONLY)

.PHONY: autobahn
autobahn: ## Run the Autobahn suite against the websocket library with the server's settings
	$(CARGO) build --release --locked -p hansu-load
	tools/autobahn.sh $(LOAD)

.PHONY: scale
scale: ## Simulate very many players: PEOPLE at once, MOVES a second, from SEED (half a minute)
	@mkdir -p target
	$(CARGO) run --release --locked --quiet -p hansu-scale -- --people $(PEOPLE) --moves $(MOVES) --seed $(SEED) --svg target/scale.svg

.PHONY: clean
clean: ## Remove build outputs
	$(CARGO) clean
