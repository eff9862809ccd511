#include "runtime/core/mapped_ranges.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace et::core {
namespace {

/// A signal handler reads these, so there are no locks and no memory of theirs.
struct Range {
    std::atomic<std::uintptr_t> start = 0;  ///< 0: free
    std::atomic<std::size_t> size = 0;      ///< 0 while it is filled in
};
constinit std::array<Range, 4096> ranges{};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

constinit std::atomic<std::uintptr_t> pageBytes = 0;
struct sigaction before{};

bool isMapped(std::uintptr_t address) {
    for (const Range& range : ranges) {
        const std::uintptr_t start = range.start.load(std::memory_order_acquire);
        if (start != 0 && address >= start && address - start < range.size.load(std::memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

/// Puts a page of zeros where the file has none. Behind a file's last byte its last page is zeros anyway, so
/// that whole pages are enough.
bool replacePage(std::uintptr_t address) {
    const std::uintptr_t page = address - address % pageBytes.load(std::memory_order_relaxed);
    return ::mmap(reinterpret_cast<void*>(page), pageBytes.load(std::memory_order_relaxed), PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void onBusError(int signal, siginfo_t* info, void*) {
    const int kept = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const bool isFault = info->si_code == BUS_ADRERR;
    if (!isFault || !isMapped(address) || !replacePage(address)) {
        // It comes again, at once or, where somebody sent it, when this returns.
        ::sigaction(signal, &before, nullptr);
        if (!isFault) {
            ::raise(signal);
        }
    }
    errno = kept;
}

}  // namespace

bool guardMappedFiles() {
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

void addMappedRange(const void* start, std::size_t size) {
    for (Range& range : ranges) {
        std::uintptr_t free = 0;
        if (range.start.compare_exchange_strong(free, reinterpret_cast<std::uintptr_t>(start),
                                                std::memory_order_acq_rel)) {
            range.size.store(size, std::memory_order_release);
            return;
        }
    }
}

void removeMappedRange(const void* start) {
    for (Range& range : ranges) {
        if (range.start.load(std::memory_order_acquire) == reinterpret_cast<std::uintptr_t>(start)) {
            range.size.store(0, std::memory_order_release);
            range.start.store(0, std::memory_order_release);
            return;
        }
    }
}

}  // namespace et::core
