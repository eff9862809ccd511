#include "app/tasks/compare/model_process.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <thread>

namespace et::tasks {
namespace {

int usableProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

TEST(Placement, DrawsProcessorsOnlyWhereSomeAreLeft) {
    std::mt19937_64 random(1);
    const auto all = static_cast<std::size_t>(usableProcessors());
    EXPECT_TRUE(drawProcessors(random, all).empty());
    EXPECT_TRUE(drawProcessors(random, 0).empty()) << "0 threads are one for each";
    if (all > 1) {
        std::set<int> seen;
        for (int i = 0; i < 100; ++i) {
            const auto drawn = drawProcessors(random, 1);
            ASSERT_EQ(drawn.size(), 1U);
            seen.insert(drawn.front());
        }
        EXPECT_EQ(seen.size(), all);
    }
}

TEST(Placement, IsWhereTheBodyRuns) {
    std::mt19937_64 random(2);
    std::set<std::uintptr_t> stacks;
    for (int i = 0; i < 20; ++i) {
        doPlaced(drawPlacement(random, {}), [&] {
            const volatile int here = 0;
            stacks.insert(reinterpret_cast<std::uintptr_t>(&here));
        });
    }
    EXPECT_GT(stacks.size(), 10U);
    if (usableProcessors() > 1) {
        std::thread([&] {
            const auto processors = drawProcessors(random, 1);
            doPlaced({.processors = processors}, [&] { EXPECT_EQ(::sched_getcpu(), processors.front()); });
        }).join();
    }
}

TEST(OtherLoad, ExcludesTheLoadOfThisProcess) {
    const SchedulerCounters before = schedulerCounters();
    LoadWatch watch;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
    const SchedulerCounters spent = schedulerCounters() - before;
    if (before.ran == 0 && spent.ran == 0) {
        GTEST_SKIP() << "the system does not tell";
    }
    EXPECT_GT(spent.ran, 1'000'000U);
    watch.add({spent, {.ran = spent.ran, .waited = 2 * spent.ran + 2 * spent.waited}});
    EXPECT_GT(watch.load().waiting, 0.4);
    EXPECT_TRUE(watch.load().isMuch());
    EXPECT_EQ((before - schedulerCounters()).ran, 0U) << "never below 0";
}

}  // namespace
}  // namespace et::tasks
