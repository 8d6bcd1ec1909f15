#!/usr/bin/env bash
# Mutation testing: tools/mutants.sh [options for cargo mutants]. Hours on two cores; `--shard k/n`
# takes a part.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-mutants >/dev/null || cargo install --locked --quiet cargo-mutants
exec cargo mutants --package hansu-chess --package hansu-play "$@"
