# A private Debian 13 root for older hosts, and the arm64 folder for all hosts. Sourced by tools/env.
#
# The root is a directory <cache>/et-inspect/root-<key>, where the key is a hash of the package list, so a changed list
# gets a new root. A finished root is never modified. The superuser creates it in /var/cache for all users (or in
# XDG_CACHE_HOME if set); other users create one in their own cache if there is none.

suite=trixie
shared_cache=/var/cache/et-inspect

root_key() {
    { echo "layout 1 $suite $(dpkg --print-architecture)"; packages | sort; } | sha256sum | cut -c1-12
}

arm64_key() {
    echo "arm64-$({ echo "layout 1 $suite"; arm64_packages | sort; } | sha256sum | cut -c1-12)"
}

# find_root KEY: prints the path of a finished root, or fails.
find_root() {
    for place in "$cache" "$shared_cache"; do
        # Only roots owned by the superuser or this user are trusted.
        if [ -d "$place/root-$1" ] && [ -n "$(find "$place/root-$1" -maxdepth 0 \( -uid 0 -o -uid "$(id -u)" \))" ]; then
            echo "$place/root-$1"
            return 0
        fi
    done
    return 1
}

# prepare_root: sets $root, and creates it if missing.
prepare_root() {
    need_host_tools
    key=$(root_key)
    root=$(find_root "$key") || make_root "$key" bootstrap "the Debian 13 root"
    touch -c "$root" 2>/dev/null || true
}

# prepare_arm64: exports ET_ARM64_ROOT, the folder with libraries and emulator for arm64 programs. It is another root, but
# nothing runs inside it.
prepare_arm64() {
    [ -z "${ET_ARM64_ROOT:-}" ] || return 0
    [ -z "${ET_ENVIRONMENT_ROOT:-}" ] || fail "--arm64 is for the outermost tools/env"
    need_host_tools
    key=$(arm64_key)
    ET_ARM64_ROOT=$(find_root "$key") || {
        make_root "$key" unpack_arm64 "what arm64 needs"
        ET_ARM64_ROOT=$root
    }
    touch -c "$ET_ARM64_ROOT" 2>/dev/null || true
    export ET_ARM64_ROOT
}

# offer_arm64: exports ET_ARM64_ROOT if the folder exists.
offer_arm64() {
    if [ -z "${ET_ARM64_ROOT:-}${ET_ENVIRONMENT_ROOT:-}" ] && ET_ARM64_ROOT=$(find_root "$(arm64_key)"); then
        export ET_ARM64_ROOT
    fi
}

need_host_tools() {
    command -v bwrap >/dev/null && command -v mmdebstrap >/dev/null && return 0
    # uidmap lets ordinary users create a root; the keyring must include the keys of newer releases.
    install_packages mmdebstrap bubblewrap uidmap debian-archive-keyring
}

# make_root KEY FILL WHAT: sets $root to a new root, filled by FILL MIRROR DIRECTORY. It is renamed when finished, so that
# an interrupted run leaves no incomplete root; a lock excludes parallel runs.
make_root() {
    place=$cache
    if [ "$(id -u)" -eq 0 ] && [ -z "${XDG_CACHE_HOME:-}" ]; then
        place=$shared_cache
    fi
    lock "$place/lock" "sets up $3"
    root=$place/root-$1
    [ ! -d "$root" ] || {
        exec 9>&-
        return 0
    }
    mirror=$(debian_mirror)
    rm -rf "$place"/unfinished-*
    unfinished=$place/unfinished-$1
    mkdir -p "$unfinished"
    trap 'rm -rf "$unfinished"' EXIT
    trap 'exit 130' INT TERM HUP
    say "making $3 in $root (once, about a minute)"
    narrated "$place/root.log" "$2" "$mirror" "$unfinished" || fail "$3 could not be made"
    write_fonts_conf "$unfinished" "$root"
    mv "$unfinished" "$root"
    trap - EXIT INT TERM HUP
    remove_old_roots "$place"
    exec 9>&-
    say "$3 is ready"
}

# debian_mirror: the first archive in apt's configuration that contains $suite.
debian_mirror() {
    if [ -n "${ET_DEBIAN_MIRROR:-}" ]; then
        echo "$ET_DEBIAN_MIRROR"
        return
    fi
    scratch=$(mktemp -d)
    for uri in $(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
            sed -n 's/^main //p' | awk '!seen[$0]++'); do
        if /usr/lib/apt/apt-helper download-file "${uri%/}/dists/$suite/InRelease" "$scratch/InRelease" \
                >/dev/null 2>&1 && grep -q '^Origin: Debian$' "$scratch/InRelease"; then
            rm -rf "$scratch"
            echo "$uri"
            return
        fi
    done
    rm -rf "$scratch"
    fail "no archive in apt's configuration carries Debian 13 ($suite); name one in ET_DEBIAN_MIRROR"
}

