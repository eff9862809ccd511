#pragma once

#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/core/result.h"

namespace et::backends::xnnpack {

/// Sums with and products by a Python number of the exported program read a float32 tensor of one element
/// from now on: as the quantizer's transform_for_annotation() has it, so that the number can be quantized.
/// The draft is of the method's graph, where numbers are arguments (`mul.Scalar`) or constants that exporting
/// made, whole ones with a node behind that turns them into float32. Errors: as EdgeMethod::tensor().
[[nodiscard]] core::Result<> liftNumbers(lowering::EdgeMethod& method, ModelDraft& draft);

/// Whether a value is a constant that exporting made of a Python number.
[[nodiscard]] bool isPythonNumber(const lowering::EdgeMethod& method, std::string_view value);

}  // namespace et::backends::xnnpack
