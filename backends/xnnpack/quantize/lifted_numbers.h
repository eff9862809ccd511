#pragma once

#include "backends/xnnpack/quantize/model_draft.h"

namespace et::backends::xnnpack {

/// Sums with and products by a Python number of the exported program read a tensor of one element from now
/// on: as the quantizer's transform_for_annotation() has it, so that the number can be quantized.
void liftNumbers(ModelDraft& draft);

}  // namespace et::backends::xnnpack
