#include "inspector/numeric_gap/graph_walk.h"

#include "etrecord/buffer_mutation.h"
#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/reference_values.h"

#include <algorithm>
#include <array>

namespace et::inspector {
namespace {

using etrecord::NodeIndex;

/// Name prefixes of operators that change the number representation, from PyTorch's quantized_decomposed
/// library and torchao.
struct RoleName {
    std::string_view start;
    NodeRole role;
};
constexpr std::array roleNames{RoleName{"quantize_", NodeRole::Quantize},
                               RoleName{"dequantize_", NodeRole::Dequantize},
                               RoleName{"choose_qparams", NodeRole::ChooseParameters}};

/// Substrings of operator names with nondeterministic results.
constexpr std::array<std::string_view, 4> undetermined{"empty", "rand", "bernoulli", "dropout"};

std::optional<double> numberOf(const etrecord::Argument& argument) {
    if (const auto* real = std::get_if<double>(&argument.value)) {
        return *real;
    }
    const auto* whole = std::get_if<std::int64_t>(&argument.value);
    return whole == nullptr ? std::nullopt : std::optional(static_cast<double>(*whole));
}

const etrecord::Argument* argumentNamed(const etrecord::Node& node, std::string_view name) {
    const auto found = std::ranges::find(node.inputs, name, &etrecord::Argument::name);
    return found == node.inputs.end() ? nullptr : &*found;
}

/// Whether the record contains the input's value and no run changes it.
bool isStored(const etrecord::ExportedGraph& graph, const etrecord::InputSpec& spec) {
    return !isUserInput(spec) && spec.kind != "token" && !etrecord::isMutatedBuffer(graph, spec);
}

}  // namespace

NodeRole roleOf(const etrecord::Node& node) {
    const std::string_view name = names::detail::nodeOperator(node.op);
    const auto* found =
        std::ranges::find_if(roleNames, [&](const RoleName& each) { return name.starts_with(each.start); });
    return found == roleNames.end() ? NodeRole::Compute : found->role;
}

std::optional<QuantizationParameters> parametersOf(const etrecord::Node& node) {
    const etrecord::Argument* scale = argumentNamed(node, "scale");
    const etrecord::Argument* zero = argumentNamed(node, "zero_point");
    const auto step = scale == nullptr ? std::nullopt : numberOf(*scale);
    const auto offset = zero == nullptr ? std::nullopt : numberOf(*zero);
    if (!step || !offset) {
        return std::nullopt;
    }
    return QuantizationParameters{.scale = *step, .zeroPoint = static_cast<std::int64_t>(*offset)};
}

std::optional<std::pair<std::int64_t, std::int64_t>> wholeRangeOf(const etrecord::Node& node) {
    const etrecord::Argument* min = argumentNamed(node, "quant_min");
    const etrecord::Argument* max = argumentNamed(node, "quant_max");
    const auto low = min == nullptr ? std::nullopt : numberOf(*min);
    const auto high = max == nullptr ? std::nullopt : numberOf(*max);
    if (!low || !high) {
        return std::nullopt;
    }
    return std::pair(static_cast<std::int64_t>(*low), static_cast<std::int64_t>(*high));
}

bool isDetermined(const etrecord::Node& node) {
    const std::string_view name = names::detail::nodeOperator(node.op);
    return !std::ranges::any_of(undetermined, [&](std::string_view each) { return name.contains(each); });
}

GraphWalk::GraphWalk(const etrecord::ExportedGraph& walked) : source(&walked) {
    std::set<std::string_view> stored;
    for (const etrecord::InputSpec& spec : walked.inputSpecs) {
        if (isStored(walked, spec)) {
            stored.insert(spec.value);
        }
    }
    for (NodeIndex index = 0; index < walked.nodes.size(); ++index) {
        const etrecord::Node& each = walked.nodes[index];
        read.push_back(valueNames(each.inputs));
        written.push_back(valueNames(each.outputs));
        for (const std::string_view value : read.back()) {
            std::vector<NodeIndex>& readers = consumers[value];
            if (readers.empty() || readers.back() != index) {
                readers.push_back(index);
            }
        }
        const bool isOne =
            !read.back().empty() &&
            std::ranges::all_of(read.back(), [&](std::string_view value) { return stored.contains(value); });
        constant.push_back(isOne);
        for (const std::string_view value : written.back()) {
            producers.insert_or_assign(value, index);
            if (isOne) {
                stored.insert(value);
            }
        }
    }
    for (const std::string_view value : valueNames(walked.outputs)) {
        outputs.insert(value);
    }
}

std::optional<NodeIndex> GraphWalk::producerOf(std::string_view value) const {
    const auto found = producers.find(value);
    return found == producers.end() ? std::nullopt : std::optional(found->second);
}

std::span<const NodeIndex> GraphWalk::consumersOf(std::string_view value) const {
    const auto found = consumers.find(value);
    return found == consumers.end() ? std::span<const NodeIndex>() : found->second;
}

std::string_view GraphWalk::resultOf(NodeIndex index) const {
    return written[index].empty() ? std::string_view() : written[index].front();
}

}  // namespace et::inspector
