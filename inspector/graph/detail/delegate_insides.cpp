#include "inspector/graph/detail/delegate_insides.h"

#include "backends/compile_specs.h"
#include "backends/inlined_delegate.h"
#include "inspector/graph/detail/edge_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace et::inspector::graph::detail {

using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;
using program::ValueId;

namespace {

/// Limit on the total nodes of delegate calls, because a damaged file may repeat a call.
constexpr std::size_t maxInside = 500'000;

}  // namespace

Result<ModelGraph> describeDelegate(const program::Delegate& delegate, const ProgramGraphSources& sources,
                                    const executor::NamedDataSource& data) {
    const executor::Backend* backend = executor::findBackend(sources.backends, delegate.backend);
    if (backend == nullptr) {
        return core::fail(core::ErrorCode::Unsupported, "this build does not support the format");
    }
    return backend->describe(delegate, data);
}

const Result<ModelGraph>& DelegateInsides::insideOf(program::DelegateId id) {
    if (const auto found = described.find(id); found != described.end()) {
        return found->second;
    }
    return described
        .emplace(id, describeDelegate(method.delegate(id), sources, data).transform([&](ModelGraph made) {
            return withEdgeOperators(std::move(made), edgeNodes);
        }))
        .first->second;
}

bool DelegateInsides::add(const program::DelegateCall& call, const program::InstructionAccess& access,
                          const std::vector<const etrecord::Node*>& edges, GraphNode& node) {
    const program::Delegate& delegate = method.delegate(call.delegate);
    node.attributes.push_back({"delegate", fmt::to_string(call.delegate.value)});
    node.attributes.push_back({"payload", fmt::format("{} bytes", delegate.payload.size())});
    for (const program::CompileSpec& spec : delegate.compileSpecs) {
        node.attributes.push_back(
            {fmt::format("setting {}", spec.key), backends::specLine(delegate.backend, spec)});
    }
    const Result<ModelGraph>& inner = insideOf(call.delegate);
    if (!inner) {
        node.attributes.push_back({"inside", "unknown: " + inner.error().toString()});
        return addRecorded(call, access, edges, node);
    }
    inside += inner->nodes().size();
    if (inside > maxInside || inner->nodes().empty()) {
        node.attributes.push_back({"inside", fmt::format("{} nodes, not shown", inner->nodes().size())});
        return false;
    }
    backends::inlineDelegate(graph, flow, *inner, backends::callArguments(*inner), call, node);
    return true;
}

bool DelegateInsides::addRecorded(const program::DelegateCall& call, const program::InstructionAccess& access,
                                  std::vector<const etrecord::Node*> edges, GraphNode& node) {
    const etrecord::ExportedGraph* whole = edges.empty() ? nullptr : sources.record->edgeGraph(method.name);
    inside += edges.size();
    if (whole == nullptr || inside > maxInside) {
        return false;
    }
    if (!recordUses) {
        recordUses = useCounts(*whole);
    }
    std::ranges::sort(edges);  // graph order
    const ModelGraph inner = recordedPart(*whole, edges, *recordUses);
    node.attributes.push_back({"shown", fmt::format("{} nodes of the record", edges.size())});
    backends::inlineDelegate(graph, flow, inner, argumentsByType(inner, call, access), call, node);
    return true;
}

/// The first remaining arguments of the same dtype and shape, because a record does not map them.
backends::CallArguments DelegateInsides::argumentsByType(const ModelGraph& inner,
                                                         const program::DelegateCall& call,
                                                         const program::InstructionAccess& access) const {
    backends::CallArguments arguments;
    std::vector<bool> used(call.args.size());
    for (const GraphValue& value : inner.values()) {
        const bool input = value.role == GraphValue::Role::Input;
        const std::vector<ValueId>& candidates = input ? access.reads : access.writes;
        std::optional<std::size_t>& found = arguments.emplace_back();
        for (std::size_t i = 0; i < call.args.size() && !found; ++i) {
            const bool crosses = input || value.role == GraphValue::Role::Output;
            if (crosses && !used[i] && std::ranges::contains(candidates, call.args[i]) &&
                flow.describe(call.args[i], value.role).type == value.type) {
                used[i] = true;
                found = i;
            }
        }
    }
    return arguments;
}

}  // namespace et::inspector::graph::detail
