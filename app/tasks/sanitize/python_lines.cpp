#include "app/tasks/sanitize/python_lines.h"

#include "inspector/join/instruction_nodes.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace et::tasks {
namespace {

std::optional<inspector::PythonFrame> frameOf(const program::Method& method, core::InstructionId instruction,
                                              const etrecord::Record* record) {
    for (const etrecord::Node* const node :
         inspector::InstructionNodes(record, method.name).nodesOf(instruction)) {
        if (const auto frame = inspector::ownFrame(inspector::parseFrames(node->stackTrace))) {
            return frame;
        }
    }
    return inspector::ownFrame(inspector::parseFrames(method, instruction));
}

}  // namespace

void addPythonLine(MemoryFinding& finding, const program::Program& program, const etrecord::Record* record) {
    const program::Method* const method = program.findMethod(finding.method);
    if (method == nullptr || finding.chain != 0 || finding.instruction < 0) {
        return;
    }
    if (const auto frame = frameOf(*method, core::InstructionId(finding.instruction), record)) {
        finding.python = fmt::format("{}:{}", frame->path, frame->line);
    }
}

}  // namespace et::tasks
