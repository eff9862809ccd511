#include "runtime/kernels/builtin.h"
#include "runtime/kernels/spatial/grid_sampler.h"
#include "runtime/kernels/spatial/upsample.h"

#include <array>

namespace et::kernels {
namespace spatial {
namespace {

template <bool exact>
core::Result<> nearestVecOut(KernelContext& context, const Tensor& input, std::optional<IntList> outputSize,
                             std::optional<DoubleList> factors, Tensor& out) {
    ET_ASSIGN(const ResizeTarget target, resizeTarget(input, outputSize, factors));
    return upsampleNearest(context, input, target, exact, out);
}

template <bool exact>
core::Result<> nearestOut(KernelContext& context, const Tensor& input, IntList outputSize,
                          std::optional<double> heightFactor, std::optional<double> widthFactor,
                          Tensor& out) {
    ET_ASSIGN(const ResizeTarget target, resizeTarget(input, outputSize, heightFactor, widthFactor));
    return upsampleNearest(context, input, target, exact, out);
}

using Resize = core::Result<> (*)(KernelContext&, const Tensor&, const ResizeTarget&, bool, Tensor&);

template <Resize resize>
core::Result<> linearVecOut(KernelContext& context, const Tensor& input, std::optional<IntList> outputSize,
                            bool alignCorners, std::optional<DoubleList> factors, Tensor& out) {
    ET_ASSIGN(const ResizeTarget target, resizeTarget(input, outputSize, factors));
    return resize(context, input, target, alignCorners, out);
}

template <Resize resize>
core::Result<> linearOut(KernelContext& context, const Tensor& input, IntList outputSize, bool alignCorners,
                         std::optional<double> heightFactor, std::optional<double> widthFactor, Tensor& out) {
    ET_ASSIGN(const ResizeTarget target, resizeTarget(input, outputSize, heightFactor, widthFactor));
    return resize(context, input, target, alignCorners, out);
}

constexpr std::array samplingEntries{
    KernelEntry{"aten::upsample_nearest2d.vec_out", box<&nearestVecOut<false>>},
    KernelEntry{"aten::upsample_nearest2d.out", box<&nearestOut<false>>},
    KernelEntry{"aten::_upsample_nearest_exact2d.vec_out", box<&nearestVecOut<true>>},
    KernelEntry{"aten::_upsample_nearest_exact2d.out", box<&nearestOut<true>>},
    KernelEntry{"aten::upsample_bilinear2d.vec_out", box<&linearVecOut<&upsampleBilinear>>},
    KernelEntry{"aten::upsample_bilinear2d.out", box<&linearOut<&upsampleBilinear>>},
    KernelEntry{"aten::_upsample_bilinear2d_aa.vec_out", box<&linearVecOut<&upsampleAntialiased>>},
    KernelEntry{"aten::_upsample_bilinear2d_aa.out", box<&linearOut<&upsampleAntialiased>>},
    KernelEntry{"aten::grid_sampler_2d.out", box<&gridSampler2d>},
};

}  // namespace
}  // namespace spatial

std::span<const KernelEntry> samplingKernels() {
    return spatial::samplingEntries;
}

}  // namespace et::kernels
