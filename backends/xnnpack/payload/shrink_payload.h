#pragma once

#include "backends/leading_block.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Which sizes of a payload become others.
struct PayloadChanges {
    ChangedSizes asked;  ///< that reshapes and slices ask for
    ChangedSizes
        constants;  ///< of constants (elements with the smallest indices stay) and groups of channels
};

/// A payload for smaller inputs. What operators make of their inputs is theirs: the sizes of other values
/// stay as exported, as the largest there are. Errors: Unsupported (a constant that lies elsewhere, or with
/// elements or scales that cannot be divided so).
[[nodiscard]] core::Result<std::vector<std::byte>> shrinkPayload(Payload payload,
                                                                 const PayloadChanges& changes);

}  // namespace et::backends::xnnpack
