#include "app/tasks/sanitize/fault_signals.h"

#include "app/tasks/sanitize/access_size.h"
#include "app/tasks/sanitize/guarded_heap.h"

#include <execinfo.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace et::tasks {
namespace {

/// Not SIGBUS, which core::guardMappedFiles() handles.
constexpr std::array faultSignals{SIGSEGV, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t maxHeaps = 16;

std::array<std::atomic<GuardedHeap*>, maxHeaps> heaps;
std::atomic<std::size_t> heapCount = 0;
std::array<struct sigaction, faultSignals.size()> previous;
std::atomic<sigjmp_buf*> crashPlace = nullptr;
pthread_t crashThread;
std::atomic<bool> hasCrashed = false;

/// The faulting instruction, and whether it wrote.
struct FaultingInstruction {
    void* address = nullptr;
    bool isWrite = false;
};

#if defined(__x86_64__)
FaultingInstruction instructionOf(const ucontext_t& context) {
    constexpr greg_t writeBit = 2;
    return {.address = std::bit_cast<void*>(context.uc_mcontext.gregs[REG_RIP]),
            .isWrite = (context.uc_mcontext.gregs[REG_ERR] & writeBit) != 0};
}
#elif defined(__aarch64__)
FaultingInstruction instructionOf(const ucontext_t& context) {
    constexpr std::uint32_t esrMagic = 0x45535201;
    constexpr std::uint64_t writeBit = 1U << 6U;
    FaultingInstruction out{.address = std::bit_cast<void*>(context.uc_mcontext.pc)};
    const auto* record = reinterpret_cast<const std::byte*>(context.uc_mcontext.__reserved);
    const std::byte* const end = record + sizeof(context.uc_mcontext.__reserved);
    while (record + 16 <= end) {
        std::array<std::uint32_t, 2> head{};
        std::memcpy(head.data(), record, sizeof(head));
        if (head[0] == esrMagic) {
            std::uint64_t esr = 0;
            std::memcpy(&esr, record + sizeof(head), sizeof(esr));
            out.isWrite = (esr & writeBit) != 0;
        }
        if (head[0] == 0 || head[1] == 0) {
            break;
        }
        record += head[1];
    }
    return out;
}
#else
FaultingInstruction instructionOf(const ucontext_t&) {
    return {};
}
#endif

/// Stores the callers of the instruction, without the frames of the signal handler.
void storeFrames(MemoryFault& fault, void* instruction) {
    std::array<void*, MemoryFault::maxFrames + 8> all{};
    const int count = ::backtrace(all.data(), static_cast<int>(all.size()));
    const auto frames = std::span(all).first(static_cast<std::size_t>(std::max(count, 0)));
    const auto start = std::ranges::find(frames, instruction);
    fault.frames[fault.frameCount++] = instruction;
    for (auto each = start == frames.end() ? start : start + 1;
         each != frames.end() && fault.frameCount < MemoryFault::maxFrames; ++each) {
        fault.frames[fault.frameCount++] = *each;
    }
}

/// Restores the previous handling, so that the repeated instruction has its usual effect.
void usePrevious(int signal) {
    const auto found = std::ranges::find(faultSignals, signal);
    ::sigaction(signal, &previous[static_cast<std::size_t>(found - faultSignals.begin())], nullptr);
}

/// Ends the checked call, from whichever of its threads crashed.
void leaveCall(int signal) {
    sigjmp_buf* const place = crashPlace.load();
    if (place == nullptr) {
        usePrevious(signal);
        return;
    }
    hasCrashed = true;
    if (::pthread_equal(::pthread_self(), crashThread) != 0) {
        crashPlace = nullptr;
        ::siglongjmp(*place, 1);
    }
    ::pthread_kill(crashThread, SIGSEGV);
    for (;;) {
        ::pause();
    }
}

void onFault(int signal, siginfo_t* info, void* contextPlace) {
    const int error = errno;
    if (hasCrashed) {
        leaveCall(signal);
        return;
    }
    const FaultingInstruction at = instructionOf(*static_cast<const ucontext_t*>(contextPlace));
    MemoryFault fault{.isWrite = at.isWrite, .signal = signal};
    if (signal == SIGSEGV) {
        fault.address = static_cast<const std::byte*>(info->si_addr);
    }
    GuardedHeap* recording = nullptr;
    for (std::size_t i = 0; i < heapCount; ++i) {
        GuardedHeap* const heap = heaps[i].load();
        recording = heap != nullptr && heap->isRecording() ? heap : recording;
    }
    if (recording != nullptr) {
        fault.accessBytes = signal == SIGSEGV ? accessSize(static_cast<const std::byte*>(at.address)) : 0;
        storeFrames(fault, at.address);
    }
    for (std::size_t i = 0; i < heapCount && signal == SIGSEGV; ++i) {
        GuardedHeap* const heap = heaps[i].load();
        if (heap != nullptr && heap->handle(fault)) {
            errno = error;
            return;
        }
    }
    if (recording != nullptr) {
        recording->note(fault);
        leaveCall(signal);
        return;
    }
    usePrevious(signal);
}

}  // namespace

void addFaultHeap(GuardedHeap& heap) {
    std::size_t at = 0;
    while (at < heapCount && heaps[at].load() != nullptr) {
        ++at;
    }
    if (at == maxHeaps) {
        return;
    }
    heaps[at] = &heap;
    if (at < heapCount) {
        return;
    }
    heapCount = at + 1;
    if (at > 0) {
        return;
    }
    std::array<void*, 1> loaded{};
    ::backtrace(loaded.data(), 1);  // loads the unwinder outside of the handler
    for (std::size_t i = 0; i < faultSignals.size(); ++i) {
        struct sigaction action{};
        action.sa_sigaction = &onFault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        ::sigaction(faultSignals[i], &action, &previous[i]);
    }
}

void removeFaultHeap(GuardedHeap& heap) {
    bool isUsed = false;
    for (std::size_t i = 0; i < heapCount; ++i) {
        GuardedHeap* expected = &heap;
        heaps[i].compare_exchange_strong(expected, nullptr);
        isUsed = isUsed || heaps[i].load() != nullptr;
    }
    if (!isUsed && heapCount > 0) {
        heapCount = 0;
        for (std::size_t i = 0; i < faultSignals.size(); ++i) {
            ::sigaction(faultSignals[i], &previous[i], nullptr);
        }
    }
}

CrashExit::CrashExit(sigjmp_buf& place) {
    crashThread = ::pthread_self();
    crashPlace = &place;
}

CrashExit::~CrashExit() {
    crashPlace = nullptr;
    hasCrashed = false;
}

}  // namespace et::tasks
