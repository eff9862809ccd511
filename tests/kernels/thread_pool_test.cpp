#include "runtime/kernels/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace et::kernels {
namespace {

constexpr std::size_t rounds = 200;

/// How often each of `items` is visited. Not atomic: a thread sanitizer reports two threads that visit one.
std::vector<int> visits(const ThreadPool& threads, std::size_t items, std::size_t grain) {
    std::vector<int> counts(items);
    threads.parallelFor(items, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ++counts[i];
        }
    });
    return counts;
}

class ThreadPoolSizeTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ThreadPoolSizeTest, VisitsEachItemOnce) {
    const ThreadPool threads(GetParam());
    for (const std::size_t items : {0UZ, 1UZ, 2UZ, 7UZ, 64UZ, 1000UZ}) {
        for (const std::size_t grain : {0UZ, 1UZ, 3UZ, 2000UZ}) {
            const std::vector<int> counts = visits(threads, items, grain);
            EXPECT_EQ(std::ranges::count(counts, 1), std::ssize(counts))
                << items << " items, grain " << grain;
        }
    }
}

TEST_P(ThreadPoolSizeTest, PassesResultsFromOneRunToTheNext) {
    const ThreadPool threads(GetParam());
    std::vector<std::size_t> values(257);
    for (std::size_t round = 0; round < rounds; ++round) {
        // Each run reads elements that other threads wrote in the run before.
        const std::vector<std::size_t> before = values;
        threads.parallelFor(values.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                values[i] = before[values.size() - 1 - i] + 1;
            }
        });
    }
    EXPECT_EQ(std::ranges::count(values, rounds), std::ssize(values));
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolSizeTest, testing::Values(1UZ, 2UZ, 5UZ));

TEST(ThreadPoolTest, PiecesHaveAtLeastTheGrain) {
    const ThreadPool threads(3);
    std::atomic<std::size_t> smallest = 1000;
    threads.parallelFor(1000, 100, [&](std::size_t begin, std::size_t end) {
        std::size_t known = smallest;
        while (end - begin < known && !smallest.compare_exchange_weak(known, end - begin)) {
        }
    });
    EXPECT_GE(smallest, 100U);
}

TEST(ThreadPoolTest, TwoPoolsRunAtTheSameTime) {
    std::vector<int> first;
    std::vector<int> second;
    {
        const std::jthread other([&] { first = visits(ThreadPool(2), 1000, 1); });
        second = visits(ThreadPool(2), 1000, 1);
    }
    EXPECT_EQ(first, std::vector<int>(1000, 1));
    EXPECT_EQ(second, first);
}

}  // namespace
}  // namespace et::kernels
