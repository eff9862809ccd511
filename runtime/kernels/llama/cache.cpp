#include "runtime/kernels/llama/cache.h"

#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <array>

namespace et::kernels::llama {
namespace {

core::Result<> checkCache(const Tensor& value, const Tensor& cache) {
    const bool fits = value.dim() == 4 && cache.dim() == 4 && value.size(0) == cache.size(0) &&
                      value.size(2) == cache.size(2) && value.size(3) == cache.size(3);
    if (!fits || value.dtype() != cache.dtype()) {
        return invalid(fmt::format("expected a value of 4 dimensions that matches a cache of {}, got {}",
                                   core::describe(cache), core::describe(value)));
    }
    return {};
}

}  // namespace

core::Result<> updateCache(KernelContext& context, const Tensor& value, Tensor& cache,
                           std::int64_t startPos) {
    ET_TRY(checkCache(value, cache));
    if (startPos < 0 || startPos > cache.size(1) - value.size(1)) {
        return invalid(fmt::format("expected {} positions within {}, got a start of {}", value.size(1),
                                   cache.size(1), startPos));
    }
    WriteView target = viewOf(cache);
    target.narrow(1, startPos, value.size(1));
    return copyElements(context.threads(), viewOf(value), target);
}

core::Result<> updateCacheAt(KernelContext&, const Tensor& value, Tensor& cache, const Tensor& indices) {
    ET_TRY(checkCache(value, cache));
    if (indices.dim() != 2 || indices.dtype() != ScalarType::Long || indices.size(0) != value.size(0) ||
        indices.size(1) != value.size(1)) {
        return invalid(fmt::format("expected indices int64 [{}, {}], got {}", value.size(0), value.size(1),
                                   core::describe(indices)));
    }
    if (value.numel() == 0) {
        return {};
    }
    const auto step = [](const Tensor& tensor, std::size_t dimension) {
        return tensor.stride(dimension) * static_cast<std::int64_t>(tensor.elementSize());
    };
    const std::array<std::int64_t, 2> sizes{value.size(2), value.size(3)};
    const CopyPlan position(value.elementSize(), sizes, Strides{value.stride(2), value.stride(3)},
                            Strides{cache.stride(2), cache.stride(3)});
    const auto* targets = indices.data<std::int64_t>();
    for (std::int64_t batch = 0; batch < value.size(0); ++batch) {
        for (std::int64_t at = 0; at < value.size(1); ++at) {
            const std::int64_t target = targets[batch * indices.stride(0) + at * indices.stride(1)];
            if (target < 0 || target >= cache.size(1)) {
                return invalid(
                    fmt::format("expected indices from 0 to {}, got {}", cache.size(1) - 1, target));
            }
            position.run(value.raw() + batch * step(value, 0) + at * step(value, 1),
                         cache.raw() + batch * step(cache, 0) + target * step(cache, 1));
        }
    }
    return {};
}

}  // namespace et::kernels::llama
