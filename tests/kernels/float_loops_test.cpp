// Tests the vectorised loops on every instruction set of this machine.
#include "runtime/kernels/elementwise/float_loops.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/half_conversion.h"
#include "tests/kernels/every_target.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace et::test {
namespace {

using testing::Each;
using testing::ElementsAre;

/// Returns numbers of all magnitudes, both signs, and special values.
std::vector<float> manyFloats() {
    std::vector<float> numbers{0.0F,   -0.0F, nan,   infinity, -infinity, 1e30F,      -1e30F, 1e-40F, -1e-40F,
                               0.5F,   -0.5F, 1.5F,  2.5F,     -2.5F,     88.5F,      89.0F,  104.5F, -103.0F,
                               -88.0F, 9.0F,  -9.2F, 1e-4F,    -1e-4F,    8388609.0F, 3e9F,   -3e9F};
    for (int i = -1000; i <= 1000; ++i) {
        numbers.push_back(static_cast<float>(i) * 0.0173F);
    }
    return numbers;
}

void expectClose(float got, double expected, float input, double relative) {
    if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << "of " << input << ": " << got;
        return;
    }
    const auto rounded = static_cast<float>(expected);
    if (std::isinf(rounded) || rounded == 0) {
        EXPECT_EQ(got, rounded) << "of " << input;
        return;
    }
    EXPECT_NEAR(got, expected, std::abs(expected) * relative + 1e-37) << "of " << input;
}

struct Reference {
    const char* name;
    kernels::Loop<float> fast;
    double (*exact)(double);
    double relative;
};

TEST(FloatLoops, AgreeWithTheMathLibraryOnEveryTarget) {
    const Reference references[] = {
        {"exp", kernels::fast::exponential, [](double x) { return std::exp(x); }, 3e-7},
        {"log", kernels::fast::logarithm, [](double x) { return std::log(x); }, 1e-6},
        {"tanh", kernels::fast::tanh, [](double x) { return std::tanh(x); }, 5e-7},
        {"sigmoid", kernels::fast::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 5e-7},
        {"sqrt", kernels::fast::sqrt, [](double x) { return std::sqrt(x); }, 1e-7},
        {"rsqrt", kernels::fast::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 2e-7},
        {"floor", kernels::fast::floor, [](double x) { return std::floor(x); }, 0},
        {"ceil", kernels::fast::ceil, [](double x) { return std::ceil(x); }, 0},
        {"trunc", kernels::fast::trunc, [](double x) { return std::trunc(x); }, 0},
        {"round", kernels::fast::round, [](double x) { return std::nearbyint(x); }, 0},
        {"relu", kernels::fast::relu, [](double x) { return x < 0 ? 0 : x; }, 0},
    };
    const std::vector<float> numbers = manyFloats();
    std::vector<float> out(numbers.size());
    onEveryTarget([&] {
        for (const Reference& reference : references) {
            SCOPED_TRACE(reference.name);
            const float* in = numbers.data();
            reference.fast(&in, out.data(), numbers.size(), {});
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                expectClose(out[i], reference.exact(numbers[i]), numbers[i], reference.relative);
            }
        }
    });
}

TEST(FloatLoops, GeluKeepsNanAndItsTails) {
    const std::vector<float> numbers = manyFloats();
    std::vector<float> out(numbers.size());
    onEveryTarget([&] {
        const float* in = numbers.data();
        kernels::fast::gelu(&in, out.data(), numbers.size(), {});
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double x = numbers[i];
            if (std::isinf(x)) {
                continue;
            }
            const double expected = x / 2 * std::erfc(-x / std::sqrt(2.0));
            if (std::isnan(x)) {
                EXPECT_TRUE(std::isnan(out[i]));
                continue;
            }
            EXPECT_NEAR(out[i], expected, 2e-7 * std::max(1.0, std::abs(x))) << x;
        }
    });
}

