// Runtimes with thread pools, and several runtimes at the same time. Run with a thread sanitizer: preset
// tsan.
#include "tests/backends/xnnpack/one_convolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <thread>
#include <vector>

namespace et::test {
namespace {

/// A transposed convolution, which runs in the library and in a custom kernel.
constexpr NodeKind kind = NodeKind::TransposedConvolution;
constexpr OneConvolution::Form form{
    .batch = 1, .height = 12, .width = 12, .inputs = 16, .outputs = 24, .kernel = {2, 2}, .stride = {2, 2}};

void expectClose(const Floats& got, const Floats& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << "element " << i;
    }
}

TEST(XnnpackThreadsTest, PoolsOfAnySizeComputeTheSame) {
    OneConvolution convolution(kind, form);
    const Floats expected = convolution.run().second;
    for (const std::size_t threads : {2UZ, 3UZ}) {
        const auto [custom, library] = convolution.run(threads);
        expectClose(custom, expected);
        expectClose(library, expected);
    }
}

/// Each thread creates its own weights cache; blocks and pages come from process-wide lists.
TEST(XnnpackThreadsTest, ThreadsLoadAndRunAtTheSameTime) {
    constexpr std::size_t threadCount = 4;
    constexpr std::size_t loads = 8;
    const Floats expected = OneConvolution(kind, form).run().second;
    std::vector<Floats> results(threadCount);
    {
        std::vector<std::jthread> threads;
        for (Floats& result : results) {
            threads.emplace_back([&result] {
                for (std::size_t i = 0; i < loads; ++i) {
                    result = OneConvolution(kind, form).run(2).second;
                }
            });
        }
    }
    for (const Floats& result : results) {
        expectClose(result, expected);
    }
}

}  // namespace
}  // namespace et::test
