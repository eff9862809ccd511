#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace et::kernels {
namespace {

constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t smallestBlock = 1U << 16;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

void ScratchMemory::Free::operator()(std::byte* memory) const {
    std::free(memory);
}

core::Result<std::byte*> ScratchMemory::take(std::uint64_t bytes) {
    // Rounded up to whole alignments, so that `peak` is exact.
    const std::uint64_t need = bytes > limit ? bytes : std::max(aligned(bytes), alignment);
    if (need > limit || taken > limit - need) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("expected at most {} bytes of temporary memory, "
                                      "got a need of {}",
                                      limit, bytes > limit ? bytes : taken + need));
    }
    taken += need;
    peak = std::max(peak, taken);
    if (source != nullptr) {
        return source->take(bytes);
    }
    if (blocks.empty() || blocks.back().bytes - used < need) {
        const std::uint64_t size = std::max(need, smallestBlock);
        auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, size));
        if (memory == nullptr) {
            return core::fail(core::ErrorCode::Limit, fmt::format("cannot allocate {} bytes", size));
        }
        blocks.push_back({.memory = std::unique_ptr<std::byte, Free>(memory), .bytes = size});
        used = 0;
    }
    std::byte* place = blocks.back().memory.get() + used;
    used += need;
    return place;
}

void ScratchMemory::release() {
    if (source != nullptr) {
        source->release();
    }
    if (blocks.size() > 1) {
        // One block of the total size, so that the next use fits at once.
        const std::uint64_t size = taken;
        blocks.clear();
        if (auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, size))) {
            blocks.push_back({.memory = std::unique_ptr<std::byte, Free>(memory), .bytes = size});
        }
    }
    taken = 0;
    used = 0;
}

std::unexpected<core::Error> unsupportedType(core::ScalarType type) {
    return core::fail(core::ErrorCode::Unsupported,
                      fmt::format("this operator does not support {}", core::scalarTypeName(type)));
}

}  // namespace et::kernels
