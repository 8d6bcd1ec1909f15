#!/usr/bin/env bash
# Mutation testing: tools/mutants.sh [options for cargo mutants]. Settings: .cargo/mutants.toml;
# figures and survivors that change nothing: docs/mutants.md.
#
# Three passes, each over what the passes before let live: the tests that kill fast with few cases,
# the examples in the documentation, and everything with all cases. Mutants come in random order:
# the figures of a run that was cut short are those of an even sample, and the next run goes on
# where it stopped. Results: target/mutants/<crate>/mutants.out; start anew by removing that folder.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-mutants >/dev/null || cargo install --locked --quiet cargo-mutants

# Cargo mutants speaks with its exit status as well (2: missed, 3: timeouts); counting comes last.
pass() {
    local crate=$1 seconds=$2
    shift 2
    cargo mutants --package "$crate" --output "target/mutants/$crate" --iterate --shuffle \
        --baseline skip --build-timeout 120 --timeout "$seconds" "$@" || (($? == 2 || $? == 3))
    # A mutant that never ends is as good as caught: do not wait for it again.
    local results="target/mutants/$crate/mutants.out"
    cat "$results/timeout.txt" >>"$results/caught.txt"
}

quick=(env PROPTEST_CASES=20 HANSU_PERFT_LEAVES=20000)
