#include "runtime/kernels/spatial/pooling.h"

#include "runtime/kernels/builtin.h"

#include <array>

namespace et::kernels {
namespace spatial {
namespace {

constexpr std::array<std::int64_t, 1> noDilation{1};

template <std::size_t spatial>
core::Result<> avgPoolOut(KernelContext& context, const Tensor& self, IntList kernel, IntList stride,
                          IntList padding, bool ceilMode, bool countPadding,
                          std::optional<std::int64_t> divisor, Tensor& out) {
    ET_ASSIGN(const PoolShape shape,
              poolShape(self, spatial, {kernel, stride, padding, noDilation, ceilMode}));
    return avgPool(context, shape, {.fixed = divisor, .countPadding = countPadding}, self, out);
}

core::Result<> avgPool1dOut(KernelContext& context, const Tensor& self, IntList kernel, IntList stride,
                            IntList padding, bool ceilMode, bool countPadding, Tensor& out) {
    return avgPoolOut<1>(context, self, kernel, stride, padding, ceilMode, countPadding, std::nullopt, out);
}

template <std::size_t spatial>
core::Result<> adaptiveAvgPoolOut(KernelContext& context, const Tensor& self, IntList outputSize,
                                  Tensor& out) {
    ET_ASSIGN(const PoolShape shape, adaptivePoolShape(self, spatial, outputSize));
    return avgPool(context, shape, {}, self, out);
}

template <std::size_t spatial>
core::Result<> maxPoolOut(KernelContext& context, const Tensor& self, IntList kernel, IntList stride,
                          IntList padding, IntList dilation, bool ceilMode, Tensor& out, Tensor& indices) {
    ET_ASSIGN(const PoolShape shape, poolShape(self, spatial, {kernel, stride, padding, dilation, ceilMode}));
    return maxPool(context, shape, self, out, indices);
}

template <std::size_t spatial>
core::Result<> adaptiveMaxPoolOut(KernelContext& context, const Tensor& self, IntList outputSize, Tensor& out,
                                  Tensor& indices) {
    ET_ASSIGN(const PoolShape shape, adaptivePoolShape(self, spatial, outputSize));
    return maxPool(context, shape, self, out, indices);
}

template <std::size_t spatial>
core::Result<> maxPoolBackwardOut(KernelContext&, const Tensor& gradOutput, const Tensor& self,
                                  IntList kernel, IntList stride, IntList padding, IntList dilation,
                                  bool ceilMode, const Tensor& indices, Tensor& gradInput) {
    ET_ASSIGN(const PoolShape shape, poolShape(self, spatial, {kernel, stride, padding, dilation, ceilMode}));
    return maxPoolBackward(shape, gradOutput, self, indices, gradInput);
}

constexpr std::array poolingEntries{
    KernelEntry{"aten::avg_pool1d.out", box<&avgPool1dOut>},
    KernelEntry{"aten::avg_pool2d.out", box<&avgPoolOut<2>>},
    KernelEntry{"aten::avg_pool3d.out", box<&avgPoolOut<3>>},
    KernelEntry{"aten::adaptive_avg_pool1d.out", box<&adaptiveAvgPoolOut<1>>},
    KernelEntry{"aten::adaptive_avg_pool2d.out", box<&adaptiveAvgPoolOut<2>>},
    KernelEntry{"aten::adaptive_avg_pool3d.out", box<&adaptiveAvgPoolOut<3>>},
    KernelEntry{"aten::_adaptive_avg_pool2d.out", box<&adaptiveAvgPoolOut<2>>},
    KernelEntry{"aten::_adaptive_avg_pool3d.out", box<&adaptiveAvgPoolOut<3>>},
    KernelEntry{"aten::max_pool2d_with_indices.out", box<&maxPoolOut<2>>},
    KernelEntry{"aten::max_pool3d_with_indices.out", box<&maxPoolOut<3>>},
    KernelEntry{"aten::adaptive_max_pool2d.out", box<&adaptiveMaxPoolOut<2>>},
    KernelEntry{"aten::adaptive_max_pool3d.out", box<&adaptiveMaxPoolOut<3>>},
    KernelEntry{"aten::max_pool2d_with_indices_backward.grad_input", box<&maxPoolBackwardOut<2>>},
    KernelEntry{"aten::max_pool3d_with_indices_backward.grad_input", box<&maxPoolBackwardOut<3>>},
};

}  // namespace
}  // namespace spatial

std::span<const KernelEntry> poolingKernels() {
    return spatial::poolingEntries;
}

}  // namespace et::kernels
