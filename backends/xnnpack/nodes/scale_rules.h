#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

/// Ratio of a node's scales that is limited.
enum class ScaleRatio : std::uint8_t {
    EachInput,  ///< each input to the output
    Product,    ///< product of the inputs to the output
};

/// Allowed ratios: from `min` to `max`; `max` is included or not.
struct ScaleRule {
    ScaleRatio ratio;
    float min;
    float max;
    bool withMax;
    /// For sums: the smaller ratio may be below `min`; the library rejects this, and a custom kernel computes
    /// it.
    bool onlyLarger = false;
};

inline constexpr ScaleRule sumScales{ScaleRatio::EachInput, 0x1p-10F, 0x1p8F, false, true};
inline constexpr ScaleRule multiplyScales{ScaleRatio::Product, 0x1p-16F, 0x1p8F, false};
inline constexpr ScaleRule requantizeScales{ScaleRatio::EachInput, 0x1p-8F, 0x1p7F, true};
inline constexpr ScaleRule productScales{ScaleRatio::Product, 0x1p-32F, 0x1p8F, false};

/// Checks that the scales of a node's inputs and outputs are close enough for the library's integer
/// arithmetic, which asserts it. Scales must be positive. Errors: Unsupported.
[[nodiscard]] core::Result<> checkScales(const Payload& payload, std::size_t node);

}  // namespace et::backends::xnnpack
