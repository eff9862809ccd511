#include "inspector/program_diff/detail/delegate_diff.h"

#include "backends/compile_specs.h"
#include "backends/payload_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector::program_diff::detail {
namespace {

using core::ModelGraph;
using core::Result;
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

/// Maximum number of nodes compared individually, over all delegates of a method, which may share payloads.
constexpr std::size_t maxNodes = std::size_t{1} << 19;

constexpr std::size_t longestSpec = 256;  ///< maximum number of compile spec bytes shown

/// Adds the changed settings of a spec. Null: it was added or removed.
void compareSettings(std::string_view backend, const CompileSpec* before, const CompileSpec* after,
                     std::vector<AttributeChange>& changes) {
    const std::string_view key = before == nullptr ? after->key : before->key;
    const auto line = [&](const CompileSpec* spec) {
        return spec == nullptr ? std::string() : backends::specLine(backend, *spec);
    };
    const auto decoded = [&](const CompileSpec* spec) {
        return spec == nullptr ? std::nullopt : std::optional(backends::decodeSpec(backend, *spec));
    };
    const auto left = decoded(before);
    const auto right = decoded(after);
    if (!left || !right || !*left || !*right || (*left)->settings.empty() || (*right)->settings.empty()) {
        changes.push_back({std::string(key), line(before), line(after)});
        return;
    }
    std::map<std::string, AttributeChange> settings;
    const auto take = [&](const backends::SpecValue& from, std::string AttributeChange::* side) {
        for (const backends::SpecSetting& each : from.settings) {
            AttributeChange& change = settings[each.name];
            change.name = fmt::format("{}: {}", key, each.name);
            change.*side = each.value;
        }
    };
    take(**left, &AttributeChange::before);
    take(**right, &AttributeChange::after);
    const std::size_t first = changes.size();
    for (auto& [name, change] : settings) {
        if (change.before != change.after) {
            changes.push_back(std::move(change));
        }
    }
    if (changes.size() == first) {  // in bytes that no setting describes
        changes.push_back({std::string(key), backends::hexText(before->value, longestSpec),
                           backends::hexText(after->value, longestSpec)});
    }
}

/// Compares specs by key; specs with equal keys are paired in order.
void compareSpecs(const Delegate& before, const Delegate& after, std::vector<AttributeChange>& changes) {
    std::multimap<std::string_view, const CompileSpec*> open;
    for (const CompileSpec& spec : after.compileSpecs) {
        open.emplace(spec.key, &spec);
    }
    for (const CompileSpec& spec : before.compileSpecs) {
        const auto found = open.find(spec.key);
        if (found == open.end()) {
            compareSettings(before.backend, &spec, nullptr, changes);
            continue;
        }
        if (!std::ranges::equal(spec.value, found->second->value)) {
            compareSettings(before.backend, &spec, found->second, changes);
        }
        open.erase(found);
    }
    for (const auto& [key, spec] : open) {
        compareSettings(after.backend, nullptr, spec, changes);
    }
}

std::vector<CountDiff> kindsOf(const ModelGraph* before, const ModelGraph* after) {
    TwoCounts counts;
    for (const auto& [kind, count] : before == nullptr ? decltype(before->kinds())() : before->kinds()) {
        counts.addBefore(kind, count);
    }
    for (const auto& [kind, count] : after == nullptr ? decltype(after->kinds())() : after->kinds()) {
        counts.addAfter(kind, count);
    }
    return counts.list();
}

/// Describes a delegate that only one side has.
DelegateDiff alone(DelegateGraphs& side, std::size_t number, Change change) {
    const Delegate& delegate = side.method().delegates[number];
    const auto graph = side.of(number);
    DelegateDiff diff{.change = change,
                      .backend = std::string(delegate.backend),
                      .before = {},
                      .after = {},
                      .payloadBytes = {},
                      .compileSpecs = {},
                      .described = {},
                      .kinds = {},
                      .nodes = {}};
    const bool removed = change == Change::Removed;
    (removed ? diff.before : diff.after) = number;
    (removed ? diff.payloadBytes.before : diff.payloadBytes.after) = delegate.payload.size();
    (removed ? diff.described.before : diff.described.after) = graph != nullptr;
    diff.kinds = removed ? kindsOf(graph.get(), nullptr) : kindsOf(nullptr, graph.get());
    return diff;
}

class DelegateDiffer {
  public:
    DelegateDiffer(DelegateGraphs& left, DelegateGraphs& right, ConstantComparer& constants)
        : before(left), after(right), comparer(constants) {}

