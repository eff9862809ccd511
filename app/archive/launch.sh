#!/bin/sh
# Starts the program of this name in lib/, with the libraries of this folder. README.md of app/archive.
set -eu
name=${0##*/}
case $0 in */*) link=$0 ;; *) link=./$0 ;; esac
# Only a link starts another process: this script also starts et-inspect for each model that runs.
[ ! -L "$link" ] || link=$(readlink -f "$link")
here=${link%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
lib=$here/lib
data=${XDG_DATA_HOME:-${HOME:-}/.local/share}

# Files of the desktop below share/, by their paths there; the menu entry gets the path of this folder.
desktop_files() {
    (cd "$here/share/desktop" && find . -type f ! -name et-studio.desktop)
}

# if_there COMMAND...: runs COMMAND if this host has it.
if_there() {
    ! command -v "$1" >/dev/null || "$@" 2>/dev/null || true
}

update_desktop() {
    if_there update-mime-database "$data/mime"
    if_there update-desktop-database "$data/applications"
    if_there gtk-update-icon-cache -q -t "$data/icons/hicolor"
}

install_desktop() {
    desktop_files | while IFS= read -r file; do
        mkdir -p "$data/${file%/*}"
        cp "$here/share/desktop/$file" "$data/$file"
    done
    mkdir -p "$data/applications"
    # Quoted as the Desktop Entry Specification requires.
    command=$(printf '%s' "$here/et-studio" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g; s/[&|\\]/\\&/g')
    sed -e "s|^Exec=.*|Exec=\"$command\" %F|" -e '/^TryExec=/d' "$here/share/desktop/applications/et-studio.desktop" \
        >"$data/applications/et-studio.desktop"
    update_desktop
    echo "et-studio: menu entry, icons and file types are in $data"
}

uninstall_desktop() {
    rm -f "$data/applications/et-studio.desktop"
    desktop_files | while IFS= read -r file; do
        rm -f "$data/$file"
    done
    update_desktop
    echo "et-studio: menu entry, icons and file types are removed from $data"
}

if [ "$name" = et-studio ]; then
    case ${1:-} in
        --install | --uninstall)
            [ $# -eq 1 ] || {
                echo "et-studio: $1 takes no arguments; see 'et-studio --help'" >&2
                exit 2
            }
            [ -n "${XDG_DATA_HOME:-}${HOME:-}" ] || {
                echo "et-studio: HOME is not set" >&2
                exit 2
            }
            "${1#--}_desktop"
            exit ;;
    esac
    export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/share/fonts.conf}"
    [ -d /usr/share/X11/xkb ] || export XKB_CONFIG_ROOT="${XKB_CONFIG_ROOT:-$here/share/xkb}"
    [ -d /usr/share/X11/locale ] || export XLOCALEDIR="${XLOCALEDIR:-$here/share/locale}"
fi
# The programs start each other by these paths: their own executable is the loader.
export ET_INSPECT_LAUNCHER="$here/et-inspect" ET_INSPECT_LAYOUT="$here/et-layout"
export ET_INSPECT_AGENT="$lib/et-agent" ET_INSPECT_AGENT_ARM64="$lib/et-agent-arm64"
# The host's libraries belong to the host's loader.
unset LD_PRELOAD QT_PLUGIN_PATH
case ${1:-} in
    -h | --help | --help-all)
        [ "$name" != et-studio ] || trap 'cat "$here/share/help.txt"' EXIT
        "$lib/LOADER" --inhibit-cache --library-path "$lib" --argv0 "$name" "$lib/$name" "$@"
        exit ;;
esac
exec "$lib/LOADER" --inhibit-cache --library-path "$lib" --argv0 "$name" "$lib/$name" "$@"
