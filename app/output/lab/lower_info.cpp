#include "app/output/lab/lower_info.h"

#include "app/output/groups.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using backends::lowering::DelegatedPart;
using backends::lowering::LoweredMethod;
using backends::lowering::NodeDecision;

std::size_t delegatedNodes(const LoweredMethod& method) {
    return static_cast<std::size_t>(std::ranges::count_if(
        method.partition.decisions, [](const NodeDecision& each) { return each.part.has_value(); }));
}

/// "aten_mul_scalar  aten.mul.Scalar  model.py:12": how messages identify a node.
std::string nodeText(const etrecord::Node& node) {
    const std::string line = tasks::pythonLine(node);
    return fmt::format("{} ({}){}{}", core::printable(node.name), core::printable(node.op),
                       line.empty() ? "" : ", ", line);
}

/// "7 x aten.mul.Scalar, model.py:12, model.py:30, …".
std::string nodesText(const std::vector<const etrecord::Node*>& nodes) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> lines;
    for (const etrecord::Node* const node : nodes) {
        std::string line = tasks::pythonLine(*node);
        if (!line.empty() && !std::ranges::contains(lines, line)) {
            lines.push_back(std::move(line));
        }
    }
    const std::size_t more = lines.size() - std::min(lines.size(), shown);
    lines.resize(lines.size() - more);
    return fmt::format("{} x {}{}{}{}", nodes.size(), core::printable(nodes.front()->op),
                       lines.empty() ? "" : ", ", fmt::join(lines, ", "),
                       more == 0 ? "" : fmt::format(" and {} more line{}", more, plural(more)));
}

/// Delegates of the same size share a line.
std::string delegatesText(const std::vector<DelegatedPart>& parts) {
    Groups<std::string, std::size_t> alike;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const DelegatedPart& part = parts[i];
        std::string size =
            fmt::format("{}, {} node{}, {} input{}, {} output{}", part.backend, part.nodes.size(),
                        plural(part.nodes.size()), part.inputs.size(), plural(part.inputs.size()),
                        part.outputs.size(), plural(part.outputs.size()));
        alike.add(std::move(size), i);
    }
    std::string text;
    for (const auto& [size, numbers] : alike.inOrder()) {
        text += fmt::format("  delegate{} {}: {}\n", plural(numbers.size()), fmt::join(numbers, ", "), size);
    }
    return text;
}

/// Nodes of one operator with the same reason share a line, with the Python lines of the first ones.
std::string undelegatedText(const LoweredMethod& method) {
    using Reason = std::pair<std::string_view, std::string_view>;  // operator, rule
    Groups<Reason, const etrecord::Node*> alike;
    for (std::size_t i = 0; i < method.graph->nodes.size(); ++i) {
        const etrecord::Node& node = method.graph->nodes[i];
        const NodeDecision& decision = method.partition.decisions[i];
        if (!decision.part && !decision.rule.empty()) {
            alike.add(Reason(node.op, decision.rule), &node);
        }
    }
    std::string text;
    for (const auto& [reason, nodes] : alike.inOrder()) {
        text += fmt::format("  not delegated: {}: {}\n",
                            nodes.size() == 1 ? nodeText(*nodes.front()) : nodesText(nodes),
                            core::printable(reason.second));
    }
    return text;
}

std::string methodText(const LoweredMethod& method) {
    const std::size_t parts = method.partition.parts.size();
    std::string text =
        fmt::format("{}: {} of {} nodes in {} delegate{}, {} instruction{}, {} planned\n",
                    core::printable(method.name), delegatedNodes(method), method.graph->nodes.size(), parts,
                    plural(parts), method.emitted.origins.size(), plural(method.emitted.origins.size()),
                    readableBytes(method.plannedBytes));
    text += delegatesText(method.partition.parts);
    return text + undelegatedText(method);
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

Dict methodInfo(const LoweredMethod& method) {
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
            {"planned_bytes", method.plannedBytes},
            {"delegates", std::move(delegates)},
            {"nodes", std::move(nodes)}};
}

}  // namespace

std::string lowerText(const tasks::LowerResult& result) {
    std::string text;
    for (const LoweredMethod& method : result.lowered.methods) {
        text += methodText(method);
    }
    return text + fmt::format("program: {}\n", readableBytes(result.lowered.file.size()));
}

Dict lowerInfo(const tasks::LowerResult& result) {
    return {{"program_bytes", std::uint64_t{result.lowered.file.size()}},
            {"methods",
             listOf(result.lowered.methods, [](const LoweredMethod& method) { return methodInfo(method); })}};
}

}  // namespace et::output
