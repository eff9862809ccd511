#include "inspector/numeric_gap/fitted_tensor.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace et::inspector {
namespace {

using core::Result;
using core::Tensor;

/// Products of the sizes from the last dimension on: the element strides at which dimensions begin.
std::set<std::int64_t> boundariesOf(const Tensor& tensor) {
    std::set<std::int64_t> boundaries;
    std::int64_t elements = 1;
    for (std::size_t i = tensor.dim(); i-- > 0;) {
        elements *= tensor.sizes()[i];
        boundaries.insert(elements);
    }
    boundaries.insert(1);
    return boundaries;
}

/// Returns the tensor in the graph's shape if only the division into dimensions differs.
Result<ReferenceTensor> reshaped(const ReferenceTensor& tensor, const ReferenceTensor& expected) {
    if (sameSizes(tensor.view, expected.view) || !haveMergedSizes(tensor.view, expected.view)) {
        return tensor;
    }
    const auto sizes = expected.view.sizes();
    ReferenceTensor made = tensor;
    if (!tensor.view.isContiguous()) {
        ET_ASSIGN(made, rowMajorCopy(tensor.view));
    }
    ET_ASSIGN(made.view, Tensor::make(made.view.dtype(), std::span(sizes.begin(), sizes.end()),
                                      made.view.rawBytes().data()));
    return made;
}

}  // namespace

bool haveMergedSizes(const Tensor& left, const Tensor& right) {
    const std::set<std::int64_t> one = boundariesOf(left);
    const std::set<std::int64_t> other = boundariesOf(right);
    return left.numel() == right.numel() && left.numel() > 0 &&
           (std::ranges::includes(one, other) || std::ranges::includes(other, one));
}

Result<ReferenceTensor> fitted(const ReferenceTensor& tensor, const ReferenceTensor& expected) {
    constexpr std::size_t imageDimensions = 4;
    const Tensor& view = tensor.view;
    if (sameSizes(view, expected.view)) {
        return tensor;
    }
    if (view.dim() != imageDimensions || expected.view.dim() != imageDimensions) {
        return reshaped(tensor, expected);
    }
    constexpr std::array<std::array<std::uint8_t, imageDimensions>, 2> orders{{{0, 3, 1, 2}, {0, 2, 3, 1}}};
    for (const auto& order : orders) {
        ET_ASSIGN(ReferenceTensor turned, permutedCopy(view, order));
        if (sameSizes(turned.view, expected.view)) {
            return turned;
        }
    }
    return reshaped(tensor, expected);
}

}  // namespace et::inspector
