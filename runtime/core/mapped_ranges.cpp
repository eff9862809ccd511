#include "runtime/core/mapped_ranges.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace et::core {
namespace {

/// Read by a signal handler, hence without locks and allocations.
struct Range {
    std::atomic<std::uintptr_t> start = 0;  ///< 0: free
    std::atomic<std::size_t> size = 0;      ///< 0 while being filled in
    std::atomic<const char*> name = nullptr;
    std::atomic<bool> isCutOff = false;
};
constinit std::array<Range, 4096> ranges{};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

constinit std::atomic<std::uintptr_t> pageBytes = 0;
struct sigaction before{};
constinit std::atomic<void (*)()> whenCutOff = nullptr;

/// Name of the first truncated file, kept for the life of the process.
constinit std::array<char, 4096> firstName{};
constinit std::atomic<bool> isFirstTaken = false;
constinit std::atomic<bool> isFirstKnown = false;

Range* rangeOf(std::uintptr_t address) {
    for (Range& range : ranges) {
        const std::uintptr_t start = range.start.load(std::memory_order_acquire);
        if (start != 0 && address >= start && address - start < range.size.load(std::memory_order_acquire)) {
            return &range;
        }
    }
    return nullptr;
}

void remember(Range& range) {
    range.isCutOff.store(true, std::memory_order_release);
    if (auto* const call = whenCutOff.load(std::memory_order_acquire); call != nullptr) {
        call();
    }
    const char* const name = range.name.load(std::memory_order_acquire);
    if (name == nullptr || isFirstTaken.exchange(true)) {
        return;
    }
    for (std::size_t i = 0; i + 1 < firstName.size() && name[i] != '\0'; ++i) {
        firstName[i] = name[i];
    }
    isFirstKnown.store(true, std::memory_order_release);
}

/// Maps a page of zeros over a page missing in the file. Bytes after the end of a file in its last page are
/// zero anyway, so whole pages are sufficient.
bool replacePage(std::uintptr_t address) {
    const std::uintptr_t page = address - address % pageBytes.load(std::memory_order_relaxed);
    return ::mmap(reinterpret_cast<void*>(page), pageBytes.load(std::memory_order_relaxed), PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void onBusError(int signal, siginfo_t* info, void*) {
    const int kept = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const bool isFault = info->si_code == BUS_ADRERR;
    Range* const range = isFault ? rangeOf(address) : nullptr;
    if (range == nullptr || !replacePage(address)) {
        // The signal recurs, either at once or, if it was sent by a process, when the handler returns.
        ::sigaction(signal, &before, nullptr);
        if (!isFault) {
            ::raise(signal);
        }
    } else {
        remember(*range);
    }
    errno = kept;
}

}  // namespace

bool guardMappedFiles(void (*onCutOff)()) {
    if (onCutOff != nullptr) {
        whenCutOff = onCutOff;
    }
    static const bool isGuarded = [] {
        pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action{};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        ::sigemptyset(&action.sa_mask);
        return ::sigaction(SIGBUS, &action, &before) == 0;
    }();
    return isGuarded;
}

std::optional<std::string> firstCutOffFile() {
    return isFirstKnown.load(std::memory_order_acquire) ? std::optional<std::string>(firstName.data())
                                                        : std::nullopt;
}

Error cutOffWhileRead(const std::string& file) {
    return {.code = ErrorCode::Io,
            .message = "was truncated by another process while being read",
            .where = {.file = file, .field = {}, .offset = {}}};
}

bool isCutOffFileOpen() {
    return std::ranges::any_of(ranges, [](const Range& range) {
        return range.isCutOff.load(std::memory_order_acquire) &&
               range.start.load(std::memory_order_acquire) != 0;
    });
}

void addMappedRange(const void* start, std::size_t size, const char* name) {
    for (Range& range : ranges) {
        std::uintptr_t free = 0;
        if (range.start.compare_exchange_strong(free, reinterpret_cast<std::uintptr_t>(start),
                                                std::memory_order_acq_rel)) {
            range.isCutOff.store(false, std::memory_order_relaxed);
            range.name.store(name, std::memory_order_release);
            range.size.store(size, std::memory_order_release);
            return;
        }
    }
}

void removeMappedRange(const void* start) {
    for (Range& range : ranges) {
        if (range.start.load(std::memory_order_acquire) == reinterpret_cast<std::uintptr_t>(start)) {
            range.size.store(0, std::memory_order_release);
            range.name.store(nullptr, std::memory_order_release);
            range.start.store(0, std::memory_order_release);
            return;
        }
    }
}

void releaseMappedPages(std::span<const std::byte> bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
    const Range* const range = bytes.empty() ? nullptr : rangeOf(first);
    if (range == nullptr || range->isCutOff.load(std::memory_order_acquire)) {
        return;
    }
    const std::size_t behind =
        range->start.load(std::memory_order_acquire) + range->size.load(std::memory_order_acquire) - first;
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = (first + page - 1) / page * page;
    const std::uintptr_t end = (first + std::min(bytes.size(), behind)) / page * page;
    if (begin < end) {
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
}

}  // namespace et::core
