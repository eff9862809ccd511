#include "inspector/graph/graph_numbers.h"

#include "inspector/delegates/times.h"
#include "inspector/join/instruction_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace et::inspector {

using core::DebugHandle;
using core::GraphNodeId;
using core::InstructionId;
using core::ModelGraph;

namespace {

std::vector<DebugHandle> sorted(std::vector<DebugHandle> handles) {
    std::ranges::sort(handles);
    return handles;
}

/// Finds nodes by instruction and debug handle.
class Places {
  public:
    explicit Places(const ModelGraph& of) : graph(of) {
        for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
            const core::GraphNode& node = graph.nodes()[i];
            if (node.instruction) {
                byInstruction[*node.instruction].emplace_back(i);
            }
            for (const DebugHandle handle : node.debugHandles) {
                byHandle[handle].emplace_back(i);
            }
        }
    }

    [[nodiscard]] bool knowsInstructions() const { return !byInstruction.empty(); }

    [[nodiscard]] std::vector<GraphNodeId> of(std::span<const DebugHandle> handles) const {
        std::vector<GraphNodeId> nodes;
        for (const DebugHandle handle : handles) {
            if (const auto found = byHandle.find(handle); found != byHandle.end()) {
                nodes.insert(nodes.end(), found->second.begin(), found->second.end());
            }
        }
        std::ranges::sort(nodes);
        const auto repeated = std::ranges::unique(nodes);
        nodes.erase(repeated.begin(), repeated.end());
        return nodes;
    }

    [[nodiscard]] std::vector<GraphNodeId> of(InstructionId instruction) const {
        const auto found = byInstruction.find(instruction);
        return found == byInstruction.end() ? std::vector<GraphNodeId>() : found->second;
    }

    [[nodiscard]] std::vector<GraphNodeId> of(const MeasuredPart& part) const {
        if (!knowsInstructions()) {
            return of(part.handles);
        }
        std::vector<GraphNodeId> all = of(part.instruction);
        if (!part.inside) {
            return all;
        }
        std::vector<GraphNodeId> inside = of(part.handles);
        std::erase_if(inside, [&](GraphNodeId id) { return graph.node(id).instruction != part.instruction; });
        return inside.empty() ? all : inside;
    }

  private:
    const ModelGraph& graph;
    std::map<InstructionId, std::vector<GraphNodeId>> byInstruction;
    std::map<DebugHandle, std::vector<GraphNodeId>> byHandle;
};

void addPart(GraphNumbers& numbers, std::vector<GraphNodeId> nodes, double amount) {
    if (!nodes.empty()) {
        numbers.parts.push_back({.nodes = std::move(nodes), .amount = amount});
    }
}

}  // namespace

std::vector<MeasuredPart> measuredTimes(const DelegateSources& sources, const program::Method& method) {
    std::vector<MeasuredPart> parts;
    if (sources.blocks == nullptr) {
        return parts;
    }
    std::map<InstructionId, double> left =
        instructionTimes(*sources.blocks, method, sources.program.methods.size() == 1);
    const auto report = delegatesOf(sources);
    for (std::size_t i = 0; report && i < report->methods.size(); ++i) {
        for (const DelegateReport& delegate : report->methods[i].delegates) {
            for (const DelegateCallSite& call : delegate.calls) {
                const auto time = left.find(call.instruction);
                if (call.chain != 0 || time == left.end() || report->methods[i].method != &method) {
                    continue;
                }
                for (const TimedOperator& each : call.operators) {
                    parts.push_back({.amount = each.time,
                                     .instruction = call.instruction,
                                     .handles = sorted(each.handles),
                                     .inside = true});
                    time->second -= each.time;
                }
            }
        }
    }
    const InstructionNodes nodes(sources.record, method.name);
    for (const auto& [instruction, time] : left) {
        parts.push_back({.amount = std::max(time, 0.0),
                         .instruction = instruction,
                         .handles = sorted(nodes.handlesOf(instruction))});
    }
    return parts;
}

GraphNumbers placeTimes(const ModelGraph& graph, std::span<const MeasuredPart> times, std::string unit) {
    GraphNumbers numbers{.title = "time of one run", .unit = std::move(unit), .parts = {}};
    const Places places(graph);
    for (const MeasuredPart& part : times) {
        numbers.whole += part.amount;
        addPart(numbers, places.of(part), part.amount);
    }
    return numbers;
}

GraphNumbers placeGap(const ModelGraph& graph, const GapReport& gap, GapMetric metric) {
    GraphNumbers numbers{.title = std::string(traits(metric).title), .unit = {}, .adds = false, .parts = {}};
    std::map<std::size_t, std::vector<DebugHandle>> rows;
    for (const auto& [handle, row] : rowsByHandle(gap)) {
        rows[row].push_back(handle);
    }
    const Places places(graph);
    for (const auto& [row, handles] : rows) {
        if (const auto amount = metricOf(gap.rows[row], metric); amount && std::isfinite(*amount)) {
            addPart(numbers, places.of(handles), *amount);
        }
    }
    return numbers;
}

GraphNumbers placeSiteErrors(const ModelGraph& graph, const SiteErrors& errors) {
    GraphNumbers numbers{
        .title = "output error with one site in int8", .unit = "%", .adds = false, .parts = {}};
    const Places places(graph);
    for (const SiteError& site : errors.sites) {
        addPart(numbers, places.of(site.handles), site.percent);
    }
    return numbers;
}

}  // namespace et::inspector
