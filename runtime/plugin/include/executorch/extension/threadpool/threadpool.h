#pragma once

#include <executorch/extension/threadpool/threadpool_guard.h>
#include <executorch/runtime/core/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

struct pthreadpool;
typedef struct pthreadpool* pthreadpool_t;

namespace executorch::extension::threadpool {

/// The host's threads.
class ThreadPool final {
  public:
    explicit ThreadPool(size_t /*thread_count*/ = 0) {}
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// 1 outside a kernel or delegate call.
    size_t get_thread_count() const;
    /// Calls `work(i)` for every i below `range`.
    void run(runtime::FunctionRef<void(size_t)> work, size_t range);
    bool _unsafe_reset_threadpool(uint32_t /*threads*/) { return false; }
    void _unsafe_destroy_threadpool() {}
};

ThreadPool* get_threadpool();
/// The host's pool, which XNNPACK and others take; null, which they also take, if there is one thread.
pthreadpool_t get_pthreadpool();

}  // namespace executorch::extension::threadpool

namespace torch::executorch::threadpool {
using ::executorch::extension::threadpool::get_pthreadpool;
using ::executorch::extension::threadpool::get_threadpool;
using ::executorch::extension::threadpool::ThreadPool;
}  // namespace torch::executorch::threadpool
