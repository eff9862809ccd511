#pragma once

#include "backends/xnnpack/own/own_node.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace et::backends::xnnpack {

/// Weights of a node in a form of ours. They lie with those of the library where these are shared, so that
/// delegates of a module that pack the same ones have them once.
class PackedWeights {
  public:
    /// In what form; part of the cache's key.
    enum class Form : std::uint32_t { Blocks, Depthwise };

    /// `size` bytes that `fill` writes, of the constant `kernel` and `bias` (null: none). They are at an
    /// address for any vector, and lie there as long as this and what `source` shares. Errors: Limit.
    template <class Fill>
    [[nodiscard]] core::Result<const std::byte*> pack(const OwnNode::Source& source, Form form,
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

    /// Of what is not shared.
    [[nodiscard]] std::uint64_t bytes() const { return own != nullptr ? own->bytes() : 0; }

  private:
    std::unique_ptr<WeightsCache> own;  ///< where there is none to be shared
};

}  // namespace et::backends::xnnpack
