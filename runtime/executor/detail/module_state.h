#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/limits.h"
#include "runtime/executor/method.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/kv_caches.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::executor::detail {

/// Zeroed, page-aligned memory with `readableBehind` readable bytes after it. Untouched pages use no physical
/// memory. Counts against a budget while it is allocated. Memory of the caller is only aligned to 64 bytes,
/// and counts against no budget.
class Memory {
  public:
    Memory() = default;
    ~Memory();
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Errors: Limit.
    [[nodiscard]] static core::Result<Memory> make(std::uint64_t bytes, MemoryBudget& budget);

    /// Fills memory of the caller, which outlives this, with zeros. Errors: InvalidArgument (too small, not
    /// aligned).
    [[nodiscard]] static core::Result<Memory> over(std::span<std::byte> given, std::uint64_t bytes);

    [[nodiscard]] std::byte* data() const { return start; }
    [[nodiscard]] std::uint64_t bytes() const { return size; }
    /// Returns the pages to the system; later reads return zeros.
    void forget();

  private:
    std::byte* start = nullptr;
    std::uint64_t size = 0;
    MemoryBudget* counted = nullptr;  ///< null: memory of the caller
};

/// Memory of one growing tensor. Earlier blocks stay mapped, because views of the tensor may still point to
/// them; sizes double, so they total at most the size of the largest. Later blocks also stay when an earlier
/// state is restored, because snapshots point to them.
class GrowingBlock final : public core::GrowingMemory {
  public:
    explicit GrowingBlock(MemoryBudget& memoryBudget) : budget(memoryBudget) {}

    [[nodiscard]] core::Result<std::byte*> reserve(std::size_t bytes) override;
    void forget() override;
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::span<const Memory> inUse() const { return std::span(blocks).first(used); }
    /// Restores an earlier number of blocks in use.
    void use(std::size_t count) { used = count; }

  private:
    MemoryBudget& budget;
    std::vector<Memory> blocks;
    std::size_t used = 0;  ///< the last of these has the tensor
};

/// An arena in use, and whether its initial state must still be written.
struct UsedArena {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    bool fresh = true;
};

/// The planned memory of all methods of a module.
class ArenaPool {
  public:
    ArenaPool(MemoryBudget& memoryBudget, PlannedMemory* memorySource)
        : budget(memoryBudget), source(memorySource) {}

    /// Returns memory for arena `id` of a method; a shared arena of another method is reused. Errors: Limit,
    /// those of Memory::over().
    [[nodiscard]] core::Result<UsedArena> take(std::string_view method, std::size_t id, std::uint64_t bytes);
    [[nodiscard]] std::size_t size() const { return arenas.size(); }
    [[nodiscard]] std::span<std::byte> memory(std::size_t index) const {
        return {arenas[index].memory.data(), arenas[index].memory.bytes()};
    }

  private:
    struct Arena {
        std::size_t id = 0;
        Memory memory;
    };

    [[nodiscard]] core::Result<Memory> make(std::string_view method, std::size_t id, std::uint64_t bytes);

    MemoryBudget& budget;
    PlannedMemory* source;  ///< null: none
    std::vector<Arena> arenas;
};

/// State shared by the methods of a module.
struct ModuleState {
    ModuleState(std::shared_ptr<const program::Program> source, const Environment& given)
        : program(std::move(source)),
          environment(given),
          data(*program, given.tensorData),
          budget(given.limits.memoryBytes),
          arenas(budget, given.plannedMemory),
          caches(given.limits.memoryBytes) {}

    std::shared_ptr<const program::Program> program;
    Environment environment;
    ModuleData data;
    MemoryBudget budget;
    ArenaPool arenas;
    kernels::KvCaches caches;
    bool hasCacheSettings = false;  ///< `caches` is configured
    std::map<const Backend*, std::shared_ptr<SharedState>> shared;
    std::unique_ptr<RemoteModule> elsewhere;  ///< null if the module runs in this process, or if no method
                                              ///< is loaded yet
};

}  // namespace et::executor::detail
