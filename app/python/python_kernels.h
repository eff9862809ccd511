#pragma once

#include "runtime/kernels/registry.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

namespace et::python {

/// What kernels that are written in Python need to know of the run that calls them, and leave behind. While
/// it lives they are called on this thread.
class KernelScope {
  public:
    /// `owner` keeps the memory of the arguments; `sharesMemory`: it does, so that arrays need no copies.
    KernelScope(std::shared_ptr<const void> owner, bool sharesMemory);
    KernelScope(const KernelScope&) = delete;
    KernelScope& operator=(const KernelScope&) = delete;
    ~KernelScope();

    /// The scope of this thread; null: none.
    [[nodiscard]] static KernelScope* current();

    std::shared_ptr<const void> owner;
    bool sharesMemory;
    std::optional<nanobind::python_error> raised;  ///< by the kernel that failed

  private:
    KernelScope* outer;
};

/// Adds those that are registered. The registry may live as long as it likes.
void addPythonKernels(kernels::KernelRegistry& registry);

/// Operators that are written in Python: the functions `register_kernel` and `remove_kernel`, the class
/// `KernelResult`.
void bindKernels(nanobind::module_& module);

}  // namespace et::python
