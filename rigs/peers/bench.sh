#!/bin/sh
# Builds the comparison twice, for this processor and portably, and runs it.
#
#   rigs/peers/bench.sh [TASK] [OPTIONS]        (TASK: all, perft, leaves, san, fen, pgn, ...)
set -eu

[ $# -gt 0 ] || set -- all
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
# Only this crate may use unstable features.
export RUSTC_BOOTSTRAP=chess_move_gen

# build FOLDER RUSTFLAGS FEATURES
build() {
    CARGO_TARGET_DIR=$target/$1 RUSTFLAGS=$2 \
        cargo build --quiet --release --manifest-path "$here/Cargo.toml" --features "$3"
}
build portable "" chess-move-gen
build native "-C target-cpu=native" native,chess-move-gen

# The program looks for instructions.sh in the folder that `cargo run` would set.
export CARGO_MANIFEST_DIR="$here"
exec "$target/native/release/hansu-peers" --portable "$target/portable/release/hansu-peers" "$@"
