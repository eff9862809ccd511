#!/bin/sh
# window_test.sh CHECKOUT PLUGINS: the window, started by bin/et-studio, runs tests, programs and gaps. PLUGINS is a
# folder of Qt plugins with generic/libwindow_hands.so, which sends user input.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

wrong() {
    echo "$*" >&2
    [ ! -f shown ] || cat shown >&2
    exit 1
}

"$1/bin/et-inspect" sample add_mul -o made >made.txt || wrong "sample: exit status $?"
# A PATH without et-inspect: only the checkout's can be found.
status=0
env PATH=/usr/bin:/bin HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" XDG_CACHE_HOME="$scratch/cache" \
    QT_QPA_PLATFORM=offscreen QT_QPA_GENERIC_PLUGINS=window_hands ET_QT_PLUGIN_PATH="$2" \
    "$1/bin/et-studio" made/add_mul.bpte made/add_mul.etrecord >shown 2>&1 || status=$?
[ "$status" -eq 0 ] || wrong "et-studio: exit status $status"
grep -q '^Verify: .*pass' shown || wrong "Verify ran nothing"
grep -q '^Run: .*done' shown || wrong "Run ran nothing"
grep -q '^Gap: .*operators' shown || wrong "Gap calculated nothing"
