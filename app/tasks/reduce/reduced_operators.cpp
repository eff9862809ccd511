#include "app/tasks/reduce/reduced_operators.h"

#include "backends/delegate_part.h"
#include "etrecord/record.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;

void addNode(ReducedOperator& made, const etrecord::Node& node) {
    made.edgeNodes.push_back(node.name);
    const auto frame = inspector::ownFrame(inspector::parseFrames(node.stackTrace));
    if (made.source.empty() && frame) {
        made.source = fmt::format("{}:{} in {}", frame->path, frame->line, frame->function);
    }
}

std::string nameOf(const program::Method& method, const program::Instruction& what) {
    if (const auto* const kernel = std::get_if<program::KernelCall>(&what)) {
        return method.op(kernel->op).fullName();
    }
    if (const auto* const call = std::get_if<program::DelegateCall>(&what)) {
        return std::string(method.delegate(call->delegate).backend);
    }
    return std::string(program::instructionName(what));
}

/// Adds the remaining operators of the delegate that an instruction calls.
Result<> addOperatorsInside(const program::Method& method, std::size_t instruction,
                            std::span<const std::size_t> chosen, const etrecord::Record* record,
                            std::vector<ReducedOperator>& operators) {
    const auto& call = std::get<program::DelegateCall>(method.chains.front().instructions[instruction]);
    ET_ASSIGN(const auto nodes, backends::nodesIn(method.delegate(call.delegate)));
    const etrecord::ExportedGraph* const graph = record == nullptr ? nullptr : record->edgeGraph(method.name);
    for (const std::size_t node : chosen) {
        ReducedOperator made{.instruction = instruction,
                             .node = node,
                             .name = nodes[node].kind,
                             .edgeNodes = {},
                             .source = {}};
        if (graph != nullptr && nodes[node].debugHandle) {
            for (const etrecord::NodeIndex each :
                 graph->nodesOf(core::DebugHandle(*nodes[node].debugHandle))) {
                addNode(made, graph->nodes[each]);
            }
        }
        operators.push_back(std::move(made));
    }
    return {};
}

}  // namespace

Result<std::vector<ReducedOperator>> operatorsOf(const program::Method& method, const PartChoice& part,
                                                 const std::filesystem::path& path) {
    std::shared_ptr<const etrecord::Record> record;
    if (!path.empty()) {
        ET_ASSIGN(record, etrecord::Record::open(path));
    }
    const auto& chain = method.chains.front().instructions;
    const inspector::InstructionNodes instructionNodes(record.get(), method.name);
    std::vector<ReducedOperator> operators;
    for (const std::size_t instruction : part.instructions) {
        if (const auto chosen = part.nodes.find(instruction); chosen != part.nodes.end()) {
            ET_TRY(addOperatorsInside(method, instruction, chosen->second, record.get(), operators));
            continue;
        }
        ReducedOperator made{.instruction = instruction,
                             .node = {},
                             .name = nameOf(method, chain[instruction]),
                             .edgeNodes = {},
                             .source = {}};
        for (const etrecord::Node* const node :
             instructionNodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(instruction)))) {
            addNode(made, *node);
        }
        operators.push_back(std::move(made));
    }
    return operators;
}

}  // namespace et::tasks
