#pragma once

#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/remedies.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What a remedy makes of a model that is quantized throughout: outputs of the evaluation cases.
struct RemedyTrial {
    std::string name;  ///< "equalize", "observers", "bias", "all"; "per-channel", "9 bits", "16 bits"
    Closeness before;
    Closeness after;
    std::optional<RemedyReport> report{};  ///< of what `quantize --remedy` can do
};

/// Tries each remedy alone and all together; and measures what a scale a channel gives weights over one a
/// tensor, and what more bits would give activations: estimates, computed exactly, of what XNNPACK has no
/// operators for. Errors: InvalidArgument (no calibration cases), as RemediedModel.
[[nodiscard]] core::Result<std::vector<RemedyTrial>> tryRemedies(QuantizedVariants& variants,
                                                                 backends::xnnpack::ObserverKind observer);

}  // namespace et::app
