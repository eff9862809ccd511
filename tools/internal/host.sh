# The host as the build environment: Debian 13 or later. Sourced by tools/env.

# host_is_new_enough: Debian 13 or later. ET_ENVIRONMENT=host|root overrides (other distributions, tests).
host_is_new_enough() {
    case ${ET_ENVIRONMENT:-} in
        host) return 0 ;;
        root) return 1 ;;
    esac
    (
        ID='' VERSION_ID=''
        . /etc/os-release
        # Debian testing and unstable have no VERSION_ID.
        [ "$ID" = debian ] && [ "${VERSION_ID:-99}" -ge 13 ]
    ) 2>/dev/null
}

# missing_packages SCRATCH: packages of tools/packages.txt that this host lacks.
missing_packages() {
    packages | xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null |
        sed -n 's/^installed //p' | sort -u >"$1"
    packages | sort -u | comm -23 - "$1"
}

# prepare_host: installs missing packages (superuser), or reports them (other users).
prepare_host() {
    scratch=$(mktemp)
    missing=$(missing_packages "$scratch" | tr '\n' ' ')
    rm -f "$scratch"
    [ -n "$missing" ] || return 0
    install_packages $missing
}

# install_packages NAME...: apt-get install with progress; for ordinary users, fails with the command that the superuser must run.
install_packages() {
    if [ "$(id -u)" -ne 0 ]; then
        fail "packages are missing; ask the superuser for: apt-get install --no-install-recommends $*"
    fi
    mkdir -p "$cache"
    say "installing $# packages with apt-get"
    narrated "$cache/apt.log" apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 update ||
        fail "apt-get update failed"
    DEBIAN_FRONTEND=noninteractive narrated "$cache/apt.log" apt-get -o DPkg::Lock::Timeout=600 \
        -o Acquire::Retries=3 install -y --no-install-recommends "$@" || fail "apt-get install failed"
}
