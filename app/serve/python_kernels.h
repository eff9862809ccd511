#pragma once

#include "app/serve/loaded_program.h"
#include "runtime/kernels/registry.h"

namespace et::serve {

/// A run of a program on this thread, which may call kernels in Python.
class KernelScope {
  public:
    explicit KernelScope(const LoadedProgram& of);
    KernelScope(const KernelScope&) = delete;
    KernelScope& operator=(const KernelScope&) = delete;
    ~KernelScope();

    /// Returns the scope of this thread, or null.
    [[nodiscard]] static KernelScope* current();

    const LoadedProgram& program;
    bool raised = false;  ///< a kernel in Python failed

  private:
    KernelScope* outer;
};

/// Adds all registered Python kernels. The registry may outlive them.
void addPythonKernels(kernels::KernelRegistry& registry);

}  // namespace et::serve
