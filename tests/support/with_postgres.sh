#!/bin/sh
# with_postgres.sh COMMAND [ARGUMENT...]: runs a command with ET_POSTGRES, the address of a new PostgreSQL server in a temporary
# folder, on a Unix socket only. The server is removed afterwards, however the command ends.
set -eu
binaries=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$binaries" ] || { echo "with_postgres.sh: PostgreSQL is not installed" >&2; exit 77; }
folder=$(mktemp -d /tmp/et-postgres.XXXXXX)
server=
finish() {
    [ -z "$server" ] || kill -INT "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# PostgreSQL does not run as the superuser. It ends with this script, even if that is killed.
as_server="setpriv --pdeathsig=INT"
[ "$(id -u)" -ne 0 ] || as_server="$as_server --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -eq 0 ]; then
    $as_server true 2>/dev/null && chown 65534:65534 "$folder" ||
        { echo "with_postgres.sh: this superuser cannot become another user, and PostgreSQL does not run as one" >&2; exit 77; }
fi
export LC_ALL=C.UTF-8
$as_server "$binaries/initdb" --pgdata="$folder/data" --username=owner --auth=trust --encoding=UTF8 --no-sync \
    --no-instructions >"$folder.log" 2>&1 || { cat "$folder.log" >&2; rm -f "$folder.log"; exit 1; }
rm -f "$folder.log"
# Without fsync, because the data is temporary. ET_POSTGRES_OPTIONS adds options.
$as_server "$binaries/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c full_page_writes=off \
    -c synchronous_commit=off -c max_connections=40 ${ET_POSTGRES_OPTIONS:-} >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 200); do
    if "$binaries/pg_isready" -q -h "$folder"; then break; fi
    kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done
ET_POSTGRES="postgresql://owner@/postgres?host=$folder" "$@"
