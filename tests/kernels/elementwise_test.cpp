// Tests that single-operator programs do not cover: invalid arguments, mixed dtypes and unusual layouts.

#include "runtime/kernels/elements.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace et::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Elements, BytesOtherThanZeroAndOneAreTrue) {
    const std::array<std::byte, 3> bytes{std::byte{0}, std::byte{2}, std::byte{255}};
    std::array<float, 3> loaded{};
    kernels::elementLoader<float>(core::ScalarType::Bool)(bytes.data(), 1, loaded.data(), 3);
    EXPECT_THAT(loaded, ElementsAre(0, 1, 1));
    EXPECT_EQ(kernels::elementLoader<float>(core::ScalarType::QInt8), nullptr);
    EXPECT_EQ(kernels::elementLoader<float>(core::ScalarType::ComplexFloat), nullptr);
}

TEST(Elementwise, ErrorsNameTheProblem) {
    KernelCall shapes;
    shapes.tensor<float>({2}, {1, 2});
    shapes.tensor<float>({3}, {1, 2, 3});
    shapes.add(std::int64_t{1});
    shapes.emptyTensor<float>({3});
    EXPECT_THAT(shapes.run("aten::add.out").error().message, HasSubstr("[2] and [3] do not broadcast"));

    KernelCall lower;
    lower.tensor<float>({2}, {1, 2});
    lower.emptyTensor<std::int32_t>({2});
    EXPECT_THAT(lower.run("aten::sin.out").error().message, HasSubstr("a result of float32"));

    KernelCall alpha;
    alpha.tensor<std::int32_t>({2}, {1, 2});
    alpha.add(std::int64_t{1});
    alpha.add(0.5);
    alpha.emptyTensor<std::int32_t>({2});
    EXPECT_THAT(alpha.run("aten::add.Scalar_out").error().message, HasSubstr("alpha"));

    KernelCall noBounds;
    noBounds.tensor<float>({2}, {1, 2});
    noBounds.none();
    noBounds.none();
    noBounds.emptyTensor<float>({2});
    EXPECT_FALSE(noBounds.run("aten::clamp.out"));
    EXPECT_FALSE(noBounds.run("aten::clamp.Tensor_out"));

    KernelCall odd;
    odd.tensor<float>({3}, {1, 2, 3});
    odd.add(std::int64_t{0});
    odd.emptyTensor<float>({1});
    EXPECT_THAT(odd.run("aten::glu.out").error().message, HasSubstr("even size"));
}

TEST(Elementwise, RefusesDtypesThatAnOperatorIsNotDefinedFor) {
    KernelCall bools;
    bools.tensor<bool>({1}, {true});
    bools.emptyTensor<bool>({1});
    EXPECT_EQ(bools.run("aten::neg.out").error().code, core::ErrorCode::Unsupported);
    EXPECT_EQ(bools.run("aten::relu.out").error().code, core::ErrorCode::Unsupported);

    KernelCall floats;
    floats.tensor<float>({1}, {1});
    floats.tensor<float>({1}, {1});
    floats.emptyTensor<float>({1});
    EXPECT_EQ(floats.run("aten::bitwise_and.Tensor_out").error().code, core::ErrorCode::Unsupported);
}

template <class T>
core::Result<std::vector<T>> ofTwo(std::string_view name, const std::vector<T>& a, const std::vector<T>& b) {
    KernelCall call;
    call.tensor<T>({static_cast<std::int64_t>(a.size())}, a);
    call.tensor<T>({static_cast<std::int64_t>(b.size())}, b);
    const core::Tensor& out = call.emptyTensor<T>({static_cast<std::int64_t>(a.size())});
    ET_TRY(call.run(name));
    return elements<T>(out);
}

TEST(Elementwise, IntegersDoNotDivideByZero) {
    for (const char* name :
         {"aten::floor_divide.out", "aten::fmod.Tensor_out", "aten::remainder.Tensor_out"}) {
        EXPECT_THAT(ofTwo<std::int32_t>(name, {1, 2}, {1, 0}).error().message, HasSubstr("by zero")) << name;
    }
    KernelCall scalar;
    scalar.tensor<std::int64_t>({1}, {1});
    scalar.add(std::int64_t{0});
    scalar.emptyTensor<std::int64_t>({1});
    EXPECT_FALSE(scalar.run("aten::remainder.Scalar_out"));
}

