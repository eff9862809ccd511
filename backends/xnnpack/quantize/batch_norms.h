#pragma once

#include "backends/xnnpack/quantize/model_draft.h"

#include <functional>
#include <map>
#include <string>

namespace et::backends::xnnpack {

/// A batch norm that is in its convolution now.
struct FoldedNorm {
    std::string node;    ///< of the graph before
    std::string module;  ///< empty: the root
};
/// By their convolutions' nodes.
using FoldedNorms = std::map<std::string, FoldedNorm, std::less<>>;

/// Folds batch norms into the convolutions before them, as PT2E does before it observes: in float32, with a
/// new bias, and nothing of them left in the graph. Errors: as EdgeMethod::tensor(); Mismatch (not one number
/// a channel).
[[nodiscard]] core::Result<FoldedNorms> foldBatchNorms(lowering::EdgeMethod& method, ModelDraft& draft);

}  // namespace et::backends::xnnpack
