#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <et_inspect/kernel.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace et_inspect::detail {

/// Kernels of the caller as entries of the engine's registry, which calls functions without data: each kernel
/// takes one of the process's functions while the table exists.
class KernelTable {
  public:
    /// Errors: InvalidArgument (no function, more results than arguments), Limit (too many kernels).
    [[nodiscard]] static et::core::Result<std::unique_ptr<KernelTable>> make(std::vector<Kernel> kernels);
    ~KernelTable();
    KernelTable(const KernelTable&) = delete;
    KernelTable& operator=(const KernelTable&) = delete;

    [[nodiscard]] std::span<const et::kernels::KernelEntry> entries() const { return table; }

  private:
    explicit KernelTable(std::vector<Kernel> given) : kernels(std::move(given)) {}

    const std::vector<Kernel> kernels;
    std::vector<std::size_t> places;
    std::vector<et::kernels::KernelEntry> table;
};

}  // namespace et_inspect::detail
