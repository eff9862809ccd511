#include "app/tasks/rewrite/part_boundary.h"

#include "app/tasks/rewrite/part_value_sources.h"
#include "backends/delegate_part.h"
#include "inspector/numeric_gap/reference_values.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace et::tasks {

using core::DebugHandle;
using core::ErrorCode;
using core::Result;
using etrecord::NodeIndex;
using inspector::HandleSet;
using inspector::RuntimeValueRef;

namespace {

bool isConversion(const PartMaker& maker, const program::Delegate& delegate, std::string_view kind) {
    const executor::Backend* const backend = executor::findBackend(maker.base().backends, delegate.backend);
    return backend != nullptr && std::ranges::contains(backend->traceConventions().conversions,
                                                       backend->traceConventions().type(kind));
}

/// Nothing if the delegate's backend does not support inspection.
Result<std::vector<inspector::DelegateNode>> nodesOf(const PartMaker& maker,
                                                     const program::Delegate& delegate) {
    auto inside = backends::nodesIn(delegate);
    if (!inside && inside.error().code == ErrorCode::Unsupported) {
        return {};
    }
    ET_TRY(inside);
    std::vector<inspector::DelegateNode> nodes;
    for (const backends::DelegateNode& each : *inside) {
        nodes.push_back(
            {.handle = each.debugHandle ? std::optional(DebugHandle(*each.debugHandle)) : std::nullopt,
             .kind = each.kind,
             .isQuantized = each.isQuantized,
             .isConversion = isConversion(maker, delegate, each.kind),
             .elements = each.elements});
    }
    return nodes;
}

}  // namespace

Result<PartSource> PartSource::make(const PartMaker& maker, const inspector::GraphWalk& walk,
                                    const etrecord::MethodMaps& maps) {
    PartSource source(maker.whole(), walk, maps);
    const auto& instructions = maker.whole().chains.front().instructions;
    std::set<NodeIndex> taken;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto* const call = std::get_if<program::DelegateCall>(&instructions[i]);
        if (call == nullptr) {
            continue;
        }
        ET_ASSIGN(const auto nodes, nodesOf(maker, maker.whole().delegate(call->delegate)));
        // Nothing has run, so nodes that share a handle are all equally close.
        const auto places = inspector::mapDelegateNodes(
            walk, nodes, source.regionOf(i), [](std::size_t, std::string_view) { return 0.0; }, taken);
        std::vector<Operator>& operators = source.operators[i];
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            operators.push_back({.handle = nodes[node].handle, .place = places[node]});
        }
    }
    return source;
}

std::vector<DebugHandle> PartSource::handlesOf(std::size_t instruction) const {
    const auto found =
        handles->debugHandles.find(core::InstructionId(static_cast<std::int32_t>(instruction)));
    return found == handles->debugHandles.end() ? std::vector<DebugHandle>() : found->second.handles;
}

HandleSet PartSource::handlesOf(std::size_t instruction, std::span<const std::size_t> nodes) const {
    HandleSet all;
    const auto found = operators.find(instruction);
    for (const std::size_t node : nodes) {
        if (found == operators.end() || node >= found->second.size()) {
            continue;
        }
        const Operator& each = found->second[node];
        if (each.handle) {
            all.insert(*each.handle);
        }
        for (const NodeIndex index : each.place ? each.place->nodes : std::vector<NodeIndex>()) {
            // Nodes that read its result as real numbers belong to other operators.
            if (inspector::roleOf(graph->node(index)) != inspector::NodeRole::Dequantize) {
                const auto& own = graph->node(index).debugHandles;
                all.insert(own.begin(), own.end());
            }
        }
    }
    return all;
}

inspector::GraphPartChoice PartSource::handlesOf(const PartChoice& choice) const {
    inspector::GraphPartChoice out{.own = {}, .others = {}};
    for (std::size_t i = 0; i < method->chains.front().instructions.size(); ++i) {
        const auto opened = choice.nodes.find(i);
        if (opened == choice.nodes.end()) {
            const auto all = handlesOf(i);
            (std::ranges::contains(choice.instructions, i) ? out.own : out.others)
                .insert(all.begin(), all.end());
            continue;
        }
        // Nodes without an operator (such as scales computed at run time) belong to the operators that read
        // them.
        std::vector<std::size_t> rest;
        for (std::size_t node = 0; node < operators.at(i).size(); ++node) {
            if (!std::ranges::contains(opened->second, node)) {
                rest.push_back(node);
            }
        }
        out.own.merge(handlesOf(i, opened->second));
        out.others.merge(handlesOf(i, rest));
    }
    return out;
}

