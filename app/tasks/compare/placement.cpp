#include "app/tasks/compare/placement.h"

#include <alloca.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace et::tasks {
namespace {

std::size_t drawBelow(std::mt19937_64& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

void runOn(const std::vector<int>& processors) {
    if (processors.empty()) {
        return;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int each : processors) {
        CPU_SET(static_cast<std::size_t>(each), &set);
    }
    ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

std::vector<int> drawProcessors(std::mt19937_64& random, std::size_t threads) {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> processors;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int each = 0; each < CPU_SETSIZE; ++each) {
            if (CPU_ISSET(static_cast<std::size_t>(each), &set)) {
                processors.push_back(each);
            }
        }
    }
    if (threads == 0 || threads >= processors.size()) {
        return {};
    }
    for (std::size_t i = 0; i < threads; ++i) {
        std::swap(processors[i], processors[i + drawBelow(random, processors.size() - i)]);
    }
    processors.resize(threads);
    return processors;
}

Placement drawPlacement(std::mt19937_64& random, std::vector<int> processors) {
    constexpr std::size_t stack = std::size_t{64} << 10U;
    constexpr std::size_t heap = std::size_t{64} << 10U;
    constexpr std::size_t pages = 1024;
    constexpr std::size_t grain = 16;  // alignment of both stack and heap
    return {.stackBytes = drawBelow(random, stack / grain) * grain,
            .heapBytes = drawBelow(random, heap / grain) * grain,
            .mappedPages = drawBelow(random, pages),
            .processors = std::move(processors)};
}

void doPlaced(const Placement& placement, const std::function<void()>& body) {
    runOn(placement.processors);
    if (placement.mappedPages > 0) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        // Never unmapped: it shifts all later mappings.
        static_cast<void>(::mmap(nullptr, placement.mappedPages * page, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    }
    void* const heap = std::malloc(placement.heapBytes);
    auto* const stack = static_cast<volatile char*>(::alloca(placement.stackBytes + 1));
    stack[0] = 0;
    body();
    std::free(heap);
}

}  // namespace et::tasks