# apt_options: the host's settings for proxies, time-outs and dates, one option per line.
apt_options() {
    apt-config dump | grep -E '^Acquire::(http|https|ftp|tor|Retries|Check-|ForceIPv|Languages|GzipIndexes)' |
        grep -v ' "";$'
}

# bootstrap MIRROR DIRECTORY: Debian with our packages. Unpacked from a tar file, so that the current user owns all files
# (no setuid file, no foreign user id) and can remove them with rm.
bootstrap() {
    unpacked "$@" --variant=apt --include="$(packages | tr '\n' ',')" --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*'
}

# unpack_arm64 MIRROR DIRECTORY: the arm64 packages of tools/packages.txt and their dependencies. Only unpacked, so this works
# on any processor and does not change the packages of this machine.
unpack_arm64() {
    unpacked "$@" --variant=extract --architectures=arm64,amd64 --include="$(arm64_packages | tr '\n' ',')" &&
        ln -s usr/lib "$2/lib"
}

# unpacked MIRROR DIRECTORY OPTION...: unpacks the output of mmdebstrap into DIRECTORY, without QEMU for other processors.
unpacked() {
    mirror=$1
    directory=$2
    shift 2
    # A file, because options contain spaces; readable, because mmdebstrap reads it as another user.
    options=$(mktemp)
    chmod 644 "$options"
    apt_options >"$options"
    { LC_ALL=C mmdebstrap "$@" --aptopt="$options" --aptopt='Acquire::Retries "3"' --verbose --format=tar "$suite" - \
            "$mirror" || : >"$directory/failed"
    } | tar -x -C "$directory" --no-same-owner --no-same-permissions --exclude='./dev/*' \
        --exclude='./usr/bin/qemu-a[!a]*' --exclude='./usr/bin/qemu-*_be' --exclude='./usr/bin/qemu-[!a]*'
    extracted=$?
    rm -f "$options"
    [ "$extracted" -eq 0 ] && [ ! -e "$directory/failed" ]
}

# write_fonts_conf WHERE ROOT: fonts for programs that the launchers in bin/ start outside the root: the host's, and the
# root's for hosts without fonts.
write_fonts_conf() {
    cat >"$1/etc/et-inspect-fonts.conf" <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir>$2/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <include ignore_missing="yes">$2/etc/fonts/conf.d</include>
</fontconfig>
END
}

# remove_old_roots PLACE: removes roots of earlier package lists that were not used for two weeks.
remove_old_roots() {
    find "$1" -maxdepth 1 -name 'root-*' -type d -mtime +14 -exec rm -rf {} +
}

# enter_root COMMAND...: runs COMMAND in $root. The root is never written to: the file system consists of usr and etc of
# the root, read-only, and everything else of the host at its own path.
enter_root() {
    set -- --dir /var --ro-bind "$root/var/lib/dpkg" /var/lib/dpkg --chdir "$PWD" \
        --setenv PATH /usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin --unsetenv LD_LIBRARY_PATH \
        --unsetenv LD_PRELOAD --unsetenv CC --unsetenv CXX --setenv ET_ENVIRONMENT_ROOT "$root" -- "$@"
    # bwrap mounts in the order of its arguments; each line below prepends to them.
    for path in "$root" "${ET_ARM64_ROOT:-}" "$HOME" "${XDG_CACHE_HOME:-}" "$checkout" "$PWD" "$(git_folder)"; do
        case $path in
            /var/*) set -- --bind "$path" "$path" "$@" ;;
        esac
    done
    for file in /etc/passwd /etc/group /etc/hosts; do
        [ ! -e "$root$file" ] || set -- --ro-bind-try "$file" "$file" "$@"
    done
    set -- --tmpfs /run --dev-bind /dev /dev --bind /proc /proc --ro-bind /sys /sys --bind /tmp /tmp "$@"
    for entry in /*; do
        case ${entry#/} in
            bin | sbin | lib | lib?? | libx32 | usr | etc | var | dev | proc | sys | tmp | run | boot | lost+found) ;;
            *) if [ -L "$entry" ]; then
                    set -- --symlink "$(readlink "$entry")" "$entry" "$@"
                elif [ -r "$entry" ]; then
                    set -- --bind "$entry" "$entry" "$@"
                fi ;;
        esac
    done
    for entry in "$root"/*; do
        if [ -L "$entry" ]; then
            set -- --symlink "$(readlink "$entry")" "/${entry##*/}" "$@"
        fi
    done
    exec bwrap --die-with-parent --tmpfs / --ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc "$@"
}

# git_folder: git's data of this checkout if it is a linked worktree, which stores it elsewhere.
git_folder() {
    if [ -f "$checkout/.git" ]; then
        sed -n 's|^gitdir: \(.*\)/worktrees/.*|\1|p' "$checkout/.git"
    fi
}
