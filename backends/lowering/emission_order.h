#pragma once

#include "backends/lowering/method_emission.h"

#include <span>
#include <variant>
#include <vector>

namespace et::backends::lowering {

/// What a method runs, each after what it needs: nodes and parts, as near to graph order as the parts let
/// them. Nodes that nothing needs (checks of sizes, what only delegates read of constants) are left out.
/// Errors: InvalidArgument (the parts depend on one another in a circle).
[[nodiscard]] core::Result<std::vector<EmittedMethod::Origin>> emissionOrder(
    const EdgeMethod& method, std::span<const DelegatedPart> parts);

}  // namespace et::backends::lowering
