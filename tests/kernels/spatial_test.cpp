#include "runtime/core/element_types.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace et::test {
namespace {

using core::Tensor;
using testing::Each;
using testing::ElementsAre;

constexpr std::int64_t huge = std::int64_t{1} << 62;

struct Pool {
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t padding;
    std::int64_t dilation;
    bool ceil;
};

/// Images of a pooling test: [2, channels, height, width] in either dim order.
struct Images {
    std::int64_t channels;
    std::int64_t height;
    std::int64_t width;
    bool channelsLast;

    [[nodiscard]] std::vector<std::uint8_t> order() const {
        return channelsLast ? std::vector<std::uint8_t>{0, 2, 3, 1} : std::vector<std::uint8_t>{};
    }
};

std::int64_t outputs(std::int64_t input, const Pool& pool) {
    const std::int64_t reach = pool.dilation * (pool.kernel - 1) + 1;
    std::int64_t count =
        (input + 2 * pool.padding - reach + (pool.ceil ? pool.stride - 1 : 0)) / pool.stride + 1;
    if (pool.ceil && (count - 1) * pool.stride >= input + pool.padding) {
        --count;
    }
    return count;
}

/// Calls `visit(y, x)` for the inputs of output (h, w).
template <class Visit>
void forWindow(const Images& images, const Pool& pool, std::int64_t h, std::int64_t w, Visit visit) {
    for (std::int64_t i = 0; i < pool.kernel; ++i) {
        for (std::int64_t j = 0; j < pool.kernel; ++j) {
            const std::int64_t y = h * pool.stride - pool.padding + i * pool.dilation;
            const std::int64_t x = w * pool.stride - pool.padding + j * pool.dilation;
            if (y >= 0 && y < images.height && x >= 0 && x < images.width) {
                visit(y, x);
            }
        }
    }
}

std::int64_t offset(const Tensor& tensor, std::array<std::int64_t, 4> at) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        sum += at[i] * tensor.stride(i);
    }
    return sum;
}

/// Calls `visit(at)` for every output.
template <class Visit>
void forOutputs(const Tensor& out, Visit visit) {
    for (std::int64_t n = 0; n < out.size(0); ++n) {
        for (std::int64_t c = 0; c < out.size(1); ++c) {
            for (std::int64_t h = 0; h < out.size(2); ++h) {
                for (std::int64_t w = 0; w < out.size(3); ++w) {
                    visit(std::array{n, c, h, w});
                }
            }
        }
    }
}

class Pooling : public testing::TestWithParam<std::tuple<Images, Pool>> {};

TEST_P(Pooling, FindsTheGreatest) {
    const auto& [images, pool] = GetParam();
    KernelCall call(2);
    const std::int64_t count = 2 * images.channels * images.height * images.width;
    const Tensor& input = call.tensor<float>({2, images.channels, images.height, images.width},
                                             randomNumbers(count), images.order());
    for (const std::int64_t number : {pool.kernel, pool.stride, pool.padding, pool.dilation}) {
        call.ints({number});
    }
    call.add(pool.ceil);
    const std::vector<std::int64_t> sizes{2, images.channels, outputs(images.height, pool),
                                          outputs(images.width, pool)};
    const Tensor& out = call.emptyTensor<float>(sizes, images.order());
    const Tensor& indices = call.emptyTensor<std::int64_t>(sizes);
    const auto done = call.run("aten::max_pool2d_with_indices.out");
    ASSERT_TRUE(done) << done.error().toString();
    forOutputs(out, [&](std::array<std::int64_t, 4> at) {
        float max = -std::numeric_limits<float>::infinity();
        std::int64_t place = -1;
        forWindow(images, pool, at[2], at[3], [&](std::int64_t y, std::int64_t x) {
            const float number = input.data<float>()[offset(input, {at[0], at[1], y, x})];
            if (number > max) {
                max = number;
                place = y * images.width + x;
            }
        });
        ASSERT_EQ(out.data<float>()[offset(out, at)], max);
        ASSERT_EQ(indices.data<std::int64_t>()[offset(indices, at)], place);
    });
}

