#pragma once

#include "runtime/kernels/registry.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

namespace et::python {

/// Context of a run for the kernels in Python that it calls, and their results. While it exists, they are
/// called on this thread.
class KernelScope {
  public:
    /// `owner` keeps the memory of the arguments alive; `sharesMemory`: it does so long enough for arrays to
    /// share it.
    KernelScope(std::shared_ptr<const void> owner, bool sharesMemory);
    KernelScope(const KernelScope&) = delete;
    KernelScope& operator=(const KernelScope&) = delete;
    ~KernelScope();

    /// Returns the scope of this thread, or null.
    [[nodiscard]] static KernelScope* current();

    std::shared_ptr<const void> owner;
    bool sharesMemory;
    std::optional<nanobind::python_error> raised;  ///< exception of the kernel that failed

  private:
    KernelScope* outer;
};

/// Adds all registered Python kernels. The registry may outlive them.
void addPythonKernels(kernels::KernelRegistry& registry);

/// Binds the functions `register_kernel` and `remove_kernel` and the class `KernelResult`, for operators
/// implemented in Python.
void bindKernels(nanobind::module_& module);

}  // namespace et::python
