#!/bin/sh
# server_store_test.sh ET_INSPECT: commands with a store, on a server of with_postgres.sh. Several jobs import in parallel.
set -eu
inspect=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "$*" >&2
    exit 1
}
expect() { # expect TEXT COMMAND...: the output of a command contains this text.
    text=$1
    shift
    said=$("$@" 2>&1) || true
    case $said in
        *"$text"*) ;;
        *) fail "expected '$text' of '$*', got: $said" ;;
    esac
}

"$inspect" sample add_mul -o . >/dev/null
for i in 1 2 3 4 5 6 7 8; do
    "$inspect" run add_mul.pte --iterations "$i" --etdump "$i.etdp" >/dev/null 2>&1
done
cat >llama.log <<'END'
PyTorchObserver {"prompt_tokens":17,"generated_tokens":47,"model_load_start_ms":123,"model_load_end_ms":163,"inference_start_ms":165,"inference_end_ms":235,"prompt_eval_end_ms":174,"SCALING_FACTOR_UNITS_PER_SECOND":1000}
END

# Four jobs add the same files in different orders: each file is stored once.
jobs=
for order in "1 2 3 4 5 6 7 8" "8 7 6 5 4 3 2 1" "5 6 7 8 1 2 3 4" "4 3 2 1 8 7 6 5"; do
    (
        for i in $order; do
            "$inspect" import "$i.etdp" --store "$ET_POSTGRES" --model net --commit "c$i" --date "2026-0$i-01" \
                --tag device=pixel8 >/dev/null || exit 1
        done
    ) &
    jobs="$jobs $!"
done
for job in $jobs; do
    wait "$job" || fail "a job that imports beside others failed"
done
expect "0 files imported, 8 were already imported" \
    "$inspect" import 1.etdp 2.etdp 3.etdp 4.etdp 5.etdp 6.etdp 7.etdp 8.etdp --store "$ET_POSTGRES"
expect "1 file imported" "$inspect" import llama.log --store "$ET_POSTGRES" --model llama --date 2026-01-01

"$inspect" trend net --store "$ET_POSTGRES" --format json --fail-on never >trend.json
expect '"measurements": 1' cat trend.json
expect 'c8' cat trend.json
expect "decode" "$inspect" trend llama --store "$ET_POSTGRES" --fail-on never
expect "no measurements of \"other\"; available: llama, net" "$inspect" trend other --store "$ET_POSTGRES"
"$inspect" report --store "$ET_POSTGRES" -o site
[ -s site/net.html ] && [ -s site/index.html ] || fail "no site"

"$inspect" baseline save one 1.etdp --store "$ET_POSTGRES"
expect "one" "$inspect" baseline list --store "$ET_POSTGRES"
expect "add" "$inspect" baseline show one --store "$ET_POSTGRES"
expect "one" "$inspect" compare one 2.etdp --store "$ET_POSTGRES"
"$inspect" baseline rm one --store "$ET_POSTGRES"
expect "no baseline \"one\"; available: none" "$inspect" baseline rm one --store "$ET_POSTGRES"
