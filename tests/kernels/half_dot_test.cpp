// Tests of dot products whose summation order matters.

#include "runtime/kernels/dense/half_dot.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace et::kernels::dense {
namespace {

/// Computes the sum described in the header, one step at a time.
float slowDot(const std::vector<float>& left, const float* row) {
    std::size_t begin = 0;
    const auto running = [&](std::size_t sums, std::size_t step) {
        std::vector<float> all(sums, 0);
        for (; begin + step <= left.size(); begin += step) {
            for (std::size_t i = 0; i < step; ++i) {
                all[i % sums] += left[begin + i] * row[begin + i];
            }
        }
        for (std::size_t half = sums / 2; half != 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) {
                all[i] += all[half + i];
            }
        }
        return all[0];
    };
    float sum = running(64, 64);
    sum += running(8, 16);
    for (; begin < left.size(); ++begin) {
        sum += left[begin] * row[begin];
    }
    return sum;
}

TEST(HalfDotTest, SumsInTheDocumentedOrder) {
    for (const std::size_t depth : {1U, 7U, 16U, 17U, 37U, 64U, 100U, 161U}) {
        constexpr std::size_t count = 3;
        std::vector<float> left(depth);
        std::vector<float> rows(count * depth);
        // These products are exact whether or not a CPU rounds them; their sums are not.
        for (std::size_t i = 0; i < depth; ++i) {
            left[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) * (i % 5 == 0 ? 64.0F : 0.125F);
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] =
                static_cast<float>(static_cast<int>(i * 53 % 97) - 48) * (i % 3 == 0 ? 1024.0F : 0.0625F);
        }
        std::array<float, count> results{};
        dotRows(left.data(), rows.data(), static_cast<std::ptrdiff_t>(depth), count, depth, results.data());
        for (std::size_t j = 0; j < count; ++j) {
            EXPECT_EQ(results[j], slowDot(left, rows.data() + j * depth)) << depth << ", row " << j;
        }
    }
}

}  // namespace
}  // namespace et::kernels::dense
