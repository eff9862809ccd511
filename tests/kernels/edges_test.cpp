#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

// Tests of operators at the limits of PyTorch's domain; the cases come from the reference's kernel tests.
namespace et::test {
namespace {

using core::ScalarType;
using core::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> padded(std::string_view name, std::initializer_list<std::int64_t> padding,
                          std::int64_t columns) {
    KernelCall call;
    call.tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
    call.ints(padding);
    Tensor& out = call.emptyTensor<float>({2, columns});
    EXPECT_TRUE(call.run(name)) << name;
    return elements<float>(out);
}

TEST(Padding, GrowsFirstAndShrinksThen) {
    EXPECT_THAT(padded("aten::reflection_pad1d.out", {2, -4}, 1), ElementsAre(2, 5));
    EXPECT_THAT(padded("aten::reflection_pad1d.out", {-2, 2}, 3), ElementsAre(2, 1, 0, 5, 4, 3));
    EXPECT_THAT(padded("aten::replication_pad1d.out", {3, -5}, 1), ElementsAre(0, 3));
    EXPECT_THAT(padded("aten::replication_pad1d.out", {-4, 5}, 4), ElementsAre(2, 2, 2, 2, 5, 5, 5, 5));
}

TEST(Padding, RejectsEmptyResults) {
    for (const auto* name : {"aten::reflection_pad1d.out", "aten::replication_pad1d.out"}) {
        KernelCall call;
        call.tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
        call.ints({1, -4});
        call.resizableTensor<float>({2, 3});
        EXPECT_THAT(errorOf(call, name), HasSubstr("remove all"));
    }
    KernelCall call;
    call.tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
    call.ints({3, -1});
    call.resizableTensor<float>({2, 5});
    EXPECT_THAT(errorOf(call, "aten::reflection_pad1d.out"), HasSubstr("at most 2, got 3"));
}

TEST(Padding, OfImagesInAnyDimOrder) {
    KernelCall call;
    call.tensor<float>({1, 2, 2, 3}, {0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15}, {0, 2, 3, 1});
    call.ints({1, -1, -1, 1});  // last dimension first
    Tensor& out = call.emptyTensor<float>({1, 2, 2, 3});
    ASSERT_TRUE(call.run("aten::reflection_pad2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(4, 3, 4, 1, 0, 1, 14, 13, 14, 11, 10, 11));
}

TEST(Division, CutsItsDivisorToTheBitsOfTheDividend) {
    for (const auto* mode : {"floor", "trunc"}) {
        KernelCall call;
        call.tensor<std::uint8_t>({1}, {255});
        call.tensor<std::int32_t>({}, {-2});  // 254 as uint8
        call.add(std::string_view(mode));
        Tensor& out = call.emptyTensor<std::uint8_t>({1});
        ASSERT_TRUE(call.run("aten::div.out_mode"));
        EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(1)) << mode;
    }
}

TEST(Addmm, TakesFloatsAsFactorsOfIntegers) {
    for (const auto& [beta, expected] : {std::pair(2.0, 9), std::pair(2.5, 9), std::pair(0.5, 7)}) {
        KernelCall call;
        call.tensor<std::int32_t>({1}, {1});
        call.tensor<std::int32_t>({1, 2}, {1, 2});
        call.tensor<std::int32_t>({2, 1}, {3, 2});
        call.add(beta), call.add(1.0);
        Tensor& out = call.emptyTensor<std::int32_t>({1, 1});
        ASSERT_TRUE(call.run("aten::addmm.out"));
        EXPECT_THAT(elements<std::int32_t>(out), ElementsAre(expected)) << beta;
    }
}

TEST(Linear, BroadcastsItsBias) {
    for (const bool isMatrix : {false, true}) {
        KernelCall call;
        call.tensor<float>({2, 1}, {1, 2});
        call.tensor<float>({3, 1}, {1, 10, 100});
        isMatrix ? call.tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}) : call.tensor<float>({1}, {5});
        Tensor& out = call.emptyTensor<float>({2, 3});
        ASSERT_TRUE(call.run("aten::linear.out"));
        if (isMatrix) {
            EXPECT_THAT(elements<float>(out), ElementsAre(2, 12, 103, 6, 25, 206));
        } else {
            EXPECT_THAT(elements<float>(out), ElementsAre(6, 15, 105, 7, 25, 205));
        }
    }
}

TEST(Fourier, TakesASpectrumThatIsTooLongOrTooShort) {
    using Complex = std::complex<float>;
    const auto inverse = [](const std::vector<Complex>& spectrum) {
        KernelCall call;
        call.tensor<Complex>({static_cast<std::int64_t>(spectrum.size())}, spectrum);
        call.ints({0});
        call.add(std::int64_t{2});
        call.add(std::int64_t{4});
        Tensor& out = call.emptyTensor<float>({4});
        EXPECT_TRUE(call.run("aten::_fft_c2r.out"));
        return elements<float>(out);
    };
    EXPECT_EQ(inverse({{4, 0}, {1, 2}, {2, 0}, {9, 9}, {9, 9}}), inverse({{4, 0}, {1, 2}, {2, 0}}));
    EXPECT_EQ(inverse({{4, 0}, {1, 2}}), inverse({{4, 0}, {1, 2}, {0, 0}}));
}

TEST(Extremes, OfAllElementsAreConverted) {
    KernelCall call;
    call.tensor<std::int32_t>({3}, {3, -7, 5});
    Tensor& out = call.emptyTensor<float>({});
    ASSERT_TRUE(call.run("aten::min.unary_out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(-7));
    KernelCall down;
    down.tensor<float>({3}, {3, -7, 5});
    down.emptyTensor<std::int32_t>({});
    EXPECT_THAT(errorOf(down, "aten::max.unary_out"), HasSubstr("expected a result of float32"));
}

TEST(Sum, OfNumbersAsTruths) {
    KernelCall call;
    call.tensor<float>({2, 2}, {0, 0, 0, 0.5F});
    call.ints({1});
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<bool>({2});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_THAT(elements<bool>(out), ElementsAre(false, true));
}

TEST(Sum, OfComplexNumbers) {
    using Complex = std::complex<double>;
    KernelCall call;
    call.tensor<Complex>({3}, {{1, 2}, {3, -5}, {0.5, 1}});
    call.none();
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<Complex>({});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_THAT(elements<Complex>(out), ElementsAre(Complex(4.5, -2)));
}

TEST(Variance, IsConvertedToOtherFloats) {
    KernelCall call;
    call.tensor<float>({4}, {1, 2, 3, 4});
    call.none();
    call.add(false);
    call.add(false);
    Tensor& out = call.emptyTensor<double>({});
    ASSERT_TRUE(call.run("aten::var.out"));
    EXPECT_THAT(elements<double>(out), ElementsAre(1.25));
}

TEST(Upsample, BytesWithAntialiasing) {
    KernelCall call;
    call.tensor<std::uint8_t>({1, 1, 1, 4}, {0, 255, 255, 0});
    call.ints({1, 2});
    call.add(false);
    call.none();
    call.none();
    Tensor& out = call.emptyTensor<std::uint8_t>({1, 1, 1, 2});
    ASSERT_TRUE(call.run("aten::_upsample_bilinear2d_aa.out"));
    // Triangle filters of width 4: weights 3, 3, 1 of 7.
    EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(146, 146));
}

TEST(Bmm, OfComplexNumbers) {
    using Complex = std::complex<float>;
    KernelCall call;
    call.tensor<Complex>({2, 1, 2}, {{1, 1}, {0, 2}, {3, 0}, {0, -1}});
    call.tensor<Complex>({2, 2, 1}, {{1, -1}, {1, 0}, {0, 1}, {2, 0}});
    Tensor& out = call.emptyTensor<Complex>({2, 1, 1});
    ASSERT_TRUE(call.run("aten::bmm.out"));
    EXPECT_THAT(elements<Complex>(out), ElementsAre(Complex(2, 2), Complex(0, 1)));
}

/// Elements of a complex32 tensor as halves.
std::span<core::Half> halvesOf(Tensor& tensor) {
    return {reinterpret_cast<core::Half*>(tensor.raw()), 2 * static_cast<std::size_t>(tensor.numel())};
}

TEST(ComplexHalf, AddsMultipliesAndHasAnAbsoluteValue) {
    const auto with = [](std::string_view name, bool hasAlpha) {
        KernelCall call;
        for (int i = 0; i < 2; ++i) {
            const auto halves = halvesOf(call.emptyTensorOf(ScalarType::ComplexHalf, {1}));
            halves[0] = core::Half(3.0F);
            halves[1] = core::Half(i == 0 ? 4.0F : -1.0F);
        }
        if (hasAlpha) {
            call.add(std::int64_t{1});
        }
        const auto out = halvesOf(call.emptyTensorOf(ScalarType::ComplexHalf, {1}));
        EXPECT_TRUE(call.run(name)) << name;
        return std::pair(static_cast<float>(out[0]), static_cast<float>(out[1]));
    };
    EXPECT_EQ(with("aten::add.out", true), std::pair(6.0F, 3.0F));
    EXPECT_EQ(with("aten::mul.out", false), std::pair(13.0F, 9.0F));
    KernelCall call;
    const auto halves = halvesOf(call.emptyTensorOf(ScalarType::ComplexHalf, {1}));
    halves[0] = core::Half(3.0F);
    halves[1] = core::Half(4.0F);
    Tensor& out = call.emptyTensor<core::Half>({1});
    ASSERT_TRUE(call.run("aten::abs.out"));
    EXPECT_EQ(static_cast<float>(elements<core::Half>(out)[0]), 5.0F);
}

core::Value::Kind dtypeOf(ScalarType type) {
    return static_cast<std::int64_t>(type);
}

TEST(Quantized, RangesBeyondTheDtypeAreDequantized) {
    KernelCall call;
    call.tensor<std::int8_t>({3}, {-128, 0, 127});
    call.add(0.5), call.add(whole(0)), call.add(whole(0)), call.add(whole(255));
    call.add(dtypeOf(ScalarType::Char)), call.none();
    Tensor& out = call.emptyTensor<float>({3});
    ASSERT_TRUE(call.run("quantized_decomposed::dequantize_per_tensor.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(-64, 0, 63.5));
}

TEST(Quantized, Bits16AreUnsigned) {
    KernelCall call;
    call.tensor<float>({2}, {1.5F, 30'000});
    call.add(0.5), call.add(whole(10)), call.add(whole(0)), call.add(whole(65'535));
    call.add(dtypeOf(ScalarType::Bits16));
    Tensor& out = call.emptyTensorOf(ScalarType::Bits16, {2});
    const auto done = call.run("quantized_decomposed::quantize_per_tensor.out");
    ASSERT_TRUE(done) << done.error().toString();
    const auto* numbers = reinterpret_cast<const std::uint16_t*>(out.raw());
    EXPECT_EQ(numbers[0], 13);
    EXPECT_EQ(numbers[1], 60'010);
    KernelCall back;
    Tensor& from = back.emptyTensorOf(ScalarType::Bits16, {2});
    std::copy_n(out.raw(), from.bytes(), from.raw());
    back.add(0.5), back.add(whole(10)), back.add(whole(0)), back.add(whole(65'535));
    back.add(dtypeOf(ScalarType::Bits16)), back.none();
    Tensor& floats = back.emptyTensor<float>({2});
    ASSERT_TRUE(back.run("quantized_decomposed::dequantize_per_tensor.out"));
    EXPECT_THAT(elements<float>(floats), ElementsAre(1.5, 30'000));
}

TEST(Prim, IntegersOfNumbersLoseTheirFractions) {
    for (const auto& [number, expected] : {std::pair(2.9, 2), std::pair(-2.9, -2)}) {
        KernelCall call;
        call.add(number);
        core::Value& out = call.none();
        ASSERT_TRUE(call.run("executorch_prim::sym_int.Scalar"));
        EXPECT_EQ(*out.as<std::int64_t>(), expected);
    }
}

TEST(DeviceCopy, CopiesOnASingleDevice) {
    for (const auto* name : {"et_copy::_h2d_copy.out", "et_copy::_d2h_copy.out"}) {
        KernelCall call;
        call.tensor<float>({2, 2}, {1, 2, 3, 4});
        Tensor& out = call.emptyTensor<float>({2, 2});
        ASSERT_TRUE(call.run(name)) << name;
        EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4));
    }
}

}  // namespace
}  // namespace et::test
