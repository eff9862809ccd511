#pragma once

#include "inspector/numeric_gap/own_error.h"
#include "inspector/numeric_gap/units.h"
#include "runtime/core/result.h"

#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// The replay of one unit.
struct UnitReplay {
    std::optional<Replay> replay;      ///< nothing: it failed
    std::optional<core::Error> error;  ///< of a failed replay
    /// The unit's value is not that of its node in the graph: a later value diverges if computed from it, and
    /// agrees if computed without it. The node is part of the later value's replay.
    bool isMisplaced = false;
};

/// Replays all units, in execution order, and finds those assigned to a wrong node. A fault of an operator is
/// no such case, since the values computed from its result agree with it. `store`: contains values of the
/// units; may be null. Errors: Cancelled.
[[nodiscard]] core::Result<std::vector<UnitReplay>> replayUnits(Replayer& replayer, const GraphWalk& graph,
                                                                std::span<const GapUnit> units,
                                                                const ValueStore* store);

}  // namespace et::inspector
