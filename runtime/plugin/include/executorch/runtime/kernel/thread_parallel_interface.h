#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/function_ref.h>
#include <executorch/runtime/platform/assert.h>

#include <cstdint>
#include <functional>

namespace executorch::extension {

namespace internal {
constexpr int64_t GRAIN_SIZE = 32768;  ///< elements that a thread gets at least, for simple operators
}

/// Calls `work(begin, end)` for pieces of [begin, end) with at least `grain_size` items, on the host's
/// threads. Runs on the calling thread outside a kernel or delegate call, and inside another parallel_for.
bool parallel_for(int64_t begin, int64_t end, int64_t grain_size,
                  runtime::FunctionRef<void(int64_t, int64_t)> work);
/// Number of this thread within a parallel_for, below the number of threads; 0 outside.
int64_t get_thread_num();
void set_thread_num(int64_t thread_num);

}  // namespace executorch::extension

namespace torch::executor {
using ::executorch::extension::get_thread_num;
using ::executorch::extension::parallel_for;
using ::executorch::extension::set_thread_num;
}  // namespace torch::executor
