#include "backends/mlx/lower/graph_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Metal kernels that the exporter of MLX delegates writes as source text. They are not compiled: the meaning
// of a known name with known operands is computed.
namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;

std::vector<std::string_view> textsIn(const Node& node, std::string_view field) {
    const Field* found = node.find(field);
    const auto* texts = found == nullptr ? nullptr : std::get_if<std::vector<std::string_view>>(found);
    return texts == nullptr ? std::vector<std::string_view>() : *texts;
}

MadeTensor reordered(GraphMaker& maker, const MadeTensor& tensor, const std::vector<std::int64_t>& order) {
    return maker.put("aten.permute_copy.default", {tensorArgument(tensor.name), wholesArgument(order)},
                     tensor.dtype);
}

/// Linear attention with a gated state, one decay per token and head: q, k [B, T, Hk, Dk], v [B, T, Hv, Dv],
/// g, beta [B, T, Hv], state [B, Hv, Dv, Dk]. Consecutive heads of v share one of q and k. Returns y [B, T,
/// Hv, Dv] and the new state.
Result<std::vector<MadeTensor>> gatedDeltaStep(GraphMaker& maker, const Node& node,
                                               std::span<const TensorNumber> inputs) {
    constexpr std::size_t operands = 6;
    std::vector<MadeTensor> given;
    for (const TensorNumber input : inputs.first(operands)) {
        ET_ASSIGN(const MadeTensor each, maker.tensor(input));
        given.push_back(maker.cast(each, ScalarType::Float));
    }
    const std::vector<std::int64_t> headsFirst{0, 2, 1, 3};
    std::vector<MadeTensor> turned;
    for (std::size_t i = 0; i < 3; ++i) {
        turned.push_back(reordered(maker, given[i], headsFirst));
    }
    for (std::size_t i = 3; i < operands - 1; ++i) {
        turned.push_back(reordered(maker, given[i], {0, 2, 1}));
    }
    turned.push_back(reordered(maker, given[operands - 1], {0, 1, 3, 2}));
    const auto names = textsIn(node, "template_arg_names");
    const auto values = wholesIn(node, "template_arg_values");
    const auto constant = [&](std::string_view name) {
        const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        return at < values.size() ? values[at] : std::int64_t{0};
    };
    const std::int64_t keyHeads = constant("Hk");
    const std::int64_t valueHeads = constant("Hv");
    if (keyHeads < 1 || valueHeads % keyHeads != 0) {
        return core::fail(ErrorCode::Format, fmt::format("expected Hv as a multiple of Hk, got {} and {}",
                                                         valueHeads, keyHeads));
    }
    for (std::size_t i = 0; i < 2 && keyHeads != valueHeads; ++i) {
        turned[i] = maker.put(
            "aten.repeat_interleave.self_int",
            {tensorArgument(turned[i].name), wholeArgument(valueHeads / keyHeads), wholeArgument(1)},
            ScalarType::Float);
    }
    Arguments arguments;
    std::ranges::transform(turned, std::back_inserter(arguments),
                           [](const MadeTensor& each) { return tensorArgument(each.name); });
    constexpr std::size_t results = 2;
    const auto made =
        maker.putSeveral("llama.gated_delta_rule.default", std::move(arguments), ScalarType::Float, results);
    return std::vector{reordered(maker, made[0], headsFirst), reordered(maker, made[1], {0, 1, 3, 2})};
}

struct KnownKernel {
    std::string_view name;
    std::vector<std::string_view> inputs;
    std::vector<std::string_view> outputs;
    Result<std::vector<MadeTensor>> (*convert)(GraphMaker& maker, const Node& node,
                                               std::span<const TensorNumber> inputs);
};

}  // namespace

Result<std::vector<MadeTensor>> convertKernel(GraphMaker& maker, const Node& node) {
    static const std::array known{KnownKernel{.name = "gated_delta_step",
                                              .inputs = {"q", "k", "v", "g", "beta", "state_in", "T"},
                                              .outputs = {"y", "state_out"},
                                              .convert = gatedDeltaStep}};
    const std::string_view name = textIn(node, "name");
    const auto inputs = tensorsIn(node, "inputs");
    const auto outputs = tensorsIn(node, "outputs");
    for (const KnownKernel& kernel : known) {
        if (kernel.name == name && textsIn(node, "input_names") == kernel.inputs &&
            textsIn(node, "output_names") == kernel.outputs && inputs.size() == kernel.inputs.size() &&
            outputs.size() == kernel.outputs.size()) {
            return kernel.convert(maker, node, inputs);
        }
    }
    return core::fail(
        ErrorCode::Unsupported,
        fmt::format("the kernel \"{}\" of Metal source cannot be computed here", core::printable(name)));
}

}  // namespace et::backends::mlx
