#include "app/output/lab/lower_info.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using backends::lowering::DelegatedPart;
using backends::lowering::LoweredMethod;
using backends::lowering::NodeDecision;

std::size_t delegatedNodes(const LoweredMethod& method) {
    return static_cast<std::size_t>(std::ranges::count_if(
        method.partition.decisions, [](const NodeDecision& each) { return each.part.has_value(); }));
}

std::uint64_t plannedBytes(const tasks::LowerResult& result, std::string_view method) {
    for (const program::Method& each : result.program->methods) {
        if (each.name == method) {
            return each.plannedBytes();
        }
    }
    return 0;
}

/// "aten_mul_scalar  aten.mul.Scalar  model.py:12": how messages identify a node.
std::string nodeText(const etrecord::Node& node) {
    const std::string line = tasks::pythonLine(node);
    return fmt::format("{} ({}){}{}", core::printable(node.name), core::printable(node.op),
                       line.empty() ? "" : ", ", line);
}

std::string methodText(const tasks::LowerResult& result, const LoweredMethod& method) {
    const std::size_t parts = method.partition.parts.size();
    std::string text =
        fmt::format("{}: {} of {} nodes in {} delegate{}, {} instruction{}, {} planned\n",
                    core::printable(method.name), delegatedNodes(method), method.graph->nodes.size(), parts,
                    plural(parts), method.emitted.origins.size(), plural(method.emitted.origins.size()),
                    readableBytes(plannedBytes(result, method.name)));
    for (std::size_t i = 0; i < parts; ++i) {
        const DelegatedPart& part = method.partition.parts[i];
        text += fmt::format("  delegate {}: {}, {} node{}, {} input{}, {} output{}\n", i, part.backend,
                            part.nodes.size(), plural(part.nodes.size()), part.inputs.size(),
                            plural(part.inputs.size()), part.outputs.size(), plural(part.outputs.size()));
    }
    for (std::size_t i = 0; i < method.graph->nodes.size(); ++i) {
        const NodeDecision& decision = method.partition.decisions[i];
        if (!decision.part && !decision.rule.empty()) {
            text += fmt::format("  not delegated: {}: {}\n", nodeText(method.graph->nodes[i]),
                                core::printable(decision.rule));
        }
    }
    return text;
}

Dict nodeInfo(const etrecord::Node& node, const NodeDecision& decision) {
    Dict info{{"node", node.name}, {"op", node.op}, {"line", tasks::pythonLine(node)}};
    if (decision.part) {
        info.emplace_back("delegate", std::uint64_t{*decision.part});
    } else {
        info.emplace_back("rule", decision.rule);
    }
    return info;
}

Dict methodInfo(const tasks::LowerResult& result, const LoweredMethod& method) {
    List delegates;
    for (const DelegatedPart& part : method.partition.parts) {
        delegates.emplace_back(Dict{{"backend", part.backend},
                                    {"nodes", std::uint64_t{part.nodes.size()}},
                                    {"inputs", std::uint64_t{part.inputs.size()}},
                                    {"outputs", std::uint64_t{part.outputs.size()}},
                                    {"payload_bytes", std::uint64_t{part.payload.size()}}});
    }
    List nodes;
    for (std::size_t i = 0; i < method.graph->nodes.size(); ++i) {
        nodes.emplace_back(nodeInfo(method.graph->nodes[i], method.partition.decisions[i]));
    }
    return {{"method", method.name},
            {"instructions", std::uint64_t{method.emitted.origins.size()}},
            {"delegated_nodes", std::uint64_t{delegatedNodes(method)}},
            {"planned_bytes", plannedBytes(result, method.name)},
            {"delegates", std::move(delegates)},
            {"nodes", std::move(nodes)}};
}

}  // namespace

std::string lowerText(const tasks::LowerResult& result) {
    std::string text;
    for (const LoweredMethod& method : result.lowered.methods) {
        text += methodText(result, method);
    }
    return text + fmt::format("program: {}\n", readableBytes(result.lowered.file.size()));
}

Dict lowerInfo(const tasks::LowerResult& result) {
    return {{"program_bytes", std::uint64_t{result.lowered.file.size()}},
            {"methods", listOf(result.lowered.methods,
                               [&](const LoweredMethod& method) { return methodInfo(result, method); })}};
}

}  // namespace et::output
