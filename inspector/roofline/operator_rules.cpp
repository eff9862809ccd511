#include "inspector/roofline/operator_cost.h"
#include "inspector/roofline/window_rules.h"

#include <algorithm>
#include <array>

// The table of all cost rules. docs/how_to/roofline.md explains the names.
namespace et::inspector {
namespace {

using Count = std::optional<double>;
using Call = OperatorCall;
using core::Cost;

Count none(const Call&) {
    return 0;
}

/// `each` operations per element of the result.
template <int each>
Count perOutput(const Call& call) {
    return each * call.outputs.front().elements();
}

/// `each` operations per element of the first input.
template <int each>
Count perInput(const Call& call) {
    return call.inputs.empty() ? Count() : Count(each * call.inputs.front().elements());
}

/// One addition per input element and one division per output element.
Count mean(const Call& call) {
    return call.inputs.empty() ? Count()
                               : Count(call.inputs.front().elements() + call.outputs.front().elements());
}

/// One multiply-add per element of the result and of the reduced dimension, which is dimension `dimension` of
/// tensor `which`, counted from the last.
template <std::size_t which, std::size_t dimension>
Count product(const Call& call) {
    if (call.inputs.size() <= which || call.inputs[which].sizes.size() <= dimension) {
        return std::nullopt;
    }
    const std::vector<std::int64_t>& sizes = call.inputs[which].sizes;
    return 2 * call.outputs.front().elements() * static_cast<double>(sizes[sizes.size() - 1 - dimension]);
}

/// Products with weights in either layout: the reduced size is the number of weights divided by the outputs.
Count fullyConnected(const Call& call) {
    if (call.inputs.size() < 2 || call.outputs.front().sizes.empty()) {
        return std::nullopt;
    }
    const auto outputs = static_cast<double>(call.outputs.front().sizes.back());
    const double weights = call.inputs[1].elements();
    return outputs > 0 ? 2 * call.outputs.front().elements() * weights / outputs : 0;
}

/// Query-key products, softmax, and products with the values: [..., positions, channels] each.
Count attention(const Call& call) {
    if (call.inputs.size() < 3) {
        return std::nullopt;
    }
    const auto& query = call.inputs[0].sizes;
    const auto& key = call.inputs[1].sizes;
    const auto& value = call.inputs[2].sizes;
    if (query.size() < 2 || key.size() < 2 || value.empty()) {
        return std::nullopt;
    }
    const double rows = call.inputs[0].elements() / std::max(1.0, static_cast<double>(query.back()));
    const double scores = rows * static_cast<double>(key[key.size() - 2]);
    constexpr double softmaxOperations = 5;
    return scores * (2 * static_cast<double>(query.back()) + softmaxOperations +
                     2 * static_cast<double>(value.back()));
}

/// Per token and element of the state: decay, product with the key, and update; per query, one product. Per
/// element of value: difference and beta. Query, key and value: [..., tokens, channels].
Count deltaRule(const Call& call) {
    if (call.inputs.size() < 3 || call.inputs[2].sizes.empty()) {
        return std::nullopt;
    }
    const auto values = static_cast<double>(call.inputs[2].sizes.back());
    return values * (2 * call.inputs[0].elements() + 5 * call.inputs[1].elements()) +
           2 * call.inputs[2].elements();
}

Count firstNumber(const Call& call, std::string_view attribute) {
    const auto numbers = call.numbers(attribute);
    return numbers && numbers->size() == 1 ? Count(static_cast<double>(numbers->front())) : std::nullopt;
}

/// Router, and for each token and chosen expert three products and the gate. Inputs: tokens [tokens, dim],
/// the router's weight [experts, dim].
Count experts(const Call& call) {
    const Count chosen = firstNumber(call, "num_activated_experts");
    const Count hidden = firstNumber(call, "hidden_dim");
    if (call.inputs.size() < 2 || call.inputs[0].sizes.size() != 2 || !chosen || !hidden) {
        return std::nullopt;
    }
    const auto tokens = static_cast<double>(call.inputs[0].sizes[0]);
    const auto dim = static_cast<double>(call.inputs[0].sizes[1]);
    constexpr double gateOperations = 5;
    return tokens * (2 * call.inputs[1].elements() + *chosen * *hidden * (6 * dim + gateOperations));
}

Count allInputs(const Call& call) {
    double bytes = 0;
    for (const OperandForm& input : call.inputs) {
        bytes += input.bytes;
    }
    return bytes;
}

/// Counts only the elements of the input that are in the result, and all elements of the other inputs
/// (indices).
Count asMuchAsWritten(const Call& call) {
    if (call.inputs.empty()) {
        return std::nullopt;
    }
    double bytes = 0;
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        bytes += call.inputs[i].bytes;
    }
    const OperandForm& from = call.inputs.front();
    const double elements = from.elements();
    const double each = elements > 0 ? from.bytes / elements : 0;
    return bytes + std::min(from.bytes, each * call.outputs.front().elements());
}

/// All inputs, but only the weights (the last two inputs) of as many experts as tokens choose.
Count chosenExperts(const Call& call) {
    const Count chosen = firstNumber(call, "num_activated_experts");
    if (call.inputs.size() < 4 || call.inputs[0].sizes.size() != 2 || call.inputs[1].sizes.size() != 2 ||
        !chosen) {
        return std::nullopt;
    }
    const auto tokens = static_cast<double>(call.inputs[0].sizes[0]);
    const auto count = std::max(1.0, static_cast<double>(call.inputs[1].sizes[0]));
    double bytes = 0;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const bool isOfExperts = i + 2 >= call.inputs.size();
        bytes += call.inputs[i].bytes * (isOfExperts ? std::min(1.0, tokens * *chosen / count) : 1);
    }
    return bytes;
}

