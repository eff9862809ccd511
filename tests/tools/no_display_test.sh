#!/bin/sh
# no_display_test.sh ET_STUDIO: without a display, et-studio prints one line and exits with 3; its version needs no display.
set -eu
wrong() {
    echo "$*" >&2
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for platform in xcb wayland; do
    status=0
    env -u WAYLAND_DISPLAY HOME="$scratch" XDG_RUNTIME_DIR="$scratch" DISPLAY=:987 QT_QPA_PLATFORM=$platform \
        "$1" 2>"$scratch/err" >"$scratch/out" || status=$?
    [ "$status" -eq 3 ] || wrong "$platform: exit status $status: $(cat "$scratch/err")"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "$platform: not one line: $(cat "$scratch/err")"
    grep -q '^et-studio: cannot open a window: ' "$scratch/err" || wrong "$platform: $(cat "$scratch/err")"
done
env -u DISPLAY "$1" --version | grep -Eq '^et-studio [0-9.]+ \(Qt 6\.[0-9.]+\)$' || wrong "unexpected version"
