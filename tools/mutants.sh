#!/usr/bin/env bash
# Mutation testing: tools/mutants.sh [options for cargo mutants, such as --shard 0/8]. Settings:
# .cargo/mutants.toml; figures, and survivors that change nothing: docs/mutants.md.
#
# First every mutant is tested, with few cases, by the one test binary that most probably catches
# it:
# two to three seconds of processor time each. Then the survivors are tested by all tests and all
# examples, with all cases. Mutants come in random order, so an interrupted run is an even sample.
# The next run continues where the last one stopped; remove target/mutants to start from the
# beginning.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-mutants >/dev/null || cargo install --locked --quiet cargo-mutants

# mutants CRATE OPTIONS…: tests the mutants that were not caught before.
mutants() {
    local crate=$1 status=0
    shift
    local results=target/mutants/$crate/mutants.out
    mkdir -p "target/mutants/$crate"
    nice -n 19 cargo mutants --package "$crate" --output "target/mutants/$crate" --iterate \
        --shuffle --sharding round-robin --baseline skip --build-timeout 600 --timeout 300 \
        "$@" || status=$?
    # 2: some were missed, 3: some timed out. The latter count as caught.
    if ((status != 0 && status != 2 && status != 3)); then
        exit "$status"
    fi
    if [[ -f $results/timeout.txt ]]; then
        cat "$results/timeout.txt" >>"$results/caught.txt"
    fi
}

# Files with unit tests; all others are tested from outside.
inside=(crates/chess/src/{pgn,epd,sliders,unchecked,zobrist}.rs 'crates/chess/src/pgn/**')
(
    export PROPTEST_CASES=8 PROPTEST_MAX_SHRINK_ITERS=0 HANSU_PERFT_LEAVES=20000
    mutants hansu-chess "${inside[@]/#/--file=}" --cargo-arg=--lib "$@"
    mutants hansu-chess "${inside[@]/#/--exclude=}" --cargo-arg=--test=rules "$@"
    mutants hansu-play --cargo-arg=--test=game "$@"
)
mutants hansu-chess "$@"
mutants hansu-play "$@"
