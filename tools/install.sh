#!/usr/bin/env bash
# Installs what `make test` needs and the machine lacks. Requires Rust, Node, a C compiler, make and
# git. Names everything that cannot be installed and then fails; nothing is skipped.
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

# `debian PACKAGE CHECK…` installs a Debian package if the check fails and root rights are
# available.
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
debian strace command -v strace # shows that the disk is synced before an acknowledgement is sent
debian tmux command -v tmux # the terminal in the board's tests
debian chromium-headless-shell command -v "${CHROMIUM:-chromium-headless-shell}" # the browser in the page's tests
if ! postgres >/dev/null; then
  # The database of several servers. Tests start their own in temporary folders, so the package must
  # not create and start a cluster on the usual port.
  settings=/etc/postgresql-common/createcluster.conf
  debian postgresql-common test -e "$settings"
  "${root[@]}" sed -i.hansu -E 's/^#? *create_main_cluster .*/create_main_cluster = false/' "$settings" || true
  debian postgresql postgres
  "${root[@]}" mv -f "$settings.hansu" "$settings" || true
fi
debian nats-server nats # the bus between several servers; tests start their own
debian fonts-noto-cjk korean_font # without it pictures show boxes instead of Korean

if ((${#missing[@]})); then
  printf 'Missing: %s\n' "${missing[@]}" >&2
  exit 1
fi
