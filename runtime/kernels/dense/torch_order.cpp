#include "runtime/kernels/dense/torch_order.h"

#include <algorithm>

namespace et::kernels::dense {
namespace {

/// Channels that oneDNN keeps together in memory.
constexpr std::int64_t oneDnnBlock = 16;

bool usesOneDnn(const Convolution& shape) {
    constexpr std::int64_t leastElements = 20480;
    constexpr std::int64_t largeKernel = 3;
    const Filter& filter = shape.filter;
    const bool isLarge = filter.kernel[1] > largeKernel && filter.kernel[2] > largeKernel;
    const double elements = static_cast<double>(shape.batch) * static_cast<double>(filter.inputChannels) *
                            static_cast<double>(shape.inputPlane());
    return filter.groups > 1 || isLarge || shape.batch > 1 || elements > leastElements;
}

}  // namespace

std::optional<SumOrder> torchOrder(const Convolution& shape) {
    if (shape.filter.transposed) {
        return std::nullopt;
    }
    if (usesOneDnn(shape)) {
        return SumOrder{.channelBlock = oneDnnBlock, .arithmetic = Arithmetic::Fast};
    }
    return SumOrder{.channelBlock = 0, .arithmetic = Arithmetic::Torch};
}

}  // namespace et::kernels::dense
