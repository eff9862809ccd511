#include "runtime/kernels/thread_pool.h"

#include <pthreadpool.h>

#include <algorithm>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace et::kernels {
namespace {

/// More pieces than threads, so that a slow thread delays the others only briefly.
constexpr std::size_t piecesPerThread = 4;

struct Job {
    void (*work)(void*, std::size_t, std::size_t);
    void* context;
};

/// The library starts and joins pieces with atomics that a thread sanitizer does not see. These say what it
/// guarantees: what happened before `publish` is visible after `receive`.
#ifdef __SANITIZE_THREAD__
void publish(Job& job) {
    __tsan_release(&job);
}
void receive(Job& job) {
    __tsan_acquire(&job);
}
#else
void publish(Job&) {
}
void receive(Job&) {
}
#endif

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
    publish(job);
    pthreadpool_parallelize_1d_tile_1d(
        pool.get(),
        [](void* opaque, std::size_t begin, std::size_t length) {
            Job& task = *static_cast<Job*>(opaque);
            receive(task);
            task.work(task.context, begin, begin + length);
            publish(task);
        },
        &job, items, (items + pieces - 1) / pieces, 0);
    receive(job);
}

}  // namespace et::kernels
