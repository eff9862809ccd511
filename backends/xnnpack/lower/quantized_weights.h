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

/// Weights that a product computes with as integers: symmetric, with a scale an output or a block of one.
struct QuantizedWeight {
    std::string_view elements;    ///< the value that holds them, int8, an output a row
    std::vector<float> scales;    ///< an output after the other
    std::uint32_t blockSize = 0;  ///< elements that share a scale; 0: all of an output
    bool fourBits = false;        ///< elements are -8 to 7
};

/// How weights are quantized, which `outputDim` says the outputs of. Nothing where they are not, or in a way
/// in which the library has no products (zero points, a scale along another dimension). Errors: as
/// Constants::get().
[[nodiscard]] core::Result<std::optional<QuantizedWeight>> quantizedWeight(const lowering::EdgeMethod& method,
                                                                           Constants& constants,
                                                                           std::string_view value,
                                                                           std::size_t outputDim);

/// Two elements of -8 to 7 in a byte, the first in its low half, with 8 added.
[[nodiscard]] std::vector<std::byte> packedNibbles(std::span<const std::int8_t> elements);

}  // namespace et::backends::xnnpack
