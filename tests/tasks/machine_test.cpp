// Tests how the machine is measured and that the loops do all of their work, but not their speed.
#include "app/tasks/machine/burst.h"
#include "app/tasks/machine/machine_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace et::test {
namespace {

using tasks::RepeatedRate;

TEST(RepeatedRateTest, IsTheSecondBestRate) {
    RepeatedRate rate;
    EXPECT_EQ(rate.rate(), 0);
    rate.add(100, 3.0);
    EXPECT_EQ(rate.rate(), 100);
    EXPECT_EQ(rate.clock(), 3.0);
    EXPECT_EQ(rate.spread(), 1) << "one turn says nothing of its repetition";
    rate.add(50, 2.0);
    EXPECT_EQ(rate.rate(), 50);
    EXPECT_EQ(rate.spread(), 0.5);
    rate.add(98, 3.1);
    EXPECT_EQ(rate.rate(), 98);
    EXPECT_EQ(rate.clock(), 3.1);
    EXPECT_NEAR(rate.spread(), 0.02, 1e-12);
    rate.add(100, 3.2);
    EXPECT_EQ(rate.rate(), 100);
    EXPECT_EQ(rate.spread(), 0);
}

TEST(RepeatedRateTest, NeitherAnUpswingNorInterruptionsCount) {
    // Nine of ten repetitions are interrupted, and one is faster than can be reproduced.
    for (std::size_t upswing = 0; upswing < 30; ++upswing) {
        RepeatedRate rate;
        for (std::size_t turn = 0; turn < 30; ++turn) {
            const double usual = turn % 10 == 7 ? 200 : 60 + static_cast<double>(turn);
            rate.add(turn == upswing ? 230 : usual, 0);
        }
        EXPECT_EQ(rate.rate(), 200) << upswing;
    }
}

std::vector<tasks::machine::detail::KernelList> kernelsWithStreams() {
    std::vector<tasks::machine::detail::KernelList> all{tasks::machine::detail::portableKernels()};
#if defined(__x86_64__)
    all.insert(all.end(), {tasks::machine::detail::avx2Kernels(), tasks::machine::detail::avx512Kernels()});
#endif
    std::erase_if(all, [](const tasks::machine::detail::KernelList& list) {
        return list.stream == nullptr || !list.stream->available();
    });
    return all;
}

TEST(StreamKernelTest, CopiesAndAddsEveryByteAndNoOther) {
    constexpr std::size_t most = 24 * 1024;
    struct alignas(64) Array {
        std::uint8_t bytes[most + 64];
    };
    const auto filled = [](unsigned factor) {
        auto array = std::make_unique<Array>();
        for (std::size_t i = 0; i < sizeof(array->bytes); ++i) {
            array->bytes[i] = static_cast<std::uint8_t>(i * factor % 251);
        }
        return array;
    };
    const auto first = filled(7);
    const auto second = filled(13);
    ASSERT_FALSE(kernelsWithStreams().empty());
    for (const tasks::machine::detail::KernelList& list : kernelsWithStreams()) {
        for (const std::size_t bytes : {std::size_t{1024}, std::size_t{3072}, most}) {
            SCOPED_TRACE(std::string(list.stream->how) + ", " + std::to_string(bytes));
            const auto to = filled(1);
            const auto before = filled(1);
            const auto pointer = [](const std::unique_ptr<Array>& of) {
                return reinterpret_cast<char*>(of->bytes);
            };
            list.stream->copy(pointer(to), pointer(first), bytes, 2);
            EXPECT_EQ(std::memcmp(to->bytes, first->bytes, bytes), 0);
            EXPECT_EQ(std::memcmp(to->bytes + bytes, before->bytes + bytes, most + 64 - bytes), 0);
            list.stream->add(pointer(to), pointer(first), pointer(second), bytes, 1);
            for (std::size_t at = 0; at < bytes; at += sizeof(std::uint32_t)) {
                std::uint32_t words[3];
                std::memcpy(&words[0], first->bytes + at, 4);
                std::memcpy(&words[1], second->bytes + at, 4);
                std::memcpy(&words[2], to->bytes + at, 4);
                ASSERT_EQ(words[2], words[0] + words[1]) << at;
            }
            EXPECT_EQ(std::memcmp(to->bytes + bytes, before->bytes + bytes, most + 64 - bytes), 0);
        }
    }
}

TEST(BurstTest, ThreadsRunEqualPasses) {
    std::atomic<std::size_t> passes[2]{};
    const tasks::Burst burst = tasks::fastestBurst(
        [&](std::size_t thread, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                passes[thread].fetch_add(1);
            }
        },
        2, 0.005);
    EXPECT_GT(burst.secondsOfPass, 0);
    EXPECT_GT(passes[1].load(), 0U);
    EXPECT_GE(passes[0].load(), passes[1].load()) << "the first one also finds how many passes a burst has";
#if defined(__x86_64__) || defined(__aarch64__)
    EXPECT_GT(burst.clock, 0);
#endif
}

TEST(NoiseMeterTest, IsTheNinetiethPercentile) {
    std::size_t tries = 0;
    tasks::NoiseMeter meter([&](std::size_t /*thread*/, std::size_t passes) {
        // Much longer in one of five tries.
        const std::size_t turns = passes * (++tries % 5 == 0 ? 8 : 1) * 1000;
        for (std::size_t i = 0; i < turns; ++i) {
            asm volatile("");
        }
    });
    EXPECT_EQ(meter.noise(), 0);
    meter.takeTries();
    meter.takeTries();
    EXPECT_GT(meter.noise(), 1);
}

}  // namespace
}  // namespace et::test