TEST(Elementwise, TheSmallestIntegerWrapsAround) {
    constexpr auto min = std::numeric_limits<std::int64_t>::min();
    EXPECT_THAT(*ofTwo<std::int64_t>("aten::floor_divide.out", {min, 7}, {-1, -2}), ElementsAre(min, -4));
    EXPECT_THAT(*ofTwo<std::int64_t>("aten::remainder.Tensor_out", {min, 7}, {-1, -2}), ElementsAre(0, -1));
    EXPECT_THAT(*ofTwo<std::int64_t>("aten::mul.out", {min, min}, {-1, 2}), ElementsAre(min, 0));
    KernelCall call;
    call.tensor<std::int64_t>({1}, {min});
    const core::Tensor& out = call.emptyTensor<std::int64_t>({1});
    ASSERT_TRUE(call.run("aten::abs.out"));
    EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(min));
}

TEST(Elementwise, PowersOfIntegers) {
    EXPECT_THAT(
        *ofTwo<std::int64_t>("aten::pow.Tensor_Tensor_out", {1, -1, -1, 5, 0, 3}, {-3, -3, -2, -1, 0, 4}),
        ElementsAre(1, -1, 1, 0, 1, 81));
    KernelCall call;
    call.tensor<std::int32_t>({1}, {2});
    call.add(std::int64_t{-1});
    call.emptyTensor<std::int32_t>({1});
    EXPECT_THAT(call.run("aten::pow.Tensor_Scalar_out").error().message, HasSubstr("at least 0"));
}

TEST(Elementwise, ShiftsByMoreThanTheBits) {
    EXPECT_THAT(*ofTwo<std::int8_t>("aten::bitwise_left_shift.Tensor_out", {1, 1, 1, 64}, {7, 8, -1, 1}),
                ElementsAre(-128, 0, 0, -128));
    EXPECT_THAT(
        *ofTwo<std::int8_t>("aten::bitwise_right_shift.Tensor_out", {-128, -128, 127, -1}, {7, 9, -1, 1}),
        ElementsAre(-1, -1, 0, -1));
    EXPECT_THAT(*ofTwo<std::int64_t>("aten::bitwise_left_shift.Tensor_out", {1, 1}, {63, 64}),
                ElementsAre(std::numeric_limits<std::int64_t>::min(), 0));
}

TEST(Elementwise, FloorDivisionFollowsPython) {
    const auto quotients =
        *ofTwo<float>("aten::floor_divide.out", {1, -1, 1, -7, 7, 0}, {0, 0, 0.1F, 2, -2, -3});
    EXPECT_THAT(quotients, ElementsAre(infinity, -infinity, 9, -4, -4, 0));
    EXPECT_TRUE(std::signbit(quotients[5]));
}

TEST(Elementwise, AQuotientOfHalfsIsRoundedBeforeItsFractionIsCutOff) {
    // 4094 / 1365 is 2.99927, which is 3 in half. A scalar divisor is divided by in float.
    const auto numerator = static_cast<core::Half>(2047.0F / 2048);
    const auto divisor = static_cast<core::Half>(1365.0F / 4096);
    KernelCall tensors;
    tensors.tensor<core::Half>({2}, {numerator, numerator});
    core::Tensor& divisors = tensors.tensor<core::Half>({2}, {divisor, divisor});
    tensors.add(std::string_view("trunc"));
    const core::Tensor& out = tensors.emptyTensor<core::Half>({2});
    ASSERT_TRUE(tensors.run("aten::div.out_mode"));
    EXPECT_THAT(elements<core::Half>(out), Each(core::Half(3)));
    divisors.setShape(core::Tensor::Shape::Bounded);
    ASSERT_TRUE(divisors.resize(core::Sizes{1}));
    ASSERT_TRUE(tensors.run("aten::div.out_mode"));
    EXPECT_THAT(elements<core::Half>(out), Each(core::Half(2)));
}

TEST(Elementwise, TheSameWhereTheResultIsWrittenToAnotherDtype) {
    const auto numerator = static_cast<core::Half>(2047.0F / 2048);
    const auto divisor = static_cast<core::Half>(1365.0F / 4096);
    KernelCall call;
    call.tensor<core::Half>({2}, {numerator, numerator});
    call.tensor<core::Half>({2}, {divisor, divisor});
    call.add(std::string_view("trunc"));
    const core::Tensor& out = call.emptyTensor<float>({2});
    ASSERT_TRUE(call.run("aten::div.out_mode"));
    EXPECT_THAT(elements<float>(out), Each(3));
}

TEST(Elementwise, ASingleDivisorOfIntegersIsCutToTheirBits) {
    KernelCall call;
    call.tensor<std::uint8_t>({2}, {14, 255});
    call.tensor<std::int8_t>({}, {-18});  // 238
    const core::Tensor& out = call.emptyTensor<std::uint8_t>({2});
    ASSERT_TRUE(call.run("aten::floor_divide.out"));
    EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(0, 1));
}

