#pragma once

#include "app/tasks/sanitize/memory_finding.h"
#include "etrecord/record.h"
#include "runtime/program/program.h"

namespace et::tasks {

/// Sets MemoryFinding::python from the ETRecord (null: none), or from the stacks in the program.
void addPythonLine(MemoryFinding& finding, const program::Program& program, const etrecord::Record* record);

}  // namespace et::tasks
