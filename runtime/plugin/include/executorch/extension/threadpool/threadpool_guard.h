#pragma once

namespace executorch::extension::threadpool {

/// While one lives, the work of this thread runs on this thread.
struct NoThreadPoolGuard {
    static bool is_enabled();
    static void set_enabled(bool enabled);

    NoThreadPoolGuard() : before(is_enabled()) { set_enabled(true); }
    NoThreadPoolGuard(const NoThreadPoolGuard&) = delete;
    NoThreadPoolGuard& operator=(const NoThreadPoolGuard&) = delete;
    ~NoThreadPoolGuard() { set_enabled(before); }

  private:
    const bool before;
};

/// Accepted; the host decides how many threads work.
struct UseNThreadsThreadPoolGuard {
    explicit UseNThreadsThreadPoolGuard(unsigned /*threads*/) {}
};

}  // namespace executorch::extension::threadpool

namespace torch::executorch::threadpool {
using ::executorch::extension::threadpool::NoThreadPoolGuard;
}
