#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <span>

namespace et::kernels::reduction {
namespace {

template <class Compute>
bool isNotANumber(Compute number) {
    if constexpr (std::floating_point<Compute>) {
        return std::isnan(number);
    } else {
        return false;
    }
}

/// Returns the index of the first NaN, otherwise of the lower median. Among equal numbers, the one that the
/// standard algorithm selects, which PyTorch uses, too. `order`: as many indices.
template <class Compute>
std::size_t medianOf(std::span<const Compute> line, std::span<std::size_t> order) {
    const auto missing = std::ranges::find_if(line, isNotANumber<Compute>);
    if (missing != line.end()) {
        return static_cast<std::size_t>(missing - line.begin());
    }
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>((line.size() - 1) / 2);
    std::nth_element(order.begin(), middle, order.end(),
                     [&](std::size_t left, std::size_t right) { return line[left] < line[right]; });
    return *middle;
}

template <class Compute>
Result<> medians(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor& values,
                 Tensor& indices) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto valueWriter, ElementWriter<Compute>::make(values));
    ET_ASSIGN(const auto indexWriter, ElementWriter<std::int64_t>::make(indices));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, values, indices, WalkOrder::RowMajor);
    const auto length = static_cast<std::size_t>(space.count);
    ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(length));
    ET_ASSIGN(const std::span<std::size_t> order, context.scratch<std::size_t>(length));
    const std::int64_t stride = space.reduced.rowStrides()[1];
    const auto& strides = space.kept.rowStrides();
    space.kept.forRows(0, space.kept.rows(), [&](const auto& row) {
        for (std::int64_t i = 0; i < space.kept.rowLength(); ++i) {
            const Compute* const line = reader.read(row[0] + i * strides[0], stride, length, numbers.data());
            const std::size_t median = medianOf(std::span(line, length), order);
            writeElements(valueWriter, row[1] + i * strides[1], 1, 1,
                          [&](std::size_t) { return line[median]; });
            writeElements(indexWriter, row[2] + i * strides[2], 1, 1,
                          [&](std::size_t) { return static_cast<std::int64_t>(median); });
        }
    });
    return {};
}

Result<> checkMedian(const Tensor& self, const Tensor& values) {
    ET_TRY(expectType(values, self.dtype()));
    if (self.dtype() == ScalarType::UInt64 || self.dtype() == ScalarType::Bool) {
        return unsupportedType(self.dtype());
    }
    return {};
}

}  // namespace

Result<> medianDimOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                      Tensor& values, Tensor& indices) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    ET_TRY(requireElements(self, dims));
    const Sizes sizes = reducedSizes(self, dims, keepdim);
    ET_TRY(values.resize(sizes));
    ET_TRY(indices.resize(sizes));
    ET_TRY(checkMedian(self, values));
    ET_TRY(expectType(indices, ScalarType::Long));
    return visitComputeType(self.dtype(), [&](auto compute) {
        return medians<typename decltype(compute)::type>(context, self, dims, keepdim, values, indices);
    });
}

Result<> medianOut(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(out.resize(Sizes{}));
    ET_TRY(checkMedian(self, out));
    if (self.numel() == 0 && !core::isFloating(self.dtype())) {
        return invalid("expected at least one element");
    }
    return visitComputeType(self.dtype(), [&](auto compute) -> Result<> {
        using Compute = typename decltype(compute)::type;
        ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
        ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
        const auto length = static_cast<std::size_t>(self.numel());
        ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(length));
        ET_ASSIGN(const std::span<std::size_t> order, context.scratch<std::size_t>(length));
        Compute median = std::numeric_limits<Compute>::quiet_NaN();
        if (length > 0) {
            // The elements are dense in memory; their order does not matter.
            const std::span line(reader.read(0, 1, length, numbers.data()), length);
            median = line[medianOf(line, order)];
        }
        writeElements(writer, 0, 1, 1, [&](std::size_t) { return median; });
        return {};
    });
}

}  // namespace et::kernels::reduction
