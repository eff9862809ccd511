#include "backends/xnnpack/library/library_memory.h"

#include "backends/xnnpack/library/large_blocks.h"

#include <algorithm>
#include <cstdlib>

namespace et::backends::xnnpack {
namespace {

struct Watched {
    bool isWatched = false;
    std::uint64_t bytes = 0;
};
thread_local Watched watched;

void* allocate(void*, std::size_t size) {
    return std::malloc(size);
}

void* reallocate(void*, void* memory, std::size_t size) {
    return std::realloc(memory, size);
}

void release(void*, void* memory) {
    std::free(memory);
}

void* allocateAligned(void*, std::size_t alignment, std::size_t size) {
    if (watched.isWatched) {
        watched.bytes = std::max<std::uint64_t>(watched.bytes, size);
    } else if (LargeBlocks::takes(size)) {
        return LargeBlocks::instance().take(alignment, size);
    }
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void releaseAligned(void*, void* memory) {
    if (!LargeBlocks::instance().give(memory)) {
        std::free(memory);
    }
}

}  // namespace

const xnn_allocator& libraryAllocator() {
    static const xnn_allocator allocator{.context = nullptr,
                                         .allocate = allocate,
                                         .reallocate = reallocate,
                                         .deallocate = release,
                                         .aligned_allocate = allocateAligned,
                                         .aligned_deallocate = releaseAligned};
    return allocator;
}

WorkspaceWatch::WorkspaceWatch() {
    watched = {.isWatched = true};
}

WorkspaceWatch::~WorkspaceWatch() {
    watched = {};
}

std::uint64_t WorkspaceWatch::bytes() const {
    return watched.bytes;
}

}  // namespace et::backends::xnnpack
