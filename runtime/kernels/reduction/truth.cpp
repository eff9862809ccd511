#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

namespace et::kernels::reduction {

template <bool any>
Result<> truth(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor& out) {
    ET_TRY(out.resize(reducedSizes(self, dims, keepdim)));
    if (out.dtype() != ScalarType::Byte) {
        ET_TRY(expectType(out, ScalarType::Bool));
    }
    ET_ASSIGN(const auto reader, TruthReader::make(self));
    ET_ASSIGN(const auto writer, ElementWriter<std::int64_t>::make(out));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, out, out, WalkOrder::Memory);
    const std::int64_t stride = space.kept.rowStrides()[1];
    reduce<Truth<any>>(context, space, reader,
                       [&](const auto& truths, const auto& offsets, std::size_t slots) {
                           writeElements(writer, offsets[1], stride, slots,
                                         [&](std::size_t slot) { return truths.result(slot) ? 1 : 0; });
                       });
    return {};
}

template <bool any>
Result<> truthOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim, Tensor& out) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    return truth<any>(context, self, dims, keepdim, out);
}

template <bool any>
Result<> truthAllOut(KernelContext& context, const Tensor& self, Tensor& out) {
    return truth<any>(context, self, allDims(self), false, out);
}

template <bool any>
Result<> truthDimsOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                      Tensor& out) {
    if (!dim) {
        return truth<any>(context, self, allDims(self), keepdim, out);
    }
    ET_ASSIGN(const DimSet dims, wrapDims(*dim, self.dim(), false));
    return truth<any>(context, self, dims, keepdim, out);
}

template Result<> truth<true>(KernelContext&, const Tensor&, DimSet, bool, Tensor&);
template Result<> truth<false>(KernelContext&, const Tensor&, DimSet, bool, Tensor&);
template Result<> truthOut<true>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&);
template Result<> truthOut<false>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&);
template Result<> truthAllOut<true>(KernelContext&, const Tensor&, Tensor&);
template Result<> truthAllOut<false>(KernelContext&, const Tensor&, Tensor&);
template Result<> truthDimsOut<true>(KernelContext&, const Tensor&, std::optional<IntList>, bool, Tensor&);
template Result<> truthDimsOut<false>(KernelContext&, const Tensor&, std::optional<IntList>, bool, Tensor&);

}  // namespace et::kernels::reduction
