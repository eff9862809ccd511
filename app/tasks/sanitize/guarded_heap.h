#pragma once

#include "runtime/core/result.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace et::tasks {

/// Memory of a value or of temporary data between pages that cannot be accessed.
struct GuardedRegion {
    enum class Access : std::uint8_t { None, Read, Write };
    /// Which end touches an inaccessible page.
    enum class Flush : std::uint8_t { Start, End };

    std::byte* reserved = nullptr;  ///< includes the guards on both sides
    std::size_t reservedBytes = 0;
    std::byte* pages = nullptr;  ///< the accessible pages
    std::size_t pageBytes = 0;
    std::byte* begin = nullptr;  ///< the memory itself
    std::size_t bytes = 0;
    Access access = Access::None;
    bool staysOpen = false;     ///< openOnly() does not close it
    bool isTouched = false;     ///< its pages may use physical memory
    std::size_t openIndex = 0;  ///< in the list of accessible regions
    std::uint32_t owner = 0;    ///< index chosen by the user of the heap
    std::uint8_t world = 0;     ///< likewise

    [[nodiscard]] std::span<std::byte> memory() const { return {begin, bytes}; }
    /// Bytes of the pages before and after the memory.
    [[nodiscard]] std::span<std::byte> before() const { return {pages, begin}; }
    [[nodiscard]] std::span<std::byte> after() const { return {begin + bytes, pages + pageBytes}; }
    [[nodiscard]] bool contains(const void* address) const {
        const auto* const place = static_cast<const std::byte*>(address);
        return place >= reserved && place < reserved + reservedBytes;
    }
    [[nodiscard]] bool hasPage(const void* address) const {
        const auto* const place = static_cast<const std::byte*>(address);
        return place >= pages && place < pages + pageBytes;
    }
};

/// An access that the protection of a region prevented.
struct MemoryFault {
    static constexpr std::size_t maxFrames = 16;

    const std::byte* address = nullptr;
    bool isWrite = false;
    std::uint32_t accessBytes = 0;  ///< 0: unknown
    int signal = 0;
    const GuardedRegion* region = nullptr;  ///< null: not in a region, which ended the call
    std::array<void*, maxFrames> frames{};  ///< the instruction that accessed, then its callers
    std::size_t frameCount = 0;
};

/// Allocates regions and controls the access to them. While a call is checked, a forbidden access is recorded
/// and then allowed, so that the call continues; at other times it is allowed without a record.
class GuardedHeap {
  public:
    /// Installs the signal handler of the process.
    GuardedHeap();
    ~GuardedHeap();
    GuardedHeap(const GuardedHeap&) = delete;
    GuardedHeap& operator=(const GuardedHeap&) = delete;

    /// New memory, inaccessible at first; its start is aligned to `alignment` bytes. Errors: Limit.
    [[nodiscard]] core::Result<GuardedRegion*> make(std::size_t bytes, GuardedRegion::Flush flush,
                                                    std::size_t alignment);
    /// The memory is released when the next region is made, because a heap is often destroyed next.
    void remove(GuardedRegion* region);
    /// The region of an address, or of the guard next to it; null: none.
    [[nodiscard]] GuardedRegion* find(const void* address);

    void setAccess(GuardedRegion& region, GuardedRegion::Access access);
    /// Allows access to exactly these regions of all regions in use.
    void openOnly(std::span<GuardedRegion* const> readable, std::span<GuardedRegion* const> writable);
    /// Releases the pages of a region; later reads return zeros.
    void discard(GuardedRegion& region);
    /// Bytes of pages that may use physical memory.
    [[nodiscard]] std::uint64_t touchedBytes() const { return touched; }

    /// Starts recording on this thread and those that it uses.
    void beginCall();
    /// Ends recording, and restores contents and protection that recorded accesses changed. The result is
    /// valid until the next call.
    [[nodiscard]] std::span<const MemoryFault> endCall();

    /// Called by the signal handler; false: not an access to a region.
    bool handle(const MemoryFault& fault);
    [[nodiscard]] bool isRecording() const { return recording.load(std::memory_order_acquire); }
    /// Records a fault that ends the call.
    void note(const MemoryFault& fault);

  private:
    static constexpr std::size_t maxFaults = 64;
    static constexpr std::size_t maxPages = 256;
    static constexpr std::size_t maxSaved = 64;

    struct OpenPage {
        std::byte* page = nullptr;
        GuardedRegion* region = nullptr;
        std::int32_t saved = -1;  ///< index of the saved contents; -1: none
    };

    /// Reserved addresses that are divided into regions.
    struct Chunk {
        std::byte* start = nullptr;
        std::size_t bytes = 0;
        std::size_t used = 0;
    };

    /// Addresses for a region. Errors: Limit.
    [[nodiscard]] core::Result<std::byte*> reserve(std::size_t bytes);
    /// Makes the addresses of removed regions available.
    void closeRemoved();
    void restore(const OpenPage& open);

    std::vector<Chunk> chunks;
    std::vector<GuardedRegion*> removed;
    std::multimap<std::size_t, std::byte*> unused;                 ///< of removed regions, by size
    std::map<std::byte*, std::unique_ptr<GuardedRegion>> regions;  ///< by GuardedRegion::reserved
    std::vector<GuardedRegion*> open;                              ///< regions that are accessible
    std::uint64_t touched = 0;
    std::atomic<bool> recording = false;
    std::atomic_flag busy{};
    std::array<MemoryFault, maxFaults> faults{};
    std::size_t faultCount = 0;
    std::array<OpenPage, maxPages> openPages{};
    std::size_t openPageCount = 0;
    std::byte* saved = nullptr;  ///< contents of pages before forbidden writes
    std::size_t savedCount = 0;
};

}  // namespace et::tasks
