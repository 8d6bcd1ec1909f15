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
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
  echo "Installing the WebAssembly target …"
  rustup target add wasm32-unknown-unknown >/dev/null 2>&1 ||
    missing+=("the WebAssembly target: rustup target add wasm32-unknown-unknown")
fi
if ! cargo deny --version >/dev/null 2>&1; then
  echo "Installing cargo-deny (a few minutes, once) …"
  cargo install --locked --quiet cargo-deny || missing+=("cargo-deny: cargo install --locked cargo-deny")
fi

root=()
((EUID == 0)) || root=(sudo -n)

# From Debian's packages, where we may: `debian PACKAGE CHECK…` installs what the check does not find.
debian() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 && return
  echo "Installing $package …"
  { "${root[@]}" apt-get install -y -qq "$package" ||
    { "${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq "$package"; }
  } >/dev/null 2>&1 || missing+=("apt-get install $package")
}
korean_font() { fc-list :lang=ko | grep -q .; }
nats() { command -v nats-server || test -x /usr/sbin/nats-server; }
postgres() { compgen -G '/usr/lib/postgresql/*/bin/initdb'; }
debian strace command -v strace # sees whether the disk was synced before an acknowledgement left
debian tmux command -v tmux # the terminal of the board's tests
debian chromium-headless-shell command -v "${CHROMIUM:-chromium-headless-shell}" # the browser of the page's tests
if ! postgres >/dev/null; then
  # The database of several servers. Tests start their own, in a folder that goes away; the one that
  # Debian's package would make and start on the usual port is not wanted.
  settings=/etc/postgresql-common/createcluster.conf
  debian postgresql-common test -e "$settings"
  "${root[@]}" sed -i.hansu -E 's/^#? *create_main_cluster .*/create_main_cluster = false/' "$settings" || true
  debian postgresql postgres
  "${root[@]}" mv -f "$settings.hansu" "$settings" || true
fi
debian nats-server nats # what several servers tell each other with; tests start their own
debian fonts-noto-cjk korean_font # without it Korean is boxes in pictures

if ((${#missing[@]})); then
  printf 'Missing: %s\n' "${missing[@]}" >&2
  exit 1
fi
