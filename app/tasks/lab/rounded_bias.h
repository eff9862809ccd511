#pragma once

#include "app/tasks/lab/quantized_variants.h"
#include "runtime/core/result.h"

#include <optional>

namespace et::tasks {

/// Returns the bias of a site as int8 kernels add it: 32-bit integers, in steps of the input scale times the
/// channel's weight scale. Nothing if the site has no bias, or the annotation does not quantize its input.
/// Errors: those of EdgeMethod::tensor().
[[nodiscard]] core::Result<std::optional<backends::xnnpack::ConstantChange>> roundedBias(
    const QuantizedVariants& variants, const backends::xnnpack::QuantizationSite& site,
    const QuantizedVariants::Annotation& annotation);

}  // namespace et::tasks
