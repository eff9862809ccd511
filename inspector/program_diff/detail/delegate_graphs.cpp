#include "inspector/program_diff/detail/delegate_graphs.h"

#include <algorithm>
#include <set>
#include <string>

namespace et::inspector::program_diff::detail {
namespace {

using core::ModelGraph;
using program::CompileSpec;
using program::Delegate;

bool sameSettings(const Delegate& left, const Delegate& right) {
    return left.backend == right.backend &&
           std::ranges::equal(left.compileSpecs, right.compileSpecs,
                              [](const CompileSpec& a, const CompileSpec& b) {
                                  return a.key == b.key && std::ranges::equal(a.value, b.value);
                              });
}

/// Kinds of the nodes that correspond to nodes of the exported graph, or of all nodes if none does.
std::vector<std::string> kindsOf(const ModelGraph& graph) {
    std::set<std::string> own;
    std::set<std::string> all;
    for (const core::GraphNode& node : graph.nodes()) {
        all.insert(node.kind);
        if (!node.debugHandles.empty()) {
            own.insert(node.kind);
        }
    }
    const std::set<std::string>& kinds = own.empty() ? all : own;
    return {kinds.begin(), kinds.end()};
}

}  // namespace

std::shared_ptr<const ModelGraph> DelegateGraphs::of(std::size_t number) {
    const Delegate& delegate = side.method.delegates[number];
    const auto [found, fresh] = described.try_emplace({delegate.payload.data(), delegate.payload.size()});
    if (fresh || !sameSettings(*found->second.first, delegate)) {
        found->second = {&delegate, look(delegate)};
    }
    return found->second.second;
}

void DelegateGraphs::tell(StepList& list) {
    for (Step& step : list.steps) {
        const auto graph = step.delegate ? of(*step.delegate) : nullptr;
        if (graph) {
            step.inside = kindsOf(*graph);
        }
    }
}

std::shared_ptr<const ModelGraph> DelegateGraphs::look(const Delegate& delegate) const {
    const executor::Backend* backend = executor::findBackend(backends, delegate.backend);
    if (backend == nullptr) {
        return nullptr;
    }
    auto graph = backend->describe(delegate, side.namedData);
    return graph ? std::make_shared<const ModelGraph>(*std::move(graph)) : nullptr;
}

}  // namespace et::inspector::program_diff::detail
