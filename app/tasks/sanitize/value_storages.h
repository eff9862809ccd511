#pragma once

#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/sanitize/poison.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/program/method.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace et::tasks {

/// The regions of a storage, one per world; a constant may have a single one for both.
class StorageMemory {
  public:
    StorageMemory(GuardedHeap& from, std::array<GuardedRegion*, worldCount> made)
        : heap(from), regions(made) {}
    ~StorageMemory();
    StorageMemory(const StorageMemory&) = delete;
    StorageMemory& operator=(const StorageMemory&) = delete;

    /// The second world is `isShared` with the first: for contents that never change. Errors: Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<StorageMemory>> make(GuardedHeap& heap,
                                                                           std::size_t bytes, bool isShared);

    [[nodiscard]] GuardedRegion& in(std::size_t world) const { return *regions[world]; }

  private:
    GuardedHeap& heap;
    std::array<GuardedRegion*, worldCount> regions;
};

/// Values that share memory.
struct ValueStorage {
    enum class Role : std::uint8_t { Other, Input, Constant, State };

    /// The instruction that overwrote the memory in the plan, and the value that it wrote.
    struct Overwriting {
        std::size_t storage = 0;
        std::int32_t chain = 0;
        std::int32_t instruction = -1;
    };

    std::shared_ptr<StorageMemory> memory;
    Role role = Role::Other;
    program::ValueId value;  ///< one of them
    core::ScalarType dtype = core::ScalarType::Byte;
    std::size_t bytes = 0;
    std::optional<program::Allocation> place{};
    bool isDefinedFromStart = false;
    bool isModified = false;                 ///< an instruction writes it
    bool isWritten = false;                  ///< in this execution, or defined from the start
    bool isUndefined = false;                ///< an operator declared the contents undefined
    std::array<bool, worldCount> hasPads{};  ///< the pages around the memory are filled
    std::optional<Overwriting> overwritten{};
    std::optional<MemoryFinding> unwritten{};  ///< to report if the value is used
};

/// Storages kept for the methods of a module that share an arena.
using SharedStorages = std::map<std::array<std::uint64_t, 4>, std::weak_ptr<StorageMemory>>;

/// The storages of a method.
class ValueStorages {
  public:
    /// Moves the memory of all tensors, except growing ones, to regions. Errors: Limit.
    [[nodiscard]] static core::Result<ValueStorages> make(GuardedHeap& heap, SharedStorages& shared,
                                                          const program::Method& method,
                                                          std::span<core::Value> values);

    [[nodiscard]] std::span<ValueStorage> all() { return storages; }
    /// Index of the storage that contains an address, or to which a region belongs.
    [[nodiscard]] std::optional<std::size_t> at(const void* address) const;
    [[nodiscard]] std::optional<std::size_t> of(const GuardedRegion* region) const;
    /// The same address in another world.
    [[nodiscard]] std::byte* inWorld(std::byte* address, std::size_t world) const;
    /// Fills the storage with poison, and the pages around it.
    void poison(ValueStorage& storage, std::size_t world);
    void fillPads(ValueStorage& storage, std::size_t world);
    /// Allows access to the values of the first world, or of all worlds.
    void open(bool isAll);
    /// Allows access to the inputs; only to read them if no instruction writes them.
    void openInputs(bool isAll);
    /// Copies states from the first world to the others.
    void copyStates();
    /// Releases the physical memory of an unused storage.
    void discard(ValueStorage& storage);
    [[nodiscard]] const inspector::MemoryTimeline& timeline() const { return plan; }

  private:
    ValueStorages() = default;
    friend class StorageMaker;

    GuardedHeap* heap = nullptr;
    inspector::MemoryTimeline plan;
    std::vector<ValueStorage> storages;
    std::unordered_map<const GuardedRegion*, std::size_t> byRegion;
};

}  // namespace et::tasks
