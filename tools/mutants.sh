#!/usr/bin/env bash
# Mutation testing: tools/mutants.sh [options for cargo mutants, such as --shard 0/8]. Settings:
# .cargo/mutants.toml; figures, and survivors that change nothing: docs/mutants.md.
#
# First every mutant meets, with few cases, the one test binary that is likeliest to kill it: two to
# three seconds of processor time each. Then the survivors meet every test and every example, with
# all cases. Mutants come in random order: the figures of a run that was cut short are those of an
# even sample. The next run goes on where it stopped; remove target/mutants to start anew.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-mutants >/dev/null || cargo install --locked --quiet cargo-mutants

# mutants CRATE OPTIONS…: what has been caught before is left out.
mutants() {
    local crate=$1 status=0
    shift
    local results=target/mutants/$crate/mutants.out
    mkdir -p "target/mutants/$crate"
    nice -n 19 cargo mutants --package "$crate" --output "target/mutants/$crate" --iterate \
        --shuffle --sharding round-robin --baseline skip --build-timeout 600 --timeout 300 \
        "$@" || status=$?
    # 2: some were missed, 3: some did not end. The latter are as good as caught.
    if ((status != 0 && status != 2 && status != 3)); then
        exit "$status"
    fi
    if [[ -f $results/timeout.txt ]]; then
        cat "$results/timeout.txt" >>"$results/caught.txt"
    fi
}

# Files with tests of their own beside or inside them; all others are known from outside.
inside=(crates/chess/src/{pgn,epd,sliders,unchecked,zobrist}.rs 'crates/chess/src/pgn/**')
(
    export PROPTEST_CASES=8 PROPTEST_MAX_SHRINK_ITERS=0 HANSU_PERFT_LEAVES=20000
    mutants hansu-chess "${inside[@]/#/--file=}" --cargo-arg=--lib "$@"
    mutants hansu-chess "${inside[@]/#/--exclude=}" --cargo-arg=--test=rules "$@"
    mutants hansu-play --cargo-arg=--test=game "$@"
)
mutants hansu-chess "$@"
mutants hansu-play "$@"
