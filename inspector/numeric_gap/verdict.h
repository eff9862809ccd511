#pragma once

#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <optional>
#include <span>

namespace et::inspector {

/// What rounding may do to the results of an operator.
struct LegalError {
    double step = 0;     ///< in the numbers' own unit
    double max = 1;      ///< steps that any element may be off
    double usually = 1;  ///< steps that only a few elements may exceed
};

/// How the results of an operator were computed.
struct Computation {
    core::ScalarType type = core::ScalarType::Float;       ///< of the results; of quantized ones, float
    std::optional<QuantizationParameters> quantization{};  ///< of quantized results
    bool isRounded = false;        ///< what quantized results were rounded from is not known
    bool quantizesInside = false;  ///< real numbers go through whole ones on the way
};

/// `magnitude`: the largest absolute value among the results. Integers and truths have to be equal.
/// Quantized results are compared with what they were rounded from, and so may be half a step off, and a
/// little for the arithmetic before; floats as many roundings as a long sum takes; and where numbers are
/// quantized on the way, a step of that is one of the results' range.
[[nodiscard]] LegalError legalError(const Computation& computation, double magnitude);

/// The numbers of one value, row-major, all as long as `sizes` say. `T`: float or double.
template <class T>
struct ErrorSourcesOf {
    std::span<const T> runtime;
    std::span<const T> replayed;   ///< on the inputs that the runtime had
    std::span<const T> unrounded;  ///< the same before it was quantized; of others, `replayed` again
    std::span<const T> reference;  ///< on the reference's inputs
    std::span<const std::int64_t> sizes;
};
using ErrorSources = ErrorSourcesOf<double>;

/// Tells the runtime's own error from what it inherits, and whether rounding explains the former. Beyond it
/// are: an element further off than `legal.most`; a number where the other has none (NaN, infinity); too many
/// elements of a channel (a slice along any dimension) that are further off than `legal.usually`.
[[nodiscard]] OwnError judge(const ErrorSources& sources, const LegalError& legal);
[[nodiscard]] OwnError judge(const ErrorSourcesOf<float>& sources, const LegalError& legal);

}  // namespace et::inspector
