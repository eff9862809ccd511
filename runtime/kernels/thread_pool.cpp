#include "runtime/kernels/thread_pool.h"

#include <pthreadpool.h>

#include <algorithm>

namespace et::kernels {
namespace {

/// More pieces than threads, so that a slow thread delays the others only briefly.
constexpr std::size_t piecesPerThread = 4;

struct Job {
    void (*work)(void*, std::size_t, std::size_t);
    void* context;
};

}  // namespace

void ThreadPool::Deleter::operator()(pthreadpool* pool) const {
    pthreadpool_destroy(pool);
}

ThreadPool::ThreadPool(std::size_t threads) : count(threads) {
    if (count != 1) {
        pool.reset(pthreadpool_create(count));
        count = pool ? pthreadpool_get_threads_count(pool.get()) : 1;
    }
}

void ThreadPool::run(std::size_t items, std::size_t grain, void (*work)(void*, std::size_t, std::size_t),
                     void* context) const {
    if (items == 0) {
        return;
    }
    grain = std::max<std::size_t>(grain, 1);
    if (!pool || items <= grain) {
        work(context, 0, items);
        return;
    }
    const std::size_t pieces = std::clamp<std::size_t>(items / grain, 1, count * piecesPerThread);
    Job job{.work = work, .context = context};
    pthreadpool_parallelize_1d_tile_1d(
        pool.get(),
        [](void* opaque, std::size_t begin, std::size_t length) {
            const Job& task = *static_cast<Job*>(opaque);
            task.work(task.context, begin, begin + length);
        },
        &job, items, (items + pieces - 1) / pieces, 0);
}

}  // namespace et::kernels
