#pragma once

#include "inspector/events/group_keys.h"
#include "inspector/format/time_scale.h"
#include "inspector/generate/growth_fit.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <string>
#include <vector>

// Growth of a language model's times with the context, from a trace.
namespace et::inspector {

struct GrowthOptions {
    events::GroupBy by = events::GroupBy::Op;  ///< Op or Module
    events::ModuleRollUp modules{};
    std::string phase = std::string(decodePhase);
};

/// Time of a kind of operator, or a module, in each call.
struct GrowthRow {
    std::string group;
    std::vector<GrowthSample> samples;  ///< one per call; times in the target unit
    double typical = 0;                 ///< of one call
    double share = 0;                   ///< of the phase's typical time, 0 to 1
    GrowthFit fit;
};

struct Growth {
    std::string phase;
    bool byPosition = true;       ///< false: positions are unknown, so calls are counted instead
    std::vector<GrowthRow> rows;  ///< largest first
    GrowthRow all;                ///< the whole call
    TimeScale unit = TimeScale::Milliseconds;
};

/// `blocks` must be by phase (JoinOptions::byPhase). Errors: NotFound (no such phase, or no executions in it:
/// lists the phases), Unsupported (its calls have different events).
[[nodiscard]] core::Result<Growth> computeGrowth(const EventBlocks& blocks,
                                                 const GrowthOptions& options = {});

}  // namespace et::inspector
