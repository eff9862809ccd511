#pragma once

#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/core/result.h"

namespace et::backends::xnnpack {

/// Changes sums with and products by a Python number in the exported program to read a float32 tensor with
/// one element, like the quantizer's transform_for_annotation(), so that the number can be quantized. The
/// draft is of the method's graph, where numbers are arguments (`mul.Scalar`) or constants made by export;
/// integers are followed by a conversion to float32. Errors: those of EdgeMethod::tensor().
[[nodiscard]] core::Result<> liftNumbers(lowering::EdgeMethod& method, ModelDraft& draft);

/// Whether a value is a constant that export made from a Python number.
[[nodiscard]] bool isPythonNumber(const lowering::EdgeMethod& method, std::string_view value);

}  // namespace et::backends::xnnpack
