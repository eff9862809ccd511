#pragma once

#include "app/tasks/base/program_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace et::tasks {

/// Memory needed to run a method once with our kernels and one thread, in bytes.
struct MeasuredNeed {
    executor::MemoryReport memory;
    std::uint64_t stack = 0;  ///< maximum over loading and running
};

/// Loads the method and runs it once, on the first case of its bundle or else on random inputs. Errors: those
/// of loading, inputs and running.
[[nodiscard]] core::Result<MeasuredNeed> measureNeed(
    const ProgramFile& file, std::string_view method,
    std::span<const std::shared_ptr<const program::TensorData>> tensorData);

/// Calls `work` on a separate stack of 8 MiB, and returns how many bytes of it were written. Errors: Limit
/// (cannot allocate it or create a thread).
[[nodiscard]] core::Result<std::uint64_t> stackOf(const std::function<void()>& work);

}  // namespace et::tasks
