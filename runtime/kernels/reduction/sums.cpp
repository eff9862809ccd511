#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <fmt/format.h>

#include <complex>
#include <optional>
#include <type_traits>

namespace et::kernels::reduction {
namespace {

/// Resizes `out` and checks its dtype, to which elements are converted. Without `dtype` the exporter has
/// chosen it.
Result<> prepare(const Tensor& self, DimSet dims, bool keepdim, std::optional<ScalarType> dtype,
                 Tensor& out) {
    ET_TRY(out.resize(reducedSizes(self, dims, keepdim)));
    return expectType(out, dtype.value_or(out.dtype()));
}

/// Computes sums or products of elements converted to `through`; `finish` converts each to a result.
template <template <class> class Accumulator, class Compute, class Finish>
Result<> total(KernelContext& context, const Tensor& self, ScalarType through, DimSet dims, bool keepdim,
               Tensor& out, const Finish& finish) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self, through));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, out, out, WalkOrder::Memory);
    const std::int64_t stride = space.kept.rowStrides()[1];
    reduce<Accumulator<Compute>>(context, space, reader,
                                 [&](const auto& totals, const auto& offsets, std::size_t slots) {
                                     writeElements(writer, offsets[1], stride, slots, [&](std::size_t slot) {
                                         return static_cast<Compute>(finish(totals.result(slot)));
                                     });
                                 });
    return {};
}

template <template <class> class Accumulator>
Result<> totalOf(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out) {
    ET_TRY(prepare(self, dims, keepdim, dtype, out));
    if (out.dtype() == ScalarType::Bool) {
        constexpr bool any = std::is_same_v<Accumulator<float>, Sum<float>>;  // any for a sum, all for a
                                                                              // product
        return truth<any>(context, self, dims, keepdim, out);
    }
    if (core::isComplex(out.dtype())) {
        return total<Accumulator, std::complex<double>>(context, self, out.dtype(), dims, keepdim, out,
                                                        [](auto sum) { return sum; });
    }
    return visitComputeType(out.dtype(), [&](auto compute) {
        return total<Accumulator, typename decltype(compute)::type>(context, self, out.dtype(), dims, keepdim,
                                                                    out, [](auto sum) { return sum; });
    });
}

/// Unlike sums, means in half or bfloat16 do not round their addends.
Result<> meanOf(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim,
                std::optional<ScalarType> dtype, Tensor& out) {
    if (!dtype && !core::isFloating(self.dtype()) && !core::isComplex(self.dtype())) {
        return invalid(
            fmt::format("expected a dtype for the mean of {}, got none", core::scalarTypeName(self.dtype())));
    }
    ET_TRY(prepare(self, dims, keepdim, dtype, out));
    const auto count = static_cast<double>(reducedCount(self, dims));
    if (core::isComplex(out.dtype())) {
        return total<Sum, std::complex<double>>(context, self, out.dtype(), dims, keepdim, out,
                                                [count](auto sum) { return sum / count; });
    }
    return visitFloatingType(out.dtype(), [&](auto compute) {
        return total<Sum, typename decltype(compute)::type>(context, self, self.dtype(), dims, keepdim, out,
                                                            [count](double sum) { return sum / count; });
    });
}

}  // namespace

Result<> sumOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                std::optional<ScalarType> dtype, Tensor& out) {
    ET_ASSIGN(const DimSet dims, dimsToReduce(self, dim));
    return totalOf<Sum>(context, self, dims, keepdim, dtype, out);
}

Result<> meanOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out) {
    ET_ASSIGN(const DimSet dims, dimsToReduce(self, dim));
    return meanOf(context, self, dims, keepdim, dtype, out);
}

Result<> meanAllOut(KernelContext& context, const Tensor& self, std::optional<ScalarType> dtype,
                    Tensor& out) {
    return meanOf(context, self, allDims(self), false, dtype, out);
}

Result<> prodOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    return totalOf<Product>(context, self, dims, keepdim, dtype, out);
}

Result<> prodAllOut(KernelContext& context, const Tensor& self, std::optional<ScalarType> dtype,
                    Tensor& out) {
    return totalOf<Product>(context, self, allDims(self), false, dtype, out);
}

}  // namespace et::kernels::reduction
