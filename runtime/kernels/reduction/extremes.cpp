#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <optional>

namespace et::kernels::reduction {
namespace {

template <bool largest, class Compute>
Result<> values(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor& out) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, out, out, WalkOrder::Memory);
    const std::int64_t stride = space.kept.rowStrides()[1];
    reduce<Extreme<Compute, largest>>(context, space, reader,
                                      [&](const auto& found, const auto& offsets, std::size_t slots) {
                                          writeElements(writer, offsets[1], stride, slots,
                                                        [&](std::size_t slot) { return found.result(slot); });
                                      });
    return {};
}

/// Computes the indices of the extremes and, unless `values` is null, the extremes.
template <bool largest, class Compute>
Result<> places(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor* values,
                Tensor& indices) {
    Tensor& first = values != nullptr ? *values : indices;
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto valueWriter, ElementWriter<Compute>::make(first));
    ET_ASSIGN(const auto indexWriter, ElementWriter<std::int64_t>::make(indices));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, first, indices, WalkOrder::RowMajor);
    const auto& strides = space.kept.rowStrides();
    reduce<ArgExtreme<Compute, largest>>(
        context, space, reader, [&](const auto& found, const auto& offsets, std::size_t slots) {
            if (values != nullptr) {
                writeElements(valueWriter, offsets[1], strides[1], slots,
                              [&](std::size_t slot) { return found.result(slot); });
            }
            writeElements(indexWriter, offsets[2], strides[2], slots,
                          [&](std::size_t slot) { return found.index(slot); });
        });
    return {};
}

/// Writes the extremes to `extremes` and their indices to `indices`; either may be null.
template <bool largest>
Result<> extremesOf(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor* extremes,
                    Tensor* indices) {
    ET_TRY(requireElements(self, dims));
    const Sizes sizes = reducedSizes(self, dims, keepdim);
    if (extremes != nullptr) {
        ET_TRY(extremes->resize(sizes));
        ET_TRY(expectType(*extremes, self.dtype()));
    }
    if (indices != nullptr) {
        ET_TRY(indices->resize(sizes));
        ET_TRY(expectType(*indices, ScalarType::Long));
    }
    if (self.dtype() == ScalarType::UInt64) {
        return unsupportedType(self.dtype());  // their upper half would be negative
    }
    return visitComputeType(self.dtype(), [&](auto compute) {
        using Compute = typename decltype(compute)::type;
        return indices != nullptr ? places<largest, Compute>(context, self, dims, keepdim, extremes, *indices)
                                  : values<largest, Compute>(context, self, dims, keepdim, *extremes);
    });
}

}  // namespace

template <bool largest>
Result<> extremeOut(KernelContext& context, const Tensor& self, IntList dim, bool keepdim, Tensor& out) {
    ET_ASSIGN(const DimSet dims, dimsToReduce(self, dim));
    return extremesOf<largest>(context, self, dims, keepdim, &out, nullptr);
}

/// Like an elementwise result, the result is converted to the dtype of `out`.
template <bool largest>
Result<> extremeAllOut(KernelContext& context, const Tensor& self, Tensor& out) {
    if (out.dtype() == self.dtype()) {
        return extremesOf<largest>(context, self, allDims(self), false, &out, nullptr);
    }
    const DimSet dims = allDims(self);
    ET_TRY(requireElements(self, dims));
    ET_TRY(out.resize(Sizes{}));
    if (!canCast(self.dtype(), out.dtype())) {
        return expectType(out, self.dtype());
    }
    return visitComputeType(self.dtype(), [&](auto compute) {
        return values<largest, typename decltype(compute)::type>(context, self, dims, false, out);
    });
}

template <bool largest>
Result<> extremeDimOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                       Tensor& values, Tensor& indices) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    return extremesOf<largest>(context, self, dims, keepdim, &values, &indices);
}

template <bool largest>
Result<> argExtremeOut(KernelContext& context, const Tensor& self, std::optional<std::int64_t> dim,
                       bool keepdim, Tensor& out) {
    if (!dim) {
        return extremesOf<largest>(context, self, allDims(self), keepdim, nullptr, &out);
    }
    ET_ASSIGN(const DimSet dims, oneDim(self, *dim));
    return extremesOf<largest>(context, self, dims, keepdim, nullptr, &out);
}

template Result<> extremeOut<true>(KernelContext&, const Tensor&, IntList, bool, Tensor&);
template Result<> extremeOut<false>(KernelContext&, const Tensor&, IntList, bool, Tensor&);
template Result<> extremeAllOut<true>(KernelContext&, const Tensor&, Tensor&);
template Result<> extremeAllOut<false>(KernelContext&, const Tensor&, Tensor&);
template Result<> extremeDimOut<true>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&, Tensor&);
template Result<> extremeDimOut<false>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&, Tensor&);
template Result<> argExtremeOut<true>(KernelContext&, const Tensor&, std::optional<std::int64_t>, bool,
                                      Tensor&);
template Result<> argExtremeOut<false>(KernelContext&, const Tensor&, std::optional<std::int64_t>, bool,
                                       Tensor&);

}  // namespace et::kernels::reduction
