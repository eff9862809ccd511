#pragma once

#include "backends/reference/reference_value.h"

#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

/// Error of outputs relative to the float model, over all cases.
struct OutputError {
    std::optional<double> sqnrDecibels;  ///< nothing: outputs are equal
    std::optional<double> cosine;        ///< nothing: one side is all 0
    std::optional<double> top1;          ///< fraction of rows with the same largest element; nothing: no rows
    std::optional<double> divergence;    ///< mean KL divergence of the rows' softmaxes, in nats
};

/// The outputs of one case.
using CaseOutputs = std::vector<backends::reference::ReferenceValue>;

/// Both must have the same number of cases. SQNR and cosine are over the elements of all floating-point
/// outputs; rows are those of the first output, along dimension 1. Outputs with other sizes get the worst
/// value, 0 dB.
[[nodiscard]] OutputError measureOutputError(std::span<const CaseOutputs> reference,
                                             std::span<const CaseOutputs> outputs);

/// Mean over several measurements of one variant, at least one: of the noise power, and of the other metrics.
[[nodiscard]] OutputError meanOf(std::span<const OutputError> measured);

/// Smallest and largest SQNR of several; nothing if one has equal outputs.
struct DecibelRange {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<DecibelRange> computeDecibelRange(std::span<const OutputError> measured);

}  // namespace et::tasks
