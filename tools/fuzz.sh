#!/usr/bin/env bash
# Runs every fuzz target, or those named, for some seconds: tools/fuzz.sh [SECONDS] [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true

command -v cargo-fuzz >/dev/null || cargo install --locked --quiet cargo-fuzz
targets=("$@")
((${#targets[@]})) || mapfile -t targets < <(cargo fuzz list)

# The coverage flags are unstable compiler options; RUSTC_BOOTSTRAP lets the stable compiler accept
# them. No sanitizer: the code is safe Rust except for one module, and sanitizers need a nightly
# std.
for target in "${targets[@]}"; do
  echo "== $target for $seconds s"
  mkdir -p "fuzz/corpus/$target" "fuzz/seeds/$target"
  RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none "$target" \
    "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
    -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -print_final_stats=1
done
