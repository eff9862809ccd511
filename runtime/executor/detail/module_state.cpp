#include "runtime/executor/detail/module_state.h"

#include "runtime/executor/backend.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace et::executor::detail {
namespace {

/// The exporter puts state that methods share in arenas that no other method plans: those after the default
/// arena 1.
constexpr std::size_t firstSharedArena = 2;

}  // namespace

Memory::~Memory() {
    if (start != nullptr && counted != nullptr) {
        ::munmap(start, size + readableBehind);
        counted->give(size);
    }
}

Memory::Memory(Memory&& other) noexcept
    : start(std::exchange(other.start, nullptr)), size(other.size), counted(other.counted) {
}

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(start, other.start);
    std::swap(size, other.size);
    std::swap(counted, other.counted);
    return *this;
}

core::Result<Memory> Memory::make(std::uint64_t bytes, MemoryBudget& budget) {
    Memory memory;
    if (bytes == 0) {
        return memory;
    }
    ET_TRY(budget.take(bytes));
    void* mapped = ::mmap(nullptr, bytes + readableBehind, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        budget.give(bytes);
        return core::fail(core::ErrorCode::Limit, fmt::format("cannot allocate {} bytes", bytes));
    }
    memory.start = static_cast<std::byte*>(mapped);
    memory.size = bytes;
    memory.counted = &budget;
    return memory;
}

core::Result<Memory> Memory::over(std::span<std::byte> given, std::uint64_t bytes) {
    constexpr std::uintptr_t alignment = 64;
    if (given.size() < bytes || given.size() - bytes < readableBehind) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected memory of {} bytes and {} readable bytes after it, got {}",
                                      bytes, readableBehind, given.size()));
    }
    if (reinterpret_cast<std::uintptr_t>(given.data()) % alignment != 0) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected memory aligned to {} bytes", alignment));
    }
    std::ranges::fill(given.first(bytes), std::byte{});
    Memory memory;
    memory.start = given.data();
    memory.size = bytes;
    return memory;
}

void Memory::forget() {
    if (start != nullptr && counted != nullptr) {
        ::madvise(start, size, MADV_DONTNEED);
    }
}

core::Result<std::byte*> GrowingBlock::reserve(std::size_t bytes) {
    while (used == 0 || blocks[used - 1].bytes() < bytes) {
        if (used == blocks.size()) {
            const std::uint64_t before = used == 0 ? 0 : blocks.back().bytes();
            ET_ASSIGN(Memory memory, Memory::make(std::max<std::uint64_t>(bytes, 2 * before), budget));
            blocks.push_back(std::move(memory));
        }
        ++used;
    }
    return blocks[used - 1].data();
}

void GrowingBlock::forget() {
    for (Memory& block : blocks) {
        block.forget();
    }
}

std::uint64_t GrowingBlock::bytes() const {
    std::uint64_t total = 0;
    for (const Memory& block : blocks) {
        total += block.bytes();
    }
    return total;
}

core::Result<Memory> ArenaPool::make(std::string_view method, std::size_t id, std::uint64_t bytes) {
    const std::span<std::byte> given =
        source == nullptr || bytes == 0 ? std::span<std::byte>() : source->take(method, id, bytes);
    if (given.empty()) {
        return Memory::make(bytes, budget);
    }
    return Memory::over(given, bytes).transform_error([&](core::Error error) {
        error.where.field = fmt::format("{}: arena {}", core::printable(method), id);
        return error;
    });
}

core::Result<UsedArena> ArenaPool::take(std::string_view method, std::size_t id, std::uint64_t bytes) {
    if (id >= firstSharedArena) {
        for (const Arena& arena : arenas) {
            if (arena.id == id && arena.memory.bytes() == bytes) {
                return UsedArena{.data = arena.memory.data(), .bytes = bytes, .fresh = false};
            }
        }
    }
    ET_ASSIGN(Memory memory, make(method, id, bytes));
    arenas.push_back({.id = id, .memory = std::move(memory)});
    return UsedArena{.data = arenas.back().memory.data(), .bytes = bytes};
}

}  // namespace et::executor::detail
