#include "backends/lowering/tensor_specs.h"

#include "backends/lowering/size_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::SymInt;

std::vector<std::uint8_t> dimOrderOf(const etrecord::TensorMeta& meta) {
    std::vector<std::uint8_t> order(meta.sizes.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    if (meta.strides.size() != order.size()) {
        return order;
    }
    const bool known = std::ranges::all_of(
        meta.strides, [](const SymInt& stride) { return stride.expression.empty() || stride.value > 0; });
    if (known) {
        std::ranges::stable_sort(order, [&](std::uint8_t left, std::uint8_t right) {
            return meta.strides[left].value > meta.strides[right].value;
        });
    }
    // The stride of a dimension of size 1 is arbitrary, so row-major order matches too.
    std::vector<std::uint8_t> counting;
    std::ranges::copy_if(order, std::back_inserter(counting), [&](std::uint8_t dim) {
        return !meta.sizes[dim].expression.empty() || meta.sizes[dim].value != 1;
    });
    if (std::ranges::is_sorted(counting)) {
        std::ranges::sort(order);
    }
    return order;
}

bool isRowMajor(const std::vector<std::uint8_t>& dimOrder) {
    return std::ranges::is_sorted(dimOrder);
}

Result<builder::TensorSpec> specOf(const etrecord::ExportedGraph& graph, std::string_view value) {
    const auto found = graph.tensors.find(value);
    if (found == graph.tensors.end() || !core::scalarType(found->second.scalarType)) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the graph has no metadata for tensor \"{}\"", core::printable(value)));
    }
    const etrecord::TensorMeta& meta = found->second;
    builder::TensorSpec spec{.dtype = static_cast<core::ScalarType>(meta.scalarType),
                             .sizes = {},
                             .dimOrder = dimOrderOf(meta),
                             .requiresGrad = false};
    for (const SymInt& size : meta.sizes) {
        if (size.expression.empty()) {
            if (size.value < 0) {
                return fail(ErrorCode::InvalidArgument, fmt::format("tensor \"{}\" has a size of {}",
                                                                    core::printable(value), size.value));
            }
            spec.sizes.push_back(size.value);
            continue;
        }
        const auto range = rangeOf(size.expression, graph.rangeConstraints);
        const bool bounded = range && range->max && *range->max >= 0;
        spec.sizes.push_back(bounded ? *range->max : std::max<std::int64_t>(size.value, 1));
        if (!bounded) {
            spec.dynamism = program::ShapeDynamism::Unbounded;
        } else if (spec.dynamism == program::ShapeDynamism::Static) {
            spec.dynamism = program::ShapeDynamism::Bounded;
        }
    }
    return spec;
}

}  // namespace et::backends::lowering
