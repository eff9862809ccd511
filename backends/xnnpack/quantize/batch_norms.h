#pragma once

#include "backends/xnnpack/quantize/model_draft.h"

#include <functional>
#include <map>
#include <string>

namespace et::backends::xnnpack {

/// A batch norm folded into its convolution.
struct FoldedNorm {
    std::string node;    ///< name in the original graph
    std::string module;  ///< empty for the root
};
/// By the node of their convolution.
using FoldedNorms = std::map<std::string, FoldedNorm, std::less<>>;

/// Folds batch norms into the preceding convolutions, like PT2E before observing: in float32, with a new
/// bias; removes them from the graph. Errors: those of EdgeMethod::tensor(); Mismatch (a parameter without
/// one number per channel).
[[nodiscard]] core::Result<FoldedNorms> foldBatchNorms(lowering::EdgeMethod& method, ModelDraft& draft);

}  // namespace et::backends::xnnpack
