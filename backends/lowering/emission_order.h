#pragma once

#include "backends/lowering/method_emission.h"

#include <span>
#include <variant>
#include <vector>

namespace et::backends::lowering {

/// Instructions of a method, each after its dependencies: nodes and parts, as close to graph order as the
/// parts allow. Nodes without users (size checks, constants read only by delegates) are skipped. Errors:
/// InvalidArgument (the parts have a cyclic dependency).
[[nodiscard]] core::Result<std::vector<EmittedMethod::Origin>> emissionOrder(
    const EdgeMethod& method, std::span<const DelegatedPart> parts);

}  // namespace et::backends::lowering
