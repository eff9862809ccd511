#pragma once

#include "backends/lowering/edge_method.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <memory>

namespace et::backends::xnnpack {

/// The record with the weights of convolutions and products that nodes compute from constants, such as weight
/// norm, as parameters; the nodes are removed. Null if there are no such weights. `method` belongs to
/// `record`. Errors: those of ComputedConstants::compute() and ModelDraft.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> storeComputedWeights(
    lowering::EdgeMethod& method, const etrecord::Record& record);

}  // namespace et::backends::xnnpack