    Result<DelegatesDiff> diff(const AlignedSteps& steps) {
        std::vector<bool> seenBefore(before.method().delegates.size());
        std::vector<bool> seenAfter(after.method().delegates.size());
        for (std::size_t i = 0; i < steps.before.steps.size(); ++i) {
            const auto& left = steps.before.steps[i].delegate;
            const auto partner = steps.alignment.afterOf[i];
            if (!left || !partner) {
                continue;
            }
            const std::size_t right = *steps.after.steps[*partner].delegate;
            if (!seenBefore[*left] && !seenAfter[right]) {
                seenBefore[*left] = seenAfter[right] = true;
                ET_TRY(together(*left, right));
            }
        }
        for (std::size_t i = 0; i < seenBefore.size(); ++i) {
            if (!seenBefore[i]) {
                result.delegates.push_back(alone(before, i, Change::Removed));
            }
        }
        for (std::size_t i = 0; i < seenAfter.size(); ++i) {
            if (!seenAfter[i]) {
                result.delegates.push_back(alone(after, i, Change::Added));
            }
        }
        return std::move(result);
    }

  private:
    Result<> together(std::size_t left, std::size_t right) {
        const Delegate& a = before.method().delegates[left];
        const Delegate& b = after.method().delegates[right];
        DelegateDiff diff{.backend = std::string(a.backend),
                          .before = left,
                          .after = right,
                          .payloadBytes = {a.payload.size(), b.payload.size()},
                          .payloadSame = std::ranges::equal(a.payload, b.payload),
                          .compileSpecs = {},
                          .described = {},
                          .kinds = {},
                          .nodes = {}};
        compareSpecs(a, b, diff.compileSpecs);
        const auto graphBefore = before.of(left);
        const auto graphAfter = after.of(right);
        diff.described = {graphBefore != nullptr, graphAfter != nullptr};
        diff.kinds = kindsOf(graphBefore.get(), graphAfter.get());
        bool changed = !diff.compileSpecs.empty();
        if (graphBefore && graphAfter && claim(graphBefore->nodes().size() + graphAfter->nodes().size())) {
            ET_TRY(compareGraphs(*graphBefore, *graphAfter, diff));
            changed = changed || std::ranges::any_of(diff.nodes, &StepDiff::differs);
        } else {
            changed = changed || !diff.payloadSame;
        }
        diff.change = changed ? Change::Changed : Change::Same;
        result.delegates.push_back(std::move(diff));
        return {};
    }

    Result<> compareGraphs(const ModelGraph& left, const ModelGraph& right, DelegateDiff& diff) {
        const StepList a = stepsOf(left);
        const StepList b = stepsOf(right);
        const Alignment alignment = align(a, b);
        ET_ASSIGN(StepListDiff found,
                  diffSteps({.before = a, .after = b, .alignment = alignment, .inputs = {}}, comparer));
        diff.nodes = std::move(found.steps);
        std::ranges::move(found.constants, std::back_inserter(result.constants));
        return {};
    }

    bool claim(std::size_t nodes) {
        const bool enough = nodes <= nodesLeft;
        nodesLeft -= enough ? nodes : 0;
        return enough;
    }

    DelegateGraphs& before;
    DelegateGraphs& after;
    ConstantComparer& comparer;
    std::size_t nodesLeft = maxNodes;
    DelegatesDiff result;
};

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

std::vector<DelegateDiff> loneDelegates(DelegateGraphs& side, Change change) {
    std::vector<DelegateDiff> out;
    for (std::size_t i = 0; i < side.method().delegates.size(); ++i) {
        out.push_back(alone(side, i, change));
    }
    return out;
}

Result<DelegatesDiff> diffDelegates(DelegateGraphs& before, DelegateGraphs& after, const AlignedSteps& steps,
                                    ConstantComparer& comparer) {
    return DelegateDiffer(before, after, comparer).diff(steps);
}

}  // namespace et::inspector::program_diff::detail
