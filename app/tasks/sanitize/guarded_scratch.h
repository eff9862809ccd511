#pragma once

#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/poison.h"
#include "runtime/core/result.h"
#include "runtime/kernels/kernel_context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace et::tasks {

/// Temporary memory of kernels in regions, which are inaccessible after the call.
class GuardedScratch final : public kernels::ScratchSource {
  public:
    explicit GuardedScratch(GuardedHeap& from) : heap(from) {}
    ~GuardedScratch() override;
    GuardedScratch(const GuardedScratch&) = delete;
    GuardedScratch& operator=(const GuardedScratch&) = delete;

    /// Bytes that a call wrote next to its temporary memory.
    struct Overrun {
        const GuardedRegion* region = nullptr;
        std::int64_t offset = 0;  ///< of the first one
        std::uint64_t bytes = 0;
    };

    /// Sets the call whose memory is taken next, and the contents of that memory.
    void enter(std::size_t instruction, std::size_t world, std::byte poison);
    /// The same in the first world, for memory of any contents that stays accessible after the call.
    void enterOpen(std::size_t instruction);
    /// Whether memory stays accessible after the call.
    void keepOpen(bool isKept) { staysOpen = isKept; }

    [[nodiscard]] core::Result<std::byte*> take(std::uint64_t bytes) override;
    void release() override;

    /// Whether the region is temporary memory, and of the current call.
    [[nodiscard]] bool has(const GuardedRegion* region) const;
    [[nodiscard]] bool isCurrent(const GuardedRegion* region) const;
    /// Whether the current call has taken memory.
    [[nodiscard]] bool isUsed() const { return taken > 0; }
    [[nodiscard]] std::span<const Overrun> overruns() const { return found; }

  private:
    using Key =
        std::tuple<std::size_t, std::size_t, std::size_t>;  ///< instruction, world, number in the call

    void check(const GuardedRegion& region);

    GuardedHeap& heap;
    std::map<Key, GuardedRegion*> regions;
    std::vector<GuardedRegion*> current;
    std::vector<Overrun> found;
    std::size_t instruction = 0;
    std::size_t world = 0;
    std::optional<std::byte> poison{};  ///< empty: any contents
    bool staysOpen = false;
    std::size_t taken = 0;
    std::uint64_t kept = 0;  ///< bytes of physical memory
};

}  // namespace et::tasks
