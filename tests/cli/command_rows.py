"""Command lines for every command of et-inspect, for tests that run all of them."""

import json
import subprocess

SMALL = "$S/conv_net"
MODEL = "$S/mobilenet_v2_small"
LLAMA = "$S/llama.pte --tokenizer $S/llama_tokenizer.bin"

# Command: arguments of its rows. $S is the folder of the samples; files are written to the working folder, which is empty.
# A row that starts with "=" writes the same files whenever it is complete; one that starts with "~" takes too long to complete.
ROWS = {
    "events": [f"{MODEL}.etdp {MODEL}.etrecord --group-by module -o out.txt", f"{MODEL}.etdp --format json -o out.json"],
    "info": [f"{MODEL}.pte {MODEL}.etrecord {MODEL}.etdp --format json"],
    "graph": [f"={MODEL}.pte -o out.svg", f"={SMALL}.pte -o out.svg", f"={MODEL}.etrecord --source edge -o out.dot"],
    "tensors": [f"={SMALL}.pte {SMALL}.etrecord --save tensors", f"{MODEL}.pte --format json"],
    "size": [f"={MODEL}.pte --format json -o out.json"],
    "memory": [f"={MODEL}.pte -o out.svg --format svg"],
    "delegates": [
        f"{MODEL}.pte --format json",
        f"--measure {SMALL}.pte --etrecord {SMALL}.etrecord --time 0.3 --format json -o out.json",
    ],
    "findings": [f"{MODEL}.pte {MODEL}.etrecord {MODEL}.etdp --format json -o out.json"],
    "sql": [
        f"{MODEL}.pte {MODEL}.etdp 'SELECT * FROM events' --format json -o out.json",
        f"{SMALL}.pte 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000000) SELECT sum(i) FROM n'",
    ],
    "run": [f"{MODEL}.pte --iterations 30 --etdump out.etdp", f"{SMALL}.pte -o outputs"],
    "bench": [f"{MODEL}.pte --iterations 30 --format json -o out.json"],
    "pipeline": ["profile $S/diffusion.toml --iterations 20 --format json -o out.json", "run $S/diffusion.toml"],
    "counters": [f"{MODEL}.pte --iterations 20 --format json -o out.json"],
    "machine": ["~--refresh --format json -o out.json"],
    "roofline": [f"{MODEL}.etdp --program {MODEL}.pte -o out.svg --machine $S/machine.json --format svg"],
    "shapes": [f"{SMALL}.pte --iterations 3 --format json -o out.json"],
    "compare": [f"{SMALL}.pte {SMALL}.bpte --launches 3 --iterations 9 --format json -o out.json --junit out.xml", f"{MODEL}.etdp {MODEL}.etdp"],
    "diff": [f"={MODEL}.pte {SMALL}.pte --format json -o out.json"],
    "baseline": [f"save name {MODEL}.pte --store out.db", f"save name {MODEL}.etdp --store out.db"],
    "explain": ["=0x12 --format json -o out.json", "--list --format json"],
    "verify": [f"{MODEL}.bpte {SMALL}.bpte --format json -o out.json --junit out.xml", f"{MODEL}.bpte -j 1"],
    "gap": [f"={MODEL}.bpte {MODEL}.etrecord --format json -o out.json", f"{SMALL}.bpte {SMALL}.etrecord --bisect"],
    "debug": [f"{MODEL}.pte {MODEL}.etrecord -x 'watch nan' -x run -x reverse-continue -x continue -x 'info values'"],
    "train": ["$S/train.pte --input $S/train_data.npz --steps 20 --checkpoint out.ptd --svg out.svg --format json -o out.json"],
    "soak": [f"{MODEL}.pte --runs 5 --format json"],
    "reduce": [f"{SMALL}.bpte --fails 'et-inspect info {{}}' -o reduced"],
    "probe": [f"{SMALL}.pte {SMALL}.etrecord -o probes --max-probes 5 --format json"],
    "bundle": [f"={MODEL}.pte --input random --from-run -o out.bpte"],
    "lower": [f"={MODEL}.etrecord -o out.pte --etrecord-out out.etrecord"],
    "quantize": [f"={SMALL}.etrecord --calibrate {SMALL}.bpte -o out.pte --etrecord-out out.etrecord"],
    "sensitivity": [f"={SMALL}.etrecord --calibrate {SMALL}.bpte --format json"],
    "optimize": [
        f"{SMALL}.etrecord --calibrate {SMALL}.bpte --budget bytes=1M --no-times -o out.pte --etrecord-out out.etrecord --plot out.svg",
    ],
    "replan": [f"{MODEL}.bpte --time 0.2 -o out.bpte", f"={SMALL}.bpte -o out.bpte", f"={MODEL}.pte --externalize out.ptd -o out.pte"],
    "extract": [f"{MODEL}.bpte --instructions 0..40 -o out.bpte", f"{SMALL}.bpte --instructions 0..2 -o out.bpte"],
    "generate": [f"{LLAMA} --prompt 'a b' --max-tokens 60 --etdump out.etdp"],
    "perplexity": [f"{LLAMA} 'a b c d e f g h' --format json -o out.json"],
    "growth": ["$S/generated.etdp --format json"],
    "tokenize": ["--tokenizer $S/llama_tokenizer.bin --text 'a b c' --format json"],
    "target": ["test local:"],
    "fit": [f"{MODEL}.pte --oplist out.yaml"],
    "import": [f"{MODEL}.etdp {SMALL}.etdp --store out.db --model name"],
    "trend": ["name --store $S/history.db --format json"],
    "session": [f"save {MODEL}.pte {MODEL}.etrecord {MODEL}.etdp -o out.db", "show $S/session.db --format json"],
    "report": [f"{MODEL}.pte {MODEL}.etdp {MODEL}.etrecord -o out.html"],
    "export": [f"={MODEL}.etdp -o out.json"],
    "plugin": ["sources out"],
    "sample": ["conv_net"],
    "mcp": ["=--reference -o out.md"],
    "completions": ["bash"],
    "help": ["quantize"],
    "man": ["--format markdown -o out.md", "--format json"],
}

PREPARATION = """
et-inspect sample conv_net && et-inspect sample mobilenet_v2_small && et-inspect sample llama && et-inspect sample train &&
et-inspect sample diffusion && et-inspect sample vlm && et-inspect sample whisper && et-inspect machine --format json -o machine.json &&
et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt a --max-tokens 20 --etdump generated.etdp &&
et-inspect import conv_net.etdp --store history.db --model name &&
et-inspect session save conv_net.pte conv_net.etdp -o session.db &&
et-inspect lower conv_net.etrecord -o lowered.pte --etrecord-out lowered.etrecord &&
et-inspect bundle lowered.pte --input random --from-run -o lowered.bpte
"""


def described(program):
    """Command -> its description in `et-inspect man --format json`."""
    listed = subprocess.run([program, "man", "--format", "json"], capture_output=True, check=True).stdout
    return {each["name"]: each for each in json.loads(listed)["commands"]}


def faults_of_rows(names, rows):
    """Commands without a row, and rows without a command."""
    faults = [f"{name}: no row" for name in sorted(names - rows.keys())]
    return faults + [f"{name}: a row, but no command" for name in sorted(rows.keys() - names - {"man"})]
