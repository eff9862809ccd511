#include "app/studio/inspector/model_summary.h"

#include "app/tasks/tensors/open_catalog.h"
#include "backends/builtin.h"
#include "inspector/graph/session_graphs.h"

#include <algorithm>
#include <utility>

namespace et::studio {

using inspector::GraphChoice;

std::shared_ptr<const ModelSummary> ModelSummary::of(
    const std::shared_ptr<const inspector::Session>& session) {
    auto facts = std::make_shared<ModelSummary>(ModelSummary{.session = session});
    facts->findings = inspector::deriveFindings(*session);
    facts->tensors = tasks::catalogOf(session);
    if (session->blocks != nullptr) {
        facts->rows = inspector::events::eventRows(*session->blocks);
    }
    if (session->program == nullptr) {
        return facts;
    }
    facts->delegation = visualizers::Delegation::build(session);
    for (const GraphChoice& choice : inspector::graphChoices(*session)) {
        const program::Method* const method = session->program->findMethod(choice.method);
        if (choice.kind != GraphChoice::Kind::Program || method == nullptr) {
            continue;
        }
        auto graph = inspector::graphOf(*session, choice, backends::describable());
        if (!graph) {
            continue;
        }
        auto memory = inspector::MemoryTimeline::build(*session->program, *method);
        facts->methods.push_back({.name = choice.method, .graph = *std::move(graph)});
        if (memory) {
            facts->methods.back().memory = *std::move(memory);
        }
    }
    return facts;
}

const MethodCounts* ModelSummary::findMethod(std::string_view name) const {
    if (name.empty()) {
        return methods.size() == 1 ? &methods.front() : nullptr;
    }
    const auto found = std::ranges::find(methods, name, &MethodCounts::name);
    return found == methods.end() ? nullptr : &*found;
}

const inspector::MethodDelegates* ModelSummary::findDelegates(std::string_view name) const {
    if (delegation == nullptr) {
        return nullptr;
    }
    const auto& all = delegation->report.methods;
    const auto found = std::ranges::find_if(all, [&](const inspector::MethodDelegates& each) {
        return each.method != nullptr && (each.method->name == name || (name.empty() && all.size() == 1));
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace et::studio