TEST(Elementwise, ADivisorOfIntegersThatIsCutToZeroIsRefused) {
    KernelCall call;
    call.tensor<std::uint8_t>({2}, {14, 255});
    call.tensor<std::int64_t>({}, {256});
    call.emptyTensor<std::uint8_t>({2});
    EXPECT_THAT(errorOf(call, "aten::floor_divide.out"), testing::HasSubstr("by zero"));
}

TEST(Elementwise, ASingleFactorOfComplexHalfsIsRoundedToThem) {
    using Part = core::Half;
    KernelCall call;
    core::Tensor& self = call.emptyTensorOf(core::ScalarType::ComplexHalf, {2});
    std::ranges::fill(std::span(reinterpret_cast<Part*>(self.rawBytes().data()), 4), Part(3.0F));
    call.tensor<float>({}, {1.0004F});  // 1 in half
    const core::Tensor& out = call.emptyTensorOf(core::ScalarType::ComplexHalf, {2});
    ASSERT_TRUE(call.run("aten::mul.out"));
    const std::span parts(reinterpret_cast<const Part*>(out.raw()), 4);
    EXPECT_THAT(parts, Each(Part(3.0F)));
}

TEST(Elementwise, LogitRoundsHalfAndBfloat16AfterEachStep) {
    // With a single rounding, the results would be 0.03125 and 0.078125.
    KernelCall half;
    half.tensor<core::Half>({1}, {core::Half(0.5078125F)});
    half.none();
    const core::Tensor& halfOut = half.emptyTensor<core::Half>({1});
    ASSERT_TRUE(half.run("aten::logit.out"));
    EXPECT_THAT(elements<core::Half>(halfOut), ElementsAre(core::Half(0.031707763671875F)));
    KernelCall bfloat16;
    bfloat16.tensor<core::BFloat16>({1}, {core::BFloat16(0.51953125F)});
    bfloat16.none();
    const core::Tensor& bfloat16Out = bfloat16.emptyTensor<core::BFloat16>({1});
    ASSERT_TRUE(bfloat16.run("aten::logit.out"));
    EXPECT_THAT(elements<core::BFloat16>(bfloat16Out), ElementsAre(core::BFloat16(0.0751953125F)));
}

TEST(Elementwise, LogitKeepsItsDistanceFromOneInTheInputsDtype) {
    // 1 - 0.001 is 0.9990234375 in half.
    KernelCall call;
    call.tensor<core::Half>({2}, {core::Half(0.0F), core::Half(1.0F)});
    call.add(0.001);
    const core::Tensor& out = call.emptyTensor<core::Half>({2});
    ASSERT_TRUE(call.run("aten::logit.out"));
    EXPECT_THAT(elements<core::Half>(out), ElementsAre(core::Half(-6.90625F), core::Half(6.9296875F)));
}

TEST(Elementwise, ComputesInTheCommonDtypeAndGivesTheResults) {
    // int8 wraps around before the result is widened.
    KernelCall narrow;
    narrow.tensor<std::int8_t>({1}, {100});
    narrow.tensor<std::int8_t>({1}, {100});
    narrow.add(std::int64_t{1});
    const core::Tensor& wide = narrow.emptyTensor<std::int32_t>({1});
    ASSERT_TRUE(narrow.run("aten::add.out"));
    EXPECT_THAT(elements<std::int32_t>(wide), ElementsAre(-56));

    // An integer combined with half is rounded to half first: 2049 becomes 2048.
    KernelCall mixed;
    mixed.tensor<std::int32_t>({2}, {2049, 3});
    mixed.tensor<core::Half>({2}, {core::Half(1), core::Half(1)});
    mixed.add(std::int64_t{1});
    const core::Tensor& sum = mixed.emptyTensor<float>({2});
    ASSERT_TRUE(mixed.run("aten::add.out"));
    EXPECT_THAT(elements<float>(sum), ElementsAre(2048, 4));

    // uint8 converts a negative number modulo 256, as PyTorch does.
    KernelCall bytes;
    bytes.tensor<std::uint8_t>({2}, {5, 254});
    bytes.add(std::int64_t{-1});
    const core::Tensor& equal = bytes.emptyTensor<bool>({2});
    ASSERT_TRUE(bytes.run("aten::ge.Scalar_out"));
    EXPECT_THAT(elements<bool>(equal), ElementsAre(false, false));

    // Sums of bools are bool, whatever the output dtype.
    KernelCall bools;
    bools.tensor<bool>({2}, {true, false});
    bools.tensor<bool>({2}, {true, true});
    bools.add(std::int64_t{1});
    const core::Tensor& number = bools.emptyTensor<float>({2});
    ASSERT_TRUE(bools.run("aten::add.out"));
    EXPECT_THAT(elements<float>(number), ElementsAre(1, 1));
}

