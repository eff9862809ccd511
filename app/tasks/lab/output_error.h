#pragma once

#include "backends/reference/reference_value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

/// Error of outputs relative to the float model, over all cases.
struct OutputError {
    /// Nothing: outputs are equal. -infinity: `nonFinite` is not 0.
    std::optional<double> sqnrDecibels{};
    std::optional<double> cosine{};      ///< nothing: one side is all 0, or `nonFinite` is not 0
    std::optional<double> top1{};        ///< fraction of rows with the same largest element; nothing: no rows
    std::optional<double> divergence{};  ///< mean KL divergence of the rows' softmaxes, in nats; nothing: no
                                         ///< rows, or the softmax of one is not finite
    /// Number of elements that are NaN or infinite in the outputs or the float outputs, and different.
    std::uint64_t nonFinite = 0;
    std::uint64_t elements = 0;  ///< of the float model's floating-point outputs

    [[nodiscard]] bool isFinite() const { return nonFinite == 0; }
    /// Power of the error relative to the float outputs: 10^(-SQNR/10). For outputs that are not finite, a
    /// number of at least `nonFiniteNoise` that grows with their share.
    [[nodiscard]] double noise() const;
};

/// Noise of outputs that are not finite: finite itself, so that searches can compare choices.
inline constexpr double nonFiniteNoise = 1e30;

/// The outputs of one case.
using CaseOutputs = std::vector<backends::reference::ReferenceValue>;

/// Both must have the same number of cases. Elements that are equal infinities, or NaN in both, are equal.
/// SQNR and cosine are over the elements of all floating-point outputs; rows are those of the first output,
/// along dimension 1. Outputs with other sizes get the worst value, 0 dB.
[[nodiscard]] OutputError measureOutputError(std::span<const CaseOutputs> reference,
                                             std::span<const CaseOutputs> outputs);

/// Mean over several measurements of one variant, at least one: of the noise power, and of the other metrics.
/// If outputs of one are not finite, those of the mean are not either.
[[nodiscard]] OutputError meanOf(std::span<const OutputError> measured);

/// Smallest and largest SQNR of several; nothing if one has equal outputs, or outputs that are not finite.
struct DecibelRange {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<DecibelRange> computeDecibelRange(std::span<const OutputError> measured);

}  // namespace et::tasks
