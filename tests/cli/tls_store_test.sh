#!/bin/sh
# tls_store_test.sh ET_INSPECT WITH_POSTGRES: a store on a server over TLS. The server has a certificate of a temporary
# authority, and listens on a loopback port.
set -eu
if [ "${1:-}" != --inside ]; then
    command -v openssl >/dev/null || { echo "tls_store_test.sh: openssl is not installed" >&2; exit 77; }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    authority() { # authority NAME: creates its key and certificate
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" -keyout "$work/$1.key" \
            -out "$work/$1.crt" -addext basicConstraints=critical,CA:TRUE 2>/dev/null
    }
    authority ours
    authority other
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout "$work/server.key" \
        -out "$work/server.csr" 2>/dev/null
    echo "subjectAltName=DNS:localhost" >"$work/names"
    openssl x509 -req -in "$work/server.csr" -CA "$work/ours.crt" -CAkey "$work/ours.key" -CAcreateserial -days 2 \
        -extfile "$work/names" -out "$work/server.crt" 2>/dev/null
    chmod 711 "$work"
    chmod 600 "$work/server.key"
    [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$work/server.key" "$work/server.crt"
    # Read by both the server and its clients.
    PGPORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    export PGPORT
    export ET_POSTGRES_OPTIONS="-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=$work/server.crt -c ssl_key_file=$work/server.key"
    "$2" sh "$0" --inside "$1" "$work"
    exit
fi
inspect=$2
work=$3
cd "$work"
fail() {
    echo "$*" >&2
    exit 1
}
address() { # address HOST AUTHORITY MODE
    echo "postgresql://owner@$1/postgres?hostaddr=127.0.0.1&sslmode=$3&sslrootcert=$work/$2.crt"
}
refused() { # refused TEXT ADDRESS: one line gives the reason, and nothing is imported
    code=0
    said=$("$inspect" import llama.log --store "$2" 2>&1 >/dev/null) || code=$?
    [ "$code" -eq 3 ] || fail "expected exit code 3, got $code: $said"
    [ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "expected one line, got: $said"
    case $said in
        *"$1"*) ;;
        *) fail "expected '$1', got: $said" ;;
    esac
}
cat >llama.log <<'END'
PyTorchObserver {"prompt_tokens":17,"generated_tokens":47,"model_load_start_ms":123,"model_load_end_ms":163,"inference_start_ms":165,"inference_end_ms":235,"prompt_eval_end_ms":174,"SCALING_FACTOR_UNITS_PER_SECOND":1000}
END

refused "certificate verify failed" "$(address localhost other verify-full)"
refused "does not match host name" "$(address elsewhere ours verify-full)"
"$inspect" import llama.log --store "$(address localhost ours verify-full)" >imported
grep -q "1 file imported" imported || fail "expected a file to be imported, got: $(cat imported)"
"$inspect" import llama.log --store "$(address elsewhere ours verify-ca)" >again
grep -q "1 was already imported" again || fail "expected the same store, got: $(cat again)"
"$inspect" trend llama --store "$(address localhost ours verify-full)" --fail-on never | grep -q decode ||
    fail "expected a trend"
