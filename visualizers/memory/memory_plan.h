#pragma once

#include "inspector/memory/memory_text.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

/// What the views of a memory plan show of a method. Immutable; keeps alive what it borrows.
struct MemoryPlan {
    std::shared_ptr<const inspector::Session> session;
    inspector::MemoryTimeline timeline;
    inspector::InstructionNodes nodes;
    bool onlyMethod = false;  ///< the program has no other, so that a trace can only be of this one

    [[nodiscard]] inspector::MemoryView view() const { return {.timeline = timeline, .nodes = nodes}; }
};

/// The memory plans of a program.
struct MemoryPlans {
    std::vector<std::shared_ptr<const MemoryPlan>> methods{};
    std::vector<std::string> problems{};  ///< of methods that cannot be looked at

    /// Of the program of a session; empty where it has none.
    [[nodiscard]] static MemoryPlans build(const std::shared_ptr<const inspector::Session>& session);
};

}  // namespace et::visualizers
