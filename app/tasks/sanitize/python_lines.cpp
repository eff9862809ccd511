#include "app/tasks/sanitize/python_lines.h"

#include "inspector/join/instruction_nodes.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

namespace et::tasks {

void addPythonLine(MemoryFinding& finding, const program::Program& program, const etrecord::Record* record) {
    const program::Method* const method = program.findMethod(finding.method);
    if (method == nullptr || finding.chain != 0 || finding.instruction < 0) {
        return;
    }
    const inspector::InstructionNodes nodes(record, method->name);
    const core::InstructionId instruction(finding.instruction);
    if (const auto frame = inspector::ownFrame(inspector::stackOf(nodes, *method, instruction))) {
        finding.python = fmt::format("{}:{}", frame->path, frame->line);
    }
}

}  // namespace et::tasks
