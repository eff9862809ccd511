#pragma once

#include "app/tasks/lab/quantized_variants.h"
#include "runtime/core/result.h"

#include <optional>

namespace et::app {

/// The bias of a site as int8 kernels add it: integers of 32 bits, in steps of the operand's scale times the
/// channel's of the weight. Nothing where the site has none, or where the annotation does not quantize its
/// operand. Errors: as EdgeMethod::tensor().
[[nodiscard]] core::Result<std::optional<backends::xnnpack::ConstantChange>> roundedBias(
    const QuantizedVariants& variants, const backends::xnnpack::QuantizationSite& site,
    const QuantizedVariants::Annotation& annotation);

}  // namespace et::app
