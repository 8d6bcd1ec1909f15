#!/usr/bin/env bash
# Runs the Autobahn suite (autobahntestsuite on PyPI) against the websocket library with the
# server's own settings: `hansu-load echo`, messages of up to 64 MiB. The suite is Python 2, so it
# gets its own environment under target/; $PYTHON2 names an interpreter if none is found.
# Usage: tools/autobahn.sh PROGRAM, where PROGRAM is a built hansu-load.
set -euo pipefail

program=$1
folder=${CARGO_TARGET_DIR:-target}/autobahn
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

python=${PYTHON2:-}
for candidate in python2.7 python2 "$HOME"/.pyenv/versions/2.7*/bin/python pypy; do
  [[ -z $python ]] && "$candidate" -c 'import sys; sys.exit(sys.version_info[0] != 2)' \
    >/dev/null 2>&1 && python=$candidate
done
if [[ -z $python ]]; then
  echo "Missing: Python 2.7, in which the Autobahn suite is written (pyenv install 2.7.18)" >&2
  exit 1
fi

if [[ ! -x $folder/python/bin/wstest ]]; then
  "$python" -m virtualenv --version >/dev/null 2>&1 || "$python" -m pip install --quiet virtualenv
  "$python" -m virtualenv --quiet "$folder/python"
  "$folder/python/bin/pip" install --quiet autobahntestsuite==25.10.1
fi

"$program" echo --suite --listen 127.0.0.1:0 >"$folder/echo.out" &
echo=$!
trap 'kill $echo' EXIT
until url=$(grep -o 'ws://.*' "$folder/echo.out"); do sleep 0.1; done

# 12 and 13 are compression, which the server does not offer.
cat >"$folder/spec.json" <<SPEC
{ "outdir": "$folder/reports",
  "servers": [{ "agent": "hansu", "url": "$url" }],
  "cases": ["*"], "exclude-cases": ["12.*", "13.*"], "exclude-agent-cases": {} }
SPEC
rm -rf "$folder/reports"
(cd "$folder" && python/bin/wstest -m fuzzingclient -s spec.json >wstest.log 2>&1)

"$folder/python/bin/python" - "$folder/reports/index.json" <<'JUDGE'
import collections, json, sys
cases = json.load(open(sys.argv[1]))["hansu"]
counts = collections.Counter(case["behavior"] for case in cases.values())
closes = collections.Counter(case["behaviorClose"] for case in cases.values())
print("%d cases: %s" % (len(cases), dict(counts)))
print("closing: %s" % dict(closes))
good = ("OK", "NON-STRICT", "INFORMATIONAL")
bad = [name for name, case in sorted(cases.items())
       if case["behavior"] not in good or case["behaviorClose"] not in good]
for name in bad:
    print("failed: %s %s" % (name, cases[name]))
sys.exit(1 if bad or len(cases) < 200 else 0)
JUDGE
