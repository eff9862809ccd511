#include "backends/interpreted/graph_builder.h"

#include <fmt/format.h>

#include <utility>

namespace et::backends {

using core::ScalarType;
using etrecord::Argument;
using etrecord::SymInt;
using etrecord::ValueRef;

namespace {

/// torch.export's number.
constexpr std::int64_t stridedLayout = 7;

}  // namespace

Argument tensorArgument(std::string name) {
    return {.name = {}, .kind = "as_tensor", .value = ValueRef{.name = std::move(name)}};
}

Argument tensorsArgument(const std::vector<MadeTensor>& tensors) {
    std::vector<std::optional<ValueRef>> items;
    for (const MadeTensor& tensor : tensors) {
        items.emplace_back(ValueRef{.name = tensor.name});
    }
    return {.name = {}, .kind = "as_tensors", .value = std::move(items)};
}

Argument wholeArgument(std::int64_t number) {
    return {.name = {}, .kind = "as_int", .value = number};
}

Argument realArgument(double number) {
    return {.name = {}, .kind = "as_float", .value = number};
}

Argument truthArgument(bool truth) {
    return {.name = {}, .kind = "as_bool", .value = truth};
}

Argument textArgument(std::string_view text) {
    return {.name = {}, .kind = "as_string", .value = std::string(text)};
}

Argument wholesArgument(const std::vector<std::int64_t>& numbers) {
    std::vector<SymInt> items;
    for (const std::int64_t number : numbers) {
        items.push_back({.value = number, .expression = {}});
    }
    return {.name = {}, .kind = "as_ints", .value = std::move(items)};
}

Argument noArgument() {
    return {.name = {}, .kind = "as_none", .value = {}};
}

etrecord::TensorMeta GraphBuilder::metaOf(ScalarType dtype, const std::vector<std::int64_t>& sizes) {
    etrecord::TensorMeta meta{.scalarType = static_cast<std::int8_t>(dtype),
                              .sizes = {},
                              .strides = {},
                              .requiresGrad = false,
                              .device = "cpu",
                              .storageOffset = {},
                              .layout = stridedLayout};
    for (const std::int64_t size : sizes) {
        meta.sizes.push_back({.value = size < 0 ? 1 : size, .expression = size < 0 ? "s0" : ""});
        meta.strides.push_back({.value = 1, .expression = {}});
    }
    return meta;
}

/// Operators of a node are named "n7_1", "n7_2", …; the last one is renamed "n7".
std::string GraphBuilder::nextName() {
    return fmt::format("n{}_{}", position, ++helpers);
}

etrecord::Node& GraphBuilder::addOperator(std::string name, std::string_view target, Arguments arguments) {
    etrecord::Node node;
    node.name = std::move(name);
    node.target = fmt::format("{}{}", target.starts_with("_operator.") ? "" : "torch.ops.", target);
    node.op = etrecord::operatorName(node.target);
    node.inputs = std::move(arguments);
    made.nodes.push_back(std::move(node));
    return made.nodes.back();
}

std::string GraphBuilder::renameLast(const std::string& name) {
    std::string whole = fmt::format("n{}", position);
    if (made.nodes.empty() || made.nodes.back().name != name || made.nodes.back().outputs.size() != 1) {
        return name;
    }
    etrecord::Node& node = made.nodes.back();
    auto* result = std::get_if<ValueRef>(&node.outputs[0].value);
    if (result == nullptr) {
        return name;
    }
    node.name = whole;
    result->name = whole;
    if (auto meta = made.tensors.extract(name)) {
        meta.key() = whole;
        made.tensors.insert(std::move(meta));
    }
    if (made.symInts.erase(name) > 0) {
        made.symInts[whole] = {.value = 0, .expression = whole};
    }
    return whole;
}

MadeTensor GraphBuilder::put(std::string_view target, Arguments arguments, ScalarType dtype) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    node.outputs.push_back(tensorArgument(node.name));
    made.tensors[node.name] = metaOf(dtype, {});
    return {node.name, dtype};
}

std::vector<MadeTensor> GraphBuilder::declareResults(const etrecord::Node& node, ScalarType dtype,
                                                     std::size_t count) {
    std::vector<MadeTensor> results;
    for (std::size_t i = 0; i < count; ++i) {
        results.push_back({fmt::format("{}_out{}", node.name, i), dtype});
        made.tensors[results.back().name] = metaOf(dtype, {});
    }
    return results;
}

std::vector<MadeTensor> GraphBuilder::putList(std::string_view target, Arguments arguments, ScalarType dtype,
                                              std::size_t count) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    std::vector<MadeTensor> results = declareResults(node, dtype, count);
    node.outputs.push_back(tensorsArgument(results));
    return results;
}

std::vector<MadeTensor> GraphBuilder::putSeveral(std::string_view target, Arguments arguments,
                                                 ScalarType dtype, std::size_t count) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    std::vector<MadeTensor> results = declareResults(node, dtype, count);
    for (const MadeTensor& each : results) {
        node.outputs.push_back(tensorArgument(each.name));
    }
    return results;
}

std::string GraphBuilder::putNumber(std::string_view target, Arguments arguments) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    node.outputs.push_back({.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = node.name}});
    made.symInts[node.name] = {.value = 0, .expression = node.name};
    return node.name;
}

MadeTensor GraphBuilder::cast(const MadeTensor& from, ScalarType to) {
    return from.dtype == to ? from : put("aten._to_copy.default", {tensorArgument(from.name)}, to);
}

}  // namespace et::backends
