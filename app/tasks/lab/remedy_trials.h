#pragma once

#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/remedies.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Effect of a remedy on a fully quantized model: errors of the outputs on the evaluation cases.
struct RemedyTrial {
    std::string name;  ///< "equalize", "observers", "bias", "all"; "per-channel", "9 bits", "16 bits"
    OutputError before;
    OutputError after;
    std::optional<RemedyReport> report{};  ///< only for remedies of `quantize --remedy`
};

/// Tries each remedy alone and all together; also measures the gain of per-channel over per-tensor weight
/// scales, and of more bits for activations: exactly computed estimates for precisions without operators in
/// XNNPACK. Errors: InvalidArgument (no calibration cases), those of RemediedModel.
[[nodiscard]] core::Result<std::vector<RemedyTrial>> tryRemedies(QuantizedVariants& variants,
                                                                 backends::xnnpack::ObserverKind observer);

}  // namespace et::tasks
