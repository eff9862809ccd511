#pragma once

#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Integer weights of a product: symmetric, with a scale per output or per block of an output.
struct QuantizedWeight {
    std::string_view elements;    ///< the int8 value with the elements, one row per output
    std::vector<float> scales;    ///< ordered by output
    std::uint32_t blockSize = 0;  ///< number of elements that share a scale; 0: all of an output
    bool fourBits = false;        ///< elements are in [-8, 7]
};

/// Quantization of weights whose outputs are dimension `outputDim`. Nothing if they are not quantized, or in
/// a way that the library does not support (zero points, scales along another dimension). Errors: those of
/// Constants::get().
[[nodiscard]] core::Result<std::optional<QuantizedWeight>> quantizedWeight(const lowering::EdgeMethod& method,
                                                                           Constants& constants,
                                                                           std::string_view value,
                                                                           std::size_t outputDim);

/// Packs two elements in [-8, 7] per byte, the first in the low half, with 8 added.
[[nodiscard]] std::vector<std::byte> packedNibbles(std::span<const std::int8_t> elements);

}  // namespace et::backends::xnnpack
