#include "runtime/core/element_types.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace et::test {
namespace {

using core::ScalarType;
using core::Tensor;
using testing::ElementsAre;
using testing::ElementsAreArray;

core::Value::Kind dtype(ScalarType type) {
    return static_cast<std::int64_t>(type);
}

/// Returns the numbers quantized with one scale and zero point.
template <class T>
std::vector<T> quantized(const std::vector<float>& numbers, double scale, std::int64_t zeroPoint,
                         std::int64_t low, std::int64_t high, std::vector<std::uint8_t> order = {}) {
    KernelCall call;
    const auto count = static_cast<std::int64_t>(numbers.size());
    const bool matrix = !order.empty();
    const std::vector<std::int64_t> sizes =
        matrix ? std::vector<std::int64_t>{2, count / 2} : std::vector<std::int64_t>{count};
    call.tensor<float>(sizes, numbers);
    call.add(scale);
    call.add(zeroPoint);
    call.add(low);
    call.add(high);
    call.add(dtype(core::scalarTypeOf<T>));
    const Tensor& out = call.emptyTensor<T>(sizes, std::move(order));
    const auto done = call.run("quantized_decomposed::quantize_per_tensor.out");
    EXPECT_TRUE(done) << done.error().toString();
    return elements<T>(out);
}

TEST(Quantize, TakesHalvesToTheEvenNumber) {
    EXPECT_THAT(quantized<std::int8_t>({0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F}, 1, 0, -128, 127),
                ElementsAre(0, 2, 2, 0, -2, -2));
    EXPECT_THAT(quantized<std::int8_t>({0.5F, 1.5F}, 1, 1, -128, 127), ElementsAre(1, 3)) << "rounded before";
}

TEST(Quantize, InvertsTheScaleBeforeItIsRoundedToFloat) {
    // In float, 1 / 0.001 is slightly less than 1000, so 1.5 is no longer halfway.
    EXPECT_THAT(quantized<std::int8_t>({0.0015F, -0.0015F}, 0.001, 0, -128, 127), ElementsAre(2, -2));
}

TEST(Quantize, StaysWithinTheRange) {
    EXPECT_THAT(quantized<std::uint8_t>({-infinity, -1, 300, infinity, nan}, 1, 3, 5, 200),
                ElementsAre(5, 5, 200, 200, 0));
    EXPECT_THAT(quantized<std::int32_t>({-3e9F, 3e9F, 5}, 1, 0, INT32_MIN, INT32_MAX),
                ElementsAre(INT32_MIN, 2147483520, 5))
        << "the greatest float that int32 holds";
    EXPECT_THAT(quantized<std::uint16_t>({-1, 70000}, 1, 0, 0, 65535), ElementsAre(0, 65535));
}

/// Checks that all lengths up to a few vectors give the same results as one number at a time.
template <class T>
class QuantizeLengths : public testing::Test {};
using QuantizedTypes = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::int32_t>;
TYPED_TEST_SUITE(QuantizeLengths, QuantizedTypes);

TYPED_TEST(QuantizeLengths, GiveTheSameNumbers) {
    using T = TypeParam;
    for (std::size_t length = 1; length < 70; ++length) {
        std::vector<float> numbers(length);
        std::vector<T> expected(length);
        std::vector<float> back(length);
        for (std::size_t i = 0; i < length; ++i) {
            numbers[i] = static_cast<float>(i) * 0.75F;
            expected[i] = static_cast<T>(std::nearbyint(static_cast<double>(numbers[i]) * 2) + 3);
            back[i] = (static_cast<float>(expected[i]) - 3) * 0.5F;
        }
        EXPECT_THAT(quantized<T>(numbers, 0.5, 3, 0, 127), ElementsAreArray(expected));

        KernelCall call;
        call.tensor<T>({static_cast<std::int64_t>(length)}, expected);
        call.add(0.5);
        call.add(std::int64_t{3});
        call.add(std::int64_t{0});
        call.add(std::int64_t{127});
        call.add(dtype(core::scalarTypeOf<T>));
        call.none();
        const Tensor& out = call.emptyTensor<float>({static_cast<std::int64_t>(length)});
        ASSERT_TRUE(call.run("quantized_decomposed::dequantize_per_tensor.out"));
        EXPECT_THAT(elements<float>(out), ElementsAreArray(back));
    }
}

TEST(Quantize, MindsDimOrders) {
    EXPECT_THAT(quantized<std::int8_t>({1, 2, 3, 4}, 1, 0, -128, 127, {1, 0}), ElementsAre(1, 3, 2, 4));
}

TEST(Quantize, RefusesRangesOutsideTheType) {
    for (const auto& [low, high] :
         {std::pair<std::int64_t, std::int64_t>{-129, 127}, {-128, 128}, {5, 4}, {INT64_MIN, INT64_MAX}}) {
        KernelCall call;
        call.emptyTensor<float>({2});
        call.add(1.0);
        call.add(std::int64_t{0});
        call.add(low);
        call.add(high);
        call.add(dtype(ScalarType::Char));
        call.emptyTensor<std::int8_t>({2});
        EXPECT_FALSE(call.run("quantized_decomposed::quantize_per_tensor.out")) << low;
    }
}

TEST(Quantize, EachChannelInTheLastDimension) {
    KernelCall call;
    call.tensor<float>({2, 3}, {1, 1, 1, 2, 2, 2});
    call.tensor<double>({3}, {1, 0.5, 0.25});
    call.tensor<std::int64_t>({3}, {0, 1, 2});
    call.add(std::int64_t{-1});
    call.add(std::int64_t{-128});
    call.add(std::int64_t{127});
    call.add(dtype(ScalarType::Char));
    const Tensor& out = call.emptyTensor<std::int8_t>({2, 3});
    ASSERT_TRUE(call.run("quantized_decomposed::quantize_per_channel.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(1, 3, 6, 2, 5, 10));
    call.argument(3).set(std::int64_t{2});
    EXPECT_FALSE(call.run("quantized_decomposed::quantize_per_channel.out"));
    call.argument(3).set(std::int64_t{0});
    EXPECT_FALSE(call.run("quantized_decomposed::quantize_per_channel.out")) << "3 scales for 2 channels";
}

TEST(Quantize, EachTokenRoundsLast) {
    KernelCall call;
    call.tensor<float>({2, 2}, {0.5F, 1.5F, 0.5F, 1.5F});
    call.tensor<float>({2, 1}, {1, 0.5F});
    call.tensor<std::int64_t>({2, 1}, {1, 0});
    call.add(std::int64_t{-128});
    call.add(std::int64_t{127});
    call.add(dtype(ScalarType::Char));
    const Tensor& out = call.emptyTensor<std::int8_t>({2, 2});
    ASSERT_TRUE(call.run("quantized_decomposed::quantize_per_token.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(2, 2, 1, 3));
}

TEST(ChooseParameters, RangeIncludesZeroAndAllValues) {
    KernelCall call;
    call.tensor<float>({3}, {-1, 0.5F, 4.1F});
    call.add(std::int64_t{-128});
    call.add(std::int64_t{127});
    call.add(1e-6);
    call.add(dtype(ScalarType::Char));
    const Tensor& scale = call.emptyTensor<double>({1});
    const Tensor& zeroPoint = call.emptyTensor<std::int64_t>({1});
    ASSERT_TRUE(call.run("quantized_decomposed::choose_qparams.Tensor_out"));
    EXPECT_NEAR(scale.data<double>()[0], 5.1 / 255, 1e-6);
    EXPECT_THAT(elements<std::int64_t>(zeroPoint), ElementsAre(-78));
    call.argument(1).set(std::int64_t{127});
    EXPECT_FALSE(call.run("quantized_decomposed::choose_qparams.Tensor_out")) << "an empty range";
}

TEST(ChooseParameters, OfEachToken) {
    KernelCall call;
    std::vector<float> numbers(80, 0);
    numbers[39] = 2.55F;
    numbers[40] = -2.55F;
    call.tensor<float>({2, 40}, numbers);
    call.add(dtype(ScalarType::Char));
    const Tensor& scale = call.resizableTensor<float>({2, 40});
    const Tensor& zeroPoint = call.resizableTensor<std::int64_t>({2, 40});
    ASSERT_TRUE(call.run("quantized_decomposed::choose_qparams_per_token_asymmetric.out"));
    EXPECT_EQ(scale.sizes(), (core::Sizes{2, 1}));
    EXPECT_NEAR(scale.data<float>()[0], 0.01F, 1e-6F);
    EXPECT_THAT(elements<std::int64_t>(zeroPoint), ElementsAre(-128, 127));
}

TEST(Embedding, UnpacksGroupsThatStartWithinAByte) {
    KernelCall call;
    // -2 -1 0 1 1 0 -1 -2: two bits per number, lowest first.
    call.tensor<std::uint8_t>({1, 2}, {0b11100100, 0b00011011});
    call.tensor<float>({1, 4}, {1, 10, 100, 1000});
    call.none();
    call.add(std::int64_t{-2});
    call.add(std::int64_t{1});
    call.tensor<std::int64_t>({1}, {0});
    const Tensor& out = call.emptyTensor<float>({1, 8});
    ASSERT_TRUE(call.run("quantized_decomposed::embedding_2bit.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(-2, -1, 0, 10, 100, 0, -1000, -2000));
}

TEST(Embedding, RefusesRowsThatAreNotThere) {
    for (const std::int64_t row : {std::int64_t{-1}, std::int64_t{2}, INT64_MAX}) {
        KernelCall call;
        call.emptyTensor<std::int8_t>({2, 4});
        call.emptyTensor<float>({2});
        call.none();
        call.add(std::int64_t{-128});
        call.add(std::int64_t{127});
        call.tensor<std::int64_t>({1}, {row});
        call.emptyTensor<float>({1, 4});
        EXPECT_FALSE(call.run("quantized_decomposed::embedding_byte.out")) << row;
    }
}

TEST(Embedding, RefusesGroupsThatDoNotDivideARow) {
    KernelCall call;
    call.emptyTensor<std::uint8_t>({2, 4});
    call.emptyTensor<float>({2, 3});
    call.none();
    call.add(std::int64_t{0});
    call.add(std::int64_t{255});
    call.tensor<std::int64_t>({1}, {0});
    call.emptyTensor<float>({1, 4});
    EXPECT_FALSE(call.run("quantized_decomposed::embedding_byte.out"));
}

TEST(MixedLinear, MultipliesWithGroupsAndZeroPoints) {
    KernelCall call;
    call.tensor<float>({1, 3}, {1, 2, 3});
    call.tensor<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    call.tensor<float>({2, 2}, {1, 10, 2, 20});
    call.tensor<float>({2, 2}, {1, 0, 0, 1});
    call.none();
    const Tensor& out = call.emptyTensor<float>({1, 2});
    ASSERT_TRUE(call.run("quantized_decomposed::mixed_linear.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(0 + 2 + 90, 8 + 20 + 300));
}

TEST(QuantizedAdd, RefusesOtherSizes) {
    KernelCall call;
    for (const std::int64_t size : {2, 3}) {
        call.emptyTensor<std::uint8_t>({size});
        call.add(1.0);
        call.add(std::int64_t{0});
        call.add(std::int64_t{0});
        call.add(std::int64_t{255});
    }
    call.add(1.0);
    call.add(std::int64_t{0});
    call.add(std::int64_t{0});
    call.add(std::int64_t{255});
    call.emptyTensor<std::uint8_t>({2});
    EXPECT_FALSE(call.run("quantized_decomposed::add.out"));
}

}  // namespace
}  // namespace et::test
