#pragma once

#include "inspector/session/session.h"
#include "visualizers/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace et::visualizers {

/// Live bytes of a method's memory plan during each step, for the area below a timeline.
struct TimelineMemory {
    std::vector<std::uint64_t> bytes;    ///< by trace event; `unknown` without a plan
    std::uint64_t peak = 0;              ///< of all
    std::vector<std::size_t> stepLanes;  ///< lanes whose events are steps

    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    /// Null if the session has no program or none of its plans matches the trace.
    [[nodiscard]] static std::shared_ptr<const TimelineMemory> build(const Timeline& timeline,
                                                                     const inspector::Session& session);
};

/// The method of a block's events; null if the program does not contain it. The session must have a program.
[[nodiscard]] const program::Method* methodOf(const inspector::Session& session,
                                              const inspector::Block& block);

}  // namespace et::visualizers
