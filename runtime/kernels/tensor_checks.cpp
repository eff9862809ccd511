#include "runtime/kernels/tensor_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels {

using core::ScalarType;
using core::Tensor;

core::Result<> expectTensor(std::string_view name, const Tensor& tensor, ScalarType dtype,
                            std::span<const std::int64_t> sizes) {
    if (tensor.dtype() != dtype || !std::ranges::equal(tensor.sizes(), sizes) || !tensor.isContiguous()) {
        return invalid(fmt::format("{}: expected row-major {} {}, got {}", name, core::scalarTypeName(dtype),
                                   core::sizesText(sizes), core::describe(tensor)));
    }
    return {};
}

core::Result<> expectRank(std::string_view name, const Tensor& tensor, ScalarType dtype, std::size_t rank) {
    if (tensor.dtype() != dtype || tensor.dim() != rank || !tensor.isContiguous()) {
        return invalid(fmt::format("{}: expected row-major {} with {} dimension{}, got {}", name,
                                   core::scalarTypeName(dtype), rank, rank == 1 ? "" : "s",
                                   core::describe(tensor)));
    }
    return {};
}

core::Result<> resizeResult(Tensor& out, ScalarType dtype, std::span<const std::int64_t> sizes) {
    if (out.dtype() != dtype) {
        return invalid(
            fmt::format("out: expected {}, got {}", core::scalarTypeName(dtype), core::describe(out)));
    }
    ET_TRY(out.resize(sizes));
    return expectTensor("out", out, dtype, sizes);
}

}  // namespace et::kernels
