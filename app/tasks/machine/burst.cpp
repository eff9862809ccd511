#include "app/tasks/machine/burst.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace et::tasks {
namespace {

constexpr std::uint64_t additionsOfStep = 64;  ///< as in the assembly below
constexpr std::uint64_t steps = 256;

/// Adds registers: some processors execute additions of constants in zero cycles.
[[maybe_unused]] void addOneByOne() {
    std::uint64_t sum = 0;
    [[maybe_unused]] const std::uint64_t one = 1;
    for (std::uint64_t step = 0; step < steps; ++step) {
#if defined(__x86_64__)
        asm volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#elif defined(__aarch64__)
        asm volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#endif
    }
}

/// Current clock of the calling core in cycles per nanosecond (GHz), measured by some microseconds of
/// dependent additions of one cycle each. An interruption lowers the result and nothing raises it, so use the
/// maximum of several calls. 0 if this processor's instructions are not supported here.
double coreClock() {
#if defined(__x86_64__) || defined(__aarch64__)
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    addOneByOne();
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    return took.count() > 0 ? static_cast<double>(additionsOfStep * steps) / took.count() : 0;
#else
    return 0;
#endif
}

constexpr double burstSeconds = 3e-4;
constexpr std::size_t mostPasses = std::size_t{1} << 40;

/// Number of passes per burst.
std::size_t passesOfBurst(const BurstWork& work) {
    std::size_t passes = 1;
    for (; passes < mostPasses; passes *= 2) {
        const double start = steadySeconds();
        work(0, passes);
        if (steadySeconds() - start >= burstSeconds / 2) {
            break;
        }
    }
    return passes;
}

/// Barrier at which threads spin without yielding, so that they start together. A thread that waits long
/// yields, since the thread it waits for may need the core.
class SpinBarrier {
  public:
    explicit SpinBarrier(std::size_t threads) : count(threads) {}
    void wait() {
        const std::size_t round = rounds.load();
        if (arrived.fetch_add(1) + 1 == count) {
            arrived = 0;
            rounds = round + 1;
            return;
        }
        constexpr int patience = 20'000;
        for (int tries = 0; rounds.load(std::memory_order_acquire) == round; ++tries) {
            if (tries > patience) {
                std::this_thread::yield();
            }
        }
    }

  private:
    std::size_t count;
    std::atomic<std::size_t> arrived{0};
    std::atomic<std::size_t> rounds{0};
};

struct Span {
    double start = 0;
    double end = 0;
};

/// Bursts run by several threads together, with the times of all threads.
class JointBursts {
  public:
    JointBursts(const BurstWork& of, std::size_t threads, std::size_t passesOfEach, double seconds)
        : work(of),
          passes(passesOfEach),
          until(steadySeconds() + seconds),
          barrier(threads),
          spans(threads) {}

    Burst run() {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < spans.size(); ++i) {
            others.emplace_back([this, i] { goOn(i); });
        }
        goOn(0);
        return {.secondsOfPass = shortest / static_cast<double>(passes), .clock = clock};
    }

  private:
    void goOn(std::size_t thread) {
        for (;;) {
            barrier.wait();
            spans[thread].start = steadySeconds();
            work(thread, passes);
            spans[thread].end = steadySeconds();
            if (thread == 0) {
                // Read immediately: a core keeps its wide-vector clock only briefly.
                clock = std::max(clock, coreClock());
            }
            barrier.wait();
            if (thread == 0) {
                const double from = std::ranges::min(spans, {}, &Span::start).start;
                const double to = std::ranges::max(spans, {}, &Span::end).end;
                shortest = std::min(shortest, to - from);
                over = steadySeconds() >= until;
            }
            barrier.wait();
            if (over) {
                return;
            }
        }
    }

    const BurstWork& work;
    std::size_t passes;
    double until;
    SpinBarrier barrier;
    std::vector<Span> spans;
    double shortest = std::numeric_limits<double>::infinity();
    double clock = 0;
    std::atomic<bool> over{false};
};

}  // namespace

void NoiseMeter::takeTries() {
    constexpr double tryTime = 5e-4;
    constexpr std::size_t tries = 20;
    if (passes == 0) {
        passes = 1;
        for (double took = 0; took < tryTime; passes *= 2) {
            const double start = steadySeconds();
            work(0, passes);
            took = steadySeconds() - start;
        }
        passes /= 2;
    }
    for (std::size_t i = 0; i < tries; ++i) {
        const double start = steadySeconds();
        work(0, passes);
        seconds.push_back(steadySeconds() - start);
    }
}

double NoiseMeter::noise() const {
    if (seconds.empty()) {
        return 0;
    }
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() - 1 - sorted.size() / 10] / sorted.front() - 1;
}

double steadySeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Burst fastestBurst(const BurstWork& work, std::size_t threads, double seconds) {
    return JointBursts(work, threads, passesOfBurst(work), seconds).run();
}

}  // namespace et::tasks
