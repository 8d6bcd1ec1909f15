#!/usr/bin/env bash
# Installs what `make test` needs and the machine lacks. Needs only Rust, Node, a C compiler, make
# and git to begin with; what cannot be installed is named, and the run fails: nothing is skipped.
set -euo pipefail

missing=()

for command in cargo cc git node npm; do
  command -v "$command" >/dev/null || missing+=("$command")
done
for component in fmt clippy; do
  cargo "$component" --version >/dev/null 2>&1 || missing+=("the Rust component ${component/fmt/rustfmt}")
done
if ! cargo deny --version >/dev/null 2>&1; then
  echo "Installing cargo-deny (a few minutes, once) …"
  cargo install --locked --quiet cargo-deny || missing+=("cargo-deny: cargo install --locked cargo-deny")
fi

# From Debian's packages, where we may.
debian() {
  local command=$1 package=$2
  command -v "$command" >/dev/null && return
  echo "Installing $package …"
  local root=()
  ((EUID == 0)) || root=(sudo -n)
  { "${root[@]}" apt-get install -y -qq "$package" ||
    { "${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq "$package"; }
  } >/dev/null 2>&1 || missing+=("$command: apt-get install $package")
}
debian strace strace # sees whether the disk was synced before an acknowledgement left

if ((${#missing[@]})); then
  printf 'Missing: %s\n' "${missing[@]}" >&2
  exit 1
fi
