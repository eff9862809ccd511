#include "tests/studio/made_up_gap.h"

#include <fmt/format.h>

#include <string_view>

namespace et::test {

namespace {

/// One side of an output as et-inspect prints it.
constexpr std::string_view madeUpSide =
    R"({"dtype": "float32", "shape": [2, 3], "elements": 6, "min": 0, "max": 5, "mean": 2.5, "std": 1.7, )"
    R"("p99": 4.95, "nan": 0, "inf": 0, "zero": 1})";

/// Row of an operator with this debug handle, its own error `own` and inherited error `inherited`.
std::string madeUpRow(int handle, double own, double inherited) {
    return fmt::format(
        R"({{"aot_debug_handle": [{0}], "aot_ops": ["node_{0}"], "runtime_debug_handle": [{0}], "runtime_ops": )"
        R"(["op_{0}"], "gap": [{1}], "stacktraces": {{}}, "place": "instruction", "graph": "edge", )"
        R"("instruction_id": {0}, "backend": null, "module": "net.layer{0}", "outputs": [{{"metrics": {{"mse": {1}, )"
        R"("snr": null}}, "infinite": null, "reference": {3}, "runtime": {3}, "quantization": null, "difference": )"
        R"(null}}], "edge_nodes": ["node_{0}"], "inputs": ["x"], "own_error": {1}, "inherited_error": {2}, )"
        R"("total_error": {1}, "own_steps": {1}, "own_share": 0, "own_shift": 0, "diverges": {4}, "reason": "far"}})",
        handle, own, inherited, madeUpSide, own > 0.1);
}

/// A gap whose second operator diverges, with additional keys.
std::string madeUp(std::string_view more) {
    const std::string divergence =
        R"({"debug_handles": [2], "aot_ops": ["node_2"], "runtime_ops": ["op_2"], "instruction_id": 2, )"
        R"("own_error": 0.5, "inherited_error": 0.001, "total_error": 0.5, "own_steps": 9, "own_share": 1, )"
        R"("own_shift": 0, "diverges": true, "reason": "far", "diverges_on": ["case"]})";
    return fmt::format(R"({{"schema": 1, "method": "forward", "metric": "mse", "inputs": "case", "rows": )"
                       R"([{}, {}, {}]{}, "first_divergence": {}, "sensitivity": {{"inputs": ["case"], )"
                       R"("diverge_always": [], "diverge_sometimes": []}}, "taps": [], "warnings": []}})",
                       madeUpRow(1, 0, 0), madeUpRow(2, 0.5, 0.001), madeUpRow(3, 0.01, 0.5), more,
                       divergence);
}

}  // namespace

std::string madeUpGap() {
    return madeUp("");
}

std::string madeUpGapOfTwoSets() {
    return madeUp(fmt::format(R"(, "other_inputs": [{{"inputs": "random:1", "rows": [{}, {}, {}]}}])",
                              madeUpRow(1, 0.25, 0), madeUpRow(2, 0, 0.001), madeUpRow(3, 0.02, 0.5)));
}

}  // namespace et::test