TEST(Elementwise, ATensorWithoutDimensionsDoesNotWiden) {
    KernelCall call;
    call.tensor<std::int32_t>({2, 1}, {1, 2});
    call.tensor<std::int64_t>({}, {10});
    call.add(std::int64_t{3});
    const core::Tensor& out = call.emptyTensor<std::int32_t>({2, 1});
    ASSERT_TRUE(call.run("aten::sub.out"));
    EXPECT_THAT(elements<std::int32_t>(out), ElementsAre(-29, -28));
}

/// Memory offset of an element of a tensor that broadcasts to three dimensions.
std::int64_t placeOf(const core::Tensor& tensor, const std::array<std::int64_t, 3>& at) {
    const std::size_t missing = at.size() - tensor.dim();
    std::int64_t place = 0;
    for (std::size_t d = 0; d < tensor.dim(); ++d) {
        place += tensor.size(d) == 1 ? 0 : at[missing + d] * tensor.stride(d);
    }
    return place;
}

template <class T>
void numberElements(core::Tensor& tensor) {
    std::iota(tensor.mutableData<T>(), tensor.mutableData<T>() + tensor.numel(), T{0});
}

/// Number of elements of `out` that differ from left + right (float and int16).
std::int64_t wrongSums(const core::Tensor& left, const core::Tensor& right, const core::Tensor& out) {
    std::int64_t wrong = 0;
    std::array<std::int64_t, 3> at{};
    for (at[0] = 0; at[0] < out.size(0); ++at[0]) {
        for (at[1] = 0; at[1] < out.size(1); ++at[1]) {
            for (at[2] = 0; at[2] < out.size(2); ++at[2]) {
                const auto addend = static_cast<float>(right.data<std::int16_t>()[placeOf(right, at)]);
                wrong +=
                    out.data<float>()[placeOf(out, at)] != left.data<float>()[placeOf(left, at)] + addend;
            }
        }
    }
    return wrong;
}

/// Broadcasting and several dim orders, with long and short rows, on several threads.
TEST(Elementwise, WalksThroughAllLayouts) {
    const std::vector<std::vector<std::uint8_t>> orders{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};
    const std::vector<std::vector<std::int64_t>> others{{5, 1}, {601}, {23, 1, 1}, {23, 1, 601}, {1, 1, 1}};
    for (const auto& order : orders) {
        for (const auto& outOrder : orders) {
            for (const auto& other : others) {
                KernelCall call(3);
                core::Tensor& left = call.emptyTensor<float>({23, 5, 601}, order);
                numberElements<float>(left);
                core::Tensor& right = call.emptyTensor<std::int16_t>(other);
                numberElements<std::int16_t>(right);
                call.add(std::int64_t{1});
                const core::Tensor& out = call.emptyTensor<float>({23, 5, 601}, outOrder);
                ASSERT_TRUE(call.run("aten::add.out"));
                EXPECT_EQ(wrongSums(left, right, out), 0) << core::sizesText(other);
            }
        }
    }
}

TEST(Elementwise, EmptyTensorsBroadcast) {
    KernelCall call;
    call.tensor<float>({0, 3}, {});
    call.tensor<float>({1}, {1});
    call.add(std::int64_t{1});
    const core::Tensor& out = call.resizableTensor<float>({4, 3});
    ASSERT_TRUE(call.run("aten::add.out"));
    EXPECT_EQ(out.sizes(), (core::Sizes{0, 3}));
}

TEST(NativeDropout, KeepsAboutTheGivenShareAndScalesIt) {
    KernelCall call;
    call.tensor<float>({10000}, std::vector<float>(10000, 3));
    call.add(0.25);
    call.add(true);
    const core::Tensor& out = call.emptyTensor<float>({10000});
    const core::Tensor& mask = call.emptyTensor<bool>({10000});
    ASSERT_TRUE(call.run("aten::native_dropout.out"));
    const auto kept = elements<bool>(mask);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(kept, true)), 7500, 300);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        ASSERT_EQ(out.data<float>()[i], kept[i] ? 4 : 0);
    }
    call.argument(1).set(1.5);
    EXPECT_THAT(call.run("aten::native_dropout.out").error().message, HasSubstr("probability"));
}

TEST(Elementwise, ComplexNumbers) {
    using Complex = std::complex<float>;
    EXPECT_THAT(*ofTwo<Complex>("aten::mul.out", {{1, 2}, {0, 1}}, {{3, -1}, {0, 1}}),
                ElementsAre(Complex(5, 5), Complex(-1, 0)));
    KernelCall absolute;
    absolute.tensor<Complex>({1}, {{3, -4}});
    const core::Tensor& out = absolute.emptyTensor<float>({1});
    ASSERT_TRUE(absolute.run("aten::abs.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(5));
}

}  // namespace
}  // namespace et::test
