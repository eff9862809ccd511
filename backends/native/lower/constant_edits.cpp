#include "backends/native/lower/constant_edits.h"

#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <variant>

namespace et::backends::native {

namespace source = et::native;
using core::ScalarType;

/// Whether a value is only the weight of linear layers.
bool isLinearWeight(const source::Graph& graph, const std::string& name) {
    bool isRead = false;
    for (const source::Node& node : graph.nodes) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const auto* tensor = std::get_if<source::TensorName>(&node.inputs[i].value);
            const auto* list = std::get_if<source::TensorNames>(&node.inputs[i].value);
            const bool reads = (tensor != nullptr && tensor->name == name) ||
                               (list != nullptr && std::ranges::contains(list->names, name));
            if (reads && (node.target != "torch.ops.aten.linear.default" || i != 1)) {
                return false;
            }
            isRead = isRead || reads;
        }
    }
    return isRead;
}

source::TensorMeta metaOf(ScalarType type, const std::vector<std::size_t>& sizes) {
    source::TensorMeta meta{.scalarType = static_cast<std::int8_t>(type)};
    for (const std::size_t size : sizes) {
        meta.sizes.push_back(
            {.minimum = static_cast<std::int64_t>(size), .maximum = static_cast<std::int64_t>(size)});
    }
    return meta;
}

/// A name that the method does not have yet.
std::string newName(const source::Method& method, std::string name) {
    while (method.tensor(name) != nullptr) {
        name += '_';
    }
    return name;
}

/// Rows and columns of a matrix of fixed sizes.
std::optional<std::pair<std::size_t, std::size_t>> matrixSizes(const source::TensorMeta& meta) {
    const auto sizes = source::fixedSizes(meta);
    if (!sizes || sizes->size() != 2 || sizes->front() < 1 || sizes->back() < 1) {
        return std::nullopt;
    }
    return std::pair(static_cast<std::size_t>(sizes->front()), static_cast<std::size_t>(sizes->back()));
}

/// The dtype of the layer that reads the weight.
ScalarType computedTypeOf(const source::Graph& graph, const std::string& name) {
    for (const source::Node& node : graph.nodes) {
        const auto* weight =
            node.inputs.size() > 1 ? std::get_if<source::TensorName>(&node.inputs[1].value) : nullptr;
        if (weight != nullptr && weight->name == name && !node.outputs.empty()) {
            const auto found = graph.tensors.find(node.outputs.front().name);
            if (found != graph.tensors.end()) {
                return static_cast<ScalarType>(found->second.scalarType);
            }
        }
    }
    return ScalarType::Float;
}

void Replacement::add(const std::string& parameter, const std::string& key, source::TensorMeta meta) {
    source::Constant operand{.name = newName(method, fmt::format("{}_{}", constant.name, parameter)),
                             .key = key,
                             .meta = std::move(meta),
                             .kind = source::Constant::Kind::Buffer};
    node.inputs.push_back({.name = parameter, .value = source::TensorName{operand.name}});
    operands.push_back(std::move(operand));
}

void Replacement::finish(std::string_view target, ScalarType dtype, std::size_t rows, std::size_t columns) {
    node.name = newName(method, constant.name + "_values");
    node.target = target;
    node.outputs = {{.kind = source::Output::Kind::Tensor, .name = constant.name}};
    method.graph.tensors.insert_or_assign(constant.name, metaOf(dtype, {rows, columns}));
    method.graph.nodes.insert(method.graph.nodes.begin(), std::move(node));
    operands.front().kind = constant.kind;
    method.constants.erase(method.constants.begin() + static_cast<std::ptrdiff_t>(index));
    method.constants.insert(method.constants.begin() + static_cast<std::ptrdiff_t>(index),
                            std::make_move_iterator(operands.begin()),
                            std::make_move_iterator(operands.end()));
}

}  // namespace et::backends::native
