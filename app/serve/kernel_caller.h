#pragma once

#include "app/serve/value.h"
#include "runtime/core/result.h"

#include <cstdint>

namespace et::serve {

/// Calls kernels in Python. A thread that serves calls has a current one.
class KernelCaller {
  public:
    KernelCaller() = default;
    KernelCaller(const KernelCaller&) = delete;
    KernelCaller& operator=(const KernelCaller&) = delete;
    virtual ~KernelCaller() = default;

    /// Returns the kernel's results: an array, or None for a result that it did not write. Errors:
    /// InvalidArgument (it raised an exception), Cancelled.
    [[nodiscard]] virtual core::Result<List> call(std::uint64_t kernel, List inputs, List results) = 0;
};

}  // namespace et::serve
