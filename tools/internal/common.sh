# What the scripts of tools/ share. A script sets $tools (its own folder) and sources this file.

checkout=$(dirname "$tools")

if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
    export HOME
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/et-inspect

# The clock of the outermost script: a script that calls another one keeps its time.
: "${ET_STARTED:=$(date +%s)}"
export ET_STARTED

# say TEXT...: one line of progress with the seconds since the start.
say() {
    printf '[%3d s] %s\n' "$(($(date +%s) - ET_STARTED))" "$*"
}

# fail TEXT...: one line on stderr, and the end.
fail() {
    printf 'tools/%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# no_arguments WHAT [ARGUMENT...]: for a script that takes none but --help, which prints WHAT it does.
no_arguments() {
    what=$1
    shift
    [ $# -gt 0 ] || return 0
    echo "usage: tools/${0##*/}   ($what)"
    [ "$1" = --help ] || [ "$1" = -h ] || exit 2
    exit 0
}

# packages: the names in tools/packages.txt, one a line, without those of the folder for arm64.
packages() {
    listed_packages | grep -v ':'
}

# arm64_packages: those of the folder for arm64, with their processors.
arm64_packages() {
    listed_packages | grep ':'
}

listed_packages() {
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$tools/packages.txt"
}

# jobs: how many compilers at once. A heavy C++ file takes about 1.5 GB.
jobs() {
    if [ -n "${ET_JOBS:-}" ]; then
        echo "$ET_JOBS"
        return
    fi
    awk -v cores="$(nproc)" '/^MemAvailable:/ { fit = int($2 / 1572864) }
        END { print fit < 1 ? 1 : fit < cores ? fit : cores }' /proc/meminfo
}

# lock FILE WHAT: waits until no other process holds FILE, and says so when it has to wait.
lock() {
    mkdir -p "$(dirname "$1")"
    exec 9>"$1"
    flock -n 9 || {
        say "waiting for another process that $2"
        flock 9
    }
}

# Says every 5 seconds how far the apt or mmdebstrap run has come that writes LOG.
narrate() {
    while sleep 5; do
        say "  $(awk '/^Get:/ { got++ } /^Unpacking / { unpacked++ } /^Setting up / { ready++ }
            END { printf "%d downloads, %d unpacked, %d set up", got, unpacked, ready }' "$1")"
    done
}

# narrated LOG COMMAND...: runs COMMAND with its output in LOG and progress on the screen. Shows the end of LOG
# when COMMAND fails.
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
