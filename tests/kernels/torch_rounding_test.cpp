// Arithmetic::Torch: the bits that PyTorch gives, for operators whose order of rounding is known. The
// expected numbers come from loops that follow that order; whether it is PyTorch's is shown by the goldens of
// the numeric gap.
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using et::core::Tensor;
using et::kernels::Arithmetic;
using testing::ElementsAreArray;
using namespace et::test;

std::vector<float> someNumbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> numbers(-2, 2);
    std::vector<float> made(count);
    std::ranges::generate(made, [&] { return numbers(generator); });
    return made;
}

/// Rounded to float32 before it is used: no compiler fuses it with a sum.
float product(float a, float b) {
    volatile float rounded = a * b;
    return rounded;
}

TEST(TorchRounding, MatricesAreSummedProductByProduct) {
    constexpr std::int64_t rows = 5;
    constexpr std::int64_t depth = 67;
    constexpr std::int64_t columns = 19;
    const auto left = someNumbers(rows * depth, 1);
    const auto right = someNumbers(depth * columns, 2);
    KernelCall call(2, Arithmetic::Torch);
    call.tensor<float>({rows, depth}, left);
    call.tensor<float>({depth, columns}, right);
    const Tensor& out = call.emptyTensor<float>({rows, columns});
    ASSERT_TRUE(call.run("aten::mm.out"));
    std::vector<float> expected;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            float sum = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                sum += product(left[r * depth + k], right[k * columns + c]);
            }
            expected.push_back(sum);
        }
    }
    EXPECT_THAT(elements<float>(out), ElementsAreArray(expected));
}

/// A convolution with a kernel of 3 x 3 over an image of 6 x 6 without padding: `channels` in, one out a
/// group.
std::vector<float> convolved(std::int64_t channels, std::int64_t groups, const std::vector<float>& input,
                             const std::vector<float>& weight, const std::vector<float>& bias) {
    KernelCall call(1, Arithmetic::Torch);
    call.tensor<float>({1, channels, 6, 6}, input);
    call.tensor<float>({groups, channels / groups, 3, 3}, weight);
    call.tensor<float>({groups}, bias);
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({1, 1});
    call.add(false);
    call.ints({0, 0});
    call.add(groups);
    const Tensor& out = call.emptyTensor<float>({1, groups, 4, 4});
    EXPECT_TRUE(call.run("aten::convolution.out"));
    return elements<float>(out);
}

TEST(TorchRounding, SmallConvolutionsAreProductsOfTheUnfoldedImage) {
    const auto input = someNumbers(3 * 36, 3);
    const auto weight = someNumbers(27, 4);
    std::vector<float> expected;
    for (std::size_t at = 0; at < 16; ++at) {
        float sum = 0.5F;  // from the bias on, channel by channel
        for (std::size_t k = 0; k < 27; ++k) {
            const std::size_t y = at / 4 + k % 9 / 3;
            const std::size_t x = at % 4 + k % 3;
            sum += product(input[k / 9 * 36 + y * 6 + x], weight[k]);
        }
        expected.push_back(sum);
    }
    EXPECT_THAT(convolved(3, 1, input, weight, {0.5F}), ElementsAreArray(expected));
}

TEST(TorchRounding, SumsOfRowsTakeEightLanes) {
    const auto x = someNumbers(9, 5);
    KernelCall call(1, Arithmetic::Torch);
    call.tensor<float>({9}, x);
    call.none();
    call.add(false);
    call.none();
    const Tensor& out = call.emptyTensor<float>({});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    float expected = x[8];  // what no vector holds comes first
    for (std::size_t i = 0; i < 8; ++i) {
        expected += x[i];
    }
    EXPECT_EQ(elements<float>(out).front(), expected);
}

TEST(TorchRounding, LongSumsStayExact) {
    constexpr std::int64_t count = 1 << 20;
    KernelCall call(1, Arithmetic::Torch);
    call.tensor<float>({count}, std::vector<float>(count, 0.1F));
    call.none();
    call.add(false);
    call.none();
    const Tensor& out = call.emptyTensor<float>({});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_NEAR(elements<float>(out).front(), count * static_cast<double>(0.1F), 0.1);
}

TEST(TorchRounding, LayerNormIsWhatTheDefinitionSays) {
    constexpr std::int64_t length = 1003;  // whole vectors, several chunks of them, and a rest
    const auto x = someNumbers(length, 6);
    KernelCall call(1, Arithmetic::Torch);
    call.tensor<float>({1, length}, x);
    call.ints({length});
    call.none();
    call.none();
    call.add(1e-5);
    const Tensor& out = call.emptyTensor<float>({1, length});
    const Tensor& mean = call.emptyTensor<float>({1, 1});
    const Tensor& reciprocal = call.emptyTensor<float>({1, 1});
    ASSERT_TRUE(call.run("aten::native_layer_norm.out"));
    double sum = 0;
    double squares = 0;
    for (const float each : x) {
        sum += static_cast<double>(each) / length;
    }
    for (const float each : x) {
        squares += (static_cast<double>(each) - sum) * (static_cast<double>(each) - sum) / length;
    }
    const double scale = 1 / std::sqrt(squares + 1e-5);
    EXPECT_NEAR(elements<float>(mean).front(), sum, 1e-6);
    EXPECT_NEAR(elements<float>(reciprocal).front(), scale, 1e-5);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(elements<float>(out)[i], (static_cast<double>(x[i]) - sum) * scale, 1e-5);
    }
}

/// An operator of one tensor on numbers from -12 to 12.
void expectNear(std::string_view name, double (*definition)(double), bool isGelu = false) {
    std::vector<float> x;
    for (int i = -1200; i <= 1200; ++i) {
        x.push_back(static_cast<float>(i) / 100);
    }
    KernelCall call(1, Arithmetic::Torch);
    call.tensor<float>({static_cast<std::int64_t>(x.size())}, x);
    if (isGelu) {
        call.add(std::string_view("none"));
    }
    const Tensor& out = call.emptyTensor<float>({static_cast<std::int64_t>(x.size())});
    ASSERT_TRUE(call.run(name)) << name;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double expected = definition(static_cast<double>(x[i]));
        EXPECT_NEAR(elements<float>(out)[i], expected, 1e-6 + 1e-6 * std::abs(expected))
            << name << " of " << x[i];
    }
}

TEST(TorchRounding, FunctionsAreWhatTheyAreCalled) {
    expectNear("aten::exp.out", std::exp);
    expectNear("aten::tanh.out", std::tanh);
    expectNear("aten::sin.out", std::sin);
    expectNear("aten::cos.out", std::cos);
    expectNear("aten::erf.out", std::erf);
    expectNear("aten::atan.out", std::atan);
    expectNear("aten::sigmoid.out", [](double x) { return 1 / (1 + std::exp(-x)); });
    expectNear("aten::gelu.out", [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }, true);
}

}  // namespace
