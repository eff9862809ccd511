#pragma once

#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <optional>
#include <span>

namespace et::inspector {

/// Error of an operator's results that rounding explains.
struct LegalError {
    double step = 0;     ///< in the unit of the numbers
    double max = 1;      ///< maximum error of any element, in steps
    double usually = 1;  ///< error that only a few elements may exceed, in steps
};

/// Arithmetic with which an operator's results were computed.
struct Computation {
    core::ScalarType type = core::ScalarType::Float;       ///< of the results; float for quantized results
    std::optional<QuantizationParameters> quantization{};  ///< of quantized results
    bool isRounded = false;        ///< the unrounded values of quantized results are unknown
    bool quantizesInside = false;  ///< real numbers are quantized to integers in between
    bool sharesScale = false;  ///< all rows share a scale computed from them; the runtime may use one each
};

/// The floating dtype with the larger rounding error; `own` if they round alike, or one is not floating.
[[nodiscard]] core::ScalarType lessPrecise(core::ScalarType own, core::ScalarType other);

/// `magnitude`: the largest absolute value among the results. Integers and booleans must be equal. Quantized
/// results are compared with their unrounded values, so they may be off by half a step plus a small amount
/// for the preceding arithmetic; floats by the roundings of a long sum. If numbers are quantized in between,
/// one such step is relative to the range of the results.
[[nodiscard]] LegalError legalError(const Computation& computation, double magnitude);

/// Versions of one value, row-major, each with the size given by `sizes`. `T`: float or double.
template <class T>
struct ErrorSourcesOf {
    std::span<const T> runtime;
    std::span<const T> replayed;   ///< computed on the runtime's inputs
    std::span<const T> unrounded;  ///< `replayed` before quantization; equal to `replayed` if not quantized
    std::span<const T> reference;  ///< computed on the reference's inputs
    std::span<const std::int64_t> sizes;
};
using ErrorSources = ErrorSourcesOf<double>;

/// Separates the runtime's own error from the inherited one, and decides whether rounding explains the
/// former. It does not if an element's error exceeds `legal.max`, if only one side has a number (NaN,
/// infinity), or if too many elements of a channel (a slice along any dimension) exceed `legal.usually`.
[[nodiscard]] OwnError judge(const ErrorSources& sources, const LegalError& legal);
[[nodiscard]] OwnError judge(const ErrorSourcesOf<float>& sources, const LegalError& legal);

}  // namespace et::inspector
