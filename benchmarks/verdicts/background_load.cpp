#include "benchmarks/verdicts/background_load.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

namespace et::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void workAndSleep(std::uint64_t seed) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    constexpr std::size_t bytes = std::size_t{16} << 20U;
    constexpr int least = 5;
    constexpr int most = 300;
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> milliseconds(least, most);
    std::vector<char> memory(bytes);
    for (;;) {
        const auto end = Clock::now() + std::chrono::milliseconds(milliseconds(random));
        const bool writes = (random() & 1U) != 0;
        volatile std::uint64_t count = 0;
        while (Clock::now() < end) {
            if (writes) {
                count = count + 1;
                std::ranges::fill(memory, static_cast<char>(count));
            } else {
                constexpr std::uint64_t step = 100'000;
                for (std::uint64_t i = 0; i < step; ++i) {
                    count = count + i;
                }
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(random)));
    }
}

}  // namespace

BackgroundLoad::BackgroundLoad(std::size_t count, std::uint64_t seed) {
    for (std::size_t i = 0; i < count; ++i) {
        if (auto process = core::ChildProcess::fork([&] { workAndSleep(seed + i); })) {
            processes.push_back(*std::move(process));
        }
    }
}

}  // namespace et::bench
