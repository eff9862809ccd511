#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <limits>
#include <optional>

namespace et::kernels::reduction {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Writes variances to `variance`, and means to `mean` unless it is the same tensor.
template <class Compute>
Result<> moments(KernelContext& context, const Tensor& self, DimSet dims, double correction, bool keepdim,
                 Tensor& variance, Tensor& mean) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto varianceWriter, ElementWriter<double>::make(variance));
    ET_ASSIGN(const auto meanWriter, ElementWriter<double>::make(mean));
    const ReductionSpace space = reductionSpace(self, dims, keepdim, variance, mean, WalkOrder::Memory);
    const auto& strides = space.kept.rowStrides();
    reduce<Spread<Compute>>(
        context, space, reader, [&](const auto& spread, const auto& offsets, std::size_t slots) {
            if (&mean != &variance) {
                writeElements(meanWriter, offsets[2], strides[2], slots, [&](std::size_t slot) {
                    return space.count == 0 ? nan : spread.result(slot).mean;
                });
            }
            writeElements(varianceWriter, offsets[1], strides[1], slots, [&](std::size_t slot) {
                return space.count == 0 ? nan : spread.result(slot).variance(correction);
            });
        });
    return {};
}

Result<> momentsOf(KernelContext& context, const Tensor& self, std::optional<IntList> dim, double correction,
                   bool keepdim, Tensor& variance, Tensor& mean) {
    ET_ASSIGN(const DimSet dims, dimsToReduce(self, dim));
    for (Tensor* out : {&variance, &mean}) {
        ET_TRY(out->resize(reducedSizes(self, dims, keepdim)));
        // A variance alone is converted to the dtype of its result, a variance with mean is not.
        if (&mean != &variance || !core::isFloating(out->dtype())) {
            ET_TRY(expectType(*out, self.dtype()));
        }
    }
    return visitFloatingType(self.dtype(), [&](auto compute) {
        return moments<typename decltype(compute)::type>(context, self, dims, correction, keepdim, variance,
                                                         mean);
    });
}

double correctionOf(const std::optional<Scalar>& correction) {
    return correction ? correction->to<double>() : 1.0;
}

}  // namespace

Result<> varOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool unbiased,
                bool keepdim, Tensor& out) {
    return momentsOf(context, self, dim, unbiased ? 1 : 0, keepdim, out, out);
}

Result<> varCorrectionOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim,
                          std::optional<Scalar> correction, bool keepdim, Tensor& out) {
    return momentsOf(context, self, dim, correctionOf(correction), keepdim, out, out);
}

Result<> varMeanCorrectionOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim,
                              std::optional<Scalar> correction, bool keepdim, Tensor& variance,
                              Tensor& mean) {
    return momentsOf(context, self, dim, correctionOf(correction), keepdim, variance, mean);
}

}  // namespace et::kernels::reduction
