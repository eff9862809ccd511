#pragma once

#include <cstddef>
#include <memory>

// NOLINTNEXTLINE: the library's own name of its opaque type
struct pthreadpool;

namespace et::kernels {

/// Threads shared by kernels and delegates. With one thread there is no pool: work runs on the caller's
/// thread.
class ThreadPool {
  public:
    /// `threads`: at least 1; 0 selects the number of CPUs.
    explicit ThreadPool(std::size_t threads = 1);

    [[nodiscard]] std::size_t threads() const { return count; }
    /// For libraries that use a pthreadpool_t; null with one thread, which they support.
    [[nodiscard]] pthreadpool* handle() const { return pool.get(); }

    /// Calls `work(context, begin, end)` for pieces that cover [0, count), with at least `grain` items each.
    /// Returns when all are done.
    void run(std::size_t items, std::size_t grain, void (*work)(void*, std::size_t, std::size_t),
             void* context) const;

    template <class Function>
    void parallelFor(std::size_t items, std::size_t grain, Function&& function) const {
        run(
            items, grain,
            [](void* context, std::size_t begin, std::size_t end) {
                (*static_cast<std::remove_reference_t<Function>*>(context))(begin, end);
            },
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): cast back above
            const_cast<void*>(static_cast<const void*>(&function)));
    }

  private:
    struct Deleter {
        void operator()(pthreadpool* pool) const;
    };
    std::size_t count = 1;
    std::unique_ptr<pthreadpool, Deleter> pool;
};

}  // namespace et::kernels
