#include "runtime/kernels/gradient/operators.h"
#include "runtime/kernels/gradient/row_major.h"
#include "runtime/kernels/spatial/pool_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace et::kernels::gradient {
namespace {

using spatial::PoolAxis;
using spatial::PoolShape;
using spatial::PoolWindow;

/// Divisor of a window's sum.
struct PoolDivisor {
    std::optional<std::int64_t> fixed;
    bool countPadding = false;

    [[nodiscard]] double of(const PoolWindow& height, const PoolWindow& width) const {
        if (fixed) {
            return static_cast<double>(*fixed);
        }
        return countPadding ? static_cast<double>(height.places) * static_cast<double>(width.places)
                            : static_cast<double>(height.count) * static_cast<double>(width.count);
    }
};

/// Adds each output's gradient, divided, to the inputs of its window.
template <class T>
void spreadPlane(const PoolAxis& rows, const PoolAxis& columns, const PoolDivisor& divisor, const T* gradient,
                 T* to) {
    for (std::int64_t y = 0; y < rows.output; ++y) {
        const PoolWindow height = rows.window(y);
        for (std::int64_t x = 0; x < columns.output; ++x, ++gradient) {
            const PoolWindow width = columns.window(x);
            const auto share = static_cast<T>(static_cast<double>(*gradient) / divisor.of(height, width));
            for (std::int64_t row = height.first; row < height.first + height.count; ++row) {
                T* const line = to + row * columns.input + width.first;
                std::for_each_n(line, width.count, [share](T& each) { each += share; });
            }
        }
    }
}

Result<> averageBackward(KernelContext& context, const PoolShape& shape, const PoolDivisor& divisor,
                         const Tensor& gradient, const Tensor& self, Tensor& out) {
    if (gradient.dtype() != self.dtype() || gradient.sizes() != shape.outSizes) {
        return invalid(fmt::format("expected a gradient of {} {}, got {} {}",
                                   core::scalarTypeName(self.dtype()), core::sizesText(shape.outSizes),
                                   core::scalarTypeName(gradient.dtype()),
                                   core::sizesText(gradient.sizes())));
    }
    ET_TRY(resizeLike(out, self));
    const PoolAxis& rows = shape.axes[1];
    const PoolAxis& columns = shape.axes[2];
    return visitFloatingType(self.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* gradients, dense::rowMajor<T>(context, gradient));
        return fillResult<T>(context, out, [&](T* results) -> Result<> {
            std::fill_n(results, out.numel(), T{});
            for (std::int64_t plane = 0; plane < shape.batch * shape.channels; ++plane) {
                spreadPlane(rows, columns, divisor, gradients + plane * rows.output * columns.output,
                            results + plane * rows.input * columns.input);
            }
            return {};
        });
    });
}

Result<> avgPool2dBackward(KernelContext& context, const Tensor& gradient, const Tensor& self, IntList kernel,
                           IntList stride, IntList padding, bool ceilMode, bool countPadding,
                           std::optional<std::int64_t> divisor, Tensor& out) {
    constexpr std::array<std::int64_t, 1> noDilation{1};
    ET_ASSIGN(const PoolShape shape,
              spatial::poolShape(self, 2, {kernel, stride, padding, noDilation, ceilMode}));
    if (divisor == 0) {
        return invalid("expected a non-zero divisor");
    }
    return averageBackward(context, shape, {.fixed = divisor, .countPadding = countPadding}, gradient, self,
                           out);
}

Result<> adaptiveAvgPool2dBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                                   Tensor& out) {
    if (gradient.dim() < 2 || gradient.dim() != self.dim()) {
        return invalid(fmt::format("expected a gradient of {} dimensions, got {}", self.dim(),
                                   core::sizesText(gradient.sizes())));
    }
    const std::array outputs{gradient.sizes()[gradient.dim() - 2], gradient.sizes()[gradient.dim() - 1]};
    ET_ASSIGN(const PoolShape shape, spatial::adaptivePoolShape(self, 2, outputs));
    return averageBackward(context, shape, {}, gradient, self, out);
}

constexpr std::array averageGradients{
    KernelEntry{"aten::avg_pool2d_backward.grad_input", box<&avgPool2dBackward>},
    KernelEntry{"aten::_adaptive_avg_pool2d_backward.out", box<&adaptiveAvgPool2dBackward>},
};

}  // namespace

std::span<const KernelEntry> poolingEntries() {
    return averageGradients;
}

}  // namespace et::kernels::gradient
