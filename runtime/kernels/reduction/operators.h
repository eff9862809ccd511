#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/shape_rules.h"

#include <cstdint>
#include <optional>

// Reduction operators. Arguments are those of PyTorch's schemas of the same name
// (https://pytorch.org/docs/stable/torch.html#reduction-ops), results the out arguments. All of them accept
// any dim order; dimensions may be negative. Errors: InvalidArgument (invalid dimensions, sizes or dtypes),
// Unsupported (dtypes that are not real), Limit (memory).
namespace et::kernels::reduction {

using core::Result;

// sums.cpp: integers and bools are summed in int64 unless `dtype` is given
Result<> sumOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                std::optional<ScalarType> dtype, Tensor& out);
Result<> meanOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out);
Result<> meanAllOut(KernelContext& context, const Tensor& self, std::optional<ScalarType> dtype, Tensor& out);
Result<> prodOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out);
Result<> prodAllOut(KernelContext& context, const Tensor& self, std::optional<ScalarType> dtype, Tensor& out);

// truth.cpp: the result is bool, or uint8 for uint8
/// Reduces over the dimensions; also used for sums and products of bools.
template <bool any>
Result<> truth(KernelContext& context, const Tensor& self, DimSet dims, bool keepdim, Tensor& out);
template <bool any>
Result<> truthOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim, Tensor& out);
template <bool any>
Result<> truthAllOut(KernelContext& context, const Tensor& self, Tensor& out);
/// An empty list of dimensions reduces nothing, a missing one reduces all.
template <bool any>
Result<> truthDimsOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool keepdim,
                      Tensor& out);

// extremes.cpp: the first NaN is the extreme, otherwise the first of equal elements
template <bool largest>
Result<> extremeOut(KernelContext& context, const Tensor& self, IntList dim, bool keepdim, Tensor& out);
template <bool largest>
Result<> extremeAllOut(KernelContext& context, const Tensor& self, Tensor& out);
template <bool largest>
Result<> extremeDimOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                       Tensor& values, Tensor& indices);
template <bool largest>
Result<> argExtremeOut(KernelContext& context, const Tensor& self, std::optional<std::int64_t> dim,
                       bool keepdim, Tensor& out);

// median.cpp: the first NaN, otherwise the lower median
Result<> medianDimOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool keepdim,
                      Tensor& values, Tensor& indices);
/// NaN for an empty tensor.
Result<> medianOut(KernelContext& context, const Tensor& self, Tensor& out);

// closeness.cpp
/// Whether all elements are as close as torch.isclose() allows; `out` is one bool. Both tensors have the same
/// sizes, dtype and dim order.
Result<> allCloseOut(KernelContext& context, const Tensor& self, const Tensor& other, double rtol,
                     double atol, bool equalNan, bool dummy, Tensor& out);

// variance.cpp
Result<> varOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim, bool unbiased,
                bool keepdim, Tensor& out);
Result<> varCorrectionOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim,
                          std::optional<Scalar> correction, bool keepdim, Tensor& out);
Result<> varMeanCorrectionOut(KernelContext& context, const Tensor& self, std::optional<IntList> dim,
                              std::optional<Scalar> correction, bool keepdim, Tensor& variance, Tensor& mean);

// cumulative_sum.cpp, top_k.cpp, nonzero.cpp, distance.cpp
Result<> cumsumOut(KernelContext& context, const Tensor& self, std::int64_t dim,
                   std::optional<ScalarType> dtype, Tensor& out);
Result<> topkValues(KernelContext& context, const Tensor& self, std::int64_t k, std::int64_t dim,
                    bool largest, bool sorted, Tensor& values, Tensor& indices);
Result<> nonzeroOut(KernelContext& context, const Tensor& self, Tensor& out);
Result<> cdistForwardOut(KernelContext& context, const Tensor& x1, const Tensor& x2, double p,
                         std::optional<std::int64_t> computeMode, Tensor& out);
Result<> pdistForwardOut(KernelContext& context, const Tensor& self, double p, Tensor& out);

// softmax.cpp
template <bool logarithm>
Result<> softmaxOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool halfToFloat,
                    Tensor& out);

// layer_norm.cpp, group_norm.cpp: `reciprocal` is set to 1 / sqrt(variance + eps)
Result<> nativeLayerNormOut(KernelContext& context, const Tensor& input, IntList normalizedShape,
                            const Tensor* weight, const Tensor* bias, double eps, Tensor& out, Tensor& mean,
                            Tensor& reciprocal);
Result<> nativeGroupNormOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                            const Tensor* bias, std::int64_t batch, std::int64_t channels,
                            std::int64_t pixels, std::int64_t groups, double eps, Tensor& out, Tensor& mean,
                            Tensor& reciprocal);

// batch_norm.cpp: channels are dimension 1; the last two results are empty if running statistics are used
Result<> batchNormNoTrainingOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                                const Tensor* bias, const Tensor& runningMean, const Tensor& runningVar,
                                double momentum, double eps, Tensor& out, Tensor& saveMean,
                                Tensor& saveReciprocal);
/// The first operator for FusedTail: registers its per-channel step.
Result<> batchNormNoTrainingParts(KernelContext& context, const Tensor& input, const Tensor* weight,
                                  const Tensor* bias, const Tensor& runningMean, const Tensor& runningVar,
                                  double momentum, double eps, Tensor& out, Tensor& saveMean,
                                  Tensor& saveReciprocal);
Result<> batchNormNoStatsOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                             const Tensor* bias, bool training, double momentum, double eps, Tensor& out,
                             Tensor& saveMean, Tensor& saveReciprocal);
/// Training updates the running statistics; otherwise they may be constants.
Result<> batchNormOut(KernelContext& context, const Tensor& input, const Tensor* weight, const Tensor* bias,
                      core::Value& runningMean, core::Value& runningVar, bool training, double momentum,
                      double eps, Tensor& out, Tensor& saveMean, Tensor& saveReciprocal);

}  // namespace et::kernels::reduction
