#pragma once

#include "inspector/session/session.h"
#include "visualizers/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace et::visualizers {

/// How many bytes of a method's plan are live while each of its steps runs, for the area below a timeline.
struct TimelineMemory {
    std::vector<std::uint64_t> bytes;    ///< by trace event; `unknown` where no plan tells
    std::uint64_t peak = 0;              ///< of all
    std::vector<std::size_t> stepLanes;  ///< lanes of the timeline whose events are steps

    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    /// Null: the session has no program, or none of its plans is of the trace.
    [[nodiscard]] static std::shared_ptr<const TimelineMemory> build(const Timeline& timeline,
                                                                     const inspector::Session& session);
};

/// The method that the events of a block are of; null: the program has none such. The session has a program.
[[nodiscard]] const program::Method* methodOf(const inspector::Session& session,
                                              const inspector::Block& block);

}  // namespace et::visualizers
