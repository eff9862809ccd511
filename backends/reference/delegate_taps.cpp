#include "backends/reference/delegate_taps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::backends::reference {

DelegateTaps::DelegateTaps(core::Result<core::ModelGraph> described, const etrecord::ExportedGraph& graph)
    : description(std::move(described)), top(graph) {
    for (const etrecord::Node& node : top.nodes) {
        topNodes.insert(node.name);
    }
    if (!description) {
        return;
    }
    for (const core::GraphNode& node : description->nodes()) {
        std::vector<Value>& own = values[node.name];
        own.clear();
        for (const core::GraphValueId output : node.outputs) {
            own.push_back(
                {.id = output.value,
                 .kind = node.kind,
                 .label = fmt::format("{} {}{}", node.kind, node.name,
                                      node.outputs.size() > 1 ? fmt::format(":{}", own.size()) : "")});
        }
    }
}

void DelegateTaps::choose(core::EventTracer& by) {
    for (auto& [node, own] : values) {
        for (Value& each : own) {
            each.isWanted = by.wantsTap({.nodeKind = each.kind, .value = each.id});
        }
    }
}

NodeObserver DelegateTaps::begin(core::EventTracer& to, const core::TraceIds& ids) {
    if (tracer != &to) {
        choose(to);
    }
    tracer = &to;
    call = ids;
    reported = 0;
    for (auto& [node, own] : values) {
        for (Value& each : own) {
            each.isReported = false;
        }
    }
    return [this](const etrecord::ExportedGraph& graph, etrecord::NodeIndex index,
                  std::span<const ReferenceValue> outputs) -> core::Result<> {
        const std::string_view name = graph.nodes[index].name;
        if (&graph == &top || !topNodes.contains(name)) {
            report(name, outputs);
        }
        return {};
    };
}

void DelegateTaps::report(std::string_view node, std::span<const ReferenceValue> outputs) {
    const auto found = values.find(node);
    if (found == values.end()) {
        return;
    }
    const auto* const list = outputs.size() == 1 ? outputs.front().as<ReferenceValue::List>() : nullptr;
    const std::span<const ReferenceValue> results = list == nullptr ? outputs : std::span(*list);
    // A node may have further outputs that are arguments written in place.
    for (std::size_t i = 0; i < std::min(results.size(), found->second.size()); ++i) {
        const auto* const tensor = results[i].as<ReferenceTensor>();
        Value& value = found->second[i];
        if (tensor != nullptr && value.isWanted && !std::exchange(value.isReported, true)) {
            reportOne(value, *tensor);
        }
    }
}

void DelegateTaps::reportOne(Value& value, const ReferenceTensor& tensor) {
    core::TraceIds ids = call;
    ids.delegateString = value.label;
    core::Value content(core::Value::Kind(core::Boxed<core::Tensor>(tensor.view)));
    tracer->tapSite({.nodeKind = value.kind, .value = value.id});
    tracer->tap(ids, content);
    const std::uint64_t now =
        core::EventTracer::now();  // without duration: the device would take another time
    tracer->profile(tracer->name({}), ids, now, now, std::as_bytes(std::span(interpretedNote)));
    ++reported;
}

void DelegateTaps::end() {
    core::TapReport summary{.chain = call.chain, .instruction = call.instruction, .values = reported};
    if (!description) {
        summary.failure = description.error().toString();
    } else {
        summary.operators = description->nodes().size();
        summary.operatorsWithTaps = summary.operators;
    }
    const bool isWanted = std::ranges::any_of(
        values, [](const auto& each) { return std::ranges::any_of(each.second, &Value::isWanted); });
    if (isWanted || !description) {
        tracer->tapped(summary);
    }
}

}  // namespace et::backends::reference
