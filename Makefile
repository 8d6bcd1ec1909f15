# Hansu. `make` alone says what there is to do.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# Keys that `make keys` presses.
KEYS ?= 1000000
# Seconds for each fuzz target.
SECONDS_EACH ?= 600
# Positions that `make soak` compares with other libraries, and kills it deals out.
POSITIONS ?= 5000000
KILLS ?= 1000
# Moves a second of `make load-nodes`.
RATE ?= 2000
# Minutes under load of `make soak`.
MINUTES ?= 30
BUILT = $(abspath $(or $(CARGO_TARGET_DIR),target))
LOAD = $(BUILT)/release/hansu-load
# The program as `make units` builds it. Built alone it would have other features of what others
# wrote, and take as long again.
PROGRAM = $(BUILT)/debug/hansu
# Worlds and races that it simulates.
SEEDS ?= 100000
RACES ?= 1000000
# People at once, their moves a second and the seed of `make scale` and `make adversary`.
PEOPLE ?= 150000
MOVES ?= 16000
SEED ?= 1
# Kills and faults of `make adversary` in each check that deals them out, and the checks (all).
ROUNDS ?= 100
ONLY ?=
# Games in the log that `make bench` fills.
GAMES ?= 1000000

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What the page's own games are made with; without it they are played at the server alone.
.PHONY: wasm-target
wasm-target:
	@[ -d "$$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || rustup --quiet target add wasm32-unknown-unknown || echo "Without it the page plays only while the server can be reached."

# The program for playing. The first time, what the page has of WebAssembly is built beside the rest:
# Cargo would begin with it when there is nothing else to do for the second core. What goes wrong there
# is said when the page is built.
FOR_PLAYING = if [ ! -x $(BUILT)/play/hansu ]; then node web/tools/modules.mjs >/dev/null 2>&1 & fi; \
	$(CARGO) build --profile play --locked -p hansu

.PHONY: play
play: wasm-target ## Play in the terminal
	@$(FOR_PLAYING)
	@$(BUILT)/play/hansu

.PHONY: serve
serve: wasm-target ## Board and server on this machine, with the browser opened
	@[ -x $(BUILT)/play/hansu ] || echo "Building the program and its page: four to five minutes the first time."
	@$(FOR_PLAYING)
	@$(BUILT)/play/hansu serve --open

.PHONY: release
release: wasm-target ## The optimised program and the list of its parts (SBOM), in target/release
	$(CARGO) build --release --locked -p hansu
	node tools/sbom.mjs > $(BUILT)/release/hansu.cdx.json
	@ls -l $(BUILT)/release/hansu $(BUILT)/release/hansu.cdx.json

.PHONY: pin
pin: ## Write the digests of all images into deploy/, where a registry can be reached
	node tools/pin.mjs

.PHONY: static
static: wasm-target modules ## The page as a folder of files that needs no Hansu server, in target/static
	@cd web && npm run --silent static -- --outDir $(BUILT)/static --logLevel warn
	@echo "For any web server, for example: python3 -m http.server --directory $(BUILT)/static"

.PHONY: wire
wire: ## Write the TypeScript of the protocol anew
	HANSU_WRITE=1 $(CARGO) test --quiet --locked -p hansu-protocol

.PHONY: sequences
sequences: ## Write the random sequences for both clients anew
	HANSU_WRITE=1 $(CARGO) test --quiet --locked -p hansu-client --test sequences

.PHONY: test
test: export HANSU_BIN = $(PROGRAM)
test: tools format modules ## Everything that decides whether a change lands
	$(call both,page,lint)
	@$(MAKE) --no-print-directory wasm docs licences built
	$(call both,tested,browser)

# Two targets at once, since each leaves a part of the processors unused; it fails when one of them
# does, after both have ended.
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
format: ## Is everything formatted?
	$(CARGO) fmt --all --check

.PHONY: lint
lint: ## Clippy; a warning is an error
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# The crates that must also run in a browser.
PURE = chess play protocol words view client engine annals computer teacher module browser archive
.PHONY: wasm
wasm: ## Crates without I/O compile to WebAssembly
	$(CARGO) check --locked --quiet --target wasm32-unknown-unknown $(PURE:%=-p hansu-%)

.PHONY: docs
docs: ## Documentation without warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet

.PHONY: licences
licences: ## Licences and sources of dependencies, and known holes in them where the list can be reached
	$(CARGO) deny --locked check bans licenses sources
	@if $(CARGO) deny fetch db >/dev/null 2>&1; then $(CARGO) deny --locked check advisories; \
	else echo "Known holes were NOT checked: the list of RustSec (github.com) cannot be reached."; fi

UNITS = $(CARGO) test --workspace --locked
# Most of these tests wait for disks, sockets and other processes: twice as many at once as there are
# processors take a sixth less time.
UNITS_AT_ONCE = $$((2 * $$(getconf _NPROCESSORS_ONLN)))
.PHONY: units
units: built tested ## Unit, property and black-box tests, and the comparison with other chess libraries

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
page: modules ## The page: types, lint, format, tests, weight
	cd web && npm run --silent check && npm run --silent weight

.PHONY: browser
browser: modules ## The page in a real browser against the real server
	[ -n "$${HANSU_BIN:-}" ] || $(CARGO) build --locked -p hansu
	cd web && npm run --silent browser

.PHONY: pictures
pictures: modules ## Pictures of the page, into docs/pictures and target/pictures
	$(CARGO) build --locked -p hansu
	cd web && npm run --silent pictures

.PHONY: audit
audit: modules ## Lighthouse on the home page and on a game (quiet machine, chromium with its window)
	@[ -x "$${CHROMIUM:-/usr/bin/chromium}" ] || { echo "Missing: apt-get install chromium" >&2; exit 1; }
	$(CARGO) build --locked -p hansu
	cd web/audit && npm ci
	cd web && npm run --silent audit

.PHONY: oracle
oracle: ## Compare with other chess libraries
	$(CARGO) test --locked -p hansu-oracle -p hansu-peers

.PHONY: bench
bench: ## Measure against the rivals, and the log with GAMES games (quiet machine, half an hour)
	@mkdir -p target
	rigs/peers/bench.sh all --json target/bench.json
	$(CARGO) run --release --locked -p hansu-records --example figures -- $(GAMES)

.PHONY: growth
growth: ## How costs grow with the games in the log, up to GAMES, in a file and in PostgreSQL (5 minutes)
	@mkdir -p target
	$(CARGO) run --release --locked -p hansu-records --example growth -- $(GAMES) target/growth.svg

.PHONY: keys
keys: ## A million random keys, clicks and sizes at the board in the terminal (KEYS)
	HANSU_KEYS=$(KEYS) $(CARGO) test --locked -p hansu-console --test screen random_keys

.PHONY: fuzz
fuzz: ## Throw bytes at every parser, SECONDS_EACH seconds each
	tools/fuzz.sh $(SECONDS_EACH)

.PHONY: mutants
mutants: ## Change the code in small ways and see whether a test notices
	tools/mutants.sh

.PHONY: soak
soak: ## The long versions of tests: POSITIONS compared, KILLS dealt out, SEEDS and RACES simulated
	$(CARGO) run --release --locked -p hansu-oracle -- --positions $(POSITIONS)
	HANSU_KILLS=$(KILLS) $(CARGO) test --locked -p hansu-records --test durability
	HANSU_SEEDS=$(SEEDS) HANSU_RACES=$(RACES) $(CARGO) test --locked -p hansu-simulation -- --nocapture
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) kill --kills $(KILLS)
	$(LOAD) soak --minutes $(MINUTES)

