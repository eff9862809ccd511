#include "visualizers/memory/memory_plan.h"

#include <utility>

namespace et::visualizers {

MemoryPlans MemoryPlans::build(const std::shared_ptr<const inspector::Session>& session) {
    MemoryPlans out;
    if (!session || !session->program) {
        return out;
    }
    const auto& methods = session->program->methods;
    for (const program::Method& method : methods) {
        auto timeline = inspector::MemoryTimeline::build(method, session->program->namedData);
        if (!timeline) {
            out.problems.push_back(timeline.error().toString());
            continue;
        }
        out.methods.push_back(std::make_shared<const MemoryPlan>(
            MemoryPlan{.session = session,
                       .timeline = std::move(*timeline),
                       .nodes = inspector::InstructionNodes(session->recordOfProgram(), method.name),
                       .onlyMethod = methods.size() == 1}));
    }
    return out;
}

}  // namespace et::visualizers
