#pragma once

#include <optional>

namespace et::bundled_program {

/// What an output keeps as a whole. Quantized numbers round alike almost everywhere and one step apart here
/// and there, so that a tolerance for each element says little about them. Of integers and floats alike;
/// bools and numbers that are no tensors know only tolerances.
struct OutputLimits {
    std::optional<double> step;       ///< what one step of its quantization is worth; nothing: not known
    std::optional<double> maxSteps;   ///< no element is further off; holds where `step` is known
    std::optional<double> minSnr;     ///< signal to quantization noise, in decibels
    std::optional<double> minCosine;  ///< of the angle between both, as vectors
    /// Each row, along the last dimension, has its largest element where the row to expect has it, or has one
    /// as large: less one step, or the tolerance.
    bool sameTop1 = false;
    bool replaceTolerance = false;  ///< elements need not keep their tolerance

    [[nodiscard]] bool any() const { return (step && maxSteps) || minSnr || minCosine || sameTop1; }
};

}  // namespace et::bundled_program
