#include "visualizers/memory/memory_plan.h"

#include "backends/host_caches.h"
#include "inspector/tensors/tensor_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

std::map<program::ValueId, std::string> constantNamesOf(const inspector::TensorCatalog& catalog,
                                                        const inspector::MemoryTimeline& timeline) {
    std::map<program::ValueId, std::string> names;
    for (const inspector::ConstantTensor& each : timeline.constants) {
        const std::string place = fmt::format("{}: value {}", timeline.method->name, each.value.value);
        const auto found = std::ranges::find(catalog.tensors(), place, &inspector::CatalogTensor::place);
        if (each.name.empty() && found != catalog.tensors().end()) {
            names.emplace(each.value, found->name);
        }
    }
    return names;
}

}  // namespace

MemoryPlans MemoryPlans::build(const std::shared_ptr<const inspector::Session>& session) {
    MemoryPlans out;
    if (!session || !session->program) {
        return out;
    }
    out.caches = backends::hostCachePlan(*session->program);
    const auto& methods = session->program->methods;
    const auto catalog = inspector::TensorCatalog::build({.session = session});
    for (const program::Method& method : methods) {
        auto timeline = inspector::MemoryTimeline::build(*session->program, method);
        if (!timeline) {
            out.problems.push_back(timeline.error().toString());
            continue;
        }
        auto names = constantNamesOf(*catalog, *timeline);
        out.methods.push_back(std::make_shared<const MemoryPlan>(
            MemoryPlan{.session = session,
                       .timeline = std::move(*timeline),
                       .nodes = inspector::InstructionNodes(session->recordOfProgram(), method.name),
                       .constantNames = std::move(names),
                       .onlyMethod = methods.size() == 1}));
    }
    return out;
}

}  // namespace et::visualizers
