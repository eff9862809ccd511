# Shared by the scripts in tools/. A script sets $tools (its own folder) and sources this file.

checkout=$(dirname "$tools")

if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
    export HOME
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/et-inspect

# Start time of the outermost script, inherited by the scripts that it calls.
: "${ET_STARTED:=$(date +%s)}"
export ET_STARTED

# say TEXT...: prints a progress line with the seconds since the start.
say() {
    printf '[%3d s] %s\n' "$(($(date +%s) - ET_STARTED))" "$*"
}

# fail TEXT...: prints a line on stderr and exits.
fail() {
    printf 'tools/%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# no_arguments WHAT [ARGUMENT...]: accepts only --help, which prints the description WHAT.
no_arguments() {
    what=$1
    shift
    [ $# -gt 0 ] || return 0
    echo "usage: tools/${0##*/}   ($what)"
    [ "$1" = --help ] || [ "$1" = -h ] || exit 2
    exit 0
}

# packages: names in tools/packages.txt, one per line, without those for arm64.
packages() {
    listed_packages | grep -v ':'
}

# arm64_packages: names for the arm64 folder, with their architecture.
arm64_packages() {
    listed_packages | grep ':'
}

listed_packages() {
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$tools/packages.txt"
}

# jobs: number of parallel compilers. A heavy C++ file needs about 1.5 GB.
jobs() {
    if [ -n "${ET_JOBS:-}" ]; then
        echo "$ET_JOBS"
        return
    fi
    awk -v cores="$(nproc)" '/^MemAvailable:/ { fit = int($2 / 1572864) }
        END { print fit < 1 ? 1 : fit < cores ? fit : cores }' /proc/meminfo
}

# lock FILE WHAT: locks FILE; prints a message if another process holds it.
lock() {
    mkdir -p "$(dirname "$1")"
    exec 9>"$1"
    flock -n 9 || {
        say "waiting for another process that $2"
        flock 9
    }
}

# narrate LOG: prints the progress of the apt or mmdebstrap run that writes LOG, every 5 seconds.
narrate() {
    while sleep 5; do
        say "  $(awk '/^Get:/ { got++ } /^Unpacking / { unpacked++ } /^Setting up / { ready++ }
            END { printf "%d downloads, %d unpacked, %d set up", got, unpacked, ready }' "$1")"
    done
}

# narrated LOG COMMAND...: runs COMMAND with its output in LOG and progress on the screen. Prints the end of LOG
# if COMMAND fails.
narrated() {
    log=$1
    shift
    : >"$log"
    narrate "$log" 9>&- &
    narrator=$!
    status=0
    "$@" >"$log" 2>&1 </dev/null || status=$?
    kill "$narrator" 2>/dev/null || true
    wait "$narrator" 2>/dev/null || true
    if [ "$status" -ne 0 ]; then
        tail -n 15 "$log" >&2
    fi
    return "$status"
}
