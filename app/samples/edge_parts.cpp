#include "app/samples/edge_parts.h"

#include <algorithm>
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

}  // namespace et::samples