inspector::DelegateRegion PartSource::regionOf(std::size_t instruction) const {
    inspector::DelegateRegion region;
    for (const DebugHandle each : handlesOf(instruction)) {
        region.handles.insert(each);
        const auto owners = std::ranges::count_if(handles->debugHandles, [&](const auto& entry) {
            return std::ranges::contains(entry.second.handles, each);
        });
        if (owners > 1) {
            region.shared.insert(each);
        }
    }
    return region;
}

const PartSource::Operator* PartSource::operatorAt(const RuntimeValueRef& place) const {
    if (!place.inner || place.instruction < 0) {
        return nullptr;
    }
    const auto instruction = static_cast<std::size_t>(place.instruction);
    const auto node = nodeOf(*method, instruction, *place.inner);
    const auto found = operators.find(instruction);
    return node && found != operators.end() && *node < found->second.size() ? &found->second[*node] : nullptr;
}

Result<NodeChoice> takenNodes(const PartMaker& maker, const PartChoice& choice) {
    NodeChoice taken = choice.nodes;
    const program::Method& part = maker.part().method;
    for (std::size_t i = 0; i < choice.instructions.size(); ++i) {
        const std::size_t instruction = choice.instructions[i];
        const auto chosen = taken.find(instruction);
        const auto& instructions = part.chains.front().instructions;
        const auto* const call =
            i < instructions.size() ? std::get_if<program::DelegateCall>(&instructions[i]) : nullptr;
        if (chosen == taken.end() || call == nullptr) {
            continue;
        }
        const std::vector<std::uint32_t>& ids = maker.openedCalls()->originalIds(instruction);
        ET_ASSIGN(const auto nodes, backends::nodesIn(part.delegate(call->delegate)));
        std::set<std::size_t> all(chosen->second.begin(), chosen->second.end());
        for (const backends::DelegateNode& each : nodes) {
            const std::uint32_t id = each.results.empty() ? 0 : each.results.front();
            const auto node = id < ids.size() ? nodeOf(maker.whole(), instruction, ids[id]) : std::nullopt;
            if (node) {
                all.insert(*node);
            }
        }
        chosen->second.assign(all.begin(), all.end());
    }
    return taken;
}

std::optional<std::string_view> BoundaryValues::nameOf(const RuntimeValueRef& place,
                                                       std::span<const std::string_view> border) const {
    if (place.input) {
        return inputAt(*place.input);
    }
    std::vector<std::string_view> values = resultsAt(place);
    const auto keep = [&](const auto& wanted) {
        if (std::ranges::any_of(values, wanted)) {
            std::erase_if(values, [&](std::string_view each) { return !wanted(each); });
        }
    };
    keep([&](std::string_view each) { return dtypeOf(each) == static_cast<std::int8_t>(place.dtype); });
    keep([&](std::string_view each) { return std::ranges::contains(border, each); });
    if (values.empty()) {
        return std::nullopt;
    }
    return !place.inner && place.output < values.size() ? values[place.output] : values.back();
}

bool BoundaryValues::isTurned(const RuntimeValueRef& place) const {
    const PartSource::Operator* const made = source.operatorAt(place);
    return made != nullptr && !made->handle;
}

std::optional<std::string_view> BoundaryValues::inputAt(std::size_t position) const {
    for (const etrecord::InputSpec& spec : source.walk().graph().inputSpecs) {
        if (inspector::isUserInput(spec) && position-- == 0) {
            return spec.value;
        }
    }
    return std::nullopt;
}

std::optional<std::int8_t> BoundaryValues::dtypeOf(std::string_view value) const {
    const auto& tensors = source.walk().graph().tensors;
    const auto found = tensors.find(value);
    return found == tensors.end() ? std::nullopt : std::optional(found->second.scalarType);
}

std::vector<std::string_view> BoundaryValues::resultsAt(const RuntimeValueRef& place) const {
    HandleSet handles;
    const PartSource::Operator* const made = source.operatorAt(place);
    if (made != nullptr && made->place) {
        std::vector<std::string_view> values(made->place->dequantized.begin(),
                                             made->place->dequantized.end());
        values.emplace_back(made->place->value);
        return values;
    }
    if (made != nullptr && made->handle) {
        handles.insert(*made->handle);
    } else if (place.instruction >= 0) {
        const auto all = source.handlesOf(static_cast<std::size_t>(place.instruction));
        handles.insert(all.begin(), all.end());
    }
    std::vector<std::string_view> values;
    const auto& nodes = source.walk().graph().nodes;
    for (NodeIndex index = 0; index < nodes.size(); ++index) {
        const bool isOf = std::ranges::any_of(nodes[index].debugHandles,
                                              [&](DebugHandle each) { return handles.contains(each); });
        if (isOf) {
            const auto results = source.walk().resultsOf(index);
            values.insert(values.end(), results.begin(), results.end());
        }
    }
    return values;
}

}  // namespace et::tasks
