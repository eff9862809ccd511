#pragma once

#include "app/samples/net.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::samples {

/// Returns the program file (.pte) of a net, as exported without delegates: one method `forward`, weights in
/// a segment, all other memory planned. Deterministic. Errors: those of builder::ProgramBuilder.
[[nodiscard]] core::Result<std::vector<std::byte>> makeProgram(
    const Net& net, builder::PlanStrategy strategy = builder::PlanStrategy::Greedy);

}  // namespace et::samples