TEST_P(Pooling, Averages) {
    const auto& [images, parameters] = GetParam();
    Pool pool = parameters;
    pool.dilation = 1;
    KernelCall call(2);
    const std::int64_t count = 2 * images.channels * images.height * images.width;
    const Tensor& input = call.tensor<float>({2, images.channels, images.height, images.width},
                                             randomNumbers(count), images.order());
    pool.padding = std::min(pool.padding, pool.kernel / 2);
    for (const std::int64_t number : {pool.kernel, pool.stride, pool.padding}) {
        call.ints({number});
    }
    call.add(pool.ceil);
    call.add(false);
    call.none();
    const Tensor& out = call.emptyTensor<float>(
        {2, images.channels, outputs(images.height, pool), outputs(images.width, pool)}, images.order());
    const auto done = call.run("aten::avg_pool2d.out");
    ASSERT_TRUE(done) << done.error().toString();
    forOutputs(out, [&](std::array<std::int64_t, 4> at) {
        double sum = 0;
        double number = 0;
        forWindow(images, pool, at[2], at[3], [&](std::int64_t y, std::int64_t x) {
            sum += static_cast<double>(input.data<float>()[offset(input, {at[0], at[1], y, x})]);
            ++number;
        });
        ASSERT_NEAR(static_cast<double>(out.data<float>()[offset(out, at)]), sum / number, 1e-4);
    });
}

INSTANTIATE_TEST_SUITE_P(Shapes, Pooling,
                         testing::Combine(testing::Values(Images{3, 9, 300, false}, Images{130, 6, 7, true},
                                                          Images{2, 5, 6, false}),
                                          testing::Values(Pool{2, 2, 0, 1, false}, Pool{3, 2, 1, 1, true},
                                                          Pool{3, 1, 1, 2, false}, Pool{4, 3, 2, 1, true})));

TEST(MaxPool, TakesTheLastOfSeveralNans) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    KernelCall call;
    call.tensor<float>({1, 1, 2, 2}, {nan, 5, nan, 9});
    call.ints({2});
    call.ints({});
    call.ints({0});
    call.ints({1});
    call.add(false);
    const Tensor& out = call.emptyTensor<float>({1, 1, 1, 1});
    const Tensor& indices = call.emptyTensor<std::int64_t>({1, 1, 1, 1});
    ASSERT_TRUE(call.run("aten::max_pool2d_with_indices.out"));
    EXPECT_TRUE(std::isnan(out.data<float>()[0]));
    EXPECT_THAT(elements<std::int64_t>(indices), ElementsAre(2));
}

TEST(MaxPool, RejectsInvalidWindows) {
    struct Case {
        std::int64_t kernel, stride, padding, dilation;
    };
    for (const Case wrong : {Case{0, 1, 0, 1}, Case{2, 0, 0, 1}, Case{2, 1, 2, 1}, Case{2, 1, -1, 1},
                             Case{2, 1, 0, 0}, Case{9, 1, 0, 1}, Case{huge, 1, 0, 1}, Case{2, huge, 0, huge},
                             Case{INT64_MIN, 1, 0, 1}, Case{2, 1, 0, INT32_MAX}}) {
        KernelCall call;
        call.emptyTensor<float>({1, 1, 4, 4});
        for (const std::int64_t number : {wrong.kernel, wrong.stride, wrong.padding, wrong.dilation}) {
            call.ints({number});
        }
        call.add(false);
        call.resizableTensor<float>({1, 1, 4, 4});
        call.resizableTensor<std::int64_t>({1, 1, 4, 4});
        EXPECT_FALSE(call.run("aten::max_pool2d_with_indices.out")) << wrong.kernel << ' ' << wrong.stride;
    }
}

TEST(MaxPool, HugeWindowsWithinPaddingEnd) {
    constexpr std::int64_t kernel = INT32_MAX;
    KernelCall call;
    call.tensor<float>({1, 1, 1, 3}, {1, 3, 2});
    call.ints({1, kernel});
    call.ints({1, 1});
    call.ints({0, kernel / 2});
    call.ints({1});
    call.add(false);
    const Tensor& out = call.resizableTensor<float>({1, 1, 1, 3});
    call.resizableTensor<std::int64_t>({1, 1, 1, 3});
    ASSERT_TRUE(call.run("aten::max_pool2d_with_indices.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(3, 3, 3));
}

TEST(MaxPool, BackwardRefusesIndicesOutOfRange) {
    for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{4}, huge}) {
        KernelCall call;
        call.emptyTensor<float>({1, 1, 1});
        call.emptyTensor<float>({1, 2, 2});
        call.ints({2});
        call.ints({2});
        call.ints({0});
        call.ints({1});
        call.add(false);
        call.tensor<std::int64_t>({1, 1, 1}, {index});
        call.emptyTensor<float>({1, 2, 2});
        EXPECT_FALSE(call.run("aten::max_pool2d_with_indices_backward.grad_input")) << index;
    }
}

