#!/bin/sh
# as_ordinary_user.sh COMMAND [ARGUMENT...]: run by the superuser, runs a command as a user with only a name, a home and a
# shell. The user exists in a private mount of /etc/passwd, which ends with the command.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "as_ordinary_user.sh: this user is one: what is tested, is tested as one" >&2; exit 77; }
unshare --mount true 2>/dev/null && setpriv --reuid=65532 --regid=65532 --clear-groups true 2>/dev/null ||
    { echo "as_ordinary_user.sh: this superuser can become nobody else" >&2; exit 77; }
setpriv --reuid=65532 --regid=65532 --clear-groups test -r . ||
    { echo "as_ordinary_user.sh: an ordinary user cannot read $PWD" >&2; exit 77; }
folder=$(mktemp -d /tmp/et-user.XXXXXX)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$folder"
mkdir "$folder/home"
chown 65532:65532 "$folder/home"
{
    cat /etc/passwd
    echo "et-tester:x:65532:65532::$folder/home:/bin/sh"
} >"$folder/passwd"
code=0
unshare --mount sh -c 'mount --bind "$1" /etc/passwd && shift && exec "$@"' sh "$folder/passwd" \
    env HOME="$folder/home" TMPDIR="$folder/home" USER=et-tester LOGNAME=et-tester \
    setpriv --reuid=65532 --regid=65532 --clear-groups --inh-caps=-all --bounding-set=-all "$@" || code=$?
exit "$code"
