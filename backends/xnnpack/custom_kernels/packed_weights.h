#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace et::backends::xnnpack {

/// Weights of a node packed for a custom kernel. Stored with the library's weights if these are shared, so
/// that delegates of a module with equal packed weights store them once.
class PackedWeights {
  public:
    /// Packed layout; part of the cache's key.
    enum class Form : std::uint32_t { Blocks, Depthwise };

    /// Returns `size` bytes written by `fill`, from the constants `kernel` and `bias` (null: none). Their
    /// address is aligned for any vector, and valid as long as this and the shared state of `source`. Errors:
    /// Limit.
    template <class Fill>
    [[nodiscard]] core::Result<const std::byte*> pack(const CustomNode::Source& source, Form form,
                                                      const void* kernel, const void* bias, std::size_t size,
                                                      const Fill& fill) {
        WeightsCache* cache = source.weights;
        if (cache == nullptr) {
            own = std::make_unique<WeightsCache>();
            own->open(std::numeric_limits<std::uint64_t>::max());
            cache = own.get();
        }
        const std::byte* const packed = cache->pack(
            {.seed = static_cast<std::uint32_t>(form), .kernel = kernel, .bias = bias}, size, fill);
        if (packed == nullptr) {
            return core::fail(core::ErrorCode::Limit, "packed weights take more memory than allowed");
        }
        return packed;
    }

    /// Bytes that are not shared.
    [[nodiscard]] std::uint64_t bytes() const { return own != nullptr ? own->bytes() : 0; }

  private:
    std::unique_ptr<WeightsCache> own;  ///< used if there is no shared cache
};

}  // namespace et::backends::xnnpack