TEST(AvgPool, OfIntegersRoundsTowardsZero) {
    KernelCall call;
    call.tensor<std::int64_t>({1, 1, 2}, {-3, -4});
    call.ints({1, 2});
    call.ints({});
    call.ints({0});
    call.add(false);
    call.add(true);
    call.none();
    const Tensor& out = call.emptyTensor<std::int64_t>({1, 1, 1});
    ASSERT_TRUE(call.run("aten::avg_pool2d.out"));
    EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(-3));
    call.argument(6).set(std::int64_t{0});
    EXPECT_FALSE(call.run("aten::avg_pool2d.out")) << "a divisor of 0";
}

TEST(AdaptivePool, SplitsTheInputIntoWindows) {
    KernelCall call;
    call.tensor<float>({1, 1, 5}, {1, 2, 3, 4, 5});
    call.ints({1, 3});
    const Tensor& out = call.emptyTensor<float>({1, 1, 3});
    ASSERT_TRUE(call.run("aten::_adaptive_avg_pool2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1.5F, 3, 4.5F));
}

TEST(Upsample, NearestAndItsExactKin) {
    for (const bool exact : {false, true}) {
        KernelCall call;
        call.tensor<std::uint8_t>({1, 1, 1, 5}, {1, 2, 3, 4, 5});
        call.ints({1, 3});
        call.none();
        const Tensor& out = call.emptyTensor<std::uint8_t>({1, 1, 1, 3});
        ASSERT_TRUE(
            call.run(exact ? "aten::_upsample_nearest_exact2d.vec_out" : "aten::upsample_nearest2d.vec_out"));
        if (exact) {
            EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(1, 3, 5));
        } else {
            EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(1, 2, 4));
        }
    }
}

TEST(Upsample, AntialiasedKeepsConstantImages) {
    KernelCall call;
    call.tensor<float>({1, 1, 7, 9}, std::vector<float>(63, 2.5F));
    call.ints({3, 4});
    call.add(false);
    call.none();
    call.none();
    const Tensor& out = call.emptyTensor<float>({1, 1, 3, 4});
    ASSERT_TRUE(call.run("aten::_upsample_bilinear2d_aa.out"));
    EXPECT_THAT(elements<float>(out), Each(testing::FloatEq(2.5F)));
}

TEST(Upsample, RefusesWrongTargets) {
    for (const double factor : {0.0, -1.0, 1e300, std::nan("")}) {
        KernelCall call;
        call.emptyTensor<float>({1, 1, 2, 2});
        call.none();
        call.add(core::DoubleListValue{{factor, factor}});
        call.resizableTensor<float>({1, 1, 2, 2});
        EXPECT_FALSE(call.run("aten::upsample_nearest2d.vec_out")) << factor;
    }
    KernelCall neither;
    neither.emptyTensor<float>({1, 1, 2, 2});
    neither.none();
    neither.none();
    neither.resizableTensor<float>({1, 1, 2, 2});
    EXPECT_FALSE(neither.run("aten::upsample_nearest2d.vec_out"));
}

TEST(GridSampler, EndsWhereTheInputDoes) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float far = std::numeric_limits<float>::max();
    for (const std::int64_t interpolation : {0, 1, 2}) {
        for (const std::int64_t padding : {0, 1, 2}) {
            KernelCall call;
            call.tensor<float>({1, 1, 2, 2}, {1, 1, 1, 1});
            call.tensor<float>({1, 1, 4, 2}, {nan, nan, far, -far, 0, 0, -far, far});
            call.add(interpolation);
            call.add(padding);
            call.add(false);
            const Tensor& out = call.emptyTensor<float>({1, 1, 1, 4});
            ASSERT_TRUE(call.run("aten::grid_sampler_2d.out"));
            if (interpolation == 1) {
                const float outside = padding == 0 ? 0.0F : 1.0F;
                EXPECT_THAT(elements<float>(out), ElementsAre(outside, outside, 1, outside));
            }
        }
    }
}

TEST(GridSampler, RejectsMismatchedArguments) {
    KernelCall call;
    call.emptyTensor<float>({1, 1, 2, 2});
    call.emptyTensor<float>({1, 1, 4, 3});
    call.add(std::int64_t{0});
    call.add(std::int64_t{0});
    call.add(false);
    call.emptyTensor<float>({1, 1, 1, 4});
    EXPECT_FALSE(call.run("aten::grid_sampler_2d.out"));
}

}  // namespace
}  // namespace et::test
