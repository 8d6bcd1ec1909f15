#!/bin/sh
# Instructions per perft node: two depths under callgrind, the difference in instructions divided
# by the difference in nodes, so that start-up and tables are not counted.
#
#   rigs/peers/instructions.sh [--leaves] RIVAL POSITION DEPTH ...
#
# DEPTH is compared with DEPTH - 1. Any number of such triples; each gives a line of output. With
# --leaves every leaf is made instead of counting the last ply in bulk. Built for Haswell, which
# has PEXT and whose instructions valgrind knows; it does not know AVX-512.
set -eu
export LC_ALL=C

leaves=
if [ "${1-}" = --leaves ]; then
    leaves=$1
    shift
fi
if [ $# -eq 0 ] || [ $(($# % 3)) -ne 0 ]; then
    echo "usage: $0 [--leaves] RIVAL POSITION DEPTH ..." >&2
    exit 2
fi

here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}/instructions
CARGO_TARGET_DIR=$target RUSTFLAGS="-C target-cpu=haswell" RUSTC_BOOTSTRAP=chess_move_gen \
    cargo build --quiet --release --manifest-path "$here/Cargo.toml" \
    --features native,chess-move-gen >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Prints "INSTRUCTIONS NODES" of one perft.
count() {
    # shellcheck disable=SC2086 # no argument when it is empty
    nodes=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" \
        "$target/release/hansu-peers" count $leaves "$@")
    instructions=$(sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$log")
    echo "$instructions $nodes"
}

while [ $# -gt 0 ]; do
    shallow=$(count "$1" "$2" $(($3 - 1)))
    deep=$(count "$1" "$2" "$3")
    echo "$shallow $deep" | awk '{ printf "%.2f\n", ($3 - $1) / ($4 - $2) }'
    shift 3
done