/// The rows that are read of all inputs, and the indices.
Count packedRows(const Call& call) {
    const Count stored = firstNumber(call, "num_embeddings");
    const Count rows = stored ? stored : firstNumber(call, "n");
    if (call.inputs.empty() || call.outputs.front().sizes.empty() || !rows) {
        return std::nullopt;
    }
    const double read = call.outputs.front().elements() /
                        std::max(1.0, static_cast<double>(call.outputs.front().sizes.back()));
    double bytes = 0;
    for (const OperandForm& input : call.inputs) {
        bytes += input.bytes;
    }
    const double indices = call.inputs.back().bytes;
    return (bytes - indices) * std::min(1.0, read / std::max(1.0, *rows)) + indices;
}

/// `operations`, and one division per element of the result.
template <Count (*operations)(const Call&)>
Count withDivisions(const Call& call) {
    return operations(call).transform([&](double count) { return count + call.outputs.front().elements(); });
}

constexpr std::string_view windowProducts =
    "2 for each pair of image and kernel elements that are multiplied";
constexpr std::string_view windowElements = "1 for each element of a window";
constexpr std::string_view windowMeans = "1 for each element of a window, 1 for each output";
constexpr std::string_view all = "all inputs, all outputs";
constexpr std::string_view chosen = "as many elements of the first input as the output has, everything else";

constexpr std::array rules = std::to_array<CostRule>({
    {Cost::Convolution, windowProducts, all, roofline::detail::convolutionOperations, allInputs},
    {Cost::NhwcConvolution, windowProducts, all, roofline::detail::nhwcConvolutionOperations, allInputs},
    {Cost::NhwcTransposedConvolution, windowProducts, all,
     roofline::detail::nhwcTransposedConvolutionOperations, allInputs},
    {Cost::Product, "2 x output x length of the summed dimension", all, product<0, 0>, allInputs},
    {Cost::BiasedProduct, "2 x output x length of the summed dimension", all, product<1, 0>, allInputs},
    {Cost::Linear, "2 x output x weights of one output", all, fullyConnected, allInputs},
    {Cost::Attention, "both products, and 5 for each score", all, attention, allInputs},
    {Cost::DeltaRule, "2 x query x values, 5 x key x values, 2 x value", all, deltaRule, allInputs},
    {Cost::Experts, "router, 3 products and 5 x hidden for each token and chosen expert",
     "all inputs, but only the weights of chosen experts; all outputs", experts, chosenExperts},
    {Cost::MaxPool, windowElements, all, roofline::detail::poolingOperations, allInputs},
    {Cost::NhwcMaxPool, windowElements, all, roofline::detail::nhwcPoolingOperations, allInputs},
    {Cost::AveragePool, windowMeans, all, withDivisions<roofline::detail::poolingOperations>, allInputs},
    {Cost::NhwcAveragePool, windowMeans, all, withDivisions<roofline::detail::nhwcPoolingOperations>,
     allInputs},
    {Cost::Mean, "1 for each input, 1 for each output", all, mean, allInputs},
    {Cost::Reduction, "1 for each input", all, perInput<1>, allInputs},
    {Cost::Softmax, "5 for each output: largest, difference, exponential, sum, quotient", all, perOutput<5>,
     allInputs},
    {Cost::LayerNorm, "7 for each input: 3 for the variance, 1 for the mean, 3 to scale", all, perInput<7>,
     allInputs},
    {Cost::BatchNorm, "2 for each input", all, perInput<2>, allInputs},
    {Cost::Bilinear, "9 for each output: 3 linear interpolations", all, perOutput<9>, asMuchAsWritten},
    {Cost::ElementWise, "1 for each output", all, perOutput<1>, allInputs},
    {Cost::Copy, "0", all, none, allInputs},
    {Cost::Selection, "0", chosen, none, asMuchAsWritten},
    {Cost::PackedRows, "2 for each output: zero point, scale", "rows that are read, everything else",
     perOutput<2>, packedRows},
    {Cost::Fill, "0", "all outputs", none, none},
});

}  // namespace

std::span<const CostRule> costRules() {
    return rules;
}

const CostRule* costRule(core::Cost cost) {
    const auto* const found = std::ranges::find(rules, cost, &CostRule::cost);
    return found == rules.end() ? nullptr : found;
}

}  // namespace et::inspector
