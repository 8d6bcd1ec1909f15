#!/usr/bin/env bash
# One round of training on the GPU machine: generate on all cores, unpack, train, copy the results.
#
#   bash train/run.sh SECONDS [NET] [NODES]
#
# SECONDS  how long to generate; 0 to train on the existing games only
# NET      evaluation of the players: hand (default), own (the net in the program) or a net's file
# NODES    soft limit on nodes a move (default 2000)
#
# Needs the generator, built beforehand on a machine with Rust (see docs/engine.md), and python3 with
# torch. It can be run again: new games are added, and the training uses all games of $WORK (default
# train/work) and train/games. TRAIN=0 only generates; HIDDEN="256 512" trains two nets side by side.
# Results go to $OUT (default train/out), games in pieces below 16 MiB: `cat games-* > all.games`
# puts them together again.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?how many seconds to generate}
net=${2:-hand}
nodes=${3:-2000}
out=${OUT:-train/out}
work=${WORK:-train/work}
generator=${GENERATOR:-target/x86_64-unknown-linux-gnu/release/hansu-generate}
python=${PYTHON:-python3}
mkdir -p "$out" "$work"
chmod +x "$generator" 2>/dev/null || true

{
    echo "begin $(date -u +%FT%TZ), $(nproc) cores, net $net, $nodes nodes a move"
    new=$work/$(date +%s).games
    if [ "$seconds" -gt 0 ]; then
        "$generator" play --out "$new" --threads "${THREADS:-$(nproc)}" --seconds "$seconds" \
            --seed "${SEED:-$(date +%s)}" --nodes "$nodes" --net "$net"
    fi
    shopt -s nullglob
    games=("$work"/*.games train/games/*.games)
    "$generator" count "${games[@]}"
    if [ "${TRAIN:-1}" != 0 ]; then
        "$generator" unpack --out "$work/records" "${games[@]}"
        trainings=()
        for hidden in ${HIDDEN:-512}; do
            "$python" -u train/train.py "$work/records" --out "$out/hansu-$hidden.net" \
                --csv "$out/loss-$hidden.csv" --svg "$out/loss-$hidden.svg" --hidden "$hidden" \
                --epochs "${EPOCHS:-16}" --batch "${BATCH:-32768}" \
                --seconds "${TRAIN_SECONDS:-150}" 2>&1 | sed "s/^/$hidden: /" &
            trainings+=($!)
        done
        wait "${trainings[@]}"
        cp "$out"/hansu-*.net "$work/"
    fi
    # The machine and its games may be lost at any time: at most 46 MB of them are copied back.
    cat "${games[@]}" | head -c 46000000 | split -b 15500000 -d -a 1 - "$out/games-"
    echo "end $(date -u +%FT%TZ)"
} 2>&1 | tee "$out/log.txt"
