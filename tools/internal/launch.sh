# What the launchers in bin/ share: start a program of the release build. On a host whose libraries it was built
# with, that is the program itself; on an older one, the private root's dynamic loader starts it, with the root's
# libraries but in the host's file system, so that every path means what the user means. Sourced with $bin set.
#
# This runs before every command: builtins only, no process besides the program.

build=$bin/../build/release
root=/ loader='' libraries=''
[ -r "$build/environment" ] && { read -r root && read -r loader && read -r libraries; } <"$build/environment"

# The Qt of the root looks for its plugins and data in /usr, where the host has other ones or none.
use_qt_of_root() {
    [ "$root" != / ] || return 0
    export QT_PLUGIN_PATH="$libraries/qt6/plugins"
    export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$root/etc/et-inspect-fonts.conf}"
    export XKB_CONFIG_ROOT="${XKB_CONFIG_ROOT:-$root/usr/share/X11/xkb}"
    export XLOCALEDIR="${XLOCALEDIR:-$root/usr/share/X11/locale}"
}

# launch PROGRAM ARGUMENT...: becomes build/release/PROGRAM.
launch() {
    program=$build/$1
    name=${1##*/}
    shift
    if [ ! -x "$program" ] || { [ "$root" != / ] && [ ! -x "$loader" ]; }; then
        echo "$name: not built here yet: run $(CDPATH='' cd "$bin/.." && pwd)/tools/build" >&2
        exit 127
    fi
    if [ "$root" = / ]; then
        exec "$program" "$@"
    fi
    # For programs that start themselves again, or what lies beside them: what they run as is the loader.
    export ET_INSPECT_LAUNCHER="$bin/et-inspect" ET_INSPECT_LAYOUT="$bin/../tools/internal/layout"
    exec "$loader" --inhibit-cache --library-path "$libraries" --argv0 "$name" "$program" "$@"
}
