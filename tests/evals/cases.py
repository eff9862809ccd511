"""Forty cases with planted causes: a name, the guide to follow with its files, and the expected claims."""

import guides
from planting import one_changed, scaled

CALL = "native_call_{}.out"
# Instruction, event, module and Python line of conv_net.
OPERATORS = [
    (0, "convolution", "stem.conv", "conv_net.py:14"),
    (1, "_native_batch_norm_legit_no_training", "stem.norm", "conv_net.py:14"),
    (2, "relu", "stem.act", "conv_net.py:15"),
    (3, "convolution", "body.0", "conv_net.py:31"),
    (4, "_native_batch_norm_legit_no_training", "body.1", "conv_net.py:31"),
    (5, "hardtanh", "body.2", "conv_net.py:31"),
    (6, "mean", "", "conv_net.py:32"),
    (7, "permute_copy", "fc", "conv_net.py:33"),
    (8, "addmm", "fc", "conv_net.py:33"),
    (9, "_softmax", "", "conv_net.py:34"),
]
# Instructions of mobilenet_v2_small and their modules.
LAYERS = [(0, "convolution", "features.0.0"), (8, "convolution", "features.2.conv.0.0"), (10, "hardtanh", "features.2.conv.0.2"), (151, "addmm", "classifier.1")]


def case(name, guide, expected, **files):
    return {"name": name, "guide": guide, "expected": expected, "files": files}


def performance(shop):
    net, record = shop.path("conv_net.pte"), shop.path("conv_net.etrecord")
    for at, event, module, line in OPERATORS:
        trace = shop.slow(f"slow_{at}", "conv_net", CALL.format(event), at, 400_000)
        expected = {"cause": "hot-operator", "module": module, "line": line}
        yield case(f"slow_{at}", guides.profile, expected, record=record, trace=trace)
    for at, event, module in LAYERS:
        trace = shop.slow(f"slow_layer_{at}", "mobilenet_v2_small", CALL.format(event), at, 60_000_000)
        files = {"record": shop.path("mobilenet_v2_small.etrecord"), "trace": trace}
        yield case(f"slow_layer_{at}", guides.profile, {"cause": "hot-operator", "module": module}, **files)
    for at, event, module, _ in OPERATORS[:8:2]:
        trace = shop.slow(f"regression_{at}", "conv_net", CALL.format(event), at, 90_000)
        expected = {"cause": "slower", "module": module or None, "operator": f"{event}.out"}
        yield case(f"regression_{at}", guides.profile, expected, record=record, trace=trace, before=shop.path("conv_net.etdp"))
    yield case("no_delegate", guides.profile, {"cause": "no-delegate", "undelegated": 10}, program=net, record=record)
    program, kept = shop.lowered("part", "conv_net", "--except", "body.0")
    yield case("split", guides.profile, {"cause": "split-partition"}, program=program, record=kept)


def numeric(shop):
    record = shop.path("conv_net.etrecord")
    changes = [
        ("stem.conv.weight", one_changed, "stem.conv"), ("stem.norm: weight", scaled(1.5), "stem.norm"),
        ("stem.norm: bias", one_changed, "stem.norm"), ("body.0.weight", scaled(1.1), "body.0"),
        ("body.1: bias", one_changed, "body.1"), ("fc.bias", one_changed, "fc"), ("stem.norm: running_mean", one_changed, "stem.norm"),
    ]  # fmt: skip
    for weight, change, module in changes:
        name = "wrong_" + weight.replace(": ", "_").replace(".", "_")
        program = shop.wrong_weight(name, "conv_net", weight, change)
        yield case(name, guides.diverge, {"cause": "diverges", "module": module, "place": "instruction"}, program=program, record=record)
    values, _ = shop.weights("conv_net")["body.0.weight"]
    bundle = shop.replace("wrong_bundle", shop.path("conv_net.bpte"), values, scaled(1.2)(values))
    yield case("wrong_bundle", guides.diverge, {"cause": "diverges", "module": "body.0"}, program=bundle, record=record)
    faults = {"program": shop.path("shared_memory.pte"), "record": shop.path("shared_memory.etrecord")}
    yield case("shared_memory", guides.diverge, {"cause": "diverges"}, **faults)
    nan = {"program": shop.path("nan_mask.pte"), "record": shop.path("nan_mask.etrecord")}
    yield case("nan_mask", guides.diverge, {"cause": "nan"}, **nan)


def memory_and_size(shop):
    model = "mobilenet_v2_small"
    program, record = shop.path(f"{model}.pte"), shop.path(f"{model}.etrecord")
    weights = shop.weights(model)
    sizes = {}
    pair = next((first, other) for other, (data, _) in weights.items() if len(data) > 4096 and (first := sizes.setdefault(len(data), other)) != other)
    repeated = shop.replace("repeated", program, weights[pair[1]][0], weights[pair[0]][0])
    yield case("repeated", guides.shrink, {"cause": "duplicates"}, program=repeated)
    peak = {"cause": "peak-tensor", "module": "features.2.conv.0.0", "bytes": 442368}
    yield case("peak_tensor", guides.shrink, peak, program=program, record=record)
    faults = {"program": shop.path("shared_memory.pte"), "record": shop.path("shared_memory.etrecord")}
    yield case("overlap", guides.shrink, {"cause": "overlap"}, **faults)
    yield case("growth", guides.shrink, {"cause": "growth", "bytes": 1758496}, program=program, against=shop.path("conv_net.pte"))
    net = {"cause": "peak-tensor", "module": "stem.conv", "bytes": 8192}
    yield case("peak_of_net", guides.shrink, net, program=shop.path("conv_net.pte"), record=shop.path("conv_net.etrecord"))


def nothing_wrong(shop):
    record = shop.path("conv_net.etrecord")
    trace = shop.path("conv_net.etdp")
    yield case("right", guides.diverge, {"cause": "none"}, program=shop.path("conv_net.bpte"), record=record)
    program, kept = shop.lowered("whole", "conv_net")
    yield case("right_delegate", guides.diverge, {"cause": "none"}, program=program, record=kept)
    yield case("same_trace", guides.profile, {"cause": "none"}, record=record, trace=trace, before=trace)
    yield case("delegated", guides.profile, {"cause": "none"}, program=program, record=kept)
    yield case("quiet_log", guides.triage, {"cause": "none"}, log="I 00:00:01 main] loaded model.pte\nI 00:00:02 main] done\n")


def all_cases(shop):
    return [*performance(shop), *numeric(shop), *memory_and_size(shop), *nothing_wrong(shop)]
