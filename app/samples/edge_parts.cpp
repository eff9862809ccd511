#include "app/samples/edge_parts.h"

#include "runtime/core/json_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace et::samples {
namespace {

constexpr std::int64_t stridedLayout = 7;

std::vector<etrecord::SymInt> denseStrides(const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
    }
    return plainInts(strides);
}

/// A container node of a pytree, and a leaf, in the format of torch.utils._pytree.
std::string treeNode(std::string_view type, std::string_view context, std::string_view children) {
    return fmt::format(R"({{"type": "builtins.{}", "context": "{}", "children_spec": [{}]}})", type, context,
                       children);
}
constexpr std::string_view leaf = R"({"type": null, "context": null, "children_spec": []})";
std::string leaves(std::size_t count) {
    return fmt::format("{}", fmt::join(std::vector(count, leaf), ", "));
}

/// Encodes JSON as a JSON string.
std::string quotedJson(std::string_view json) {
    core::JsonWriter writer;
    writer.string(json);
    return writer.take();
}

}  // namespace

std::vector<etrecord::SymInt> plainInts(const std::vector<std::int64_t>& numbers) {
    std::vector<etrecord::SymInt> values;
    for (const std::int64_t number : numbers) {
        values.push_back({.value = number, .expression = {}});
    }
    return values;
}

etrecord::TensorMeta tensorMeta(core::ScalarType dtype, const std::vector<std::int64_t>& sizes) {
    return {.scalarType = std::to_underlying(dtype),
            .sizes = plainInts(sizes),
            .strides = denseStrides(sizes),
            .requiresGrad = false,
            .device = "cpu",
            .storageOffset = {},
            .layout = stridedLayout};
}

void describeEdge(etrecord::ExportedGraph& graph) {
    graph.dialect = "EDGE";
    graph.schemaMajor = 5;
    graph.schemaMinor = 4;
    graph.opsetVersions["aten"] = 10;
}

std::string rootCall(std::size_t inputs, std::size_t outputs) {
    const std::string in = treeNode("tuple", "null", leaves(inputs)) + ", " + treeNode("dict", "[]", "");
    const std::string out = outputs == 1 ? std::string(leaf) : treeNode("tuple", "null", leaves(outputs));
    return fmt::format(
        R"([{{"fqn": "", "signature": {{"inputs": [], "outputs": [], "in_spec": {}, "out_spec": {}}}}}])",
        quotedJson(fmt::format("[1, {}]", treeNode("tuple", "null", in))),
        quotedJson(fmt::format("[1, {}]", out)));
}

}  // namespace et::samples
