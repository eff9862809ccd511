#pragma once

#include "backends/xnnpack/payload/payload.h"

// Nodes with 8-bit values that have one scale per tensor.
namespace et::backends::xnnpack {

/// Whether it is QInt8 or QUInt8 with a single scale.
[[nodiscard]] bool isByteTensor(const PayloadValue& value);

/// Whether all inputs and outputs of a node are QInt8, or all QUInt8.
[[nodiscard]] bool areBytesOfOneType(const Payload& payload, const PayloadNode& node);

/// Requires areBytesOfOneType().
[[nodiscard]] const PerTensorQuantization& byteParameters(const Payload& payload, ValueIndex value);

/// Ratios of the two inputs' scales to the output's scale.
struct SumRatios {
    float smaller = 0;
    float larger = 0;
};

/// Of a node that adds or subtracts such values.
[[nodiscard]] SumRatios sumRatios(const Payload& payload, const PayloadNode& node);

/// Whether a node adds or subtracts 8-bit values with scales that the library supports.
[[nodiscard]] bool isSumOfSimilarScales(const Payload& payload, const PayloadNode& node);

/// Whether a node adds or subtracts 8-bit values of which one has a scale so much smaller than the output's
/// that the installed library rejects it. Later versions compute it like makeByteSum().
[[nodiscard]] bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node);

}  // namespace et::backends::xnnpack