TEST(FloatLoops, ClampAndExtremesPropagateNan) {
    const std::vector<float> x{nan, 1, -5, 5, 0};
    const std::vector<float> y{1, nan, 2, 3, -0.5F};
    onEveryTarget([&] {
        std::vector<float> out(x.size());
        const float* in[] = {x.data(), y.data()};
        kernels::fast::clamp(in, out.data(), x.size(), {-1, 2, 0});
        EXPECT_TRUE(std::isnan(out[0]));
        EXPECT_THAT(std::span(out).subspan(1), ElementsAre(1, -1, 2, 0));
        kernels::fast::clamp(in, out.data(), x.size(), {nan, 2, 0});
        EXPECT_TRUE(std::ranges::all_of(out, [](float f) { return std::isnan(f); }));
        kernels::fast::clamp(in, out.data(), x.size(), {3, 2, 0});
        EXPECT_THAT(std::span(out).subspan(1), Each(2));
        kernels::fast::maximum(in, out.data(), x.size(), {});
        EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
        EXPECT_THAT(std::span(out).subspan(2), ElementsAre(2, 5, 0));
        kernels::fast::minimum(in, out.data(), x.size(), {});
        EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
        EXPECT_THAT(std::span(out).subspan(2), ElementsAre(-5, 3, -0.5F));
    });
}

TEST(HalfConversion, EveryHalfComesBack) {
    std::vector<core::Half> halfs(65536);
    std::vector<core::BFloat16> brains(65536);
    for (std::size_t i = 0; i < 65536; ++i) {
        halfs[i] = std::bit_cast<core::Half>(static_cast<std::uint16_t>(i));
        brains[i] = std::bit_cast<core::BFloat16>(static_cast<std::uint16_t>(i));
    }
    onEveryTarget([&] {
        std::vector<float> wide(65535);
        std::vector<core::Half> halfsBack(65535);
        kernels::floatsFrom(halfs.data(), wide.data(), wide.size());
        kernels::floatsTo(wide.data(), halfsBack.data(), wide.size());
        for (std::size_t i = 0; i < wide.size(); ++i) {
            const auto expected = static_cast<float>(halfs[i]);
            ASSERT_TRUE(std::isnan(expected) ? std::isnan(wide[i]) && halfsBack[i] != halfsBack[i]
                                             : wide[i] == expected && halfsBack[i] == halfs[i])
                << i;
        }
        std::vector<core::BFloat16> brainsBack(65535);
        kernels::floatsFrom(brains.data(), wide.data(), wide.size());
        kernels::floatsTo(wide.data(), brainsBack.data(), wide.size());
        for (std::size_t i = 0; i < wide.size(); ++i) {
            const auto expected = std::bit_cast<float>(static_cast<std::uint32_t>(i) << 16U);
            ASSERT_TRUE(std::isnan(expected) ? std::isnan(wide[i]) && brainsBack[i] != brainsBack[i]
                                             : wide[i] == expected && brainsBack[i] == brains[i])
                << i;
        }
    });
}

TEST(HalfConversion, RoundsToNearestEven) {
    const std::vector<float> numbers{2049, 2051, 65519, 65520, 1e-8F, 3.0F + 0x1p-10F, 257, 259, 3.4e38F};
    onEveryTarget([&] {
        std::vector<core::Half> halfs(numbers.size());
        std::vector<core::BFloat16> brains(numbers.size());
        kernels::floatsTo(numbers.data(), halfs.data(), numbers.size());
        kernels::floatsTo(numbers.data(), brains.data(), numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_EQ(static_cast<float>(halfs[i]), static_cast<float>(static_cast<core::Half>(numbers[i])));
        }
        EXPECT_EQ(static_cast<float>(brains[6]), 256);
        EXPECT_EQ(static_cast<float>(brains[7]), 260);
        EXPECT_EQ(static_cast<float>(brains[8]), infinity);
    });
}

}  // namespace
}  // namespace et::test
