#pragma once

#include "inspector/memory/memory_text.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/executor/kv_cache_plan.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

/// Data of the memory views of a method. Immutable; keeps everything it refers to alive.
struct MemoryPlan {
    std::shared_ptr<const inspector::Session> session;
    inspector::MemoryTimeline timeline;
    inspector::InstructionNodes nodes;
    /// Names of constants from their operators, for constants without a name in the program.
    std::map<program::ValueId, std::string> constantNames{};
    bool onlyMethod = false;  ///< the program has no other method, so a trace must be of this one

    [[nodiscard]] inspector::MemoryView view() const { return {.timeline = timeline, .nodes = nodes}; }
};

/// The memory plans of a program.
struct MemoryPlans {
    std::vector<std::shared_ptr<const MemoryPlan>> methods{};
    executor::KvCachePlan caches{};       ///< KV caches outside the program
    std::vector<std::string> problems{};  ///< methods that could not be analyzed

    /// Plans of the session's program; empty if there is none.
    [[nodiscard]] static MemoryPlans build(const std::shared_ptr<const inspector::Session>& session);
};

}  // namespace et::visualizers
