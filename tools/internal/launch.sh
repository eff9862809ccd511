# Shared by the launchers in bin/: starts a program of the release build. On a host with the libraries of the build, runs
# the program directly. On an older host, the dynamic loader of the private root starts it, with the root's libraries but
# the host's file system, so that paths of the user are valid. Sourced with $bin set.
#
# Runs before every command, so it uses builtins only and starts no other process.

build=$bin/../build/release
root=/ loader='' libraries=''
[ -r "$build/environment" ] && { read -r root && read -r loader && read -r libraries; } <"$build/environment"

# The root's Qt searches plugins and data in /usr, where the host has others or none, and QT_PLUGIN_PATH is for the
# host's Qt. ET_QT_PLUGIN_PATH adds plugin folders for this Qt.
use_qt_of_root() {
    if [ "$root" = / ]; then
        [ -z "${ET_QT_PLUGIN_PATH-}" ] || export QT_PLUGIN_PATH="$ET_QT_PLUGIN_PATH${QT_PLUGIN_PATH:+:$QT_PLUGIN_PATH}"
        return 0
    fi
    export QT_PLUGIN_PATH="$libraries/qt6/plugins${ET_QT_PLUGIN_PATH:+:$ET_QT_PLUGIN_PATH}"
    export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$root/etc/et-inspect-fonts.conf}"
    export XKB_CONFIG_ROOT="${XKB_CONFIG_ROOT:-$root/usr/share/X11/xkb}"
    export XLOCALEDIR="${XLOCALEDIR:-$root/usr/share/X11/locale}"
}

# launch PROGRAM ARGUMENT...: replaces this process with build/release/PROGRAM.
launch() {
    program=$build/$1
    name=${1##*/}
    shift
    if [ ! -x "$program" ] || { [ "$root" != / ] && [ ! -x "$loader" ]; }; then
        echo "$name: not built here yet: run $(CDPATH='' cd "$bin/.." && pwd)/tools/build" >&2
        exit 127
    fi
    # For programs that start themselves or each other: their own executable may be the loader.
    case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
    export ET_INSPECT_LAUNCHER="$bin/et-inspect" ET_INSPECT_LAYOUT="$bin/../tools/internal/layout"
    export ET_INSPECT_AGENT="$build/app/agent/et-agent"
    arm64=$build/../arm64/app/agent/et-agent
    [ ! -x "$arm64" ] || export ET_INSPECT_AGENT_ARM64="$arm64"
    if [ "$root" = / ]; then
        exec "$program" "$@"
    fi
    exec "$loader" --inhibit-cache --library-path "$libraries" --argv0 "$name" "$program" "$@"
}

# launch_python ARGUMENT...: replaces this process with Python, with et_inspect on its path.
launch_python() {
    case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
    package=$bin/../build/release/python
    if [ ! -e "$package/et_inspect/__init__.py" ] || { [ "$root" != / ] && [ ! -x "$loader" ]; }; then
        echo "et-python: not built here yet: run $(CDPATH='' cd "$bin/.." && pwd)/tools/build release python" >&2
        exit 127
    fi
    export ET_INSPECT_LAUNCHER="$bin/et-inspect" ET_INSPECT_LAYOUT="$bin/../tools/internal/layout"
    case :${PYTHONPATH-}: in
        *:"$package":*) ;; # started by et-python
        *) export PYTHONPATH="$package${PYTHONPATH:+:$PYTHONPATH}" ;;
    esac
    if [ "$root" = / ]; then
        exec python3 "$@"
    fi
    # Python would search its modules relative to the loader.
    export PYTHONHOME="$root/usr"
    # argv0 becomes sys.executable, which multiprocessing, Jupyter and others start: the root's python3 needs the loader.
    exec "$loader" --inhibit-cache --library-path "$libraries" --argv0 "$bin/et-python" "$root/usr/bin/python3" "$@"
}
