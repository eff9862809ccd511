#pragma once

#include "app/samples/net.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::samples {

/// The program file (.pte) of a net, as an exporter that hands nothing to a delegate makes it: one method
/// `forward`, weights in a segment, everything else planned. The same net gives the same bytes. Errors: those
/// of builder::ProgramBuilder.
[[nodiscard]] core::Result<std::vector<std::byte>> makeProgram(
    const Net& net, builder::PlanStrategy strategy = builder::PlanStrategy::Greedy);

}  // namespace et::samples
