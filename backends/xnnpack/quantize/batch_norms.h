#pragma once

#include "backends/xnnpack/quantize/model_draft.h"

#include <map>
#include <string>

namespace et::backends::xnnpack {

/// Folds batch norms into the convolutions before them, as PT2E does before it observes: in float32, with a
/// new bias, and nothing of them left in the graph. Gives the name of each folded batch norm's node by that
/// of its convolution's. Errors: as EdgeMethod::tensor(); Mismatch (not one number a channel).
[[nodiscard]] core::Result<std::map<std::string, std::string, std::less<>>> foldBatchNorms(
    lowering::EdgeMethod& method, ModelDraft& draft);

}  // namespace et::backends::xnnpack
