#pragma once

#include "backends/reference/reference_value.h"

#include <optional>
#include <span>
#include <vector>

namespace et::app {

/// How near outputs are to those of the float model, over all cases together.
struct Closeness {
    std::optional<double> sqnrDecibels;  ///< nothing: they are equal
    std::optional<double> cosine;        ///< nothing: one of both is all 0
    std::optional<double> top1;  ///< share of the rows whose largest element is the same; nothing: no rows
    std::optional<double> divergence;  ///< mean KL divergence of the rows' softmaxes, in nats
};

/// The outputs of one case.
using CaseOutputs = std::vector<backends::reference::ReferenceValue>;

/// Both have as many cases. SQNR and cosine are over the elements of all floating outputs; rows are those of
/// the first output, along its dimension 1. Outputs of other sizes are as far as can be: 0 dB.
[[nodiscard]] Closeness closenessOf(std::span<const CaseOutputs> reference,
                                    std::span<const CaseOutputs> outputs);

/// Of one variant measured several times, at least once: the mean of the noise's power, and of all else.
[[nodiscard]] Closeness meanOf(std::span<const Closeness> measured);

/// The least and the largest SQNR of some; nothing where the outputs of one are equal.
struct DecibelRange {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<DecibelRange> decibelRangeOf(std::span<const Closeness> measured);

}  // namespace et::app