.PHONY: load
load: ## The server under load, at its limit, and with everybody coming back at once (10 minutes)
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) play
	$(LOAD) play --rate max --no-echo
	$(LOAD) reconnect

.PHONY: abuse
abuse: ## Hostile clients by the thousand
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) abuse

.PHONY: soak-server
soak-server: ## The server under load for MINUTES minutes: memory and files must stay flat
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) soak --minutes $(MINUTES)

.PHONY: load-nodes
load-nodes: ## One, two and three nodes over PostgreSQL and NATS at RATE moves a second
	$(CARGO) build --release --locked -p hansu -p hansu-load
	for nodes in 1 2 3; do $(LOAD) nodes --nodes $$nodes --games 1000 --watchers 0 --rate $(RATE) || exit 1; done

.PHONY: soak-nodes
soak-nodes: ## Three nodes while they, PostgreSQL and NATS are killed, hang and are cut off (15 minutes)
	$(CARGO) build --release --locked -p hansu -p hansu-load
	$(LOAD) nodes --node-kills 100 --database-kills 20 --bus-kills 50 --freezes 50 --cuts 20

.PHONY: adversary
adversary: ## A hostile client at the real server: ROUNDS kills and faults from SEED, forgeries, bombs, bad disks
	[ -n "$${HANSU_BIN:-}" ] || $(CARGO) build --locked -p hansu
	$(CARGO) build --locked -p hansu-adversary
	$(BUILT)/debug/hansu-adversary --rounds $(ROUNDS) --seed $(SEED) $(ONLY)

.PHONY: autobahn
autobahn: ## The Autobahn suite against the websocket library with the server's settings
	$(CARGO) build --release --locked -p hansu-load
	tools/autobahn.sh $(LOAD)

.PHONY: scale
scale: ## A city at the boards, simulated: PEOPLE at once, MOVES a second, from SEED (half a minute)
	@mkdir -p target
	$(CARGO) run --release --locked --quiet -p hansu-scale -- --people $(PEOPLE) --moves $(MOVES) --seed $(SEED) --svg target/scale.svg

.PHONY: clean
clean: ## Remove what was built
	$(CARGO) clean
