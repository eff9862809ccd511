#include "inspector/join/instruction_nodes.h"

#include <unordered_set>

namespace et::inspector {

namespace {

/// Limit per instruction; a damaged record may assign all of its nodes to each.
constexpr std::size_t maxNodes = 4096;

}  // namespace

InstructionNodes::InstructionNodes(const etrecord::Record* record, std::string_view method) {
    if (record != nullptr) {
        maps = record->maps(method);
        graph = record->edgeGraph(method);
    }
}

std::vector<core::DebugHandle> InstructionNodes::handlesOf(core::InstructionId instruction) const {
    if (maps == nullptr) {
        return {};
    }
    const auto found = maps->debugHandles.find(instruction);
    return found == maps->debugHandles.end() ? std::vector<core::DebugHandle>() : found->second.handles;
}

std::vector<const etrecord::Node*> InstructionNodes::nodesOf(
    const std::vector<core::DebugHandle>& handles) const {
    std::vector<const etrecord::Node*> nodes;
    if (graph == nullptr) {
        return nodes;
    }
    std::unordered_set<etrecord::NodeIndex> seen;
    std::unordered_set<core::DebugHandle> asked;
    for (const core::DebugHandle handle : handles) {
        if (nodes.size() >= maxNodes || !asked.insert(handle).second) {
            continue;
        }
        for (const etrecord::NodeIndex index : graph->nodesOf(handle)) {
            if (nodes.size() >= maxNodes) {
                break;
            }
            if (seen.insert(index).second) {
                nodes.push_back(&graph->nodes[index]);
            }
        }
    }
    return nodes;
}

std::vector<PythonFrame> stackOf(const InstructionNodes& nodes, const program::Method& method,
                                 core::InstructionId instruction) {
    for (const etrecord::Node* const node : nodes.nodesOf(instruction)) {
        if (std::vector<PythonFrame> frames = parseFrames(node->stackTrace); !frames.empty()) {
            return frames;
        }
    }
    return parseFrames(method, instruction);
}

}  // namespace et::inspector
