#pragma once

#include "app/serve/loaded_program.h"
#include "runtime/kernels/registry.h"

namespace et::serve {

/// A run of a program, which may call kernels in Python.
struct ProgramRun {
    const LoadedProgram& program;
    bool raised = false;  ///< a kernel in Python raised an exception
};

/// Adds all registered Python kernels. The registry may outlive them.
void addPythonKernels(kernels::KernelRegistry& registry);

}  // namespace et::serve
