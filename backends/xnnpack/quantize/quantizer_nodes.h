#pragma once

#include "backends/xnnpack/quantize/annotation.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Inserts quantizing and dequantizing nodes into a draft of the method's graph, as in the exporter's Edge
/// graphs: constants are stored as integers. `numbers`: one for each of the annotation's scales. Errors:
/// those of EdgeMethod::tensor().
[[nodiscard]] core::Result<> insertQuantizers(
    lowering::EdgeMethod& method, const ExportedOperators& operators, std::span<const QuantizationSite> sites,
    const Annotation& annotation, std::span<const QuantizationNumbers> numbers, ModelDraft& draft);

}  // namespace et::backends::xnnpack
