#include "inspector/join/node_fields.h"

#include "inspector/names/python_stack.h"

#include <algorithm>
#include <string>
#include <vector>

namespace et::inspector::report {
namespace {

/// "model.py:7": the innermost frame that is not PyTorch's own.
std::string sourceLine(std::string_view trace) {
    const auto frame = ownFrame(framesOf(trace));
    return frame ? std::string(frame->path) + ":" + std::to_string(frame->line) : std::string();
}

}  // namespace

List sourceLines(EdgeNodes nodes) {
    std::vector<std::string> lines;
    for (const etrecord::Node* node : nodes) {
        std::string line = sourceLine(node->stackTrace);
        if (!line.empty() && std::ranges::find(lines, line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    }
    return {lines.begin(), lines.end()};
}

std::optional<std::span<const etrecord::ModuleFrame>> commonModules(EdgeNodes nodes) {
    const std::vector<etrecord::ModuleFrame>* stack = nullptr;
    std::size_t depth = 0;
    for (const etrecord::Node* node : nodes) {
        if (node->moduleStack.empty()) {
            continue;
        }
        if (stack == nullptr) {
            stack = &node->moduleStack;
            depth = stack->size();
        }
        const auto same = [](const auto& a, const auto& b) { return a.path == b.path; };
        const auto split = std::ranges::mismatch(*stack, node->moduleStack, same).in1;
        depth = std::min(depth, static_cast<std::size_t>(split - stack->begin()));
    }
    if (stack == nullptr) {
        return std::nullopt;
    }
    return std::span(*stack).first(depth);
}

Cell commonModule(EdgeNodes nodes) {
    const auto modules = commonModules(nodes);
    if (!modules) {
        return {};
    }
    return modules->empty() ? std::string() : modules->back().fqn;
}

}  // namespace et::inspector::report
