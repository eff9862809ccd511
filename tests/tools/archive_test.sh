#!/bin/sh
# archive_test.sh ARCHIVE ROOT PLUGINS: et-studio from the archive works in the system whose root folder is ROOT, on a
# virtual display: it opens files, runs tests and programs, and installs its menu entry. PLUGINS is a folder of Qt plugins
# with generic/libwindow_hands.so, which sends user input. Used by tools/release --check.
set -eu
archive=$1
root=$2
plugins=$3
name=$(basename "$archive" .tar.xz)
most=120000000

wrong() {
    echo "$*" >&2
    [ ! -f "$root/home/shown" ] || cat "$root/home/shown" >&2
    exit 1
}

# inside COMMAND...: runs COMMAND in ROOT, with its own /proc.
as_root=
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
inside() {
    unshare $as_root --mount --pid --fork --mount-proc="$root/proc" chroot "$root" /usr/bin/env -i \
        PATH=/usr/bin:/bin HOME=/home XDG_RUNTIME_DIR=/home LC_ALL=C.UTF-8 "$@"
}

[ "$(stat -c %s "$archive")" -le $most ] || wrong "the archive has more than $most bytes"
mkdir -p "$root/opt" "$root/home" "$root/dev" "$root/proc"
[ -e "$root/dev/null" ] || : >"$root/dev/null"
python3 -m tarfile --filter data -e "$archive" "$root/opt"
studio=/opt/$name/et-studio

inside $studio --version | grep -q '^et-studio [0-9.]* (Qt ' || wrong "no version"
inside $studio --help | grep -q -e --uninstall || wrong "no help for the desktop"
status=0
inside $studio >"$root/home/shown" 2>&1 || status=$?
[ "$status" -eq 3 ] || wrong "without a display: exit status $status"
[ "$(wc -l <"$root/home/shown")" -eq 1 ] || wrong "without a display: not one line"

inside "/opt/$name/et-inspect" sample add_mul -o /home/made >/dev/null || wrong "et-inspect sample"
inside "/opt/$name/et-inspect" graph /home/made/add_mul.pte -o /home/graph.svg >/dev/null || wrong "et-inspect graph"
mkdir -p "$root/opt/$name/lib/plugins/generic"
cp "$plugins/generic/libwindow_hands.so" "$root/opt/$name/lib/plugins/generic/"
cp "/usr/lib/$(uname -m)-linux-gnu/libQt6Test.so.6" "$root/opt/$name/lib/"
Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$root/home/display" 2>/dev/null &
server=$!
trap 'kill $server' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ ! -s "$root/home/display" ] || break
    sleep 1
done
for platform in xcb offscreen; do
    status=0
    inside DISPLAY=":$(cat "$root/home/display")" QT_QPA_PLATFORM=$platform QT_QPA_GENERIC_PLUGINS=window_hands \
        $studio /home/made/add_mul.bpte /home/made/add_mul.etrecord >"$root/home/shown" 2>&1 || status=$?
    [ "$status" -eq 0 ] || wrong "$platform: exit status $status"
    for result in 'Verify: .*pass' 'Run: .*done' 'Gap: .*operators'; do
        grep -q "^$result" "$root/home/shown" || wrong "$platform: no line with $result"
    done
done

inside $studio --install >/dev/null
grep -qxF "Exec=\"$studio\" %F" "$root/home/.local/share/applications/et-studio.desktop" || wrong "no menu entry"
[ -s "$root/home/.local/share/icons/hicolor/48x48/apps/et-studio.png" ] || wrong "no icon"
[ -s "$root/home/.local/share/mime/packages/et-inspect.xml" ] || wrong "no file types"
inside $studio --uninstall >/dev/null
left=$(find "$root/home/.local/share" -name 'et-*')
[ -z "$left" ] || wrong "not removed: $left"
