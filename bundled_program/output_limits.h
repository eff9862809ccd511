#pragma once

#include <optional>

namespace et::bundled_program {

/// Limits on an output as a whole. Quantized outputs mostly agree, with occasional differences of one step,
/// so element-wise tolerances describe them poorly. Apply to integers and floats; bools and values that are
/// not tensors only have tolerances.
struct OutputLimits {
    std::optional<double> step;       ///< value of one quantization step; empty: unknown
    std::optional<double> maxSteps;   ///< maximum error of an element in steps; requires `step`
    std::optional<double> minSnr;     ///< signal-to-quantization-noise ratio, in decibels
    std::optional<double> minCosine;  ///< of the angle between both outputs as vectors
    /// Each row, along the last dimension, has its largest element at the expected index, or one as large
    /// within one step or the tolerance.
    bool sameTop1 = false;
    bool replaceTolerance = false;  ///< elements may exceed their tolerance

    [[nodiscard]] bool any() const { return (step && maxSteps) || minSnr || minCosine || sameTop1; }
};

}  // namespace et::bundled_program
