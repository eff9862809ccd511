#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

/// What a node's scales come to.
enum class ScaleRatio : std::uint8_t {
    EachInput,  ///< of each input to the output
    Product,    ///< of the product of the inputs to the output
};

/// Ratios that a node may have: from `min` to `max`, which is allowed itself or not.
struct ScaleRule {
    ScaleRatio ratio;
    float min;
    float max;
    bool withMax;
    /// Of sums: the smaller ratio may be below `min`, which the library refuses and we compute.
    bool onlyLarger = false;
};

inline constexpr ScaleRule sumScales{ScaleRatio::EachInput, 0x1p-10F, 0x1p8F, false, true};
inline constexpr ScaleRule multiplyScales{ScaleRatio::Product, 0x1p-16F, 0x1p8F, false};
inline constexpr ScaleRule requantizeScales{ScaleRatio::EachInput, 0x1p-8F, 0x1p7F, true};
inline constexpr ScaleRule productScales{ScaleRatio::Product, 0x1p-32F, 0x1p8F, false};

/// Whether the scales of what a node reads and writes are as near to one another as the library's integer
/// arithmetic needs, which it asserts. Values are known to have positive scales. Errors: Unsupported.
[[nodiscard]] core::Result<> checkScales(const Payload& payload, std::size_t node);

}  // namespace et::backends::xnnpack
